//! Exact values of small boards with two seats.
//!
//! The value is the points of the first seat minus those of the second with best play. A table
//! without false hits remembers proved bounds (`bounds_table`). Several threads share the table
//! (`solver`), and a long search can be saved and resumed (`saved_search`).

mod bounds_table;
mod position;
mod proof_writer;
mod saved_search;
mod solution;
mod solver;

use self::position::{Coloured, Plain, Position, check_size};
use self::saved_search::SavedSearch;
use self::solution::Opening;
pub use self::solution::{FirstCapture, FirstMoves, OneRowSolution, Solution};
pub use self::solver::{Progress, SolveOptions, Solver};
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
    let board = board.map(|text| Board::read(text, rules)).transpose().map_err(Error::input)?;
    check_size(rules, board.as_ref().map_or(rules.cells().into(), Board::count))?;
    let coloured = rules.colors().is_some();
    let many = "the value of a coloured board depends on its colouring; give the board";
    ensure(!coloured || board.is_some(), || Error::input(many))?;
    // All deals of plain pieces are equal.
    let board =
        board.unwrap_or_else(|| game.deal(&mut parlour_base::chance::Seed::new(0).stream()).board);
    let run = if coloured { run::<Coloured> } else { run::<Plain> };
    run(&game, &board, options, progress)
}

fn run<P: Position>(
    game: &Leapfrog,
    board: &Board,
    options: &SolveOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<Solution> {
    let rules = game.rules();
    let solver = Solver::new::<P>(rules, options)?;
    let position = P::of(&solver.grid, board);
    let mut opening = match board.count() == u32::from(rules.cells()) {
        true => {
            let removable = solver.grid.word(&board.removable(rules));
            Opening::of_hand(&solver.grid, &position, removable)
        }
        false => Opening::of_position(position),
    };
    opening.solve(&solver, progress);
    let solution = Solution::of(&solver, game, board, &opening, progress);
    finish(&solver, options, &opening, Certificate::of(rules, &solution.board, solution.value))?;
    Ok(solution)
}

/// Solves a board of one row with 1 to 60 cells.
///
/// # Errors
/// As [`solve`].
pub fn solve_one_row(
    cells: u8,
    options: &SolveOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<OneRowSolution> {
    // A column has the same value, and a cell has room for the number of its row.
    let rules = Rules::plain(cells, 1);
    check_size(&rules, 0)?;
    let solver = Solver::new::<Plain>(&rules, options)?;
    let full = (1 << cells) - 1;
    let mut opening = Opening::of_hand(&solver.grid, &Plain::laid(&solver.grid, full), full);
    opening.solve(&solver, progress);
    let (value, row) = (opening.value().into(), "o".repeat(cells.into()));
    let certificate = Certificate::of(&Rules::plain(1, cells), &row, value);
    finish(&solver, options, &opening, certificate)?;
    let first_captures = opening.least().map(i32::from).collect();
    let (positions, table_mb) = (solver.positions(), solver.megabytes());
    Ok(OneRowSolution { cells, value, first_captures, positions, table_mb })
}

/// Reports a failure to save, and writes the certificate.
fn finish<P: Position>(
    solver: &Solver,
    options: &SolveOptions,
    opening: &Opening<P>,
    certificate: Certificate,
) -> Result<()> {
    solver.save.as_ref().map_or(Ok(()), SavedSearch::result)?;
    match options.certificate {
        Some(path) => proof_writer::write(path, solver, opening, certificate),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
