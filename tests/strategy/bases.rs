//! Strategies with a base, and the errors of wrong ones.

use serde::Deserialize;
use serde_json::Map;

use parlour::Ruled;
use parlour::error::{Error, Result};
use parlour::files::{Library, Origin, SourceFile, parse_json};
use parlour::games::leapfrog::Leapfrog;
use parlour::games::leopard::Leopard;
use parlour::strategy::{Strategy, StrategySpec};

/// Returns the strategies of an experiment file with these entries.
fn entries(strategies: &str) -> Result<Vec<Strategy<Leopard>>> {
    #[derive(Deserialize)]
    struct Experiment {
        strategies: Vec<StrategySpec>,
    }
    let text = format!("{{\"strategies\": [\n{strategies}\n]}}");
    let found = SourceFile::new("e", Origin::Embedded, text);
    let experiment: Experiment = parse_json("e.json", &found.text)?;
    let all = Strategy::resolve(&experiment.strategies, Some(&found))?;
    Ok(all.into_iter().flatten().collect())
}

/// Returns the error of the experiment file.
fn fault(strategies: &str) -> String {
    entries(strategies).unwrap_err().to_string()
}

/// Writes files into a folder, whose name replaces `HERE`, and reads the first.
fn file(files: &[(&str, &str)]) -> Result<Strategy<Leopard>> {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().to_str().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text.replace("HERE", here)).unwrap();
    }
    let shelf = Library::strategies(Leopard::NAME);
    let read = Strategy::load(&shelf, folder.path().join(files[0].0).to_str().unwrap());
    read.map_err(|error| Error::input(error.to_string().replace(here, "HERE")))
}

#[test]
fn searches_without_a_base_use_the_default_search() {
    let ladder = Strategy::<Leopard>::load(&Library::strategies("leopard"), "ismcts-1000").unwrap();
    let plain = r#""kind": "ismcts", "budget": { "iterations": 1000 }"#;
    let mine = entries(&format!(
        r#"{{ "name": "mine", {plain} }}, {{ "name": "bare", "base": null, {plain} }},
           {{ "name": "blind", {plain}, "guide": null }},
           {{ "name": "open", "kind": "pimc", "budget": {{ "iterations": 9 }} }}"#
    ))
    .unwrap();
    assert_eq!(mine[0].spec, ladder.spec);
    let options = |of: usize| serde_json::to_value(&mine[of].spec).unwrap();
    assert_eq!(options(1)["playouts"]["by"], "random");
    assert!(options(1)["guide"].is_null() && options(2)["guide"].is_null());
    assert_eq!(
        (&options(2)["playouts"]["by"], &options(3)["playouts"]["by"]),
        (&"brisk".into(), &"brisk".into())
    );
    // Their texts resolve to the same strategies.
    for strategy in &mine {
        let again = SourceFile::new(&strategy.name, Origin::Embedded, strategy.text.clone());
        assert_eq!(
            Strategy::<Leopard>::read(&again).unwrap().spec,
            strategy.spec,
            "{}",
            strategy.text
        );
    }
}

#[test]
fn entries_change_their_base() {
    let base = Strategy::<Leopard>::load(&Library::strategies("leopard"), "steady").unwrap();
    let mine = entries(
        r#""steady", { "name": "bold", "base": "steady", "weights": { "danger": 0 } },
           { "name": "bolder", "base": "bold", "about": "x", "weights": { "threat": 9 } }"#,
    )
    .unwrap();
    let weights = |spec| serde_json::to_value(spec).unwrap()["weights"].clone();
    let mut wanted = weights(&base.spec);
    wanted["danger"] = 0.0.into();
    assert_eq!(weights(&mine[1].spec), wanted);
    assert_eq!(mine[1].about, r#"As steady with {"weights":{"danger":0}}"#);
    wanted["threat"] = 9.0.into();
    assert_eq!(weights(&mine[2].spec), wanted);
    assert_eq!((mine[2].name.as_str(), mine[2].about.as_str()), ("bolder", "x"));
    // Its text is equivalent without a base, so the record of a run needs no other file.
    let again = SourceFile::new("bolder", Origin::Embedded, mine[2].text.clone());
    let again = Strategy::<Leopard>::read(&again).unwrap();
    assert_eq!((&again.spec, &again.digest), (&mine[2].spec, &mine[2].digest));
}

#[test]
fn missing_and_cyclic_bases_are_refused() {
    let said = fault("{ \"name\": \"x\",\n  \"base\": \"stedy\" }");
    let start = "strategy `x`: line 3 column 8, field `strategies[0].base`: unknown strategy \
                 `stedy`. Did you mean `steady`?";
    assert!(said.starts_with(start), "{said}");
    let said = fault(r#"{ "name": "x", "base": "y" }, { "name": "y", "base": "x" }"#);
    let end = "field `strategies[1].base`: cyclic `base`: strategy `x` → strategy `y` → \
               strategy `x`";
    assert!(said.contains(end), "{said}");
    let said = file(&[
        ("a.json", r#"{ "base": "HERE/b.json" }"#),
        ("b.json", r#"{ "base": "HERE/b.json" }"#),
    ]);
    let said = said.unwrap_err().to_string();
    assert_eq!(
        said,
        "HERE/b.json: line 1 column 8, field `base`: cyclic `base`: HERE/b.json → HERE/b.json"
    );
}

#[test]
fn bases_of_another_game_or_kind_are_refused() {
    let said = fault(r#"{ "name": "x", "base": "bayes" }"#);
    assert!(said.contains("field `strategies[0].base`: `bayes` is a strategy of eleusis, not"));
    let other = [("a.json", r#"{ "base": "HERE/b.json" }"#)];
    let said = file(&[other[0], ("b.json", r#"{ "kind": "greedy", "game": "leapfrog" }"#)]);
    let said = said.unwrap_err().to_string();
    let end = "field `game`: this is a strategy of leapfrog; a strategy of leopard is needed";
    assert!(said.starts_with("HERE/b.json: line 1") && said.ends_with(end), "{said}");

    let said = fault(r#"{ "name": "x", "base": "steady", "kind": "greedy" }"#);
    assert!(said.contains("steady.json: line 4 column 11, field `weights`"), "{said}");
    assert!(said.contains("unknown field `weights`") && said.contains("base of strategy `x`"));
    let plain = r#"{ "name": "x", "base": "steady", "kind": "greedy", "weights": null }"#;
    assert_eq!(entries(plain).unwrap()[0].text.lines().count(), 5);
}

#[test]
fn faults_name_the_layer_that_has_the_field() {
    let said = fault("{ \"name\": \"x\", \"base\": \"steady\",\n \"weights\": { \"dangr\": 1 } }");
    let start = "strategy `x`: line 3 column 21, field `strategies[0].weights.dangr`: unknown \
                 field `dangr`. Did you mean `danger`?";
    assert!(said.starts_with(start), "{said}");
    let said = fault(r#"{ "name": "x", "base": "steady", "weights": { "danger": "1" } }"#);
    assert!(said.contains("`strategies[0].weights.danger`: invalid type: string"), "{said}");
    assert!(fault(r#"{ "name": "steady", "base": "brisk" }"#).contains("already has this name"));
    assert!(fault(r#"{ "name": "a b", "base": "brisk" }"#).contains("1 to 60 letters"));
    assert!(fault(r#"{ "base": "brisk" }"#).contains("missing field `name`"));
    assert!(fault("{ \"name\": 1 }").contains("must be a string"));
    let specs = [
        StrategySpec::from("greedy"),
        StrategySpec::Inline {
            sweep: None,
            name: "x".to_owned(),
            fields: Map::from_iter([("kind".to_owned(), "gredy".into())]),
        },
    ];
    let said = Strategy::<Leapfrog>::resolve(&specs, None).unwrap_err().to_string();
    assert!(said.starts_with("strategy `x`: field `strategies[1].kind`: unknown kind of leapfrog"));
}

#[test]
fn a_tuning_under_an_unknown_variant_is_refused() {
    let text = r#"{ "base": "steady", "tuned": { "under": ["revised", "riginal"] } }"#;
    let said = file(&[("a.json", text)]).unwrap_err().to_string();
    assert!(said.contains("field `tuned.under`: unknown variant of leopard `riginal`"), "{said}");
    let text = text.replace("riginal", "original");
    assert_eq!(file(&[("a.json", &text)]).unwrap().tuned_under.len(), 2);
}
