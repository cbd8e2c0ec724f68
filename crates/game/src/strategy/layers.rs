//! A strategy laid over its bases: what they say together, and who said what.
//!
//! Each layer is the JSON of one file, or of an entry of an experiment. A layer changes the one
//! below it: objects are merged field by field, any other value replaces what was there, and
//! `null` takes it away. The typed reading sees the merged object only; a fault in it is traced to
//! the uppermost layer that says the field, and to its line and column there. The way to a field is
//! a JSON pointer (RFC 6901).

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::Tuned;
use crate::error::{Error, Fault, Faults, Result};
use crate::files::{field_of, position, read_value, step};
use crate::sweep::Combination;

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
    /// Whether some of them are values of a sweep, and do not stand in the text by themselves.
    pub swept: bool,
}

impl Layer {
    /// Bad input: what is wrong with a field of it, and where that stands in the text.
    pub fn fault(&self, field: &str, what: impl Into<Fault>) -> Error {
        let pointer = format!("{}{field}", self.within);
        let mut fault = what.into();
        let named = field_of(&pointer);
        if !named.is_empty() {
            fault = fault.in_field(&named);
        }
        fault = fault.in_file(&self.place);
        let sweep = format!("{}/sweep", self.within);
        let place = self.text.as_ref().and_then(|text| {
            position(text, &pointer).or_else(|| position(text, &sweep).filter(|_| self.swept))
        });
        if let Some((line, column)) = place {
            (fault.place.line, fault.place.column) = (Some(line), Some(column));
        }
        Error::input(fault)
    }

    /// The same with the values of a sweep.
    pub fn with(mut self, combination: &Combination<'_>) -> Layer {
        for (field, value) in combination {
            let groups = field.split('.').fold(&mut self.said, |group, name| {
                if !group.is_object() {
                    *group = json!({});
                }
                &mut group[name]
            });
            *groups = (*value).clone();
        }
        self.swept = true;
        self
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

impl Layer {
    /// Takes out of it whether it is there for research.
    fn take_research(&mut self) -> Result<bool> {
        match take(&mut self.said, "research") {
            None => Ok(false),
            Some(Value::Bool(research)) => Ok(research),
            Some(other) => Err(self.fault("/research", format!("it is {other}; true or false"))),
        }
    }

    /// Takes what it was tuned for out of it.
    fn take_tuned(&mut self) -> Result<Option<Tuned>> {
        let Some(said) = take(&mut self.said, "tuned") else { return Ok(None) };
        read_value(&said).map_err(|(way, what)| self.fault(&format!("/tuned{way}"), what))
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
    /// What its numbers were tuned for, where the strategy itself says so.
    pub tuned: Option<Tuned>,
    /// Whether the strategy itself is there for research.
    pub research: bool,
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
        let tuned = layers.iter_mut().map(Layer::take_tuned);
        let tuned = tuned.collect::<Result<Vec<_>>>()?.swap_remove(0);
        let research = layers.iter_mut().map(Layer::take_research);
        let research = research.collect::<Result<Vec<_>>>()?.swap_remove(0);
        let mut merged = json!({});
        layers.iter().rev().for_each(|layer| lay_over(&mut merged, &layer.said));
        let mut layers = Layers { layers, about, tuned, research, kind: String::new(), merged };
        match take(&mut layers.merged, "kind") {
            Some(Value::String(kind)) => layers.kind = kind,
            Some(other) => return Err(layers.fault("/kind", no_text(&other))),
            None => return Err(layers.fault("", "missing field `kind`")),
        }
        Ok(layers)
    }

    /// A file that says the same without any base; the strategy's own text where it has none.
    pub fn text(&self) -> String {
        if let [Layer { text: Some(text), within, .. }] = &self.layers[..]
            && within.is_empty()
        {
            return text.clone();
        }
        let mut file = json!({ "about": self.about, "base": null, "kind": self.kind });
        for (name, value) in self.merged.as_object().into_iter().flatten() {
            file[name] = value.clone();
        }
        crate::files::pretty(&file) + "\n"
    }

    /// Whether its own fields are values of a sweep.
    pub fn swept(&self) -> bool {
        self.layers.first().is_some_and(|own| own.swept)
    }

    /// Bad input: what is wrong with a field, in the layer that says it.
    pub fn fault(&self, field: &str, what: impl Into<Fault>) -> Error {
        self.faults(vec![(field.to_owned(), what.into())])
    }

    /// Bad input: all that is wrong, each with its field, in the layers that say it, line by line.
    pub fn faults(&self, faults: Vec<(String, Fault)>) -> Error {
        let says = |field: &str| self.layers.iter().position(|l| l.said.pointer(field).is_some());
        let mut placed: Vec<(usize, Error)> = Vec::new();
        for (field, what) in faults {
            let at = says(&field).unwrap_or(0);
            placed.push((at, self.layers[at].fault(&field, what)));
        }
        placed.sort_by_key(|(at, error)| {
            (*at, error.faults().first().map(|fault| (fault.place.line, fault.place.column)))
        });
        let mut all = Faults::default();
        for (at, error) in placed {
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
        let kind = step("", &self.kind);
        read_value(&json!({ &self.kind: self.merged }))
            .map_err(|(way, what)| self.fault(way.strip_prefix(&kind).unwrap_or_default(), what))
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
}
