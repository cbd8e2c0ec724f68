//! Sets of tests, and lists of tests with weights and their sums for each card.

use std::sync::OnceLock;

use crate::rule::Verdicts;
use crate::vocabulary::Vocabulary;
use parlour_base::simd::dispatch;

/// A set of tests, by index in the vocabulary.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct TestSet(Box<[u64]>);

impl TestSet {
    /// Returns the tests below `count` for which `has` is `true`.
    pub fn of(count: usize, has: impl Fn(usize) -> bool) -> TestSet {
        let word = |word: usize| {
            let bits = (0..64).filter(|bit| 64 * word + bit < count && has(64 * word + bit));
            bits.fold(0, |set, bit| set | 1 << bit)
        };
        TestSet((0..count.div_ceil(64)).map(word).collect())
    }

    /// Returns the tests of the vocabulary that are in each of these sets or, with `false`, not in it.
    pub fn all<'a>(conditions: impl IntoIterator<Item = (&'a TestSet, bool)>) -> TestSet {
        let count = Vocabulary::shared().tests.len();
        let word = |word: usize| u64::MAX >> (64 - (count - 64 * word).min(64));
        let mut all = TestSet((0..count.div_ceil(64)).map(word).collect());
        for (set, is_member) in conditions {
            all.retain(set, is_member);
        }
        all
    }

    pub fn has(&self, test: u16) -> bool {
        self.0[usize::from(test) / 64] >> (test % 64) & 1 == 1
    }

    /// Returns a bit for each of the 64 tests from `64 * at`.
    pub fn word(&self, at: usize) -> u64 {
        self.0[at]
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Returns `true` if the sets share a test.
    pub fn intersects(&self, other: &TestSet) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Keeps the tests that the other set has, or with `keep == false` those that it lacks. Returns
    /// `true` if any test was removed.
    pub fn retain(&mut self, other: &TestSet, keep: bool) -> bool {
        let mut removed = 0;
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            let kept = if keep { *b } else { !b };
            removed |= *a & !kept;
            *a &= kept;
        }
        removed != 0
    }

    pub fn insert(&mut self, test: u16) {
        self.0[usize::from(test) / 64] |= 1 << (test % 64);
    }

    /// Adds the tests of the other set.
    pub fn extend(&mut self, other: &TestSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    /// Iterates over the tests in order.
    pub fn iter(&self) -> impl Iterator<Item = u16> {
        indices(self.0.iter().copied())
    }

    /// Iterates over the tests in both sets in order.
    pub fn intersection(&self, other: &TestSet) -> impl Iterator<Item = u16> {
        indices(self.0.iter().zip(&other.0).map(|(a, b)| a & b))
    }
}

/// Iterates over the indices of the bits of these words.
fn indices(words: impl Iterator<Item = u64>) -> impl Iterator<Item = u16> {
    words.zip(0..).flat_map(|(word, at)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros() as u16)?;
            left &= left - 1;
            Some(64 * at + bit)
        })
    })
}

/// Tests with their weights, their sum and their maximum.
#[derive(Clone, Debug)]
pub(super) struct TestList {
    pub tests: Vec<(u16, f64)>,
    pub mass: f64,
    /// The largest weight.
    pub max: f64,
    /// The tests, heaviest first; computed at the first use.
    ranked: OnceLock<Vec<(u16, f64)>>,
}

/// A number for each card, in lanes of eight; the last four are unused.
pub(super) type ByCard = [[f64; 8]; 7];

/// The bits of each byte as numbers.
static BITS: [[f64; 8]; 256] = {
    let mut bits = [[0.0; 8]; 256];
    let mut at = 0;
    while at < 8 * 256 {
        bits[at / 8][at % 8] = ((at / 8) >> (at % 8) & 1) as f64;
        at += 1;
    }
    bits
};

impl TestList {
    pub fn of(tests: Vec<(u16, f64)>) -> TestList {
        let (mass, max) = tests
            .iter()
            .fold((0.0, 0.0f64), |(mass, max), (_, weight)| (mass + weight, max.max(*weight)));
        TestList { tests, mass, max, ranked: OnceLock::new() }
    }

    /// Returns the tests, heaviest first.
    pub fn ranked(&self) -> &[(u16, f64)] {
        self.ranked.get_or_init(|| {
            let mut tests = self.tests.clone();
            tests.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            tests
        })
    }
}

/// Flattens the lanes for loops over the cards.
pub(super) fn flat(by_card: &ByCard) -> &[f64; 56] {
    by_card.as_flattened().try_into().unwrap_or(&[0.0; 56])
}

/// Returns for each card the weight of the tests whose sets contain it.
pub(super) fn sums(
    tests: &[(u16, f64)],
    verdicts: &[Verdicts],
    of: impl Fn(&Verdicts) -> u64 + Copy,
) -> ByCard {
    dispatch(
        #[inline(always)]
        move || {
            // A local array can stay in registers.
            let mut sums = [[0.0; 8]; 7];
            for &(test, weight) in tests {
                let bytes = of(&verdicts[usize::from(test)]).to_le_bytes();
                for at in 0..7 {
                    let bits = &BITS[usize::from(bytes[at])];
                    for bit in 0..8 {
                        sums[at][bit] += weight * bits[bit];
                    }
                }
            }
            sums
        },
    )
}

/// Returns the sums of weighted numbers for each card.
pub(super) fn weighted_sum(weighed: &[(f64, &ByCard)]) -> ByCard {
    dispatch(
        #[inline(always)]
        || {
            // A local array can stay in registers.
            let mut all = [[0.0; 8]; 7];
            for (factor, by_card) in weighed {
                for at in 0..7 {
                    for bit in 0..8 {
                        all[at][bit] += factor * by_card[at][bit];
                    }
                }
            }
            all
        },
    )
}

/// Returns the tests in both lists, each with the product of its weights.
pub(super) fn shared(a: &TestList, b: &TestList) -> Vec<(u16, f64)> {
    let mut others = b.tests.iter().peekable();
    let mut shared = Vec::new();
    for &(test, weight) in &a.tests {
        while others.next_if(|(other, _)| *other < test).is_some() {}
        if let Some((_, other)) = others.next_if(|(other, _)| *other == test) {
            shared.push((test, weight * other));
        }
    }
    shared
}

/// Selects an item by cumulative weight: `at` is below the sum of the weights.
pub(super) fn pick<T>(items: impl IntoIterator<Item = (T, f64)>, mut at: f64) -> Option<T> {
    let mut last = None;
    for (item, weight) in items {
        at -= weight;
        last = Some(item);
        if at < 0.0 {
            break;
        }
    }
    last
}
