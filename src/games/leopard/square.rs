//! The face-up cards of one seat.

use std::fmt;

use super::Rules;
use super::cells::{Cell, Cells, Kind, LINES};
use crate::cards::{Card, Suit};

/// One bit in each suit's lane.
const LANES: u64 = 0x0001_0001_0001_0001;

/// How many whole lines lie in each set of cells.
const LINES_WITHIN: [u8; 512] = {
    let mut table = [0; 512];
    let mut cells = 0;
    while cells < 512 {
        let mut line = 0;
        while line < 8 {
            if cells as u16 & LINES[line] == LINES[line] {
                table[cells] += 1;
            }
            line += 1;
        }
        cells += 1;
    }
    table
};

/// The face-up cards on the nine cells. Nothing but the suit of a face-up card ever matters again,
/// so ranks are not kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Square {
    /// For each suit a mask of cells, in a lane of 16 bits.
    lanes: u64,
    /// The cells in any lane.
    face_up: Cells,
}

impl Square {
    /// All cells open.
    pub const EMPTY: Square = Square { lanes: 0, face_up: Cells::NONE };

    /// The cells that show one suit.
    #[inline]
    pub const fn suit(self, suit: Suit) -> Cells {
        Cells::from_bits((self.lanes >> (16 * suit as u32)) as u32)
    }

    /// The cells with a face-up card.
    #[inline]
    pub const fn face_up(self) -> Cells {
        self.face_up
    }

    /// The open cells.
    #[inline]
    pub const fn open(self) -> Cells {
        self.face_up.others()
    }

    /// The suit of the face-up card on a cell.
    pub fn at(self, cell: Cell) -> Option<Suit> {
        Suit::ALL.into_iter().find(|&suit| self.suit(suit).has(cell))
    }

    /// Lays a card on a cell, whatever was there: jacks and queens face down, others face up.
    #[inline]
    pub fn put(&mut self, card: Card, cell: Cell) {
        if Kind::of(card).is_face_down() { self.cover(cell) } else { self.lay(cell, card.suit()) }
    }

    /// Lays a card of this suit face up on a cell, whatever was there.
    #[inline]
    pub fn lay(&mut self, cell: Cell, suit: Suit) {
        let place = cell.index() as u32;
        self.lanes = self.lanes & !(LANES << place) | 1 << (16 * suit as u32 + place);
        self.face_up = self.face_up | Cells::only(cell);
    }

    /// Makes a cell open.
    #[inline]
    pub fn cover(&mut self, cell: Cell) {
        self.lanes &= !(LANES << cell.index());
        self.face_up = self.face_up & Cells::only(cell).others();
    }

    /// The numbers of lines of one suit, and of one colour but not one suit.
    #[inline]
    pub fn lines(self) -> (u32, u32) {
        // Spelled out: closures over arrays are not always inlined.
        let (s, h) = (self.suit(Suit::Spades).index(), self.suit(Suit::Hearts).index());
        let (d, c) = (self.suit(Suit::Diamonds).index(), self.suit(Suit::Clubs).index());
        let suits = LINES_WITHIN[s] + LINES_WITHIN[h] + LINES_WITHIN[d] + LINES_WITHIN[c];
        let colors = LINES_WITHIN[s | c] + LINES_WITHIN[h | d];
        (suits.into(), (colors - suits).into())
    }

    /// The square's value: the points of its lines.
    #[inline]
    pub fn value(self, rules: &Rules) -> u32 {
        // In random play most squares have no full line, and most of the others none of a colour.
        if LINES_WITHIN[self.face_up.index()] == 0 {
            return 0;
        }
        // Spades are the first lane, clubs the last, so turning by one lane lays them together.
        let colors = self.lanes | self.lanes.rotate_left(16);
        let (black, red) = (colors & 0x1FF, colors >> 32 & 0x1FF);
        if LINES_WITHIN[black as usize] + LINES_WITHIN[red as usize] == 0 {
            return 0;
        }
        let (suits, colors) = self.lines();
        suits * u32::from(rules.suit_line) + colors * u32::from(rules.color_line)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in Cell::ALL {
            let mark = self.at(cell).map_or('.', |suit| b"SHDC"[suit.index()] as char);
            let gap = if cell.index() % 3 == 0 && cell.index() > 0 { "/" } else { "" };
            write!(f, "{gap}{mark}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_shows_what_was_laid_last() {
        let mut square = Square::EMPTY;
        for (card, cell) in [("7H", 6), ("KS", 6), ("TD", 0), ("QC", 0), ("9C", 8)] {
            square.put(card.parse().unwrap(), Cell::ALL[cell]);
        }
        assert_eq!(format!("{square:?}"), ".../.../S.C");
        assert_eq!(square.face_up().count(), 2);
        assert_eq!(square.open().count(), 7);
    }
}
