//! A strategy as an experiment names it: by its name, or in full.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::Fault;
use crate::files::{field_path, read_value};
use crate::sweep::Sweep;

/// A strategy as an experiment names it: a name or path, or an entry of its own.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, try_from = "Value")]
#[schemars(!try_from)]
pub enum StrategySpec {
    /// A name, or a path.
    Named(String),
    /// A strategy that stands in the experiment: all fields of a strategy file may follow, or
    /// those that differ from its `base`.
    Inline {
        /// What to call it.
        name: String,
        /// What a file of it would say.
        #[serde(flatten)]
        fields: Map<String, Value>,
        /// The values of some fields: the entry stands for a strategy for each combination. Each
        /// `{field}` in the name is the value; what the name leaves out follows it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sweep: Option<Sweep>,
    },
}

impl From<String> for StrategySpec {
    fn from(name: String) -> StrategySpec {
        StrategySpec::Named(name)
    }
}

impl From<&str> for StrategySpec {
    fn from(name: &str) -> StrategySpec {
        StrategySpec::Named(name.to_owned())
    }
}

impl From<&String> for StrategySpec {
    fn from(name: &String) -> StrategySpec {
        StrategySpec::Named(name.clone())
    }
}

impl TryFrom<Value> for StrategySpec {
    type Error = String;

    fn try_from(said: Value) -> std::result::Result<StrategySpec, String> {
        let mut fields = match said {
            Value::String(name) => return Ok(StrategySpec::Named(name)),
            Value::Object(fields) => fields,
            other => {
                return Err(format!(
                    "invalid type: `{other}`, expected a string (a strategy's name), or an object \
                     with `name`, `base` and what differs"
                ));
            }
        };
        let sweep = fields.shift_remove("sweep").map(|sweep| read_value(&sweep)).transpose();
        let sweep = sweep.map_err(|(way, what)| {
            Fault::field(&field_path(&format!("/sweep{way}")), what).to_string()
        })?;
        match (fields.shift_remove("name"), fields.get("base")) {
            (Some(Value::String(name)), _) => Ok(StrategySpec::Inline { name, fields, sweep }),
            (Some(other), _) => Err(format!("`name` is {other}; it must be a string")),
            (None, Some(Value::String(base))) if sweep.is_some() => {
                Ok(StrategySpec::Inline { name: base.clone(), fields, sweep })
            }
            (None, _) => Err("missing field `name`".to_owned()),
        }
    }
}

impl StrategySpec {
    /// Its name, or the path of its file.
    pub fn said(&self) -> &str {
        match self {
            StrategySpec::Named(name) | StrategySpec::Inline { name, .. } => name,
        }
    }

    /// What it sweeps.
    pub fn sweep(&self) -> Option<&Sweep> {
        match self {
            StrategySpec::Inline { sweep, .. } => sweep.as_ref(),
            StrategySpec::Named(_) => None,
        }
    }

    /// How many strategies it stands for.
    pub fn count(&self) -> u128 {
        self.sweep().map_or(1, Sweep::count)
    }
}
