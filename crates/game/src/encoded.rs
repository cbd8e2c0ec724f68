//! Numeric encodings of views and moves for machine learning.

use serde::Serialize;

use super::Game;

/// A block of related numbers of an encoded observation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Plane {
    /// A name of one or two words.
    pub name: &'static str,
    /// Dimensions such as rows and columns; the last index changes fastest.
    pub shape: Vec<usize>,
    /// The highest number; the lowest is 0.
    pub most: u8,
    /// The meaning of the numbers.
    pub about: String,
}

impl Plane {
    /// Creates a block of numbers from 0 to `most`.
    pub fn new(
        name: &'static str,
        shape: impl Into<Vec<usize>>,
        most: u8,
        about: impl Into<String>,
    ) -> Plane {
        Plane { name, shape: shape.into(), most, about: about.into() }
    }

    /// The number of values.
    pub fn count(&self) -> usize {
        self.shape.iter().product()
    }
}

/// A block of related actions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ActionGroup {
    /// A name of one or two words.
    pub name: &'static str,
    /// The number of actions.
    pub count: usize,
    /// The meaning of the k-th action.
    pub about: String,
}

impl ActionGroup {
    /// Creates a block of `count` actions.
    pub fn new(name: &'static str, count: usize, about: impl Into<String>) -> ActionGroup {
        ActionGroup { name, count, about: about.into() }
    }
}

/// A change of a game that changes nothing that matters: a reflection of the board, an exchange of
/// suits.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Symmetry {
    /// The new place of each number of an observation.
    pub numbers: Vec<u16>,
    /// The new index of each action.
    pub actions: Vec<u16>,
}

/// A game with numeric encodings: a view is a row of bytes of fixed length, a move is an action
/// index.
///
/// Encoded observations are made from [views](Game::View), so nothing hidden can be in them. Seats
/// are numbered relative to the observing seat, so that one player can learn for all seats.
pub trait Encoded: Game {
    /// The blocks of an encoded observation, in order.
    fn planes(&self) -> Vec<Plane>;

    /// The blocks of actions, in the order of their indices.
    fn actions(&self) -> Vec<ActionGroup>;

    /// Writes the encoded observation of a view. `out` has at least the length of all
    /// [planes](Encoded::planes) together; the rest is left as it is.
    fn observe(&self, view: &Self::View, out: &mut [u8]);

    /// The numbers of an observation and the number of actions, under those rules that have the most.
    /// Under other rules the last ones are missing, so one network can play under all rules.
    fn full_sizes(&self) -> [usize; 2] {
        let actions = self.actions().iter().map(|group| group.count).sum();
        [self.planes().iter().map(Plane::count).sum(), actions]
    }

    /// The number of numbers that tell rules apart, for networks that play under many rules.
    const RULE_NUMBERS: usize = 0;

    /// Writes the [numbers](Encoded::RULE_NUMBERS) of the rules.
    fn observe_rules(&self, _out: &mut [u8]) {}

    /// The action index of a move. `None` for a legal move that is not [listed](Game::legal_moves),
    /// or that these rules never allow.
    fn action_of(&self, mv: Self::Move) -> Option<usize>;

    /// The move of an action index, if there is one.
    fn move_of(&self, action: usize) -> Option<Self::Move>;

    /// Symmetries of the game from which all others can be composed, in the [full
    /// sizes](Encoded::full_sizes); none by default. Learning uses
    /// them: what is learnt in a position holds in all positions that are symmetric to it.
    fn symmetries(&self) -> Vec<Symmetry> {
        Vec::new()
    }

    /// Writes the mask of legal actions for the seat of a view: action `i` is bit `i % 64` of word
    /// `i / 64`. Empty unless it is that seat's turn.
    fn legal(&self, view: &Self::View, out: &mut [u64]) {
        out.fill(0);
        let mut moves = Vec::new();
        self.legal_moves_in_view(view, &mut moves);
        for action in moves.into_iter().filter_map(|mv| self.action_of(mv)) {
            if let Some(word) = out.get_mut(action / 64) {
                *word |= 1 << (action % 64);
            }
        }
    }
}

/// The actions of a mask, ascending.
pub fn actions_in(mask: &[u64]) -> impl Iterator<Item = u16> {
    mask.iter().zip(0u16..).flat_map(|(word, at)| {
        let mut left = *word;
        std::iter::from_fn(move || {
            let lowest = (left != 0).then_some(64 * at + left.trailing_zeros() as u16);
            left &= left.wrapping_sub(1);
            lowest
        })
    })
}

/// The 8 bits of a byte as 8 bytes, lowest first.
#[inline]
fn spread(byte: u8) -> [u8; 8] {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // Byte k keeps bit k; adding 127 carries any bit to the top of its byte.
    let bits = (u64::from(byte) * ONES) & 0x8040_2010_0804_0201;
    ((bits + 127 * ONES) >> 7 & ONES).to_le_bytes()
}

/// Writes the lowest `out.len()` bits (at most 64) as one byte each.
#[inline]
pub fn write_bits(bits: u64, out: &mut [u8]) {
    let (eights, rest) = out.as_chunks_mut::<8>();
    let mut bytes = bits.to_le_bytes().into_iter();
    for (eight, byte) in eights.iter_mut().zip(&mut bytes) {
        *eight = spread(byte);
    }
    rest.copy_from_slice(&spread(bytes.next().unwrap_or(0))[..rest.len()]);
}

/// Writes an observation from its start; values beyond its end are dropped.
pub struct ObservationWriter<'a>(&'a mut [u8]);

impl<'a> ObservationWriter<'a> {
    /// Creates a writer into `out`.
    #[inline]
    pub fn new(out: &'a mut [u8]) -> ObservationWriter<'a> {
        ObservationWriter(out)
    }

    /// Returns the next `count` places.
    #[inline]
    pub fn next(&mut self, count: usize) -> &mut [u8] {
        let all = std::mem::take(&mut self.0);
        let (here, rest) = all.split_at_mut(count.min(all.len()));
        self.0 = rest;
        here
    }

    /// Writes one number.
    #[inline]
    pub fn number(&mut self, number: u8) {
        self.next(1).fill(number);
    }

    /// Writes one number, capped at 255.
    #[inline]
    pub fn up_to_255(&mut self, number: usize) {
        self.number(number.min(255) as u8);
    }

    /// Writes the lowest `count` bits (at most 64), one number each.
    #[inline]
    pub fn bits(&mut self, bits: u64, count: usize) {
        write_bits(bits, self.next(count));
    }

    /// Writes the sums of two rows of bits, one number each.
    #[inline]
    pub fn bits_twice(&mut self, once: u64, twice: u64, count: usize) {
        let out = self.next(count);
        write_bits(once, out);
        for (at, byte) in out.iter_mut().enumerate() {
            *byte += (twice >> at & 1) as u8;
        }
    }

    /// Writes a row that begins with this many ones, 0 elsewhere.
    #[inline]
    pub fn at_least(&mut self, number: u8, count: usize) {
        let out = self.next(count);
        out.fill(0);
        out.iter_mut().take(number.into()).for_each(|place| *place = 1);
    }

    /// Writes a one-hot row: 1 at place `at` of `count`, 0 elsewhere.
    #[inline]
    pub fn one_of(&mut self, at: usize, count: usize) {
        let out = self.next(count);
        out.fill(0);
        if let Some(place) = out.get_mut(at) {
            *place = 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_spread_from_the_lowest() {
        let mut out = [9; 13];
        write_bits(0b1_0000_0000_1101, &mut out);
        assert_eq!(out, [1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
        for byte in 0..=255 {
            assert_eq!(spread(byte), std::array::from_fn(|bit| byte >> bit & 1));
        }
    }

    #[test]
    fn actions_are_listed() {
        let actions: Vec<u16> = actions_in(&[1 << 5 | 1 << 63, 0, 0b11]).collect();
        assert_eq!(actions, [5, 63, 128, 129]);
    }

    #[test]
    fn a_pen_fills_from_the_beginning_and_no_further() {
        let mut out = [9; 3];
        ObservationWriter::new(&mut out).at_least(2, 3);
        assert_eq!(out, [1, 1, 0]);
        let mut out = [9; 8];
        let mut pen = ObservationWriter::new(&mut out);
        pen.bits(0b10, 2);
        pen.bits_twice(0b11, 0b01, 2);
        pen.one_of(2, 3);
        pen.up_to_255(1000);
        pen.number(7);
        assert_eq!(out, [0, 1, 2, 1, 0, 0, 1, 255]);
    }
}
