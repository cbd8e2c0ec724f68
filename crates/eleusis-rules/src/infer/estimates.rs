//! What a posterior says: chances of cards, the likeliest rules, samples, the rule to state.

use super::growth::{Grown, alike};
use super::shortlist::Followable;
use super::{Posterior, Shortlist};
use crate::cards::CardSet;
use crate::chance::Stream;
use crate::{Combination, Rule};

/// How many rules are looked at to state one, and how many lots of those that judge alike.
const LOOKED_AT: usize = 128;
const LOTS: usize = 3;

/// How many rules are looked at for those that judge as a given one does.
const WEIGHED: usize = 512;

/// The rule to state.
#[derive(Clone, Debug)]
pub struct Stated {
    /// The rule.
    pub rule: Rule,
    /// The cards that it has right now.
    pub right: CardSet,
    /// The belief in it and in all rules that are expected to judge alike from here on.
    pub belief: f64,
    /// Those rules, itself first.
    pub alike: Vec<Combination>,
}

impl Posterior {
    /// The chance of each card to be right now.
    pub fn chances(&self) -> [f64; 52] {
        let (cells, says) = (self.cells(), &self.tests.says);
        let mut chances = [0.0; 52];
        cells.add_chances(says, &mut chances);
        for (rule, mass) in &self.gone {
            CardSet(rule.right(says)).for_each(|card| chances[usize::from(card.index())] -= mass);
        }
        let scale = self.scale();
        chances.iter_mut().for_each(|chance| *chance *= scale);
        self.misspecified.add_chances(says, 1.0 / self.total(), &mut chances);
        let scale = self.per_weight() / self.total();
        for grown in &self.growth.grown {
            let right = grown.right;
            right.for_each(|card| chances[usize::from(card.index())] += scale * grown.weight);
        }
        chances.map(|chance| chance.clamp(0.0, 1.0))
    }

    /// The rules believed most, at most so many, most believed first, with their share of belief.
    /// Those that leave nothing right cannot be anybody's rule and are passed over.
    pub fn top(&self, most: usize) -> Vec<(Combination, f64)> {
        let mut top = self.heaviest(most + most / 2 + 16);
        top.retain(|(rule, _)| rule.is_playable());
        top.truncate(most);
        top
    }

    /// The rules that agree and weigh most, whatever they leave right.
    pub(super) fn heaviest(&self, most: usize) -> Vec<(Combination, f64)> {
        let mut top = self.cells().heaviest(most + self.gone.len());
        top.retain(|(rule, _)| self.gone.iter().all(|(known, _)| known != rule));
        top.truncate(most);
        let scale = self.scale();
        top.iter_mut().for_each(|(_, mass)| *mass *= scale);
        top
    }

    /// The rules believed most, and of *none of these* a quarter as many that are nearly right.
    pub fn shortlist(&self, most: usize) -> Shortlist {
        let mut near = self.misspecified.near.to_vec();
        near.sort_by(|a, b| b.1.total_cmp(&a.1));
        near.truncate(most / 4);
        let none = self.misspecification();
        let scale = self.per_weight() / self.total();
        let grown = self.growth.grown.iter().take(most / 8).map(|grown| Followable {
            rule: grown.rule.clone(),
            memory: grown.memory,
            right: grown.right.0,
            weight: scale * grown.weight,
        });
        Shortlist::new(&self.tests, &self.top(most), &near, none).with_grown(grown.collect())
    }

    /// The rule to state: of the rules believed most those that judge alike from here on are taken
    /// together, as far as a look ahead at likely continuations tells them apart; the heaviest lot is
    /// stated by the simplest of its rules.
    pub fn stated(&self) -> Option<Stated> {
        let top = self.top(LOOKED_AT);
        let mut left: Vec<(Combination, f64)> = top;
        let mut best: Option<Stated> = None;
        for _ in 0..LOTS {
            let Some(&(first, _)) = left.first() else { break };
            let rest: f64 = left.iter().map(|(_, share)| share).sum();
            if best.as_ref().is_some_and(|best| rest <= best.belief) {
                break;
            }
            let here = first.right(&self.tests.says);
            let same: Vec<(Combination, f64)> = left
                .iter()
                .filter(|(other, _)| other.right(&self.tests.says) == here)
                .copied()
                .collect();
            let shortlist = Shortlist::new(&self.tests, &same, &[], 0.0);
            let alike = shortlist.alike_ahead(self.line.len() as u64);
            let belief: f64 = alike.iter().map(|&index| same[index].1).sum();
            let alike: Vec<Combination> = alike.into_iter().map(|index| same[index].0).collect();
            left.retain(|(rule, _)| !alike.contains(rule));
            if best.as_ref().is_none_or(|best| belief > best.belief)
                && let Ok(rule) = first.rule()
            {
                best = Some(Stated { right: CardSet(here), rule, belief, alike });
            }
        }
        self.or_grown(best)
    }

    /// Grown rules that judge alike are joined to what was to be stated, or one is stated itself.
    fn or_grown(&self, mut best: Option<Stated>) -> Option<Stated> {
        let scale = self.per_weight() / self.total();
        let mut left: Vec<&Grown> = self.growth.grown.iter().collect();
        if let Some(best) = &mut best {
            let memory = best.rule.after(&self.line);
            let is_alike = |one: &&Grown| alike(&best.rule, &memory, &one.rule, &one.memory);
            let (same, others) = left.into_iter().partition::<Vec<_>, _>(is_alike);
            best.belief += scale * same.into_iter().map(|one| one.weight).sum::<f64>();
            left = others;
        }
        for _ in 0..LOTS {
            let Some(first) = left.first().copied() else { break };
            let is_alike = |one: &&Grown| alike(&first.rule, &first.memory, &one.rule, &one.memory);
            let (same, others) = left.into_iter().partition::<Vec<_>, _>(is_alike);
            let belief = scale * same.into_iter().map(|one| one.weight).sum::<f64>();
            if best.as_ref().is_none_or(|best| belief > best.belief) {
                let (rule, right) = (first.rule.clone(), first.right);
                best = Some(Stated { rule, right, belief, alike: Vec::new() });
            }
            left = others;
        }
        best
    }

    /// The share of belief in rules that judge as this one from here on, as far as they are among the
    /// rules believed most and a look ahead tells them apart.
    pub fn mass_of(&self, rule: &Rule) -> f64 {
        let memory = rule.after(&self.line);
        let grown = self.growth.grown.iter();
        let grown = grown.filter(|one| alike(rule, &memory, &one.rule, &one.memory));
        let scale = self.per_weight() / self.total();
        let grown: f64 = grown.map(|one| scale * one.weight).sum();
        self.alike(rule, WEIGHED).iter().fold(grown, |sum, (_, share)| sum + share)
    }

    /// What was to be stated is not the secret rule: it goes, and all that were thought to judge
    /// alike.
    pub fn refuted(&mut self, stated: &Stated) {
        self.take_out(stated.alike.iter().copied());
        self.growth.refute(&stated.rule, &self.line);
    }

    /// So many rules drawn from the posterior, each as often as it is drawn. *None of these* is
    /// represented by rules that are nearly right.
    pub fn sample(&self, count: usize, chance: &mut Stream) -> Vec<Rule> {
        let near = &self.misspecified.near;
        let held: f64 = near.iter().map(|(_, weight)| weight).sum();
        let none = self.misspecification();
        let grown = self.grown() / self.total();
        let mut wanted: Vec<f64> = Vec::new();
        let mut drawn = Vec::with_capacity(count);
        let mut grown_rules = Vec::new();
        for _ in 0..count {
            let at = chance.unit();
            if at >= none + grown {
                wanted.push(chance.unit());
                continue;
            }
            if at >= none {
                let mut left = (at - none) / grown * self.growth.weight();
                let found = self.growth.grown.iter().find(|one| {
                    left -= one.weight;
                    left < 0.0
                });
                grown_rules.extend(found.map(|one| one.rule.clone()));
                continue;
            }
            let mut left = chance.unit() * held;
            let found = near.iter().find(|(_, weight)| {
                left -= weight;
                left < 0.0
            });
            drawn.extend(found.map(|(rule, _)| *rule));
        }
        wanted.sort_by(f64::total_cmp);
        let gone = |rule: &Combination| self.gone.iter().any(|(known, _)| known == rule);
        let mut found = self.cells().at(&wanted, chance);
        found.retain(|rule| !gone(rule) && rule.is_playable());
        // What was passed over is made good by what was drawn in its place.
        if !found.is_empty() {
            let draw = |_| found[chance.below(found.len() as u32) as usize];
            drawn.extend((0..wanted.len()).map(draw));
        }
        let drawn = drawn.into_iter().filter_map(|rule| rule.rule().ok());
        drawn.chain(grown_rules).collect()
    }
}
