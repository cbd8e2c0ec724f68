//! The signs by which who looks for a rule alone can tell whether its guess is right.

use serde::{Deserialize, Serialize};

use crate::cards::Card;
use crate::games::eleusis::{Posterior, Rule, Stated};
use crate::stats::maths::ln;

/// A sign of a guess, as a number that adds to its odds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sign {
    /// The logarithm of the odds that the posterior gives it.
    Belief,
    /// The logarithm of how much more is believed of it than of the next best, at most 5.
    Lead,
    /// How rare it was beforehand, in bits.
    Bits,
    /// The logarithm of the odds of *none of these*.
    None,
    /// 1 if it was grown.
    Grown,
    /// Its bits if it was grown.
    GrownBits,
    /// The share of all rules that were grown.
    GrownShare,
    /// How much all that was judged surprised, in bits.
    Surprise,
    /// By how much that was more than could be expected, in bits.
    Excess,
    /// How many verdicts there were.
    Verdicts,
    /// How far the share of right cards is from one half.
    Onesided,
    /// The logarithm of one more than the verdicts that it foretold since it was stated first.
    Held,
    /// How much those surprised all other rules together, in bits, at most 10.
    HeldBits,
    /// How many guesses were committed to and wrong, at most 4.
    Wrong,
    /// The chance that the verdict to come refutes it if it is wrong.
    Refuting,
}

/// What is known of a guess when it is stated.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Signs {
    /// The belief in it by the posterior.
    pub belief: f64,
    /// The belief in the next best.
    pub second: f64,
    /// The share of *none of these*.
    pub none: f64,
    /// The share of all rules that were grown.
    pub grown: f64,
    /// Whether it was grown itself.
    pub is_grown: bool,
    /// How much all that was judged surprised, in bits ([`Posterior::surprise`]).
    pub surprise: f64,
    /// What the verdicts told, each given those before it, in bits.
    pub told: f64,
    /// What they could be expected to tell: the sum of their entropies, in bits.
    pub expected: f64,
    /// How many verdicts there were.
    pub verdicts: u32,
    /// How many of the cards were right.
    pub right: u32,
    /// How many verdicts it foretold since it was stated first, in a row.
    pub held: u32,
    /// What those told of all other rules together: how much they surprised these, in bits.
    pub held_bits: f64,
    /// How many guesses were committed to and wrong.
    pub wrong: u32,
    /// The chance that the verdict to come refutes it if it is wrong.
    pub refuting: f64,
}

impl Signs {
    /// One of them, as a number.
    pub fn of(&self, sign: Sign) -> f64 {
        let rarity = self.surprise + bits(self.belief);
        let grown = f64::from(u8::from(self.is_grown));
        match sign {
            Sign::Belief => log_odds(self.belief),
            Sign::Lead => ln(self.belief.max(1e-9) / self.second.max(1e-9)).min(5.0),
            Sign::Bits => rarity,
            Sign::None => log_odds(self.none),
            Sign::Grown => grown,
            Sign::GrownBits => grown * rarity,
            Sign::GrownShare => self.grown,
            Sign::Surprise => self.surprise,
            Sign::Excess => self.told - self.expected,
            Sign::Verdicts => f64::from(self.verdicts),
            Sign::Onesided => {
                (f64::from(self.right + 1) / f64::from(self.verdicts + 2) - 0.5).abs()
            }
            Sign::Held => ln(f64::from(1 + self.held)),
            Sign::HeldBits => self.held_bits.min(10.0),
            Sign::Wrong => f64::from(self.wrong.min(4)),
            Sign::Refuting => self.refuting,
        }
    }
}

/// The logarithm of the odds of a chance.
fn log_odds(chance: f64) -> f64 {
    let chance = chance.clamp(1e-6, 1.0 - 1e-6);
    ln(chance / (1.0 - chance))
}

/// Minus the binary logarithm of a chance.
fn bits(chance: f64) -> f64 {
    -ln(chance.clamp(1e-12, 1.0)) / std::f64::consts::LN_2
}

/// What was seen of the verdicts and guesses so far.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    so_far: Signs,
    /// What was stated last, with the belief in it.
    guess: Option<(Rule, f64)>,
}

impl Trail {
    /// The signs of a guess that may be stated now, where a card is laid that has this chance.
    pub fn signs(&self, posterior: &Posterior, guess: &Stated, card: Card, chance: f64) -> Signs {
        let Stated { belief, second, grown, .. } = *guess;
        let stands = self.guess.as_ref().is_some_and(|(known, _)| *known == guess.rule);
        let otherwise = if guess.right.has(card) { 1.0 - chance } else { chance };
        Signs {
            belief,
            second,
            none: posterior.misspecification(),
            grown: posterior.grown_share(),
            is_grown: grown,
            surprise: posterior.surprise(),
            refuting: (otherwise / (1.0 - belief).max(1e-9)).clamp(0.0, 1.0),
            held: if stands { self.so_far.held } else { 0 },
            held_bits: if stands { self.so_far.held_bits } else { 0.0 },
            ..self.so_far
        }
    }

    /// This guess is stated, with its signs.
    pub fn states(&mut self, guess: &Stated, signs: &Signs) {
        self.so_far = *signs;
        self.guess = Some((guess.rule.clone(), guess.belief));
    }

    /// A verdict came that had this chance of being so.
    pub fn told(&mut self, right: bool, chance: f64) {
        let signs = &mut self.so_far;
        signs.verdicts += 1;
        signs.right += u32::from(right);
        signs.told += bits(chance);
        signs.expected += chance * bits(chance) + (1.0 - chance) * bits(1.0 - chance);
        if let Some((_, belief)) = &self.guess {
            signs.held += 1;
            signs.held_bits += bits((chance - belief).max(0.0) / (1.0 - belief).max(1e-9));
        }
    }

    /// The guess that was committed to was wrong.
    pub fn refuted(&mut self) {
        self.so_far.wrong += 1;
        self.guess = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::eleusis::Grammar;

    fn card(text: &str) -> Card {
        text.parse().unwrap()
    }

    #[test]
    fn eleusis_a_guess_holds_as_long_as_it_is_stated_and_a_wrong_one_counts() {
        let mut posterior = Posterior::new(&Grammar::simple(), card("7H"));
        let mut trail = Trail::default();
        let mut last: Option<(Rule, u32)> = None;
        // Black after red and red after black.
        for (laid, right) in [("8S", true), ("9C", false), ("2D", true), ("KS", true)] {
            let [guess, grown] = posterior.guesses();
            let guess = guess.unwrap();
            assert!(grown.is_none() && !guess.grown && guess.second <= guess.belief);
            let signs = trail.signs(&posterior, &guess, card(laid), 0.75);
            let foreseen = if guess.right.has(card(laid)) { 0.25 } else { 0.75 };
            assert!((signs.refuting - (foreseen / (1.0 - guess.belief)).min(1.0)).abs() < 1e-12);
            let stands = last.filter(|(rule, _)| *rule == guess.rule);
            assert_eq!(signs.held, stands.map_or(0, |(_, held)| held + 1));
            trail.states(&guess, &signs);
            last = Some((guess.rule.clone(), signs.held));
            trail.told(right, 0.75);
            posterior.judged(card(laid), right);
        }
        let guess = posterior.stated().unwrap();
        assert_eq!(guess.rule.to_string(), "color != last.color");
        let signs = trail.signs(&posterior, &guess, card("AS"), 0.5);
        assert_eq!((signs.verdicts, signs.right, signs.wrong), (4, 3, 0));
        assert!((signs.told - 4.0 * bits(0.75)).abs() < 1e-12 && signs.held > 0);
        trail.refuted();
        let signs = trail.signs(&posterior, &guess, card("AS"), 0.5);
        assert_eq!((signs.held, signs.wrong), (0, 1), "it was refuted");
    }

    #[test]
    fn eleusis_signs_are_numbers_whatever_is_believed() {
        let all = [
            Sign::Belief,
            Sign::Lead,
            Sign::Bits,
            Sign::None,
            Sign::Grown,
            Sign::GrownBits,
            Sign::GrownShare,
            Sign::Surprise,
            Sign::Excess,
            Sign::Verdicts,
            Sign::Onesided,
            Sign::Held,
            Sign::HeldBits,
            Sign::Wrong,
            Sign::Refuting,
        ];
        for (belief, none) in [(0.0, 1.0), (1.0, 0.0), (0.5, 0.5)] {
            let signs = Signs { belief, none, is_grown: true, ..Signs::default() };
            assert!(all.iter().all(|sign| signs.of(*sign).is_finite()), "{belief}");
        }
        let signs = Signs { belief: 0.25, surprise: 10.0, wrong: 9, ..Signs::default() };
        assert_eq!((signs.of(Sign::Bits), signs.of(Sign::GrownBits)), (12.0, 0.0));
        assert_eq!(signs.of(Sign::Wrong), 4.0);
    }
}
