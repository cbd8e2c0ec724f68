//! Exact values of small boards.
//!
//! Two seats. The value is the points of the first seat less those of the second with best play.
//! Plain boards are searched with a table that has two bytes for every set of cells, so nothing is
//! searched twice; coloured ones, where a piece takes its colour along and there are far more
//! positions, with a table of fixed size.

mod search;
mod words;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use serde::Serialize;

use self::search::{Direct, Hashed, Search, Table};
use self::words::{Coloured, Grid, Plain, Position};
use super::{Board, Cell, FirstCaptures, Leapfrog, Rules, State};
use crate::game::{Ruled, Seat};

/// How far a solve has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Positions searched so far.
    pub positions: u64,
}

/// Why a board is not solved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The rules or the board do not do.
    #[error("{0}")]
    Input(String),
    /// It takes more memory than allowed.
    #[error("a board of {cells} cells takes {needed_mb} MB to solve; {allowed_mb} MB are allowed")]
    Memory {
        /// How many cells the board has.
        cells: u32,
        /// Megabytes (2^20 bytes) it takes.
        needed_mb: u128,
        /// Megabytes allowed.
        allowed_mb: u64,
    },
}

/// A first capture of the first seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FirstCapture {
    /// The move, `xe5`.
    pub mv: String,
    /// The value of the hand once it is made.
    pub value: i32,
    /// The second seat's best answers; none where it makes no first capture.
    pub replies: Vec<String>,
}

/// The best chains after some first captures.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FirstMoves {
    /// The first captures.
    pub after: Vec<String>,
    /// The points still to come of the seat that leaps first, less the other's.
    pub value: i32,
    /// All chains that keep this value.
    pub best: Vec<String>,
}

/// A solved board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Solution {
    /// The board, as in a record, `.` for an empty cell.
    pub board: String,
    /// Points of the first seat less those of the second, with best play. For a board with an
    /// empty cell: of the seat to leap less the other's, from here on.
    pub value: i32,
    /// All first captures with their values; none for a board with an empty cell.
    pub first_captures: Vec<FirstCapture>,
    /// The best first captures: those with the value of the board.
    pub best_first_captures: Vec<String>,
    /// The best chains after best first captures and replies, one case of those that are
    /// symmetric to one another.
    pub first_moves: Vec<FirstMoves>,
    /// Positions searched.
    pub positions: u64,
    /// The size of the table in megabytes.
    pub table_mb: u64,
}

const MB: u64 = 1 << 20;

/// More cells of plain pieces do not fit in a word.
const MOST_PLAIN: u32 = 31;

/// More cells of coloured pieces do not fit in a key of 64 bits.
const MOST_COLOURED: u32 = 21;

/// Solves a board of these rules: the full one, or the position given, rows joined by `/`. A
/// coloured board must be given. `memory_mb` bounds the table.
///
/// # Errors
/// Before anything is searched, when the rules have not two seats, the board does not fit them, or
/// the table does not fit in the memory.
pub fn solve(
    rules: &Rules,
    board: Option<&str>,
    memory_mb: u64,
    progress: &mut dyn FnMut(Progress),
) -> Result<Solution, Refusal> {
    Leapfrog::new(rules).map_err(|faults| Refusal::Input(faults.to_string()))?;
    let refuse = |what: &str| Err(Refusal::Input(what.to_owned()));
    if rules.seats != 2 {
        return refuse("only games of two seats have an exact value; `seats` must be 2");
    }
    let coloured = rules.colors().is_some();
    let cells = u32::from(rules.cells());
    let bytes = if coloured {
        if cells > MOST_COLOURED {
            return refuse(&format!(
                "coloured boards of more than {MOST_COLOURED} cells cannot be solved, and this \
                 one has {cells}"
            ));
        }
        u128::from(Hashed::ENTRY) << cells
    } else {
        2 << cells.min(100)
    };
    let needed_mb = bytes.div_ceil(u128::from(MB));
    if needed_mb > u128::from(memory_mb) {
        return Err(Refusal::Memory { cells, needed_mb, allowed_mb: memory_mb });
    }
    if cells > MOST_PLAIN {
        return refuse(&format!(
            "plain boards of more than {MOST_PLAIN} cells cannot be solved, and this one has \
             {cells}"
        ));
    }
    let board = match board {
        Some(text) => Board::read(text, rules).map_err(Refusal::Input)?,
        None if coloured => {
            return refuse("a coloured board has as many values as colourings: give the board");
        }
        None => State::dealt(rules, &mut crate::chance::Seed::new(0).stream()).board,
    };
    let grid = Grid::new(rules);
    if coloured {
        // Room for more than one position to each set of cells, if there is room.
        let size = (Hashed::ENTRY << (cells + 8)).min(memory_mb.saturating_mul(MB));
        let search = Search::<Coloured, _>::new(&grid, Hashed::new(size), progress);
        Ok(answer(&grid, search, board, size.div_ceil(MB)))
    } else {
        let search = Search::<Plain, _>::new(&grid, Direct::new(cells), progress);
        Ok(answer(&grid, search, board, Direct::bytes(cells).div_ceil(MB)))
    }
}

/// The exact value of a position after the first captures: points of the seat to leap less the
/// other's, from here on.
///
/// # Errors
/// As [`solve`].
pub fn value(rules: &Rules, board: &str, memory_mb: u64) -> Result<i32, Refusal> {
    solve(rules, Some(board), memory_mb, &mut |_| {}).map(|solution| solution.value)
}

fn answer<P: Position, T: Table>(
    grid: &Grid,
    mut search: Search<'_, P, T>,
    board: Board,
    table_mb: u64,
) -> Solution {
    let mut solution = Solution {
        board: board.text(&grid.rules),
        value: 0,
        first_captures: Vec::new(),
        best_first_captures: Vec::new(),
        first_moves: Vec::new(),
        positions: 0,
        table_mb,
    };
    if board.count() == u32::from(grid.rules.cells()) {
        first_captures(grid, &mut search, board, &mut solution);
    } else {
        solution.value = search.value(P::of(grid, &board)).into();
        let moves = first_moves(grid, &mut search, &board, Vec::new());
        solution.first_moves.push(moves);
    }
    solution.positions = search.visited;
    solution
}

fn without(board: &Board, cell: Cell) -> (Board, i32) {
    let mut board = *board;
    let worth = board.take(cell);
    (board, worth.into())
}

/// Every first capture, every answer, and the best chains after the best of them.
fn first_captures<P: Position, T: Table>(
    grid: &Grid,
    search: &mut Search<'_, P, T>,
    board: Board,
    solution: &mut Solution,
) {
    let rules = &grid.rules;
    let green = rules.first_captures == FirstCaptures::FirstSeatGreen;
    let sign = if rules.second_seat_starts { -1 } else { 1 };
    let mut value_of = |board: &Board| sign * i32::from(search.value(P::of(grid, board)));
    // For each first capture the boards that may come of it: cells, board.
    let mut cases: Vec<Vec<(Option<Cell>, Board)>> = Vec::new();
    for cell in rules.shape().cells().filter(|&cell| !green || board.worth(cell) == 4) {
        let (after, gain) = without(&board, cell);
        let mut answers: Vec<(i32, Option<Cell>, Board)> = Vec::new();
        if green || after.count() == 0 {
            answers.push((gain + value_of(&after), None, after));
        } else {
            for reply in rules.shape().cells().filter(|&reply| after.has(reply)) {
                let (after, loss) = without(&after, reply);
                answers.push((gain - loss + value_of(&after), Some(reply), after));
            }
        }
        let value = answers.iter().map(|answer| answer.0).min().unwrap_or(0);
        answers.retain(|answer| answer.0 == value);
        let replies = answers.iter().filter_map(|answer| answer.1).map(|cell| format!("x{cell}"));
        let replies = replies.collect();
        solution.first_captures.push(FirstCapture { mv: format!("x{cell}"), value, replies });
        cases.push(answers.into_iter().map(|(_, reply, after)| (reply, after)).collect());
    }
    let best = solution.first_captures.iter().map(|capture| capture.value).max().unwrap_or(0);
    solution.value = best;
    let mut seen = BTreeSet::new();
    for (capture, answers) in solution.first_captures.iter().zip(&cases) {
        if capture.value < best {
            continue;
        }
        solution.best_first_captures.push(capture.mv.clone());
        for (reply, after) in answers {
            if seen.insert(P::of(grid, after).key(grid)) {
                let reply = reply.map(|cell| format!("x{cell}"));
                let captures = [Some(capture.mv.clone()), reply].into_iter().flatten().collect();
                solution.first_moves.push(first_moves(grid, search, after, captures));
            }
        }
    }
}

/// The chains that keep the value of a position.
fn first_moves<P: Position, T: Table>(
    grid: &Grid,
    search: &mut Search<'_, P, T>,
    board: &Board,
    after: Vec<String>,
) -> FirstMoves {
    let value = i32::from(search.value(P::of(grid, board)));
    let mut best = Vec::new();
    let state = State::midway(&grid.rules, *board, Seat(0));
    if let Ok(game) = Leapfrog::new(&grid.rules) {
        _ = game.chains(&state, |chain| {
            let wanted = i32::from(chain.points()) - value;
            let child = P::of(grid, chain.after.board());
            // Whether the child is worth just so much, and not more to the other seat.
            if i32::from(search.within(child, wanted as i16, wanted as i16 + 1)) <= wanted {
                best.push(chain.to_string());
            }
            ControlFlow::Continue(())
        });
    }
    FirstMoves { after, value, best }
}

#[cfg(test)]
mod tests;
