//! What a card laid on a cell changes in the value of a square, for all nine cells at once.

use crate::cards::Suit;
use crate::games::leopard::{LINES, Rules, Square};

/// The width of a cell's lane. Four lines go through the middle, each worth at most 20, so a
/// change is at most 80 and nine lanes fit a word.
const LANE: u32 = 7;
const LANE_MASK: u64 = (1 << LANE) - 1;

/// For each set of cells, in each cell's lane: how many lines through the cell have their other
/// two cells in the set.
const THROUGH: [u64; 512] = {
    let mut table = [0; 512];
    let mut cells = 0;
    while cells < 512 {
        let mut line = 0;
        while line < 8 {
            let mut cell = 0;
            while cell < 9 {
                let others = LINES[line] & !(1 << cell);
                if LINES[line] >> cell & 1 == 1 && cells as u16 & others == others {
                    table[cells] += 1 << (LANE * cell);
                }
                cell += 1;
            }
            line += 1;
        }
        cells += 1;
    }
    table
};

/// For each set of cells: their lanes filled.
const FILLED: [u64; 512] = {
    let mut table = [0; 512];
    let mut cells = 0;
    while cells < 512 {
        let mut cell = 0;
        while cell < 9 {
            if cells >> cell & 1 == 1 {
                table[cells] |= LANE_MASK << (LANE * cell);
            }
            cell += 1;
        }
        cells += 1;
    }
    table
};

#[inline]
fn look(table: &[u64; 512], cells: u32) -> u64 {
    table[cells as usize & 511]
}

/// Points by cell, each in its lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ByCell(u64);

impl ByCell {
    /// The points of a cell.
    #[inline]
    pub fn at(self, cell: u32) -> i32 {
        (self.0 >> (LANE * cell) & LANE_MASK) as i32
    }

    /// Those of a set of cells; no points elsewhere.
    #[inline]
    pub fn within(self, cells: u32) -> ByCell {
        ByCell(self.0 & look(&FILLED, cells))
    }

    /// Whether no cell has points.
    #[inline]
    pub fn is_nothing(self) -> bool {
        self.0 == 0
    }
}

/// The cells with points, ascending, with their points.
impl Iterator for ByCell {
    type Item = (u32, i32);

    #[inline]
    fn next(&mut self) -> Option<(u32, i32)> {
        if self.0 == 0 {
            return None;
        }
        let cell = self.0.trailing_zeros() / LANE;
        let points = self.at(cell);
        self.0 &= !(LANE_MASK << (LANE * cell));
        Some((cell, points))
    }
}

/// For each suit: the points that a card of it gives on each cell, were the cell open.
///
/// Lines through a cell whose other two cells show the suit give `suit_line`, those whose other
/// two show its colour but not the suit alone give `color_line`. Whether the cell itself is open
/// makes no difference to that, so the same numbers are what a face-up card of the suit loses
/// when it is covered.
#[inline]
pub(super) fn gains(square: Square, rules: &Rules) -> [ByCell; 4] {
    let color_line = u64::from(rules.color_line);
    // Modulo 2⁶⁴, so it is exact for a suit line that is worth less than a colour line, too.
    let step = u64::from(rules.suit_line).wrapping_sub(color_line);
    // Spelled out, here and below: closures over arrays are not always inlined.
    let (spades, hearts) = (square.suit(Suit::Spades), square.suit(Suit::Hearts));
    let (diamonds, clubs) = (square.suit(Suit::Diamonds), square.suit(Suit::Clubs));
    let black = look(&THROUGH, spades | clubs) * color_line;
    let red = look(&THROUGH, hearts | diamonds) * color_line;
    let gain =
        |cells, color: u64| ByCell(look(&THROUGH, cells).wrapping_mul(step).wrapping_add(color));
    [gain(spades, black), gain(hearts, red), gain(diamonds, red), gain(clubs, black)]
}

/// The points that each face-up card gives, which are lost when it is covered.
#[inline]
pub(super) fn losses(square: Square, gains: &[ByCell; 4]) -> ByCell {
    let mut lost = 0;
    for suit in Suit::ALL {
        lost |= gains[suit.index()].within(square.suit(suit)).0;
    }
    ByCell(lost)
}
