//! A stream of random numbers.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

/// A stream of random numbers; clones continue alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    generator: Xoshiro256PlusPlus,
    is_exchanged: bool,
}

impl From<Xoshiro256PlusPlus> for Stream {
    fn from(generator: Xoshiro256PlusPlus) -> Stream {
        Stream { generator, is_exchanged: false }
    }
}

impl Stream {
    /// Returns the same stream, marked: a deal from it gives each of two seats the cards that the
    /// other gets without the mark.
    #[must_use]
    pub fn exchanged(self) -> Stream {
        Stream { is_exchanged: true, ..self }
    }

    /// Returns `true` if the stream is marked for an exchange of cards.
    pub fn is_exchanged(&self) -> bool {
        self.is_exchanged
    }

    /// Returns 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// Returns an unbiased number in `0..bound` (Lemire, *Fast random integer generation in an
    /// interval*, 2019). The bound must not be 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        let bits = (self.bits() >> 32) as u32;
        self.below_with(bits, bound)
    }

    /// Does the same as [`below`](Stream::below) with 32 random bits at hand. The stream is used
    /// only in the rare case that they are rejected.
    #[inline]
    pub fn below_with(&mut self, bits: u32, bound: u32) -> u32 {
        debug_assert!(bound > 0);
        let mut product = u64::from(bits) * u64::from(bound);
        // Only a low part below the bound can be one of the surplus values, which is rare: the
        // division is kept off the usual path.
        while (product as u32) < bound && (product as u32) < bound.wrapping_neg() % bound {
            product = (self.bits() >> 32) * u64::from(bound);
        }
        (product >> 32) as u32
    }

    /// Returns a number in `[0, 1)` with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Shuffles a slice (Fisher and Yates, from the end; Durstenfeld 1964).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Seed;

    // A change of these vectors changes every result ever published with the program.
    #[test]
    fn test_vectors() {
        let mut stream = Seed::new(1963).stream();
        let bits: Vec<u64> = (0..3).map(|_| stream.bits()).collect();
        let below: Vec<u32> = (0..8).map(|_| stream.below(52)).collect();
        let unit = stream.unit();
        let mut order: Vec<u8> = (0..10).collect();
        stream.shuffle(&mut order);
        insta::assert_debug_snapshot!((bits, below, unit, order));
    }

    #[test]
    fn numbers_below_a_bound_are_uniform() {
        let mut stream = Seed::new(7).stream();
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[stream.below(6) as usize] += 1;
        }
        // Chi-square with 5 degrees of freedom exceeds 20.5 once in a thousand.
        let chi: f64 = counts.iter().map(|&c| (f64::from(c) - 1e4).powi(2) / 1e4).sum();
        assert!(chi < 20.5, "{counts:?}");
    }

    #[test]
    fn rejection_removes_bias_of_large_bounds() {
        // With a bound of three quarters of 2^32, plain scaling would favour every third value.
        let mut stream = Seed::new(9).stream();
        let bound = 3 << 30;
        let low = (0..30_000).filter(|_| stream.below(bound).is_multiple_of(3)).count();
        assert!((9_600..10_400).contains(&low), "{low}");
    }

    #[test]
    fn units_lie_between_zero_and_one() {
        let mut stream = Seed::new(3).stream();
        let mean = (0..10_000)
            .map(|_| stream.unit())
            .inspect(|u| assert!((0.0..1.0).contains(u)))
            .sum::<f64>()
            / 1e4;
        assert!((mean - 0.5).abs() < 0.015, "{mean}");
    }
}
