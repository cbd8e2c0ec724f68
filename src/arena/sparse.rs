//! A row of integers as it is written: zeros in a row are counted and not listed, for most bins of
//! a distribution hold no hand of a chunk.
//!
//! `[5,0,0,0,-2]` is written `[5,[3],-2]`.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// A number, or so many zeros.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
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
        let mut parts = Vec::new();
        for run in numbers.chunk_by(|a, b| *a == 0 && *b == 0) {
            parts.push(match run {
                [number] => Part::Number(*number),
                zeros => Part::Zeros([zeros.len()]),
            });
        }
        Sparse(parts)
    }

    /// The row; none where it has another length than this.
    pub fn row(&self, len: usize) -> Option<Vec<i64>> {
        let mut row = Vec::with_capacity(len);
        for part in &self.0 {
            match *part {
                Part::Number(number) => row.push(number),
                // Checked first, for the file may say anything.
                Part::Zeros([zeros]) if zeros > len - row.len() => return None,
                Part::Zeros([zeros]) => row.resize(row.len() + zeros, 0),
            }
            if row.len() > len {
                return None;
            }
        }
        (row.len() == len).then_some(row)
    }
}

/// By hand, for the derived one makes a copy of every number before it looks.
impl<'de> Deserialize<'de> for Part {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Part, D::Error> {
        struct Seen;
        impl<'de> Visitor<'de> for Seen {
            type Value = Part;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number, or a list with a number of zeros")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Part, E> {
                Ok(Part::Number(number))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Part, E> {
                i64::try_from(number).map(Part::Number).map_err(E::custom)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Part, A::Error> {
                let zeros =
                    list.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
                match list.next_element::<usize>()? {
                    None => Ok(Part::Zeros([zeros])),
                    Some(_) => Err(A::Error::invalid_length(2, &self)),
                }
            }
        }
        from.deserialize_any(Seen)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn zeros_are_counted() {
        let text = serde_json::to_string(&Sparse::of(&[5, 0, 0, 0, -2, 0])).unwrap();
        assert_eq!(text, "[5,[3],-2,0]");
        assert_eq!(serde_json::to_string(&Sparse::of(&[])).unwrap(), "[]");
    }

    #[test]
    fn a_row_of_another_length_is_none() {
        let row = |text: &str| serde_json::from_str::<Sparse>(text).unwrap().row(4);
        assert_eq!(row("[1,[2],3]"), Some(vec![1, 0, 0, 3]));
        for wrong in ["[1,[2]]", "[1,[3],3]", "[[9]]", "[1,2,3,4,5]", "[[18446744073709551615]]"] {
            assert_eq!(row(wrong), None, "{wrong}");
        }
        for wrong in ["[[1,2]]", "[[]]", "[\"3\"]", "[1.5]", "[[-1]]"] {
            assert!(serde_json::from_str::<Sparse>(wrong).is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            row in prop::collection::vec(prop_oneof![Just(0i64), any::<i64>()], 0..40),
        ) {
            let text = serde_json::to_string(&Sparse::of(&row)).unwrap();
            let read: Sparse = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(read.row(row.len()), Some(row));
        }
    }
}
