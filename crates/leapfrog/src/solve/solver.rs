//! The data that the threads of a search share, and the threads that answer questions with it.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use super::bounds_table::{Bounds, BoundsTable};
use super::grid::Grid;
use super::position::Position;
use super::saved_search::SavedSearch;
use super::search::Search;
use crate::Rules;
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

/// Initial number of entries of the table, as a power of two.
const INITIAL_LOG: u32 = 14;

/// Interval between progress reports.
const EVERY: Duration = Duration::from_millis(200);

/// The board, the growing table of bounds, and the counters of a search.
pub(super) struct Solver {
    pub grid: Grid,
    table: Mutex<Arc<BoundsTable>>,
    /// Limit in bytes for an old and a new table together.
    limit: u64,
    /// Approximate number of filled entries.
    filled: AtomicU64,
    visited: AtomicU64,
    stop: AtomicBool,
    save: Option<SavedSearch>,
    threads: usize,
}

impl Solver {
    /// Creates a small table, filled with the bounds of the saved search if there is one.
    ///
    /// # Errors
    /// If the smallest table exceeds the limit, cannot be allocated, or the saved file is invalid.
    pub fn new<P: Position>(rules: &Rules, options: &SolveOptions) -> Result<Solver> {
        let grid = Grid::new(rules);
        let key_bits = P::key_bits(&grid);
        let limit = options.memory_mb.saturating_mul(MB);
        let mut save = options.save.map(|path| SavedSearch::open(path, rules)).transpose()?;
        let least = BoundsTable::least(key_bits);
        let fits = |log: &u32| BoundsTable::bytes(*log) <= limit;
        let log = (least..=least.max(INITIAL_LOG)).rev().find(fits).ok_or_else(|| {
            let enough = BoundsTable::bytes(least).div_ceil(MB);
            Error::input(format!(
                "this board needs a table of at least {enough} MB, but the limit is {} MB; give \
                 `--memory` {enough} or more",
                limit / MB
            ))
        })?;
        let table = BoundsTable::new(log, key_bits, P::count).ok_or_else(|| {
            let size = BoundsTable::bytes(log).div_ceil(MB);
            Error::failed(format!("cannot allocate {size} MB for the table"))
        })?;
        let before = save.as_mut().map(|save| std::mem::take(&mut save.before));
        let solver = Solver {
            grid,
            table: Mutex::new(Arc::new(table)),
            limit,
            filled: AtomicU64::new(0),
            visited: AtomicU64::new(0),
            stop: AtomicBool::new(false),
            save,
            threads: match options.threads {
                0 => std::thread::available_parallelism().map_or(1, usize::from),
                threads => threads,
            },
        };
        for (key, bounds) in before.into_iter().flatten() {
            let filled = solver.table().put(key, bounds);
            solver.add_progress(0, filled.into());
        }
        Ok(solver)
    }

    /// Answers questions in their order: the values of positions, each within its bounds.
    ///
    /// Each thread takes the next question. A thread without one helps with an open question through
    /// the shared table.
    pub fn answers<P: Position>(
        &self,
        questions: &[(P, Bounds)],
        progress: &mut dyn FnMut(Progress),
    ) -> Vec<i16> {
        let found: Vec<OnceLock<i16>> = questions.iter().map(|_| OnceLock::new()).collect();
        let (next, left) = (AtomicUsize::new(0), AtomicUsize::new(questions.len()));
        self.set_stopped(false);
        let work = |thread: usize| {
            let mut search = Search::new(self, thread as u64);
            loop {
                let index = next.fetch_add(1, Relaxed);
                let open = || found.iter().rposition(|answer| answer.get().is_none());
                let index = if index < found.len() { Some(index) } else { open() };
                let Some(index) = index else { break };
                let (position, within) = &questions[index];
                let Some(answer) = search.value(position, *within) else { break };
                if found[index].set(answer).is_ok() && left.fetch_sub(1, Relaxed) == 1 {
                    self.set_stopped(true);
                }
            }
            search.report();
        };
        // More threads than questions would be idle.
        let threads = self.threads.clamp(1, questions.len().max(2));
        std::thread::scope(|scope| {
            let (done, finished) = channel::<()>();
            for thread in 0..threads {
                let (done, work) = (done.clone(), &work);
                scope.spawn(move || {
                    work(thread);
                    drop(done);
                });
            }
            drop(done);
            while finished.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                progress(Progress {
                    positions: self.visited.load(Relaxed),
                    answered: questions.len() - left.load(Relaxed),
                    questions: questions.len(),
                    table_mb: self.megabytes(),
                });
            }
        });
        found.into_iter().map(|found| found.into_inner().unwrap_or_default()).collect()
    }

    /// Adds searched positions and filled entries to the counters.
    pub fn add_progress(&self, visited: u64, filled: u64) {
        self.visited.fetch_add(visited, Relaxed);
        self.filled.fetch_add(filled, Relaxed);
    }

    /// The newest table, which grows at 5/8 full.
    ///
    /// Entries that other threads write into the old table meanwhile are lost and searched again.
    pub fn table(&self) -> Arc<BoundsTable> {
        let mut table = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        let full = self.filled.load(Relaxed) / 5 >= table.room() / 8;
        if full
            && 3 * BoundsTable::bytes(table.room().ilog2()) <= self.limit
            && let Some((grown, filled)) = table.grown()
        {
            self.filled.store(filled, Relaxed);
            *table = Arc::new(grown);
        }
        Arc::clone(&table)
    }

    /// Number of searched positions, which depends on timing unless there is one thread.
    pub fn positions(&self) -> Option<u64> {
        (self.threads == 1).then(|| self.visited.load(Relaxed))
    }

    /// Size of the newest table in megabytes.
    pub fn megabytes(&self) -> u64 {
        BoundsTable::bytes(self.table().room().ilog2()).div_ceil(MB)
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
