//! What a posterior says: chances of cards, the likeliest rules, samples, the rule to state.

use super::growth::{Grown, alike};
use super::shortlist::Followable;
use super::{Posterior, Shortlist};
use crate::cards::CardSet;
use crate::chance::Stream;
use crate::games::eleusis::{Combination, Rule};
use crate::stats::maths::ln;

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
    /// The belief in the next best of its kind, as far as that was looked at.
    pub second: f64,
    /// Whether it is outside the grammar and was grown.
    pub grown: bool,
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

    /// The rule to state: of the [guesses](Posterior::guesses) the one believed most.
    pub fn stated(&self) -> Option<Stated> {
        let more = |a: Stated, b: Stated| if b.belief > a.belief { b } else { a };
        self.guesses().into_iter().flatten().reduce(more)
    }

    /// The best rule of the grammar to state and the best of those that were grown. Rules that judge alike
    /// from here on are taken together, as far as a look ahead at likely continuations tells them
    /// apart; the heaviest lot is stated by the simplest of its rules. Grown rules that judge alike are
    /// joined to the one of the grammar.
    pub fn guesses(&self) -> [Option<Stated>; 2] {
        let mut known = self.best_known();
        let mut left: Vec<&Grown> = self.growth.grown.iter().collect();
        if let Some(known) = &mut known {
            let memory = known.rule.after(&self.line);
            let is_alike = |one: &&Grown| alike(&known.rule, &memory, &one.rule, &one.memory);
            let (same, others) = left.into_iter().partition::<Vec<_>, _>(is_alike);
            known.belief += self.share_of(&same);
            left = others;
        }
        [known, self.best_grown(left)]
    }

    /// The heaviest lot of rules of the grammar, of the rules believed most.
    fn best_known(&self) -> Option<Stated> {
        let mut left: Vec<(Combination, f64)> = self.top(LOOKED_AT);
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
                let (right, second) = (CardSet(here), best.map_or(0.0, |best| best.belief));
                best = Some(Stated { rule, right, belief, second, grown: false, alike });
            } else if let Some(best) = &mut best {
                best.second = best.second.max(belief);
            }
        }
        let next = left.first().map_or(0.0, |(_, share)| *share);
        best.map(|best| Stated { second: best.second.max(next), ..best })
    }

    /// The heaviest lot of these grown rules.
    fn best_grown(&self, mut left: Vec<&Grown>) -> Option<Stated> {
        let mut best: Option<Stated> = None;
        for _ in 0..LOTS {
            let Some(first) = left.first().copied() else { break };
            let is_alike = |one: &&Grown| alike(&first.rule, &first.memory, &one.rule, &one.memory);
            let (same, others) = left.into_iter().partition::<Vec<_>, _>(is_alike);
            let belief = self.share_of(&same);
            if best.as_ref().is_none_or(|best| belief > best.belief) {
                let (rule, right) = (first.rule.clone(), first.right);
                let (second, alike) = (best.map_or(0.0, |best| best.belief), Vec::new());
                best = Some(Stated { rule, right, belief, second, grown: true, alike });
            } else if let Some(best) = &mut best {
                best.second = best.second.max(belief);
            }
            left = others;
        }
        best
    }

    /// The share of belief in these grown rules.
    fn share_of(&self, grown: &[&Grown]) -> f64 {
        let scale = self.per_weight() / self.total();
        scale * grown.iter().map(|one| one.weight).sum::<f64>()
    }

    /// How much all that was judged surprised, in bits: minus the binary logarithm of the chance that it
    /// had beforehand, but for what is the same under every rule.
    pub fn surprise(&self) -> f64 {
        -ln(self.total()) / std::f64::consts::LN_2
    }

    /// The share of belief in rules that were grown.
    pub fn grown_share(&self) -> f64 {
        self.grown() / self.total()
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
