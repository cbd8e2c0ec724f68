//! Seats, turns and scores.

use arrayvec::ArrayVec;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The maximum number of seats of a game.
pub const MAX_SEATS: usize = 8;

/// A seat at the table, from 0.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The seat as an index into two sides.
    #[inline]
    pub const fn side(self) -> usize {
        self.0 as usize & 1
    }

    /// The other one of two seats.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Seat {
        Seat(self.0 & 1 ^ 1)
    }
}

/// The seat to move, or the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// This seat chooses.
    Seat(Seat),
    /// The hand is over.
    Over,
}

impl Turn {
    /// Returns the seat to move; `None` if the hand is over.
    #[inline]
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Turn::Seat(seat) => Some(seat),
            Turn::Over => None,
        }
    }
}

/// Points by seat.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scores(pub ArrayVec<i32, MAX_SEATS>);

impl Scores {
    /// The points of two seats.
    #[inline]
    pub fn two(first: i32, second: i32) -> Scores {
        Scores([first, second].into_iter().collect())
    }

    /// The only seat with the most points.
    #[inline]
    pub fn winner(&self) -> Option<Seat> {
        let top = self.0.iter().max()?;
        let mut best = (0u8..).zip(&self.0).filter(|(_, points)| *points == top);
        let (seat, _) = best.next()?;
        best.next().is_none().then_some(Seat(seat))
    }

    /// Adds the points of another hand, seat by seat.
    pub fn add(&mut self, other: &Scores) {
        for (sum, points) in self.0.iter_mut().zip(&other.0) {
            *sum += points;
        }
    }

    /// Returns the points of a seat less those of the best other seat.
    #[inline]
    pub fn margin(&self, seat: Seat) -> i32 {
        let own = self.0.get(seat.index()).copied().unwrap_or(0);
        let others = (0u8..).zip(&self.0).filter(|(other, _)| *other != seat.0);
        own - others.map(|(_, points)| *points).max().unwrap_or(own)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_winner_is_the_only_top_seat() {
        let scores = |points: &[i32]| Scores(points.iter().copied().collect());
        assert_eq!(scores(&[3, 5, 4]).winner(), Some(Seat(1)));
        assert_eq!(scores(&[5, 5, 4]).winner(), None);
        assert_eq!(scores(&[-1, -2]).winner(), Some(Seat(0)));
    }
}
