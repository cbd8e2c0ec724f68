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

use schemars::JsonSchema;
use serde::Serialize;

use self::search::{Direct, Hashed, Search, Table};
use self::words::{Grid, Position};
use super::board::cells;
use super::{Board, Cell, Leapfrog, Move, Rules, State};
use crate::error::{Error, Result, ensure};
use crate::game::{Game, Ruled, Seat};

/// A first capture of the first seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct FirstCapture {
    /// The move, `xe5`.
    pub mv: String,
    /// The value of the hand once it is made.
    pub value: i32,
    /// The second seat's best answers; none where it makes no first capture.
    pub replies: Vec<String>,
}

/// The best chains after some first captures.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct FirstMoves {
    /// The first captures.
    pub after: Vec<String>,
    /// The points still to come of the seat that leaps first, less the other's.
    pub value: i32,
    /// All chains that keep this value.
    pub best: Vec<String>,
}

/// A solved board.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
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
/// coloured board must be given. `memory_mb` bounds the table; `progress` is told now and then how
/// many positions were searched so far.
///
/// # Errors
/// Before anything is searched, when the rules have not two seats, the board does not fit them, or
/// the table does not fit in the memory.
pub fn solve(
    rules: &Rules,
    board: Option<&str>,
    memory_mb: u64,
    progress: &mut dyn FnMut(u64),
) -> Result<Solution> {
    let game = Leapfrog::new(rules)?;
    let two = "only games of two seats have an exact value; `seats` must be 2";
    ensure(rules.seats == 2, || Error::input(two))?;
    let cells = u32::from(rules.cells());
    let too_many = |kind, most| {
        Error::input(format!(
            "{kind} boards of more than {most} cells cannot be solved, and this one has {cells}"
        ))
    };
    let coloured = rules.colors().is_some();
    ensure(!coloured || cells <= MOST_COLOURED, || too_many("coloured", MOST_COLOURED))?;
    let entry = if coloured { Hashed::ENTRY } else { Direct::ENTRY };
    let needed_mb = (u128::from(entry) << cells.min(100)).div_ceil(MB.into());
    ensure(needed_mb <= memory_mb.into(), || {
        Error::input(format!(
            "a board of {cells} cells takes {needed_mb} MB to solve; {memory_mb} MB are allowed: \
             give `--memory` more, or a smaller board"
        ))
    })?;
    ensure(cells <= MOST_PLAIN, || too_many("plain", MOST_PLAIN))?;
    let board = match board {
        Some(text) => Board::read(text, rules).map_err(Error::input)?,
        None => {
            let many = "a coloured board has as many values as colourings: give the board";
            ensure(!coloured, || Error::input(many))?;
            game.deal(&mut crate::chance::Seed::new(0).stream()).board
        }
    };
    let grid = Grid::new(game);
    let size = match coloured {
        // Room for more than one position to each set of cells, if there is room.
        true => (Hashed::ENTRY << (cells + 8)).min(memory_mb.saturating_mul(MB)),
        false => Direct::ENTRY << cells,
    };
    // The table itself would end the program where it cannot be had.
    let mut probe = Vec::<u8>::new();
    probe.try_reserve_exact(size as usize).map_err(|_| {
        Error::failed(format!("this machine does not give the table its {} MB", size.div_ceil(MB)))
    })?;
    drop(std::hint::black_box(probe));
    Ok(if coloured {
        Search::<_, 3>::new(&grid, Hashed::new(size), progress).answer(board, size)
    } else {
        Search::<_, 1>::new(&grid, Direct::new(cells), progress).answer(board, size)
    })
}

fn without(board: &Board, cell: Cell) -> (Board, i32) {
    let mut board = *board;
    let worth = board.take(cell);
    (board, worth.into())
}

impl<T: Table, const PLANES: usize> Search<'_, T, PLANES> {
    /// All that is said of a board, with a table of so many bytes.
    fn answer(mut self, board: Board, table: u64) -> Solution {
        let rules = self.grid.game.rules();
        let mut solution = Solution {
            board: board.text(rules),
            table_mb: table.div_ceil(MB),
            ..Solution::default()
        };
        if board.count() == u32::from(rules.cells()) {
            self.first_captures(&board, &mut solution);
        } else {
            let moves = self.first_moves(&board, Vec::new());
            solution.value = moves.value;
            solution.first_moves.push(moves);
        }
        solution.positions = self.visited;
        solution
    }

    /// Every first capture, every answer, and the best chains after the best of them.
    fn first_captures(&mut self, board: &Board, solution: &mut Solution) {
        let rules = self.grid.game.rules();
        let alone = rules.removers() == 1;
        let sign = if rules.first_to_leap.0 == 1 { -1 } else { 1 };
        let notation = |cell: Cell| Move::Remove(cell).to_string();
        // Each first capture with the boards that may come of it.
        let mut cases = Vec::new();
        for cell in cells(&board.removable(rules)) {
            let (after, gain) = without(board, cell);
            let mut replies: Vec<Option<Cell>> = cells(&after.pieces).map(Some).collect();
            if alone || replies.is_empty() {
                replies = vec![None];
            }
            let answer = |reply: Option<Cell>| {
                let (after, loss) = reply.map_or((after, 0), |reply| without(&after, reply));
                (gain - loss + sign * self.value(&after), reply.map(notation), after)
            };
            let mut answers: Vec<_> = replies.into_iter().map(answer).collect();
            let value = answers.iter().map(|answer| answer.0).min().unwrap_or(0);
            answers.retain(|answer| answer.0 == value);
            let replies = answers.iter().filter_map(|answer| answer.1.clone()).collect();
            cases.push((FirstCapture { mv: notation(cell), value, replies }, answers));
        }
        solution.value = cases.iter().map(|(capture, _)| capture.value).max().unwrap_or(0);
        let mut seen = BTreeSet::new();
        for (capture, answers) in &cases {
            if capture.value < solution.value {
                continue;
            }
            solution.best_first_captures.push(capture.mv.clone());
            for (_, reply, after) in answers {
                if seen.insert(Position::<PLANES>::of(self.grid, after).key(self.grid)) {
                    let captures = [Some(&capture.mv), reply.as_ref()].into_iter().flatten();
                    let moves = self.first_moves(after, captures.cloned().collect());
                    solution.first_moves.push(moves);
                }
            }
        }
        solution.first_captures = cases.into_iter().map(|(capture, _)| capture).collect();
    }

    /// The chains that keep the value of a position.
    fn first_moves(&mut self, board: &Board, after: Vec<String>) -> FirstMoves {
        let value = self.value(board);
        let mut best = Vec::new();
        let game = &self.grid.game;
        _ = game.chains(&State::midway(game.rules(), *board, Seat(0)), |chain| {
            let wanted = i32::from(chain.points()) - value;
            // Whether the child is worth just so much, and not more to the other seat.
            if self.within(chain.after.board(), wanted, wanted + 1) <= wanted {
                best.push(chain.to_string());
            }
            ControlFlow::Continue(())
        });
        FirstMoves { after, value, best }
    }
}

#[cfg(test)]
mod tests;
