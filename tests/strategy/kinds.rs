//! Kinds of strategies, their fields and ranges.

use parlour::files::{Origin, SourceFile};
use parlour::games::eleusis::Eleusis;
use parlour::games::leapfrog::Leapfrog;
use parlour::games::leopard::Leopard;
use parlour::strategy::{Strategic, Strategy, file_schemas, ranges};
use serde_json::{Value, json};

#[test]
fn options_of_a_search_have_these_ranges() {
    let all = ranges::<Leopard>("ismcts");
    let lines: Vec<String> =
        all.iter().map(|(field, (low, high))| format!("{field} {low} {high}")).collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    budget.iterations 1 100000000
    budget.milliseconds 1 100000000
    budget.prune_after_se 0.1 100
    endgame.positions 1 100000000
    guide.keep 1 1000
    guide.reward 0.000001 1000000
    guide.visits 0.000001 1000000
    model.error 0.000001 1
    model.moves 1 100
    model.worlds 1 100000
    playouts.cut_off.moves 0 1000000
    playouts.epsilon 0 1
    playouts.first.moves 1 1000
    reward.scale 0.000001 1000000
    reward.win 0 1
    tree.depth 1 1000
    tree.expansion.urgency -1000 1000
    tree.expansion.widening.base 0.000001 1000000
    tree.expansion.widening.power 0 1
    tree.exploration 0 100
    tree.memory_mb 1 4096
    ");
}

/// Returns the kinds of a game with the schemas of their fields.
fn kinds<G: Strategic>() -> Vec<(String, Value)> {
    let kind =
        |schema: Value| Some((schema["properties"]["kind"]["const"].as_str()?.to_owned(), schema));
    file_schemas::<G>().into_iter().filter_map(kind).collect()
}

/// Adds the fields whose numbers have no range.
fn unlimited(schema: &Value, trail: &str, all: &mut Vec<String>) {
    let types = [&schema["type"], &schema["type"][0]];
    let is_number = types.iter().any(|kind| **kind == "number" || **kind == "integer");
    let bound = |word: &str| schema[word].is_number();
    if is_number && !(bound("minimum") && bound("maximum")) {
        all.push(trail.to_owned());
    }
    for option in ["anyOf", "oneOf"].iter().filter_map(|w| schema[w].as_array()).flatten() {
        unlimited(option, trail, all);
    }
    let fields = schema["properties"].as_object().into_iter().flatten();
    for (name, field) in fields.filter(|(name, _)| *name != "tuned") {
        unlimited(field, &format!("{trail}/{name}"), all);
    }
}

#[test]
fn every_number_of_a_strategy_has_a_range() {
    fn check<G: Strategic>() {
        for (kind, schema) in kinds::<G>() {
            let mut all = Vec::new();
            unlimited(&schema, &kind, &mut all);
            // Weights check their own numbers.
            all.retain(|at| !at.contains("/weights/"));
            assert_eq!(all, [] as [String; 0]);
        }
    }
    check::<Leopard>();
    check::<Leapfrog>();
    check::<Eleusis>();
}

#[test]
fn schema_and_loader_agree() {
    const COMMON: [&str; 6] = ["about", "base", "game", "kind", "research", "tuned"];
    fn refused<G: Strategic>(file: &Value) -> String {
        let found = SourceFile::new("x", Origin::Embedded, file.to_string());
        Strategy::<G>::read(&found).err().map_or(String::new(), |error| error.to_string())
    }
    fn check<G: Strategic>() {
        for (kind, schema) in kinds::<G>() {
            let unknown = refused::<G>(&json!({ "kind": kind, "nonesuch": 1 }));
            assert!(unknown.contains("unknown field `nonesuch`"), "{unknown}");
            let fields = schema["properties"].as_object().into_iter().flatten();
            for (name, _) in fields.filter(|(name, _)| !COMMON.contains(&name.as_str())) {
                let refused = refused::<G>(&json!({ "kind": kind, name: [[]] }));
                let is_known = !refused.is_empty() && !refused.contains("unknown field");
                assert!(is_known, "{kind}: {refused}");
            }
            for (at, (low, high)) in ranges::<G>(&kind) {
                for (number, is_wrong) in [(low, false), (high, false), (high + 1.0, true)] {
                    let names = at.split('.').rev();
                    let mut file = names.fold(json!(number), |value, name| json!({ name: value }));
                    file["kind"] = json!(kind);
                    // Other fields may be missing, whole numbers are written as decimals, and a base
                    // may use another form of the field.
                    let refused = refused::<G>(&file);
                    let is_other = ["missing", "type", "expected a valid value"]
                        .iter()
                        .any(|word| refused.contains(word));
                    let is_range = refused.contains("it must be from");
                    assert!(is_other || is_range == is_wrong, "{file}: {refused}");
                }
            }
        }
    }
    check::<Leopard>();
    check::<Leapfrog>();
    check::<Eleusis>();
}
