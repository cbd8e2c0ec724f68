//! Alpha-beta over whole chains, and the threads that answer questions with it.
//!
//! All pieces are common, so the value of a position does not depend on the seat to move. The value
//! is the future points of the seat to leap minus the other's, whatever the moves before. So every
//! bound that a search proves stays true. (The bots' alpha-beta in `bots/lookahead.rs` has a depth
//! limit, a budget and up to four seats; only the loop over the children could be shared.)

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use super::bounds_table::{AtomicEntry, Bounds, BoundsTable};
use super::grid::Grid;
use super::position::{Position, bits};
use super::shared_table::SharedTable;

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

/// A question about a position.
pub(super) enum Question<P> {
    /// Its value.
    Value(P),
    /// Is its value greater than this? The answer is 1 or 0.
    Exceeds(P, i16),
}

/// Interval between progress reports.
const EVERY: Duration = Duration::from_millis(200);

/// Answers questions, in their order.
///
/// Each thread takes the next question. A thread without one helps with an open question through
/// the shared table.
pub(super) fn answers<P: Position, E: AtomicEntry>(
    grid: &Grid,
    shared: &SharedTable<E>,
    questions: &[Question<P>],
    threads: usize,
    progress: &mut dyn FnMut(Progress),
) -> Vec<i16> {
    let found: Vec<OnceLock<i16>> = questions.iter().map(|_| OnceLock::new()).collect();
    let (next, left) = (AtomicUsize::new(0), AtomicUsize::new(questions.len()));
    shared.set_stopped(false);
    let work = |thread: usize| {
        let mut search = Search::new(grid, shared, thread as u64);
        loop {
            let index = next.fetch_add(1, Relaxed);
            let open = || (0..found.len()).rev().find(|&index| found[index].get().is_none());
            let Some(index) = (index < found.len()).then_some(index).or_else(open) else { break };
            let answer = match &questions[index] {
                Question::Value(position) => search.value(position),
                Question::Exceeds(position, bound) => {
                    search.exceeds(position, *bound).map(i16::from)
                }
            };
            let Some(answer) = answer else { break };
            if found[index].set(answer).is_ok() && left.fetch_sub(1, Relaxed) == 1 {
                shared.set_stopped(true);
            }
        }
        search.report();
    };
    // More threads than questions would be idle.
    let threads = threads.clamp(1, questions.len().max(2));
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
                positions: shared.visited(),
                answered: questions.len() - left.load(Relaxed),
                questions: questions.len(),
                table_mb: shared.megabytes(),
            });
        }
    });
    found.into_iter().map(|found| found.into_inner().unwrap_or_default()).collect()
}

/// A position after a chain.
struct Child<P> {
    position: P,
    key: u64,
    gain: i16,
    bounds: Bounds,
}

/// A search by one thread.
pub(super) struct Search<'a, P, E> {
    grid: &'a Grid,
    shared: &'a SharedTable<E>,
    table: Arc<BoundsTable<E>>,
    /// Children of all positions on the path from the root.
    stack: Vec<Child<P>>,
    /// Search order of the children: score, tie-break key, index in the stack.
    order: Vec<(i32, u64, u32)>,
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

impl<'a, P: Position, E: AtomicEntry> Search<'a, P, E> {
    /// Creates the search of a thread.
    pub fn new(grid: &'a Grid, shared: &'a SharedTable<E>, thread: u64) -> Self {
        Search {
            grid,
            shared,
            table: shared.table(),
            stack: Vec::new(),
            order: Vec::new(),
            visited: 0,
            reported: 0,
            filled: 0,
            salt: thread.wrapping_mul(0x9E37_79B9_7F4A_7C15),
        }
    }

    /// The exact value of a position, by zero-window searches from 0 on; `None` if stopped.
    pub fn value(&mut self, position: &P) -> Option<i16> {
        let mut known = self.table.get(position.key());
        while known.low < known.high {
            let ask = if known.low >= 0 { known.low } else { known.high.min(0) - 1 };
            let found = self.search(position, position.key(), ask, ask + 1);
            if self.shared.is_stopped() {
                return None;
            }
            match found > ask {
                true => known.low = found,
                false => known.high = found,
            }
        }
        Some(known.low)
    }

    /// Returns `Some(true)` if the value of a position exceeds `bound`; `None` if stopped.
    pub fn exceeds(&mut self, position: &P, bound: i16) -> Option<bool> {
        let found = self.search(position, position.key(), bound, bound + 1);
        (!self.shared.is_stopped()).then_some(found > bound)
    }

    /// The known bounds of a position.
    pub fn known(&self, position: &P) -> Bounds {
        self.table.get(position.key())
    }

    /// The position after each chain in order, and the chain's points.
    pub fn children(&mut self, position: &P) -> Vec<(P, i16)> {
        for at in bits(position.pieces()) {
            self.push_chains(position, at, 0);
        }
        self.stack.drain(..).map(|child| (child.position, child.gain)).collect()
    }

    /// Updates the shared counters.
    pub fn report(&mut self) {
        self.shared.add_progress(self.visited - self.reported, self.filled);
        (self.reported, self.filled) = (self.visited, 0);
    }

    /// Returns the value if it is between `low` and `high`; otherwise a bound outside (fail-soft).
    fn search(&mut self, position: &P, key: u64, low: i16, high: i16) -> i16 {
        let known = self.table.get(key);
        if known.low >= high || known.low == known.high {
            return known.low;
        }
        if known.high <= low {
            return known.high;
        }
        let pieces = position.pieces();
        let touched = self.grid.touched(pieces);
        if touched == 0 {
            return 0;
        }
        let live = self.grid.live(pieces, touched);
        if live != pieces {
            let rest = position.keep(self.grid, live);
            let rest_key = rest.key();
            let value = self.search(&rest, rest_key, low, high);
            let bounds = self.table.get(rest_key);
            self.put(key, bounds);
            return value;
        }
        // The seat to move captures at least one point, and nobody more than all.
        let most = position.most();
        let known = known.and(Bounds { low: 2 - most, high: most });
        if known.low >= high || known.high <= low || known.low == known.high {
            self.put(key, known);
            return if known.low >= high { known.low } else { known.high };
        }
        let before = self.visited;
        self.count();
        let first = self.stack.len();
        for at in bits(pieces) {
            self.push_chains(position, at, 0);
        }
        let proved = self.search_children(first, most, known, low, high);
        self.stack.truncate(first);
        if self.shared.is_stopped() {
            return low;
        }
        self.put(key, proved);
        if self.visited - before >= EXPENSIVE {
            self.shared.save(key, proved);
        }
        if proved.low >= high { proved.low } else { proved.high }
    }

    /// Returns bounds of a position whose children are on the stack from `first` on.
    ///
    /// The bounds are equal if the value is between `low` and `high`.
    fn search_children(
        &mut self,
        first: usize,
        most: i16,
        known: Bounds,
        low: i16,
        high: i16,
    ) -> Bounds {
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
        let start = self.order.len();
        for (place, child) in (first as u32..).zip(&self.stack[first..]) {
            // Prefer points now and few leaps for the other seat, which are searched quickly.
            let mobility = self.grid.mobility(child.position.pieces()) as i32;
            let score = mobility - 4 * i32::from(child.gain);
            self.order.push((score, child.key ^ self.salt, place));
        }
        self.order[start..].sort_unstable();
        let mut most = i16::MIN;
        for next in start..self.order.len() {
            let (_, key, place) = self.order[next];
            if next > start && self.order[next - 1].1 == key {
                continue;
            }
            let Child { position, key, gain, bounds } = &self.stack[place as usize];
            let (position, key, gain, bounds) = (*position, *key, *gain, *bounds);
            let floor = lower.max(low);
            if gain - bounds.low <= floor {
                most = most.max(gain - bounds.low);
                continue;
            }
            let found = gain - self.search(&position, key, gain - high, gain - floor);
            if found > floor {
                lower = found;
            }
            most = most.max(found);
            if lower >= high || self.shared.is_stopped() {
                most = upper;
                break;
            }
        }
        self.order.truncate(start);
        Bounds { low: lower, high: most.min(upper) }
    }

    /// Pushes the position after each chain of one piece.
    fn push_chains(&mut self, position: &P, at: usize, gain: i16) {
        let (grid, pieces) = (self.grid, position.pieces());
        for leap in &grid.leaps[at] {
            if pieces & leap.over != 0 && pieces & leap.to == 0 {
                let (after, points) = position.leap(at, leap);
                let (key, gain) = (after.key(), gain + points);
                self.stack.push(Child { position: after, key, gain, bounds: Bounds::NONE });
                if grid.shape.chains {
                    self.push_chains(&after, leap.to_at.into(), gain);
                }
            }
        }
    }

    fn put(&mut self, key: u64, bounds: Bounds) {
        self.filled += u64::from(self.table.put(key, bounds));
    }

    fn count(&mut self) {
        self.visited += 1;
        if self.visited.is_multiple_of(REPORT) {
            self.report();
            if self.shared.has_grown(&self.table) {
                self.table = self.shared.table();
            }
        }
    }
}
