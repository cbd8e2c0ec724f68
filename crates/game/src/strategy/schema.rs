//! The kinds of strategy of a game: names, fields and ranges, read from the JSON Schema of its enum.
//!
//! A field's range stands once, beside the field, as `#[schemars(range(…))]`. The check, the schema
//! for editors and the messages follow from it. (garde would need a second attribute, and its
//! message has neither the value nor both bounds.)

use std::any::TypeId;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};

use super::strategic::Strategic;
use super::tuned::Tuned;
use parlour_base::error::{Fault, Problem};
use parlour_base::files::{child_pointer, field_path};

/// Creates a generator of schemas without references.
fn inline() -> SchemaGenerator {
    SchemaSettings::draft2020_12().with(|it| it.inline_subschemas = true).into_generator()
}

/// The kinds of strategy of a game: the variants of its enum, named as `kind` names them in a file.
pub(super) struct Kinds(Vec<(String, Value)>);

impl Kinds {
    /// Returns the kinds of a game, in the order of its enum. They are generated once.
    pub fn of<G: Strategic>() -> &'static Kinds {
        static KINDS: Mutex<BTreeMap<TypeId, &'static Kinds>> = Mutex::new(BTreeMap::new());
        let mut kinds = KINDS.lock().unwrap_or_else(PoisonError::into_inner);
        let generate = || &*Box::leak(Box::new(Kinds::generate::<G::Kind>()));
        kinds.entry(TypeId::of::<G::Kind>()).or_insert_with(generate)
    }

    fn generate<K: JsonSchema>() -> Kinds {
        let mut schema = inline().into_root_schema_for::<K>().to_value();
        let Value::Array(variants) = schema["oneOf"].take() else { return Kinds(Vec::new()) };
        let kinds = variants.into_iter().filter_map(|mut variant| {
            let about = variant["description"].take();
            let (name, mut fields) = match variant["properties"].take() {
                Value::Object(only) => only.into_iter().next()?,
                _ => return None,
            };
            if !about.is_null() {
                fields["description"] = about;
            }
            Some((name, fields))
        });
        Kinds(kinds.collect())
    }

    /// Returns the names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// Returns the schema of the fields of a kind.
    pub fn get(&self, kind: &str) -> Option<&Value> {
        self.0.iter().find(|(name, _)| name == kind).map(|(_, fields)| fields)
    }

    /// Returns `true` if a kind has a field.
    pub fn has_field(&self, kind: &str, field: &str) -> bool {
        self.get(kind).is_some_and(|schema| !schema["properties"][field].is_null())
    }

    /// Returns where a field of this name stands in a group of the kind: `budget.iterations`.
    pub fn nested_field(&self, kind: &str, name: &str) -> Option<String> {
        let mut found = None;
        walk(self.get(kind)?, "", &mut |pointer, _| {
            if pointer.ends_with(&format!("/{name}")) {
                found.get_or_insert(field_path(pointer));
            }
        });
        found
    }
}

/// Returns the JSON Schemas of a game's strategy files: one for each kind, and one for a file with a
/// base.
pub fn file_schemas<G: Strategic>() -> Vec<Value> {
    let kinds = Kinds::of::<G>();
    let tuned = inline().into_root_schema_for::<Tuned>().to_value();
    let common = json!({
        "about": { "type": "string", "description": "One sentence for people." },
        "game": { "const": G::NAME, "description": "The game, as a safeguard." },
        "tuned": tuned,
        "research": {
            "type": "boolean",
            "description": "`true` for a research strategy, which `parlour list` shows only with `--all`."
        },
        "base": {
            "type": ["string", "null"],
            "description": "The name or path of the strategy that this one changes. A search without a base takes playouts, guide and model from the game's default search; `null` prevents that.",
        },
    });
    let kind = |(name, fields): &(String, Value)| {
        let mut fields = fields.clone();
        let mut properties = common.clone();
        properties["kind"] = json!({ "const": name });
        for (name, own) in fields["properties"].as_object().into_iter().flatten() {
            properties[name] = own.clone();
        }
        fields["properties"] = properties;
        let required = fields["required"].as_array().into_iter().flatten();
        let required: Vec<Value> = [json!("kind")].into_iter().chain(required.cloned()).collect();
        fields["required"] = required.into();
        fields["additionalProperties"] = false.into();
        // A file with a base has the other form.
        fields["properties"]["base"]["type"] = "null".into();
        fields
    };
    let mut properties = common.clone();
    properties["base"]["type"] = "string".into();
    properties["kind"] = json!({ "enum": kinds.names().collect::<Vec<_>>() });
    // Only the names of fields are known: the base has the rest, and `null` removes a field.
    for (_, fields) in &kinds.0 {
        for (name, field) in fields["properties"].as_object().into_iter().flatten() {
            properties[name] = json!({ "description": field["description"].as_str() });
        }
    }
    let with_base = json!({
        "description": "The changes to the base; `null` removes a field.",
        "type": "object",
        "properties": properties,
        "required": ["base"],
        "additionalProperties": false,
    });
    kinds.0.iter().map(kind).chain([with_base]).collect()
}

/// Visits the schemas of all fields, the outer ones first, each with its JSON pointer.
fn walk<'a>(schema: &'a Value, pointer: &str, visit: &mut dyn FnMut(&str, &'a Value)) {
    visit(pointer, schema);
    for option in ["anyOf", "oneOf"].iter().filter_map(|word| schema[word].as_array()).flatten() {
        walk(option, pointer, visit);
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        walk(field, &child_pointer(pointer, name), visit);
    }
}

fn range(schema: &Value) -> Option<(f64, f64)> {
    schema["minimum"].as_f64().zip(schema["maximum"].as_f64())
}

/// Returns the faults of all numbers outside their range, and of all lists in place of an object,
/// each with its JSON pointer.
pub(super) fn out_of_range(schema: &Value, fields: &Value) -> Vec<(String, Fault)> {
    let mut faults = Vec::new();
    walk(schema, "", &mut |pointer, schema| {
        let Some(value) = fields.pointer(pointer) else { return };
        let mut push = |problem| faults.push((pointer.to_owned(), Fault::from(problem)));
        if let Some((low, high)) = range(schema)
            && value.as_f64().is_some_and(|number| !(low..=high).contains(&number))
        {
            let allowed = format!("from {low} to {high}");
            push(Problem::OutOfRange { value: value.to_string(), allowed });
        }
        if value.is_array() && schema["properties"].is_object() {
            push("an object `{…}` is expected, not a list".into());
        }
    });
    faults
}

/// Returns the ranges of the numbers of a kind by field: `tree.exploration`.
pub fn ranges<G: Strategic>(kind: &str) -> BTreeMap<String, (f64, f64)> {
    let mut ranges = BTreeMap::new();
    if let Some(schema) = Kinds::of::<G>().get(kind) {
        walk(schema, "", &mut |pointer, schema| {
            ranges.extend(range(schema).map(|range| (field_path(pointer), range)));
        });
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_outside_their_range_are_found() {
        let number = json!({ "type": "number", "minimum": 1, "maximum": 9 });
        let group = json!({ "properties": { "x": { "anyOf": [number, { "type": "null" }] } } });
        let schema = json!({ "properties": { "group": group } });
        let faults = |fields: Value| {
            let faults = out_of_range(&schema, &fields).into_iter();
            faults.map(|(pointer, fault)| format!("{pointer}: {fault}")).collect::<Vec<_>>()
        };
        assert!(faults(json!({ "group": { "x": 9.0, "y": 10 } })).is_empty());
        assert_eq!(
            faults(json!({ "group": { "x": 10 } })),
            ["/group/x: it is 10; it must be from 1 to 9"]
        );
        assert_eq!(
            faults(json!({ "group": [10] })),
            ["/group: an object `{…}` is expected, not a list"]
        );
    }
}
