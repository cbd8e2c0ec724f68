//! One choice of a seat.

use std::fmt;

use super::cells::Cell;
use crate::cards::Card;

/// A move as it is stored: where, which card, which cell, in one number. Moves are ordered by
/// where (own square, the other's, discard, end, knock), then card, then cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

/// A move spelled out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// A card laid on a cell of the own square.
    Own(Card, Cell),
    /// A card laid on a cell of the other's square.
    Other(Card, Cell),
    /// A card put on the discard pile.
    Discard(Card),
    /// The end of a turn in which plays were made, or in which there was no card to play.
    End,
    /// The end of the hand.
    Knock,
}

const OWN: u16 = 0;
const OTHER: u16 = 1;
const DISCARD: u16 = 2;
const END: u16 = 3;
const KNOCK: u16 = 4;

impl Move {
    /// The end of a turn.
    pub const END: Move = Move(END << 10);
    /// A knock.
    pub const KNOCK: Move = Move(KNOCK << 10);

    const fn of(place: u16, card: Card, cell: Cell) -> Move {
        Move(place << 10 | (card.index() as u16) << 4 | cell.index() as u16)
    }

    /// A card on a cell of the own square.
    #[inline]
    pub const fn own(card: Card, cell: Cell) -> Move {
        Move::of(OWN, card, cell)
    }

    /// A card on a cell of the other's square.
    #[inline]
    pub const fn other(card: Card, cell: Cell) -> Move {
        Move::of(OTHER, card, cell)
    }

    /// A card discarded.
    #[inline]
    pub const fn discard(card: Card) -> Move {
        Move::of(DISCARD, card, Cell::ALL[0])
    }

    /// Whether a card is laid on a square.
    #[inline]
    pub const fn is_play(self) -> bool {
        self.0 < DISCARD << 10
    }

    /// Whether a card is laid on the other's square.
    #[inline]
    pub const fn is_on_other(self) -> bool {
        self.0 >> 10 == OTHER
    }

    /// Whether a card leaves the hand.
    #[inline]
    pub const fn uses_card(self) -> bool {
        self.0 < END << 10
    }

    /// The card; the first of all for a move without one.
    #[inline]
    pub const fn card(self) -> Card {
        Card::from_low_bits((self.0 >> 4 & 63) as u8)
    }

    /// The cell; the first for a move without one.
    #[inline]
    pub const fn cell(self) -> Cell {
        Cell::from_low_bits((self.0 & 15) as u8)
    }

    /// The move spelled out.
    #[inline]
    pub const fn act(self) -> Act {
        let card = self.card();
        match self.0 >> 10 {
            OWN => Act::Own(card, self.cell()),
            OTHER => Act::Other(card, self.cell()),
            DISCARD => Act::Discard(card),
            END => Act::End,
            _ => Act::Knock,
        }
    }

    /// Every move that any rules could allow.
    pub fn all() -> Vec<Move> {
        let laid = |make: fn(Card, Cell) -> Move| {
            Card::all().flat_map(move |card| Cell::ALL.map(|cell| make(card, cell)))
        };
        let mut all: Vec<Move> = laid(Move::own).chain(laid(Move::other)).collect();
        all.extend(Card::all().map(Move::discard));
        all.extend([Move::END, Move::KNOCK]);
        all
    }
}

impl From<Act> for Move {
    #[inline]
    fn from(act: Act) -> Move {
        match act {
            Act::Own(card, cell) => Move::own(card, cell),
            Act::Other(card, cell) => Move::other(card, cell),
            Act::Discard(card) => Move::discard(card),
            Act::End => Move::END,
            Act::Knock => Move::KNOCK,
        }
    }
}

/// As in a record: `7H o7`, `2C x2`, `KD -`, `knock`; the end of a turn is `end`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.act() {
            Act::Own(card, cell) => write!(f, "{card} o{}", cell.number()),
            Act::Other(card, cell) => write!(f, "{card} x{}", cell.number()),
            Act::Discard(card) => write!(f, "{card} -"),
            Act::End => f.write_str("end"),
            Act::Knock => f.write_str("knock"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Reads what is displayed.
impl std::str::FromStr for Move {
    type Err = String;

    fn from_str(text: &str) -> Result<Move, String> {
        let usual = || {
            let said: String = text.chars().take(20).collect();
            format!("`{said}` is not an act: write `7H o7`, `2C x2`, `KD -` or `knock`")
        };
        match text {
            "knock" => return Ok(Move::KNOCK),
            "end" => return Ok(Move::END),
            _ => {}
        }
        let (card, place) = text.split_once(' ').ok_or_else(usual)?;
        let card: Card = card.parse().map_err(|e| format!("{e}"))?;
        let cell = |digit: u8| Cell::ALL.get(usize::from(digit.wrapping_sub(b'1'))).copied();
        match *place.as_bytes() {
            [b'-'] => Ok(Move::discard(card)),
            [b'o', digit] => cell(digit).map(|c| Move::own(card, c)).ok_or_else(usual),
            [b'x', digit] => cell(digit).map(|c| Move::other(card, c)).ok_or_else(usual),
            _ => Err(usual()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_reads_back() {
        for mv in Move::all() {
            assert_eq!(mv.to_string().parse(), Ok(mv));
            assert_eq!(Move::from(mv.act()), mv);
        }
    }

    #[test]
    fn other_text_is_refused() {
        for text in ["", " ", "7H", "7H o0", "7H o10", "7H  o7", "7H O7", "7h o7", "10H o7"] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
        for text in ["Knock", "7H o7 ", "7H --", "XX -", "7H x", "é o1", "7H ö7", "KD o:"] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
        let long = "é".repeat(1_000_000);
        assert!(long.parse::<Move>().unwrap_err().len() < 200);
    }
}
