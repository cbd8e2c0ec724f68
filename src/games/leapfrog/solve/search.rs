//! Alpha-beta over whole chains, with everything remembered.
//!
//! All pieces are common, so the value of a position, the points of the seat to leap less the
//! other's from here on, does not depend on whose turn it is, and is an exact number that does not
//! depend on how the position came about: every bound that a search proves stays true. (The bots'
//! alpha-beta, `bots/lookahead.rs`, has a horizon, a budget, up to four seats and boards of any size,
//! and what it knows holds for a depth only; no more than the loop over the children would be shared.)

use super::table::{Bounds, Table};
use super::words::{Grid, Position};
use crate::games::leapfrog::Board;
use crate::games::leapfrog::board::bits;

/// A position after a chain.
#[derive(Clone, Copy)]
struct Child<const PLANES: usize> {
    position: Position<PLANES>,
    key: u64,
    gain: i16,
    bounds: Bounds,
}

/// A search and what it knows.
pub(super) struct Search<'a, T, const PLANES: usize> {
    pub grid: &'a Grid,
    table: T,
    /// The children of all positions on the way from the root, those of the last one on top.
    stack: Vec<Child<PLANES>>,
    /// The children of the last one while they are listed.
    fresh: Vec<Child<PLANES>>,
    pub visited: u64,
    progress: &'a mut dyn FnMut(u64),
}

/// How many positions are visited between two reports.
const REPORT: u64 = 1 << 18;

impl<'a, T: Table, const PLANES: usize> Search<'a, T, PLANES> {
    pub fn new(grid: &'a Grid, table: T, progress: &'a mut dyn FnMut(u64)) -> Self {
        Search { grid, table, stack: Vec::new(), fresh: Vec::new(), visited: 0, progress }
    }

    /// The exact value.
    pub fn value(&mut self, board: &Board) -> i32 {
        let most = board.points() as i32;
        self.within(board, -most, most)
    }

    /// The value if it lies between the two numbers; otherwise a bound beyond the one it passes.
    pub fn within(&mut self, board: &Board, low: i32, high: i32) -> i32 {
        let position = Position::of(self.grid, board);
        self.search(position, position.key(self.grid), low as i16, high as i16).into()
    }

    fn search(&mut self, position: Position<PLANES>, key: u64, low: i16, high: i16) -> i16 {
        let known = self.table.get(key);
        if known.low >= high || known.low == known.high {
            return known.low;
        }
        if known.high <= low {
            return known.high;
        }
        self.visited += 1;
        if self.visited.is_multiple_of(REPORT) {
            (self.progress)(self.visited);
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
        let sure = self.stack[first..].iter().map(|child| child.gain - child.bounds.high);
        let mut best = sure.max().unwrap_or(i16::MIN);
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
    fn expand(&mut self, position: Position<PLANES>) {
        for at in bits(position.pieces()) {
            self.leap_on(position, at, 0);
        }
        // Of the same position for more points, if there is a difference, the most points.
        self.fresh.sort_unstable_by_key(|child| (child.key, -child.gain));
        self.fresh.dedup_by_key(|child| child.key);
        for child in &mut self.fresh {
            child.bounds = self.table.get(child.key);
        }
        self.fresh.sort_unstable_by_key(|child| {
            let hope = child.gain - child.bounds.low.max(-2);
            (-hope, -child.gain, child.key)
        });
        self.stack.append(&mut self.fresh);
    }

    fn leap_on(&mut self, position: Position<PLANES>, at: usize, gain: i16) {
        let (grid, pieces) = (self.grid, position.pieces());
        for &leap in &grid.leaps[at] {
            if pieces & leap.over != 0 && pieces & leap.to == 0 {
                let (after, points) = position.leap(1 << at, leap);
                let (key, gain) = (after.key(grid), gain + points);
                self.fresh.push(Child { position: after, key, gain, bounds: Bounds::NONE });
                if grid.chains {
                    self.leap_on(after, leap.to.trailing_zeros() as usize, gain);
                }
            }
        }
    }
}
