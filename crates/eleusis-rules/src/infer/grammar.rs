//! The rules that are reckoned with, each with its prior, as products of lists of tests.

use std::sync::{Arc, LazyLock};

use sha2::{Digest, Sha256};

use super::growth::Lazy;
use super::prior::{Pairs, Prior};
use super::set::Set;
use crate::vocabulary::VERSION;
use crate::{Combination, GROUPS, Idea, Join, PLACES, Test, Vocabulary};

/// What a test says on the empty line, where only the starter is judged: unknown, yes or no for every
/// card, or the nearest of some shares of the cards.
pub(super) const LEVELS: [f64; 7] = [1.0, 1.0, 0.75, 0.5, 0.25, 1.0 / 13.0, 0.0];

/// Tests of one flock are of one group and say as much on the empty line.
pub(super) const FLOCKS: usize = GROUPS * LEVELS.len();

/// The places of the few conditions and of the few sides, whose groups are weighed together.
pub const FEW: [usize; 2] = [5, 6];

/// The place in [`LEVELS`] of what is unknown.
const UNKNOWN: usize = 0;

/// Hypotheses about the secret rule, with their priors.
#[derive(Clone, Debug)]
pub struct Grammar {
    /// What the numbers come from, its masses those of the rules that are left.
    pub prior: Prior,
    /// The weight of each test at each place, those of a group together 1; of the few, all together.
    pub(super) weights: [Vec<f64>; PLACES],
    /// The tests that have one at each place.
    pub(super) standing: [Set; PLACES],
    /// The flock of each test.
    pub(super) flocks: Vec<u8>,
    /// The factors of pairs of flocks: of *both*, *either*, then *if* by the level of its condition, first
    /// of any, then of the few.
    factors: Vec<f64>,
    /// What its tests are made of.
    pub(super) derivations: Lazy,
}

/// The flock of a test.
fn flock(test: &Test) -> u8 {
    let group = Vocabulary::shared().ideas[usize::from(test.idea)].group;
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
    group * LEVELS.len() as u8 + level as u8
}

impl Grammar {
    /// The full grammar, with the prior learnt from the training half of the rule bank; made when
    /// it is first asked for.
    pub fn shared() -> Arc<Grammar> {
        static GRAMMAR: LazyLock<Arc<Grammar>> =
            LazyLock::new(|| Arc::new(Grammar::new(&Prior::learnt())));
        GRAMMAR.clone()
    }

    /// The rules of one test only, made when they are first asked for.
    pub fn simple() -> Arc<Grammar> {
        static SIMPLE: LazyLock<Arc<Grammar>> =
            LazyLock::new(|| Arc::new(Grammar::of_tests(&Prior::learnt(), |_, place| place == 0)));
        SIMPLE.clone()
    }

    /// The grammar with this prior.
    pub fn new(prior: &Prior) -> Grammar {
        Grammar::of_tests(prior, |_, _| true)
    }

    /// The grammar with this prior, without tests (the first number) at places (the second).
    pub fn of_tests(prior: &Prior, keeps: impl Fn(u16, usize) -> bool) -> Grammar {
        let vocabulary = Vocabulary::shared();
        let tests = &vocabulary.tests;
        let mut weights: [Vec<f64>; PLACES] = Default::default();
        let ideas: Vec<[f64; PLACES]> =
            vocabulary.ideas.iter().map(|idea| prior.of_idea(idea)).collect();
        for (place, weights) in weights.iter_mut().enumerate() {
            let kept = |at: u16, test: &Test| {
                ideas[usize::from(test.idea)][place] > 0.0
                    && (place > 0 || test.alone)
                    && keeps(at, place)
            };
            let mut counts = vec![0.0; vocabulary.ideas.len()];
            for (_, test) in (0..).zip(tests).filter(|(at, test)| kept(*at, test)) {
                counts[usize::from(test.idea)] += f64::from(test.times);
            }
            let pool = |idea: &Idea| if FEW.contains(&place) { 0 } else { usize::from(idea.group) };
            let mut sums = [0.0; GROUPS];
            for (idea, at) in vocabulary.ideas.iter().zip(0..) {
                let has: bool = counts[at] > 0.0;
                sums[pool(idea)] += if has { ideas[at][place] } else { 0.0 };
            }
            *weights = (0..)
                .zip(tests)
                .map(|(at, test)| {
                    let idea = usize::from(test.idea);
                    let sum = sums[pool(&vocabulary.ideas[idea])];
                    let share = f64::from(test.times) / counts[idea];
                    if kept(at, test) { ideas[idea][place] * share / sum } else { 0.0 }
                })
                .collect();
        }
        let mut prior = prior.clone();
        scale(&mut prior, &weights);
        let flocks = tests.iter().map(flock).collect();
        let stands = |weights: &Vec<f64>| Set::of(tests.len(), |test| weights[test] > 0.0);
        let standing = weights.each_ref().map(stands);
        let (factors, derivations) = (Vec::new(), Lazy::default());
        let mut grammar = Grammar { prior, weights, standing, flocks, factors, derivations };
        let levels = LEVELS.len();
        let joins = [
            (Join::And, 1, false),
            (Join::Or, 1, false),
            (Join::If, levels, false),
            (Join::If, levels, true),
        ];
        for (join, owns, few) in joins {
            for (own, pair) in
                (0..owns).flat_map(|own| (0..FLOCKS * FLOCKS).map(move |pair| (own, pair)))
            {
                let flocks = [pair / FLOCKS, pair % FLOCKS];
                grammar.factors.push(grammar.new_factor(join, few, own, flocks));
            }
        }
        grammar
    }

    /// The grammar without these ideas, at every place.
    #[must_use]
    pub fn without_ideas(&self, ideas: &[u16]) -> Grammar {
        let tests = &Vocabulary::shared().tests;
        Grammar::of_tests(&self.prior, |test, _| !ideas.contains(&tests[usize::from(test)].idea))
    }

    /// The ideas that another grammar has and this one has not.
    pub fn ideas_left_out(&self, other: &Grammar) -> Vec<u16> {
        let tests = &Vocabulary::shared().tests;
        let has = |grammar: &Grammar, idea: u16| {
            let mut of_idea = (0..tests.len()).filter(|&test| tests[test].idea == idea);
            of_idea.any(|test| grammar.weights.iter().any(|weights| weights[test] > 0.0))
        };
        let ideas = 0..Vocabulary::shared().ideas.len() as u16;
        ideas.filter(|&idea| has(other, idea) && !has(self, idea)).collect()
    }

    fn new_factor(&self, join: Join, few: bool, own: usize, flocks: [usize; 2]) -> f64 {
        let [first, second] = flocks.map(|flock| flock / LEVELS.len());
        let levels = flocks.map(|flock| flock % LEVELS.len());
        let (mass, own) = match join {
            Join::And => (self.prior.both[first][second], None),
            Join::Or => (self.prior.either[first][second], None),
            _ if few => (self.prior.few, Some(own)),
            _ => (self.prior.choice[first][second], Some(own)),
        };
        mass * self.starter(join, own.into_iter().chain(levels))
    }

    /// What the product of the weights of two tests of these flocks is multiplied with; of *if*, where
    /// the condition is of the level `own`, perhaps of the `few`.
    pub(super) fn factor(&self, join: Join, few: bool, own: usize, flocks: [u8; 2]) -> f64 {
        let at = match join {
            Join::And => 0,
            Join::Or => 1,
            _ => 2 + own + usize::from(few) * LEVELS.len(),
        };
        let [first, second] = flocks.map(usize::from);
        self.factors[(at * FLOCKS + first) * FLOCKS + second]
    }

    /// The mass of tests joined in this order.
    fn as_it_stands(&self, join: Join, tests: &[u16]) -> f64 {
        let group = |at: usize| usize::from(self.flocks[usize::from(tests[at])]) / LEVELS.len();
        let combination = Combination { join, tests: [0; 3] };
        let weight = |at: usize| self.weights[combination.place(at)][usize::from(tests[at])];
        let product: f64 = (0..tests.len()).map(weight).product();
        let prior = &self.prior;
        product
            * match join {
                Join::One => prior.one[group(0)],
                Join::And => prior.both[group(0)][group(1)],
                Join::Or => prior.either[group(0)][group(1)],
                Join::Xor => prior.conditions[group(0)] * prior.exactly_one[group(1)],
                Join::If => prior.conditions[group(0)] * prior.choice[group(1)][group(2)],
            }
            * self.starter_of(join, tests)
    }

    fn starter_of(&self, join: Join, tests: &[u16]) -> f64 {
        self.starter(join, tests.iter().map(|&test| usize::from(self.level(test))))
    }

    /// The part of the [`mass`](Grammar::mass) of a combination that it has as one of the few that come
    /// to mind first.
    pub fn mass_of_few(&self, rule: Combination) -> f64 {
        let (Join::If, &[c, a, b]) = (rule.join, rule.tests()) else { return 0.0 };
        let [conditions, sides] = FEW.map(|place| &self.weights[place]);
        let [c, a, b] =
            [(conditions, c), (sides, a), (sides, b)].map(|(w, test)| w[usize::from(test)]);
        self.prior.few * c * a * b * self.starter_of(rule.join, rule.tests())
    }

    pub(super) fn level(&self, test: u16) -> u8 {
        self.flocks[usize::from(test)] % LEVELS.len() as u8
    }

    /// How much likelier a starter is under a rule whose tests are of these levels than any card: the
    /// starter is one of the cards that are right on the empty line.
    pub(super) fn starter(&self, join: Join, levels: impl Iterator<Item = usize>) -> f64 {
        let mut of = [UNKNOWN; 3];
        of.iter_mut().zip(levels).for_each(|(of, level)| *of = level);
        let [a, b, c] = of.map(|level| LEVELS[level]);
        let unknown = of.map(|level| level == UNKNOWN);
        let share = match join {
            Join::One => a,
            Join::And => a * b,
            Join::Or => 1.0 - (1.0 - a) * (1.0 - b),
            Join::Xor if unknown[0] || unknown[1] => 1.0,
            Join::Xor => a * (1.0 - b) + b * (1.0 - a),
            Join::If if unknown[0] => 1.0 - (1.0 - b) * (1.0 - c),
            Join::If => a * b + (1.0 - a) * c,
        };
        1.0 / share.max(1.0 / 52.0)
    }

    /// The mass of a combination, given that the starter is one of its right cards.
    pub fn mass(&self, rule: Combination) -> f64 {
        let tests = rule.tests();
        let mirrored = match (rule.join, tests) {
            (Join::And | Join::Or | Join::Xor, &[a, b]) => self.as_it_stands(rule.join, &[b, a]),
            _ => 0.0,
        };
        self.as_it_stands(rule.join, tests) + mirrored + self.mass_of_few(rule)
    }

    /// The digest of the version, the tests and their weights, as hexadecimal text.
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(VERSION.to_le_bytes());
        for (at, test) in Vocabulary::shared().tests.iter().enumerate() {
            hash.update(test.rule.to_string());
            hash.update([0]);
            let weights = self.weights.iter().map(|weights| weights[at].to_bits().to_le_bytes());
            weights.for_each(|bytes| hash.update(bytes));
        }
        let Prior { outside, one, both, either, exactly_one, choice, few, conditions, .. } =
            &self.prior;
        let numbers = [one, exactly_one, conditions].into_iter().flatten();
        let pairs = [both, either, choice].into_iter().flatten().flatten();
        for number in numbers.chain(pairs).chain([few, outside]) {
            hash.update(number.to_bits().to_le_bytes());
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Takes the masses of groups that have no test at a place out, and makes all masses together 1.
fn scale(prior: &mut Prior, weights: &[Vec<f64>; PLACES]) {
    let group = |test: &Test| usize::from(Vocabulary::shared().ideas[usize::from(test.idea)].group);
    let mut has = [[false; GROUPS]; PLACES];
    for (at, test) in Vocabulary::shared().tests.iter().enumerate() {
        for (has, weights) in has.iter_mut().zip(weights) {
            has[group(test)] |= weights[at] > 0.0;
        }
    }
    let left = |masses: &mut [f64; GROUPS], place: usize| {
        masses.iter_mut().zip(has[place]).for_each(|(m, has)| *m *= f64::from(u8::from(has)));
    };
    left(&mut prior.one, 0);
    left(&mut prior.conditions, 3);
    left(&mut prior.exactly_one, 4);
    for (pairs, [first, second]) in
        [(&mut prior.both, [1, 2]), (&mut prior.either, [1, 2]), (&mut prior.choice, [4, 4])]
    {
        pairs.iter_mut().for_each(|row| left(row, second));
        pairs.iter_mut().zip(has[first]).for_each(|(row, has)| {
            row.iter_mut().for_each(|m| *m *= f64::from(u8::from(has)));
        });
    }
    let conditions: f64 = prior.conditions.iter().sum();
    if conditions > 0.0 {
        prior.conditions = prior.conditions.map(|share| share / conditions);
    } else {
        prior.exactly_one = [0.0; GROUPS];
        prior.choice = [[0.0; GROUPS]; GROUPS];
    }
    if FEW.iter().any(|&place| weights[place].iter().all(|weight| *weight == 0.0)) {
        prior.few = 0.0;
    }
    let Prior { one, both, either, exactly_one, choice, few, .. } = prior;
    let flat = |pairs: &Pairs| pairs.iter().flatten().sum::<f64>();
    let all = one.iter().chain(&*exactly_one).sum::<f64>()
        + flat(both)
        + flat(either)
        + flat(choice)
        + *few;
    let by = 1.0 / all.max(f64::MIN_POSITIVE);
    one.iter_mut().chain(exactly_one).chain([few]).for_each(|mass| *mass *= by);
    for pairs in [both, either, choice] {
        pairs.iter_mut().flatten().for_each(|mass| *mass *= by);
    }
}
