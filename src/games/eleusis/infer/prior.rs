//! A prior learnt from rules that people have used: the distribution over the combinations that
//! makes them likely and has weights near zero.
//!
//! A combination has features: its kind, what its parts are and where they stand, how its two sides
//! go together. Its prior is proportional to the exponential of the sum of their weights (a
//! log-linear model; Della Pietra, Della Pietra and Lafferty 1997), which is a product: of a factor
//! for each of its tests where it stands, one for its kind, one for how its two sides go together.
//! `lab/src/eleusis_prior.rs` learns the factors and writes them down.

use serde::{Deserialize, Serialize};

use crate::games::eleusis::{Combination, Join};

/// The prior learnt from the training half of the rule bank.
const LEARNT: &str = include_str!("../../../../strategies/eleusis/rules/prior.json");

/// How many kinds of combination there are: one test, both, either, exactly one, if.
pub const KINDS: usize = 5;

/// Where a test stands: alone, as a part of a pair, as a condition, as the first or second side.
pub const PLACES: usize = 4;

/// How two tests go together, a bit each: one says what the other does not; they hardly ever agree
/// that a card is right; they are of one template; they speak of the same.
pub type Pairing = u8;
/// How many ways there are to go together.
pub const PAIRINGS: usize = 16;

/// A combination, the class that it is of, and how its two sides go together.
pub type Member = (u32, Combination, Pairing);

/// What the masses of combinations are products of.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prior {
    /// The rules that it was learnt from.
    pub learnt_from: Vec<String>,
    /// The misspecification mass at the start: the share of those that the grammar does not hold,
    /// one added to the missing and two to all (Laplace's rule).
    pub outside: f64,
    /// Of each kind of combination.
    pub kinds: [f64; KINDS],
    /// Of each way in which the two parts of a pair go together, then the two sides of an *if*.
    pub pairings: [[f64; PAIRINGS]; 2],
    /// Of each test of the vocabulary at each place; 0 where it never stands.
    pub tests: [Vec<f64>; PLACES],
}

impl Prior {
    /// The prior learnt from the training half of the rule bank.
    ///
    /// # Panics
    /// Never: a test reads the embedded file.
    #[expect(clippy::panic, reason = "the text stands in this program")]
    pub fn learnt() -> Prior {
        serde_json::from_str(LEARNT).unwrap_or_else(|fault| panic!("the prior: {fault}"))
    }

    /// The mass of a combination, not scaled.
    fn mass(&self, &(_, ref rule, pairing): &Member) -> f64 {
        let pairing = match rule.join {
            Join::One => 1.0,
            join => self.pairings[usize::from(join == Join::If)][usize::from(pairing)],
        };
        let parts = rule.tests().iter().enumerate();
        let parts = parts.map(|(at, &test)| self.tests[rule.place(at)][usize::from(test)]);
        parts.fold(self.kinds[rule.join as usize] * pairing, |mass, factor| mass * factor)
    }

    /// The prior of each class: the sum over its members.
    pub(super) fn of_classes(&self, members: &[Member], classes: usize) -> Vec<f64> {
        let masses: Vec<f64> = members.iter().map(|member| self.mass(member)).collect();
        let all = masses.iter().fold(0.0, |all, mass| all + mass);
        let mut priors = vec![0.0; classes];
        for ((class, ..), mass) in members.iter().zip(&masses) {
            priors[*class as usize] += mass / all;
        }
        priors
    }
}

impl Combination {
    /// Which of the [`PLACES`] its test with this number has.
    pub fn place(&self, at: usize) -> usize {
        match (self.join, at) {
            (Join::One, _) => 0,
            (Join::If, 0) => 2,
            (Join::If, _) => 3,
            _ => 1,
        }
    }
}

/// A power by multiplication: the same on every machine.
pub(super) fn power(base: f64, exponent: u32) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * base)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::eleusis::{Half, Vocabulary, playable};

    /// Where it fails: `cargo run --release -p parlour-lab -- eleusis-prior`.
    #[test]
    fn the_prior_is_that_of_the_training_half() {
        let prior = Prior::learnt();
        let training: Vec<String> =
            playable(Some(Half::Training)).map(|entry| entry.rule.to_string()).collect();
        assert_eq!(prior.learnt_from, training);
        assert!(prior.tests.iter().all(|place| place.len() == Vocabulary::shared().tests.len()));
    }
}
