//! The kinds of strategies, their fields and ranges.

use parlour::files::{Found, Origin};
use parlour::games::eleusis::Eleusis;
use parlour::games::leapfrog::Leapfrog;
use parlour::games::leopard::Leopard;
use parlour::strategy::kinds::{Kinds, out_of_range, ranges};
use parlour::strategy::{Strategic, Strategy};
use serde_json::{Value, json};

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
