//! The tests that are left at a place of a rule, as lists by flock.
//!
//! A verdict bears on one side of each condition and leaves the other as it was. So a set keeps the lists
//! that were made of it until something goes from it.

use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::{SmallVec, smallvec};

use super::Grammar;
use super::evidence::Clause;
use super::grammar::FLOCKS;
use super::list::List;
use super::set::Set;
use crate::PLACES;

/// Lists of tests, each of one flock.
pub(super) type Flocks = Arc<[(u8, Arc<List>)]>;

/// The tests that are left, with the lists that were made of them.
#[derive(Clone, Debug)]
pub(super) struct Left {
    tests: Set,
    /// By the weights of each place.
    listed: [OnceLock<Flocks>; PLACES],
}

impl Left {
    pub fn of(tests: Set) -> Left {
        Left { tests, listed: Default::default() }
    }

    pub fn tests(&self) -> &Set {
        &self.tests
    }

    pub fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }

    /// Forgets its lists.
    pub fn forget(&mut self) {
        self.listed = Default::default();
    }

    /// Keeps what the other has, or drops it.
    pub fn agree(&mut self, other: &Set, is: bool) {
        let went = if is { self.tests.keep(other) } else { self.tests.drop(other) };
        if went {
            self.forget();
        }
    }

    /// Its lists at a place, by a grammar that is always the same.
    pub fn by_flock(&self, grammar: &Grammar, place: usize) -> &Flocks {
        self.listed[place].get_or_init(|| by_flock(grammar, &self.tests, place))
    }
}

/// Sets that come of one verdict. Those that have the same tests are one, so that their lists are made
/// once: conditions that held differently on some cards mostly have a side that is left alike.
#[derive(Default)]
pub(super) struct Pool(FxHashMap<Set, Arc<Left>>);

impl Pool {
    pub fn of(&mut self, tests: Set) -> Arc<Left> {
        let new = |tests: &Set| Arc::new(Left::of(tests.clone()));
        self.0.entry(tests).or_insert_with_key(new).clone()
    }

    /// Keeps what the other has, or drops it.
    pub fn agree(&mut self, left: &mut Arc<Left>, other: &Set, is: bool) {
        let mut tests = left.tests().clone();
        if if is { tests.keep(other) } else { tests.drop(other) } {
            *left = self.of(tests);
        }
    }
}

/// The tests of a set that have a weight at a place, with it.
fn weighed<'a>(
    grammar: &'a Grammar,
    set: &'a Set,
    place: usize,
) -> impl Iterator<Item = (u16, f64)> + 'a {
    let weights = &grammar.weights[place];
    let standing = set.in_both(&grammar.standing[place]);
    standing.map(|test| (test, weights[usize::from(test)]))
}

fn by_flock(grammar: &Grammar, set: &Set, place: usize) -> Flocks {
    let flock = |test: u16| usize::from(grammar.flocks[usize::from(test)]);
    let mut counts = [0; FLOCKS];
    weighed(grammar, set, place).for_each(|(test, _)| counts[flock(test)] += 1);
    let mut all = 0;
    let mut next = counts.map(|count| {
        all += count;
        all - count
    });
    let mut row = vec![(0, 0.0); all];
    for (test, weight) in weighed(grammar, set, place) {
        let next = &mut next[flock(test)];
        row[*next] = (test, weight);
        *next += 1;
    }
    // Each begins where the one before it ends.
    let lists = (0u8..).zip(List::row(row, next.into_iter()));
    let some = lists.filter(|(_, list)| !list.tests.is_empty());
    some.map(|(flock, list)| (flock, Arc::new(list))).collect()
}

/// What a test does of what two must not do together: of each clause, and of each part of it.
pub(super) type Key = SmallVec<[u64; 2]>;

/// How many tests there are of each flock and key, in the order met.
type Groups = IndexMap<(u8, Key), usize, FxBuildHasher>;

/// The tests of a set with their weights at a place, as lists by flock and by what they do of the clauses
/// as the first or second.
pub(super) fn by_clause(
    grammar: &Grammar,
    set: &Set,
    place: usize,
    clauses: &[&Clause],
    second: usize,
) -> impl Iterator<Item = (u8, Key, List)> {
    let words = clauses.len().div_ceil(64);
    let parts: usize = clauses.iter().map(|clause| clause.either.len()).sum();
    let nothing: Key = smallvec![0; words + parts.div_ceil(64)];
    // The sets of which a key has the bits.
    let locks = clauses.iter().map(|clause| &clause.tests[second]);
    let saves = clauses.iter().flat_map(|clause| &clause.either);
    let bits: Vec<(usize, &Set)> = (0..).zip(locks).chain((64 * words..).zip(saves)).collect();
    let mut groups = Groups::default();
    let mut members: Vec<(usize, u16, f64)> = Vec::new();
    let (mut of, mut key, mut group) = (u8::MAX, nothing.clone(), 0);
    let mut here = nothing;
    let (mut at, mut column) = (usize::MAX, Vec::with_capacity(bits.len()));
    for (test, weight) in weighed(grammar, set, place) {
        if at != usize::from(test) / 64 {
            at = usize::from(test) / 64;
            column.clear();
            column.extend(bits.iter().map(|(bit, set)| (*bit, set.word(at))));
        }
        here.fill(0);
        for (bit, word) in &column {
            here[bit / 64] |= (word >> (test % 64) & 1) << (bit % 64);
        }
        let flock = grammar.flocks[usize::from(test)];
        // Tests of one idea follow one another, and mostly belong together.
        if flock != of || here != key {
            let entry = groups.entry((flock, here.clone()));
            group = entry.index();
            entry.or_default();
            of = flock;
            key.copy_from_slice(&here);
        }
        groups[group] += 1;
        members.push((group, test, weight));
    }
    let mut all = 0;
    let mut next: Vec<usize> = Vec::with_capacity(groups.len());
    for count in groups.values() {
        next.push(all);
        all += count;
    }
    let mut row = vec![(0, 0.0); all];
    for (group, test, weight) in members {
        row[next[group]] = (test, weight);
        next[group] += 1;
    }
    let lists = groups.into_keys().zip(List::row(row, next.into_iter()));
    lists.map(|((flock, key), list)| (flock, key, list))
}

/// How many words hold the bits of the clauses, and which bits of a part stand for each clause.
pub(super) struct Lock {
    clauses: usize,
    parts: Vec<Vec<usize>>,
    /// Those of the first 64 clauses that nothing saves.
    hard: u64,
}

impl Lock {
    pub fn of(clauses: &[&Clause]) -> Lock {
        let mut part = 64 * clauses.len().div_ceil(64);
        let parts = clauses.iter().map(|clause| {
            part += clause.either.len();
            (part - clause.either.len()..part).collect()
        });
        let hard = clauses.iter().take(64).rev();
        let hard = hard.fold(0, |hard, clause| hard << 1 | u64::from(clause.either.is_empty()));
        Lock { parts: parts.collect(), clauses: clauses.len(), hard }
    }

    /// Two keys that share a bit of this may not stand together; to be asked before [`lets`](Lock::lets),
    /// as it is quick.
    pub fn hard(&self, key: &Key) -> u64 {
        key.first().map_or(0, |word| word & self.hard)
    }

    /// Whether tests with these keys may stand together.
    pub fn lets(&self, first: &Key, second: &Key) -> bool {
        (0..self.clauses.div_ceil(64)).all(|word| {
            let mut clash = first[word] & second[word];
            while clash != 0 {
                let clause = 64 * word + clash.trailing_zeros() as usize;
                clash &= clash - 1;
                let saved = self.parts[clause]
                    .iter()
                    .any(|&part| first[part / 64] & second[part / 64] & 1 << (part % 64) != 0);
                if !saved {
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
    fn sets_that_are_left_alike_are_one_and_an_untouched_one_stays() {
        let of = |has: fn(usize) -> bool| Set::of(200, has);
        let mut pool = Pool::default();
        let [mut one, mut other] = [of(|at| at < 150), of(|at| at < 120)].map(|s| pool.of(s));
        let untouched = one.clone();
        pool.agree(&mut one, &of(|at| at < 180), true);
        assert!(Arc::ptr_eq(&one, &untouched), "nothing went, so its lists stay");
        pool.agree(&mut one, &of(|at| at >= 100), false);
        pool.agree(&mut other, &of(|at| at < 100), true);
        assert!(Arc::ptr_eq(&one, &other), "both have the first hundred");
        assert!(one.tests().iter().eq(0..100));
    }
}
