//! Exact values of small boards.
//!
//! Two seats. The value is the points of the first seat less those of the second with best play.
//! A table with no false hit remembers what is proved (`table`); several threads may write to it,
//! and a long search can be saved and gone on with (`save`).

mod answer;
mod certify;
mod grid;
mod hub;
mod lookup;
mod position;
mod save;
mod search;
mod size;
mod strip;
mod table;
mod work;

use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicU64};

use schemars::JsonSchema;
use serde::Serialize;

use self::answer::Desk;
use self::certify::Opening;
use self::grid::{Grid, Shape};
use self::hub::Hub;
pub use self::lookup::Lookup;
use self::position::{Coloured, Plain, Position};
pub use self::strip::{Strip, solve_strip};
use self::table::Entry;
use super::certificate::Certificate;
use super::{Board, Leapfrog, Rules};
use crate::error::{Error, Result, ensure};
use crate::game::{Game, Ruled};

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
    /// Positions searched; not said of several threads, for it depends on how they fare.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// The size of the table in megabytes.
    pub table_mb: u64,
}

/// What a solution may take.
#[derive(Clone, Copy, Debug)]
pub struct Effort<'a> {
    /// Megabytes of the table; it takes no more than it needs.
    pub memory_mb: u64,
    /// Threads; 0 for one on each core. What is found does not depend on their number.
    pub threads: usize,
    /// A file into which what is proved is written now and then, and from which a search goes on.
    pub save: Option<&'a Path>,
    /// A file into which what proves the value is written.
    pub certificate: Option<&'a Path>,
}

/// Two gigabytes, one thread, nothing saved.
impl Default for Effort<'_> {
    fn default() -> Self {
        Effort { memory_mb: 2048, threads: 1, save: None, certificate: None }
    }
}

impl Effort<'_> {
    fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Positions searched so far.
    pub positions: u64,
    /// Questions answered: first captures and replies, later chains.
    pub answered: usize,
    /// Questions asked.
    pub questions: usize,
    /// The size of the table in megabytes.
    pub table_mb: u64,
}

const MB: u64 = 1 << 20;

/// Solves a board of these rules: the full one, or the position given, rows joined by `/`. A
/// coloured board must be given. `progress` is told five times a second how far the search has come.
///
/// # Errors
/// Bad input, before anything is searched: the rules have not two seats, the board does not fit
/// them, the board is too large or the memory too small for it, or the saved file is of something
/// else. A failure when the file cannot be written.
pub fn solve(
    rules: &Rules,
    board: Option<&str>,
    effort: &Effort,
    progress: &mut dyn FnMut(Progress),
) -> Result<Solution> {
    let game = Leapfrog::new(rules)?;
    let two = "only games of two seats have an exact value; `seats` must be 2";
    ensure(rules.seats == 2, || Error::input(two))?;
    let board = match board {
        Some(text) => Some(Board::read(text, rules).map_err(Error::input)?),
        None => None,
    };
    let shape = Shape::of(rules);
    size::check(shape, board.as_ref().map(Board::count), effort.memory_mb)?;
    let many = "a coloured board has as many values as colourings: give the board";
    ensure(!shape.coloured || board.is_some(), || Error::input(many))?;
    let board = match board {
        Some(board) => board,
        None => game.deal(&mut crate::chance::Seed::new(0).stream()).board,
    };
    if shape.coloured {
        run::<Coloured, AtomicU64>(&game, &board, effort, progress)
    } else if shape.cells() > size::MOST_IN_FOUR_BYTES {
        run::<Plain, AtomicU64>(&game, &board, effort, progress)
    } else {
        run::<Plain, AtomicU32>(&game, &board, effort, progress)
    }
}

fn run<P: Position, E: Entry>(
    game: &Leapfrog,
    board: &Board,
    effort: &Effort,
    progress: &mut dyn FnMut(Progress),
) -> Result<Solution> {
    let grid = Grid::new(Shape::of(game.rules()));
    let hub = Hub::<E>::of(&grid, P::key_bits(&grid), P::count, effort)?;
    let solution = Desk::<P, E>::new(game, &grid, &hub, effort.threads(), progress).solution(board);
    hub.saved()?;
    if let Some(path) = effort.certificate {
        let rules = game.rules();
        let whole = board.count() == u32::from(rules.cells());
        let opening = whole.then(|| Opening {
            removable: grid.word(&board.removable(rules)),
            alone: rules.removers() == 1,
            second: rules.first_to_leap.0 == 1,
        });
        let certificate = Certificate {
            chains: rules.chains,
            diagonal: rules.diagonal,
            first_captures: rules.first_captures,
            first_to_leap: rules.first_to_leap.0,
            ..Certificate::of(rules.rows, rules.cols, &solution.board, solution.value)
        };
        certify::write(path, &grid, &hub, &P::of(&grid, board), opening, certificate)?;
    }
    Ok(solution)
}

#[cfg(test)]
mod tests;
