//! The tests that survive the verdicts at a place of a rule, as lists by class.
//!
//! A verdict affects one side of each condition and leaves the other unchanged. So a set keeps the
//! lists that were made of it until a test is removed.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::{SmallVec, smallvec};

use super::grammar::{Grammar, TestClass};
use super::test_lists::{TestList, TestSet};
use crate::vocabulary::PLACES;

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
pub(super) type ListsByClass = Arc<[(TestClass, Arc<TestList>)]>;

/// The tests that agree with all verdicts at a place, with the lists made of them.
#[derive(Clone, Debug)]
pub(super) struct SurvivingTests {
    tests: TestSet,
    /// Lists by the weights of each place; computed at the first use.
    lists: [OnceLock<ListsByClass>; PLACES],
}

impl SurvivingTests {
    pub fn of(tests: TestSet) -> SurvivingTests {
        SurvivingTests { tests, lists: Default::default() }
    }

    pub fn tests(&self) -> &TestSet {
        &self.tests
    }

    pub fn is_empty(&self) -> bool {
        self.tests.is_empty()
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
pub(super) struct Interner(FxHashMap<TestSet, Arc<SurvivingTests>>);

impl Interner {
    pub fn of(&mut self, tests: TestSet) -> Arc<SurvivingTests> {
        let new = |tests: &TestSet| Arc::new(SurvivingTests::of(tests.clone()));
        self.0.entry(tests).or_insert_with_key(new).clone()
    }

    /// Like [`SurvivingTests::retain`], for a shared set.
    pub fn retain(&mut self, surviving: &mut Arc<SurvivingTests>, other: &TestSet, keep: bool) {
        let mut tests = surviving.tests().clone();
        if tests.retain(other, keep) {
            *surviving = self.of(tests);
        }
    }
}

/// Iterates over the tests of a set with a weight at a place.
fn weighted<'a>(
    grammar: &'a Grammar,
    set: &'a TestSet,
    place: usize,
) -> impl Iterator<Item = (u16, f64)> + 'a {
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
        assert!(one.tests().iter().eq(0..100));
    }
}
