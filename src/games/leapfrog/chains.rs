//! Whole chains.

use std::fmt;
use std::ops::ControlFlow;

use super::{Cell, Leapfrog, Move, Phase, State};
use crate::game::{Game, Ruled};

/// A whole turn, or what is left of one that has begun: a first capture, or leaps.
#[derive(Clone, Copy, Debug)]
pub struct Chain<'a> {
    /// The first capture, or the leaps and the stop where there is one. Never empty.
    pub moves: &'a [Move],
    /// The hand before.
    pub before: &'a State,
    /// The hand after, the turn ended.
    pub after: &'a State,
}

impl Chain<'_> {
    /// The cell on which the chain starts.
    pub fn start(&self) -> Cell {
        match self.moves[0] {
            Move::Remove(cell) | Move::Leap(cell, _) => cell,
            Move::Stop => self.before.trail.at,
        }
    }

    /// The cell on which it ends.
    pub fn end(&self) -> Cell {
        self.landings().last().unwrap_or_else(|| self.start())
    }

    /// The cells on which its leaps land.
    fn landings(&self) -> impl Iterator<Item = Cell> {
        self.moves.iter().filter_map(|mv| match mv {
            Move::Leap(_, to) => Some(*to),
            _ => None,
        })
    }

    /// The points it brings.
    pub fn points(&self) -> u16 {
        let seat = self.before.seat();
        self.after.points(seat) - self.before.points(seat)
    }
}

/// As in a record: `xe5` or `e5-g5-g7`.
impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.before.phase == Phase::Remove { "x" } else { "" })?;
        write!(f, "{}", self.start())?;
        self.landings().try_for_each(|to| write!(f, "-{to}"))
    }
}

impl Leapfrog {
    /// Visits every first capture or every chain with which the seat to move can end its turn, each
    /// once, shorter chains before those that go on from them. In the middle of a turn these are
    /// its continuations. None when the hand is over.
    ///
    /// There can be very many (their number may grow exponentially with the board), so the visitor
    /// may break off.
    pub fn chains(
        &self,
        state: &State,
        mut visit: impl FnMut(Chain<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.walk(state, state, &mut Vec::new(), &mut visit)
    }

    fn walk(
        &self,
        before: &State,
        here: &State,
        path: &mut Vec<Move>,
        visit: &mut impl FnMut(Chain<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut moves = Vec::new();
        self.moves(here, &mut moves);
        // The stop first: a chain before those that go on from it.
        let stop = moves.pop_if(|mv| *mv == Move::Stop);
        for mv in stop.into_iter().chain(moves) {
            let mut after = *here;
            after.play(self.rules(), mv);
            path.push(mv);
            if after.phase == Phase::Continue {
                self.walk(before, &after, path, visit)?;
            } else {
                visit(Chain { moves: path, before, after: &after })?;
            }
            path.pop();
        }
        ControlFlow::Continue(())
    }
}
