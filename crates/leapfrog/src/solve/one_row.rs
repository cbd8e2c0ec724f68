//! Plain boards of one row, also longer than the rules of the game allow.

use std::sync::atomic::{AtomicU32, AtomicU64};

use schemars::JsonSchema;
use serde::Serialize;

use super::bounds_table::AtomicEntry;
use super::grid::{Grid, Shape};
use super::position::{MOST_IN_FOUR_BYTES, Plain, Position, check_size};
use super::proof_writer::{self, Opening};
use super::search::{Progress, Question, answers};
use super::shared_table::{SharedTable, SolveOptions};
use crate::certificate::Certificate;
use parlour_base::error::Result;

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

/// Solves a board of one row with 1 to 60 cells.
///
/// # Errors
/// As [`solve`](super::solve).
pub fn solve_one_row(
    cells: u8,
    options: &SolveOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<OneRowSolution> {
    let shape = Shape { rows: 1, cols: cells, chains: true, diagonal: false, coloured: false };
    check_size(shape, 0)?;
    if shape.cells() > MOST_IN_FOUR_BYTES {
        run::<AtomicU64>(shape, options, progress)
    } else {
        run::<AtomicU32>(shape, options, progress)
    }
}

fn run<E: AtomicEntry>(
    shape: Shape,
    options: &SolveOptions,
    progress: &mut dyn FnMut(Progress),
) -> Result<OneRowSolution> {
    let grid = Grid::new(shape);
    let shared = SharedTable::<E>::of::<Plain>(&grid, options)?;
    let (cells, full) = (shape.cells(), (1u64 << shape.cells()) - 1);
    let others = |first: u32| (0..cells).filter(move |&reply| reply != first);
    // A first capture and its mirror image have the same value, and so do both orders of a pair.
    let without = |a: u32, b: u32| Plain::laid(&grid, full & !(1 << a) & !(1 << b));
    let mut positions: Vec<Plain> = (0..cells.div_ceil(2))
        .flat_map(|first| others(first).map(move |reply| (first, reply)))
        .map(|(first, reply)| without(first, reply))
        .collect();
    positions.sort_unstable_by_key(|position| std::cmp::Reverse(position.key()));
    positions.dedup_by_key(|position| position.key());
    let questions: Vec<_> = positions.iter().copied().map(Question::Value).collect();
    let values = answers(&grid, &shared, &questions, options.threads(), progress);
    let value = |position: &Plain| {
        let known = positions.iter().zip(&values).find(|(other, _)| other.key() == position.key());
        known.map_or(0, |(_, &value)| i32::from(value))
    };
    // A single piece leaves no reply.
    let after = |first: u32| others(first).map(|reply| value(&without(first, reply))).min();
    let first_captures: Vec<i32> = (0..cells).map(|first| after(first).unwrap_or(1)).collect();
    shared.save_result()?;
    let value = first_captures.iter().copied().max().unwrap_or(0);
    if let Some(path) = options.certificate {
        let opening = Opening { removable: full, only_first_seat: false, second_seat_leaps: false };
        let head = Certificate::of(1, shape.cols, &"o".repeat(cells as usize), value);
        let full = Plain::laid(&grid, full);
        proof_writer::write(path, &grid, &shared, &full, Some(opening), head)?;
    }
    Ok(OneRowSolution {
        cells: shape.cols,
        value,
        first_captures,
        positions: (options.threads() == 1).then(|| shared.visited()),
        table_mb: shared.megabytes(),
    })
}
