//! A strategy in an experiment: a name, or an entry of its own.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::entry::{InlineEntry, named_or_inline};
use crate::sweep::Sweep;

/// A strategy in an experiment: a name or path, or an entry of its own.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
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

impl<T: Into<String>> From<T> for StrategySpec {
    fn from(name: T) -> StrategySpec {
        StrategySpec::Named(name.into())
    }
}

impl<'de> Deserialize<'de> for StrategySpec {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<StrategySpec, D::Error> {
        named_or_inline(from, |mut entry| {
            let name = entry.take("name")?;
            let InlineEntry { sweep, fields } = entry;
            let base = fields.get("base").and_then(Value::as_str).filter(|_| sweep.is_some());
            let name = name.or(base.map(str::to_owned)).ok_or("missing field `name`")?;
            Ok(StrategySpec::Inline { name, fields, sweep })
        })
    }
}

impl StrategySpec {
    /// Returns the name, or the path of the file.
    pub fn name(&self) -> &str {
        match self {
            StrategySpec::Named(name) | StrategySpec::Inline { name, .. } => name,
        }
    }

    /// Returns the name, without the folder and extension of a path.
    pub fn stem(&self) -> String {
        let stem = match self {
            StrategySpec::Named(path) => Path::new(path).file_stem(),
            StrategySpec::Inline { .. } => None,
        };
        stem.map_or_else(|| self.name().to_owned(), |stem| stem.to_string_lossy().into_owned())
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
