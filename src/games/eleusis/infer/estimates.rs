//! What a posterior says: chances of cards, the likeliest rules, samples, the rule to state.

use super::verdicts::Sums;
use super::{Posterior, Shortlist};
use crate::cards::CardSet;
use crate::chance::Stream;
use crate::games::eleusis::{Combination, Join, Rule};

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
        let mut sums = Sums::default();
        // Most rules judge as one of their tests does here: those are summed by test first.
        let mut by_test = vec![0.0; self.tests.says.len()];
        let full = CardSet::FULL.0;
        for (rule, weight) in self.live.iter().zip(&self.weights) {
            let [c, a, b] = rule.tests.map(usize::from);
            let alone = match rule.join {
                Join::One => Some(c),
                Join::If if self.tests.says[c].yes == full => Some(a),
                Join::If if self.tests.says[c].right == 0 => Some(b),
                _ => None,
            };
            match alone {
                Some(test) => by_test[test] += weight,
                None => sums.add(rule.right(&self.tests.says), *weight),
            }
        }
        let summed = self.tests.says.iter().zip(by_test).filter(|(_, weight)| *weight > 0.0);
        summed.for_each(|(verdicts, weight)| sums.add(verdicts.right, weight));
        let mut chances = sums.by_card();
        self.misspecified.add_chances(&self.tests.says, &mut chances);
        chances.map(|chance| chance / self.total)
    }

    /// The rules believed most, at most so many, most believed first, with their share of belief.
    pub fn top(&self, most: usize) -> Vec<(Combination, f64)> {
        let mut order: Vec<usize> = (0..self.live.len()).collect();
        let by_weight =
            |a: &usize, b: &usize| self.weights[*b].total_cmp(&self.weights[*a]).then(a.cmp(b));
        if order.len() > most {
            order.select_nth_unstable_by(most.max(1) - 1, by_weight);
            order.truncate(most);
        }
        order.sort_by(by_weight);
        let each = |index| (self.live[index], self.weights[index] / self.total);
        order.into_iter().map(each).collect()
    }

    /// The rules believed most, and of *none of these* a quarter as many that are nearly right.
    pub fn shortlist(&self, most: usize) -> Shortlist {
        let mut near = self.misspecified.near.to_vec();
        near.sort_by(|a, b| b.1.total_cmp(&a.1));
        near.truncate(most / 4);
        let none = self.misspecification();
        Shortlist::new(&self.tests, &self.top(most), &near, none)
    }

    /// The rule to state: the one believed most, with the belief in all rules that judge as it does
    /// from here on, as far as a look ahead at its likely continuations tells them apart.
    pub fn stated(&self) -> Option<Stated> {
        let top = self.top(64);
        let (first, _) = *top.first()?;
        let here = first.right(&self.tests.says);
        let same: Vec<(Combination, f64)> =
            top.into_iter().filter(|(other, _)| other.right(&self.tests.says) == here).collect();
        let shortlist = Shortlist::new(&self.tests, &same, &[], 0.0);
        let alike = shortlist.alike_ahead(self.line.len() as u64);
        let belief = alike.iter().map(|&index| same[index].1).sum();
        let alike = alike.into_iter().map(|index| same[index].0).collect();
        Some(Stated { right: CardSet(here), rule: first.rule().ok()?, belief, alike })
    }

    /// What was to be stated is not the secret rule: it goes, and all that were thought to judge
    /// alike.
    pub fn refuted(&mut self, stated: &Stated) {
        self.keep(|rule| !stated.alike.contains(&rule));
    }

    /// So many rules drawn from the posterior, each as often as it is drawn. *None of these* is
    /// represented by rules that are nearly right.
    pub fn sample(&self, count: usize, chance: &mut Stream) -> Vec<Rule> {
        let near = &self.misspecified.near;
        let held: f64 = near.iter().map(|(_, weight)| weight).sum();
        let none = self.misspecification();
        let mut wanted: Vec<f64> = Vec::new();
        let mut drawn = Vec::with_capacity(count);
        for _ in 0..count {
            if !self.live.is_empty() && chance.unit() >= none {
                wanted.push(chance.unit());
                continue;
            }
            let mut left = chance.unit() * held;
            let found = near.iter().find(|(_, weight)| {
                left -= weight;
                left < 0.0
            });
            drawn.extend(found.map(|(rule, _)| *rule));
        }
        // One walk over the rules for all that were wanted.
        wanted.sort_by(f64::total_cmp);
        let all: f64 = self.weights.iter().sum();
        let (mut sum, mut at) = (0.0, 0);
        for (rule, weight) in self.live.iter().zip(&self.weights) {
            sum += weight;
            while at < wanted.len() && wanted[at] * all < sum {
                drawn.push(*rule);
                at += 1;
            }
        }
        drawn.into_iter().filter_map(|rule| rule.rule().ok()).collect()
    }
}
