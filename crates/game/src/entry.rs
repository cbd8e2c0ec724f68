//! Entries of an experiment's lists: names, or objects with fields.

use serde::de::{Deserializer, Error};
use serde_json::{Map, Value};
use serde_untagged::UntaggedEnumVisitor;

use crate::sweep::{MAX_NAME, Sweep};
use parlour_base::names::misreading;

/// A variant or a strategy that an experiment lists as an object: its sweep and the other fields.
#[derive(serde::Deserialize)]
pub(crate) struct InlineEntry {
    pub sweep: Option<Sweep>,
    #[serde(flatten)]
    pub fields: Map<String, Value>,
}

impl InlineEntry {
    /// Removes a field that is a string.
    ///
    /// # Errors
    /// If it is something else.
    pub fn take(&mut self, field: &str) -> Result<Option<String>, String> {
        match self.fields.shift_remove(field) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(format!("`{field}` is {other}; it must be a string")),
        }
    }
}

/// Returns the problem of an entry's name, if any.
pub(crate) fn name_problem(name: &str) -> Option<&'static str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let is_right = (1..=MAX_NAME).contains(&name.len()) && name.chars().all(plain);
    let chars = "its name must be 1 to 60 letters of a to z, digits, `-`, `_` or `.`";
    (!is_right).then_some(chars).or_else(|| misreading(name))
}

/// Reads a variant or a strategy: a name, or an object that `inline` turns into one. The derived form
/// (untagged) would lose the place of an error.
pub(crate) fn named_or_inline<'de, T: From<String>, D: Deserializer<'de>>(
    from: D,
    inline: impl FnOnce(InlineEntry) -> Result<T, String>,
) -> Result<T, D::Error> {
    UntaggedEnumVisitor::new()
        .expecting("a name, or an object with `name`, `base` and the changes")
        .string(|name| Ok(name.to_owned().into()))
        .map(|fields| inline(fields.deserialize()?).map_err(Error::custom))
        .deserialize(from)
}
