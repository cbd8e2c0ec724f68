//! Strategy files of Leopard's simple kinds, as they are written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BriskWeights, Weights};

/// A kind without parameters.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "PlainStrategy")]
pub struct Plain {
    /// One sentence for people.
    #[serde(default)]
    pub about: String,
    /// The game, as a safeguard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The kind.
    #[serde(default)]
    pub kind: String,
}

/// The kind `steady`.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "LeopardSteady")]
pub struct SteadyFile {
    /// One sentence for people.
    #[serde(default)]
    pub about: String,
    /// The game, as a safeguard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The kind.
    #[serde(default)]
    pub kind: String,
    /// What it goes by.
    pub weights: Weights,
}

/// The kind `brisk`.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "LeopardBrisk")]
pub struct BriskFile {
    /// One sentence for people.
    #[serde(default)]
    pub about: String,
    /// The game, as a safeguard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The kind.
    #[serde(default)]
    pub kind: String,
    /// What it goes by.
    pub weights: BriskWeights,
}
