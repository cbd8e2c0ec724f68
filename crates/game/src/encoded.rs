//! Views and moves as numbers, for programs that learn.

use serde::Serialize;

use super::Game;

/// Numbers of an observation that belong together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Plane {
    /// One word or two.
    pub name: &'static str,
    /// Rows, columns and so on; the last index moves fastest.
    pub shape: Vec<usize>,
    /// The highest number; the lowest is 0.
    pub most: u8,
    /// What the numbers mean.
    pub about: String,
}

impl Plane {
    /// Numbers from 0 to `most`.
    pub fn new(
        name: &'static str,
        shape: impl Into<Vec<usize>>,
        most: u8,
        about: impl Into<String>,
    ) -> Plane {
        Plane { name, shape: shape.into(), most, about: about.into() }
    }

    /// How many numbers.
    pub fn count(&self) -> usize {
        self.shape.iter().product()
    }
}

/// Actions that belong together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ActionGroup {
    /// One word or two.
    pub name: &'static str,
    /// How many there are.
    pub count: usize,
    /// What the k-th of them is.
    pub about: String,
}

impl ActionGroup {
    /// So many actions.
    pub fn new(name: &'static str, count: usize, about: impl Into<String>) -> ActionGroup {
        ActionGroup { name, count, about: about.into() }
    }
}

/// A game whose views and moves are also numbers: a view is a row of bytes of fixed length, a move
/// the index of an action.
///
/// An observation is made of a [view](Game::View), so that nothing hidden can be in it. Seats are
/// named from the place of the seat that looks, so that one player can learn for all of them.
pub trait Encoded: Game {
    /// What an observation is made of, in order.
    fn planes(&self) -> Vec<Plane>;

    /// What the actions are, in the order of their indices.
    fn actions(&self) -> Vec<ActionGroup>;

    /// Writes the observation of a view; `out` has as many places as the [planes](Encoded::planes)
    /// have numbers. All of them are written.
    fn observe(&self, view: &Self::View, out: &mut [u8]);

    /// The index of a move; none for a move that is legal but not among the
    /// [listed](Game::legal_moves) ones, or that these rules never allow.
    fn action_of(&self, mv: Self::Move) -> Option<usize>;

    /// The move with this index, where there is one.
    fn move_of(&self, action: usize) -> Option<Self::Move>;

    /// Writes which actions are legal for the seat of a view: action `i` is bit `i % 64` of word
    /// `i / 64`. None is, unless it is that seat's turn.
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

/// For each byte its bits, a byte each, from the lowest.
const SPREAD: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte][bit] = (byte >> bit & 1) as u8;
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Writes `out.len()` bits, at most 64, a byte each.
#[inline]
pub fn write_bits(bits: u64, out: &mut [u8]) {
    let (eights, rest) = out.as_chunks_mut::<8>();
    let mut left = bits;
    for eight in eights {
        *eight = SPREAD[left as usize & 255];
        left >>= 8;
    }
    for (at, byte) in rest.iter_mut().enumerate() {
        *byte = (left >> at & 1) as u8;
    }
}

/// Fills an observation from its beginning. What has no place is not written.
pub struct ObservationWriter<'a>(&'a mut [u8]);

impl<'a> ObservationWriter<'a> {
    /// Writes into this.
    #[inline]
    pub fn new(out: &'a mut [u8]) -> ObservationWriter<'a> {
        ObservationWriter(out)
    }

    /// The next `count` places.
    #[inline]
    pub fn next(&mut self, count: usize) -> &mut [u8] {
        let all = std::mem::take(&mut self.0);
        let (here, rest) = all.split_at_mut(count.min(all.len()));
        self.0 = rest;
        here
    }

    /// One number.
    #[inline]
    pub fn number(&mut self, number: u8) {
        self.next(1).fill(number);
    }

    /// One number, or 255 where it is higher.
    #[inline]
    pub fn up_to_255(&mut self, number: usize) {
        self.number(number.min(255) as u8);
    }

    /// The lowest `count` bits, at most 64, a number each.
    #[inline]
    pub fn bits(&mut self, bits: u64, count: usize) {
        write_bits(bits, self.next(count));
    }

    /// The sums of two rows of bits, a number each.
    #[inline]
    pub fn bits_twice(&mut self, once: u64, twice: u64, count: usize) {
        let out = self.next(count);
        write_bits(once, out);
        for (at, byte) in out.iter_mut().enumerate() {
            *byte += (twice >> at & 1) as u8;
        }
    }

    /// A 1 at one of `count` places, 0 at the others.
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
    }

    #[test]
    fn a_pen_fills_from_the_beginning_and_no_further() {
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
