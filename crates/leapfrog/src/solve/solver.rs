//! The data that the threads of a search share: the board, the growing table and the counters.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use super::bounds_table::BoundsTable;
use super::position::{Coloured, Grid, MOST_COLOURED, MOST_PIECES, Plain, Position};
use super::saved_search::SavedSearch;
use crate::Rules;
use parlour_base::error::{Error, Result, ensure};

/// Limits and files of a search.
#[derive(Clone, Copy, Debug)]
pub struct SolveOptions<'a> {
    /// Memory limit of the table in megabytes. The table grows only as far as needed.
    pub memory_mb: u64,
    /// Number of threads; 0 for one per core. The solution does not depend on this number.
    pub threads: usize,
    /// A file for intermediate results, from which a stopped search resumes.
    pub save: Option<&'a Path>,
    /// A file for the proof of the value.
    pub certificate: Option<&'a Path>,
}

/// Two gigabytes, one thread, no files.
impl Default for SolveOptions<'_> {
    fn default() -> Self {
        SolveOptions { memory_mb: 2048, threads: 1, save: None, certificate: None }
    }
}

/// The state of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Positions searched so far.
    pub positions: u64,
    /// Questions answered: values after first captures and replies, then chains.
    pub answered: usize,
    /// All questions.
    pub questions: usize,
    /// The size of the table in megabytes.
    pub table_mb: u64,
}

const MB: u64 = 1 << 20;

/// Memory limit of a bot's table in megabytes.
const BOT_MB: u64 = 256;

/// Initial number of entries of the table, as a power of two.
const INITIAL_LOG: u32 = 14;

/// The board, the growing table of bounds, and the counters of a search.
pub struct Solver {
    pub(super) grid: Grid,
    table: Mutex<Arc<BoundsTable>>,
    /// Limit in bytes for an old and a new table together.
    limit: u64,
    /// Approximate number of filled entries.
    pub(super) filled: AtomicU64,
    pub(super) visited: AtomicU64,
    /// `true` if no more answers are needed.
    pub(super) stop: AtomicBool,
    pub(super) save: Option<SavedSearch>,
    pub(super) threads: usize,
}

impl Solver {
    /// Creates a small table, filled with the bounds of the saved search if there is one.
    ///
    /// # Errors
    /// If the smallest table exceeds the limit, cannot be allocated, or the saved file is invalid.
    pub(super) fn new<P: Position>(rules: &Rules, options: &SolveOptions) -> Result<Solver> {
        let grid = Grid::new(rules);
        let key_bits = P::key_bits(&grid);
        let save = options.save.map(|path| SavedSearch::open(path, rules)).transpose()?;
        let (least, limit) = (BoundsTable::least(key_bits), options.memory_mb);
        let enough = BoundsTable::bytes(least).div_ceil(MB);
        ensure(enough <= limit, || {
            Error::input(format!(
                "this board needs a table of at least {enough} MB, but the limit is {limit} MB; give \
                 `--memory` {enough} or more"
            ))
        })?;
        // Plain boards of this size fill a larger table anyway.
        let log = match rules.cells() {
            cells @ 33..=40 if rules.colors().is_none() => u32::from(cells) - 18,
            _ => least.max(INITIAL_LOG),
        };
        let table = BoundsTable::new(log, key_bits, P::count).ok_or_else(|| {
            let size = BoundsTable::bytes(log).div_ceil(MB);
            Error::failed(format!("cannot allocate {size} MB for the table"))
        })?;
        let solver = Solver {
            grid,
            table: Mutex::new(Arc::new(table)),
            limit: limit.saturating_mul(MB),
            filled: AtomicU64::new(0),
            visited: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            save,
            threads: match options.threads {
                0 => std::thread::available_parallelism().map_or(1, usize::from),
                threads => threads,
            },
        };
        for &(key, bounds) in solver.save.iter().flat_map(|save| &save.before) {
            let filled = solver.table().put(key, bounds);
            solver.filled.fetch_add(filled.into(), Relaxed);
        }
        Ok(solver)
    }

    /// Creates a solver for [`value`](Solver::value). Returns `None` if there are more than two seats or
    /// too many cells.
    pub fn for_bot(rules: &Rules) -> Option<Solver> {
        let options = SolveOptions { memory_mb: BOT_MB, ..SolveOptions::default() };
        let cells = u32::from(rules.cells());
        let solver = match rules.colors() {
            Some(_) if cells <= MOST_COLOURED => Solver::new::<Coloured>(rules, &options),
            None if cells <= MOST_PIECES => Solver::new::<Plain>(rules, &options),
            _ => return None,
        };
        solver.ok().filter(|_| rules.seats == 2)
    }

    /// Returns `true` if the table is for boards under these rules.
    pub fn is_for(&self, rules: &Rules) -> bool {
        self.grid.rules == *rules
    }

    /// The newest table, which grows at 5/8 full.
    ///
    /// Entries that other threads write into the old table meanwhile are lost and searched again.
    pub(super) fn table(&self) -> Arc<BoundsTable> {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        if self.filled.load(Relaxed) / 5 >= table.room() / 8
            && 3 * BoundsTable::bytes(table.room().ilog2()) <= self.limit
            && let Some((grown, filled)) = table.grown()
        {
            self.filled.store(filled, Relaxed);
            *table = Arc::new(grown);
        }
        Arc::clone(&table)
    }

    /// Number of searched positions, which depends on timing unless there is one thread.
    pub(super) fn positions(&self) -> Option<u64> {
        (self.threads == 1).then(|| self.visited.load(Relaxed))
    }

    /// Size of the newest table in megabytes.
    pub(super) fn megabytes(&self) -> u64 {
        BoundsTable::bytes(self.table().room().ilog2()).div_ceil(MB)
    }
}
