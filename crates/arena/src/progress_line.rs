//! The tallies in the lines of progress files.
//!
//! A tally is one row of integers for each named sum, with runs of zeros shortened. Most bins of a
//! distribution are empty in one chunk: `[5,0,0,0,-2]` is written `[5,[3],-2]`. A row holds the numbers
//! of all tables or all variants, in plan order.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Tally;
use super::tally::{COUNTS, DEALS, FAULTS, FIGURES, RowName};

/// The group of the results of single deals, each after the number of its deal.
const RESULTS: &str = "results";

/// The sums of a tally by group and name.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct EncodedTally(BTreeMap<String, BTreeMap<String, Vec<Run>>>);

impl EncodedTally {
    /// Encodes a tally; sums that were not measured are left out. Equal tallies encode equally.
    pub fn encode(tally: &Tally) -> EncodedTally {
        let mut rows: BTreeMap<RowName, Vec<i64>> = BTreeMap::new();
        tally.clone().walk(&mut |name, row| rows.entry(name).or_default().extend_from_slice(row));
        rows.remove(&DEALS);
        rows.retain(|(group, name), row| match *group {
            FAULTS => row.iter().any(|hands| *hands != 0),
            group => !(is_optional(group) && tally.missing.contains(name)),
        });
        let mut encoded = EncodedTally::default();
        if let Some(results) = &tally.results {
            let rows = results
                .iter()
                .flat_map(|(deal, row)| std::iter::once(*deal as i64).chain(row.iter().copied()));
            let row = encode_row(&rows.collect::<Vec<_>>());
            encoded.0.insert(RESULTS.to_owned(), [(DEALS.0.to_owned(), row)].into());
        }
        for ((group, name), row) in rows {
            let group = encoded.0.entry(group.to_owned()).or_default();
            group.insert(name.to_owned(), encode_row(&row));
        }
        encoded
    }

    /// Decodes the tally of `deals` deals; `empty` is the plan's tally of none.
    ///
    /// The game's own counts and figures may be absent or have another number of bins: these are
    /// marked as missing. Unknown counts are ignored, since no figure of this program uses them.
    ///
    /// # Errors
    /// The first mismatch with the plan, as a sentence that follows the file's name.
    pub fn decode(&self, deals: u64, empty: &Tally) -> Result<Tally, String> {
        let mut tally = empty.clone();
        if let Some(results) = &mut tally.results {
            let width =
                tally.variants.iter().map(|variant| 1 + variant.standings.len()).sum::<usize>() + 1;
            let row = self.0.get(RESULTS).and_then(|rows| rows.get(DEALS.0));
            let row = row.and_then(|row| decode_row(row, deals as usize * width));
            let row = row.ok_or("the results of its deals are missing")?;
            let rows = row.chunks_exact(width);
            results.extend(rows.map(|row| (row[0] as u64, row[1..].to_vec())));
        }
        let mut lengths: BTreeMap<RowName, usize> = BTreeMap::new();
        tally.walk(&mut |name, row| *lengths.entry(name).or_default() += row.len());
        lengths.remove(&DEALS);
        let is_known = |group: &str| group == COUNTS || group == RESULTS && tally.results.is_some();
        for (group, rows) in self.0.iter().filter(|(group, _)| !is_known(group)) {
            let is_unknown =
                |name: &&String| !lengths.contains_key(&(group.as_str(), name.as_str()));
            if let Some(name) = rows.keys().find(is_unknown) {
                return Err(format!(
                    "`{group}`: unknown sum `{name}`; use the program that wrote the file"
                ));
            }
        }
        let mut rows: BTreeMap<RowName, std::vec::IntoIter<i64>> = BTreeMap::new();
        for (&(group, name), &len) in &lengths {
            let row = self.0.get(group).and_then(|rows| rows.get(name));
            match row.and_then(|row| decode_row(row, len)) {
                Some(row) => _ = rows.insert((group, name), row.into_iter()),
                None if group == FAULTS && row.is_none() => {}
                None if is_optional(group) => tally.missing.push(name),
                None => {
                    return Err(format!(
                        "the chunk does not belong to this experiment: `{group}`: `{name}` must \
                         hold {len} integers"
                    ));
                }
            }
        }
        tally.walk(&mut |name, numbers| match rows.get_mut(&name) {
            Some(row) => numbers.fill_with(|| row.next().unwrap_or(0)),
            None if name == DEALS => numbers.fill(deals as i64),
            None => {}
        });
        Ok(tally)
    }
}

/// Returns `true` if the group holds the game's own sums, which may be absent.
fn is_optional(group: &str) -> bool {
    [COUNTS, FIGURES].contains(&group)
}

/// A number or a run of zeros.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Run {
    Number(i64),
    Zeros([usize; 1]),
}

/// Encodes a row of integers with run-length encoded zeros; every row has exactly one encoding.
fn encode_row(numbers: &[i64]) -> Vec<Run> {
    let runs = numbers.chunk_by(|a, b| *a == 0 && *b == 0).map(|run| match run {
        [number] => Run::Number(*number),
        zeros => Run::Zeros([zeros.len()]),
    });
    runs.collect()
}

/// Decodes a row. Returns `None` if its length is not `len`.
fn decode_row(row: &[Run], len: usize) -> Option<Vec<i64>> {
    let numbers = row.iter().flat_map(|run| match *run {
        Run::Number(number) => std::iter::repeat_n(number, 1),
        Run::Zeros([zeros]) => std::iter::repeat_n(0, zeros),
    });
    // At most one number too many: the file may name any count of zeros.
    let row: Vec<i64> = numbers.take(len + 1).collect();
    (row.len() == len).then_some(row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_base::chance::cases::{cases, number};

    #[test]
    fn runs_of_zeros_are_shortened() {
        let text = serde_json::to_string(&encode_row(&[5, 0, 0, 0, -2, 0])).unwrap();
        assert_eq!(text, "[5,[3],-2,0]");
        assert_eq!(serde_json::to_string(&encode_row(&[])).unwrap(), "[]");
    }

    #[test]
    fn rows_of_the_wrong_length_are_rejected() {
        let row = |text: &str| decode_row(&serde_json::from_str::<Vec<Run>>(text).unwrap(), 4);
        assert_eq!(row("[1,[2],3]"), Some(vec![1, 0, 0, 3]));
        for wrong in ["[1,[2]]", "[1,[3],3]", "[[9]]", "[1,2,3,4,5]", "[[18446744073709551615]]"] {
            assert_eq!(row(wrong), None, "{wrong}");
        }
        for wrong in ["[[1,2]]", "[[]]", "[\"3\"]", "[1.5]", "[[-1]]"] {
            assert!(serde_json::from_str::<Vec<Run>>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn encoded_rows_round_trip() {
        for mut chance in cases("what is written is read", 256) {
            let count = number(&mut chance, 0..40);
            let row = (0..count).map(|_| chance.bits() as i64 * i64::from(chance.below(2)));
            let row: Vec<i64> = row.collect();
            let text = serde_json::to_string(&encode_row(&row)).unwrap();
            let read: Vec<Run> = serde_json::from_str(&text).unwrap();
            assert_eq!(decode_row(&read, row.len()), Some(row));
        }
    }
}
