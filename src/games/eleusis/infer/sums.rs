//! Weights of sets of cards, summed by card.

/// Weights summed by card: first by the value of each byte of a set, so that a set takes seven
/// additions.
pub(super) struct Sums([[f64; 256]; 7]);

impl Default for Sums {
    fn default() -> Sums {
        Sums([[0.0; 256]; 7])
    }
}

impl Sums {
    #[inline]
    pub fn add(&mut self, set: u64, weight: f64) {
        for (byte, sums) in set.to_le_bytes().into_iter().zip(&mut self.0) {
            sums[usize::from(byte)] += weight;
        }
    }

    pub fn by_card(&self) -> [f64; 52] {
        std::array::from_fn(|card| {
            let with = (0..256usize).filter(|value| value >> (card % 8) & 1 == 1);
            with.map(|value| self.0[card / 8][value]).sum()
        })
    }
}
