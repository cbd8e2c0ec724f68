//! Seeds that branch by name and number.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::Stream;

/// The golden-ratio step of SplitMix64 (Steele, Lea and Flood 2014).
pub const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// The finalizer of SplitMix64 (Stafford's variant 13).
#[inline]
pub const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A node in the tree of seeds. Children are independent of one another and of the order in which
/// they are created.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seed(u64);

impl Seed {
    /// Creates the root seed from a user's number.
    pub const fn new(number: u64) -> Seed {
        Seed(mix(number.wrapping_add(GAMMA)))
    }

    /// Returns the child with this index.
    ///
    /// The child mixes `seed + (index + 1)·γ`. Mixing `seed ^ index` would make the children of
    /// neighbouring seeds permutations of one another.
    #[inline]
    #[must_use]
    pub const fn child(self, index: u64) -> Seed {
        Seed(mix(self.0.wrapping_add(index.wrapping_add(1).wrapping_mul(GAMMA))))
    }

    /// Returns the child with this name: from the last child on, the chain of its bytes, then of
    /// its length.
    #[must_use]
    pub fn named(self, name: &str) -> Seed {
        name.bytes()
            .fold(self.child(u64::MAX), |seed, byte| seed.child(byte.into()))
            .child(name.len() as u64)
    }

    /// Returns the seed as one number, as reports print it.
    pub const fn number(self) -> u64 {
        self.0
    }

    /// Returns the random stream of this seed: four SplitMix64 outputs fill the generator.
    #[inline]
    pub fn stream(self) -> Stream {
        let mut bytes = [0; 32];
        let (parts, _) = bytes.as_chunks_mut::<8>();
        for (index, part) in (0u64..).zip(parts) {
            *part = self.child(index).0.to_le_bytes();
        }
        Stream::from(Xoshiro256PlusPlus::from_seed(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_match_splitmix64() {
        // Published first outputs of SplitMix64 from seed 1234567.
        let published = [
            6457827717110365317,
            3203168211198807973,
            9817491932198370423,
            4593380528125082431,
            16408922859458223821,
        ];
        let seed = Seed(1_234_567);
        for (index, &expected) in published.iter().enumerate() {
            assert_eq!(seed.child(index as u64).0, expected);
        }
    }

    #[test]
    fn names_and_numbers_give_different_seeds() {
        let root = Seed::new(1);
        let mut seen = std::collections::BTreeSet::new();
        for index in 0..1000 {
            assert!(seen.insert(root.child(index).0));
        }
        for name in ["", "a", "b", "ab", "ba", "revised", "original"] {
            assert!(seen.insert(root.named(name).0), "{name}");
        }
        assert_ne!(Seed::new(0).child(1), Seed::new(1).child(0));
    }
}
