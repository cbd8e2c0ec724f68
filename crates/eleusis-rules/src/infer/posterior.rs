//! The posterior, and how it changes.
//!
//! *None of these* is what is believed to come when no rule of the grammar is the secret one. Two ways
//! to predict share this mass. One gives every verdict one half. The other takes the
//! likeliest rules of the grammar to be nearly right: each verdict is as the rule says but for
//! [`SLIP`]. A secret rule outside the grammar is mostly near to something in it, and then this
//! mass grows while the rules themselves are refuted one by one; the rule itself, where it is in the
//! grammar, gains on its own shadow with every verdict.

use std::sync::{Arc, OnceLock};

use super::cells::Cells;
use super::evidence::Evidence;
use super::growth::Growth;
use super::mending::menders;
use super::prior::power;
use super::verdicts::{Bits, Followed};
use super::{Grammar, Shortlist};
use crate::cards::{Card, CardSet};
use crate::{Combination, Join, Rule, Verdicts};

/// How many of the rules believed most are looked at for those that a refuted one takes with it.
const TAKEN: usize = 1024;

/// Belief about the secret rule.
///
/// A hypothesis either agrees with what was judged (likelihood 1) or is gone. *None of these* stands
/// for all rules outside the grammar.
#[derive(Clone, Debug)]
pub struct Posterior {
    pub(super) grammar: Arc<Grammar>,
    pub(super) tests: Followed,
    pub(super) evidence: Evidence,
    /// The rules that agree, made when they are first asked for.
    cells: OnceLock<Cells>,
    /// Rules that agree and are known not to be the secret one, with their masses.
    pub(super) gone: Vec<(Combination, f64)>,
    pub(super) misspecified: Misspecification,
    pub(super) growth: Growth,
    /// Whether it was asked to grow, for which it follows more tests.
    pub(super) grows: bool,
    pub(super) line: Vec<Card>,
}

impl Posterior {
    /// Belief before anything is judged, with the starter on the table, which the rule accepted.
    pub fn new(grammar: &Arc<Grammar>, starter: Card) -> Posterior {
        let mut posterior = Posterior {
            tests: Followed::all(),
            evidence: Evidence::new(grammar),
            cells: OnceLock::new(),
            gone: Vec::new(),
            misspecified: Misspecification::new(grammar),
            growth: Growth::default(),
            grows: false,
            line: Vec::new(),
            grammar: grammar.clone(),
        };
        posterior.judged(starter, true);
        posterior
    }

    /// The rules that agree, as products.
    pub(super) fn cells(&self) -> &Cells {
        self.cells.get_or_init(|| Cells::of(&self.grammar, &self.evidence))
    }

    /// The same by another grammar.
    pub(super) fn cells_by(&self, grammar: &Grammar) -> Cells {
        Cells::of(grammar, &self.evidence.by_another())
    }

    /// The part of the prior, starter included, that agrees with everything.
    pub fn held(&self) -> f64 {
        let gone: f64 = self.gone.iter().map(|(_, mass)| mass).sum();
        (self.cells().mass - gone).max(0.0)
    }

    /// What is believed of the rules that agree, not scaled.
    pub(super) fn inside(&self) -> f64 {
        (1.0 - self.grammar.prior.outside) * self.held()
    }

    /// Not scaled: of all rules.
    pub(super) fn total(&self) -> f64 {
        (self.inside() + self.misspecified.mass() + self.grown()).max(f64::MIN_POSITIVE)
    }

    /// Not scaled: of the rules that were grown.
    pub(super) fn grown(&self) -> f64 {
        self.per_weight() * self.growth.weight()
    }

    pub(super) fn scale(&self) -> f64 {
        (1.0 - self.grammar.prior.outside) / self.total()
    }

    /// A single card was judged; a right one is now on the mainline.
    pub fn judged(&mut self, card: Card, right: bool) {
        self.judge(card, right);
        if right {
            self.tests.step(card);
            self.line.push(card);
            self.forget();
        }
    }

    /// The same rule begins another line, with this starter.
    pub(super) fn another_line(&mut self, starter: Card) {
        self.tests = Followed::all();
        self.growth = Growth::default();
        self.line.clear();
        self.judged(starter, true);
    }

    /// A card was judged; the mainline stays as it is.
    pub(super) fn judge(&mut self, card: Card, right: bool) {
        self.cells.take();
        let bits = self.tests.of(card);
        self.misspecified.judged(&bits, right);
        self.growth.judged(card, right);
        self.gone.retain(|(rule, _)| rule.says(&bits) == right);
        self.evidence.judged(self.tests.heard(card), right);
    }

    /// Tests that nothing uses any more are no longer looked at.
    fn forget(&mut self) {
        let used = self.evidence.used();
        let gone = self.gone.iter().chain(&self.misspecified.near);
        let mut wanted = vec![false; self.tests.says.len()];
        gone.flat_map(|(rule, _)| rule.tests()).for_each(|&test| wanted[usize::from(test)] = true);
        if self.grows {
            let derivations = self.grammar.derivations();
            menders(&derivations).for_each(|test| wanted[usize::from(test)] = true);
        }
        self.tests.keep(|test| used.has(test) || wanted[usize::from(test)]);
    }

    /// A string was wrong: at least one of its cards, had those before it been right.
    pub fn wrong_string(&mut self, string: &[Card]) {
        if let [card] = string {
            return self.judged(*card, false);
        }
        self.cells.take();
        let mut tests = self.tests.clone();
        let mut said: Vec<Vec<Bits>> = Vec::with_capacity(string.len());
        let mut heard = Vec::with_capacity(string.len());
        for &card in string {
            said.push(tests.of(card));
            heard.push(tests.heard(card));
            tests.step(card);
        }
        let wrong = |rule: Combination| said.iter().any(|bits| !rule.says(bits));
        self.misspecified.see(1.0 - power(0.5, string.len() as u32), wrong);
        self.gone.retain(|(rule, _)| wrong(*rule));
        self.evidence.wrong_string(heard);
        self.growth.wrong_string(&self.line, string);
    }

    /// A shown hand was claimed to hold no right card; `forced` is the card put on the mainline if
    /// that was false.
    pub fn claimed(&mut self, hand: CardSet, forced: Option<Card>) {
        match forced {
            None => hand.for_each(|card| self.judge(card, false)),
            Some(card) => self.judged(card, true),
        }
    }

    /// A rule was stated by somebody and is not the secret one: all hypotheses that judge as it
    /// does now and along its likely continuations go.
    pub fn rule_out(&mut self, stated: &Rule) {
        let alike = self.alike(stated, TAKEN);
        self.take_out(alike.into_iter().map(|(rule, _)| rule));
        self.growth.refute(stated, &self.line);
    }

    /// Of so many rules believed most those that judge as this one does now and along some of its
    /// likely continuations, with their shares.
    pub(super) fn alike(&self, rule: &Rule, most: usize) -> Vec<(Combination, f64)> {
        let memory = rule.after(&self.line);
        let here = rule.right(&memory).0;
        let mut same = self.heaviest(most);
        same.retain(|(known, _)| known.right(&self.tests.says) == here);
        let alike = Shortlist::new(&self.tests, &same, &[], 0.0);
        let alike = alike.alike_to(rule, memory, self.line.len() as u64);
        alike.into_iter().map(|index| same[index]).collect()
    }

    /// These rules are not the secret one.
    pub(super) fn take_out(&mut self, rules: impl Iterator<Item = Combination>) {
        for rule in rules {
            let is_new = self.gone.iter().all(|(known, _)| *known != rule);
            if is_new && self.evidence.agrees(rule) {
                self.gone.push((rule, self.grammar.mass(rule)));
            }
        }
    }

    /// The share of *none of these*.
    pub fn misspecification(&self) -> f64 {
        self.misspecified.mass() / self.total()
    }
}

// How *none of these* is divided and how often a rule that is nearly right is wrong. These and the mass
// at the start ([`Prior::outside`](super::Prior::outside)) were chosen by cases of the training half whose
// rule's whole ideas were left out: `lab eleusis-folds --left-out`.

/// How often a rule that is nearly right is wrong.
const SLIP: f64 = 0.1;

/// The part of this mass that goes to rules that are nearly right.
const NEARLY: f64 = 0.75;

/// What the rules that can be grown have together, for each unit of this mass.
pub(super) const GROWN: f64 = 1.0;

#[derive(Clone, Debug)]
pub(super) struct Misspecification {
    flat: f64,
    /// The rules that are nearly right, with their weights.
    pub near: Vec<(Combination, f64)>,
}

impl Misspecification {
    /// The mass at the start.
    fn new(grammar: &Grammar) -> Misspecification {
        let share = grammar.prior.outside;
        let tests = 0..grammar.flocks.len() as u16;
        let each = |test| Combination::of(Join::One, &[test]);
        let all: Vec<_> = tests.map(|test| (each(test), grammar.mass(each(test)))).collect();
        let total: f64 = all.iter().map(|(_, mass)| mass).sum();
        let scale = share * NEARLY / total.max(f64::MIN_POSITIVE);
        let near = all.into_iter().filter(|(_, mass)| *mass > 0.0);
        let near = near.map(|(rule, mass)| (rule, mass * scale)).collect();
        Misspecification { flat: share * (1.0 - NEARLY), near }
    }

    /// How much it is.
    pub fn mass(&self) -> f64 {
        self.flat + self.near.iter().map(|(_, weight)| weight).sum::<f64>()
    }

    /// Something was seen that each rule foretells or not; a verdict at random gives it `chance`.
    pub fn see(&mut self, chance: f64, foretold: impl Fn(Combination) -> bool) {
        self.flat *= chance;
        for (rule, weight) in &mut self.near {
            *weight *= if foretold(*rule) { 1.0 - SLIP } else { SLIP };
        }
        let least = 1e-6 * self.mass();
        self.near.retain(|(_, weight)| *weight >= least);
    }

    pub fn judged(&mut self, bits: &[Bits], right: bool) {
        self.see(0.5, |rule| rule.says(bits) == right);
    }

    /// Adds what it gives each card to be right.
    pub fn add_chances(&self, verdicts: &[Verdicts], scale: f64, chances: &mut [f64; 52]) {
        let every = scale * (self.flat / 2.0 + (self.mass() - self.flat) * SLIP);
        chances.iter_mut().for_each(|chance| *chance += every);
        for (rule, weight) in &self.near {
            for card in CardSet(rule.right(verdicts)) {
                chances[card.index() as usize] += scale * weight * (1.0 - 2.0 * SLIP);
            }
        }
    }
}
