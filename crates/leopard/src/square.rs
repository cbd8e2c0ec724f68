//! The face-up cards of one seat.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Rules;
use super::cells::{CardKind, Cell, Cells, LINES, by_cells};
use parlour_base::cards::{Card, CardSet, Suit};

/// One bit in each suit's lane.
const LANES: u64 = 0x0001_0001_0001_0001;

/// The number of whole lines in each set of cells.
const LINES_WITHIN: [u8; 512] = by_cells!(0, LINES.len(), |count, cells, line| {
    *count += (cells as u16 & LINES[line] == LINES[line]) as u8
});

/// The face-up cards on the nine cells. Only the suit of a face-up card ever matters again, so
/// ranks are not kept.
///
/// In JSON: the suits of the face-up cards, `.` for an open cell, the rows joined by `/`, as in
/// `.H./.../..S`. An open cell with a face-down card is `x` where the rules ask for such cells.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "String", into = "String")]
#[schemars(
    with = "String",
    rename = "LeopardSquare",
    extend("pattern" = "^[SHDCx.]{3}/[SHDCx.]{3}/[SHDCx.]{3}$")
)]
pub struct Square {
    /// For each suit, a mask of cells in a lane of 16 bits. Above the masks, the open cells with a
    /// face-down card, if a rule asks for them: seven in the first lane, two in the second.
    lanes: u64,
    /// The cells that show a suit.
    face_up: Cells,
}

/// The spades in a set of cards; the other suits are the next bits.
const CARDS_OF_SUIT: u64 = 0x1_1111_1111;

impl Square {
    /// A square with all cells open.
    pub const EMPTY: Square = Square { lanes: 0, face_up: Cells::NONE };

    /// The cells that show one suit.
    pub const fn suit(self, suit: Suit) -> Cells {
        Cells::from_bits((self.lanes >> (16 * suit as u32)) as u32)
    }

    /// The cells with a card, face up or face down. Out of line: only one rule asks for it, and inlined
    /// it slowed strategies under all others.
    #[cold]
    #[inline(never)]
    pub fn occupied(self) -> Cells {
        let face_down = self.lanes >> 9 & 0x7F | self.lanes >> 18 & 0x180;
        self.face_up | Cells::from_bits(face_down as u32)
    }

    /// Notes that the card laid last on a cell lies face down or not.
    #[inline(always)]
    pub(super) fn set_face_down(&mut self, cell: Cell, is_face_down: bool) {
        let place = cell.index() + if cell.index() < 7 { 9 } else { 18 };
        self.lanes = self.lanes & !(1 << place) | u64::from(is_face_down) << place;
    }

    /// The cells that show each suit.
    #[inline(always)]
    pub fn suits(self) -> [Cells; 4] {
        let [s, h, d, c] = Suit::ALL;
        [self.suit(s), self.suit(h), self.suit(d), self.suit(c)]
    }

    /// The cells with a face-up card.
    pub const fn face_up(self) -> Cells {
        self.face_up
    }

    /// The open cells.
    pub const fn open(self) -> Cells {
        self.face_up.others()
    }

    /// The suit of the face-up card on a cell.
    pub fn at(self, cell: Cell) -> Option<Suit> {
        Suit::ALL.into_iter().find(|&suit| self.suit(suit).has(cell))
    }

    /// The suit that lies on a cell, as a bit; 0 for an open cell.
    #[inline(always)]
    pub(super) const fn suits_at(self, cell: Cell) -> usize {
        // The product collects the lowest bits of the four lanes.
        let lowest = self.lanes >> cell.index() & LANES;
        (lowest.wrapping_mul(0x0001_0002_0004_0008) >> 48 & 15) as usize
    }

    /// For each cell, the number card of the suit that lies there.
    #[inline(always)]
    pub(super) fn cards(self) -> CardSet {
        let [s, h, d, c] = self.suits().map(|cells| cells.cards().0);
        CardSet(
            s & CARDS_OF_SUIT
                | h & CARDS_OF_SUIT << 1
                | d & CARDS_OF_SUIT << 2
                | c & CARDS_OF_SUIT << 3,
        )
    }

    /// Lays a card on a cell, on top of any other: jacks and queens face down, others face up.
    #[inline]
    pub fn put(&mut self, card: Card, cell: Cell) {
        if CardKind::of(card).is_face_down() {
            self.cover(cell)
        } else {
            self.lay(cell, card.suit())
        }
    }

    /// Lays a card of this suit face up on a cell, on top of any other.
    #[inline]
    pub fn lay(&mut self, cell: Cell, suit: Suit) {
        let place = cell.index() as u32;
        self.lanes = self.lanes & !(LANES << place) | 1 << (16 * suit as u32 + place);
        self.face_up = self.face_up | Cells::only(cell);
    }

    /// Opens a cell.
    #[inline]
    pub fn cover(&mut self, cell: Cell) {
        self.lanes &= !(LANES << cell.index());
        self.face_up = self.face_up & Cells::only(cell).others();
    }

    /// The numbers of lines of one suit, and of one colour but not one suit.
    #[inline]
    pub fn lines(self) -> (u32, u32) {
        // Written out: closures over arrays are not always inlined.
        let [s, h, d, c] = self.suits();
        let (s, h, d, c) = (s.index(), h.index(), d.index(), c.index());
        let suits = LINES_WITHIN[s] + LINES_WITHIN[h] + LINES_WITHIN[d] + LINES_WITHIN[c];
        let colors = LINES_WITHIN[s | c] + LINES_WITHIN[h | d];
        (suits.into(), (colors - suits).into())
    }

    /// The value of the square: the points of its lines.
    #[inline]
    pub fn value(self, rules: &Rules) -> u32 {
        // In random play most squares have no full line, and most others none of a colour.
        if LINES_WITHIN[self.face_up.index()] == 0 {
            return 0;
        }
        // Spades are the first lane, clubs the last, so a rotation by one lane joins them.
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
            let open = if self.occupied().has(cell) { 'x' } else { '.' };
            let mark = self.at(cell).map_or(open, |suit| b"SHDC"[suit.index()] as char);
            let gap = if cell.index() % 3 == 0 && cell.index() > 0 { "/" } else { "" };
            write!(f, "{gap}{mark}")?;
        }
        Ok(())
    }
}

impl From<Square> for String {
    fn from(square: Square) -> String {
        format!("{square:?}")
    }
}

impl TryFrom<String> for Square {
    type Error = String;

    fn try_from(text: String) -> Result<Square, String> {
        let mut square = Square::EMPTY;
        let letters = text.bytes().filter(|letter| *letter != b'/');
        for (cell, letter) in Cell::ALL.into_iter().zip(letters) {
            if let Some(suit) = b"SHDC".iter().position(|known| *known == letter) {
                square.lay(cell, Suit::ALL[suit]);
            }
            square.set_face_down(cell, letter == b'x');
        }
        // Any other text does not print the same.
        if String::from(square) == text {
            return Ok(square);
        }
        let start: String = text.chars().take(20).collect();
        Err(format!(
            "`{start}` is not a square; write three rows of three, `S H D C` for a face-up card's \
             suit and `.` for an open cell, as in `.H./.../..S`"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_shows_the_last_card_laid() {
        let mut square = Square::EMPTY;
        for (card, cell) in [("7H", 6), ("KS", 6), ("TD", 0), ("QC", 0), ("9C", 8)] {
            square.put(card.parse().unwrap(), Cell::ALL[cell]);
        }
        assert_eq!(format!("{square:?}"), ".../.../S.C");
        assert_eq!(square.face_up().count(), 2);
        assert_eq!(square.open().count(), 7);
    }
}
