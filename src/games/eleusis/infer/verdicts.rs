//! What hypotheses say of cards, given what their tests say.

use crate::cards::CardSet;
use crate::games::eleusis::rule::Verdicts;
use crate::games::eleusis::vocabulary::{Combination, Join};

/// What a test says of one card: bit 0, whether it is right; bit 1, whether it says yes.
pub(super) type Bits = u8;

/// What is said of one card.
#[inline]
pub(super) fn bits(verdicts: Verdicts, card: u8) -> Bits {
    ((verdicts.right >> card & 1) | (verdicts.yes >> card & 1) << 1) as u8
}

impl Combination {
    /// The cards that are right, given what each test says.
    #[inline]
    pub fn right(self, tests: &[Verdicts]) -> u64 {
        let at = |part: usize| tests[usize::from(self.tests[part])];
        match self.join {
            Join::One => at(0).right,
            Join::And => at(0).right & at(1).right,
            Join::Or => at(0).right | at(1).right,
            Join::Xor => {
                let (a, b) = (at(0), at(1));
                CardSet::FULL.0 & !(a.yes & b.yes) & (a.right | b.right)
            }
            Join::If => {
                let (c, a, b) = (at(0), at(1), at(2));
                // Where the condition is unknown, either may hold.
                c.right & a.right | !c.yes & b.right
            }
        }
    }

    /// Whether a card is right, given what each test says of it.
    #[inline]
    pub(super) fn says(self, tests: &[Bits]) -> bool {
        let at = |part: usize| tests[usize::from(self.tests[part])];
        let bit = match self.join {
            Join::One => at(0),
            Join::And => at(0) & at(1),
            Join::Or => at(0) | at(1),
            Join::Xor => (at(0) | at(1)) & !((at(0) & at(1)) >> 1),
            Join::If => (at(0) & at(1)) | (!(at(0) >> 1) & at(2)),
        };
        bit & 1 == 1
    }
}

/// Weights of sets of cards, summed by card: first by the value of each byte of a set, so that a
/// set takes seven additions.
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
