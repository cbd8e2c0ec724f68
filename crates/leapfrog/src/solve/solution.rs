//! The complete solution of a board, from the values of its positions.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use schemars::JsonSchema;
use serde::Serialize;

use super::bounds_table::Bounds;
use super::opening::{Case, Opening};
use super::position::Position;
use super::solver::{Progress, Solver};
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

impl OneRowSolution {
    pub(super) fn of<P: Position>(solver: &Solver, opening: &Opening<P>) -> OneRowSolution {
        OneRowSolution {
            cells: solver.grid.rules.rows,
            value: opening.value().into(),
            first_captures: opening.least().map(i32::from).collect(),
            positions: solver.positions(),
            table_mb: solver.megabytes(),
        }
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
        _ = game.chains(&State::midway(game.rules(), rest, Seat(0)), |chain| {
            chains.push((number, chain.to_string()));
            // The chain is best if the rest is not worth more to the other seat than needed.
            let left = chain.points() as i16 - case.future;
            let position = P::of(&solver.grid, &chain.after.board);
            questions.push((position, Bounds { low: left, high: left + 1 }));
            ControlFlow::Continue(())
        });
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
