//! Exact values for a bot, searched when needed and kept in a table.

use std::sync::atomic::{AtomicU32, AtomicU64};

use super::bounds_table::AtomicEntry;
use super::grid::{Grid, Shape};
use super::position::{Coloured, MOST_COLOURED, MOST_IN_FOUR_BYTES, Plain, Position};
use super::search::Search;
use super::shared_table::{SharedTable, SolveOptions};
use crate::{Board, Rules};

/// The values of positions on one board.
pub struct ValueLookup {
    grid: Grid,
    table: LookupTable,
}

enum LookupTable {
    Plain(SharedTable<AtomicU32>),
    Coloured(SharedTable<AtomicU64>),
}

/// Memory limit of a bot's table in megabytes.
const MEMORY_MB: u64 = 256;

impl ValueLookup {
    /// Creates an empty table. Returns `None` if there are more than two seats or too many cells.
    pub fn new(rules: &Rules) -> Option<ValueLookup> {
        let shape = Shape::of(rules);
        let most = if shape.coloured { MOST_COLOURED } else { MOST_IN_FOUR_BYTES };
        if rules.seats != 2 || shape.cells() > most {
            return None;
        }
        let grid = Grid::new(shape);
        let options = SolveOptions { memory_mb: MEMORY_MB, ..SolveOptions::default() };
        let table = if shape.coloured {
            LookupTable::Coloured(SharedTable::of::<Coloured>(&grid, &options).ok()?)
        } else {
            LookupTable::Plain(SharedTable::of::<Plain>(&grid, &options).ok()?)
        };
        Some(ValueLookup { grid, table })
    }

    /// Returns `true` if the table is for boards under these rules.
    pub fn is_for(&self, rules: &Rules) -> bool {
        self.grid.shape == Shape::of(rules)
    }

    /// The future points of the seat to leap minus the other's.
    pub fn value(&self, board: &Board) -> i32 {
        match &self.table {
            LookupTable::Plain(shared) => value::<Plain, _>(&self.grid, shared, board),
            LookupTable::Coloured(shared) => value::<Coloured, _>(&self.grid, shared, board),
        }
    }
}

fn value<P: Position, E: AtomicEntry>(grid: &Grid, shared: &SharedTable<E>, board: &Board) -> i32 {
    let mut search = Search::<P, E>::new(grid, shared, 0);
    let value = search.value(&P::of(grid, board));
    search.report();
    // This search is never stopped.
    value.unwrap_or(0).into()
}
