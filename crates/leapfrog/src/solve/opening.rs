//! The first captures of a hand and the values of the positions after them.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use super::bounds_table::Bounds;
use super::grid::Grid;
use super::position::{Position, bits};
use super::solver::{Progress, Solver};
use crate::Cell;

/// A position after first captures.
pub(super) struct Case<P> {
    /// The cells of the captures.
    pub captures: Vec<Cell>,
    /// Points of the first seat from the captures minus the second's.
    pub gain: i16,
    pub position: P,
    /// Future points of the seat to leap minus the other's.
    pub future: i16,
    /// Points of the first seat minus the second's; without captures, the same as `future`.
    pub value: i16,
}

/// The cases by first capture. A position without first captures is a single case.
pub(super) struct Opening<P> {
    pub cases: Vec<Vec<Case<P>>>,
    /// 1 if the first seat leaps first, otherwise −1.
    pub sign: i16,
}

impl<P: Position> Opening<P> {
    /// The cases of a full board, of which the pieces on these cells may be captured first.
    pub fn of_hand(grid: &Grid, full: &P, removable: u64) -> Opening<P> {
        let rules = &grid.rules;
        let case = |captures: &[usize]| {
            let captured = captures.iter().fold(0, |all, cell| all | 1 << cell);
            let position = full.keep(grid, full.pieces() & !captured);
            let worth = |cell: &usize| {
                full.points() - full.keep(grid, full.pieces() & !(1 << cell)).points()
            };
            let gain = captures.iter().map(worth).reduce(|gain, loss| gain - loss).unwrap_or(0);
            let captures = captures.iter().map(|&cell| rules.cell_at(cell)).collect();
            Case { captures, gain, position, future: 0, value: 0 }
        };
        let of_first = |first: usize| -> Vec<Case<P>> {
            let rest = full.pieces() & !(1 << first);
            if rules.removers() == 1 || rest == 0 {
                return vec![case(&[first])];
            }
            bits(rest).map(|reply| case(&[first, reply])).collect()
        };
        let cases = bits(full.pieces() & removable).map(of_first).collect();
        Opening { cases, sign: if rules.first_to_leap.0 == 1 { -1 } else { 1 } }
    }

    /// The single case of a position.
    pub fn of_position(position: P) -> Opening<P> {
        let case = Case { captures: Vec::new(), gain: 0, position, future: 0, value: 0 };
        Opening { cases: vec![vec![case]], sign: 1 }
    }

    /// Searches the values of all cases. Symmetric positions are searched once.
    pub fn solve(&mut self, solver: &Solver, progress: &mut dyn FnMut(Progress)) {
        let mut values = FxHashMap::default();
        let all = self.cases.iter().flatten().map(|case| case.position);
        let new = all.filter(|position| values.insert(position.key(), 0).is_none());
        let mut questions: Vec<(P, Bounds)> =
            new.map(|position| (position, Bounds::NONE)).collect();
        if solver.grid.rules.cols == 1 {
            // In a column, neighbours in this order share the most positions.
            questions.sort_unstable_by_key(|(position, _)| Reverse(position.key()));
        }
        let answers = solver.answers(&questions, progress);
        values.extend(questions.iter().map(|(position, _)| position.key()).zip(answers));
        for case in self.cases.iter_mut().flatten() {
            case.future = values[&case.position.key()];
            case.value = case.gain + self.sign * case.future;
        }
    }

    /// The value of the best reply to each first capture.
    pub fn least(&self) -> impl Iterator<Item = i16> {
        self.cases.iter().map(|replies| replies.iter().map(|case| case.value).min().unwrap_or(0))
    }

    /// The value of the best first capture; 0 if there is none.
    pub fn value(&self) -> i16 {
        self.least().max().unwrap_or(0)
    }
}
