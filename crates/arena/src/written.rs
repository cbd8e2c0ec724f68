//! A tally as it is written: a row of whole numbers for each name, zeros in a row counted.
//!
//! Most bins of a distribution hold no hand of a chunk: `[5,0,0,0,-2]` is written `[5,[3],-2]`. A
//! row holds the numbers of all tables or variants in their order.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Tally;
use super::tally::{COUNTS, DEALS, FAULTS, FIGURES, Place};

/// The sums of a tally by group and name.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Written(BTreeMap<String, BTreeMap<String, Sparse>>);

impl Written {
    /// A tally's sums, without those that were not measured; every tally has one form.
    pub fn of(tally: &Tally) -> Written {
        let mut rows: BTreeMap<Place, Vec<i64>> = BTreeMap::new();
        tally.clone().walk(&mut |place, row| rows.entry(place).or_default().extend_from_slice(row));
        rows.remove(&DEALS);
        rows.retain(|(group, name), row| match *group {
            FAULTS => row.iter().any(|hands| *hands != 0),
            group => !(is_own(group) && tally.missing.contains(name)),
        });
        Written::named(&rows)
    }

    /// Sums by group and name.
    pub fn named(rows: &BTreeMap<(&str, &str), Vec<i64>>) -> Written {
        let mut written = Written::default();
        for (&(group, name), row) in rows {
            let group = written.0.entry(group.to_owned()).or_default();
            group.insert(name.to_owned(), Sparse::of(row));
        }
        written
    }

    /// The tally of so many deals, given the plan's tally of none. Counts and figures of the game
    /// that are not there, or that have another number of bins now, are missing; counts that this
    /// program does not know are passed over, for its figures are not made of them.
    ///
    /// # Errors
    /// What does not fit the plan, as a sentence that follows the file's name.
    pub fn tally(&self, deals: u64, empty: &Tally) -> Result<Tally, String> {
        let mut tally = empty.clone();
        let mut lengths: BTreeMap<Place, usize> = BTreeMap::new();
        tally.walk(&mut |place, row| *lengths.entry(place).or_default() += row.len());
        lengths.remove(&DEALS);
        for (group, rows) in self.0.iter().filter(|(group, _)| *group != COUNTS) {
            let known = |name: &&String| !lengths.contains_key(&(group.as_str(), name.as_str()));
            if let Some(name) = rows.keys().find(known) {
                return Err(format!(
                    "`{group}`: this program does not know `{name}`: a later program counted it, or \
                     it was taken out since; use the program that wrote the file"
                ));
            }
        }
        let mut rows: BTreeMap<Place, std::vec::IntoIter<i64>> = BTreeMap::new();
        for (&(group, name), &len) in &lengths {
            let row = self.0.get(group).and_then(|rows| rows.get(name));
            match row.and_then(|row| row.numbers(len)) {
                Some(row) => _ = rows.insert((group, name), row.into_iter()),
                None if group == FAULTS && row.is_none() => {}
                None if is_own(group) => tally.missing.push(name),
                None => {
                    return Err(format!(
                        "the chunk does not belong to this experiment: `{group}`: `{name}` should \
                         hold {len} whole numbers"
                    ));
                }
            }
        }
        tally.walk(&mut |place, numbers| match rows.get_mut(&place) {
            Some(row) => numbers.fill_with(|| row.next().unwrap_or(0)),
            None if place == DEALS => numbers.fill(deals as i64),
            None => {}
        });
        Ok(tally)
    }
}

/// Whether a group is the game's own.
fn is_own(group: &str) -> bool {
    [COUNTS, FIGURES].contains(&group)
}

/// A number, or so many zeros.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Part {
    Number(i64),
    Zeros([usize; 1]),
}

/// A row of integers, its zeros counted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Sparse(Vec<Part>);

impl Sparse {
    /// The row as it is written; every row has one form.
    pub fn of(numbers: &[i64]) -> Sparse {
        let parts = numbers.chunk_by(|a, b| *a == 0 && *b == 0).map(|run| match run {
            [number] => Part::Number(*number),
            zeros => Part::Zeros([zeros.len()]),
        });
        Sparse(parts.collect())
    }

    /// The numbers one by one.
    pub fn iter(&self) -> impl Iterator<Item = i64> {
        self.0.iter().flat_map(|part| match *part {
            Part::Number(number) => std::iter::repeat_n(number, 1),
            Part::Zeros([zeros]) => std::iter::repeat_n(0, zeros),
        })
    }

    /// The row; none where it has another length than this.
    pub fn numbers(&self, len: usize) -> Option<Vec<i64>> {
        // No more than is wanted, for the file may say anything.
        let row: Vec<i64> = self.iter().take(len + 1).collect();
        (row.len() == len).then_some(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::cases::{cases, number};

    #[test]
    fn zeros_are_counted() {
        let text = serde_json::to_string(&Sparse::of(&[5, 0, 0, 0, -2, 0])).unwrap();
        assert_eq!(text, "[5,[3],-2,0]");
        assert_eq!(serde_json::to_string(&Sparse::of(&[])).unwrap(), "[]");
    }

    #[test]
    fn a_row_of_another_length_is_none() {
        let row = |text: &str| serde_json::from_str::<Sparse>(text).unwrap().numbers(4);
        assert_eq!(row("[1,[2],3]"), Some(vec![1, 0, 0, 3]));
        for wrong in ["[1,[2]]", "[1,[3],3]", "[[9]]", "[1,2,3,4,5]", "[[18446744073709551615]]"] {
            assert_eq!(row(wrong), None, "{wrong}");
        }
        for wrong in ["[[1,2]]", "[[]]", "[\"3\"]", "[1.5]", "[[-1]]"] {
            assert!(serde_json::from_str::<Sparse>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_written_is_read() {
        for mut chance in cases("what is written is read", 256) {
            let count = number(&mut chance, 0..40);
            let row = (0..count).map(|_| chance.bits() as i64 * i64::from(chance.below(2)));
            let row: Vec<i64> = row.collect();
            let text = serde_json::to_string(&Sparse::of(&row)).unwrap();
            let read: Sparse = serde_json::from_str(&text).unwrap();
            assert_eq!(read.numbers(row.len()), Some(row));
        }
    }
}
