//! The verdicts so far, and the tests that still agree with them at each place of a rule.
//!
//! A rule *if c then a else b* agrees with a verdict if a does where c holds and b does where it
//! does not. Conditions with the same answers so far share the surviving tests of either side.
//! Constraints on pairs of tests are kept as [`Clause`]s. A verdict affects one side of each
//! condition and leaves the other unchanged. So a set of surviving tests keeps the lists that were
//! made of it until a test is removed.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::{SmallVec, smallvec};

use super::grammar::{Grammar, TestClass};
use super::prior::COMMON;
use super::test_lists::{TestList, TestSet};
use super::tracked_tests::CardVerdicts;
use crate::vocabulary::{Combination, PLACES};

/// Conditions that gave the same answers on all judged cards.
#[derive(Clone, Debug)]
pub(super) struct ConditionClass {
    pub conditions: Vec<u16>,
    /// The tests that agree with the verdicts where the conditions held, and where they did not.
    pub sides: [Arc<SurvivingTests>; 2],
    /// The tests that agree when joined to the conditions by *exactly one*.
    pub others: Arc<SurvivingTests>,
}

/// All verdicts so far.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    /// The verdicts of all tests on each judged card.
    cards: Vec<CardVerdicts>,
    /// The indices of the cards of each verdict, and `true` if all are right. In a wrong string, at
    /// least one card is wrong if those before it are right.
    verdicts: Vec<(Range<usize>, bool)>,
    /// The tests that agree as single tests.
    pub single: SurvivingTests,
    /// The tests that agree as parts of *both*: right on every right card.
    pub both: SurvivingTests,
    /// The tests that agree as parts of *either*: wrong on every wrong card.
    pub either: SurvivingTests,
    pub classes: Vec<ConditionClass>,
}

impl Evidence {
    /// Creates evidence without verdicts.
    pub fn new(grammar: &Grammar) -> Evidence {
        let all = SurvivingTests::of(TestSet::all([]));
        let allowed = |place: usize| grammar.allowed[place].clone();
        let (mut conditions, mut sides) = (allowed(3), allowed(4));
        conditions.extend(&allowed(COMMON[0]));
        sides.extend(&allowed(COMMON[1]));
        let sides = Arc::new(SurvivingTests::of(sides));
        // A class has one level only: the verdicts on the empty line affect the starter.
        let mut by_level: IndexMap<usize, Vec<u16>> = IndexMap::new();
        for condition in conditions.iter() {
            by_level.entry(grammar.class(condition).level()).or_default().push(condition);
        }
        let class = |conditions| ConditionClass {
            conditions,
            sides: [sides.clone(), sides.clone()],
            others: sides.clone(),
        };
        Evidence {
            cards: Vec::new(),
            verdicts: Vec::new(),
            single: SurvivingTests::of(allowed(0)),
            both: all.clone(),
            either: all,
            classes: by_level.into_values().map(class).collect(),
        }
    }

    /// Returns the same evidence for another grammar with the same tests.
    pub fn for_another_grammar(&self) -> Evidence {
        let mut evidence = self.clone();
        let mut interner = Interner::default();
        for ConditionClass { sides, others, .. } in &mut evidence.classes {
            let all = sides.iter_mut().chain([others]);
            all.for_each(|tests| *tests = interner.of(tests.tests.clone()));
        }
        let others = [&mut evidence.single, &mut evidence.both, &mut evidence.either];
        others.into_iter().for_each(SurvivingTests::clear_lists);
        evidence
    }

    /// Adds a verdict: all cards are right, or at least one is wrong.
    pub fn observe(&mut self, cards: Vec<CardVerdicts>, right: bool) {
        let all_right = right_on(&cards);
        self.single.retain(&all_right, right);
        if cards.len() == 1 {
            let both_or_either = if right { &mut self.both } else { &mut self.either };
            both_or_either.retain(&all_right, right);
        }
        cards.iter().for_each(|card| self.split(card));
        let mut interner = Interner::default();
        for ConditionClass { conditions, sides, others } in &mut self.classes {
            let answers = cards.iter().map(|card| card.answer(conditions[0]));
            // If the condition is unknown, a wrong card has two wrong sides. A right card needs one
            // right side, which is a clause, as are strings with different answers.
            let are_both_wrong = !right && answers.clone().eq([None]);
            for (tests, side) in sides.iter_mut().zip([true, false]) {
                if are_both_wrong || answers.clone().all(|answer| answer == Some(side)) {
                    interner.retain(tests, &all_right, right);
                }
            }
            let conditions = cards.iter().zip(answers).filter_map(|(card, answer)| match answer {
                Some(true) => Some((&card.yes, false)),
                Some(false) => Some((&card.right, true)),
                None => None,
            });
            interner.retain(others, &TestSet::all(conditions), right);
        }
        // Conditions without any surviving rule are dropped.
        self.classes.retain(|class| {
            !class.sides.iter().any(|side| side.tests.is_empty()) || !class.others.tests.is_empty()
        });
        self.verdicts.push((self.cards.len()..self.cards.len() + cards.len(), right));
        self.cards.extend(cards);
    }

    /// Splits the classes by the answers of their conditions on a card.
    fn split(&mut self, card: &CardVerdicts) {
        let mut split = Vec::with_capacity(self.classes.len());
        for mut class in self.classes.drain(..) {
            let mut parts: [Vec<u16>; 3] = Default::default();
            for condition in std::mem::take(&mut class.conditions) {
                parts[card.answer(condition).map_or(2, usize::from)].push(condition);
            }
            let parts = parts.into_iter().filter(|part| !part.is_empty());
            split.extend(parts.map(|conditions| ConditionClass { conditions, ..class.clone() }));
        }
        self.classes = split;
    }

    /// Iterates over the cards of single verdicts or of strings.
    fn of_verdicts(&self, right: bool, single: bool) -> impl Iterator<Item = &[CardVerdicts]> {
        let wanted =
            move |(cards, is_right): &&_| *is_right == right && (Range::len(cards) == 1) == single;
        self.verdicts.iter().filter(wanted).map(|(cards, _)| &self.cards[cards.clone()])
    }

    /// Returns the constraints on two tests of *both*.
    pub fn clauses_of_both(&self) -> Vec<Clause> {
        let wrong = self.of_verdicts(false, true).chain(self.of_verdicts(false, false));
        let clause = |cards| {
            let set = right_on(cards);
            Clause { card: None, tests: [set.clone(), set], exceptions: Vec::new() }
        };
        wrong.map(clause).collect()
    }

    /// Returns the constraints on two tests of *either*.
    pub fn clauses_of_either(&self) -> Vec<Clause> {
        let singles = self.right_cards().map(|at| self.not_both_wrong(at));
        let all = TestSet::all([]);
        let strings = self.of_verdicts(false, false).map(|cards| Clause {
            card: None,
            tests: [all.clone(), all.clone()],
            exceptions: cards.iter().map(wrong_on).collect(),
        });
        singles.chain(strings).collect()
    }

    fn right_cards(&self) -> impl Iterator<Item = usize> {
        self.verdicts.iter().filter(|(_, right)| *right).map(|(cards, _)| cards.start)
    }

    fn not_both_wrong(&self, at: usize) -> Clause {
        let wrong = wrong_on(&self.cards[at]);
        Clause { card: Some(at), tests: [wrong.clone(), wrong], exceptions: Vec::new() }
    }

    /// Returns the constraints on the two sides of an *if* with these conditions.
    pub fn clauses_of(&self, class: &ConditionClass) -> Vec<Clause> {
        let answer = |card: &&CardVerdicts| card.answer(class.conditions[0]);
        let unknown = self.right_cards().filter(|at| answer(&&self.cards[*at]).is_none());
        let strings = self.of_verdicts(false, false).map(|cards| {
            let with = |wanted| cards.iter().filter(move |card| answer(card) == wanted);
            let tests = [true, false].map(|side| right_on(with(Some(side))));
            let exceptions = with(None).map(wrong_on).collect();
            Clause { card: None, tests, exceptions }
        });
        unknown.map(|at| self.not_both_wrong(at)).chain(strings).collect()
    }

    /// Returns the verdicts of all tests on the single cards that were judged, the right ones first.
    pub fn singles(&self) -> Vec<&CardVerdicts> {
        self.of_verdicts(true, true).chain(self.of_verdicts(false, true)).flatten().collect()
    }

    /// Returns `true` if a rule agrees with all verdicts.
    pub fn agrees(&self, rule: Combination) -> bool {
        let is_right =
            |cards: &Range<usize>| self.cards[cards.clone()].iter().all(|card| card.accepts(rule));
        self.verdicts.iter().all(|(cards, right)| is_right(cards) == *right)
    }

    /// Returns the tests of surviving rules.
    pub fn used(&self) -> TestSet {
        let mut used = self.single.tests.clone();
        used.extend(&self.both.tests);
        used.extend(&self.either.tests);
        for class in &self.classes {
            let tests = class.sides.iter().chain([&class.others]);
            tests.for_each(|tests| used.extend(&tests.tests));
            class.conditions.iter().for_each(|&test| used.insert(test));
        }
        used
    }
}

/// Returns the tests that are right on all of these cards.
fn right_on<'a>(cards: impl IntoIterator<Item = &'a CardVerdicts>) -> TestSet {
    TestSet::all(cards.into_iter().map(|card| (&card.right, true)))
}

fn wrong_on(card: &CardVerdicts) -> TestSet {
    TestSet::all([(&card.right, false)])
}

/// A constraint: a test of the first set and a test of the second must not stand together, unless
/// some set of `exceptions` has both.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    /// The index of the card that the constraint comes from; `None` if it comes from a string.
    pub card: Option<usize>,
    /// The constrained tests as the first, and as the second.
    pub tests: [TestSet; 2],
    /// Pairs within one of these sets are allowed; mostly empty.
    pub exceptions: Vec<TestSet>,
}

/// Lists of tests, one for each class.
type ListsByClass = Arc<[(TestClass, Arc<TestList>)]>;

/// The tests that agree with all verdicts at a place, with the lists made of them.
#[derive(Clone, Debug)]
pub(super) struct SurvivingTests {
    pub tests: TestSet,
    /// Lists by the weights of each place; computed at the first use.
    lists: [OnceLock<ListsByClass>; PLACES],
}

impl SurvivingTests {
    pub fn of(tests: TestSet) -> SurvivingTests {
        SurvivingTests { tests, lists: Default::default() }
    }

    /// Drops the lists.
    pub fn clear_lists(&mut self) {
        self.lists = Default::default();
    }

    /// Keeps the tests that the other set has, or with `keep == false` those that it lacks.
    pub fn retain(&mut self, other: &TestSet, keep: bool) {
        if self.tests.retain(other, keep) {
            self.clear_lists();
        }
    }

    /// Returns the lists at a place. The grammar must always be the same.
    pub fn by_class(&self, grammar: &Grammar, place: usize) -> &ListsByClass {
        self.lists[place].get_or_init(|| by_class(grammar, &self.tests, place))
    }
}

/// Shares equal sets, so that their lists are made once. Conditions that held differently on some
/// cards often have a side with the same surviving tests.
#[derive(Default)]
struct Interner(FxHashMap<TestSet, Arc<SurvivingTests>>);

impl Interner {
    fn of(&mut self, tests: TestSet) -> Arc<SurvivingTests> {
        let new = |tests: &TestSet| Arc::new(SurvivingTests::of(tests.clone()));
        self.0.entry(tests).or_insert_with_key(new).clone()
    }

    /// Like [`SurvivingTests::retain`], for a shared set.
    fn retain(&mut self, surviving: &mut Arc<SurvivingTests>, other: &TestSet, keep: bool) {
        let mut tests = surviving.tests.clone();
        if tests.retain(other, keep) {
            *surviving = self.of(tests);
        }
    }
}

/// Iterates over the tests of a set with a weight at a place.
fn weighted(grammar: &Grammar, set: &TestSet, place: usize) -> impl Iterator<Item = (u16, f64)> {
    let weights = &grammar.weights[place];
    let allowed = set.intersection(&grammar.allowed[place]);
    allowed.map(|test| (test, weights[usize::from(test)]))
}

fn by_class(grammar: &Grammar, set: &TestSet, place: usize) -> ListsByClass {
    let mut counts = [0; TestClass::COUNT];
    weighted(grammar, set, place).for_each(|(test, _)| counts[grammar.class(test).index()] += 1);
    let mut lists = counts.map(Vec::with_capacity);
    for (test, weight) in weighted(grammar, set, place) {
        lists[grammar.class(test).index()].push((test, weight));
    }
    let non_empty = TestClass::all().zip(lists).filter(|(_, tests)| !tests.is_empty());
    non_empty.map(|(class, tests)| (class, Arc::new(TestList::of(tests)))).collect()
}

/// Bits of a test: one for each clause that constrains it, then one for each exception that it is
/// in.
pub(super) type ClauseBits = SmallVec<[u64; 2]>;

/// The tests of each class with the same bits, in the order of their first tests.
type Groups = IndexMap<(TestClass, ClauseBits), Vec<(u16, f64)>, FxBuildHasher>;

/// Returns the tests of a set with their weights at a place, as lists by class and by clause bits.
/// `second` is 0 for the first test of a pair and 1 for the second.
pub(super) fn by_clause(
    grammar: &Grammar,
    set: &TestSet,
    place: usize,
    clauses: &[&Clause],
    second: usize,
) -> impl Iterator<Item = (TestClass, ClauseBits, TestList)> {
    let words = clauses.len().div_ceil(64);
    let exceptions: usize = clauses.iter().map(|clause| clause.exceptions.len()).sum();
    let constrained = clauses.iter().map(|clause| &clause.tests[second]);
    let exempt = clauses.iter().flat_map(|clause| &clause.exceptions);
    let sets: Vec<(usize, _)> = (0..).zip(constrained).chain((64 * words..).zip(exempt)).collect();
    let mut groups = Groups::default();
    let nothing: ClauseBits = smallvec![0; words + exceptions.div_ceil(64)];
    let mut here = (TestClass::default(), nothing);
    let (mut last, mut group) = (None, 0);
    let (mut at, mut column) = (usize::MAX, Vec::with_capacity(sets.len()));
    for (test, weight) in weighted(grammar, set, place) {
        if at != usize::from(test) / 64 {
            at = usize::from(test) / 64;
            column.clear();
            column.extend(sets.iter().map(|(bit, set)| (*bit, set.word(at))));
        }
        here.0 = grammar.class(test);
        here.1.fill(0);
        for (bit, word) in &column {
            here.1[bit / 64] |= (word >> (test % 64) & 1) << (bit % 64);
        }
        // Tests of one idea are adjacent and mostly belong to one group.
        if last.as_ref() != Some(&here) {
            let entry = groups.entry(here.clone());
            group = entry.index();
            entry.or_default();
            last = Some(here.clone());
        }
        groups[group].push((test, weight));
    }
    groups.into_iter().map(|((class, bits), tests)| (class, bits, TestList::of(tests)))
}

/// Decides by their bits which tests may stand together.
pub(super) struct ClauseFilter {
    /// For each clause the range of the bits of its exceptions.
    exceptions: Vec<Range<usize>>,
    /// Bits of those of the first 64 clauses that have no exceptions.
    strict: u64,
}

impl ClauseFilter {
    pub fn new(clauses: &[&Clause]) -> ClauseFilter {
        let mut bit = 64 * clauses.len().div_ceil(64);
        let exceptions = clauses.iter().map(|clause| {
            bit += clause.exceptions.len();
            bit - clause.exceptions.len()..bit
        });
        let is_strict = clauses.iter().map(|clause| u64::from(clause.exceptions.is_empty()));
        let strict = is_strict.take(64).rev().fold(0, |bits, bit| bits << 1 | bit);
        ClauseFilter { exceptions: exceptions.collect(), strict }
    }

    /// Returns the bits of strict clauses; two tests that share such a bit exclude each other. A
    /// quick check before [`allows`](ClauseFilter::allows).
    pub fn strict_bits(&self, bits: &ClauseBits) -> u64 {
        bits.first().map_or(0, |word| word & self.strict)
    }

    /// Returns `true` if tests with these bits may stand together.
    pub fn allows(&self, first: &ClauseBits, second: &ClauseBits) -> bool {
        (0..self.exceptions.len().div_ceil(64)).all(|word| {
            let mut clash = first[word] & second[word];
            while clash != 0 {
                let clause = 64 * word + clash.trailing_zeros() as usize;
                clash &= clash - 1;
                let is_exempt = self.exceptions[clause]
                    .clone()
                    .any(|bit| first[bit / 64] & second[bit / 64] & 1 << (bit % 64) != 0);
                if !is_exempt {
                    return false;
                }
            }
            true
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_are_shared_and_an_unchanged_set_keeps_its_lists() {
        let of = |has: fn(usize) -> bool| TestSet::of(200, has);
        let mut interner = Interner::default();
        let [mut one, mut other] = [of(|at| at < 150), of(|at| at < 120)].map(|s| interner.of(s));
        let untouched = one.clone();
        interner.retain(&mut one, &of(|at| at < 180), true);
        assert!(Arc::ptr_eq(&one, &untouched), "nothing was removed, so the lists stay");
        interner.retain(&mut one, &of(|at| at >= 100), false);
        interner.retain(&mut other, &of(|at| at < 100), true);
        assert!(Arc::ptr_eq(&one, &other), "both have the first hundred");
        assert!(one.tests.iter().eq(0..100));
    }
}
