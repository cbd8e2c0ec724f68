//! Whole chains.

use std::fmt;
use std::ops::ControlFlow;

use super::board::{Cell, Rows, flip};
use super::{Leapfrog, Move, Phase, State, replay};
use crate::game::Ruled;

/// A whole turn of leaps, or what is left of one that has begun.
#[derive(Clone, Copy, Debug)]
pub struct Chain<'a> {
    /// The leaps, and the stop where there is one. Never empty.
    pub moves: &'a [Move],
    /// The hand before.
    pub before: &'a State,
    /// The hand after, the turn ended.
    pub after: &'a State,
}

impl Chain<'_> {
    /// The cell on which the chain starts.
    pub fn start(&self) -> Cell {
        self.before.leaper().unwrap_or(self.moves[0].cell())
    }

    /// The cell on which it ends.
    pub fn end(&self) -> Cell {
        let last = self.moves.iter().rfind(|mv| mv.is_leap());
        last.map_or_else(|| self.start(), |leap| leap.landing())
    }

    /// What it captures.
    pub fn captured(&self) -> Rows {
        let (before, after) = (self.before.board().pieces(), self.after.board().pieces());
        let mut captured: Rows = std::array::from_fn(|r| before[r] & !after[r]);
        if self.end() != self.start() {
            flip(&mut captured, self.start());
        }
        captured
    }

    /// The points it brings.
    pub fn points(&self) -> u16 {
        let seat = self.before.seat();
        self.after.points(seat) - self.before.points(seat)
    }
}

/// As in a record: `e5-g5-g7`.
impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.start())?;
        self.moves
            .iter()
            .filter(|mv| mv.is_leap())
            .try_for_each(|leap| write!(f, "-{}", leap.landing()))
    }
}

impl Leapfrog {
    /// Visits every chain with which the seat to move can end its turn, each once, shorter ones
    /// before those that go on from them. In the middle of a turn these are its continuations.
    /// None before the first leap, none when the hand is over.
    ///
    /// There can be very many (their number may grow exponentially with the board), so the visitor
    /// may break off.
    pub fn chains(
        &self,
        state: &State,
        mut visit: impl FnMut(Chain<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if !matches!(state.phase, Phase::Leap | Phase::Continue) {
            return ControlFlow::Continue(());
        }
        let mut path = Vec::new();
        self.walk(state, state, &mut path, &mut visit)
    }

    /// The moves that spell a turn given as in a record: `xe5`, or a chain by whatever path,
    /// `e5-g5-g7`. Of the paths of one chain only one is spelled in moves; this finds it.
    ///
    /// # Errors
    /// What is wrong with the turn, a sentence.
    pub fn spell(&self, state: &State, text: &str) -> Result<Vec<Move>, String> {
        let mut after = *state;
        let cells = replay::turn(self.rules(), &mut after, text)?;
        let (start, end) = (cells[0], cells[cells.len() - 1]);
        if state.phase == Phase::Remove {
            return Ok(vec![Move::remove(start)]);
        }
        let mut moves = None;
        _ = self.chains(state, |chain| {
            let same = chain.start() == start && chain.end() == end && *chain.after == after;
            if same {
                moves = Some(chain.moves.to_vec());
            }
            if same { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        moves.ok_or_else(|| format!("`{text}` is not the rest of the chain that has begun"))
    }

    fn walk<V: FnMut(Chain<'_>) -> ControlFlow<()>>(
        &self,
        before: &State,
        here: &State,
        path: &mut Vec<Move>,
        visit: &mut V,
    ) -> ControlFlow<()> {
        let mut moves = Vec::new();
        here.list(self.rules(), &mut moves);
        // The stop first: a chain before those that go on from it.
        let stop = moves.pop_if(|mv| *mv == Move::STOP);
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
