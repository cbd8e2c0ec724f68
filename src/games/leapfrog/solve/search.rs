//! Alpha-beta over whole chains, with everything remembered.
//!
//! All pieces are common, so the value of a position, the points of the seat to leap less the
//! other's from here on, does not depend on whose turn it is, and is an exact number that does not
//! depend on how the position came about: every bound that a search proves stays true.

use super::Progress;
use super::grid::Grid;
use super::position::Position;
use super::table::{Bounds, Table};

/// A position after a chain.
#[derive(Clone, Copy)]
struct Child<P> {
    position: P,
    key: u64,
    gain: i16,
    bounds: Bounds,
}

/// A search and what it knows.
pub(super) struct Search<'a, P, T> {
    grid: &'a Grid,
    table: T,
    /// The children of all positions on the way from the root, those of the last one on top.
    stack: Vec<Child<P>>,
    pub visited: u64,
    progress: &'a mut dyn FnMut(Progress),
}

/// How many positions are visited between two reports.
const REPORT: u64 = 1 << 18;

impl<'a, P: Position, T: Table> Search<'a, P, T> {
    pub fn new(grid: &'a Grid, table: T, progress: &'a mut dyn FnMut(Progress)) -> Self {
        Search { grid, table, stack: Vec::new(), visited: 0, progress }
    }

    /// The exact value.
    pub fn value(&mut self, position: P) -> i16 {
        let most = position.points();
        self.search(position, position.key(self.grid), -most, most)
    }

    /// The value if it lies between the two numbers; otherwise a bound beyond the one it passes.
    pub fn within(&mut self, position: P, low: i16, high: i16) -> i16 {
        self.search(position, position.key(self.grid), low, high)
    }

    fn search(&mut self, position: P, key: u64, low: i16, high: i16) -> i16 {
        let known = self.table.get(key);
        if known.low >= high || known.low == known.high {
            return known.low;
        }
        if known.high <= low {
            return known.high;
        }
        self.visited += 1;
        if self.visited.is_multiple_of(REPORT) {
            (self.progress)(Progress { positions: self.visited });
        }
        let first = self.stack.len();
        self.expand(position);
        if self.stack.len() == first {
            self.table.put(key, Bounds { low: 0, high: 0 });
            return 0;
        }
        // Beyond what is known already nothing need be shown.
        let asked = low.max(known.low);
        let enough = high.min(known.high);
        // What is known of the children may settle it without a search.
        let mut best = i16::MIN;
        for child in &self.stack[first..] {
            best = best.max(child.gain - child.bounds.high);
        }
        let mut next = first;
        while best < enough && next < self.stack.len() {
            let Child { position, key, gain, .. } = self.stack[next];
            next += 1;
            let least = asked.max(best);
            best = best.max(gain - self.search(position, key, gain - enough, gain - least));
        }
        self.stack.truncate(first);
        let bounds = Bounds {
            low: if best > asked { best } else { known.low },
            high: if best < enough { best } else { known.high },
        };
        self.table.put(key, bounds);
        best
    }

    /// Puts the children on the stack, those that promise most first.
    fn expand(&mut self, position: P) {
        let first = self.stack.len();
        let mut pieces = position.pieces();
        while pieces != 0 {
            let at = pieces.trailing_zeros();
            pieces &= pieces - 1;
            self.leap_on(position, at, 0);
        }
        let children = &mut self.stack[first..];
        children.sort_unstable_by_key(|child| (child.key, child.gain));
        let mut kept = first;
        for index in first..self.stack.len() {
            let mut child = self.stack[index];
            if kept > first && self.stack[kept - 1].key == child.key {
                // The same position for more points, if there is a difference.
                self.stack[kept - 1].gain = child.gain.max(self.stack[kept - 1].gain);
                continue;
            }
            child.bounds = self.table.get(child.key);
            self.stack[kept] = child;
            kept += 1;
        }
        self.stack.truncate(kept);
        self.stack[first..].sort_unstable_by_key(|child| {
            let hope = child.gain - child.bounds.low.max(-2);
            (-hope, -child.gain, child.key)
        });
    }

    fn leap_on(&mut self, position: P, at: u32, gain: i16) {
        let (grid, pieces) = (self.grid, position.pieces());
        for &leap in grid.leaps(at) {
            if pieces & leap.over != 0 && pieces & leap.to == 0 {
                let (after, points) = position.leap(1 << at, leap);
                let (key, gain) = (after.key(grid), gain + points);
                self.stack.push(Child { position: after, key, gain, bounds: Bounds::NONE });
                if grid.chains {
                    self.leap_on(after, leap.to.trailing_zeros(), gain);
                }
            }
        }
    }
}
