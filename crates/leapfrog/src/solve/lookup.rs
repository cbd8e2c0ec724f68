//! A table for a player: exact values of one position after another.

use std::sync::atomic::{AtomicU32, AtomicU64};

use super::Effort;
use super::grid::{Grid, Shape};
use super::hub::Hub;
use super::position::{Coloured, MOST_COLOURED, Plain, Position};
use super::search::Search;
use super::size::MOST_IN_FOUR_BYTES;
use super::table::Entry;
use crate::{Board, Rules};

/// The values of the positions of one board, found when they are asked for and kept.
pub struct Lookup {
    grid: Grid,
    hub: Kept,
}

enum Kept {
    Plain(Hub<AtomicU32>),
    Coloured(Hub<AtomicU64>),
}

/// Megabytes that a player's table may take.
const MEMORY: u64 = 256;

impl Lookup {
    /// A table for boards of two seats under these rules; none where they are too large.
    pub fn new(rules: &Rules) -> Option<Lookup> {
        let shape = Shape::of(rules);
        let most = if shape.coloured { MOST_COLOURED } else { MOST_IN_FOUR_BYTES };
        if rules.seats != 2 || shape.cells() > most {
            return None;
        }
        let grid = Grid::new(shape);
        let effort = Effort { memory_mb: MEMORY, ..Effort::default() };
        let hub = if shape.coloured {
            let bits = Coloured::key_bits(&grid);
            Kept::Coloured(Hub::of(&grid, bits, Coloured::count, &effort).ok()?)
        } else {
            Kept::Plain(Hub::of(&grid, Plain::key_bits(&grid), Plain::count, &effort).ok()?)
        };
        Some(Lookup { grid, hub })
    }

    /// Whether it is for boards under these rules.
    pub fn is_of(&self, rules: &Rules) -> bool {
        self.grid.shape == Shape::of(rules)
    }

    /// The points still to come of the seat to leap, less the other's.
    pub fn value(&self, board: &Board) -> i32 {
        match &self.hub {
            Kept::Plain(hub) => value::<Plain, _>(&self.grid, hub, board),
            Kept::Coloured(hub) => value::<Coloured, _>(&self.grid, hub, board),
        }
    }
}

fn value<P: Position, E: Entry>(grid: &Grid, hub: &Hub<E>, board: &Board) -> i32 {
    let mut search = Search::<P, E>::new(grid, hub, 0);
    let value = search.value(&P::of(grid, board));
    search.report();
    // Nobody stops the search.
    value.unwrap_or(0).into()
}
