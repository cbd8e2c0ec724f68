//! The rows of the network's first layer, by which a position is told to it: first codes for what
//! a line's three cells are like, whatever their order, then the groups of rows.

use Does::{Fit, Held, Open, Spoil};

use crate::LINES;
use crate::cells::mates;

/// A class, below 8, for each cell, in nibbles.
#[derive(Clone, Copy, Default)]
pub(super) struct Classes(u64);

impl Classes {
    /// The class of a cell.
    #[inline(always)]
    pub fn at(self, cell: usize) -> usize {
        (self.0 >> (4 * cell) & 7) as usize
    }

    /// The classes with another one on a cell that has class 0.
    #[inline(always)]
    #[must_use]
    pub fn with(self, cell: usize, class: usize) -> Classes {
        Classes(self.0 | (class as u64) << (4 * cell))
    }
}

/// What a cell does for a line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Does {
    /// It shows a card that fits.
    Fit,
    /// A card that fits is held.
    Held,
    /// A card that fits may come.
    Open,
    /// It is closed to it, or no card that fits will come.
    Spoil,
}

/// From three classes, in base 8, to a code; 0 for a line that is not worth a row.
pub(super) struct Codes {
    table: [u8; 512],
    /// How many codes there are, 0 not counted.
    count: u8,
}

/// Whether a line is worth a row: a card lies there or two are held, and where a cell is spoiled
/// the other two are as good as done.
const fn counts(does: &[Does], cells: [usize; 3]) -> bool {
    let (mut fit, mut held, mut spoilt, mut at) = (0, 0, 0, 0);
    while at < 3 {
        let does = does[cells[at]];
        fit += matches!(does, Fit) as u8;
        held += matches!(does, Held) as u8;
        spoilt += matches!(does, Spoil) as u8;
        at += 1;
    }
    match spoilt {
        0 => fit > 0 || held > 1,
        1 => fit + held == 2,
        _ => false,
    }
}

impl Codes {
    /// The codes for these classes.
    pub const fn new(does: &[Does]) -> Codes {
        let (mut table, mut count) = ([0; 512], 0);
        let mut word = 0;
        while word < 512 {
            let [a, b, c] = [word & 7, word >> 3 & 7, word >> 6];
            if a <= b && b <= c && c < does.len() && counts(does, [a, b, c]) {
                count += 1;
                let orders = [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]];
                let mut order = 0;
                while order < 6 {
                    let [x, y, z] = orders[order];
                    table[x + 8 * y + 64 * z] = count;
                    order += 1;
                }
            }
            word += 1;
        }
        Codes { table, count }
    }

    /// The code of every line that has one, less 1.
    #[inline(always)]
    pub fn each(&self, classes: Classes, mut tell: impl FnMut(usize)) {
        for line in LINES {
            let low = line.trailing_zeros() as usize;
            let high = 15 - line.leading_zeros() as usize;
            let middle = (line & !(1 << low) & !(1 << high)).trailing_zeros() as usize;
            let class = |cell: usize| classes.at(cell);
            let code = self.table[class(low) + 8 * class(middle) + 64 * class(high)];
            if code != 0 {
                tell(usize::from(code) - 1);
            }
        }
    }

    /// What changes when a cell comes to have another class: for each line through it the codes
    /// before and after, less 1.
    #[inline(always)]
    pub fn shift(
        &self,
        classes: Classes,
        cell: usize,
        class: usize,
        mut tell: impl FnMut(usize, bool),
    ) {
        let old = classes.at(cell);
        for mates in mates(cell) {
            let [a, b] = mates.map(|mate| classes.at(mate.into()));
            let rest = 8 * a + 64 * b;
            let (before, after) = (self.table[old + rest], self.table[class + rest]);
            if before != 0 {
                tell(usize::from(before) - 1, false);
            }
            if after != 0 {
                tell(usize::from(after) - 1, true);
            }
        }
    }
}

/// An own cell for a suit: a card of it lies there; the number card of the suit is held, unseen
/// twice, unseen once, gone; another card lies there, and the number card is held, or not.
const OWN_SUIT_CELLS: [Does; 7] = [Fit, Held, Open, Open, Spoil, Spoil, Spoil];

/// An own cell for a colour: a card of it lies there; one of its number cards is held, at least
/// three are unseen, at least one, none; another card lies there.
const OWN_COLOR_CELLS: [Does; 6] = [Fit, Held, Open, Open, Spoil, Spoil];

/// A cell of the other's: a card that fits lies there; two that fit are unseen (for a colour
/// three), one, none; the same where a number card that does not fit is held; another lies there.
const OTHER_CELLS: [Does; 8] = [Fit, Open, Open, Spoil, Open, Open, Spoil, Spoil];

const OWN_SUIT_CODES: Codes = Codes::new(&OWN_SUIT_CELLS);
const OWN_COLOR_CODES: Codes = Codes::new(&OWN_COLOR_CELLS);
const OTHER_CODES: Codes = Codes::new(&OTHER_CELLS);

/// The codes of the lines on each side, of one suit and of one colour, and where their rows begin.
pub(super) static LINE_ROWS: [[(Codes, usize); 2]; 2] = [
    [(OWN_SUIT_CODES, OWN_SUIT), (OWN_COLOR_CODES, OWN_COLOR)],
    [(OTHER_CODES, OTHER_SUIT), (OTHER_CODES, OTHER_COLOR)],
];

// The groups of rows. Each begins where the one before it ends, whose length stands beside it.

/// An own line that may be of one suit, by its cells.
const OWN_SUIT: usize = 0;
/// An own line that may be of one colour.
const OWN_COLOR: usize = OWN_SUIT + OWN_SUIT_CODES.count as usize;
/// A line of one suit on the other's square.
const OTHER_SUIT: usize = OWN_COLOR + OWN_COLOR_CODES.count as usize;
/// A line of one colour there.
const OTHER_COLOR: usize = OTHER_SUIT + OTHER_CODES.count as usize;
/// What a number card would give on an open own cell, by where the card is.
pub(super) const OWN_GAIN: usize = OTHER_COLOR + OTHER_CODES.count as usize;
/// The same on the other's square, by how many are unseen and whether the own hand could close
/// the cell.
pub(super) const OTHER_GAIN: usize = OWN_GAIN + 3 * 8;
/// The most that each king held would give.
pub(super) const KING_GAIN: usize = OTHER_GAIN + 2 * 2 * 8;
/// The same for each ten held.
pub(super) const TEN_GAIN: usize = KING_GAIN + 8;
/// The most that a jack would take from the own square, by how many jacks are unseen.
pub(super) const OWN_WORST: usize = TEN_GAIN + 8;
/// The most that one would take from the other's, by whether a jack is held.
pub(super) const OTHER_WORST: usize = OWN_WORST + 3 * 10;
/// How many points each seat lacks for a winning knock.
pub(super) const NEED: usize = OTHER_WORST + 2 * 10;
/// The difference of the values.
pub(super) const LEAD: usize = NEED + 12 * 12;
/// How many points the best card held leaves short of a winning knock.
pub(super) const SHORT: usize = LEAD + 25;
/// The same for the other and the best card there is.
pub(super) const OTHER_SHORT: usize = SHORT + 9;
/// With how many unseen number cards the other would stand to win by a knock.
pub(super) const OTHER_CARDS: usize = OTHER_SHORT + 9;
/// The number of cards in the stock.
pub(super) const STOCK: usize = OTHER_CARDS + 7;
/// Jacks, queens, kings and tens in hand.
pub(super) const HELD: usize = STOCK + 32;
/// Number cards in hand whose cells are closed on both squares.
pub(super) const DEAD: usize = HELD + 4 * 4;
/// Unseen jacks, queens, kings and tens.
pub(super) const UNSEEN: usize = DEAD + 10;
/// How many rows there are.
pub const ROWS: usize = UNSEEN + 4 * 9;

#[cfg(test)]
mod tests {
    use super::*;

    const DOES: [Does; 4] = [Fit, Held, Open, Spoil];

    #[test]
    fn codes_forget_order_and_nothing_else() {
        let codes = Codes::new(&DOES);
        let mut seen = std::collections::BTreeMap::new();
        for word in 0..512 {
            let mut cells = [word & 7, word >> 3 & 7, word >> 6];
            cells.sort_unstable();
            if codes.table[word] != 0 {
                assert_eq!(*seen.entry(codes.table[word]).or_insert(cells), cells);
            }
        }
        // FFF FFH FFO FFS FHH FHO FHS FOO HHH HHO HHS.
        assert_eq!(seen.len(), usize::from(codes.count));
        assert_eq!(seen.len(), 11);
    }

    #[test]
    fn a_shift_is_the_difference() {
        let codes = Codes::new(&DOES);
        let mut chance = crate::chance::Seed::new(3).stream();
        let draw = |chance: &mut crate::chance::Stream| chance.below(4) as usize;
        for _ in 0..500 {
            let before = (0..9).fold(Classes::default(), |c, cell| c.with(cell, draw(&mut chance)));
            let (cell, class) = (chance.below(9) as usize, draw(&mut chance));
            let classes = |at| if at == cell { class } else { before.at(at) };
            let after = (0..9).fold(Classes::default(), |c, at| c.with(at, classes(at)));
            let mut counts = [[0i32; 11]; 2];
            codes.each(before, |code| counts[0][code] += 1);
            codes.shift(before, cell, class, |code, more| {
                counts[0][code] += if more { 1 } else { -1 };
            });
            codes.each(after, |code| counts[1][code] += 1);
            assert_eq!(counts[0], counts[1]);
        }
    }
}
