//! A strategy laid over its bases: what they say together, and who said what.
//!
//! Each layer is the JSON of one file, or of an entry of an experiment. A layer changes the one
//! below it: objects are merged field by field, any other value replaces what was there, and
//! `null` takes it away. The typed reading sees the merged object only; a fault in it is traced to
//! the uppermost layer that says the field, and to its line and column there. The way to a field is
//! a JSON pointer (RFC 6901).

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use serde_path_to_error::Segment;

use crate::error::{Error, Fault, Faults, Result};
use crate::files::said_of_names;

/// What one file, or one entry of an experiment, says.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    /// The file as a message names it, or whose strategy it is.
    pub place: String,
    /// The whole text that it stands in; none when it was put together by a program.
    pub text: Option<String>,
    /// Where in that text it stands.
    pub within: String,
    /// Its fields: an object.
    pub said: Value,
}

/// The way to a field or an item of what a pointer leads to.
pub(super) fn step(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
}

impl Layer {
    /// Bad input: what is wrong with a field of it, and where that stands in the text.
    pub fn fault(&self, field: &str, what: impl Into<Fault>) -> Error {
        let pointer = format!("{}{field}", self.within);
        let mut fault = what.into();
        let named = pointer.split('/').skip(1).fold(String::new(), |named, name| {
            match (name.parse::<usize>(), named.is_empty()) {
                (Ok(index), _) => format!("{named}[{index}]"),
                (_, true) => name.to_owned(),
                (_, false) => format!("{named}.{name}"),
            }
        });
        if !named.is_empty() {
            fault = fault.in_field(&named);
        }
        fault = fault.in_file(&self.place);
        if let Some((line, column)) = self.text.as_ref().and_then(|text| position(text, &pointer)) {
            (fault.place.line, fault.place.column) = (Some(line), Some(column));
        }
        Error::input(fault)
    }

    /// Takes a field that holds a text out of it.
    ///
    /// # Errors
    /// Bad input when it holds anything else.
    pub fn take_text(&mut self, name: &str) -> Result<Option<String>> {
        match take(&mut self.said, name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(self.fault(&step("", name), no_text(&other))),
        }
    }
}

fn take(object: &mut Value, name: &str) -> Option<Value> {
    object.as_object_mut()?.shift_remove(name)
}

fn no_text(value: &Value) -> String {
    let shown = match value {
        Value::Object(_) => "an object".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        other => format!("`{other}`"),
    };
    format!("invalid type: {shown}, expected a string")
}

/// A strategy's own layer and those of its bases, each over the next.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    /// The strategy's own, and those below it.
    layers: Vec<Layer>,
    /// One sentence for people.
    pub about: String,
    /// The kind of strategy, which decides what other fields there are.
    pub kind: String,
    /// What all layers say together, the kind apart: an object.
    pub merged: Value,
}

impl Layers {
    /// Lays them over one another; the uppermost is the first, and there is one at least.
    ///
    /// # Errors
    /// Bad input when nobody says the kind.
    pub fn new(mut layers: Vec<Layer>) -> Result<Layers> {
        let abouts = layers.iter_mut().map(|layer| layer.take_text("about"));
        let about = abouts.collect::<Result<Vec<_>>>()?.swap_remove(0).unwrap_or_default();
        let mut merged = json!({});
        layers.iter().rev().for_each(|layer| lay_over(&mut merged, &layer.said));
        let mut layers = Layers { layers, about, kind: String::new(), merged };
        match take(&mut layers.merged, "kind") {
            Some(Value::String(kind)) => layers.kind = kind,
            Some(other) => return Err(layers.fault("/kind", no_text(&other))),
            None => return Err(layers.fault("", "missing field `kind`")),
        }
        Ok(layers)
    }

    /// A file that says the same without a base; the strategy's own text where it has none.
    pub fn text(&self) -> String {
        if let [Layer { text: Some(text), within, .. }] = &self.layers[..]
            && within.is_empty()
        {
            return text.clone();
        }
        let mut file = json!({ "about": self.about, "kind": self.kind });
        lay_over(&mut file, &self.merged);
        serde_json::to_string_pretty(&file).expect("plain data") + "\n"
    }

    /// Bad input: what is wrong with a field, in the layer that says it.
    pub fn fault(&self, field: &str, what: impl Into<Fault>) -> Error {
        self.faults(vec![(field.to_owned(), what.into())])
    }

    /// Bad input: all that is wrong, each with its field, in the layers that say it.
    pub fn faults(&self, faults: Vec<(String, Fault)>) -> Error {
        let mut all = Faults::default();
        for (field, what) in faults {
            let says = |layer: &Layer| layer.said.pointer(&field).is_some();
            let at = self.layers.iter().position(says).unwrap_or(0);
            let error = self.layers[at].fault(&field, what);
            let own = &self.layers[0].place;
            let note = format!(" (this is a base of {own}; `null` there takes a field away)");
            all.add(if at == 0 { error } else { error.adding(&note) });
        }
        all.into()
    }

    /// Reads it as one of an enum's kinds, which deny unknown fields.
    ///
    /// # Errors
    /// The first thing that is wrong, with its place in the file that says it.
    pub fn read<K: DeserializeOwned>(&self) -> Result<K> {
        let value = json!({ &self.kind: self.merged });
        serde_path_to_error::deserialize(value).map_err(|error| {
            let field = error.path().iter().fold(String::new(), |field, segment| match segment {
                Segment::Map { key } => step(&field, key),
                Segment::Seq { index } => step(&field, &index.to_string()),
                Segment::Enum { .. } | Segment::Unknown => field,
            });
            self.fault(&field, said_of_names(&error.inner().to_string()))
        })
    }
}

/// Changes a value by what another says: a JSON merge patch (RFC 7396).
fn lay_over(below: &mut Value, above: &Value) {
    let Value::Object(fields) = above else {
        *below = above.clone();
        return;
    };
    if !below.is_object() {
        *below = json!({});
    }
    for (name, value) in fields {
        match value {
            Value::Null => _ = take(below, name),
            _ => lay_over(&mut below[name], value),
        }
    }
}

/// The line and column at which a field's name ends, or an item begins, in a JSON text.
fn position(text: &str, pointer: &str) -> Option<(usize, usize)> {
    let (mut value, mut field) = (text, None);
    for name in pointer.split('/').skip(1) {
        let name = name.replace("~1", "/").replace("~0", "~");
        // What is read raw is a part of the text that it was read from.
        let items = serde_json::from_str::<Vec<&RawValue>>(value);
        value = match &items {
            Ok(items) => items.get(name.parse::<usize>().ok()?)?.get(),
            Err(_) => {
                let fields: BTreeMap<String, &RawValue> = serde_json::from_str(value).ok()?;
                fields.get(&name)?.get()
            }
        };
        field = Some(items.is_err());
    }
    let before = &text[..value.as_ptr() as usize - text.as_ptr() as usize];
    let before = match field? {
        true => before.trim_end().strip_suffix(':')?.trim_end(),
        false => &text[..before.len() + 1],
    };
    let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
    Some((before.matches('\n').count() + 1, column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_merged_values_replaced_and_null_takes_away() {
        let mut below = json!({
            "kind": "ismcts", "tree": { "depth": 1, "exploration": 0.5 }, "guide": { "visits": 20 }
        });
        let above = json!({
            "kind": "pimc", "tree": { "depth": null, "exploration": 0.1 }, "guide": null,
            "model": { "moves": 2, "pool": null }, "list": [1]
        });
        lay_over(&mut below, &above);
        let merged = json!({
            "kind": "pimc", "tree": { "exploration": 0.1 }, "model": { "moves": 2 }, "list": [1]
        });
        assert_eq!(below, merged);
    }

    #[test]
    fn a_field_has_a_line_and_a_column() {
        let text = "{\"a\": [1,\n  {\"b\": {}, \"c\": 2}]}";
        assert_eq!(position(text, "/a"), Some((1, 4)));
        assert_eq!(position(text, "/a/1/c"), Some((2, 15)));
        assert_eq!(position(text, "/a/0"), Some((1, 8)));
        assert_eq!(position(text, "/x"), None);
    }
}
