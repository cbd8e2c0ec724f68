//! A strategy stacked on its bases: the merged fields, and which layer each comes from.
//!
//! Each layer is the JSON of one file, or of an entry of an experiment. Objects are merged field by
//! field, other values are replaced, and `null` removes a field. A fault in the merged fields is
//! traced to the uppermost layer that has the field, and to its line and column there. Fields are
//! named by JSON pointers (RFC 6901).

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::tuned::Tuned;
use crate::sweep::{Combination, set_fields};
use parlour_base::error::{Error, Fault, Faults, Problem, Result};
use parlour_base::files::{child_pointer, field_path, position, pretty, read_value};

/// The fields of one file, or of one entry of an experiment.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    /// The file as a message names it, or the strategy of the entry.
    pub place: String,
    /// The whole text of the file; none if a program built the entry.
    pub text: Option<String>,
    /// The pointer to the fields in that text.
    pub pointer: String,
    /// The fields: an object.
    pub fields: Value,
    /// `true` if some fields are values of a sweep, and not in the text under their own names.
    pub is_swept: bool,
    /// `true` if it is the user's own file, found by the name of an embedded one.
    pub replaces_embedded: bool,
}

impl Layer {
    /// Creates an error for bad input in a field, with its place in the text.
    pub fn fault(&self, field: &str, problem: impl Into<Fault>) -> Error {
        let pointer = format!("{}{field}", self.pointer);
        let mut error = Error::input(problem);
        let path = field_path(&pointer);
        if !path.is_empty() {
            error = error.in_field(&path);
        }
        error = error.in_file(&self.place);
        let sweep = format!("{}/sweep", self.pointer);
        let place = self.text.as_ref().and_then(|text| {
            position(text, &pointer).or_else(|| position(text, &sweep).filter(|_| self.is_swept))
        });
        match place {
            Some((line, column)) => error.at(line, column),
            None => error,
        }
    }

    /// Sets the fields of a combination of a sweep.
    pub fn with(mut self, combination: &Combination<'_>) -> Layer {
        set_fields(&mut self.fields, combination);
        self.is_swept = true;
        self
    }

    /// Removes a field and reads it. `null` counts as absent.
    ///
    /// # Errors
    /// If the field has another type.
    pub fn take<T: DeserializeOwned>(&mut self, name: &str) -> Result<Option<T>> {
        let Some(value) = take(&mut self.fields, name) else { return Ok(None) };
        read_value(&value)
            .map_err(|(pointer, problem)| self.fault(&format!("/{name}{pointer}"), problem))
    }
}

fn take(object: &mut Value, name: &str) -> Option<Value> {
    object.as_object_mut()?.shift_remove(name)
}

/// Removes a field from all layers, and returns that of the uppermost.
fn take_top<T: DeserializeOwned>(layers: &mut [Layer], name: &str) -> Result<Option<T>> {
    let all = layers.iter_mut().map(|layer| layer.take(name)).collect::<Result<Vec<_>>>()?;
    Ok(all.into_iter().next().flatten())
}

/// A strategy's own layer and those of its bases, from the uppermost down.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    pub layers: Vec<Layer>,
    /// One sentence for people.
    pub about: String,
    /// The record of the strategy's own tuning, if it has one.
    pub tuned: Option<Tuned>,
    /// `true` if the strategy itself is for research.
    pub research: bool,
    /// The kind of strategy, which decides the other fields.
    pub kind: String,
    /// The merged fields of all layers without the kind: an object.
    pub merged: Value,
}

impl Layers {
    /// Merges layers; the uppermost is the first, and there is at least one.
    ///
    /// # Errors
    /// If a field that all kinds share has the wrong type, or if no layer has a `kind`.
    pub fn new(mut layers: Vec<Layer>) -> Result<Layers> {
        let about = take_top(&mut layers, "about")?.unwrap_or_default();
        let tuned = take_top(&mut layers, "tuned")?;
        let research = take_top(&mut layers, "research")?.unwrap_or(false);
        let mut merged = json!({});
        layers.iter().rev().for_each(|layer| merge(&mut merged, &layer.fields));
        let kind = take(&mut merged, "kind");
        let mut layers = Layers { layers, about, tuned, research, kind: String::new(), merged };
        let kind = kind.ok_or_else(|| layers.fault("", "missing field `kind`"))?;
        layers.kind = read_value(&kind).map_err(|(_, problem)| layers.fault("/kind", problem))?;
        Ok(layers)
    }

    /// Returns the text of an equivalent file without a base; the strategy's own text if it has
    /// none.
    pub fn text(&self) -> String {
        if let [Layer { text: Some(text), pointer, .. }] = &self.layers[..]
            && pointer.is_empty()
        {
            return text.clone();
        }
        let mut file = json!({ "about": self.about, "base": null, "kind": self.kind });
        for (name, value) in self.merged.as_object().into_iter().flatten() {
            file[name] = value.clone();
        }
        pretty(&file) + "\n"
    }

    /// Creates an error for bad input in a field, placed in the layer that has the field.
    pub fn fault(&self, field: &str, problem: impl Into<Fault>) -> Error {
        self.faults(vec![(field.to_owned(), problem.into())])
    }

    /// Creates an error for several faults, ordered by layer and line.
    pub fn faults(&self, faults: Vec<(String, Fault)>) -> Error {
        let has = |layer: &Layer, field: &str| layer.fields.pointer(field).is_some();
        let mut placed: Vec<(usize, Error)> = Vec::new();
        for (field, problem) in faults {
            let at = self.layers.iter().position(|layer| has(layer, &field)).unwrap_or(0);
            placed.push((at, self.layers[at].fault(&field, problem)));
        }
        placed.sort_by_key(|(at, error)| {
            (*at, error.faults().first().map(|fault| (fault.place.line, fault.place.column)))
        });
        let mut all = Faults::default();
        for (at, error) in placed {
            let own = &self.layers[0].place;
            let note = format!(" (this is a base of {own}; `null` there removes a field)");
            all.add(if at == 0 { error } else { error.with_note(&note) });
        }
        all.into()
    }

    /// Reads the merged fields as one of an enum's kinds, which deny unknown fields.
    ///
    /// # Errors
    /// The pointer to the first problem, and the problem.
    pub fn read<K: DeserializeOwned>(&self) -> std::result::Result<K, (String, Problem)> {
        let kind = child_pointer("", &self.kind);
        read_value(&json!({ &self.kind: self.merged })).map_err(|(pointer, problem)| {
            (pointer.strip_prefix(&kind).unwrap_or_default().to_owned(), problem)
        })
    }
}

/// Applies a JSON merge patch (RFC 7396).
fn merge(below: &mut Value, above: &Value) {
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
            _ => merge(&mut below[name], value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merging_replaces_values_and_null_removes_them() {
        let mut below = json!({
            "kind": "ismcts", "tree": { "depth": 1, "exploration": 0.5 }, "guide": { "visits": 20 }
        });
        let above = json!({
            "kind": "pimc", "tree": { "depth": null, "exploration": 0.1 }, "guide": null,
            "model": { "moves": 2, "pool": null }, "list": [1]
        });
        merge(&mut below, &above);
        let merged = json!({
            "kind": "pimc", "tree": { "exploration": 0.1 }, "model": { "moves": 2 }, "list": [1]
        });
        assert_eq!(below, merged);
    }
}
