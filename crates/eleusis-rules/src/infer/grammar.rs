//! The grammar: all rules of the vocabulary with their priors.

use std::sync::{Arc, LazyLock, OnceLock};

use super::prior::{COMMON, Prior};
use super::productions::TreeGrammar;
use super::test_lists::TestSet;
use crate::vocabulary::{Combination, GROUPS, Idea, Join, PLACES, Test, VERSION, Vocabulary};
use parlour_base::files::digest;

/// Shares of right cards on the empty line, where only the starter is judged. Level 0 is unknown,
/// level 1 is right for every card, and the other levels are the nearest of some shares.
const LEVELS: [f64; 7] = [1.0, 1.0, 0.75, 0.5, 0.25, 1.0 / 13.0, 0.0];

/// The level of tests that are unknown on the empty line.
const UNKNOWN: usize = 0;

/// A class of tests with the same group and the same level.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct TestClass(u8);

impl TestClass {
    /// Number of classes.
    pub const COUNT: usize = GROUPS * LEVELS.len();

    fn of(test: &Test) -> TestClass {
        let (yes, right) = (test.first.yes.count_ones(), test.first.right.count_ones());
        let share = f64::from(right) / 52.0;
        let level = match (yes, right) {
            (0, 52) => UNKNOWN,
            (52, _) => 1,
            (_, 0) => 6,
            _ => {
                let distance = |level: &usize| (LEVELS[*level] - share).abs();
                (2..6).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(UNKNOWN)
            }
        };
        TestClass((group(test) * LEVELS.len() + level) as u8)
    }

    pub fn all() -> impl Iterator<Item = TestClass> {
        (0..TestClass::COUNT as u8).map(TestClass)
    }
    pub fn index(self) -> usize {
        self.0.into()
    }
    pub fn group(self) -> usize {
        self.index() / LEVELS.len()
    }
    pub fn level(self) -> usize {
        self.index() % LEVELS.len()
    }
}

fn group(test: &Test) -> usize {
    Vocabulary::shared().ideas[usize::from(test.idea)].group.into()
}

/// Hypotheses about the secret rule, with their priors.
#[derive(Clone, Debug)]
pub struct Grammar {
    /// The prior, scaled to the rules of this grammar.
    pub prior: Prior,
    /// The weight of each test at each place. The weights of a group add up to 1; at the common
    /// places, all weights together.
    pub weights: [Vec<f64>; PLACES],
    /// The tests with a weight at each place.
    pub(super) allowed: [TestSet; PLACES],
    classes: Vec<TestClass>,
    tree_grammar: OnceLock<TreeGrammar>,
}

impl Grammar {
    /// Returns the full grammar with the learned prior, which is built at the first call.
    pub fn shared() -> Arc<Grammar> {
        static GRAMMAR: LazyLock<Arc<Grammar>> =
            LazyLock::new(|| Arc::new(Grammar::new(&Prior::learned())));
        GRAMMAR.clone()
    }

    /// Returns the grammar of single tests, which is built at the first call.
    pub fn simple() -> Arc<Grammar> {
        static SIMPLE: LazyLock<Arc<Grammar>> =
            LazyLock::new(|| Arc::new(Grammar::of_tests(&Prior::learned(), |_, place| place == 0)));
        SIMPLE.clone()
    }

    /// Creates the full grammar with a prior.
    pub fn new(prior: &Prior) -> Grammar {
        Grammar::of_tests(prior, |_, _| true)
    }

    /// Creates a grammar with a prior. `keeps` returns `true` if a test (first) is allowed at a
    /// place (second).
    pub fn of_tests(prior: &Prior, keeps: impl Fn(u16, usize) -> bool) -> Grammar {
        let vocabulary = Vocabulary::shared();
        let tests = &vocabulary.tests;
        let ideas: Vec<_> = vocabulary.ideas.iter().map(|idea| prior.weights(idea)).collect();
        let weights: [Vec<f64>; PLACES] = std::array::from_fn(|place| {
            let is_kept = |at: u16, test: &Test| {
                ideas[usize::from(test.idea)][place] > 0.0
                    && (place > 0 || test.can_stand_alone)
                    && keeps(at, place)
            };
            let mut counts = vec![0.0; ideas.len()];
            for (_, test) in (0..).zip(tests).filter(|(at, test)| is_kept(*at, test)) {
                counts[usize::from(test.idea)] += f64::from(test.times);
            }
            let is_common = COMMON.contains(&place);
            let pool = |idea: &Idea| if is_common { 0 } else { usize::from(idea.group) };
            let mut sums = [0.0; GROUPS];
            for (at, idea) in vocabulary.ideas.iter().enumerate() {
                sums[pool(idea)] += if counts[at] > 0.0 { ideas[at][place] } else { 0.0 };
            }
            let weight = |(at, test): (u16, &Test)| {
                let idea = usize::from(test.idea);
                let share = f64::from(test.times) / counts[idea];
                let sum = sums[pool(&vocabulary.ideas[idea])];
                if is_kept(at, test) { ideas[idea][place] * share / sum } else { 0.0 }
            };
            (0..).zip(tests).map(weight).collect()
        });
        let mut has = [[false; GROUPS]; PLACES];
        for (at, test) in tests.iter().enumerate() {
            for (has, weights) in has.iter_mut().zip(&weights) {
                has[group(test)] |= weights[at] > 0.0;
            }
        }
        let mut prior = prior.clone();
        prior.restrict(&has);
        let is_allowed = |weights: &Vec<f64>| TestSet::of(tests.len(), |test| weights[test] > 0.0);
        Grammar {
            prior,
            allowed: weights.each_ref().map(is_allowed),
            weights,
            classes: tests.iter().map(TestClass::of).collect(),
            tree_grammar: OnceLock::new(),
        }
    }

    /// Returns the grammar without these ideas.
    #[must_use]
    pub fn without_ideas(&self, ideas: &[u16]) -> Grammar {
        let vocabulary = Vocabulary::shared();
        Grammar::of_tests(&self.prior, |test, _| !ideas.contains(&vocabulary.test(test).idea))
    }

    /// Returns the grammar of trees in the style of its tests, which is estimated at the first
    /// call.
    pub(super) fn tree_grammar(&self) -> &TreeGrammar {
        self.tree_grammar.get_or_init(|| TreeGrammar::new(&self.prior, &self.weights))
    }

    pub(super) fn class(&self, test: u16) -> TestClass {
        self.classes[usize::from(test)]
    }

    /// Returns the mass of tests joined in this order.
    fn ordered_mass(&self, join: Join, tests: &[u16]) -> f64 {
        let group = |at: usize| self.class(tests[at]).group();
        let weights = join.places().iter().zip(tests);
        let product: f64 =
            weights.map(|(&place, &test)| self.weights[place][usize::from(test)]).product();
        let prior = &self.prior;
        product
            * match join {
                Join::One => prior.single[group(0)],
                Join::And => prior.both[group(0)][group(1)],
                Join::Or => prior.either[group(0)][group(1)],
                Join::Xor => prior.conditions[group(0)] * prior.exactly_one[group(1)],
                Join::If => prior.conditions[group(0)] * prior.choice[group(1)][group(2)],
            }
            * self.starter_factor(join, tests)
    }

    /// Returns the likelihood ratio of a starter under joined tests, relative to any card.
    pub fn starter_factor(&self, join: Join, tests: &[u16]) -> f64 {
        starter_factor(join, tests.iter().map(|&test| self.class(test).level()))
    }

    /// Returns the part of the [`mass`](Grammar::mass) of a combination from common conditions and
    /// sides.
    pub fn common_mass(&self, rule: Combination) -> f64 {
        let (Join::If, &[c, a, b]) = (rule.join, rule.tests()) else { return 0.0 };
        let [conditions, sides] = COMMON.map(|place| &self.weights[place]);
        let [c, a, b] =
            [(conditions, c), (sides, a), (sides, b)].map(|(w, test)| w[usize::from(test)]);
        self.prior.common * c * a * b * self.starter_factor(rule.join, rule.tests())
    }

    /// Returns the mass of a combination, given that the starter is one of its right cards.
    pub fn mass(&self, rule: Combination) -> f64 {
        let tests = rule.tests();
        let mirrored = match (rule.join, tests) {
            (Join::And | Join::Or | Join::Xor, &[a, b]) => self.ordered_mass(rule.join, &[b, a]),
            _ => 0.0,
        };
        self.ordered_mass(rule.join, tests) + mirrored + self.common_mass(rule)
    }

    /// Returns the digest of the version, the tests and their weights as hexadecimal text.
    pub fn digest(&self) -> String {
        let mut bytes = VERSION.to_le_bytes().to_vec();
        for (at, test) in Vocabulary::shared().tests.iter().enumerate() {
            bytes.extend(test.rule.to_string().bytes().chain([0]));
            bytes.extend(
                self.weights.iter().flat_map(|weights| weights[at].to_bits().to_le_bytes()),
            );
        }
        let prior = &self.prior;
        let numbers = [prior.single, prior.exactly_one, prior.conditions].into_iter().flatten();
        let pairs = [prior.both, prior.either, prior.choice].into_iter().flatten().flatten();
        let numbers = numbers.chain(pairs).chain([prior.common, prior.misspecification]);
        bytes.extend(numbers.flat_map(|number| number.to_bits().to_le_bytes()));
        digest(bytes)
    }
}

/// Returns the likelihood ratio of a starter under a rule whose tests have these levels, relative
/// to any card. The starter is one of the cards that are right on the empty line.
pub(super) fn starter_factor(join: Join, levels: impl Iterator<Item = usize>) -> f64 {
    let mut of = [UNKNOWN; 3];
    of.iter_mut().zip(levels).for_each(|(of, level)| *of = level);
    let [a, b, c] = of.map(|level| LEVELS[level]);
    let [is_a_unknown, is_b_unknown, _] = of.map(|level| level == UNKNOWN);
    let share = match join {
        Join::One => a,
        Join::And => a * b,
        Join::Or => 1.0 - (1.0 - a) * (1.0 - b),
        Join::Xor if is_a_unknown || is_b_unknown => 1.0,
        Join::Xor => a * (1.0 - b) + b * (1.0 - a),
        Join::If if is_a_unknown => 1.0 - (1.0 - b) * (1.0 - c),
        Join::If => a * b + (1.0 - a) * c,
    };
    1.0 / share.max(1.0 / 52.0)
}
