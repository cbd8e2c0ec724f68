//! Exact values of small boards with two seats.
//!
//! The value is the points of the first seat minus those of the second with best play. A table
//! without false hits remembers proved bounds (`bounds_table`). Several threads share the table, and
//! a long search can be saved and resumed (`saved_search`).

mod bounds_table;
mod grid;
mod lookup;
mod one_row;
mod position;
mod proof_writer;
mod report;
mod saved_search;
mod search;
mod shared_table;

use std::sync::atomic::{AtomicU32, AtomicU64};

use self::bounds_table::AtomicEntry;
use self::grid::{Grid, Shape};
pub use self::lookup::ValueLookup;
pub use self::one_row::{OneRowSolution, solve_one_row};
use self::position::{Coloured, MOST_IN_FOUR_BYTES, Plain, Position, check_size};
use self::proof_writer::Opening;
use self::report::Report;
pub use self::report::{FirstCapture, FirstMoves, Solution};
pub use self::search::Progress;
use self::shared_table::SharedTable;
pub use self::shared_table::SolveOptions;
use super::certificate::Certificate;
use super::{Board, Leapfrog, Rules};
use parlour_base::error::{Error, Result, ensure};
use parlour_game::{Game, Ruled};

/// Solves the full board of these rules, or a given position (rows joined by `/`).
///
/// A coloured board must be given. `progress` is called five times a second.
///
/// # Errors
/// Invalid input, reported before the search: there are more than two seats, or the saved file
/// belongs to another search. The board may also not fit the rules, the solver or the memory.
/// A failure if a file cannot be written.
pub fn solve(
    rules: &Rules,
    board: Option<&str>,
    options: &SolveOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<Solution> {
    let game = Leapfrog::new(rules)?;
    let two = "only games with two seats have an exact value; `seats` must be 2";
    ensure(rules.seats == 2, || Error::input(two))?;
    let board = match board {
        Some(text) => Some(Board::read(text, rules).map_err(Error::input)?),
        None => None,
    };
    let shape = Shape::of(rules);
    check_size(shape, board.as_ref().map_or(shape.cells(), Board::count))?;
    let many = "the value of a coloured board depends on its colouring; give the board";
    ensure(!shape.coloured || board.is_some(), || Error::input(many))?;
    let board = match board {
        Some(board) => board,
        None => game.deal(&mut parlour_base::chance::Seed::new(0).stream()).board,
    };
    if shape.coloured {
        run::<Coloured, AtomicU64>(&game, &board, options, progress)
    } else if shape.cells() > MOST_IN_FOUR_BYTES {
        run::<Plain, AtomicU64>(&game, &board, options, progress)
    } else {
        run::<Plain, AtomicU32>(&game, &board, options, progress)
    }
}

fn run<P: Position, E: AtomicEntry>(
    game: &Leapfrog,
    board: &Board,
    options: &SolveOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<Solution> {
    let grid = Grid::new(Shape::of(game.rules()));
    let shared = SharedTable::<E>::of::<P>(&grid, options)?;
    let solution =
        Report::<P, E>::new(game, &grid, &shared, options.threads(), progress).solution(board);
    shared.save_result()?;
    if let Some(path) = options.certificate {
        let rules = game.rules();
        let whole = board.count() == u32::from(rules.cells());
        let opening = whole.then(|| Opening {
            removable: grid.word(&board.removable(rules)),
            only_first_seat: rules.removers() == 1,
            second_seat_leaps: rules.first_to_leap.0 == 1,
        });
        let certificate = Certificate {
            chains: rules.chains,
            diagonal: rules.diagonal,
            first_captures: rules.first_captures,
            first_to_leap: rules.first_to_leap.0,
            ..Certificate::of(rules.rows, rules.cols, &solution.board, solution.value)
        };
        proof_writer::write(path, &grid, &shared, &P::of(&grid, board), opening, certificate)?;
    }
    Ok(solution)
}

#[cfg(test)]
mod tests;
