//! Whole turns: first captures and chains of leaps.

use std::fmt;
use std::ops::ControlFlow;

use super::{Cell, Leapfrog, Move, Phase, State};
use parlour_game::{Game, Ruled};

/// A whole turn or the rest of one: a first capture or leaps.
#[derive(Clone, Copy, Debug)]
pub struct Chain<'a> {
    /// The first capture, or the leaps and possibly a stop. Never empty.
    pub moves: &'a [Move],
    /// The hand before the turn.
    pub before: &'a State,
    /// The hand after the turn.
    pub after: &'a State,
}

impl Chain<'_> {
    /// The cell where the chain starts.
    pub fn start(&self) -> Cell {
        match self.moves[0] {
            Move::Remove(cell) | Move::Leap(cell, _) => cell,
            Move::Stop => self.before.chain.at,
        }
    }

    /// The cell where the chain ends.
    pub fn end(&self) -> Cell {
        self.landings().last().unwrap_or_else(|| self.start())
    }

    /// The landing cells.
    fn landings(&self) -> impl Iterator<Item = Cell> {
        self.moves.iter().filter_map(|mv| match mv {
            Move::Leap(_, to) => Some(*to),
            _ => None,
        })
    }

    /// The points of the chain.
    pub fn points(&self) -> u16 {
        let seat = self.before.seat();
        self.after.points(seat) - self.before.points(seat)
    }
}

/// Writes the turn as in a record: `xe5` or `e5-g5-g7`.
impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.before.phase == Phase::Remove { "x" } else { "" })?;
        write!(f, "{}", self.start())?;
        self.landings().try_for_each(|to| write!(f, "-{to}"))
    }
}

impl Leapfrog {
    /// Visits every first capture or chain with which the seat to move can end its turn.
    ///
    /// Each is visited once, a chain before its extensions. In the middle of a turn these are the
    /// continuations; after the hand there are none. The number of chains may grow exponentially with
    /// the board, so the visitor may stop early.
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
        self.legal_moves(here, &mut moves);
        // The stop comes first: a chain before its extensions.
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
