//! The prior probabilities of rules.
//!
//! A rule is a single test, *both*, *either*, *exactly one* or *if*. The mass of each kind is
//! divided among the groups of its tests. The mass of a group at a place is divided among its
//! ideas, and the mass of an idea equally among its texts. So the prior of a rule is a product of
//! the numbers in `prior.json`, which `lab/src/eleusis_prior.rs` estimates from rules that people
//! have used.

use serde::{Deserialize, Serialize};

use crate::vocabulary::{GROUPS, Idea, PLACES};

/// The prior estimated from the training half of the rule corpus.
const LEARNED: &str = include_str!("../../../../strategies/eleusis/rules/prior.json");

/// The places of common conditions and common sides, which are weighted across all groups.
pub const COMMON: [usize; 2] = [5, 6];

/// Masses by the groups of two tests.
pub type Pairs = [[f64; GROUPS]; GROUPS];

/// The factors of the prior probabilities of rules.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prior {
    /// The rules that the prior was estimated from.
    pub trained_on: Vec<String>,
    /// The prior probability that the secret rule is outside the grammar.
    pub misspecification: f64,
    /// Masses of single tests, by group.
    pub single: [f64; GROUPS],
    /// Masses of *both*, by the groups of the main part and of the other part.
    pub both: Pairs,
    /// Masses of *either*, by the groups of the main part and of the other part.
    pub either: Pairs,
    /// Masses of *exactly one*, by the group of the side; the other test is a condition.
    pub exactly_one: [f64; GROUPS],
    /// Masses of *if*, by the groups of the two sides.
    pub choice: Pairs,
    /// Mass of *if* with a common condition and common sides.
    pub common: f64,
    /// Share of each group among conditions.
    pub conditions: [f64; GROUPS],
    /// Weight of each idea at each place within its group; at the common places, within all groups.
    pub ideas: Vec<(String, [f64; PLACES])>,
}

impl Prior {
    /// Returns the prior estimated from the training half of the rule corpus.
    ///
    /// # Panics
    /// Never: a test reads the embedded file.
    #[expect(clippy::panic, reason = "the file is embedded")]
    pub fn learned() -> Prior {
        serde_json::from_str(LEARNED).unwrap_or_else(|fault| panic!("the prior: {fault}"))
    }

    /// Returns the weights of an idea at each place.
    pub(super) fn weights(&self, idea: &Idea) -> [f64; PLACES] {
        let known = self.ideas.iter().find(|(pattern, _)| *pattern == idea.pattern);
        known.map_or(idea.weights, |(_, weights)| *weights)
    }

    /// Removes the masses of groups without a test at a place, and scales all masses to a sum of 1.
    /// `has[place][group]` is `true` if there is a test.
    pub(super) fn restrict(&mut self, has: &[[bool; GROUPS]; PLACES]) {
        let restrict = |masses: &mut [f64; GROUPS], place: usize| {
            masses.iter_mut().zip(has[place]).for_each(|(m, has)| *m *= f64::from(u8::from(has)));
        };
        restrict(&mut self.single, 0);
        restrict(&mut self.conditions, 3);
        restrict(&mut self.exactly_one, 4);
        let pairs =
            [(&mut self.both, [1, 2]), (&mut self.either, [1, 2]), (&mut self.choice, [4, 4])];
        for (pairs, [first, second]) in pairs {
            for (row, has) in pairs.iter_mut().zip(has[first]) {
                restrict(row, second);
                row.iter_mut().for_each(|m| *m *= f64::from(u8::from(has)));
            }
        }
        let conditions: f64 = self.conditions.iter().sum();
        if conditions > 0.0 {
            self.conditions = self.conditions.map(|share| share / conditions);
        } else {
            self.exactly_one = [0.0; GROUPS];
            self.choice = [[0.0; GROUPS]; GROUPS];
        }
        if COMMON.iter().any(|&place| has[place] == [false; GROUPS]) {
            self.common = 0.0;
        }
        let Prior { single, both, either, exactly_one, choice, common, .. } = self;
        let flat = |pairs: &Pairs| pairs.iter().flatten().sum::<f64>();
        let all = single.iter().chain(&*exactly_one).sum::<f64>()
            + flat(both)
            + flat(either)
            + flat(choice)
            + *common;
        let factor = 1.0 / all.max(f64::MIN_POSITIVE);
        let pairs = [both, either, choice].into_iter().flatten().flatten();
        let others = single.iter_mut().chain(exactly_one).chain([common]);
        others.chain(pairs).for_each(|mass| *mass *= factor);
    }
}

/// Returns a power by repeated multiplication, with the same result on every machine.
pub(super) fn power(base: f64, exponent: u32) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * base)
}
