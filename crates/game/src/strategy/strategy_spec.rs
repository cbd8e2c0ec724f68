//! A strategy in an experiment: a name, or an entry of its own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::sweep::Sweep;
use parlour_base::error::Fault;
use parlour_base::files::{field_path, read_value};

/// A strategy in an experiment: a name or path, or an entry of its own.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, try_from = "Value")]
#[schemars(!try_from)]
pub enum StrategySpec {
    /// A name or a path.
    Named(String),
    /// A strategy defined in the experiment: all fields of a strategy file, or those that differ
    /// from its `base`.
    Inline {
        /// The name.
        name: String,
        /// The fields of a strategy file.
        #[serde(flatten)]
        fields: Map<String, Value>,
        /// The values of some fields: the entry stands for one strategy per combination. Each
        /// `{field}` in the name is replaced by its value; other values are appended to it.
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

    fn try_from(value: Value) -> std::result::Result<StrategySpec, String> {
        let mut fields = match value {
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
    /// Returns the name, or the path of the file.
    pub fn name(&self) -> &str {
        match self {
            StrategySpec::Named(name) | StrategySpec::Inline { name, .. } => name,
        }
    }

    /// Returns the sweep, if any.
    pub fn sweep(&self) -> Option<&Sweep> {
        match self {
            StrategySpec::Inline { sweep, .. } => sweep.as_ref(),
            StrategySpec::Named(_) => None,
        }
    }

    /// Returns the number of strategies.
    pub fn count(&self) -> u128 {
        self.sweep().map_or(1, Sweep::count)
    }
}
