//! Data shared by the threads of a search: the growing table of bounds and the progress counters.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use super::bounds_table::{AtomicEntry, Bounds, BoundsTable};
use super::grid::Grid;
use super::position::Position;
use super::saved_search::SavedSearch;
use parlour_base::error::{Error, Result};

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

impl SolveOptions<'_> {
    pub(super) fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }
}

const MB: u64 = 1 << 20;

/// The state that all threads of a search share.
pub(super) struct SharedTable<E> {
    table: Mutex<Arc<BoundsTable<E>>>,
    /// Capacity of the newest table in entries.
    room: AtomicUsize,
    /// Approximate number of filled entries.
    filled: AtomicU64,
    visited: AtomicU64,
    stop: AtomicBool,
    save: Option<SavedSearch>,
    /// Limit in bytes for an old and a new table together.
    limit: AtomicU64,
}

/// Initial number of entries, as a power of two.
const INITIAL_LOG: u32 = 14;

impl<E: AtomicEntry> SharedTable<E> {
    /// Creates a small table, filled with the bounds of the saved search if there is one.
    ///
    /// # Errors
    /// If the smallest table exceeds the limit, cannot be allocated, or the saved file is invalid.
    pub fn of<P: Position>(grid: &Grid, options: &SolveOptions) -> Result<SharedTable<E>> {
        let key_bits = P::key_bits(grid);
        let limit = options.memory_mb.saturating_mul(MB);
        let save = options.save.map(|path| SavedSearch::open(path, grid.shape)).transpose()?;
        let least = BoundsTable::<E>::least(key_bits);
        let fits = |log: &u32| BoundsTable::<E>::bytes(*log) <= limit;
        let log = (least..=least.max(INITIAL_LOG)).rev().find(fits).ok_or_else(|| {
            let enough = BoundsTable::<E>::bytes(least).div_ceil(MB);
            Error::input(format!(
                "this board needs a table of at least {enough} MB, but the limit is {} MB; give \
                 `--memory` {enough} or more",
                limit / MB
            ))
        })?;
        let table = BoundsTable::new(log, key_bits, P::count).ok_or_else(|| {
            let size = BoundsTable::<E>::bytes(log).div_ceil(MB);
            Error::failed(format!("cannot allocate {size} MB for the table"))
        })?;
        let shared = SharedTable {
            room: AtomicUsize::new(table.room()),
            table: Mutex::new(Arc::new(table)),
            filled: AtomicU64::new(0),
            visited: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            save: None,
            limit: AtomicU64::new(limit),
        };
        if let Some(save) = &save {
            for &(key, bounds) in &save.before {
                shared.add_progress(0, shared.table().put(key, bounds).into());
            }
        }
        Ok(SharedTable { save, ..shared })
    }

    /// The newest table.
    pub fn table(&self) -> Arc<BoundsTable<E>> {
        Arc::clone(&self.table.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns `true` if there is a newer table than this one.
    pub fn has_grown(&self, table: &BoundsTable<E>) -> bool {
        self.room.load(Relaxed) != table.room()
    }

    /// Adds searched positions and filled entries to the counters, and grows the table at 5/8 full.
    ///
    /// Entries that other threads write into the old table meanwhile are lost and searched again.
    pub fn add_progress(&self, visited: u64, filled: u64) {
        self.visited.fetch_add(visited, Relaxed);
        let all = self.filled.fetch_add(filled, Relaxed) + filled;
        if all / 5 < self.room.load(Relaxed) as u64 / 8 {
            return;
        }
        let Ok(mut table) = self.table.try_lock() else { return };
        let room = table.room() as u64;
        let bytes = BoundsTable::<E>::bytes(room.ilog2());
        if self.filled.load(Relaxed) / 5 < room / 8 || 3 * bytes > self.limit.load(Relaxed) {
            return;
        }
        match table.grown() {
            Some((grown, filled)) => {
                self.filled.store(filled, Relaxed);
                self.room.store(grown.room(), Relaxed);
                *table = Arc::new(grown);
            }
            // The allocation failed: never try again.
            None => self.limit.store(0, Relaxed),
        }
    }

    /// Number of searched positions.
    pub fn visited(&self) -> u64 {
        self.visited.load(Relaxed)
    }

    /// Size of the newest table in megabytes.
    pub fn megabytes(&self) -> u64 {
        BoundsTable::<E>::bytes(self.room.load(Relaxed).ilog2()).div_ceil(MB)
    }

    /// Saves the bounds of a position that took long to search.
    pub fn save(&self, key: u64, bounds: Bounds) {
        if let Some(save) = &self.save {
            save.add(key, bounds);
        }
    }

    /// Returns the first failure to save, if there was one.
    ///
    /// # Errors
    /// That failure.
    pub fn save_result(&self) -> Result<()> {
        self.save.as_ref().map_or(Ok(()), SavedSearch::result)
    }

    /// Returns `true` if no more answers are needed.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Stops all searches, or allows new ones.
    pub fn set_stopped(&self, stop: bool) {
        self.stop.store(stop, Relaxed);
    }
}
