//! Alpha-beta over whole chains, with everything that is proved remembered in a table.
//!
//! All pieces are common, so the value of a position, the points of the seat to leap less the
//! other's from here on, does not depend on whose turn it is, and is an exact number that does not
//! depend on how the position came about: every bound that a search proves stays true. (The bots'
//! alpha-beta, `bots/lookahead.rs`, has a horizon, a budget, up to four seats and boards of any size,
//! and what it knows holds for a depth only; no more than the loop over the children would be shared.)

use std::sync::Arc;

use super::grid::Grid;
use super::hub::Hub;
use super::position::{Position, bits};
use super::table::{Bounds, Entry, Table};

/// A position after a chain.
struct Child<P> {
    position: P,
    key: u64,
    gain: i16,
    bounds: Bounds,
}

/// A search by one thread.
pub(super) struct Search<'a, P, E> {
    pub grid: &'a Grid,
    hub: &'a Hub<E>,
    table: Arc<Table<E>>,
    /// The children of all positions on the way from the root, those of the last one on top.
    stack: Vec<Child<P>>,
    /// In which order the children are searched: how well they promise, a key, where they stand.
    order: Vec<(i32, u64, u32)>,
    /// Positions searched, and how many of them the hub knows of.
    visited: u64,
    told: u64,
    /// Entries of the table that were filled, and of which the hub does not know yet.
    filled: u64,
    /// Children that promise alike are tried in another order by each thread.
    salt: u64,
}

/// After so many positions the hub is told of them.
const REPORT: u64 = 1 << 12;

/// A position that took so many to settle is saved.
const DEAR: u64 = 1 << 12;

impl<'a, P: Position, E: Entry> Search<'a, P, E> {
    /// A search by the thread of this number.
    pub fn new(grid: &'a Grid, hub: &'a Hub<E>, thread: u64) -> Self {
        Search {
            grid,
            hub,
            table: hub.table(),
            stack: Vec::new(),
            order: Vec::new(),
            visited: 0,
            told: 0,
            filled: 0,
            salt: thread.wrapping_mul(0x9E37_79B9_7F4A_7C15),
        }
    }

    /// The exact value of a position, by questions of one step each from 0 on; none where the
    /// answer is not wanted any more.
    pub fn value(&mut self, position: &P) -> Option<i16> {
        let mut known = self.table.get(position.key());
        while known.low < known.high {
            let ask = if known.low >= 0 { known.low } else { known.high.min(0) - 1 };
            let found = self.search(position, position.key(), ask, ask + 1);
            if self.hub.stopped() {
                return None;
            }
            match found > ask {
                true => known.low = found,
                false => known.high = found,
            }
        }
        Some(known.low)
    }

    /// Whether a position is worth more than this; none where the answer is not wanted any more.
    pub fn exceeds(&mut self, position: &P, bound: i16) -> Option<bool> {
        let found = self.search(position, position.key(), bound, bound + 1);
        (!self.hub.stopped()).then_some(found > bound)
    }

    /// What is known so far of a position.
    pub fn known(&self, position: &P) -> Bounds {
        self.table.get(position.key())
    }

    /// What comes of every chain, in order, and the points it brings.
    pub fn children(&mut self, position: &P) -> Vec<(P, i16)> {
        for at in bits(position.pieces()) {
            self.leap_on(position, at, 0);
        }
        self.stack.drain(..).map(|child| (child.position, child.gain)).collect()
    }

    /// Tells the hub what it does not know yet.
    pub fn report(&mut self) {
        self.hub.tell(self.visited - self.told, self.filled);
        (self.told, self.filled) = (self.visited, 0);
    }

    /// The value if it lies between the two numbers; otherwise a bound beyond the one it passes.
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
        // Whoever moves captures something, and nobody more than there is.
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
            self.leap_on(position, at, 0);
        }
        let proved = self.settle(first, most, known, low, high);
        self.stack.truncate(first);
        if self.hub.stopped() {
            return low;
        }
        self.put(key, proved);
        if self.visited - before >= DEAR {
            self.hub.save(key, proved);
        }
        if proved.low >= high { proved.low } else { proved.high }
    }

    /// The bounds of a position of which this is known, and whose children stand on the stack from
    /// here on. Where its value is between the two numbers they are equal.
    fn settle(&mut self, first: usize, most: i16, known: Bounds, low: i16, high: i16) -> Bounds {
        for child in &mut self.stack[first..] {
            let left = most - child.gain;
            let bounds = Bounds { low: (2 - left).min(0), high: left };
            child.bounds = self.table.get(child.key).and(bounds);
        }
        let children = &self.stack[first..];
        // What is known of the children may settle it without a search.
        let sure = children.iter().map(|child| child.gain - child.bounds.high);
        let mut sure = sure.max().unwrap_or(known.low).max(known.low);
        let hoped = children.iter().map(|child| child.gain - child.bounds.low);
        let hoped = hoped.max().unwrap_or(known.high).min(known.high);
        if sure >= high || hoped <= low || sure >= hoped {
            return Bounds { low: sure, high: hoped };
        }
        let start = self.order.len();
        for (place, child) in (first as u32..).zip(&self.stack[first..]) {
            // Points now, and few leaps for the other seat: a position with few is settled soon.
            let mobility = self.grid.mobility(child.position.pieces()) as i32;
            let promise = mobility - 4 * i32::from(child.gain);
            self.order.push((promise, child.key ^ self.salt, place));
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
            let floor = sure.max(low);
            if gain - bounds.low <= floor {
                most = most.max(gain - bounds.low);
                continue;
            }
            let found = gain - self.search(&position, key, gain - high, gain - floor);
            if found > floor {
                sure = found;
            }
            most = most.max(found);
            if sure >= high || self.hub.stopped() {
                most = hoped;
                break;
            }
        }
        self.order.truncate(start);
        Bounds { low: sure, high: most.min(hoped) }
    }

    /// Puts what comes of every chain of the piece on a cell on the stack.
    fn leap_on(&mut self, position: &P, at: usize, gain: i16) {
        let (grid, pieces) = (self.grid, position.pieces());
        for leap in &grid.leaps[at] {
            if pieces & leap.over != 0 && pieces & leap.to == 0 {
                let (after, points) = position.leap(at, leap);
                let (key, gain) = (after.key(), gain + points);
                self.stack.push(Child { position: after, key, gain, bounds: Bounds::NONE });
                if grid.shape.chains {
                    self.leap_on(&after, leap.to_at.into(), gain);
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
            if self.hub.has_grown(&self.table) {
                self.table = self.hub.table();
            }
        }
    }
}
