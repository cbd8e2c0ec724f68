//! Searches and `advise` as a user meets them: what is wrong is refused with everything named.

use std::path::Path;

use tempfile::TempDir;

use super::common::{fail, succeed};

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).unwrap();
}

/// Expects a strategy file to be refused.
fn refused(text: &str, words: &[&str]) {
    let here = folder();
    write(here.path(), "mine.json", text);
    fail(here.path(), &["match", "leopard", "./mine.json", "random"], 2, words);
}

#[test]
fn budgets() {
    refused(r#"{ "kind": "ismcts" }"#, &["mine.json", "missing field `budget`"]);
    refused(r#"{ "kind": "ismcts", "budget": {} }"#, &["missing budget", "`iterations`"]);
    let zero = r#"{ "kind": "ismcts", "budget": { "iterations": 0 } }"#;
    refused(zero, &["line 1 column 44: `budget.iterations` is 0", "from 1"]);
    let both = r#"{ "kind": "pimc", "budget": { "iterations": 5, "milliseconds": 5 } }"#;
    refused(both, &["exclude each other", "`null`"]);
    refused(r#"{ "kind": "mcts", "budget": { "iterations": -5 } }"#, &["iterations`", "-5"]);
    let prune_after_se = |kind: &str| {
        format!(r#"{{ "kind": "{kind}", "budget": {{ "iterations": 50, "prune_after_se": 2 }} }}"#)
    };
    refused(&prune_after_se("monte-carlo"), &["`budget.prune_after_se` is 2", "one tree"]);
    refused(&prune_after_se("mcts"), &["`budget.prune_after_se` is 2", "`reuse`"]);
    refused(
        &prune_after_se("ismcts").replace("2 }", "0 }"),
        &["`budget.prune_after_se` is 0", "0.1"],
    );
}

#[test]
fn all_faults_are_reported_together() {
    refused(
        r#"{ "kind": "mo-ismcts", "budget": { "milliseconds": 0 },
             "playouts": { "by": "gredy", "epsilon": 2 }, "reward": { "win": 2, "scale": 0 },
             "tree": { "exploration": -1, "memory_mb": 0, "depth": 0 },
             "model": { "by": "steady", "error": 0 },
             "guide": { "by": "steady", "visits": -1, "reward": 0.1 } }"#,
        &[
            "mine.json: line 1",
            "`budget.milliseconds` is 0; it must be from 1 to 100000000; ./mine.json: line 2",
            "line 2 column 51: `playouts.epsilon` is 2; it must be from 0 to 1",
            "`tree.exploration` is -1",
            "`reward.win` is 2",
            "`reward.scale` is 0",
            "`tree.memory_mb` is 0",
            "`tree.depth` is 0",
            "`model.error` is 0",
            "`guide.visits` is -1",
        ],
    );
    refused(
        r#"{ "kind": "ismcts", "budget": { "iterations": 9 }, "playouts": { "by": "gredy" },
             "model": { "by": "ismcts-250" },
             "guide": { "by": "nobody", "visits": 1, "reward": 0.1 } }"#,
        &[
            "line 1 column 69, field `playouts.by`: unknown strategy `gredy`",
            "field `model.by`: `ismcts-250` is itself a search",
            "field `guide.by`: unknown strategy `nobody`",
        ],
    );
}

fn file(rest: &str) -> String {
    format!(r#"{{ "base": null, "kind": "ismcts", "budget": {{ "iterations": 9 }}, {rest} }}"#)
}

#[test]
fn judges() {
    let judged = |by| file(&format!(r#""playouts": {{ "cut_off": {{ {by} }} }}"#));
    refused(&judged(r#""evaluator": "self-taught""#), &["missing field `moves`"]);
    refused(
        &judged(r#""moves": 2, "evaluator": "greedy""#),
        &["cut_off.evaluator`", "does not estimate"],
    );
}

#[test]
fn odd_numbers_and_names() {
    let tree = |rest: &str| file(&format!(r#""tree": {{ {rest} }}"#));
    refused(&tree(r#""exploration": 1e999"#), &["number out of range"]);
    refused(&tree(r#""exploration": "NaN""#), &["`tree.exploration`"]);
    refused(&tree(r#""bandit": "ucb""#), &["`tree.bandit`", "ucb1-tuned"]);
    let wild = r#""bandit": "exp3", "exploration": 2"#;
    refused(&tree(wild), &["`tree.exploration` is 2", "`exp3`"]);
    refused(&tree(r#""expansion": { "urgency": 2000 }"#), &["`tree.expansion.urgency` is 2000"]);
    refused(&tree(r#""explorashun": 1"#), &["field `tree.explorashun`", "`exploration`?"]);
    refused(&file(r#""redeterminize": true"#), &["unknown field `redeterminize`", "reuse"]);
    refused(&file(r#""playouts": { "by": "mine.json" }"#), &["`mine.json` is itself a search"]);
    let none = r#""playouts": { "by": "no/such.json" }"#;
    refused(&file(none), &["there is no strategy file no/such.json"]);
}

#[test]
fn a_file_of_the_old_form_is_refused() {
    let here = folder();
    let old = r#"{ "kind": "ismcts", "iterations": 20, "rollout": "greedy", "cut_off": 9 }"#;
    write(here.path(), "mine.json", old);
    let play = ["match", "leopard", "./mine.json", "random", "--deals", "1"];
    fail(here.path(), &play, 2, &["line 1 column 32, field `iterations`"]);
}

#[test]
fn a_search_by_the_clock_is_refused_in_an_experiment() {
    let here = folder();
    write(
        here.path(),
        "mine.json",
        r#"{ "kind": "monte-carlo", "budget": { "milliseconds": 1 } }"#,
    );
    let experiment =
        r#"{ "game": "leopard", "strategies": ["./mine.json", "random"], "deals": 1 }"#;
    write(here.path(), "e.json", experiment);
    fail(here.path(), &["run", "./e.json", "--out", "r"], 2, &["allow_clock"]);
}

const POSITION: &str = r#"{ "hand": ["AS", "KD", "3H", "JS", "JD"],
  "own": [null, "2H", null, null, null, null, null, null, "9H"],
  "other": [null, null, null, "4S", null, null, null, null, null],
  "gone": ["QS"], "stock": 87, "other_held": 8 }"#;

const SEARCH: &str = r#"{ "base": null, "kind": "ismcts", "budget": { "iterations": 300 }, "playouts": { "by": "greedy" } }"#;

#[test]
fn advice_does_not_depend_on_threads() {
    let here = folder();
    write(here.path(), "p.json", POSITION);
    write(here.path(), "s.json", SEARCH);
    let ask = ["advise", "p.json", "--strategy", "./s.json"];
    let text = succeed(here.path(), &ask);
    assert!(text.contains("95 % interval") && text.contains("1200 playouts over 1200"), "{text}");
    let json = succeed(here.path(), &[&ask[..], &["--json"]].concat());
    let advice: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(advice["best"], advice["moves"][0]["move"]);
    assert_eq!(advice["iterations"], 1200);
    for threads in ["1", "3"] {
        let mut command = super::common::parlour(here.path());
        let output = command.env("RAYON_NUM_THREADS", threads).args(ask).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), text);
    }
    let plain = succeed(here.path(), &["advise", "p.json", "--strategy", "greedy"]);
    assert!(plain.starts_with("greedy plays "), "{plain}");
    let weighed = succeed(here.path(), &["advise", "p.json", "--strategy", "steady"]);
    let best = weighed.split(['.', ' ']).skip(2).take(2).collect::<Vec<_>>().join(" ");
    let words = weighed.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(&format!("the best are {best} (")), "{weighed}");
    assert!(words.contains("more score less"), "{weighed}");
}

#[test]
fn impossible_positions_are_refused() {
    let here = folder();
    let wrong = POSITION
        .replace("\"AS\", \"KD\"", "\"AS\", \"AS\", \"AS\"")
        .replace("\"2H\"", "\"3H\"")
        .replace("\"stock\": 87", "\"stock\": 500");
    write(here.path(), "p.json", &wrong);
    write(here.path(), "s.json", SEARCH);
    let words = ["`AS` is named more often", "`3H` lies on cell 2", "`stock`", "508 cards"];
    fail(here.path(), &["advise", "p.json", "--strategy", "./s.json"], 2, &words);
    write(here.path(), "p.json", &POSITION.replace("\"gone\"", "\"went\""));
    fail(here.path(), &["advise", "p.json", "--strategy", "./s.json"], 2, &["`went`", "line 4"]);
    fail(here.path(), &["advise", "none.json"], 2, &["cannot read none.json"]);
}

#[test]
fn a_recorded_hand_is_commented_on() {
    let here = folder();
    let play = |game, bot, variant| {
        let run = ["match", game, bot, bot, "--variant", variant, "--deals", "1"];
        succeed(here.path(), &[&run[..], &["--records", "r.jsonl", "--quiet"]].concat());
    };
    play("leopard", "greedy", "revised");
    write(here.path(), "s.json", &SEARCH.replace("300", "30"));
    // Greedy agrees with itself: it is a function of what the seat knew. Then nothing is lost.
    let own = succeed(here.path(), &["replay", "r.jsonl", "--advise", "greedy"]);
    let rows = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.starts_with('|') && line.contains(" %"));
        lines.map(str::to_owned).collect()
    };
    let own = rows(&own);
    assert!(own.len() > 10 && own.iter().all(|row| row.ends_with(" 0.0 |")), "{own:?}");
    let ask = ["replay", "r.jsonl", "--advise", "./s.json"];
    let text = succeed(here.path(), &ask);
    // Every move has a value, also those that the search would not try.
    let others = rows(&text);
    assert!(others.len() == own.len() && others.iter().any(|row| row.contains(" ± ")), "{text}");
    assert_eq!(succeed(here.path(), &ask), text);
    fail(here.path(), &["replay", "r.jsonl", "--advise", "gredy"], 2, &["`gredy`", "`greedy`?"]);

    std::fs::remove_file(here.path().join("r.jsonl")).unwrap();
    play("leapfrog", "greedy", "mini-4x4");
    write(here.path(), "mine.json", &SEARCH.replace("300", "30").replace("ismcts", "mcts"));
    let text = succeed(here.path(), &["replay", "r.jsonl", "--advise", "./mine.json"]);
    assert!(text.contains("mine agrees with"), "{text}");
}

#[test]
fn playouts_need_a_static_policy_of_the_same_game() {
    let here = folder();
    let mine = |by: &str| {
        let playouts = format!(r#""playouts": {{ "by": "{by}" }}"#);
        write(here.path(), "mine.json", &file(&playouts).replace("ismcts", "mcts"));
    };
    let ask = ["match", "leapfrog", "./mine.json", "greedy", "--deals", "1"];
    mine("careful");
    fail(here.path(), &ask, 2, &["field `playouts.by`", "`careful` searches or keeps state"]);
    mine("steady");
    fail(
        here.path(),
        &ask,
        2,
        &["field `playouts.by`", "`steady` is a strategy of leopard, not of leapfrog"],
    );
    write(here.path(), "other.json", r#"{ "kind": "greedy", "game": "leopard" }"#);
    mine("./other.json");
    fail(here.path(), &ask, 2, &["other.json", "strategy of leopard"]);
}

/// A record's position goes out as JSON, and any strategy of the game advises on it.
#[test]
fn every_game_gives_advice_on_a_position_and_a_record() {
    for (game, variant, strategy) in [
        ("leopard", "revised", "steady"),
        ("leapfrog", "murray-mini-4x4", "lookahead-2"),
        ("eleusis", "express", "cautious"),
    ] {
        let here = folder();
        let seats = if game == "eleusis" { 4 } else { 2 };
        let bots = vec![if game == "eleusis" { "cautious" } else { "greedy" }; seats];
        let flags = ["--variant", variant, "--deals", "1", "--quiet", "--records", "r.jsonl"];
        succeed(here.path(), &[&["match", game][..], &bots, &flags].concat());
        let position = succeed(here.path(), &["replay", "r.jsonl", "--position", "3"]);
        write(here.path(), "p.json", &position);
        let advice = succeed(here.path(), &["advise", "p.json", "--strategy", strategy, "--json"]);
        assert!(advice.contains("\"best\": \""), "{game}: {advice}");
        if game == "eleusis" {
            let usual = succeed(here.path(), &["advise", "p.json", "--json"]);
            assert!(usual.contains("\"strategy\": \"bayes\""), "{usual}");
        }
        let comment = succeed(here.path(), &["replay", "r.jsonl", "--advise", strategy]);
        assert!(comment.contains("agrees with"), "{game}: {comment}");

        let refused = |from: &str, to: &str, words: &[&str]| {
            let wrong = position.replacen(from, to, 1);
            assert_ne!(wrong, position, "{game}: {from}");
            write(here.path(), "w.json", &wrong);
            fail(here.path(), &["advise", "w.json", "--strategy", strategy], 2, words);
        };
        refused("\"seat\": ", "\"seats\": ", &["w.json: line", "unknown field `seats`", "`seat`"]);
        refused("\"move\": \"", "\"move\": \"?", &["w.json: field `past[0].move`", "write"]);
        refused("\"game\": \"", "\"game\": \"x", &["unknown game `x"]);
        refused(
            "\"view\": {\n    \"seat\": ",
            "\"view\": {\n    \"seat\": 9",
            &["`view.seat` is 9"],
        );
    }
}

#[test]
fn a_missing_field_of_a_position_leads_to_the_short_form() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("p.json"), r#"{ "game": "leopard" }"#).unwrap();
    fail(here, &["advise", "p.json"], 2, &["missing field `hand`; `parlour advise --help` shows"]);
    std::fs::write(here.join("p.json"), r#"{ "game": "leopard", "view": {} }"#).unwrap();
    fail(here, &["advise", "p.json"], 2, &["missing field", "shows the short form"]);
}

/// The short form in the help of `advise` works as it stands, and a move can be compared.
#[test]
fn the_short_form_of_the_help_gets_advice() {
    let here = folder();
    let help = succeed(here.path(), &["advise", "--help"]);
    let (_, rest) = help.split_once("{\"game\"").expect("a position");
    let (position, _) = rest.split_once('}').expect("its end");
    write(here.path(), "p.json", &format!("{{\"game\"{position}}}"));
    let ask = ["advise", "p.json", "--strategy", "ismcts-250", "--move"];
    let text = succeed(here.path(), &[&ask[..], &["3H -"]].concat());
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("`3H -` loses ") && words.contains("points of the chance to win"),
        "{text}"
    );
    fail(here.path(), &[&ask[..], &["4H o4"]].concat(), 2, &["`4H o4` is not legal here"]);
    fail(here.path(), &[&ask[..], &["4H"]].concat(), 2, &["`4H`"]);
}
