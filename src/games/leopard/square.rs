//! A seat's nine cells.

use std::fmt;

use super::Rules;
use crate::cards::Suit;

/// How many cells a square has.
pub const CELLS: usize = 9;

/// All nine cells.
const ALL: u32 = 0x1FF;

/// One bit in each suit's lane.
const LANES: u64 = 0x0001_0001_0001_0001;

/// The eight lines as masks of cells: rows, columns, diagonals.
pub const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

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
    face_up: u32,
}

impl Square {
    /// All cells open.
    pub const EMPTY: Square = Square { lanes: 0, face_up: 0 };

    /// The cells of one suit, bit 0 for cell 1.
    #[inline]
    pub const fn suit(self, suit: Suit) -> u32 {
        (self.lanes >> (16 * suit as u32)) as u32 & ALL
    }

    /// The cells with a face-up card.
    #[inline]
    pub const fn face_up(self) -> u32 {
        self.face_up
    }

    /// The open cells.
    #[inline]
    pub const fn open(self) -> u32 {
        self.face_up ^ ALL
    }

    /// The suit of the face-up card on a cell (0 to 8).
    pub fn at(self, cell: u8) -> Option<Suit> {
        let here = |suit: &Suit| self.suit(*suit) >> cell & 1 == 1;
        Suit::ALL.into_iter().find(here)
    }

    /// Lays a card of this suit face up on a cell, whatever was there.
    #[inline]
    pub const fn lay(&mut self, cell: u8, suit: u32) {
        self.lanes = self.lanes & !(LANES << cell) | 1 << (16 * suit + cell as u32);
        self.face_up |= 1 << cell;
    }

    /// Makes a cell open.
    #[inline]
    pub const fn cover(&mut self, cell: u8) {
        self.lanes &= !(LANES << cell);
        self.face_up &= !(1 << cell);
    }

    /// The numbers of lines of one suit, and of one colour but not one suit.
    #[inline]
    pub const fn lines(self) -> (u32, u32) {
        let [s, h, d, c] = [
            self.suit(Suit::Spades) as usize,
            self.suit(Suit::Hearts) as usize,
            self.suit(Suit::Diamonds) as usize,
            self.suit(Suit::Clubs) as usize,
        ];
        let suits = LINES_WITHIN[s] + LINES_WITHIN[h] + LINES_WITHIN[d] + LINES_WITHIN[c];
        let colors = LINES_WITHIN[s | c] + LINES_WITHIN[h | d];
        (suits as u32, (colors - suits) as u32)
    }

    /// The square's value: the points of its lines.
    #[inline]
    pub const fn value(self, rules: &Rules) -> u32 {
        // In random play most squares have no full line, and most of the others none of a colour.
        if LINES_WITHIN[self.face_up as usize & 511] == 0 {
            return 0;
        }
        // Spades are the first lane, clubs the last, so turning by one lane lays them together.
        let colors = self.lanes | self.lanes.rotate_left(16);
        let (black, red) = (colors & ALL as u64, colors >> 32 & ALL as u64);
        if LINES_WITHIN[black as usize] + LINES_WITHIN[red as usize] == 0 {
            return 0;
        }
        let (suits, colors) = self.lines();
        suits * rules.suit_line as u32 + colors * rules.color_line as u32
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in 0..CELLS as u8 {
            let mark = self.at(cell).map_or('.', |suit| b"SHDC"[suit.index()] as char);
            let gap = if cell % 3 == 0 && cell > 0 { "/" } else { "" };
            write!(f, "{gap}{mark}")?;
        }
        Ok(())
    }
}
