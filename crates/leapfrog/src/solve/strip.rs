//! Plain boards of one row, of any length that a word holds: longer than the game is played on.

use std::sync::atomic::{AtomicU32, AtomicU64};

use schemars::JsonSchema;
use serde::Serialize;

use super::certify::{self, Opening};
use super::grid::{Grid, Shape};
use super::hub::Hub;
use super::position::{Plain, Position};
use super::table::Entry;
use super::work::{Question, answers};
use super::{Effort, MB, Progress, size};
use crate::certificate::Certificate;
use crate::error::Result;

/// A solved board of one row, plain pieces, chains optional, the first seat to leap first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Strip {
    /// The cells.
    pub cells: u8,
    /// Points of the first seat less those of the second, with best play.
    pub value: i32,
    /// The value after each first capture, from the left.
    pub first_captures: Vec<i32>,
    /// Positions searched; not said of several threads, for it depends on how they fare.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// The size of the table in megabytes.
    pub table_mb: u64,
}

/// Solves a board of one row of so many cells.
///
/// # Errors
/// As [`solve`](super::solve).
pub fn solve_strip(
    cells: u8,
    effort: &Effort,
    progress: &mut dyn FnMut(Progress),
) -> Result<Strip> {
    let shape = Shape { rows: 1, cols: cells, chains: true, diagonal: false, coloured: false };
    size::check(shape, None, effort.memory_mb)?;
    if shape.cells() > size::MOST_IN_FOUR_BYTES {
        run::<AtomicU64>(shape, effort, progress)
    } else {
        run::<AtomicU32>(shape, effort, progress)
    }
}

fn run<E: Entry>(
    shape: Shape,
    effort: &Effort,
    progress: &mut dyn FnMut(Progress),
) -> Result<Strip> {
    let grid = Grid::new(shape);
    let hub = Hub::<E>::of(&grid, Plain::key_bits(&grid), Plain::count, effort)?;
    let (cells, full) = (shape.cells(), (1u64 << shape.cells()) - 1);
    let others = |first: u32| (0..cells).filter(move |&reply| reply != first);
    // Of a first capture and its mirror image one is enough; the order of the two does not matter.
    let without = |a: u32, b: u32| Plain::laid(&grid, full & !(1 << a) & !(1 << b));
    let mut positions: Vec<Plain> = (0..cells.div_ceil(2))
        .flat_map(|first| others(first).map(move |reply| (first, reply)))
        .map(|(first, reply)| without(first, reply))
        .collect();
    positions.sort_unstable_by_key(|position| std::cmp::Reverse(position.key()));
    positions.dedup_by_key(|position| position.key());
    let questions: Vec<_> = positions.iter().copied().map(Question::Value).collect();
    let values = answers(&grid, &hub, &questions, effort.threads(), progress);
    let value = |position: &Plain| {
        let known = positions.iter().zip(&values).find(|(other, _)| other.key() == position.key());
        known.map_or(0, |(_, &value)| i32::from(value))
    };
    // With one piece there is no reply.
    let after = |first: u32| others(first).map(|reply| value(&without(first, reply))).min();
    let first_captures: Vec<i32> = (0..cells).map(|first| after(first).unwrap_or(1)).collect();
    hub.saved()?;
    let value = first_captures.iter().copied().max().unwrap_or(0);
    if let Some(path) = effort.certificate {
        let opening = Opening { removable: full, alone: false, second: false };
        let head = Certificate::of(1, shape.cols, &"o".repeat(cells as usize), value);
        certify::write(path, &grid, &hub, &Plain::laid(&grid, full), Some(opening), head)?;
    }
    Ok(Strip {
        cells: shape.cols,
        value,
        first_captures,
        positions: (effort.threads() == 1).then(|| hub.visited()),
        table_mb: hub.bytes().div_ceil(MB),
    })
}
