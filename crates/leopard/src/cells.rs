//! The cells of a square, and the kinds of card.

use std::ops::{BitAnd, BitOr};

use parlour_base::cards::{Card, CardSet, Pile};

/// Number of cells of a square.
pub const CELLS: usize = 9;

/// The cells of each line: rows, columns, diagonals.
pub(super) const LINE_CELLS: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// The lines as masks of cells.
pub const LINES: [u16; 8] = {
    let (mut lines, mut at) = ([0; 8], 0);
    while at < 3 * lines.len() {
        lines[at / 3] |= 1 << LINE_CELLS[at / 3][at % 3];
        at += 1;
    }
    lines
};

/// A cell of a square, row by row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cell(u8);

impl Cell {
    /// All cells, ascending.
    pub const ALL: [Cell; CELLS] =
        [Cell(0), Cell(1), Cell(2), Cell(3), Cell(4), Cell(5), Cell(6), Cell(7), Cell(8)];

    /// The cell with this index, which must be below 9.
    pub(super) const fn from_low_bits(index: u8) -> Cell {
        debug_assert!(index < CELLS as u8);
        Cell(index)
    }

    /// The cell of a number card, ace to nine.
    pub(super) const fn of_number(card: Card) -> Cell {
        Cell::from_low_bits(card.index() / 4)
    }

    /// Index, 0 to 8.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Number in the notation, 1 to 9.
    pub const fn number(self) -> u8 {
        self.0 + 1
    }
}

/// A set of cells; as an iterator it gives them in ascending order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cells(u32);

impl Cells {
    /// The empty set.
    pub const NONE: Cells = Cells(0);
    /// All nine cells.
    pub const ALL: Cells = Cells(0x1FF);

    /// The cells of the lowest nine bits.
    pub(super) const fn from_bits(bits: u32) -> Cells {
        Cells(bits & Cells::ALL.0)
    }

    /// The set with one cell.
    pub const fn only(cell: Cell) -> Cells {
        Cells(1 << cell.0)
    }

    /// Returns `true` if the cell is in the set.
    pub const fn has(self, cell: Cell) -> bool {
        self.0 >> cell.0 & 1 == 1
    }

    /// Returns `true` if the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of cells in the set.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The set without some cells.
    #[must_use]
    pub const fn without(self, others: Cells) -> Cells {
        Cells(self.0 & !others.0)
    }

    /// The complement.
    #[must_use]
    pub const fn others(self) -> Cells {
        Cells(self.0 ^ Cells::ALL.0)
    }

    /// Index in a table with an entry for each set of cells.
    pub const fn index(self) -> usize {
        self.0 as usize & 511
    }

    /// The number cards that belong on these cells.
    pub fn cards(self) -> CardSet {
        CardSet(NIBBLES[self.index()])
    }

    /// For each suit, the cells whose number card of that suit is in the set.
    #[inline(always)]
    pub fn by_suit(cards: CardSet) -> [Cells; 4] {
        let CardSet(cards) = cards;
        // Spelled out: closures over arrays are not always inlined.
        [
            every_fourth(cards),
            every_fourth(cards >> 1),
            every_fourth(cards >> 2),
            every_fourth(cards >> 3),
        ]
    }
}

/// Packs bits 0, 4, 8, … 32 side by side.
#[inline(always)]
const fn every_fourth(bits: u64) -> Cells {
    let x = bits & 0x1_1111_1111;
    let x = (x | x >> 3) & 0x3_0303_0303;
    let x = (x | x >> 6) & 0xF_000F_000F;
    let x = (x | x >> 12) & 0x1_0000_00FF;
    Cells::from_bits((x | x >> 24) as u32)
}

impl BitAnd for Cells {
    type Output = Cells;

    fn bitand(self, other: Cells) -> Cells {
        Cells(self.0 & other.0)
    }
}

impl BitOr for Cells {
    type Output = Cells;

    fn bitor(self, other: Cells) -> Cells {
        Cells(self.0 | other.0)
    }
}

impl Iterator for Cells {
    type Item = Cell;

    #[inline(always)]
    fn next(&mut self) -> Option<Cell> {
        if self.0 == 0 {
            return None;
        }
        let cell = Cell(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(cell)
    }
}

/// Builds a table with an entry for each set of cells at compile time. All entries start as
/// `$start`; `$step` runs for each with the numbers below `$count`.
macro_rules! by_cells {
    ($start:expr, $count:expr, |$entry:ident, $cells:ident, $at:ident| $step:expr) => {{
        let mut table = [$start; 512];
        let mut $cells = 0;
        while $cells < 512 {
            let $entry = &mut table[$cells];
            let mut $at = 0;
            while $at < $count {
                $step;
                $at += 1;
            }
            $cells += 1;
        }
        table
    }};
}
pub(super) use by_cells;

/// For each set of cells: a full nibble for each cell, where the cards of its number lie in a set
/// of cards.
const NIBBLES: [u64; 512] = by_cells!(0, CELLS, |nibbles, cells, cell| {
    *nibbles |= ((cells as u64 >> cell & 1) * 0xF) << (4 * cell)
});

/// The number of lines through a cell whose other two cells are in a set.
pub(super) const fn lines_through(cell: usize, cells: usize) -> u8 {
    let (mut count, mut line) = (0, 0);
    while line < LINES.len() {
        let others = LINES[line] as usize & !(1 << cell);
        count += (LINES[line] >> cell & 1 == 1 && cells & others == others) as u8;
        line += 1;
    }
    count
}

/// The kind of a card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CardKind {
    /// Ace to nine: laid face up on the open cell of its number.
    Number(Cell),
    /// Laid face up on any open cell of the own square.
    Ten,
    /// Laid face down on a card of either square.
    Jack,
    /// Laid face down on a card of the own square.
    Queen,
    /// Laid face up on any cell of the own square.
    King,
}

impl CardKind {
    /// The kind of a card.
    pub const fn of(card: Card) -> CardKind {
        match card.rank() {
            10 => CardKind::Ten,
            11 => CardKind::Jack,
            12 => CardKind::Queen,
            13 => CardKind::King,
            number => CardKind::Number(Cell(number - 1)),
        }
    }

    /// Returns `true` if the card opens the cell that it is laid on.
    pub const fn is_face_down(self) -> bool {
        matches!(self, CardKind::Jack | CardKind::Queen)
    }
}

/// Aces to nines.
pub(super) const NUMBERS: CardSet = CardSet((1 << 36) - 1);
pub(super) const TENS: CardSet = CardSet::rank(10);
pub(super) const JACKS: CardSet = CardSet::rank(11);
pub(super) const QUEENS: CardSet = CardSet::rank(12);
pub(super) const KINGS: CardSet = CardSet::rank(13);
/// Jacks and queens, which lie face down.
pub(super) const FACE_DOWN: CardSet = CardSet(JACKS.0 | QUEENS.0);

/// The cards of a hand with one jack and one queen at most. They lie face down, so their suits never
/// matter.
pub(super) const fn without_twins(hand: CardSet) -> CardSet {
    let (jacks, queens) = (hand.0 & JACKS.0, hand.0 & QUEENS.0);
    let others = hand.0 & !FACE_DOWN.0;
    CardSet(others | jacks & jacks.wrapping_neg() | queens & queens.wrapping_neg())
}

/// The number of cards of a pile that are in a set, copies included.
pub(super) const fn count(pile: Pile, set: CardSet) -> u32 {
    (pile.distinct().0 & set.0).count_ones() + (pile.doubled().0 & set.0).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_and_cells_go_together() {
        for card in Card::all() {
            let cells = Cells::by_suit(CardSet::EMPTY.with(card));
            let here = cells[card.suit().index()];
            match CardKind::of(card) {
                CardKind::Number(cell) => {
                    assert_eq!(cell.number(), card.rank());
                    assert_eq!(here, Cells::only(cell));
                    assert!(NUMBERS.has(card) && here.cards().has(card));
                }
                kind => {
                    assert!(cells.iter().all(|cells| cells.is_empty()));
                    let of_kind = match kind {
                        CardKind::Ten => TENS,
                        CardKind::Jack => JACKS,
                        CardKind::Queen => QUEENS,
                        _ => KINGS,
                    };
                    assert!(of_kind.has(card) && !NUMBERS.has(card));
                    assert_eq!(FACE_DOWN.has(card), kind.is_face_down());
                }
            }
        }
    }

    #[test]
    fn lines_are_counted_at_each_of_their_cells() {
        for cell in Cell::ALL {
            let lines = LINES.iter().filter(|line| **line >> cell.index() & 1 == 1).count();
            assert_eq!(usize::from(lines_through(cell.index(), Cells::ALL.index())), lines);
        }
        for (cells, line) in LINE_CELLS.iter().zip(LINES) {
            assert!(cells.is_sorted());
            assert_eq!(cells.iter().fold(0, |mask, cell| mask | 1 << cell), line);
        }
        assert_eq!(Cells::ALL.collect::<Vec<_>>(), Cell::ALL);
    }
}
