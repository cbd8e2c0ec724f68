//! Tables of what a search has proved.

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
    #[inline]
    fn get(&self, key: u64) -> Bounds {
        let [up, down] = self.0[key as usize].map(i16::from);
        Bounds { low: Bounds::NONE.low + up, high: Bounds::NONE.high - down }
    }

    #[inline]
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

    #[inline]
    fn place(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 24) as usize & self.mask
    }
}

impl Table for Hashed {
    #[inline]
    fn get(&self, key: u64) -> Bounds {
        let place = self.place(key);
        let found = self.entries[place..place + 4].iter().find(|entry| entry.0 == key);
        found.map_or(Bounds::NONE, |entry| entry.1)
    }

    #[inline]
    fn put(&mut self, key: u64, bounds: Bounds) {
        let place = self.place(key);
        let four = &mut self.entries[place..place + 4];
        let pieces = |entry: &(u64, Bounds)| (entry.0 & 0x1F_FFFF).count_ones();
        let known = four.iter().position(|entry| entry.0 == key);
        let at = known.unwrap_or_else(|| (0..4).min_by_key(|&i| pieces(&four[i])).unwrap_or(0));
        four[at] = (key, bounds);
    }
}
