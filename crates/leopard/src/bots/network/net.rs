//! A small network of whole numbers: rows added up, one hidden layer, one number.
//!
//! Sums of whole numbers are the same in any order and on any machine, so what a move changes can
//! be added to what was there (as in the networks of Nasu 2018, *Efficiently updatable
//! neural-network-based evaluation functions for computer shogi*).

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use super::rows::ROWS;
use crate::files::digest;

/// How wide the hidden layer is.
pub const HIDDEN: usize = 32;

/// One number for each hidden unit, in parts of [`PARTS`].
pub type Layer = [i16; HIDDEN];

/// So many parts make 1.
pub const PARTS: f32 = 256.0;

/// The weights: what each row adds to the hidden units, and what each of those says. In a file
/// they are the fields of kind `learnt`, whole numbers in parts of 256, and may be too few or too
/// many: a `Net<Vec<i16>>`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Net<L = Layer> {
    /// What the hidden units start from, 32 numbers.
    pub bias: L,
    /// What each unit above 0 says, 32 numbers.
    pub out: L,
    /// What is added to that, in parts of 65536.
    pub out_bias: i32,
    /// What each row of a position adds to the hidden units, 32 numbers each.
    pub rows: Vec<L>,
}

impl Net {
    /// The SHA-256 of its numbers.
    pub fn digest(&self) -> String {
        let rows = self.rows.iter().flatten();
        let layers = rows.chain(&self.bias).chain(&self.out).flat_map(|w| w.to_le_bytes());
        digest(layers.chain(self.out_bias.to_le_bytes()).collect::<Vec<u8>>())
    }

    /// The logit of the chance to win that these hidden units stand for.
    pub fn logit(&self, hidden: &Layer) -> f32 {
        let mut sum = self.out_bias;
        for (hidden, out) in hidden.iter().zip(&self.out) {
            sum = sum.wrapping_add(i32::from((*hidden).max(0)) * i32::from(*out));
        }
        sum as f32 * (1.0 / (PARTS * PARTS))
    }
}

/// Hidden units, before they are cut off at 0, as rows are added to them.
#[derive(Clone, Copy)]
pub(super) struct Sum<'a> {
    pub net: &'a Net,
    pub hidden: Layer,
}

impl Sum<'_> {
    /// Adds a row.
    #[inline(always)]
    pub fn add(&mut self, row: usize) {
        self.join(&self.net.rows[row]);
    }

    /// Takes a row away again.
    #[inline(always)]
    pub fn take(&mut self, row: usize) {
        let weights = &self.net.rows[row];
        for (sum, weight) in self.hidden.iter_mut().zip(weights) {
            *sum = sum.wrapping_sub(*weight);
        }
    }

    /// Adds what another sum came to.
    #[inline(always)]
    pub fn join(&mut self, other: &Layer) {
        for (sum, other) in self.hidden.iter_mut().zip(other) {
            *sum = sum.wrapping_add(*other);
        }
    }
}

/// No weight is larger, either way: so small that the sum of the layer's products fits 32 bits.
const LIMIT: i16 = 2000;

impl TryFrom<Net<Vec<i16>>> for Net {
    /// Everything that is wrong with it, a sentence each; of the rows the first that is wrong.
    type Error = Vec<String>;

    fn try_from(file: Net<Vec<i16>>) -> Result<Net, Vec<String>> {
        let mut faults = Vec::new();
        let mut known = |name: &str, numbers: &[i16]| {
            layer(name, numbers).map_err(|fault| faults.push(fault)).unwrap_or_default()
        };
        let (bias, out) = (known("bias", &file.bias), known("out", &file.out));
        let rows = file.rows.iter().enumerate();
        let rows = rows.map(|(index, row)| layer(&format!("rows[{index}]"), row));
        let rows: Result<Vec<Layer>, String> = rows.collect();
        let rows = rows.map_err(|fault| faults.push(fault)).unwrap_or_default();
        let (count, out_bias, most) = (file.rows.len(), file.out_bias, i32::from(LIMIT).pow(2));
        if count != ROWS {
            faults.push(format!("`rows` has {count} of them; it must have {ROWS}"));
        }
        if !(-most..=most).contains(&out_bias) {
            faults.push(format!("`out_bias` is {out_bias}; it must be from -{most} to {most}"));
        }
        if faults.is_empty() { Ok(Net { bias, out, out_bias, rows }) } else { Err(faults) }
    }
}

fn layer(name: &str, numbers: &[i16]) -> Result<Layer, String> {
    if let Some(number) = numbers.iter().find(|number| !(-LIMIT..=LIMIT).contains(*number)) {
        return Err(format!("`{name}` has {number}; it must be from -{LIMIT} to {LIMIT}"));
    }
    let count = numbers.len();
    numbers.try_into().map_err(|_| format!("`{name}` has {count} numbers; it must have {HIDDEN}"))
}

/// A network of a strategy file. A run writes its digest and not its numbers.
#[derive(Clone, PartialEq, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "Net<Vec<i16>>")]
#[schemars(with = "Net<Vec<i16>>")]
pub struct Network(Arc<Net>);

impl Network {
    /// The network.
    pub fn net(&self) -> Arc<Net> {
        Arc::clone(&self.0)
    }
}

impl TryFrom<Net<Vec<i16>>> for Network {
    type Error = String;

    fn try_from(file: Net<Vec<i16>>) -> Result<Network, String> {
        Net::try_from(file).map(|net| Network(Arc::new(net))).map_err(|faults| faults.join("; "))
    }
}

impl Serialize for Network {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([("net", self.0.digest())])
    }
}
