//! *None of these*: what is believed to come when no rule of the grammar is the secret one.
//!
//! Two ways to predict share this mass. One gives every verdict one half. The other takes the
//! likeliest rules of the grammar to be nearly right: each verdict is as the rule says but for
//! [`SLIP`]. A secret rule outside the grammar is mostly near to something in it, and then this
//! mass grows while the rules themselves are refuted one by one; the rule itself, where it is in the
//! grammar, gains on its own shadow with every verdict.

use super::Grammar;
use super::verdicts::Bits;
use crate::cards::CardSet;
use crate::games::eleusis::{Combination, Verdicts};

/// How often a rule that is nearly right is wrong.
const SLIP: f64 = 0.2;

/// The part of this mass that goes to rules that are nearly right.
const NEARLY: f64 = 0.75;

#[derive(Clone, Debug)]
pub(super) struct Misspecification {
    flat: f64,
    /// The rules that are nearly right, with their weights.
    pub near: Vec<(Combination, f64)>,
}

impl Misspecification {
    /// The mass at the start; `share` is all of it.
    pub fn new(grammar: &Grammar, share: f64) -> Misspecification {
        let prior = |index: u32| grammar.priors[index as usize];
        let total: f64 = grammar.likely.iter().map(|&index| prior(index)).sum();
        let scale = share * NEARLY / total.max(f64::MIN_POSITIVE);
        let near = |&index: &u32| (grammar.hypotheses[index as usize], prior(index) * scale);
        let near = grammar.likely.iter().map(near).collect();
        Misspecification { flat: share * (1.0 - NEARLY), near }
    }

    /// How much it is.
    pub fn mass(&self) -> f64 {
        self.flat + self.near.iter().map(|(_, weight)| weight).sum::<f64>()
    }

    pub fn scale(&mut self, by: f64) {
        self.flat *= by;
        self.near.iter_mut().for_each(|(_, weight)| *weight *= by);
    }

    /// Something was seen that each rule foretells or not; a verdict at random gives it `chance`.
    pub fn see(&mut self, chance: f64, foretold: impl Fn(Combination) -> bool) {
        self.flat *= chance;
        for (rule, weight) in &mut self.near {
            *weight *= if foretold(*rule) { 1.0 - SLIP } else { SLIP };
        }
    }

    pub fn judged(&mut self, bits: &[Bits], right: bool) {
        self.see(0.5, |rule| rule.says(bits) == right);
    }

    /// Adds what it gives each card to be right.
    pub fn add_chances(&self, verdicts: &[Verdicts], chances: &mut [f64; 52]) {
        let every = self.flat / 2.0 + (self.mass() - self.flat) * SLIP;
        chances.iter_mut().for_each(|chance| *chance += every);
        for (rule, weight) in &self.near {
            for card in CardSet(rule.right(verdicts)) {
                chances[card.index() as usize] += weight * (1.0 - 2.0 * SLIP);
            }
        }
    }
}
