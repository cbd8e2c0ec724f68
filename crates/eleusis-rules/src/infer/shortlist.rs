//! A shortlist: a few hypotheses of a posterior, for looking ahead.

use super::prior::power;
use super::proposals::FoundRule;
use super::tracked_tests::TrackedTests;
use crate::rule::{Memory, Rule};
use crate::vocabulary::Combination;
use parlour_base::cards::{Card, CardSet};
use parlour_base::chance::Seed;

/// Number and length of the continuations of the first rule along which others are compared with
/// it.
const CONTINUATIONS: u64 = 6;
const CONTINUATION_LENGTH: usize = 6;

/// Number and length of the continuations of a stated rule.
const STATED_CONTINUATIONS: usize = 5;

/// Probability of the verdict of a nearly right rule.
const ACCURACY: f64 = 0.8;

/// Some rules with their shares of belief, updated with cards that may come.
#[derive(Clone)]
pub struct Shortlist {
    tests: TrackedTests,
    rules: Vec<(Combination, f64)>,
    nearly_right: Vec<(Combination, f64)>,
    found: Vec<FoundRule>,
}

fn scale(rules: &mut [(Combination, f64)], to: f64) {
    let held: f64 = rules.iter().map(|(_, weight)| weight).sum();
    if held > 0.0 {
        rules.iter_mut().for_each(|(_, weight)| *weight *= to / held);
    }
}

impl Shortlist {
    /// Creates a shortlist of rules made of these tests. The nearly right rules share the belief
    /// `outside`.
    pub(super) fn new(
        tests: &TrackedTests,
        rules: &[(Combination, f64)],
        nearly_right: &[(Combination, f64)],
        outside: f64,
    ) -> Shortlist {
        let all = rules.iter().chain(nearly_right);
        let mut used: Vec<u16> = all.flat_map(|(rule, _)| rule.tests()).copied().collect();
        used.sort_unstable();
        used.dedup();
        let number = |test: u16| used.binary_search(&test).unwrap_or_default() as u16;
        let renumbered = |rules: &[(Combination, f64)]| -> Vec<(Combination, f64)> {
            rules.iter().map(|(rule, weight)| (rule.renumbered(number), *weight)).collect()
        };
        let mut shortlist = Shortlist {
            tests: tests.only(&used),
            rules: renumbered(rules),
            nearly_right: renumbered(nearly_right),
            found: Vec::new(),
        };
        // The listed rules also represent those that are left out.
        if !nearly_right.is_empty() {
            scale(&mut shortlist.rules, 1.0 - outside);
        }
        scale(&mut shortlist.nearly_right, outside);
        shortlist
    }

    /// Adds found rules; the shares of the other rules are scaled down.
    pub(super) fn with_found(mut self, found: Vec<FoundRule>) -> Shortlist {
        let share: f64 = found.iter().map(|one| one.weight).sum();
        let held: f64 = self.rules.iter().map(|(_, weight)| weight).sum();
        scale(&mut self.rules, (held - share).max(0.0));
        self.found = found;
        self
    }

    /// Iterates over the right cards of all rules with their shares; the flag marks nearly right
    /// rules.
    fn right_sets(&self) -> impl Iterator<Item = (u64, f64, bool)> + '_ {
        let rules = self.rules.iter().map(|(rule, weight)| (rule, weight, false));
        let near = self.nearly_right.iter().map(|(rule, weight)| (rule, weight, true));
        let known = rules.chain(near);
        let known =
            known.map(|(rule, weight, near)| (rule.right(&self.tests.verdicts), *weight, near));
        known.chain(self.found.iter().map(|one| (one.right.0, one.weight, false)))
    }

    /// Returns the share of belief that is left.
    pub fn total(&self) -> f64 {
        let known = self.rules.iter().chain(&self.nearly_right).map(|(_, weight)| weight);
        known.chain(self.found.iter().map(|one| &one.weight)).sum()
    }

    /// Returns for each card the belief that it is right, as a part of [`total`](Shortlist::total).
    pub fn probabilities(&self) -> [f64; 52] {
        let mut beliefs = [0.0; 52];
        for (right, weight, near) in self.right_sets() {
            let (yes, no) = if near { (ACCURACY, 1.0 - ACCURACY) } else { (1.0, 0.0) };
            for (index, belief) in beliefs.iter_mut().enumerate() {
                *belief += weight * if right >> index & 1 == 1 { yes } else { no };
            }
        }
        beliefs
    }

    /// Returns the belief that none of these cards is right, as a part of
    /// [`total`](Shortlist::total).
    pub fn none_right(&self, hand: CardSet) -> f64 {
        self.right_sets()
            .map(|(right, weight, near)| {
                let right = (right & hand.0).count_ones();
                let wrong = hand.len() - right;
                match near {
                    true => weight * power(1.0 - ACCURACY, right) * power(ACCURACY, wrong),
                    false if right == 0 => weight,
                    false => 0.0,
                }
            })
            .sum()
    }

    /// Keeps the belief that predicts a verdict on a card. A right card extends the mainline.
    pub fn observe(&mut self, card: Card, right: bool) {
        let verdicts = &self.tests.verdicts;
        let agrees = |rule: &Combination| (rule.right(verdicts) >> card.index() & 1 == 1) == right;
        self.rules.retain(|(rule, _)| agrees(rule));
        for (rule, weight) in &mut self.nearly_right {
            *weight *= if agrees(rule) { ACCURACY } else { 1.0 - ACCURACY };
        }
        self.found.retain(|one| one.right.has(card) == right);
        if right {
            self.tests.step(card);
            self.found.iter_mut().for_each(|one| one.step(card));
        }
    }

    /// Returns the indices of the first rule and of all that judge as it does along some of its
    /// continuations.
    pub(super) fn equivalents_of_first(&self, seed: u64) -> Vec<usize> {
        let mut alike: Vec<usize> = (0..self.rules.len()).collect();
        let Some((first, _)) = self.rules.first().copied() else { return alike };
        for index in 0..CONTINUATIONS {
            let mut chance = Seed::new(seed).child(index).named("alike").stream();
            let mut tests = self.tests.clone();
            for _ in 0..CONTINUATION_LENGTH {
                let right = first.right(&tests.verdicts);
                alike.retain(|&at| self.rules[at].0.right(&tests.verdicts) == right);
                let Some(card) = CardSet(right).pick(&mut chance) else { break };
                tests.step(card);
            }
            if alike.len() == 1 {
                break;
            }
        }
        alike
    }

    /// Returns the indices of the rules that judge as `rule` does, now and along some of its
    /// continuations.
    pub(super) fn equivalents_of(&self, rule: &Rule, memory: Memory, seed: u64) -> Vec<usize> {
        let mut alike: Vec<usize> = (0..self.rules.len()).collect();
        let mut chance = Seed::new(seed).named("denied").stream();
        for _ in 0..STATED_CONTINUATIONS {
            let (mut memory, mut tests) = (memory, self.tests.clone());
            for step in 0..=STATED_CONTINUATIONS {
                let right = rule.right(&memory);
                alike.retain(|&index| self.rules[index].0.right(&tests.verdicts) == right.0);
                if alike.is_empty() {
                    return alike;
                }
                if step == STATED_CONTINUATIONS {
                    break;
                }
                let Some(card) = right.pick(&mut chance) else { break };
                memory = rule.step(&memory, card);
                tests.step(card);
            }
        }
        alike
    }
}
