//! Rules drawn from the belief.

use super::Learner;
use crate::chance::Stream;
use crate::games::eleusis::rule::Rule;

impl Learner {
    /// So many rules drawn from the belief, each as often as it is drawn. *None of these* is
    /// represented by rules that are nearly right.
    pub fn draw(&self, count: usize, chance: &mut Stream) -> Vec<Rule> {
        let near = self.outside.near();
        let held: f64 = near.iter().map(|(_, weight)| weight).sum();
        let none = self.none_share();
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
            drawn.extend(found.map(|(combo, _)| *combo));
        }
        // One walk over the rules for all that were wanted.
        wanted.sort_by(f64::total_cmp);
        let all: f64 = self.weights.iter().sum();
        let (mut sum, mut at) = (0.0, 0);
        for (combo, weight) in self.live.iter().zip(&self.weights) {
            sum += weight;
            while at < wanted.len() && wanted[at] * all < sum {
                drawn.push(*combo);
                at += 1;
            }
        }
        drawn.into_iter().filter_map(|combo| self.grammar.rule(combo).ok()).collect()
    }
}
