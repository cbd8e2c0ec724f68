//! The transposition table: proved bounds by key, without false hits.
//!
//! An invertible function mixes the key. The high bits of the result select a bucket of four
//! entries; the entry stores the rest as its tag. So an entry identifies its whole key in a few
//! bytes. (Chess programs and Rubik's cube solvers know this as a perfect hash of tag and index.)
//! The mixer has three xor-shifts and two multiplications, as in SplitMix64.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use parlour_base::chance::GAMMA;

/// Bounds of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub low: i16,
    pub high: i16,
}

impl Bounds {
    /// Bounds beyond all values: at most 27 coloured pieces, worth at most 4 each, or 60 plain ones.
    pub const NONE: Bounds = Bounds { low: -127, high: 127 };

    /// The window that asks if a value exceeds a number.
    pub fn above(number: i16) -> Bounds {
        Bounds { low: number, high: number + 1 }
    }

    /// The intersection of both bounds.
    pub fn and(self, other: Bounds) -> Bounds {
        Bounds { low: self.low.max(other.low), high: self.high.min(other.high) }
    }

    /// The value, or a bound of it that lies outside a window. `None` if it may be inside.
    #[inline]
    pub fn settled(self, window: Bounds) -> Option<i16> {
        if self.low >= window.high || self.low == self.high {
            return Some(self.low);
        }
        (self.high <= window.low).then_some(self.high)
    }
}

/// Entries per bucket.
const BUCKET: usize = 4;

/// Bits of an entry for its tag; the rest are two bounds of a byte each.
const TAG_BITS: u32 = 48;

/// A table of a fixed size, which threads share. Every bound is true, so the last writer may win.
pub(super) struct BoundsTable {
    /// Tag and bounds; 0 if empty.
    entries: Vec<AtomicU64>,
    mix: KeyMixer,
    /// Bits of a tag.
    tag: u32,
    /// Counts the pieces of the position with a key.
    count: fn(u64) -> u32,
}

impl BoundsTable {
    /// The smallest table for keys of this many bits, as a power of two of entries.
    pub fn least(key_bits: u32) -> u32 {
        key_bits.saturating_sub(TAG_BITS) + BUCKET.ilog2()
    }

    /// Size in bytes of a table with 2^`log` entries.
    pub fn bytes(log: u32) -> u64 {
        8 << log.min(56)
    }

    /// Creates a table with 2^`log` entries, where `log` is at least [`least`](Self::least).
    ///
    /// Returns `None` if the memory cannot be allocated.
    pub fn new(log: u32, key_bits: u32, count: fn(u64) -> u32) -> Option<BoundsTable> {
        // A table with room for every key needs no tags.
        let key_bits = key_bits.max(log - BUCKET.ilog2()).max(1);
        let mut entries = Vec::new();
        entries.try_reserve_exact(1 << log).ok()?;
        entries.resize_with(1 << log, AtomicU64::default);
        let tag = key_bits - (log - BUCKET.ilog2());
        Some(BoundsTable { entries, mix: KeyMixer::new(key_bits), tag, count })
    }

    /// Number of entries.
    pub fn room(&self) -> u64 {
        self.entries.len() as u64
    }

    #[inline]
    fn place(&self, mixed: u64) -> (&[AtomicU64], u64) {
        let at = (mixed >> self.tag) as usize * BUCKET;
        (&self.entries[at..at + BUCKET], mixed & ((1 << self.tag) - 1))
    }

    /// The known bounds of a key.
    #[inline]
    pub fn get(&self, key: u64) -> Bounds {
        let (bucket, tag) = self.place(self.mix.mix(key));
        let entries = bucket.iter().map(|entry| entry.load(Relaxed));
        let mut known = entries.filter(|&entry| entry != 0 && entry >> 16 == tag);
        known.next().map_or(Bounds::NONE, unpack)
    }

    /// Adds bounds. Returns `true` if they filled an empty entry.
    ///
    /// A full bucket drops the position with the fewest pieces, the cheapest one to search again.
    #[inline]
    pub fn put(&self, key: u64, bounds: Bounds) -> bool {
        let mixed = self.mix.mix(key);
        let (bucket, tag) = self.place(mixed);
        for entry in bucket {
            let old = entry.load(Relaxed);
            if old == 0 {
                entry.store(pack(tag, bounds), Relaxed);
                return true;
            }
            if old >> 16 == tag {
                entry.store(pack(tag, bounds.and(unpack(old))), Relaxed);
                return false;
            }
        }
        let index = mixed >> self.tag << self.tag;
        let pieces =
            |entry: &&AtomicU64| (self.count)(self.mix.unmix(index | entry.load(Relaxed) >> 16));
        if let Some(entry) = bucket.iter().min_by_key(pieces) {
            entry.store(pack(tag, bounds), Relaxed);
        }
        false
    }

    /// Returns a copy with twice the entries, and the number of filled ones.
    pub fn grown(&self) -> Option<(BoundsTable, u64)> {
        let log = self.entries.len().ilog2() + 1;
        let grown = BoundsTable::new(log, self.mix.bits, self.count)?;
        let mut filled = 0;
        for (index, bucket) in self.entries.chunks_exact(BUCKET).enumerate() {
            for entry in bucket.iter().map(|entry| entry.load(Relaxed)).filter(|&entry| entry != 0)
            {
                let key = self.mix.unmix((index as u64) << self.tag | entry >> 16);
                filled += u64::from(grown.put(key, unpack(entry)));
            }
        }
        Some((grown, filled))
    }
}

/// Packs a tag and two bounds, each shifted to be above 0.
#[inline]
fn pack(tag: u64, bounds: Bounds) -> u64 {
    let byte = |bound: i16| (bound + 128) as u64;
    tag << 16 | byte(bounds.high) << 8 | byte(bounds.low)
}

#[inline]
fn unpack(entry: u64) -> Bounds {
    Bounds { low: (entry & 0xFF) as i16 - 128, high: (entry >> 8 & 0xFF) as i16 - 128 }
}

/// An invertible map of the numbers with a given number of bits.
#[derive(Clone, Copy)]
struct KeyMixer {
    bits: u32,
    mask: u64,
    /// At least half of the bits, so that each xor-shift is its own inverse.
    shift: u32,
    /// Inverses of the factors.
    inverse: [u64; 2],
}

impl KeyMixer {
    const FACTORS: [u64; 2] = [GAMMA, 0xD1B5_4A32_D192_ED03];

    fn new(bits: u32) -> KeyMixer {
        // Newton's method: each step doubles the number of correct bits, from three on.
        let inverse = Self::FACTORS.map(|factor| {
            let step = |x: u64, _| x.wrapping_mul(2u64.wrapping_sub(factor.wrapping_mul(x)));
            (0..5).fold(factor, step)
        });
        KeyMixer { bits, mask: u64::MAX >> (64 - bits), shift: bits.div_ceil(2), inverse }
    }

    #[inline]
    fn mix(self, key: u64) -> u64 {
        let mut x = key ^ key >> self.shift;
        for factor in Self::FACTORS {
            x = x.wrapping_mul(factor) & self.mask;
            x ^= x >> self.shift;
        }
        x
    }

    fn unmix(self, mixed: u64) -> u64 {
        let mut x = mixed;
        for factor in self.inverse.into_iter().rev() {
            x ^= x >> self.shift;
            x = x.wrapping_mul(factor) & self.mask;
        }
        x ^ x >> self.shift
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_mixer_is_invertible() {
        for bits in [2, 3, 7, 24, 36, 59, 63] {
            let mix = KeyMixer::new(bits);
            for key in (0..1000u64).map(|n| n.wrapping_mul(0x2545_F491_4F6C_DD1D) & mix.mask) {
                assert!(mix.mix(key) <= mix.mask);
                assert_eq!(mix.unmix(mix.mix(key)), key, "{bits} bits");
            }
        }
    }

    #[test]
    fn keys_never_collide_also_after_growth() {
        let mut table = BoundsTable::new(13, 16, u64::count_ones).unwrap();
        let bounds = |key: u64| Bounds { low: (key % 50) as i16 - 25, high: (key % 31) as i16 };
        let keys = || (0..1 << 12).map(|n| 13 * n);
        assert!((0..1 << 16).all(|key| table.get(key) == Bounds::NONE));
        let fresh = keys().filter(|&key| table.put(key, bounds(key))).count();
        for _ in 0..4 {
            let kept = (0..1 << 16).filter(|&key| table.get(key) != Bounds::NONE);
            assert!(kept.clone().all(|key| table.get(key) == bounds(key) && key % 13 == 0));
            assert_eq!(kept.count(), fresh);
            assert!(fresh > 3900, "{fresh}");
            let (grown, filled) = table.grown().unwrap();
            assert_eq!(filled, fresh as u64);
            table = grown;
        }
    }

    #[test]
    fn bounds_are_kept_exactly() {
        for (low, high) in [(-127, 127), (-127, -126), (0, 0), (-1, 1), (126, 127)] {
            assert_eq!(unpack(pack(5, Bounds { low, high })), Bounds { low, high });
        }
    }
}
