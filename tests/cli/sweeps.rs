//! Sweeps: what they expand to, how it is called, what is refused.

use std::path::Path;

use parlour::Ruled;
use parlour::arena::{Experiment, Plan, VariantSpec};
use parlour::games::leopard::Leopard;

use super::common::{fail, same, succeed};

type Leopards = Experiment<VariantSpec>;

fn plan(text: &str) -> Plan<Leopard> {
    let experiment: Leopards = serde_json::from_str(text).expect("an experiment");
    Plan::resolve("x", &experiment).unwrap()
}

fn variants(plan: &Plan<Leopard>) -> Vec<&str> {
    plan.variants.iter().map(|variant| variant.name.as_str()).collect()
}

#[test]
fn a_sweep_has_all_combinations_of_its_values() {
    let plan = plan(
        r#"{ "game": "leopard", "strategies": ["greedy", "steady"], "variants": [
            { "base": "revised", "draw": 2, "sweep": { "knock_at": "6..7", "suit_line": [2, 3] } },
            { "name": "o{knock_at}", "base": "original", "sweep": { "knock_at": [4, 5] } }, "revised"
        ] }"#,
    );
    let names = variants(&plan);
    assert_eq!(names[0], "revised-knock_at-6-suit_line-2");
    assert_eq!(names[3..], ["revised-knock_at-7-suit_line-3", "o4", "original", "revised"]);
    let rules = plan.variants[1].game.rules();
    assert_eq!((rules.knock_at, rules.suit_line, rules.draw), (6, 3, 2));
    assert_eq!(plan.resolved.swept.rules, ["knock_at", "suit_line"]);
    // The experiment's own sweep does the same in each variant; written by hand, it is the same run.
    let short = self::plan(
        r#"{ "game": "leopard", "strategies": ["greedy", "steady"], "variants": ["original"],
            "sweep": { "knock_at": [5, 9] } }"#,
    );
    let long = self::plan(
        r#"{ "game": "leopard", "strategies": ["greedy", "steady"], "variants": ["original",
            { "name": "original-knock_at-9", "base": "original", "knock_at": 9 }] }"#,
    );
    assert_eq!(short.digest, long.digest);
}

#[test]
fn nested_strategy_fields_can_be_swept() {
    let plan = plan(
        r#"{ "game": "leopard", "variants": ["revised"], "strategies": ["steady",
            { "base": "steady", "sweep": { "weights.threat": [3, 6.0533] } },
            { "name": "i{iterations}", "base": "ismcts-500", "sweep": { "budget.iterations": [5, 9] } }
        ] }"#,
    );
    assert_eq!(plan.names().collect::<Vec<_>>(), ["steady", "steady-threat-3", "i5", "i9"]);
    let weights = &plan.experiment().strategies[1].strategy["weights"];
    assert_eq!((&weights["threat"], &weights["fade"]), (&3.0.into(), &1.7299.into()));
    assert_eq!(plan.resolved.swept.strategies, ["weights.threat", "budget.iterations"]);
}

#[test]
fn swept_values_are_columns_in_command_and_experiment() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let text = r#"{ "game": "leopard", "variants": ["revised"], "sweep": { "knock_at": "6..8" },
        "strategies": ["greedy", "steady"], "deals": 40, "seed": 1 }"#;
    std::fs::write(here.join("sweep.json"), text).unwrap();
    for (out, threads) in [("one", "1"), ("two", "2")] {
        succeed(here, &["run", "./sweep.json", "--quiet", "--out", out, "--threads", threads]);
    }
    same(&here.join("one"), &here.join("two"));
    let said = succeed(
        here,
        &[
            "sweep",
            "leopard",
            "revised",
            "knock_at=6..8",
            "--strategies",
            "greedy,steady",
            "--deals",
            "40",
            "--out",
            "three",
        ],
    );
    assert!(said.contains("`steady` was tuned for knock_at 5 or 7 only"));
    let read = |file: &str| std::fs::read_to_string(here.join(file)).unwrap();
    assert_eq!(read("one/variants.csv"), read("three/variants.csv"));
    let column = |table: &str, head: &str| -> Vec<String> {
        let text = read(table);
        let mut rows = text.lines().map(|row| row.split(',').map(str::to_owned));
        let at = rows.next().unwrap().position(|name| name == head).unwrap();
        rows.map(|mut row| row.nth(at).unwrap()).collect()
    };
    assert_eq!(column("one/variants.csv", "knock_at"), ["6", "7", "8"]);
    assert_eq!(column("one/matchups.csv", "knock_at"), ["6", "7", "8"]);
    assert_eq!(column("one/strategies.csv", "knock_at"), ["6", "6", "7", "7", "8", "8"]);
    assert_eq!(column("one/variants.csv", "variant")[2], "revised-knock_at-8");
    let page = read("three/report.html");
    assert!(page.contains("parlour run FOLDER/manifest.json"));
    // The figures of the trend's neighbours, and the names for people.
    for text in ["Draw rate over knock_at", "Turns over knock_at", "knock at 8"] {
        assert!(page.contains(text), "{text}");
    }
    assert!(!page.contains("revised-knock_at-8"), "a name for programs");
    assert!(succeed(here, &["show", "three"]).contains("| knock at 8 "));
    let again = ["run", "three/manifest.json", "--out", "again", "--quiet"];
    succeed(here, &again);
    assert_eq!(read("again/variants.csv"), read("three/variants.csv"));
    let strategies = "steady,greedy";
    let swept =
        ["sweep", "leopard", "revised", "steady.weights.threat=3,9", "--strategies", strategies];
    succeed(here, &[&swept[..], &["--deals", "4", "--out", "four"]].concat());
    assert_eq!(column("four/strategies.csv", "weights_threat").len(), 3, "greedy has none");
}

fn refused(here: &Path, variants: &str, strategies: &str, words: &[&str]) {
    let text = format!(
        "{{ \"game\": \"leopard\",\n \"variants\": [{variants}],\n \"strategies\": [{strategies}],\n \"mirror\": true, \"deals\": 5000 }}"
    );
    std::fs::write(here.join("e.json"), text).unwrap();
    fail(here, &["run", "./e.json", "--out", "x"], 2, words);
    assert!(!here.join("x").exists());
}

#[test]
fn wrong_sweeps_are_named_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let rules =
        |sweep: &str| format!("\"original\",\n {{\"base\": \"revised\", \"sweep\": {{{sweep}}}}}");
    let wrong = |sweep: &str, words: &[&str]| refused(here, &rules(sweep), "\"greedy\"", words);
    wrong(
        "\"knok_at\": [4]",
        &["line 3", "variants[1].sweep.knok_at[0]", "Did you mean `knock_at`?"],
    );
    wrong("\"knock_at\": []", &["line 3", "variants[1].sweep.knock_at", "there is no value"]);
    wrong("\"draw\": [1, 9]", &["line 3", "`variants[1].sweep.draw` is 9; it must be from 1 to 4"]);
    wrong("\"draw\": \"4..1\"", &["line 3", "the range `4..1` is not `A..B`"]);
    wrong("", &["line 3", "variants[1].sweep", "there is no field"]);
    let many = "\"knock_at\": \"1..100\", \"bonus_over\": \"1..100\"";
    wrong(many, &["10001 `variants`", "at most 200", "100010000 hands"]);
    let own =
        |sweep: &str| format!("\"greedy\",\n {{\"base\": \"steady\", \"sweep\": {{{sweep}}}}}");
    let wrong = |sweep: &str, words: &[&str]| refused(here, "\"revised\"", &own(sweep), words);
    wrong(
        "\"weights.thret\": [4]",
        &["line 4", "strategies[1].weights.thret", "Did you mean `threat`?"],
    );
    wrong("\"weights.threat\": [4, 4000]", &["line 4", "steady-threat-4000", "from -1000 to 1000"]);
    wrong("\"weights.threat\": []", &["line 4", "sweep.weights.threat", "there is no value"]);
    fail(here, &["sweep", "leopard", "revised", "--strategies", "steady"], 2, &["VALUES"]);
    fail(
        here,
        &["sweep", "leopard", "a=1", "b=2", "--strategies", "steady"],
        2,
        &["name a variant"],
    );
    let sweep = |setting| ["sweep", "leopard", "revised", setting, "--strategies", "ismcts-250"];
    fail(here, &sweep("knock_at=4-10"), 2, &["a range is written with dots: `4..10`"]);
    fail(
        here,
        &sweep("ismcts-250.playouts=50"),
        2,
        &["`playouts` of ismcts-250 is a group", "playouts.by"],
    );
    let text = "{\"name\": \"x\", \"base\": \"revised\", \"sweep\": {\"draw\": [1]}}";
    std::fs::write(here.join("rules.json"), text).unwrap();
    let file = ["match", "leopard", "greedy", "random", "--variant", "./rules.json"];
    fail(here, &file, 2, &["rules.json", "it belongs in an experiment"]);
}
