//! Alpha-beta over whole chains, with everything remembered in tables.
//!
//! All pieces are common, so the value of a position, the points of the seat to leap less the
//! other's from here on, does not depend on whose turn it is, and is an exact number that does not
//! depend on how the position came about: every bound that a search proves stays true. (The bots'
//! alpha-beta, `bots/lookahead.rs`, has a horizon, a budget, up to four seats and boards of any size,
//! and what it knows holds for a depth only; no more than the loop over the children would be shared.)

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

/// Bounds of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Bounds {
    pub low: i16,
    pub high: i16,
}

impl Bounds {
    pub const NONE: Bounds = Bounds { low: -127, high: 127 };
}

/// A table of bounds by key.
pub(super) trait Table {
    fn get(&self, key: u64) -> Bounds;
    fn put(&mut self, key: u64, bounds: Bounds);
}

/// Two bytes for every set of cells there is: nothing is ever forgotten. A bound stands as how far
/// it has moved from [`Bounds::NONE`].
pub(super) struct Direct(Vec<[u8; 2]>);

impl Direct {
    /// The bytes it takes for each set of cells.
    pub const ENTRY: u64 = 2;

    pub fn new(cells: u32) -> Direct {
        // Zeroed memory is only taken from the system where it is written to.
        Direct(vec![[0; 2]; 1 << cells])
    }
}

impl Table for Direct {
    fn get(&self, key: u64) -> Bounds {
        let [up, down] = self.0[key as usize].map(i16::from);
        Bounds { low: Bounds::NONE.low + up, high: Bounds::NONE.high - down }
    }
    fn put(&mut self, key: u64, bounds: Bounds) {
        let moved = [bounds.low - Bounds::NONE.low, Bounds::NONE.high - bounds.high];
        self.0[key as usize] = moved.map(|by| by as u8);
    }
}

/// A table of a fixed size with the whole key in each entry; when four neighbours are taken, the
/// one with the fewest pieces, which is the cheapest to search again, makes room.
pub(super) struct Hashed {
    entries: Vec<(u64, Bounds)>,
    mask: usize,
}

impl Hashed {
    pub const ENTRY: u64 = size_of::<(u64, Bounds)>() as u64;

    /// The largest power of two of entries within so many bytes.
    pub fn new(bytes: u64) -> Hashed {
        let count = (bytes / Self::ENTRY).max(8);
        let count = 1usize << count.ilog2();
        Hashed { entries: vec![(0, Bounds { low: 0, high: 0 }); count], mask: (count - 1) & !3 }
    }
    fn place(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 24) as usize & self.mask
    }
}

impl Table for Hashed {
    fn get(&self, key: u64) -> Bounds {
        let place = self.place(key);
        let found = self.entries[place..place + 4].iter().find(|entry| entry.0 == key);
        found.map_or(Bounds::NONE, |entry| entry.1)
    }
    fn put(&mut self, key: u64, bounds: Bounds) {
        let place = self.place(key);
        let four = &mut self.entries[place..place + 4];
        let pieces = |entry: &(u64, Bounds)| (entry.0 & 0x1F_FFFF).count_ones();
        let known = four.iter().position(|entry| entry.0 == key);
        let at = known.unwrap_or_else(|| (0..4).min_by_key(|&i| pieces(&four[i])).unwrap_or(0));
        four[at] = (key, bounds);
    }
}
