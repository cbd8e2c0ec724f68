//! Moves.

use std::fmt;

use super::cells::Cell;
use parlour_base::cards::Card;
use parlour_game::Seat;

/// A square, from the view of the seat to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The own square.
    Own,
    /// The other seat's square.
    Other,
}

impl Side {
    /// Both sides.
    pub(super) const BOTH: [Side; 2] = [Side::Own, Side::Other];

    /// The seat that owns the square when this seat is to move.
    pub(super) const fn seat(self, mover: Seat) -> Seat {
        match self {
            Side::Own => mover,
            Side::Other => mover.other(),
        }
    }
}

/// A move. Moves are ordered by kind, then card, then cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// A card laid on a cell of the own square.
    Own(Card, Cell),
    /// A card laid on a cell of the other square.
    Other(Card, Cell),
    /// A card put on the discard pile.
    Discard(Card),
    /// The end of a turn with at least one play, or with no card to play.
    End,
    /// The end of the hand.
    Knock,
}

impl Move {
    /// Lays a card on a cell of a square.
    #[inline]
    pub const fn lay(side: Side, card: Card, cell: Cell) -> Move {
        match side {
            Side::Own => Move::Own(card, cell),
            Side::Other => Move::Other(card, cell),
        }
    }

    /// The side, card and cell of a play.
    #[inline]
    pub const fn laid(self) -> Option<(Side, Card, Cell)> {
        match self {
            Move::Own(card, cell) => Some((Side::Own, card, cell)),
            Move::Other(card, cell) => Some((Side::Other, card, cell)),
            _ => None,
        }
    }

    /// The card that leaves the hand.
    #[inline]
    pub const fn card(self) -> Option<Card> {
        match self {
            Move::Own(card, _) | Move::Other(card, _) | Move::Discard(card) => Some(card),
            Move::End | Move::Knock => None,
        }
    }
}

/// Writes a move as in a record: `7H o7`, `2C x2`, `KD -`, `knock`, `end`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Move::Own(card, cell) => write!(f, "{card} o{}", cell.number()),
            Move::Other(card, cell) => write!(f, "{card} x{}", cell.number()),
            Move::Discard(card) => write!(f, "{card} -"),
            Move::End => f.write_str("end"),
            Move::Knock => f.write_str("knock"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Parses the displayed form.
impl std::str::FromStr for Move {
    type Err = String;

    fn from_str(text: &str) -> Result<Move, String> {
        let usual = || {
            let start: String = text.chars().take(20).collect();
            format!("`{start}` is not a move; write `7H o7`, `2C x2`, `KD -` or `knock`")
        };
        let (card, place) = match (text.split_once(' '), text) {
            (Some((card, place)), _) => (card.parse()?, place),
            (None, "knock") => return Ok(Move::Knock),
            (None, "end") => return Ok(Move::End),
            (None, _) => return Err(usual()),
        };
        let (side, digit) = match *place.as_bytes() {
            [b'-'] => return Ok(Move::Discard(card)),
            [b'o', digit] => (Side::Own, digit),
            [b'x', digit] => (Side::Other, digit),
            _ => return Err(usual()),
        };
        let cell = Cell::ALL.get(usize::from(digit.wrapping_sub(b'1'))).ok_or_else(usual)?;
        Ok(Move::lay(side, card, *cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Move {
        /// Every move that some rules allow.
        pub fn all() -> Vec<Move> {
            let laid = |side| {
                Card::all().flat_map(move |card| Cell::ALL.map(|cell| Move::lay(side, card, cell)))
            };
            let discards = Card::all().map(Move::Discard);
            let others = discards.chain([Move::End, Move::Knock]);
            laid(Side::Own).chain(laid(Side::Other)).chain(others).collect()
        }
    }

    #[test]
    fn every_move_reads_back() {
        for mv in Move::all() {
            assert_eq!(mv.to_string().parse(), Ok(mv));
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
