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
pub(super) struct Kinds(Vec<(String, Value)>);

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
pub(super) fn out_of_range(schema: &Value, said: &Value) -> Vec<(String, Fault)> {
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
pub(super) fn ranges(schema: &Value, trail: &str, all: &mut Vec<(String, f64, f64)>) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{Found, Origin};
    use crate::games::eleusis::Eleusis;
    use crate::games::leapfrog::Leapfrog;
    use crate::games::leopard::Leopard;
    use crate::strategy::{Strategic, Strategy};

    /// The fields whose numbers have no range.
    fn unlimited(schema: &Value, trail: &str, all: &mut Vec<String>) {
        let kinds = [&schema["type"], &schema["type"][0]];
        let is_number = kinds.iter().any(|kind| **kind == "number" || **kind == "integer");
        let bound = |word: &str| schema[word].is_number();
        if is_number && !(bound("minimum") && bound("maximum")) {
            all.push(trail.to_owned());
        }
        for option in ["anyOf", "oneOf"].iter().filter_map(|w| schema[w].as_array()).flatten() {
            unlimited(option, trail, all);
        }
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            unlimited(field, &format!("{trail}/{name}"), all);
        }
    }

    #[test]
    fn a_search_has_these_options_and_ranges() {
        let kinds = Kinds::of::<<Leopard as Strategic>::Kind>();
        let mut all = Vec::new();
        ranges(kinds.get("ismcts").unwrap(), "", &mut all);
        let lines: Vec<String> = all.iter().map(|(at, a, b)| format!("{at} {a} {b}")).collect();
        insta::assert_snapshot!(lines.join("\n"), @r"
        /budget/iterations 1 100000000
        /budget/milliseconds 1 100000000
        /budget/ahead 0.1 100
        /playouts/first/moves 1 1000
        /playouts/epsilon 0 1
        /playouts/cut_off/moves 0 1000000
        /reward/win 0 1
        /reward/scale 0.000001 1000000
        /ending/positions 1 100000000
        /tree/exploration 0 100
        /tree/opening/urgency -1000 1000
        /tree/opening/widening/base 0.000001 1000000
        /tree/opening/widening/power 0 1
        /tree/depth 1 1000
        /tree/memory_mb 1 4096
        /guide/visits 0.000001 1000000
        /guide/reward 0.000001 1000000
        /guide/keep 1 1000
        /model/error 0.000001 1
        /model/moves 1 100
        /model/worlds 1 100000
        ");
    }

    #[test]
    fn every_number_of_a_strategy_has_a_range() {
        fn check<G: Strategic>() {
            let kinds = Kinds::of::<G::Kind>();
            for (kind, schema) in &kinds.0 {
                let mut all = Vec::new();
                unlimited(schema, kind, &mut all);
                // Weights and networks check their own numbers.
                all.retain(|at| !at.contains("/weights/") && !at.starts_with("learnt/"));
                assert_eq!(all, [] as [String; 0]);
            }
        }
        check::<Leopard>();
        check::<Leapfrog>();
        check::<Eleusis>();
    }

    /// The kinds, the fields and their ranges are those that the loader knows.
    #[test]
    fn the_schema_agrees_with_the_loader() {
        fn refused<G: Strategic>(file: &Value) -> String {
            let found = Found::new("x", Origin::Embedded, file.to_string());
            Strategy::<G>::read(&found).err().map_or(String::new(), |error| error.to_string())
        }
        fn check<G: Strategic>() {
            let kinds = Kinds::of::<G::Kind>();
            for (kind, schema) in &kinds.0 {
                let unknown = refused::<G>(&json!({ "kind": kind, "nonesuch": 1 }));
                assert!(unknown.contains("unknown field `nonesuch`"), "{unknown}");
                for (name, _) in schema["properties"].as_object().into_iter().flatten() {
                    let said = refused::<G>(&json!({ "kind": kind, name: [[]] }));
                    assert!(!said.is_empty() && !said.contains("unknown field"), "{kind}: {said}");
                }
                let mut all = Vec::new();
                ranges(schema, "", &mut all);
                for (at, low, high) in all {
                    for (number, is_wrong) in [(low, false), (high, false), (high + 1.0, true)] {
                        let steps = at.split('/').skip(1).collect::<Vec<_>>().into_iter().rev();
                        let file = steps.fold(json!(number), |value, name| json!({ name: value }));
                        let faults = out_of_range(schema, &file);
                        assert_eq!(faults.len(), usize::from(is_wrong), "{kind} {file}");
                    }
                }
            }
        }
        check::<Leopard>();
        check::<Leapfrog>();
        check::<Eleusis>();
    }
}
