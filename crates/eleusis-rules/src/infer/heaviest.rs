//! The heaviest rules of products of lists, and rules drawn from them.

use std::cmp::Ordering;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::cells::{Cell, Cells};
use super::list::List;
use crate::chance::Stream;
use crate::{Combination, Join};

/// Rules with their masses, of which the heaviest are kept.
struct Best {
    most: usize,
    found: Vec<(Combination, f64)>,
    /// What is below cannot be among them.
    least: f64,
}

fn heavier(a: &(Combination, f64), b: &(Combination, f64)) -> Ordering {
    b.1.total_cmp(&a.1).then(a.0.cmp(&b.0))
}

/// So many cells are ranked; hardly ever are more looked at.
const RANKED: usize = 1024;

fn wider(a: &(f64, u32), b: &(f64, u32)) -> Ordering {
    b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
}

impl Best {
    fn add(&mut self, rule: Combination, mass: f64) {
        self.found.push((rule, mass));
        if self.found.len() >= 2 * self.most {
            self.cut();
        }
    }

    fn cut(&mut self) {
        if self.found.len() > self.most {
            self.found.select_nth_unstable_by(self.most - 1, heavier);
            self.found.truncate(self.most);
            self.least = self.found.iter().map(|(_, mass)| *mass).fold(f64::INFINITY, f64::min);
        }
    }
}

impl Cell {
    /// No rule of it is heavier.
    fn bound(&self, lists: &[Arc<List>]) -> f64 {
        self.parts(lists).fold(self.factor, |bound, list| bound * list.most)
    }

    /// The rule of one test of each list.
    fn rule(&self, tests: &[u16]) -> Option<Combination> {
        let twice = match (self.join, tests) {
            (Join::If, [_, a, b]) => a == b,
            (Join::And | Join::Or | Join::Xor, [a, b]) => a == b,
            _ => false,
        };
        (!twice).then(|| Combination::of(self.join, tests))
    }

    fn add_heaviest(&self, lists: &[Arc<List>], best: &mut Best) {
        let parts: SmallVec<[&[(u16, f64)]; 3]> = self.parts(lists).map(List::ranked).collect();
        self.walk(&parts, self.factor, &mut Vec::new(), best);
    }

    /// Goes through the tests of the first list, and for each through those of the others, as long as
    /// something heavy enough can come of it.
    fn walk(&self, parts: &[&[(u16, f64)]], mass: f64, tests: &mut Vec<u16>, best: &mut Best) {
        let Some((part, rest)) = parts.split_first() else {
            if let Some(rule) = self.rule(tests) {
                best.add(rule, mass);
            }
            return;
        };
        let hope: f64 = rest.iter().map(|part| part[0].1).product();
        for &(test, weight) in *part {
            if mass * weight * hope < best.least {
                break;
            }
            tests.push(test);
            self.walk(rest, mass * weight, tests, best);
            tests.pop();
        }
    }
}

impl Cells {
    /// The cells with the most that a rule of each weighs: the first [`RANKED`] heaviest first, then
    /// the lighter ones.
    fn rank(&self) -> Vec<(f64, u32)> {
        let bounds = self.cells.iter().map(|cell| cell.bound(&self.lists));
        let mut ranked: Vec<(f64, u32)> = bounds.zip(0..).collect();
        let first = ranked.len().min(RANKED);
        if first < ranked.len() {
            ranked.select_nth_unstable_by(first, wider);
        }
        ranked[..first].sort_unstable_by(wider);
        ranked
    }

    /// Adds what these cells have, heaviest first; whether all may matter.
    fn add_heaviest(&self, ranked: &[(f64, u32)], best: &mut Best) -> bool {
        ranked.iter().all(|&(bound, cell)| {
            let matters = bound >= best.least;
            if matters {
                self.cells[cell as usize].add_heaviest(&self.lists, best);
            }
            matters
        })
    }

    /// The heaviest rules with their masses, heaviest first. A rule that stands in two cells counts
    /// with both.
    pub fn heaviest(&self, most: usize) -> Vec<(Combination, f64)> {
        let ranked = self.ranked.get_or_init(|| self.rank());
        // Two orders of two tests are one rule.
        let mut best = Best { most: 2 * most.max(1), found: Vec::new(), least: 0.0 };
        let (first, others) = ranked.split_at(ranked.len().min(RANKED));
        if self.add_heaviest(first, &mut best) && !others.is_empty() {
            let mut others = others.to_vec();
            others.sort_unstable_by(wider);
            self.add_heaviest(&others, &mut best);
        }
        let mut sums: FxHashMap<Combination, f64> = FxHashMap::default();
        best.cut();
        best.found.sort_unstable_by(heavier);
        best.found.iter().for_each(|(rule, mass)| *sums.entry(*rule).or_default() += mass);
        let mut found: Vec<(Combination, f64)> = sums.into_iter().collect();
        found.sort_unstable_by(heavier);
        found.truncate(most);
        found
    }

    /// The rules at these parts of all their mass, which ascend.
    pub fn at(&self, parts: &[f64], chance: &mut Stream) -> Vec<Combination> {
        let mut drawn = Vec::with_capacity(parts.len());
        let (mut sum, mut at) = (0.0, 0);
        for cell in &self.cells {
            sum += cell.mass;
            while at < parts.len() && parts[at] * self.mass < sum {
                // One test beside itself is drawn anew.
                let rule = (0..TRIES).find_map(|_| {
                    let tests = cell.parts(&self.lists).map(|list| list.draw(chance));
                    cell.rule(&tests.collect::<Vec<u16>>())
                });
                drawn.extend(rule);
                at += 1;
            }
        }
        drawn
    }
}

const TRIES: usize = 20;

impl List {
    fn draw(&self, chance: &mut Stream) -> u16 {
        let mut left = chance.unit() * self.mass;
        let found = self.tests.iter().find(|(_, weight)| {
            left -= weight;
            left < 0.0
        });
        found.or(self.tests.last()).map_or(0, |(test, _)| *test)
    }
}
