//! A network as it stands in a strategy file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::net::{HIDDEN, Layer, Net};
use super::rows::ROWS;

/// No weight is larger, either way: so small that the sum of the layer's products fits 32 bits.
const LIMIT: i16 = 2000;

/// The kind `learnt`: a network of whole numbers, in parts of 256.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "LeopardLearnt")]
pub struct LearntFile {
    /// One sentence for people.
    #[serde(default)]
    pub about: String,
    /// The game, as a safeguard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The kind.
    #[serde(default)]
    pub kind: String,
    /// What the hidden units start from, 32 numbers.
    pub bias: Vec<i16>,
    /// What each unit above 0 says, 32 numbers.
    pub out: Vec<i16>,
    /// What is added to that, in parts of 65536.
    pub out_bias: i32,
    /// What each row of a position adds to the hidden units, 32 numbers each.
    pub rows: Vec<Vec<i16>>,
}

impl LearntFile {
    /// A file with this network.
    pub fn new(about: &str, net: &Net) -> LearntFile {
        LearntFile {
            about: about.to_owned(),
            game: None,
            kind: "learnt".to_owned(),
            bias: net.bias.to_vec(),
            out: net.out.to_vec(),
            out_bias: net.out_bias,
            rows: net.rows.iter().map(|row| row.to_vec()).collect(),
        }
    }

    /// The network.
    ///
    /// # Errors
    /// Everything that is wrong with it, a sentence each; of the rows the first that is wrong.
    pub fn net(&self) -> Result<Net, Vec<String>> {
        let mut faults = Vec::new();
        let bias = layer("bias", &self.bias).map_err(|fault| faults.push(fault)).ok();
        let out = layer("out", &self.out).map_err(|fault| faults.push(fault)).ok();
        if self.rows.len() != ROWS {
            let count = self.rows.len();
            faults.push(format!("`rows` has {count} of them; it must have {ROWS}"));
        }
        let rows = self.rows.iter().enumerate();
        let rows: Result<Vec<Layer>, String> =
            rows.map(|(index, row)| layer(&format!("rows[{index}]"), row)).collect();
        let rows = rows.map_err(|fault| faults.push(fault)).ok();
        let most = i32::from(LIMIT) * i32::from(LIMIT);
        if !(-most..=most).contains(&self.out_bias) {
            let said = self.out_bias;
            faults.push(format!("`out_bias` is {said}; it must be from -{most} to {most}"));
        }
        match (bias, out, rows) {
            (Some(bias), Some(out), Some(rows)) if faults.is_empty() => {
                Ok(Net { bias, rows, out, out_bias: self.out_bias })
            }
            _ => Err(faults),
        }
    }
}

fn layer(name: &str, numbers: &[i16]) -> Result<Layer, String> {
    if let Some(number) = numbers.iter().find(|number| !(-LIMIT..=LIMIT).contains(*number)) {
        return Err(format!("`{name}` has {number}; it must be from -{LIMIT} to {LIMIT}"));
    }
    numbers
        .try_into()
        .map_err(|_| format!("`{name}` has {} numbers; it must have {HIDDEN}", numbers.len()))
}
