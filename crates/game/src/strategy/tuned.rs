//! Where the numbers of a strategy came from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Ruled;
use crate::error::Result;

/// What the numbers of a strategy were tuned for, and how, as its file says under `tuned`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tuned {
    /// The variants that it played while it was tuned: by name, or rules in full.
    pub under: Vec<Value>,
    /// The strategy that the tuning began with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// How many deals it looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deals: Option<u64>,
    /// What all chance grew from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The strategy that the score is against.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// On how many fresh deals the score was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fresh_deals: Option<u64>,
    /// The score on them, and the ends of its 95 % interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<[f64; 3]>,
}

impl Tuned {
    /// The rules that it was tuned under, in full.
    ///
    /// # Errors
    /// Bad input when a name is that of no variant.
    pub fn rules<G: Ruled>(&self) -> Result<Vec<Value>> {
        let rules = |under: &Value| match under.as_str() {
            Some(name) => G::named(name).map(|rules| serde_json::json!(rules)),
            None => Ok(under.clone()),
        };
        self.under.iter().map(rules).collect()
    }
}
