//! The heaviest rules of products of lists, and rules drawn from the products.

use std::cmp::Ordering;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::products::{Product, Products};
use super::test_lists::{TestList, pick};
use crate::vocabulary::{Combination, Join};
use parlour_base::chance::Stream;

/// The k heaviest rules so far.
struct TopK {
    k: usize,
    rules: Vec<(Combination, f64)>,
    /// Lower bound of the masses of the k heaviest rules.
    least: f64,
}

fn by_mass(a: &(Combination, f64), b: &(Combination, f64)) -> Ordering {
    b.1.total_cmp(&a.1).then(a.0.cmp(&b.0))
}

/// Number of products that are ranked at once; more are rarely needed.
const RANKED: usize = 1024;

fn by_bound(a: &(f64, u32), b: &(f64, u32)) -> Ordering {
    b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
}

impl TopK {
    fn add(&mut self, rule: Combination, mass: f64) {
        self.rules.push((rule, mass));
        if self.rules.len() >= 2 * self.k {
            self.prune();
        }
    }

    fn prune(&mut self) {
        if self.rules.len() > self.k {
            self.rules.select_nth_unstable_by(self.k - 1, by_mass);
            self.rules.truncate(self.k);
            self.least = self.rules.iter().map(|(_, mass)| *mass).fold(f64::INFINITY, f64::min);
        }
    }
}

impl Product {
    /// Returns an upper bound of the mass of its rules.
    fn bound(&self, lists: &[Arc<TestList>]) -> f64 {
        self.parts(lists).fold(self.factor, |bound, list| bound * list.max)
    }

    /// Returns the rule of one test of each list, or `None` if it has one test twice.
    fn rule(&self, tests: &[u16]) -> Option<Combination> {
        let is_repeated = match (self.join, tests) {
            (Join::If, [_, a, b]) => a == b,
            (Join::And | Join::Or | Join::Xor, [a, b]) => a == b,
            _ => false,
        };
        (!is_repeated).then(|| Combination::of(self.join, tests))
    }

    fn add_heaviest(&self, lists: &[Arc<TestList>], best: &mut TopK) {
        let parts: SmallVec<[&[(u16, f64)]; 3]> = self.parts(lists).map(TestList::ranked).collect();
        self.walk(&parts, self.factor, &mut Vec::new(), best);
    }

    /// Combines the tests of the first list with those of the others, heaviest first, until no
    /// combination can be heavy enough.
    fn walk(&self, parts: &[&[(u16, f64)]], mass: f64, tests: &mut Vec<u16>, best: &mut TopK) {
        let Some((part, rest)) = parts.split_first() else {
            if let Some(rule) = self.rule(tests) {
                best.add(rule, mass);
            }
            return;
        };
        let bound: f64 = rest.iter().map(|part| part[0].1).product();
        for &(test, weight) in *part {
            if mass * weight * bound < best.least {
                break;
            }
            tests.push(test);
            self.walk(rest, mass * weight, tests, best);
            tests.pop();
        }
    }
}

impl Products {
    /// Returns the products with their bounds: the first [`RANKED`] sorted, then the lighter ones.
    fn rank(&self) -> Vec<(f64, u32)> {
        let bounds = self.products.iter().map(|product| product.bound(&self.lists));
        let mut ranked: Vec<(f64, u32)> = bounds.zip(0..).collect();
        let first = ranked.len().min(RANKED);
        if first < ranked.len() {
            ranked.select_nth_unstable_by(first, by_bound);
        }
        ranked[..first].sort_unstable_by(by_bound);
        ranked
    }

    /// Adds the rules of ranked products. Returns `false` if the last ones were too light.
    fn add_heaviest(&self, ranked: &[(f64, u32)], best: &mut TopK) -> bool {
        ranked.iter().all(|&(bound, product)| {
            let is_heavy = bound >= best.least;
            if is_heavy {
                self.products[product as usize].add_heaviest(&self.lists, best);
            }
            is_heavy
        })
    }

    /// Returns the heaviest rules with their masses, heaviest first. The masses of a rule in two
    /// products are added.
    pub fn heaviest(&self, most: usize) -> Vec<(Combination, f64)> {
        let ranked = self.ranked.get_or_init(|| self.rank());
        // Two orders of two tests are the same rule.
        let mut best = TopK { k: 2 * most.max(1), rules: Vec::new(), least: 0.0 };
        let (first, others) = ranked.split_at(ranked.len().min(RANKED));
        if self.add_heaviest(first, &mut best) && !others.is_empty() {
            let mut others = others.to_vec();
            others.sort_unstable_by(by_bound);
            self.add_heaviest(&others, &mut best);
        }
        let mut sums: FxHashMap<Combination, f64> = FxHashMap::default();
        best.prune();
        best.rules.sort_unstable_by(by_mass);
        best.rules.iter().for_each(|(rule, mass)| *sums.entry(*rule).or_default() += mass);
        let mut found: Vec<(Combination, f64)> = sums.into_iter().collect();
        found.sort_unstable_by(by_mass);
        found.truncate(most);
        found
    }

    /// Draws the rules at these ascending quantiles of the mass.
    pub fn at(&self, quantiles: &[f64], chance: &mut Stream) -> Vec<Combination> {
        let mut drawn = Vec::with_capacity(quantiles.len());
        let (mut sum, mut at) = (0.0, 0);
        for product in &self.products {
            sum += product.mass;
            while at < quantiles.len() && quantiles[at] * self.mass < sum {
                // A rule with one test twice is drawn again.
                let rule = (0..TRIES).find_map(|_| {
                    let parts = product.parts(&self.lists);
                    let tests = parts
                        .map(|list| pick(list.tests.iter().copied(), chance.unit() * list.mass));
                    product.rule(&tests.collect::<Option<Vec<u16>>>()?)
                });
                drawn.extend(rule);
                at += 1;
            }
        }
        drawn
    }
}

/// Maximum number of draws for one rule.
const TRIES: usize = 20;
