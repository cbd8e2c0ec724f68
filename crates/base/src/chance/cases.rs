//! Random cases for property tests, the same in every run.

use std::ops::Range;

use super::{Seed, Stream};

/// Returns `count` random streams for the property with this name.
pub fn cases(name: &str, count: u64) -> impl Iterator<Item = Stream> {
    let seed = Seed::new(1).named(name);
    (0..count).map(move |case| seed.child(case).stream())
}

/// Returns a random integer in a range.
pub fn number(chance: &mut Stream, range: Range<i64>) -> i64 {
    range.start + i64::from(chance.below((range.end - range.start) as u32))
}

/// Returns a list of random integers, with a random length.
pub fn numbers(chance: &mut Stream, range: Range<i64>, lengths: Range<i64>) -> Vec<i64> {
    (0..number(chance, lengths)).map(|_| number(chance, range.clone())).collect()
}
