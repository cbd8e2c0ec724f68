//! The record of how a strategy was tuned.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Ruled;
use parlour_base::error::Result;

/// The record of how the numbers of a strategy were tuned, in the field `tuned` of its file.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tuned {
    /// The variants of the tuning, by name or as full rules.
    pub under: Vec<Value>,
    /// The strategy from which the tuning started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The method.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The number of deals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deals: Option<u64>,
    /// The random seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The opponent of the score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// The number of fresh deals for the score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fresh_deals: Option<u64>,
    /// The score on the fresh deals, and the ends of its 95 % interval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<[f64; 3]>,
}

impl Tuned {
    /// Returns the full rules of the tuning.
    ///
    /// # Errors
    /// Bad input if a variant does not exist.
    pub fn rules<G: Ruled>(&self) -> Result<Vec<Value>> {
        let rules = |under: &Value| match under.as_str() {
            Some(name) => G::named(name).map(|rules| serde_json::json!(rules)),
            None => Ok(under.clone()),
        };
        self.under.iter().map(rules).collect()
    }
}
