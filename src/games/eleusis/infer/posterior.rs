//! The posterior, and how it changes.
//!
//! *None of these* is what is believed to come when no rule of the grammar is the secret one. Two ways
//! to predict share this mass. One gives every verdict one half. The other takes the
//! likeliest rules of the grammar to be nearly right: each verdict is as the rule says but for
//! [`SLIP`]. A secret rule outside the grammar is mostly near to something in it, and then this
//! mass grows while the rules themselves are refuted one by one; the rule itself, where it is in the
//! grammar, gains on its own shadow with every verdict.

use super::Grammar;
use super::prior::power;
use super::verdicts::{Bits, Followed};
use crate::cards::{Card, CardSet};
use crate::chance::Seed;
use crate::games::eleusis::{Act, Combination, Event, Rule, Verdicts, Vocabulary};

/// How many likely continuations a refuted rule is followed along, and how far.
const CONTINUATIONS: usize = 5;

/// Belief about the secret rule.
///
/// A hypothesis either agrees with what was judged (likelihood 1) or is gone. *None of these* stands
/// for all rules outside the grammar.
#[derive(Clone, Debug)]
pub struct Posterior {
    pub(super) tests: Followed,
    /// How many hypotheses were left when it was last seen which tests are used.
    used_by: usize,
    pub(super) live: Vec<Combination>,
    /// Not scaled: together with the misspecification mass they are `total`.
    pub(super) weights: Vec<f64>,
    pub(super) misspecified: Misspecification,
    pub(super) total: f64,
    pub(super) line: Vec<Card>,
}

impl Posterior {
    /// Belief before anything is judged, with the starter on the table.
    pub fn new(grammar: &Grammar, starter: Card) -> Posterior {
        let share = grammar.outside;
        Posterior {
            tests: Followed::all(starter),
            used_by: grammar.hypotheses.len(),
            live: grammar.hypotheses.to_vec(),
            weights: grammar.priors.iter().map(|prior| prior * (1.0 - share)).collect(),
            misspecified: Misspecification::new(grammar, share),
            total: 1.0,
            line: vec![starter],
        }
    }

    /// Once most hypotheses are gone, tests that only they used are no longer looked at.
    fn forget(&mut self) {
        if self.live.len() * 2 > self.used_by {
            return;
        }
        let mut wanted = vec![false; Vocabulary::shared().tests.len()];
        let near = self.misspecified.near.iter().map(|(rule, _)| rule);
        for test in self.live.iter().chain(near).flat_map(Combination::tests) {
            wanted[usize::from(*test)] = true;
        }
        self.tests.used.retain(|&test| wanted[usize::from(test)]);
        self.used_by = self.live.len();
    }

    /// Keeps the hypotheses that pass.
    pub(super) fn keep(&mut self, passes: impl Fn(Combination) -> bool) {
        let (mut kept, mut total) = (0, 0.0);
        for index in 0..self.live.len() {
            let (rule, weight) = (self.live[index], self.weights[index]);
            // Written whether it stays or not: no branch that cannot be foretold.
            self.live[kept] = rule;
            self.weights[kept] = weight;
            let stays = passes(rule);
            kept += usize::from(stays);
            total += if stays { weight } else { 0.0 };
        }
        self.live.truncate(kept);
        self.weights.truncate(kept);
        self.total = total + self.misspecified.mass();
        if self.total < 1e-60 {
            let by = 1.0 / self.total.max(f64::MIN_POSITIVE);
            self.weights.iter_mut().for_each(|weight| *weight *= by);
            self.misspecified.scale(by);
            self.total = self.weights.iter().sum::<f64>() + self.misspecified.mass();
        }
        self.forget();
    }

    /// A single card was judged; a right one is now on the mainline.
    pub fn judged(&mut self, card: Card, right: bool) {
        let bits = self.tests.of(card);
        self.misspecified.judged(&bits, right);
        self.keep(|rule| rule.says(&bits) == right);
        if right {
            self.tests.step(card);
            self.line.push(card);
        }
    }

    /// A string was wrong: at least one of its cards, had those before it been right.
    pub fn wrong_string(&mut self, string: &[Card]) {
        if let [card] = string {
            return self.judged(*card, false);
        }
        let mut tests = self.tests.clone();
        let mut said: Vec<Vec<Bits>> = Vec::with_capacity(string.len());
        for &card in string {
            said.push(tests.of(card));
            tests.step(card);
        }
        let wrong = |rule: Combination| said.iter().any(|bits| !rule.says(bits));
        self.misspecified.see(1.0 - power(0.5, string.len() as u32), wrong);
        self.keep(wrong);
    }

    /// A shown hand was claimed to hold no right card; `forced` is the card put on the mainline if
    /// that was false.
    pub fn claimed(&mut self, hand: CardSet, forced: Option<Card>) {
        match forced {
            None => {
                let says = std::mem::take(&mut self.tests.says);
                let none_right = |rule: Combination| rule.right(&says) & hand.0 == 0;
                // Of rules that accept a third of the cards, so many leave nothing right.
                self.misspecified.see(power(2.0 / 3.0, hand.len()), none_right);
                self.keep(none_right);
                self.tests.says = says;
            }
            Some(card) => self.judged(card, true),
        }
    }

    /// Everything that a turn of the game tells.
    pub fn observe(&mut self, event: &Event) {
        match &event.act {
            Act::Play(cards) if event.right => cards.iter().for_each(|c| self.judged(*c, true)),
            Act::Play(cards) => self.wrong_string(cards),
            Act::NoPlay { hand, forced } => {
                event.prophet_picked.into_iter().for_each(|card| self.judged(card, false));
                // A false claim that ended the hand before a card was chosen tells little.
                if event.right || forced.is_some() {
                    self.claimed(hand.distinct(), *forced);
                }
            }
        }
    }

    /// A rule was stated by somebody and is not the secret one: all hypotheses that judge as it
    /// does now and along its likely continuations go.
    pub fn rule_out(&mut self, stated: &Rule) {
        let seen = self.continued(stated);
        self.keep(|rule| seen.iter().any(|(right, says)| rule.right(says) != right.0));
    }

    /// The share of the belief in rules that judge as this one, now and along its likely continuations.
    pub fn mass_of(&self, rule: &Rule) -> f64 {
        let seen = self.continued(rule);
        let alike =
            |rule: Combination| seen.iter().all(|(right, says)| rule.right(says) == right.0);
        let weights = self.live.iter().zip(&self.weights).filter(|(rule, _)| alike(**rule));
        weights.map(|(_, weight)| weight).sum::<f64>() / self.total
    }

    /// What this rule has right now and along its likely continuations, and what the tests say there.
    fn continued(&self, stated: &Rule) -> Vec<(CardSet, Vec<Verdicts>)> {
        let memory = stated.after(&self.line);
        let mut seen = vec![(stated.right(&memory), self.tests.says.clone())];
        let mut chance = Seed::new(self.line.len() as u64).named("denied").stream();
        for _ in 0..CONTINUATIONS {
            let (mut memory, mut tests) = (memory, self.tests.clone());
            for _ in 0..CONTINUATIONS {
                let Some(card) = stated.right(&memory).pick(&mut chance) else { break };
                memory = stated.step(&memory, card);
                tests.step(card);
                seen.push((stated.right(&memory), tests.says.clone()));
            }
        }
        seen
    }

    /// The share of *none of these*.
    pub fn misspecification(&self) -> f64 {
        self.misspecified.mass() / self.total
    }
}

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
