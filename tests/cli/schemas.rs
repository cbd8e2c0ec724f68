//! The schemas for editors and the readers of the program agree: both are tried on the same files.

use std::fs;
use std::path::Path;

use parlour::arena::{Overrides, Plan, PlanSource};
use parlour::files::{Library, Origin, SourceFile};
use parlour::games::eleusis::Eleusis;
use parlour::games::leapfrog::Leapfrog;
use parlour::games::leopard::Leopard;
use parlour::{Strategic, Strategy, Variant};
use serde_json::{Value, json};

use super::common::{fail, succeed};

/// Lists the faults of a value under a schema. Describing keywords are skipped; an unknown keyword
/// is a fault of the test.
pub(super) fn faults(schema: &Value, root: &Value, value: &Value) -> Vec<String> {
    let Value::Object(words) = schema else {
        return if *schema == json!(false) { vec![format!("no {value}")] } else { Vec::new() };
    };
    let mut all = Vec::new();
    for (word, said) in words {
        let within = |schema: &Value| faults(schema, root, value).is_empty();
        let right = match word.as_str() {
            "$schema" | "title" | "description" | "default" | "format" | "$defs" => true,
            "$ref" => {
                let name = said.as_str().unwrap().rsplit('/').next().unwrap();
                within(&root["$defs"][name])
            }
            "anyOf" => said.as_array().unwrap().iter().any(within),
            "oneOf" => said.as_array().unwrap().iter().filter(|one| within(one)).count() == 1,
            "const" => value == said,
            "enum" => said.as_array().unwrap().contains(value),
            "type" => match said {
                Value::Array(types) => types.iter().any(|t| is(value, t.as_str().unwrap())),
                one => is(value, one.as_str().unwrap()),
            },
            "minimum" => value.as_f64().is_none_or(|n| n >= said.as_f64().unwrap()),
            "maximum" => value.as_f64().is_none_or(|n| n <= said.as_f64().unwrap()),
            "minItems" => value.as_array().is_none_or(|a| a.len() as u64 >= said.as_u64().unwrap()),
            "maxItems" => value.as_array().is_none_or(|a| a.len() as u64 <= said.as_u64().unwrap()),
            "minProperties" => {
                value.as_object().is_none_or(|o| o.len() as u64 >= said.as_u64().unwrap())
            }
            // Texts and doubles are looked at by the reader alone.
            "pattern" | "uniqueItems" => true,
            "required" => {
                let missing = |name: &Value| value.get(name.as_str().unwrap()).is_none();
                !value.is_object() || !said.as_array().unwrap().iter().any(missing)
            }
            "items" => {
                let items = value.as_array().into_iter().flatten();
                items.map(|item| faults(said, root, item)).all(|faults| faults.is_empty())
            }
            "prefixItems" => {
                let items = value.as_array().into_iter().flatten();
                let pairs = items.zip(said.as_array().unwrap());
                pairs.map(|(item, said)| faults(said, root, item)).all(|faults| faults.is_empty())
            }
            "properties" => {
                let own = value.as_object().into_iter().flatten();
                let own = own.filter_map(|(name, value)| Some((said.get(name)?, value)));
                own.map(|(said, value)| faults(said, root, value)).all(|f| f.is_empty())
            }
            "additionalProperties" => {
                let known = |name: &String| words["properties"].get(name).is_some();
                let others = value.as_object().into_iter().flatten();
                let others =
                    others.filter(|(name, _)| words.get("properties").is_none() || !known(name));
                others.map(|(_, value)| faults(said, root, value)).all(|f| f.is_empty())
            }
            other => panic!("the schema says `{other}`"),
        };
        if !right {
            all.push(format!("{word} {said}"));
        }
    }
    all
}

fn is(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("no type `{other}`"),
    }
}

/// Expects schema and reader to take the good files and to refuse the bad ones.
fn agree(
    what: &str,
    files: impl IntoIterator<Item = (bool, Value)>,
    read: impl Fn(&str) -> Result<(), String>,
) {
    let here = tempfile::tempdir().unwrap();
    let schema: Value = serde_json::from_str(&succeed(here.path(), &["schema", what])).unwrap();
    for (good, file) in files {
        let by_reader = read(&file.to_string());
        assert_eq!(by_reader.is_ok(), good, "the reader: {by_reader:?}\n{file}");
        let by_schema = faults(&schema, &schema, &file);
        assert_eq!(by_schema.is_empty(), good, "the schema of {what} {by_schema:?}\n{file}");
    }
}

/// The file with a field changed, or taken out.
fn but(file: &Value, field: &str, value: Value) -> Value {
    let mut file = file.clone();
    match value {
        Value::String(out) if out == "OUT" => _ = file.as_object_mut().unwrap().remove(field),
        value => file[field] = value,
    }
    file
}

const EDITOR: &str = "https://example.org/schema.json";

#[test]
fn of_rules() {
    fn check<G: Strategic>(base: &str, rule: &str, good: Value, bad: &[Value]) {
        let file = json!({ "name": "mine", "base": base, rule: good });
        let mut files = vec![
            (true, file.clone()),
            (true, but(&file, rule, "OUT".into())),
            (true, but(&file, "$schema", EDITOR.into())),
            (false, but(&file, "$schema", json!(7))),
            (true, but(&file, "name", "OUT".into())),
            (true, but(&file, "about", json!("a sentence"))),
            (false, but(&file, "about", json!(3))),
            (false, but(&file, "base", "OUT".into())),
            (false, but(&file, "base", json!(3))),
            (false, but(&file, "nonesuch", json!(1))),
        ];
        files.extend(bad.iter().map(|value| (false, but(&file, rule, value.clone()))));
        let here = tempfile::tempdir().unwrap();
        let path = here.path().join("mine.json");
        agree("rules", files, |text| {
            fs::write(&path, text).unwrap();
            let read = Variant::<G>::named(path.to_str().unwrap());
            read.map(|_| ()).map_err(|error| error.to_string())
        });
    }
    let bad = [json!(0), json!(256), json!(-1), json!("8"), json!(null), json!([8]), json!(7.5)];
    check::<Leopard>("original", "knock_at", json!(8), &bad);
    check::<Leopard>("revised", "bonus_when", json!("always"), &[json!("never"), json!(null)]);
    check::<Leapfrog>("original", "rows", json!(6), &[json!(0), json!(19), json!("6")]);
    check::<Eleusis>("eleusis", "seats", json!(6), &[json!(300), json!("6"), json!(null)]);
}

fn of_text<G: Strategic>(text: &str) -> Result<(), String> {
    let found = SourceFile::new("x", Origin::Embedded, text.to_owned());
    Strategy::<G>::read(&found).map(|_| ()).map_err(|error| error.to_string())
}

#[test]
fn of_strategies() {
    fn all<G: Strategic>() {
        let shelf = Library::strategies(G::NAME);
        let file = |name: &String| {
            let mut file: Value = serde_json::from_str(&shelf.find(name).unwrap().text).unwrap();
            file["$schema"] = EDITOR.into();
            (true, file)
        };
        agree("strategy", shelf.names().iter().map(file).collect::<Vec<_>>(), of_text::<G>);
    }
    all::<Leopard>();
    all::<Leapfrog>();
    all::<Eleusis>();
    let plain = json!({ "kind": "ismcts", "budget": { "iterations": 100 } });
    let based = json!({ "base": "steady", "about": "mine" });
    let files = [
        (true, plain.clone()),
        (true, but(&plain, "game", "leopard".into())),
        (true, but(&plain, "base", Value::Null)),
        (true, but(&plain, "tree", json!({ "exploration": 0.5 }))),
        (false, but(&plain, "kind", "OUT".into())),
        (false, but(&plain, "kind", "mcst".into())),
        (false, but(&plain, "nonesuch", json!(1))),
        (false, but(&plain, "tree", json!({ "exploration": 200 }))),
        (false, but(&plain, "tree", json!({ "nonesuch": 1 }))),
        (false, but(&plain, "tree", json!([0.5]))),
        (false, but(&plain, "about", json!(7))),
        (true, based.clone()),
        (false, but(&based, "nonesuch", json!(1))),
        (false, but(&based, "base", json!(7))),
        (false, but(&based, "kind", "mcst".into())),
    ];
    agree("strategy", files, of_text::<Leopard>);
}

#[test]
fn of_experiments() {
    let read = |text: &str| {
        let game: Value = serde_json::from_str(text).unwrap();
        let found = SourceFile::new("x", Origin::Embedded, text.to_owned());
        let (found, none) = (PlanSource::Experiment(&found), Overrides::default());
        match game["game"].as_str() {
            Some("leopard") => Plan::<Leopard>::read(found, none, &()).map(|_| ()),
            Some("leapfrog") => Plan::<Leapfrog>::read(found, none, &()).map(|_| ()),
            Some("eleusis") => Plan::<Eleusis>::read(found, none, &()).map(|_| ()),
            _ => return Err("no such game".to_owned()),
        }
        .map_err(|error| error.to_string())
    };
    let shelf = Library::experiments();
    let text = |name: &String| shelf.find(name).unwrap().text;
    let file = |name: &String| (true, serde_json::from_str(&text(name)).unwrap());
    agree("experiment", shelf.names().iter().map(file).collect::<Vec<_>>(), read);
    let good = json!({
        "game": "leopard", "variants": ["revised"], "strategies": ["greedy", "random"], "deals": 10
    });
    let variant = |variant: Value| but(&good, "variants", json!(["revised", variant]));
    let strategy = |strategy: Value| but(&good, "strategies", json!(["greedy", strategy]));
    let files = [
        (true, good.clone()),
        (true, but(&good, "$schema", EDITOR.into())),
        (true, but(&good, "deals", "OUT".into())),
        (true, but(&good, "schedule", "round-robin".into())),
        (false, but(&good, "schedule", "swiss".into())),
        (false, but(&good, "game", "chess".into())),
        (false, but(&good, "game", "OUT".into())),
        (false, but(&good, "strategies", "OUT".into())),
        (false, but(&good, "strategies", "greedy".into())),
        (false, but(&good, "deals", json!(-1))),
        (false, but(&good, "deals", "10".into())),
        (false, but(&good, "nonesuch", json!(1))),
        (false, but(&good, "until", json!({ "nonesuch": 1 }))),
        (true, variant(json!({ "name": "a", "base": "original", "knock_at": 8 }))),
        (false, variant(json!({ "name": "a", "base": "original", "knockat": 8 }))),
        (false, variant(json!({ "name": "a", "base": "original", "knock_at": null }))),
        (false, variant(json!({ "name": "a", "knock_at": 8 }))),
        (true, variant(json!({ "base": "original", "sweep": { "knock_at": [6, 8] } }))),
        (false, variant(json!({ "base": "original", "sweep": [6, 8] }))),
        (true, strategy(json!({ "name": "a", "base": "steady" }))),
        (true, strategy(json!({ "name": "a", "kind": "random" }))),
        (false, strategy(json!({ "base": "steady" }))),
        (false, strategy(json!({ "name": "a" }))),
        (false, strategy(json!({ "name": "a", "base": "steady", "nonesuch": 1 }))),
        (false, strategy(json!(7))),
    ];
    agree("experiment", files, read);
}

#[test]
fn of_cases() {
    let mut cases =
        parlour::games::eleusis::science::corpus_cases(parlour::games::eleusis::Split::All, 1, 1)
            .into_iter();
    let good: Value = serde_json::from_str(&cases.next().unwrap().line()).unwrap();
    let files = [
        (true, good.clone()),
        (true, but(&good, "deal", "OUT".into())),
        (true, but(&good, "rule", "other-color".into())),
        (false, but(&good, "rule", "OUT".into())),
        (false, but(&good, "deck", "OUT".into())),
        (false, but(&good, "name", json!(7))),
        (false, but(&good, "deal", json!(-1))),
        (false, but(&good, "deck", json!(["AS"]))),
        (false, but(&good, "nonesuch", json!(1))),
    ];
    agree("case", files, |text| {
        let read = parlour::games::eleusis::science::read_cases("x", text);
        read.map(|_| ()).map_err(|error| error.to_string())
    });
}

#[test]
fn of_positions() {
    let here = tempfile::tempdir().unwrap();
    let records = ["--deals", "1", "--records", "r.jsonl"];
    succeed(here.path(), &[&["match", "leopard", "greedy", "random"], &records[..]].concat());
    let written = succeed(here.path(), &["replay", "r.jsonl", "--position", "4"]);
    let good: Value = serde_json::from_str(&written).unwrap();
    let by_hand = json!({
        "hand": ["7H", "8D"], "own": [null, null, null, null, null, null, null, null, null],
        "other": [null, null, null, null, null, null, null, null, null],
        "gone": [], "stock": 95, "other_held": 7
    });
    let files = [
        (true, good.clone()),
        (true, but(&good, "$schema", EDITOR.into())),
        (false, but(&good, "nonesuch", json!(1))),
        (false, but(&good, "game", json!(3))),
        (false, but(&good, "view", json!([]))),
        (false, but(&good, "past", json!([{ "seat": 0 }]))),
        (false, but(&good, "rules", json!({ "knockat": 3 }))),
        (false, but(&by_hand, "own", "OUT".into())),
        (false, but(&by_hand, "stock", "many".into())),
        (false, but(&by_hand, "nonesuch", json!(1))),
        (true, by_hand),
    ];
    agree("position", files, |text| {
        use parlour::game::Recorded;
        Leopard::position("x", text).map(|_| ()).map_err(|error| error.to_string())
    });
}

#[test]
fn a_manifest_is_an_experiment() {
    let folder = tempfile::tempdir().unwrap();
    let here: &Path = folder.path();
    let file = r#"{ "$schema": "x", "about": "again", "game": "leopard",
        "variants": [{ "name": "mine", "base": "original", "knock_at": 8 }],
        "strategies": ["steady", { "name": "slow", "base": "ismcts-500", "budget": { "iterations": 20 } }],
        "deals": 2 }"#;
    fs::write(here.join("e.json"), file).unwrap();
    succeed(here, &["run", "./e.json", "--out", "one"]);
    succeed(here, &["run", "one/manifest.json", "--out", "two"]);
    // Only where it came from is another.
    for name in ["matchups.csv", "strategies.csv", "variants.csv"] {
        let [one, two] = ["one", "two"].map(|run| fs::read(here.join(run).join(name)).unwrap());
        assert!(one == two, "{name}");
    }
    succeed(here, &["run", "one/manifest.json", "--out", "two", "--resume"]);
    succeed(here, &["run", "two/manifest.json", "--out", "three"]);
    assert!(here.join("three/report.html").exists());
    let manifest = fs::read_to_string(here.join("one/manifest.json")).unwrap();
    let other = manifest.replacen("\"iterations\": 20", "\"iterations\": 2000000000", 1);
    fs::write(here.join("other.json"), other).unwrap();
    fail(here, &["run", "./other.json"], 2, &["other.json", "digest does not match"]);
    assert!(succeed(here, &["run", "one/manifest.json"]).contains("Results: results/e\n"));
}
