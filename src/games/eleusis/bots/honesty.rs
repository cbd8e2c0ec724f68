//! How likely a guess is to be right, by its signs.
//!
//! A posterior is only as honest as its prior. A logistic regression on a few signs may say better whether
//! a guess is right; `lab eleusis-honesty` fits and judges one. `bayes` goes by its posterior alone: what
//! the regression gained on the rules that it was fitted to it did not gain on others.

use serde::{Deserialize, Serialize};

use super::signs::{Sign, Signs};
use crate::stats::maths::exp;

/// The weights of signs: what each adds to the logarithm of the odds that a guess is right.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Honesty {
    /// What it was fitted to, in words.
    pub fitted_to: String,
    /// Without any sign.
    pub base: f64,
    /// The weight of each sign.
    pub weights: Vec<(Sign, f64)>,
}

impl Honesty {
    /// How likely a guess with these signs is to be right.
    pub fn chance(&self, signs: &Signs) -> f64 {
        let weights = self.weights.iter();
        let odds = weights.fold(self.base, |sum, (sign, weight)| sum + weight * signs.of(*sign));
        Honesty::of_odds(odds)
    }

    /// The chance that has this logarithm of odds.
    pub fn of_odds(odds: f64) -> f64 {
        1.0 / (1.0 + exp(-odds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs(belief: f64, verdicts: u32, is_grown: bool) -> Signs {
        let (none, surprise) = (0.2, 14.0);
        Signs { belief, none, surprise, verdicts, is_grown, ..Signs::default() }
    }

    #[test]
    fn eleusis_odds_are_added() {
        let weights = vec![(Sign::Verdicts, 0.5), (Sign::Grown, -1.0)];
        let honesty = Honesty { fitted_to: String::new(), base: -1.0, weights };
        assert_eq!(honesty.chance(&signs(0.1, 2, false)), 0.5);
        assert_eq!(honesty.chance(&signs(0.9, 4, true)), 0.5);
        assert!((honesty.chance(&signs(0.5, 4, false)) - 0.731_058_578_6).abs() < 1e-9);
    }
}
