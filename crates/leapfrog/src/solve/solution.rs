//! The solution of a board: its first captures, the values after them, and the best chains.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::Serialize;

use super::bounds_table::Bounds;
use super::position::{Grid, Position};
use super::solver::{Progress, Solver};
use crate::board::bits;
use crate::{Board, Cell, Leapfrog, Move, State};
use parlour_game::{Ruled, Seat};

/// A first capture of the first seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct FirstCapture {
    /// The move, for example `xe5`.
    pub mv: String,
    /// The value of the hand after it.
    pub value: i32,
    /// The second seat's best replies; empty if it makes no first capture.
    pub replies: Vec<String>,
}

/// The best chains after some first captures.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct FirstMoves {
    /// The first captures.
    pub after: Vec<String>,
    /// The future points of the seat that leaps first minus the other's.
    pub value: i32,
    /// All chains that keep this value.
    pub best: Vec<String>,
}

/// A solved board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Solution {
    /// The board, as in a record, with `.` for an empty cell.
    pub board: String,
    /// Points of the first seat minus those of the second, with best play. On a board with an empty
    /// cell: future points of the seat to leap minus the other's.
    pub value: i32,
    /// All first captures with their values; empty on a board with an empty cell.
    pub first_captures: Vec<FirstCapture>,
    /// The first captures that keep the value of the board.
    pub best_first_captures: Vec<String>,
    /// The best chains after the best first captures and replies; symmetric cases are listed once.
    pub first_moves: Vec<FirstMoves>,
    /// Positions searched; only for one thread, because the number depends on timing otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// The size of the table in megabytes.
    pub table_mb: u64,
}

/// A solved board of one row: plain pieces, optional chains, the first seat leaps first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct OneRowSolution {
    /// Number of cells.
    pub cells: u8,
    /// Points of the first seat minus those of the second, with best play.
    pub value: i32,
    /// The value after each first capture, from the left.
    pub first_captures: Vec<i32>,
    /// Positions searched; only for one thread, because the number depends on timing otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// The size of the table in megabytes.
    pub table_mb: u64,
}

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

impl<P> Case<P> {
    fn new(captures: Vec<Cell>, gain: i16, position: P) -> Case<P> {
        Case { captures, gain, position, future: 0, value: 0 }
    }
}

/// The cases by first capture. A position without first captures is a single case.
pub(super) struct Opening<P> {
    pub cases: Vec<Vec<Case<P>>>,
    /// The signs of the seats that may be chosen to leap first.
    pub signs: &'static [i16],
    /// The seat that chooses, as a sign.
    pub chooser: i16,
}

impl<P: Position> Opening<P> {
    /// The cases of a full board, of which the pieces on these cells may be captured first.
    pub fn of_hand(grid: &Grid, full: &P, removable: u64) -> Opening<P> {
        let rules = &grid.rules;
        let without = |position: &P, cell: usize| {
            let rest = position.keep(grid, position.pieces() & !(1 << cell));
            (rest, position.points() - rest.points())
        };
        let of_first = |first: usize| -> Vec<Case<P>> {
            let (rest, gain) = without(full, first);
            let first = rules.cell_at(first);
            if rules.removers() == 1 || rest.pieces() == 0 {
                return vec![Case::new(vec![first], gain, rest)];
            }
            let reply = |reply: usize| {
                let (position, loss) = without(&rest, reply);
                Case::new(vec![first, rules.cell_at(reply)], gain - loss, position)
            };
            bits(rest.pieces()).map(reply).collect()
        };
        let cases = bits(full.pieces() & removable).map(of_first).collect();
        let chooser = if rules.removers() == 1 { 1 } else { -1 };
        Opening { cases, signs: rules.first_to_leap.signs(), chooser }
    }

    /// The single case of a position.
    pub fn of_position(position: P) -> Opening<P> {
        let cases = vec![vec![Case::new(Vec::new(), 0, position)]];
        Opening { cases, signs: &[1], chooser: 1 }
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
            let worths = self.signs.iter().map(|sign| self.chooser * sign * case.future);
            case.value = case.gain + self.chooser * worths.max().unwrap_or(0);
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

impl Solution {
    /// Creates the solution of a board from its solved opening. Searches the best chains.
    pub(super) fn of<P: Position>(
        solver: &Solver,
        game: &Leapfrog,
        board: &Board,
        opening: &Opening<P>,
        progress: &mut dyn FnMut(Progress),
    ) -> Solution {
        let (mut first_captures, mut best_first_captures) = (Vec::new(), Vec::new());
        let (mut best_cases, mut seen) = (Vec::new(), BTreeSet::new());
        for (value, cases) in opening.least().zip(&opening.cases) {
            let replies: Vec<&Case<P>> = cases.iter().filter(|case| case.value == value).collect();
            if let Some(&first) = cases[0].captures.first() {
                let reply = |case: &&Case<P>| case.captures.get(1).map(removal);
                let (mv, replies) = (removal(&first), replies.iter().filter_map(reply).collect());
                if value == opening.value() {
                    best_first_captures.push(mv.clone());
                }
                first_captures.push(FirstCapture { mv, value: value.into(), replies });
            }
            if value == opening.value() {
                best_cases.extend(replies.into_iter().filter(|c| seen.insert(c.position.key())));
            }
        }
        Solution {
            board: board.text(game.rules()),
            value: opening.value().into(),
            first_captures,
            best_first_captures,
            first_moves: first_moves(solver, game, board, &best_cases, progress),
            positions: solver.positions(),
            table_mb: solver.megabytes(),
        }
    }
}

fn removal(cell: &Cell) -> String {
    Move::Remove(*cell).to_string()
}

/// Finds the chains that keep the values of cases.
fn first_moves<P: Position>(
    solver: &Solver,
    game: &Leapfrog,
    board: &Board,
    cases: &[&Case<P>],
    progress: &mut dyn FnMut(Progress),
) -> Vec<FirstMoves> {
    let (mut moves, mut chains, mut questions) = (Vec::new(), Vec::new(), Vec::new());
    for (number, case) in cases.iter().enumerate() {
        let mut rest = *board;
        case.captures.iter().for_each(|&cell| _ = rest.take(cell));
        for chain in game.chains(&State::midway(game.rules(), rest, Seat(0))) {
            chains.push((number, chain.to_string()));
            // The chain is best if the rest is not worth more to the other seat than needed.
            let left = chain.points() as i16 - case.future;
            let position = P::of(&solver.grid, &chain.after.board);
            questions.push((position, Bounds::above(left)));
        }
        let after = case.captures.iter().map(removal).collect();
        moves.push(FirstMoves { after, value: case.future.into(), best: Vec::new() });
    }
    let answers = solver.answers(&questions, progress);
    for (((number, chain), (_, needed)), answer) in chains.into_iter().zip(&questions).zip(answers)
    {
        if answer == needed.low {
            moves[number].best.push(chain);
        }
    }
    moves
}
