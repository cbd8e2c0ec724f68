//! A strategy laid over its bases: what they say together, and who said what.
//!
//! Each layer is the JSON of one file, or of an entry of an experiment. A layer changes the one
//! below it: objects are merged field by field, any other value replaces what was there, and
//! `null` takes it away. The typed reading sees the merged object only; a fault in it is traced to
//! the uppermost layer that says the field, and to its line and column there.

use std::fmt;

use serde::de::{DeserializeOwned, DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value, json};
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
    pub within: Vec<Step>,
    /// Its fields.
    pub said: Map<String, Value>,
}

/// A step to a field within a text.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Step {
    Field(String),
    Item(usize),
}

impl Step {
    pub fn field(name: &str) -> Step {
        Step::Field(name.to_owned())
    }
}

impl Layer {
    /// What it says in a field.
    fn says(&self, trail: &[Step]) -> Option<&Value> {
        let (Step::Field(first), rest) = trail.split_first()? else { return None };
        rest.iter().try_fold(self.said.get(first)?, |value, step| match step {
            Step::Field(name) => value.get(name),
            Step::Item(index) => value.get(index),
        })
    }

    /// Bad input: what is wrong with a field of it.
    pub fn fault(&self, trail: &[Step], what: impl Into<Fault>) -> Error {
        Error::input(self.located(trail, what))
    }

    /// What is wrong with a field of it, and where that stands in the text.
    fn located(&self, trail: &[Step], what: impl Into<Fault>) -> Fault {
        let trail: Vec<Step> = self.within.iter().chain(trail).cloned().collect();
        let mut field = String::new();
        for step in &trail {
            match step {
                Step::Field(name) if field.is_empty() => field += name,
                Step::Field(name) => field += &format!(".{name}"),
                Step::Item(index) => field += &format!("[{index}]"),
            }
        }
        let mut fault = what.into();
        if !field.is_empty() {
            fault = fault.in_field(&field);
        }
        fault = fault.in_file(&self.place);
        if let Some((line, column)) = self.text.as_ref().and_then(|text| position(text, &trail)) {
            (fault.place.line, fault.place.column) = (Some(line), Some(column));
        }
        fault
    }

    /// Takes a field that holds a text out of it.
    ///
    /// # Errors
    /// Bad input when it holds anything else.
    pub fn take_text(&mut self, field: &str) -> Result<Option<String>> {
        match self.said.get(field) {
            None | Some(Value::Null) => {
                self.said.shift_remove(field);
                Ok(None)
            }
            Some(Value::String(text)) => {
                let text = text.clone();
                self.said.shift_remove(field);
                Ok(Some(text))
            }
            Some(other) => {
                let what = format!("invalid type: {}, expected a string", shown(other));
                Err(self.fault(&[Step::field(field)], what))
            }
        }
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Object(_) => "an object".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        other => format!("`{other}`"),
    }
}

/// A strategy's own layer and those of its bases, each over the next.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    layers: Vec<Layer>,
    about: String,
    kind: String,
    merged: Map<String, Value>,
}

impl Layers {
    /// Lays them over one another; the uppermost is the first, and there is one at least.
    ///
    /// # Errors
    /// Bad input when nobody says the kind.
    pub fn new(mut layers: Vec<Layer>) -> Result<Layers> {
        let mut about = String::new();
        for (index, layer) in layers.iter_mut().enumerate() {
            let said = layer.take_text("about")?;
            if index == 0 {
                about = said.unwrap_or_default();
            }
        }
        let mut merged = Map::new();
        for layer in layers.iter().rev() {
            lay_over(&mut merged, &layer.said);
        }
        let mut layers = Layers { layers, about, kind: String::new(), merged };
        match layers.merged.shift_remove("kind") {
            Some(Value::String(kind)) => layers.kind = kind,
            Some(other) => {
                let what = format!("invalid type: {}, expected a string", shown(&other));
                return Err(layers.fault(&[Step::field("kind")], what));
            }
            None => return Err(layers.fault(&[], "missing field `kind`")),
        }
        Ok(layers)
    }

    /// The strategy's own place.
    pub fn place(&self) -> &str {
        &self.layers[0].place
    }

    /// One sentence for people.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// The kind of strategy, which decides what other fields there are.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// What all layers say together, the kind apart.
    pub fn merged(&self) -> &Map<String, Value> {
        &self.merged
    }

    /// Whether it has no base.
    pub fn is_single(&self) -> bool {
        self.layers.len() == 1
    }

    /// A file that says the same without a base.
    pub fn text(&self) -> String {
        let mut file = Map::new();
        file.insert("about".to_owned(), self.about.clone().into());
        file.insert("kind".to_owned(), self.kind.clone().into());
        file.extend(self.merged.clone());
        serde_json::to_string_pretty(&file).expect("plain data") + "\n"
    }

    /// Bad input: what is wrong with a field, in the layer that says it.
    pub fn fault(&self, trail: &[Step], what: impl Into<Fault>) -> Error {
        self.faults(vec![(trail.to_vec(), what.into())])
    }

    /// Bad input: all that is wrong, each with its field, in the layers that say it.
    pub fn faults(&self, faults: Vec<(Vec<Step>, Fault)>) -> Error {
        let mut all = Faults::default();
        for (trail, what) in faults {
            let says = |layer: &Layer| layer.says(&trail).is_some();
            let at = self.layers.iter().position(says).unwrap_or(0);
            let error = self.layers[at].fault(&trail, what);
            let note =
                format!(" (this is a base of {}; `null` there takes a field away)", self.place());
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
            let steps = error.path().iter().filter_map(|segment| match segment {
                Segment::Map { key } => Some(Step::field(key)),
                Segment::Seq { index } => Some(Step::Item(*index)),
                Segment::Enum { .. } | Segment::Unknown => None,
            });
            self.fault(&steps.collect::<Vec<_>>(), said_of_names(&error.inner().to_string()))
        })
    }
}

/// Changes an object by what another says.
fn lay_over(below: &mut Map<String, Value>, above: &Map<String, Value>) {
    for (name, value) in above {
        match (below.get_mut(name), value) {
            (_, Value::Null) => _ = below.shift_remove(name),
            (Some(Value::Object(below)), Value::Object(above)) => lay_over(below, above),
            (_, Value::Object(above)) => {
                // The nulls within take nothing away, but they are no values either.
                let mut fresh = Map::new();
                lay_over(&mut fresh, above);
                below.insert(name.clone(), Value::Object(fresh));
            }
            _ => _ = below.insert(name.clone(), value.clone()),
        }
    }
}

/// The line and column of a field's name, or of an item, in a JSON text.
fn position(text: &str, trail: &[Step]) -> Option<(usize, usize)> {
    let mut json = serde_json::Deserializer::from_str(text);
    // The position is that of an error which is made at the right place.
    let found = Seek(trail).deserialize(&mut json).err()?;
    Some((found.line(), found.column()))
}

/// Goes along a trail and fails at its end.
struct Seek<'a>(&'a [Step]);

impl<'de> DeserializeSeed<'de> for Seek<'_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(
        self,
        json: D,
    ) -> std::result::Result<(), D::Error> {
        match self.0 {
            [] => json.deserialize_any(Here),
            _ => json.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for Seek<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the next step")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        let [Step::Field(name), rest @ ..] = self.0 else { return Ok(()) };
        while let Some(is_it) = map.next_key_seed(Key { name, is_last: rest.is_empty() })? {
            if is_it {
                return map.next_value_seed(Seek(rest));
            }
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> std::result::Result<(), A::Error> {
        let [Step::Item(index), rest @ ..] = self.0 else { return Ok(()) };
        for _ in 0..*index {
            items.next_element::<IgnoredAny>()?;
        }
        items.next_element_seed(Seek(rest)).map(|_| ())
    }
}

/// Says whether a key is this one; fails at it when it is the last step.
struct Key<'a> {
    name: &'a str,
    is_last: bool,
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = bool;

    fn deserialize<D: serde::Deserializer<'de>>(
        self,
        key: D,
    ) -> std::result::Result<bool, D::Error> {
        key.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("another key")
    }

    fn visit_str<E: serde::de::Error>(self, key: &str) -> std::result::Result<bool, E> {
        match key == self.name {
            true if self.is_last => Err(E::custom("here")),
            is_it => Ok(is_it),
        }
    }
}

/// Fails at any value.
struct Here;

impl Visitor<'_> for Here {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nothing")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn groups_are_merged_values_replaced_and_null_takes_away() {
        let mut below = object(json!({
            "kind": "ismcts", "tree": { "depth": 1, "exploration": 0.5 }, "guide": { "visits": 20 }
        }));
        let above = object(json!({
            "kind": "pimc", "tree": { "depth": null, "exploration": 0.1 }, "guide": null,
            "model": { "moves": 2, "pool": null }, "list": [1]
        }));
        lay_over(&mut below, &above);
        let merged = json!({
            "kind": "pimc", "tree": { "exploration": 0.1 }, "model": { "moves": 2 }, "list": [1]
        });
        assert_eq!(Value::Object(below), merged);
    }

    #[test]
    fn a_field_has_a_line_and_a_column() {
        let text = "{\"a\": [1,\n  {\"b\": {}, \"c\": 2}]}";
        let step = Step::field;
        assert_eq!(position(text, &[step("a")]), Some((1, 4)));
        assert_eq!(position(text, &[step("a"), Step::Item(1), step("c")]), Some((2, 15)));
        assert_eq!(position(text, &[step("a"), Step::Item(0)]), Some((1, 8)));
        assert_eq!(position(text, &[step("x")]), None);
    }
}
