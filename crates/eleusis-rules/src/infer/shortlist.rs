//! A few hypotheses of a posterior, for looking ahead.

use super::prior::power;
use super::verdicts::Followed;
use crate::cards::{Card, CardSet};
use crate::chance::Seed;
use crate::{Combination, Memory, Rule};

/// How many continuations are looked at to tell rules apart, and how long they are.
const LOOKS: u64 = 6;
const LOOK_LENGTH: usize = 6;

/// How many likely continuations a rule is followed along that somebody stated, and how far.
const CONTINUATIONS: usize = 5;

/// A rule that is nearly right says so of so many cards.
const NEARLY_RIGHT: f64 = 0.8;

/// Some rules with their shares of belief, and what they say after some cards that may come.
#[derive(Clone)]
pub struct Shortlist {
    tests: Followed,
    rules: Vec<(Combination, f64)>,
    near: Vec<(Combination, f64)>,
    grown: Vec<Followable>,
}

/// A rule of no grammar, with its share of belief.
#[derive(Clone)]
pub(super) struct Followable {
    pub rule: Rule,
    pub memory: Memory,
    /// What it says now.
    pub right: u64,
    pub weight: f64,
}

fn scale(rules: &mut [(Combination, f64)], to: f64) {
    let held: f64 = rules.iter().map(|(_, weight)| weight).sum();
    if held > 0.0 {
        rules.iter_mut().for_each(|(_, weight)| *weight *= to / held);
    }
}

impl Shortlist {
    /// These rules, made of these tests; `near` shares `none`.
    pub(super) fn new(
        tests: &Followed,
        rules: &[(Combination, f64)],
        near: &[(Combination, f64)],
        none: f64,
    ) -> Shortlist {
        let all = rules.iter().chain(near);
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
            near: renumbered(near),
            grown: Vec::new(),
        };
        // What is left out counts for as much as what is there.
        if !near.is_empty() {
            scale(&mut shortlist.rules, 1.0 - none);
        }
        scale(&mut shortlist.near, none);
        shortlist
    }

    /// With grown rules, whose shares those of the grammar leave to them.
    pub(super) fn with_grown(mut self, grown: Vec<Followable>) -> Shortlist {
        let share: f64 = grown.iter().map(|one| one.weight).sum();
        let held: f64 = self.rules.iter().map(|(_, weight)| weight).sum();
        scale(&mut self.rules, (held - share).max(0.0));
        self.grown = grown;
        self
    }

    /// Everything that is believed, right now: a share of belief for each set of right cards. For
    /// rules that are nearly right the set is what they say.
    fn says(&self) -> impl Iterator<Item = (u64, f64, bool)> + '_ {
        let rules = self.rules.iter().map(|(rule, weight)| (rule, weight, false));
        let near = self.near.iter().map(|(rule, weight)| (rule, weight, true));
        let known = rules.chain(near);
        let known = known.map(|(rule, weight, near)| (rule.right(&self.tests.says), *weight, near));
        known.chain(self.grown.iter().map(|one| (one.right, one.weight, false)))
    }

    /// The share of belief that is left.
    pub fn total(&self) -> f64 {
        let known = self.rules.iter().chain(&self.near).map(|(_, weight)| weight);
        known.chain(self.grown.iter().map(|one| &one.weight)).sum()
    }

    /// The belief that each card is right, as a part of [`total`](Shortlist::total).
    pub fn chances(&self) -> [f64; 52] {
        let mut chances = [0.0; 52];
        for (right, weight, near) in self.says() {
            let (yes, no) = if near { (NEARLY_RIGHT, 1.0 - NEARLY_RIGHT) } else { (1.0, 0.0) };
            for (index, chance) in chances.iter_mut().enumerate() {
                *chance += weight * if right >> index & 1 == 1 { yes } else { no };
            }
        }
        chances
    }

    /// The belief that none of these cards is right, as a part of [`total`](Shortlist::total).
    pub fn none_right(&self, hand: CardSet) -> f64 {
        self.says()
            .map(|(right, weight, near)| {
                let right = (right & hand.0).count_ones();
                let wrong = hand.len() - right;
                match near {
                    true => weight * power(1.0 - NEARLY_RIGHT, right) * power(NEARLY_RIGHT, wrong),
                    false if right == 0 => weight,
                    false => 0.0,
                }
            })
            .sum()
    }

    /// The belief that gives this card this verdict goes on; the rest is gone. A right card is then
    /// on the mainline.
    pub fn judged(&mut self, card: Card, right: bool) {
        let says = &self.tests.says;
        let agrees = |rule: &Combination| (rule.right(says) >> card.index() & 1 == 1) == right;
        self.rules.retain(|(rule, _)| agrees(rule));
        for (rule, weight) in &mut self.near {
            *weight *= if agrees(rule) { NEARLY_RIGHT } else { 1.0 - NEARLY_RIGHT };
        }
        self.grown.retain(|one| (one.right >> card.index() & 1 == 1) == right);
        if right {
            self.tests.step(card);
            for one in &mut self.grown {
                one.memory = one.rule.step(&one.memory, card);
                one.right = one.rule.right(&one.memory).0;
            }
        }
    }

    /// The places of the first rule and of all that judge as it does along some of its lines.
    pub(super) fn alike_ahead(&self, seed: u64) -> Vec<usize> {
        let mut alike: Vec<usize> = (0..self.rules.len()).collect();
        let Some((first, _)) = self.rules.first().copied() else { return alike };
        for look in 0..LOOKS {
            let mut chance = Seed::new(seed).child(look).named("alike").stream();
            let mut tests = self.tests.clone();
            for _ in 0..LOOK_LENGTH {
                let right = first.right(&tests.says);
                alike.retain(|&index| self.rules[index].0.right(&tests.says) == right);
                let Some(card) = CardSet(right).pick(&mut chance) else { break };
                tests.step(card);
            }
            if alike.len() == 1 {
                break;
            }
        }
        alike
    }

    /// The places of the rules that judge as this one does, now and along some of its likely
    /// continuations; `memory` is what it remembers of the line.
    pub(super) fn alike_to(&self, rule: &Rule, memory: Memory, seed: u64) -> Vec<usize> {
        let mut alike: Vec<usize> = (0..self.rules.len()).collect();
        let mut chance = Seed::new(seed).named("denied").stream();
        for _ in 0..CONTINUATIONS {
            let (mut memory, mut tests) = (memory, self.tests.clone());
            for step in 0..=CONTINUATIONS {
                let right = rule.right(&memory);
                alike.retain(|&index| self.rules[index].0.right(&tests.says) == right.0);
                if alike.is_empty() {
                    return alike;
                }
                if step == CONTINUATIONS {
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
