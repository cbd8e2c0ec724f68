//! The prior: how likely each rule is before anything is seen.
//!
//! A rule is of a kind: a test alone, *both*, *either*, *exactly one*, *if*. The mass of each kind is
//! divided among the groups of its tests, that of a group at a place among its ideas, that of an idea
//! alike among its texts. So it is a product, and each of its numbers can be read: in `prior.json`, where
//! `lab/src/eleusis_prior.rs` writes what it learnt of rules that people have used.

use serde::{Deserialize, Serialize};

use crate::{Combination, GROUPS, Idea, Join, PLACES, Vocabulary};

/// The prior learnt from the training half of the rule bank.
const LEARNT: &str = include_str!("../../../../strategies/eleusis/rules/prior.json");

/// Masses by the groups of two tests.
pub type Pairs = [[f64; GROUPS]; GROUPS];

/// What the masses of rules are products of.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prior {
    /// The rules that it was learnt from.
    pub learnt_from: Vec<String>,
    /// The misspecification mass at the start.
    pub outside: f64,
    /// Of tests alone, by group.
    pub one: [f64; GROUPS],
    /// Of *both*, by the groups of the main part and of the other.
    pub both: Pairs,
    /// Of *either*, likewise.
    pub either: Pairs,
    /// Of *exactly one*, by the group of the side; the other test is a condition.
    pub exactly_one: [f64; GROUPS],
    /// Of *if*, by the groups of its sides.
    pub choice: Pairs,
    /// Of *if* made of the few conditions and few sides that come to mind first.
    pub few: f64,
    /// The share of each group among conditions.
    pub conditions: [f64; GROUPS],
    /// The weight of each idea at each place among those of its group; of the few, among all.
    pub ideas: Vec<(String, [f64; PLACES])>,
}

impl Prior {
    /// The prior learnt from the training half of the rule bank.
    ///
    /// # Panics
    /// Never: a test reads the embedded file.
    #[expect(clippy::panic, reason = "the text stands in this program")]
    pub fn learnt() -> Prior {
        serde_json::from_str(LEARNT).unwrap_or_else(|fault| panic!("the prior: {fault}"))
    }

    /// Before anything is learnt: the weights of the vocabulary, and what a table of beginners has.
    pub fn unlearnt() -> Prior {
        // A and B are what comes to mind first.
        let groups = [0.3, 0.2, 0.2, 0.05, 0.13, 0.12];
        let main = [0.345, 0.25, 0.25, 0.005, 0.05, 0.1];
        let other = [0.4, 0.15, 0.1, 0.25, 0.05, 0.05];
        let product = |mass: f64, a: [f64; GROUPS], b: [f64; GROUPS]| {
            a.map(|first| b.map(|second| mass * first * second))
        };
        let side = [0.34, 0.3, 0.24, 0.02, 0.04, 0.06];
        let mut choice = product(0.08, side, side);
        // Both sides are mostly of one kind.
        (0..GROUPS).for_each(|group| choice[group][group] += 0.08 * side[group]);
        let ideas = &Vocabulary::shared().ideas;
        Prior {
            learnt_from: Vec::new(),
            outside: 0.35,
            one: groups.map(|share| 0.42 * share),
            both: product(0.1, main, other),
            either: product(0.13, main, other),
            exactly_one: side.map(|share| 0.07 * share),
            choice,
            few: 0.12,
            conditions: [0.2, 0.08, 0.02, 0.5, 0.1, 0.1],
            ideas: ideas.iter().map(|idea| (idea.pattern.clone(), idea.weights)).collect(),
        }
    }

    /// The weight of an idea at a place.
    pub(super) fn of_idea(&self, idea: &Idea) -> [f64; PLACES] {
        let known = self.ideas.iter().find(|(pattern, _)| *pattern == idea.pattern);
        known.map_or(idea.weights, |(_, weights)| *weights)
    }
}

impl Combination {
    /// Which of the places of the [vocabulary](crate::PLACES) its test with this number
    /// has.
    pub fn place(&self, at: usize) -> usize {
        match (self.join, at) {
            (Join::One, _) => 0,
            (Join::If | Join::Xor, 0) => 3,
            (Join::If | Join::Xor, _) => 4,
            (_, 0) => 1,
            _ => 2,
        }
    }
}

/// A power by multiplication: the same on every machine.
pub(super) fn power(base: f64, exponent: u32) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * base)
}
