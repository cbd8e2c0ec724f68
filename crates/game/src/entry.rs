//! Entries of an experiment's lists: names, or objects with fields.

use std::fmt::{self, Formatter};

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};

use crate::Sweep;
use parlour_base::names::misreading;

/// A variant or a strategy as an experiment lists it.
pub(crate) enum Entry {
    /// A name or a path.
    Named(String),
    /// An object.
    Inline(InlineEntry),
}

/// An object with its fields, except a sweep.
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
    let is_right = (1..=60).contains(&name.len()) && name.chars().all(plain);
    let chars = "its name must be 1 to 60 letters of a to z, digits, `-`, `_` or `.`";
    (!is_right).then_some(chars).or_else(|| misreading(name))
}

/// Written by hand, because the derived form (untagged) loses the place of an error.
impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Entry, D::Error> {
        struct EntryVisitor;

        impl<'de> Visitor<'de> for EntryVisitor {
            type Value = Entry;

            fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
                f.write_str("a name, or an object with `name`, `base` and the changes")
            }

            fn visit_str<E>(self, name: &str) -> Result<Entry, E> {
                Ok(Entry::Named(name.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Entry, A::Error> {
                InlineEntry::deserialize(MapAccessDeserializer::new(map)).map(Entry::Inline)
            }
        }

        from.deserialize_any(EntryVisitor)
    }
}
