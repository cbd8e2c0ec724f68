//! Lists of tests with their weights, and what they come to card by card.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use crate::Verdicts;
use crate::simd::dispatch;

/// Tests with their weights: a part of a row that several lists share.
#[derive(Clone, Debug)]
pub(super) struct Tests {
    row: Arc<[(u16, f64)]>,
    from: u32,
    to: u32,
}

impl Deref for Tests {
    type Target = [(u16, f64)];

    fn deref(&self) -> &[(u16, f64)] {
        &self.row[self.from as usize..self.to as usize]
    }
}

/// Tests with their weights, and what they come to.
#[derive(Clone, Debug)]
pub(super) struct List {
    pub tests: Tests,
    pub mass: f64,
    /// The largest weight.
    pub most: f64,
    /// The tests, heaviest first, once that was asked for.
    ranked: OnceLock<Vec<(u16, f64)>>,
}

/// A number for each card, by eights; the last four are nobody's.
pub(super) type ByCard = [[f64; 8]; 7];

/// For each value of a byte 1 where its bits are.
static BITS: [[f64; 8]; 256] = {
    let mut bits = [[0.0; 8]; 256];
    let mut at = 0;
    while at < 8 * 256 {
        bits[at / 8][at % 8] = ((at / 8) >> (at % 8) & 1) as f64;
        at += 1;
    }
    bits
};

impl List {
    pub fn of(tests: Vec<(u16, f64)>) -> List {
        let to = tests.len() as u32;
        List::new(Tests { row: tests.into(), from: 0, to })
    }

    /// The lists of a row of tests that end there.
    pub fn row(
        tests: Vec<(u16, f64)>,
        ends: impl Iterator<Item = usize>,
    ) -> impl Iterator<Item = List> {
        let row: Arc<[(u16, f64)]> = tests.into();
        let mut from = 0;
        ends.map(move |end| {
            let to = end as u32;
            List::new(Tests { row: row.clone(), from: std::mem::replace(&mut from, to), to })
        })
    }

    fn new(tests: Tests) -> List {
        let (mut mass, mut most) = (0.0, 0.0f64);
        for (_, weight) in &*tests {
            mass += weight;
            most = most.max(*weight);
        }
        List { tests, mass, most, ranked: OnceLock::new() }
    }

    /// The weight of the tests under which each card is right.
    pub fn right(&self, says: &[Verdicts]) -> ByCard {
        sums(&self.tests, says, |says| says.right)
    }

    /// The weight of the tests that say yes to each card.
    pub fn yes(&self, says: &[Verdicts]) -> ByCard {
        sums(&self.tests, says, |says| says.yes)
    }

    /// The tests, heaviest first.
    pub fn ranked(&self) -> &[(u16, f64)] {
        self.ranked.get_or_init(|| {
            let mut tests = self.tests.to_vec();
            tests.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            tests
        })
    }
}

/// The same in one row, for loops over the cards.
pub(super) fn flat(by_card: &ByCard) -> &[f64; 56] {
    by_card.as_flattened().try_into().unwrap_or(&[0.0; 56])
}

/// For each card the weight of the tests whose sets have it.
fn sums(tests: &[(u16, f64)], says: &[Verdicts], of: impl Fn(&Verdicts) -> u64 + Copy) -> ByCard {
    dispatch(
        #[inline(always)]
        move || {
            // Its own, so that it can stay in registers.
            let mut sums = [[0.0; 8]; 7];
            for &(test, weight) in tests {
                let bytes = of(&says[usize::from(test)]).to_le_bytes();
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

/// What these come to together, each so often.
pub(super) fn sum_of(weighed: &[(f64, &ByCard)], sum: &mut ByCard) {
    dispatch(
        #[inline(always)]
        || {
            // Its own, so that it can stay in registers.
            let mut all = [[0.0; 8]; 7];
            for (factor, by_card) in weighed {
                for at in 0..7 {
                    for bit in 0..8 {
                        all[at][bit] += factor * by_card[at][bit];
                    }
                }
            }
            *sum = all;
        },
    )
}

/// The tests of both lists, each with the product of its weights.
pub(super) fn shared(a: &List, b: &List) -> Vec<(u16, f64)> {
    let mut others = b.tests.iter().peekable();
    let mut shared = Vec::new();
    for &(test, weight) in &*a.tests {
        while others.next_if(|(other, _)| *other < test).is_some() {}
        if let Some((_, other)) = others.next_if(|(other, _)| *other == test) {
            shared.push((test, weight * other));
        }
    }
    shared
}
