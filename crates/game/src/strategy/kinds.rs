//! The kinds of strategy of a game, as its enum declares them: names, fields and ranges.
//!
//! All of it is read off the enum's JSON Schema. So a field's range, `#[schemars(range(…))]`, stands
//! once, beside the field: the check, the schema that editors use and the messages follow from it.
//! (garde would say the range in an attribute of its own and neither the value nor both bounds in
//! its message.)

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Value, json};

use super::Tuned;
use crate::error::{Fault, What};
use crate::files::step;

/// Makes schemas without references.
fn inline() -> SchemaGenerator {
    SchemaSettings::draft2020_12().with(|it| it.inline_subschemas = true).into_generator()
}

/// The kinds of an enum whose variants are named as `kind` names them in a file.
pub struct Kinds(pub Vec<(String, Value)>);

impl Kinds {
    /// The kinds of this enum, in its order.
    pub fn of<K: JsonSchema>() -> Kinds {
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

    /// Their names.
    pub fn names(&self) -> Vec<&str> {
        self.0.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// What a file of this kind may say.
    pub fn get(&self, kind: &str) -> Option<&Value> {
        self.0.iter().find(|(name, _)| name == kind).map(|(_, fields)| fields)
    }

    /// The schemas of a strategy file of a game: one for each kind, and one for a file that says
    /// what differs from its base.
    pub fn file_schemas(&self, game: &str) -> Vec<Value> {
        let tuned = inline().into_root_schema_for::<Tuned>().to_value();
        let common = json!({
            "about": { "type": "string", "description": "One sentence for people." },
            "game": { "const": game, "description": "The game, as a safeguard." },
            "tuned": tuned,
            "research": {
                "type": "boolean",
                "description": "Whether it is there for research: `parlour list` shows it with `--all` only."
            },
            "base": {
                "type": ["string", "null"],
                "description": "The strategy, by name or path, from which this one differs. A search without one has the playouts, guide and model of its game's usual search; `null` takes these away.",
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
            let required: Vec<Value> =
                [json!("kind")].into_iter().chain(required.cloned()).collect();
            fields["required"] = required.into();
            fields["additionalProperties"] = false.into();
            // With a base it is the other form.
            fields["properties"]["base"]["type"] = "null".into();
            fields
        };
        let mut properties = common.clone();
        properties["base"]["type"] = "string".into();
        properties["kind"] = json!({ "enum": self.names() });
        // Only the names of fields are looked at: a base has the rest, and `null` takes one away.
        for (_, fields) in &self.0 {
            for (name, field) in fields["properties"].as_object().into_iter().flatten() {
                properties[name] = json!({ "description": field["description"].as_str() });
            }
        }
        let varied = json!({
            "description": "What differs from the base; `null` takes a field away.",
            "type": "object",
            "properties": properties,
            "required": ["base"],
            "additionalProperties": false,
        });
        self.0.iter().map(kind).chain([varied]).collect()
    }
}

/// Every number that is out of its range, and every list that stands for an object's fields in
/// their order: the way to it, and what would be right.
pub fn out_of_range(schema: &Value, said: &Value) -> Vec<(String, Fault)> {
    let mut faults = Vec::new();
    look(schema, said, "", &mut faults);
    faults
}

fn look(schema: &Value, said: &Value, field: &str, faults: &mut Vec<(String, Fault)>) {
    if let (Some(low), Some(high), Some(number)) =
        (schema["minimum"].as_f64(), schema["maximum"].as_f64(), said.as_f64())
        && !(low..=high).contains(&number)
    {
        let right = format!("from {low} to {high}");
        faults.push((field.to_owned(), What::Range { value: said.to_string(), right }.into()));
    }
    if said.is_array() && schema["properties"].is_object() {
        faults.push((field.to_owned(), "an object `{…}` is expected, not a list".into()));
    }
    for option in ["anyOf", "oneOf"].iter().filter_map(|word| schema[word].as_array()).flatten() {
        look(option, said, field, faults);
    }
    for (name, value) in said.as_object().into_iter().flatten() {
        look(&schema["properties"][name], value, &step(field, name), faults);
    }
}

/// The numbers that a schema knows a range for, each with the way to it.
pub fn ranges(schema: &Value, trail: &str, all: &mut Vec<(String, f64, f64)>) {
    if let (Some(low), Some(high)) = (schema["minimum"].as_f64(), schema["maximum"].as_f64()) {
        all.push((trail.to_owned(), low, high));
    }
    for option in ["anyOf", "oneOf"].iter().filter_map(|w| schema[w].as_array()).flatten() {
        ranges(option, trail, all);
    }
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        ranges(field, &format!("{trail}/{name}"), all);
    }
}
