//! Exact values for a bot, searched when needed and kept in a table.

use super::bounds_table::Bounds;
use super::position::{Coloured, MOST_COLOURED, MOST_PIECES, Plain, Position};
use super::search::Search;
use super::solver::{SolveOptions, Solver};
use crate::{Board, Rules};

/// The values of positions on one board.
pub struct ValueLookup {
    solver: Solver,
    value: fn(&Solver, &Board) -> i16,
}

/// Memory limit of a bot's table in megabytes.
const MEMORY_MB: u64 = 256;

impl ValueLookup {
    /// Creates an empty table. Returns `None` if there are more than two seats or too many cells.
    pub fn new(rules: &Rules) -> Option<ValueLookup> {
        let options = SolveOptions { memory_mb: MEMORY_MB, ..SolveOptions::default() };
        let cells = u32::from(rules.cells());
        match rules.colors() {
            _ if rules.seats != 2 => None,
            None if cells <= MOST_PIECES => Self::of::<Plain>(rules, &options),
            Some(_) if cells <= MOST_COLOURED => Self::of::<Coloured>(rules, &options),
            _ => None,
        }
    }

    fn of<P: Position>(rules: &Rules, options: &SolveOptions) -> Option<ValueLookup> {
        Some(ValueLookup { solver: Solver::new::<P>(rules, options).ok()?, value: value::<P> })
    }

    /// Returns `true` if the table is for boards under these rules.
    pub fn is_for(&self, rules: &Rules) -> bool {
        self.solver.grid.rules == *rules
    }

    /// The future points of the seat to leap minus the other's.
    pub fn value(&self, board: &Board) -> i32 {
        (self.value)(&self.solver, board).into()
    }
}

fn value<P: Position>(solver: &Solver, board: &Board) -> i16 {
    let mut search = Search::<P>::new(solver, 0);
    let value = search.value(&P::of(&solver.grid, board), Bounds::NONE);
    search.report();
    // This search is never stopped.
    value.unwrap_or(0)
}
