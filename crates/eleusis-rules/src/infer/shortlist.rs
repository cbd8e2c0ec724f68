//! A shortlist: a few hypotheses of a posterior, for looking ahead.

use super::prior::power;
use super::proposals::FoundRule;
use super::tracked_tests::TrackedTests;
use crate::rule::{Memory, Rule};
use crate::vocabulary::Combination;
use parlour_base::cards::{Card, CardSet};
use parlour_base::chance::Seed;

/// Number of verdicts along a continuation of a rule with which others are compared.
const CONTINUATION_LENGTH: usize = 6;

/// Number of continuations of the first rule, and of a stated rule.
const CONTINUATIONS: u64 = 6;
const STATED_CONTINUATIONS: u64 = 5;

/// Probability of the verdict of a nearly right rule.
const ACCURACY: f64 = 0.8;

/// A rule with its share of belief.
#[derive(Clone, Copy)]
struct Hypothesis {
    rule: Combination,
    weight: f64,
    /// Probability of its verdicts.
    accuracy: f64,
}

/// Some rules with their shares of belief, updated with cards that may come.
#[derive(Clone)]
pub struct Shortlist {
    tests: TrackedTests,
    hypotheses: Vec<Hypothesis>,
    found: Vec<FoundRule>,
}

fn sum(rules: &[(Combination, f64)]) -> f64 {
    rules.iter().map(|(_, weight)| weight).sum()
}

fn scale(rules: &mut [(Combination, f64)], to: f64) {
    let held = sum(rules);
    if held > 0.0 {
        rules.iter_mut().for_each(|(_, weight)| *weight *= to / held);
    }
}

impl Shortlist {
    /// Creates a shortlist of rules made of these tests. The nearly right rules share the belief
    /// `outside`; the shares of the other rules are scaled down for the found rules.
    pub(super) fn new(
        tests: &TrackedTests,
        mut rules: Vec<(Combination, f64)>,
        mut nearly_right: Vec<(Combination, f64)>,
        outside: f64,
        found: Vec<FoundRule>,
    ) -> Shortlist {
        // The listed rules also represent those that are left out.
        if !nearly_right.is_empty() {
            scale(&mut rules, 1.0 - outside);
        }
        scale(&mut nearly_right, outside);
        let share: f64 = found.iter().map(|one| one.weight).sum();
        let left = (sum(&rules) - share).max(0.0);
        scale(&mut rules, left);
        let certain = rules.into_iter().map(|rule| (rule, 1.0));
        let all = certain.chain(nearly_right.into_iter().map(|rule| (rule, ACCURACY)));
        let all: Vec<((Combination, f64), f64)> = all.collect();
        let (tests, renumbered) = tests.of_rules(all.iter().map(|((rule, _), _)| *rule));
        let hypotheses = renumbered.into_iter().zip(all);
        let hypotheses = hypotheses
            .map(|(rule, ((_, weight), accuracy))| Hypothesis { rule, weight, accuracy })
            .collect();
        Shortlist { tests, hypotheses, found }
    }

    /// Iterates over the right cards of all rules with their shares and accuracies.
    fn right_sets(&self) -> impl Iterator<Item = (u64, f64, f64)> + '_ {
        let known = self.hypotheses.iter().map(|&Hypothesis { rule, weight, accuracy }| {
            (rule.right(&self.tests.verdicts), weight, accuracy)
        });
        known.chain(self.found.iter().map(|one| (one.right.0, one.weight, 1.0)))
    }

    /// Returns the share of belief that is left.
    pub fn total(&self) -> f64 {
        let known = self.hypotheses.iter().map(|one| one.weight);
        known.chain(self.found.iter().map(|one| one.weight)).sum()
    }

    /// Returns for each card the belief that it is right, as a part of [`total`](Shortlist::total).
    pub fn probabilities(&self) -> [f64; 52] {
        let mut beliefs = [0.0; 52];
        for (right, weight, accuracy) in self.right_sets() {
            for (index, belief) in beliefs.iter_mut().enumerate() {
                let is_right = right >> index & 1 == 1;
                *belief += weight * if is_right { accuracy } else { 1.0 - accuracy };
            }
        }
        beliefs
    }

    /// Returns the belief that none of these cards is right, as a part of
    /// [`total`](Shortlist::total).
    pub fn none_right(&self, hand: CardSet) -> f64 {
        let shares = self.right_sets().map(|(right, weight, accuracy)| {
            let right = (right & hand.0).count_ones();
            weight * power(1.0 - accuracy, right) * power(accuracy, hand.len() - right)
        });
        shares.sum()
    }

    /// Keeps the belief that predicts a verdict on a card. A right card extends the mainline.
    pub fn observe(&mut self, card: Card, right: bool) {
        for Hypothesis { rule, weight, accuracy } in &mut self.hypotheses {
            let is_right = rule.right(&self.tests.verdicts) >> card.index() & 1 == 1;
            *weight *= if is_right == right { *accuracy } else { 1.0 - *accuracy };
        }
        self.hypotheses.retain(|one| one.weight > 0.0);
        self.found.retain(|one| one.right.has(card) == right);
        if right {
            self.tests.step(card);
            self.found.iter_mut().for_each(|one| one.step(card));
        }
    }
}

/// Returns those of the rules that judge as a stated rule does, now and along some of its
/// continuations; without a stated rule, as the first of the rules does.
pub(super) fn alike(
    tests: &TrackedTests,
    rules: &[(Combination, f64)],
    stated: Option<(&Rule, Memory)>,
    seed: u64,
) -> Vec<(Combination, f64)> {
    let (tests, renumbered) = tests.of_rules(rules.iter().map(|(rule, _)| *rule));
    let mut alike: Vec<usize> = (0..rules.len()).collect();
    let mut chance = Seed::new(seed).named("denied").stream();
    let count = if stated.is_some() { STATED_CONTINUATIONS } else { CONTINUATIONS };
    for index in 0..count {
        let (mut tests, mut stated) = (tests.clone(), stated);
        if stated.is_none() {
            chance = Seed::new(seed).child(index).named("alike").stream();
        }
        for step in 1..=CONTINUATION_LENGTH {
            let right = match (&stated, renumbered.first()) {
                (Some((rule, memory)), _) => rule.right(memory),
                (None, first) => CardSet(first.map_or(0, |first| first.right(&tests.verdicts))),
            };
            alike.retain(|&at| renumbered[at].right(&tests.verdicts) == right.0);
            if step == CONTINUATION_LENGTH || alike.is_empty() {
                break;
            }
            let Some(card) = right.pick(&mut chance) else { break };
            if let Some((rule, memory)) = &mut stated {
                *memory = rule.step(memory, card);
            }
            tests.step(card);
        }
        if alike.len() <= usize::from(stated.is_none()) {
            break;
        }
    }
    alike.into_iter().map(|at| rules[at]).collect()
}
