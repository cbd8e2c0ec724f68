//! The combinations of a grammar that are equivalent to a rule, and the grammar without its ideas.

use std::sync::Arc;

use super::evidence::Evidence;
use super::grammar::Grammar;
use super::posterior::Posterior;
use super::products::Products;
use crate::rule::{Memory, Rule};
use crate::vocabulary::{Combination, Join, Vocabulary};
use parlour_base::cards::Card;
use parlour_base::chance::Seed;

/// Number of lines along which a rule is observed, right cards in each line, and cards judged
/// before each right card.
const LINES: usize = 6;
const STEPS: usize = 12;
const JUDGED: usize = 4;

/// Maximum number of equivalent combinations.
const MAX_EQUIVALENTS: usize = 256;

/// Maximum number of ideas that are left out for a rule.
const MAX_IDEAS: usize = 40;

/// The combinations of a grammar that are equivalent to a rule.
#[derive(Clone, Debug)]
pub struct Equivalents {
    /// The heaviest equivalent combinations with their masses, heaviest first.
    pub combinations: Vec<(Combination, f64)>,
    /// Sum of the masses.
    pub mass: f64,
}

impl Grammar {
    /// Returns the combinations that judge as a rule does along lines of its own, or `None` if
    /// there are none.
    pub fn equivalents(self: &Arc<Grammar>, rule: &Rule) -> Option<Equivalents> {
        self.equivalents_like(&self.behavior_of(rule)?)
    }

    /// Returns the combinations that agree with all verdicts of [`Grammar::behavior_of`] a rule. It
    /// must come from a grammar with the same tests at each place.
    pub fn equivalents_like(&self, posterior: &Posterior) -> Option<Equivalents> {
        let evidence = posterior.evidence.for_another_grammar();
        let mut combinations = Products::of(self, &evidence).heaviest(MAX_EQUIVALENTS);
        combinations.retain(|(rule, _)| rule.join == Join::One || rule.is_playable());
        let mass = combinations.iter().map(|(_, mass)| mass).sum();
        (!combinations.is_empty()).then_some(Equivalents { combinations, mass })
    }

    /// Observes a rule along some lines of its own. Returns `None` if it leaves no card right.
    pub fn behavior_of(self: &Arc<Grammar>, rule: &Rule) -> Option<Posterior> {
        let mut chance = Seed::new(1).named("known").stream();
        let first = rule.right(&Memory::default()).pick(&mut chance)?;
        let mut posterior = Posterior::new(self, first);
        for line in 0..LINES {
            let starter = rule.right(&Memory::default()).pick(&mut chance)?;
            if line > 0 {
                posterior.start_line(starter);
            }
            let mut memory = rule.after(&[if line > 0 { starter } else { first }]);
            for _ in 0..STEPS {
                let right = rule.right(&memory);
                for _ in 0..JUDGED {
                    let card = Card::from_index(chance.below(52) as u8);
                    posterior.observe_aside(card, right.has(card));
                }
                let card = right.pick(&mut chance)?;
                posterior.observe(card, true);
                memory = rule.step(&memory, card);
            }
        }
        Some(posterior)
    }

    /// Returns the grammar without the ideas of a rule. The rarest idea of the heaviest equivalent
    /// combination is removed until no equivalent is left.
    pub fn without_idea_of(self: &Arc<Grammar>, rule: &Rule) -> Arc<Grammar> {
        let vocabulary = Vocabulary::shared();
        let mut left = self.clone();
        let mut removed: Vec<u16> = Vec::new();
        while removed.len() < MAX_IDEAS
            && let Some(Equivalents { combinations, .. }) = left.equivalents(rule)
        {
            let Some((name, _)) = combinations.first() else { break };
            let ideas = name.join.places().iter().zip(name.tests()).map(|(&place, &test)| {
                (left.weights[place][usize::from(test)], vocabulary.test(test).idea)
            });
            let Some((_, rarest)) = ideas.min_by(|a, b| a.0.total_cmp(&b.0)) else { break };
            removed.push(rarest);
            left = Arc::new(self.without_ideas(&removed));
        }
        left
    }

    /// Returns the combinations with the largest [masses](Grammar::mass), heaviest first.
    pub fn heaviest(&self, most: usize) -> Vec<(Combination, f64)> {
        Products::of(self, &Evidence::new(self)).heaviest(most)
    }
}
