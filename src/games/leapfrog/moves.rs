//! One choice of a seat.

use std::fmt;
use std::str::FromStr;

use super::board::{Cell, WAYS};
use super::rules::SIDE;

/// A move as it is stored: kind, cell and way in one number, which also orders the moves: first
/// captures by cell, leaps by cell and way, then the stop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

const REMOVE: u16 = 0;
const LEAP: u16 = 1 << 13;
const STOP: u16 = 2 << 13;

impl Move {
    /// The end of a chain that could go on.
    pub const STOP: Move = Move(STOP);

    /// A first capture.
    #[inline]
    pub const fn remove(cell: Cell) -> Move {
        Move(REMOVE | cell.0 << 3)
    }

    /// A leap from a cell, one of the eight ways.
    #[inline]
    pub(super) const fn leap(from: Cell, way: usize) -> Move {
        Move(LEAP | from.0 << 3 | way as u16 & 7)
    }

    /// The leap between two cells, if they are two steps apart in a row, a column or a diagonal.
    pub fn between(from: Cell, to: Cell) -> Option<Move> {
        let apart = |a: usize, b: usize| b as isize - a as isize;
        let (down, right) = (apart(from.row(), to.row()), apart(from.col(), to.col()));
        let way = WAYS.iter().position(|&(d, r)| (2 * d, 2 * r) == (down, right))?;
        Some(Move::leap(from, way))
    }

    #[inline]
    pub(super) const fn is_remove(self) -> bool {
        self.0 < LEAP
    }

    /// Whether this is a leap.
    #[inline]
    pub const fn is_leap(self) -> bool {
        self.0 >= LEAP && self.0 < STOP
    }

    /// The cell of a first capture, or the one that a leap starts from.
    #[inline]
    pub const fn cell(self) -> Cell {
        Cell(self.0 >> 3 & 0x3FF)
    }

    /// Which of the eight ways a leap goes.
    #[inline]
    pub(super) const fn way(self) -> usize {
        (self.0 & 7) as usize
    }

    /// The cell some steps along the way of a leap; the leap must lie on the board.
    #[inline]
    fn along(self, steps: isize) -> Cell {
        let to = |from: usize, by: isize| {
            (from as isize + by * steps).clamp(0, SIDE as isize - 1) as usize
        };
        let (down, right) = WAYS[self.way()];
        Cell::new(to(self.cell().row(), down), to(self.cell().col(), right))
    }

    /// The cell that a leap passes over.
    #[inline]
    pub fn over(self) -> Cell {
        self.along(1)
    }

    /// The cell that a leap lands on.
    #[inline]
    pub fn landing(self) -> Cell {
        self.along(2)
    }

}

/// `xe5`, `e5-g5` or `stop`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_leap() {
            write!(f, "{}-{}", self.cell(), self.landing())
        } else if self.is_remove() {
            write!(f, "x{}", self.cell())
        } else {
            f.write_str("stop")
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = String;

    fn from_str(text: &str) -> Result<Move, String> {
        if text == "stop" {
            return Ok(Move::STOP);
        }
        if let Some(cell) = text.strip_prefix('x') {
            return Ok(Move::remove(cell.parse()?));
        }
        let Some((from, to)) = text.split_once('-') else {
            return Err(format!("`{text}` is not a move: write `xe5`, `e5-g5` or `stop`"));
        };
        let (from, to) = (from.parse()?, to.parse()?);
        Move::between(from, to).ok_or_else(|| format!("{from} and {to} are not a leap apart"))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::games::leapfrog::Rules;

    /// Every move that could be legal on some board.
    pub fn all() -> Vec<Move> {
        let largest = &Rules { diagonal: true, ..Rules::plain(18, 18) };
        let leaps = |from| {
            let ways = (0..8).filter(move |&way| largest.leap(from, way).is_some());
            ways.map(move |way| Move::leap(from, way))
        };
        let removals = largest.each_cell().map(Move::remove);
        removals.chain(largest.each_cell().flat_map(leaps)).chain([Move::STOP]).collect()
    }

    #[test]
    fn moves_are_read_as_they_are_written() {
        let all = all();
        assert_eq!(all.len(), 324 + 4 * 18 * 16 + 4 * 16 * 16 + 1);
        assert!(all.is_sorted_by(|a, b| a < b));
        for mv in all {
            assert_eq!(mv.to_string().parse(), Ok(mv));
        }
        for text in ["", "e5", "xe", "e5-e5", "e5-f5", "e5-g6", "e5-", "e5-g5-g7", "Stop"] {
            assert!(text.parse::<Move>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_leap_knows_its_cells() {
        let mv: Move = "e5-g7".parse().unwrap();
        assert_eq!((mv.cell().to_string(), mv.over().to_string()), ("e5".into(), "f6".into()));
        assert_eq!(size_of::<Move>(), 2);
    }
}
