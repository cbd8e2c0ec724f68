//! The transposition table: proved bounds by key, without false hits.
//!
//! An invertible function mixes the key. The high bits of the result select a bucket of four
//! entries; the entry stores the rest as its tag. So an entry identifies its whole key in a few
//! bytes. (Chess programs and Rubik's cube solvers know this as a perfect hash of tag and index.)
//! The mixer has three xor-shifts and two multiplications, as in SplitMix64.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// Bounds of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub low: i16,
    pub high: i16,
}

impl Bounds {
    pub const NONE: Bounds = Bounds { low: -512, high: 512 };

    /// The intersection of both bounds.
    pub fn and(self, other: Bounds) -> Bounds {
        Bounds { low: self.low.max(other.low), high: self.high.min(other.high) }
    }
}

/// A table entry that threads share. Every bound is true, so the last writer may win.
pub(super) trait AtomicEntry: Send + Sync {
    /// Bits of the entry.
    const BITS: u32;
    /// Bits of each of its two bounds.
    const BOUND: u32;

    fn empty() -> Self;
    fn load(&self) -> u64;
    fn store(&self, entry: u64);
}

/// Four bytes: a tag of 20 bits, bounds from −31 to 30.
impl AtomicEntry for AtomicU32 {
    const BITS: u32 = 32;
    const BOUND: u32 = 6;

    fn empty() -> AtomicU32 {
        AtomicU32::new(0)
    }
    #[inline]
    fn load(&self) -> u64 {
        self.load(Relaxed).into()
    }
    #[inline]
    fn store(&self, entry: u64) {
        self.store(entry as u32, Relaxed);
    }
}

/// Eight bytes: a tag of 48 bits, bounds from −127 to 126.
impl AtomicEntry for AtomicU64 {
    const BITS: u32 = 64;
    const BOUND: u32 = 8;

    fn empty() -> AtomicU64 {
        AtomicU64::new(0)
    }
    #[inline]
    fn load(&self) -> u64 {
        self.load(Relaxed)
    }
    #[inline]
    fn store(&self, entry: u64) {
        self.store(entry, Relaxed);
    }
}

/// Entries per bucket.
const BUCKET: usize = 4;

/// A table of a fixed size.
pub(super) struct BoundsTable<E> {
    entries: Vec<E>,
    mix: KeyMixer,
    /// Bits of a tag.
    tag: u32,
    /// Counts the pieces of the position with a key.
    count: fn(u64) -> u32,
}

impl<E: AtomicEntry> BoundsTable<E> {
    /// The smallest table for keys of this many bits, as a power of two of entries.
    pub fn least(key_bits: u32) -> u32 {
        let tag = E::BITS - 2 * E::BOUND;
        key_bits.saturating_sub(tag) + BUCKET.ilog2()
    }

    /// Size in bytes of a table with 2^`log` entries.
    pub fn bytes(log: u32) -> u64 {
        u64::from(E::BITS / 8) << log.min(56)
    }

    /// Creates a table with 2^`log` entries, where `log` is at least [`least`](Self::least).
    ///
    /// Returns `None` if the memory cannot be allocated.
    pub fn new(log: u32, key_bits: u32, count: fn(u64) -> u32) -> Option<BoundsTable<E>> {
        // A table with room for every key needs no tags.
        let key_bits = key_bits.max(log - BUCKET.ilog2()).max(1);
        let mut entries = Vec::new();
        entries.try_reserve_exact(1 << log).ok()?;
        entries.resize_with(1 << log, E::empty);
        let tag = key_bits - (log - BUCKET.ilog2());
        Some(BoundsTable { entries, mix: KeyMixer::new(key_bits), tag, count })
    }

    /// Number of entries.
    pub fn room(&self) -> usize {
        self.entries.len()
    }

    #[inline]
    fn place(&self, mixed: u64) -> (&[E], u64) {
        let at = (mixed >> self.tag) as usize * BUCKET;
        (&self.entries[at..at + BUCKET], mixed & ((1 << self.tag) - 1))
    }

    /// The known bounds of a key.
    #[inline]
    pub fn get(&self, key: u64) -> Bounds {
        let (bucket, tag) = self.place(self.mix.mix(key));
        for entry in bucket {
            let entry = entry.load();
            if entry >> (2 * E::BOUND) == tag && entry != 0 {
                return unpack::<E>(entry);
            }
        }
        Bounds::NONE
    }

    /// Adds bounds. Returns `true` if they filled an empty entry.
    ///
    /// A full bucket drops the position with the fewest pieces, the cheapest one to search again.
    #[inline]
    pub fn put(&self, key: u64, bounds: Bounds) -> bool {
        let mixed = self.mix.mix(key);
        let (bucket, tag) = self.place(mixed);
        for entry in bucket {
            let old = entry.load();
            if old == 0 {
                entry.store(pack::<E>(tag, bounds));
                return true;
            }
            if old >> (2 * E::BOUND) == tag {
                entry.store(pack::<E>(tag, bounds.and(unpack::<E>(old))));
                return false;
            }
        }
        let index = mixed >> self.tag << self.tag;
        let pieces =
            |entry: &&E| (self.count)(self.mix.unmix(index | entry.load() >> (2 * E::BOUND)));
        if let Some(entry) = bucket.iter().min_by_key(pieces) {
            entry.store(pack::<E>(tag, bounds));
        }
        false
    }

    /// Returns a copy with twice the entries, and the number of filled ones.
    pub fn grown(&self) -> Option<(BoundsTable<E>, u64)> {
        let log = self.entries.len().ilog2() + 1;
        let grown = BoundsTable::<E>::new(log, self.mix.bits, self.count)?;
        let mut filled = 0;
        for (index, bucket) in self.entries.chunks_exact(BUCKET).enumerate() {
            for entry in bucket.iter().map(E::load).filter(|&entry| entry != 0) {
                let mixed = (index as u64) << self.tag | entry >> (2 * E::BOUND);
                let (bucket, tag) = grown.place(mixed);
                if let Some(free) = bucket.iter().find(|entry| entry.load() == 0) {
                    free.store(tag << (2 * E::BOUND) | entry & ((1 << (2 * E::BOUND)) - 1));
                    filled += 1;
                }
            }
        }
        Some((grown, filled))
    }
}

/// Packs a tag and two bounds, each shifted to be at least 0. The result is never 0.
///
/// A bound that does not fit is weakened to one that does, or to none.
#[inline]
fn pack<E: AtomicEntry>(tag: u64, bounds: Bounds) -> u64 {
    let half = 1i16 << (E::BOUND - 1);
    let low = if bounds.low <= -half { 0 } else { bounds.low.min(half - 2) + half };
    let high = if bounds.high >= half { 2 * half - 1 } else { bounds.high.max(1 - half) + half };
    tag << (2 * E::BOUND) | (high as u64) << E::BOUND | low as u64
}

#[inline]
fn unpack<E: AtomicEntry>(entry: u64) -> Bounds {
    let (half, bound) = (1i16 << (E::BOUND - 1), (1 << E::BOUND) - 1);
    let (low, high) = ((entry & bound) as i16, (entry >> E::BOUND & bound) as i16);
    Bounds {
        low: if low == 0 { Bounds::NONE.low } else { low - half },
        high: if high == 2 * half - 1 { Bounds::NONE.high } else { high - half },
    }
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
    const FACTORS: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03];

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

    /// Stored keys never collide, also after the table has grown.
    fn check_keys<E: AtomicEntry>() {
        let mut table = BoundsTable::<E>::new(13, 16, u64::count_ones).unwrap();
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
    fn keys_never_collide() {
        check_keys::<AtomicU32>();
        check_keys::<AtomicU64>();
    }

    #[test]
    fn bounds_that_do_not_fit_are_weakened() {
        for low in -40..=40 {
            for high in low..=40 {
                let kept = unpack::<AtomicU32>(pack::<AtomicU32>(5, Bounds { low, high }));
                assert!(kept.low <= low && kept.high >= high);
                assert!((-31..30).contains(&low) == (kept.low == low) || low < -31 || low == 30);
                // Equal packed bounds are exact.
                assert!(kept.low < kept.high || (kept.low, kept.high) == (low, high));
            }
        }
    }
}
