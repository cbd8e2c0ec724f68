//! The solver: alpha-beta over whole chains by several threads, and the data that they share.
//!
//! All pieces are common, so the value of a position does not depend on the seat to move. The value
//! is the future points of the seat to leap minus the other's, whatever the moves before. So every
//! bound that a search proves stays true. (The bots' alpha-beta in `bots/lookahead.rs` has a depth
//! limit, a budget and up to four seats; only the loop over the children could be shared.)

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use super::bounds_table::{Bounds, BoundsTable};
use super::position::{Coloured, Grid, MOST_COLOURED, MOST_PIECES, Plain, Position};
use super::saved_search::SavedSearch;
use crate::board::bits;
use crate::{Board, Chains, Rules};
use parlour_base::chance::GAMMA;
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

/// Interval between progress reports.
const EVERY: Duration = Duration::from_millis(200);

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
    filled: AtomicU64,
    visited: AtomicU64,
    /// `true` if no more answers are needed.
    pub(super) stop: AtomicBool,
    pub(super) save: Option<SavedSearch>,
    threads: usize,
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
    fn table(&self) -> Arc<BoundsTable> {
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

    /// The future points of the seat to leap minus the other's.
    pub fn value(&self, board: &Board) -> i32 {
        match self.grid.rules.colors() {
            Some(_) => self.value_of(&Coloured::of(&self.grid, board)),
            None => self.value_of(&Plain::of(&self.grid, board)),
        }
    }

    fn value_of<P: Position>(&self, position: &P) -> i32 {
        let mut search = Search::new(self, 0);
        let value = search.value(position, Bounds::NONE);
        search.report();
        // This search is never stopped.
        value.unwrap_or(0).into()
    }

    /// Answers questions in their order: the values of positions, each within its bounds.
    ///
    /// Each thread takes the next question. A thread without one helps with an open question through
    /// the shared table.
    pub(super) fn answers<P: Position>(
        &self,
        questions: &[(P, Bounds)],
        progress: &mut dyn FnMut(Progress),
    ) -> Vec<i16> {
        let found: Vec<OnceLock<i16>> = questions.iter().map(|_| OnceLock::new()).collect();
        let (next, left) = (AtomicUsize::new(0), AtomicUsize::new(questions.len()));
        self.stop.store(false, Relaxed);
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
                    self.stop.store(true, Relaxed);
                }
            }
            search.report();
        };
        // One helper for a single question; otherwise at most one thread per question.
        let threads = self.threads.clamp(1, questions.len().max(2));
        std::thread::scope(|scope| {
            let (done, finished) = channel::<()>();
            let start = |thread: usize| {
                let (done, work) = (done.clone(), &work);
                let helper = std::thread::Builder::new().spawn_scoped(scope, move || {
                    work(thread);
                    drop(done);
                });
                helper.is_ok()
            };
            // Where the system starts no more threads, those that run do all the work.
            if (0..threads).filter(|thread| start(*thread)).count() == 0 {
                work(0);
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
}

/// A position after a chain.
#[derive(Clone, Copy)]
struct Child<P> {
    position: P,
    key: u64,
    gain: i16,
    bounds: Bounds,
    /// Children of low score are searched first.
    score: i32,
}

/// A search by one thread.
pub(super) struct Search<'a, P> {
    pub solver: &'a Solver,
    pub table: Arc<BoundsTable>,
    /// Children of all positions on the path from the root.
    stack: Vec<Child<P>>,
    /// Positions searched.
    visited: u64,
    /// Positions already added to the shared counter.
    reported: u64,
    /// Filled entries not yet added to the shared counter.
    filled: u64,
    /// Makes each thread try children of equal score in another order.
    salt: u64,
}

/// Positions between updates of the shared counters.
const REPORT: u64 = 1 << 12;

/// Positions after which a result is saved.
const EXPENSIVE: u64 = 1 << 12;

impl<'a, P: Position> Search<'a, P> {
    /// Creates the search of a thread.
    pub fn new(solver: &'a Solver, thread: u64) -> Self {
        let (table, salt) = (solver.table(), thread.wrapping_mul(GAMMA));
        Search { solver, table, stack: Vec::new(), visited: 0, reported: 0, filled: 0, salt }
    }

    /// The value of a position if it is within bounds; otherwise a bound outside. `None` if stopped.
    ///
    /// Each search asks if the value exceeds a number, starting near 0.
    pub fn value(&mut self, position: &P, within: Bounds) -> Option<i16> {
        let mut known = within.and(self.table.get(position.key()));
        while known.low < known.high {
            let ask = if known.low >= 0 { known.low } else { known.high.min(0) - 1 };
            let found = self.search(position, position.key(), Bounds::above(ask));
            if self.solver.stop.load(Relaxed) {
                return None;
            }
            match found > ask {
                true => known.low = found,
                false => known.high = found,
            }
        }
        Some(known.low)
    }

    /// The position after each chain in order, and the chain's points.
    pub fn children(&mut self, position: &P) -> Vec<(P, i16)> {
        self.push_chains(position, position.pieces(), 0);
        self.stack.drain(..).map(|child| (child.position, child.gain)).collect()
    }

    /// Updates the shared counters, and takes the newest table.
    pub fn report(&mut self) {
        self.solver.visited.fetch_add(self.visited - self.reported, Relaxed);
        self.solver.filled.fetch_add(self.filled, Relaxed);
        (self.reported, self.filled) = (self.visited, 0);
        self.table = self.solver.table();
    }

    /// Returns the value if it is in a window; otherwise a bound outside (fail-soft).
    fn search(&mut self, position: &P, key: u64, window: Bounds) -> i16 {
        let known = self.table.get(key);
        if let Some(value) = known.settled(window) {
            return value;
        }
        let (pieces, grid) = (position.pieces(), &self.solver.grid);
        let touched = grid.touched(pieces);
        if touched == 0 {
            return 0;
        }
        let live = grid.live(pieces, touched);
        if live != pieces {
            let rest = position.keep(grid, live);
            let rest_key = rest.key();
            let value = self.search(&rest, rest_key, window);
            let bounds = self.table.get(rest_key);
            self.put(key, bounds);
            return value;
        }
        // The seat to move captures at least one point, and nobody more than all.
        let most = position.most();
        let known = known.and(Bounds { low: 2 - most, high: most });
        if let Some(value) = known.settled(window) {
            self.put(key, known);
            return value;
        }
        let before = self.visited;
        self.visited += 1;
        if self.visited.is_multiple_of(REPORT) {
            self.report();
        }
        let first = self.stack.len();
        self.push_chains(position, pieces, 0);
        let proved = self.search_children(first, most, known, window);
        self.stack.truncate(first);
        if self.solver.stop.load(Relaxed) {
            return window.low;
        }
        self.put(key, proved);
        if let Some(save) = &self.solver.save
            && self.visited - before >= EXPENSIVE
        {
            save.add(key, proved);
        }
        if proved.low >= window.high { proved.low } else { proved.high }
    }

    /// Returns bounds of a position whose children are on the stack from `first` on.
    ///
    /// The bounds are equal if the value is in the window.
    fn search_children(
        &mut self,
        first: usize,
        most: i16,
        known: Bounds,
        window: Bounds,
    ) -> Bounds {
        let Bounds { low, high } = window;
        for child in &mut self.stack[first..] {
            let left = most - child.gain;
            let bounds = Bounds { low: (2 - left).min(0), high: left };
            child.bounds = self.table.get(child.key).and(bounds);
        }
        let children = &self.stack[first..];
        // The known bounds of the children may be enough.
        let lower = children.iter().map(|child| child.gain - child.bounds.high);
        let mut lower = lower.max().unwrap_or(known.low).max(known.low);
        let upper = children.iter().map(|child| child.gain - child.bounds.low);
        let upper = upper.max().unwrap_or(known.high).min(known.high);
        if lower >= high || upper <= low || lower >= upper {
            return Bounds { low: lower, high: upper };
        }
        let (end, salt) = (self.stack.len(), self.salt);
        for child in &mut self.stack[first..] {
            // Prefer points now and few leaps for the other seat, which are searched quickly.
            let mobility = self.solver.grid.mobility(child.position.pieces()) as i32;
            child.score = mobility - 4 * i32::from(child.gain);
        }
        self.stack[first..].sort_unstable_by_key(|child| (child.score, child.key ^ salt));
        let mut most = i16::MIN;
        for next in first..end {
            let Child { position, key, gain, bounds, .. } = self.stack[next];
            if next > first && self.stack[next - 1].key == key {
                continue;
            }
            let floor = lower.max(low);
            if gain - bounds.low <= floor {
                most = most.max(gain - bounds.low);
                continue;
            }
            let window = Bounds { low: gain - high, high: gain - floor };
            let found = gain - self.search(&position, key, window);
            if found > floor {
                lower = found;
            }
            most = most.max(found);
            if lower >= high || self.solver.stop.load(Relaxed) {
                most = upper;
                break;
            }
        }
        Bounds { low: lower, high: most.min(upper) }
    }

    /// Pushes the position after each chain of the pieces on some cells.
    fn push_chains(&mut self, position: &P, starts: u64, gain: i16) {
        let (grid, pieces) = (&self.solver.grid, position.pieces());
        for at in bits(starts) {
            for leap in &grid.leaps[at] {
                if pieces & leap.over == 0 || pieces & leap.to != 0 {
                    continue;
                }
                let (after, points) = position.leap(at, leap);
                let (key, gain, bounds) = (after.key(), gain + points, Bounds::NONE);
                self.stack.push(Child { position: after, key, gain, bounds, score: 0 });
                if grid.rules.chains == Chains::Optional {
                    self.push_chains(&after, leap.to, gain);
                }
            }
        }
    }

    fn put(&mut self, key: u64, bounds: Bounds) {
        self.filled += u64::from(self.table.put(key, bounds));
    }
}
