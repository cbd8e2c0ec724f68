//! Moves: first captures, leaps and stops.

use std::fmt;
use std::str::FromStr;

use super::board::Cell;
use super::rules::{FirstToLeap, Rules, SEATS};
use parlour_game::Seat;

/// A move. The order is first captures by cell, then leaps by start and landing cell, then the stop,
/// then the choices of the first to leap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// A first capture, which removes the piece on this cell.
    Remove(Cell),
    /// A leap from the first cell to the second, two steps away.
    Leap(Cell, Cell),
    /// The end of a chain that could continue.
    Stop,
    /// The choice of the seat that leaps first.
    First(Seat),
}

impl Move {
    /// The choices of the seat that leaps first; none if nobody chooses.
    pub(super) fn firsts(rules: &Rules) -> impl ExactSizeIterator<Item = Move> + use<> {
        let is_chosen = rules.first_to_leap == FirstToLeap::LastChooses;
        let seats = if is_chosen { rules.seats } else { 0 };
        (0..seats).map(|seat| Move::First(Seat(seat)))
    }
}

/// Writes `xe5`, `e5-g5`, `stop` or `first 1`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Remove(cell) => write!(f, "x{cell}"),
            Move::Leap(from, to) => write!(f, "{from}-{to}"),
            Move::Stop => f.write_str("stop"),
            Move::First(seat) => write!(f, "first {}", seat.0),
        }
    }
}

/// The behaviour signature is made of this text.
impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = String;

    fn from_str(text: &str) -> Result<Move, String> {
        if text == "stop" {
            return Ok(Move::Stop);
        }
        if let Some(cell) = text.strip_prefix('x') {
            return Ok(Move::Remove(cell.parse()?));
        }
        if let Some(number) = text.strip_prefix("first ") {
            let seat = (0..SEATS as u8).find(|seat| seat.to_string() == number);
            let seat = seat.ok_or_else(|| format!("`{number}` is not a seat; write 0 to 3"))?;
            return Ok(Move::First(Seat(seat)));
        }
        let Some((from, to)) = text.split_once('-') else {
            return Err(format!(
                "`{text}` is not a move; write `xe5`, `e5-g5`, `stop` or `first 1`"
            ));
        };
        let (from, to) = (from.parse::<Cell>()?, to.parse()?);
        from.way_to(to).map(|_| Move::Leap(from, to))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::Rules;

    /// All moves that are legal on some board.
    pub fn all() -> Vec<Move> {
        let largest = &Rules { diagonal: true, ..Rules::plain(18, 18) };
        let leaps = |from| {
            let landings = (0..8).filter_map(move |way| largest.leap(from, way));
            landings.map(move |(_, to)| Move::Leap(from, to))
        };
        let removals = largest.each_cell().map(Move::Remove);
        let leaps = largest.each_cell().flat_map(leaps);
        let firsts = (0..SEATS as u8).map(|seat| Move::First(Seat(seat)));
        let mut all: Vec<Move> = removals.chain(leaps).chain([Move::Stop]).chain(firsts).collect();
        all.sort();
        all
    }

    #[test]
    fn moves_round_trip_as_text() {
        let all = all();
        assert_eq!(all.len(), 324 + 4 * 18 * 16 + 4 * 16 * 16 + 1 + 4);
        assert!(all.is_sorted_by(|a, b| a < b));
        for mv in all {
            assert_eq!(mv.to_string().parse(), Ok(mv));
        }
        for text in [
            "", "e5", "xe", "e5-e5", "e5-f5", "e5-g6", "e5-", "e5-g5-g7", "Stop", "first 4",
            "first 01",
        ] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_leap_knows_its_cells() {
        let (from, to): (Cell, Cell) = ("e5".parse().unwrap(), "g7".parse().unwrap());
        assert_eq!("e5-g7".parse(), Ok(Move::Leap(from, to)));
        assert_eq!(from.midway(to).to_string(), "f6");
        assert_eq!(from.landing(from.way_to(to).unwrap()), to);
        assert!(size_of::<Move>() <= 8);
    }
}
