//! Whole turns: first captures and chains of leaps.

use std::fmt;

use super::{Cell, Leapfrog, Move, Phase, State};
use parlour_game::{Game, Ruled};

/// A whole turn or the rest of one: a first capture or leaps.
#[derive(Clone, Debug)]
pub struct Chain<'a> {
    /// The first capture, or the leaps and possibly a stop. Never empty.
    pub moves: Vec<Move>,
    /// The hand before the turn.
    pub before: &'a State,
    /// The hand after the turn.
    pub after: State,
}

impl Chain<'_> {
    /// The cell where the chain starts.
    pub fn start(&self) -> Cell {
        match self.moves[0] {
            Move::Remove(cell) | Move::Leap(cell, _) => cell,
            Move::Stop => self.before.chain.at,
        }
    }

    /// The points of the chain.
    pub fn points(&self) -> i32 {
        let points = |state: &State| i32::from(state.points[self.before.seat.index()]);
        points(&self.after) - points(self.before)
    }
}

/// Writes the turn as in a record: `xe5` or `e5-g5-g7`.
impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.before.phase == Phase::Remove { "x" } else { "" })?;
        write!(f, "{}", self.start())?;
        self.moves.iter().try_for_each(|mv| match mv {
            Move::Leap(_, to) => write!(f, "-{to}"),
            _ => Ok(()),
        })
    }
}

impl Leapfrog {
    /// Every first capture or chain with which the seat to move can end its turn.
    ///
    /// Each comes once, a chain before its extensions. In the middle of a turn these are the
    /// continuations; after the hand there are none. The number of chains may grow exponentially with
    /// the board, so take a limited number.
    pub fn chains<'a>(&'a self, before: &'a State) -> impl Iterator<Item = Chain<'a>> {
        // Beginnings of chains, the next one last.
        let mut open = vec![(Vec::new(), *before)];
        std::iter::from_fn(move || {
            loop {
                let (moves, state) = open.pop()?;
                if !moves.is_empty() && state.phase != Phase::Continue {
                    return Some(Chain { moves, before, after: state });
                }
                let mut legal = Vec::new();
                self.legal_moves(&state, &mut legal);
                // The stop comes first: a chain before its extensions.
                let stop = legal.pop_if(|mv| *mv == Move::Stop);
                for mv in legal.into_iter().rev().chain(stop) {
                    let mut after = state;
                    after.play(self.rules(), mv);
                    open.push(([&moves[..], &[mv]].concat(), after));
                }
            }
        })
    }
}
