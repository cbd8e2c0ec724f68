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
    refused(r#"{ "kind": "ismcts" }"#, &["mine.json", "a budget is missing", "`iterations`"]);
    refused(r#"{ "kind": "ismcts", "iterations": 0 }"#, &["`iterations` is 0", "from 1"]);
    refused(r#"{ "kind": "pimc", "iterations": 5, "milliseconds": 5 }"#, &["both set"]);
    refused(r#"{ "kind": "mcts", "iterations": -5 }"#, &["`iterations`", "-5"]);
}

#[test]
fn everything_wrong_is_named_at_once() {
    refused(
        r#"{ "kind": "mo-ismcts", "iterations": 0, "milliseconds": 3, "exploration": -1,
             "rollout": "gredy", "win": 2, "scale": 0, "memory_mb": 0, "depth": 0,
             "model": { "strategy": "ismcts-250", "doubt": 0 },
             "guide": { "strategy": "nobody", "visits": -1, "reward": 0.1 } }"#,
        &[
            "`iterations` is 0",
            "both set",
            "`exploration` is -1",
            "`win` is 2",
            "`scale` is 0",
            "`memory_mb` is 0",
            "`depth` is 0",
            "`model.doubt` is 0",
            "`guide.visits` is -1",
            "field `rollout`: unknown strategy `gredy`",
            "field `model.strategy`: `ismcts-250` itself searches",
            "field `guide.strategy`: unknown strategy `nobody`",
        ],
    );
}

#[test]
fn judges() {
    let file = |rest: &str| format!(r#"{{ "kind": "ismcts", "iterations": 9, {rest} }}"#);
    refused(&file(r#""judge": "learnt""#), &["`judge` is set without `cut_off`"]);
    refused(&file(r#""cut_off": 2, "judge": "greedy""#), &["`judge`", "no estimate", "`learnt`"]);
    refused(
        r#"{ "kind": "learnt", "bias": [1], "out": [0.5], "out_bias": 0, "rows": [] }"#,
        &["mine.json", "`out[0]`", "0.5"],
    );
    refused(
        r#"{ "kind": "learnt", "bias": [1], "out": [2001], "out_bias": 0, "rows": [] }"#,
        &["mine.json", "`bias` has 1 numbers; it must have 32", "`out` has 2001", "`rows` has 0"],
    );
}

#[test]
fn odd_numbers_and_names() {
    let file = |rest: &str| format!(r#"{{ "kind": "ismcts", "iterations": 9, {rest} }}"#);
    refused(&file(r#""exploration": 1e999"#), &["number out of range"]);
    refused(&file(r#""exploration": "NaN""#), &["`exploration`"]);
    refused(&file(r#""rule": "ucb""#), &["`rule`", "ucb1-tuned"]);
    refused(&file(r#""rule": "exp3", "exploration": 2"#), &["`exploration` is 2", "`exp3`"]);
    refused(&file(r#""first_play": 1, "widening": { "base": 1, "power": 0.5 }"#), &["both set"]);
    refused(&file(r#""redeterminize": true"#), &["unknown field `redeterminize`", "reuse"]);
    refused(&file(r#""rollout": "mine.json""#), &["`mine.json` itself searches"]);
    refused(&file(r#""rollout": "no/such.json""#), &["there is no strategy file no/such.json"]);
}

#[test]
fn a_search_by_the_clock_is_refused_in_an_experiment() {
    let here = folder();
    write(here.path(), "mine.json", r#"{ "kind": "monte-carlo", "milliseconds": 1 }"#);
    let experiment =
        r#"{ "game": "leopard", "strategies": ["./mine.json", "random"], "deals": 1 }"#;
    write(here.path(), "e.json", experiment);
    fail(here.path(), &["run", "./e.json", "--out", "r"], 2, &["allow_clock"]);
}

const POSITION: &str = r#"{ "hand": ["AS", "KD", "3H", "JS", "JD"],
  "own": [null, "2H", null, null, null, null, null, null, "9H"],
  "other": [null, null, null, "4S", null, null, null, null, null],
  "gone": ["QS"], "stock": 87, "other_held": 8 }"#;

const SEARCH: &str = r#"{ "kind": "ismcts", "iterations": 300, "rollout": "greedy" }"#;

#[test]
fn advice_is_the_same_for_any_number_of_threads() {
    let here = folder();
    write(here.path(), "p.json", POSITION);
    write(here.path(), "s.json", SEARCH);
    let ask = ["advise", "p.json", "--strategy", "./s.json"];
    let text = succeed(here.path(), &ask);
    assert!(text.contains("95 % interval") && text.contains("1200 playouts"), "{text}");
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
}

#[test]
fn positions_that_cannot_be() {
    let here = folder();
    let wrong = POSITION
        .replace("\"AS\", \"KD\"", "\"AS\", \"AS\", \"AS\"")
        .replace("\"2H\"", "\"3H\"")
        .replace("\"stock\": 87", "\"stock\": 500");
    write(here.path(), "p.json", &wrong);
    write(here.path(), "s.json", SEARCH);
    let words = ["`AS` is named more than twice", "`3H` lies on cell 2", "`stock`", "508 cards"];
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
    // Greedy agrees with itself: it is a function of what the seat knew.
    let own = succeed(here.path(), &["replay", "r.jsonl", "--advise", "greedy"]);
    assert!(own.contains("greedy would have done the same in") && !own.contains("| ! |"), "{own}");
    let ask = ["replay", "r.jsonl", "--advise", "./s.json"];
    let text = succeed(here.path(), &ask);
    assert!(text.contains("s would") && text.contains("| ! |"), "{text}");
    assert_eq!(succeed(here.path(), &ask), text);
    fail(here.path(), &["replay", "r.jsonl", "--advise", "gredy"], 2, &["`gredy`", "`greedy`?"]);

    std::fs::remove_file(here.path().join("r.jsonl")).unwrap();
    play("leapfrog", "greedy", "mini-4x4");
    write(here.path(), "f.json", r#"{ "kind": "mcts", "iterations": 30, "rollout": "greedy" }"#);
    let text = succeed(here.path(), &["replay", "r.jsonl", "--advise", "./f.json"]);
    assert!(text.contains("f would have done the same in"), "{text}");
}

#[test]
fn only_cheap_strategies_of_the_same_game_play_playouts() {
    let here = folder();
    let mine = |rollout: &str| {
        let file = format!(r#"{{ "kind": "mcts", "iterations": 9, "rollout": "{rollout}" }}"#);
        write(here.path(), "mine.json", &file);
    };
    let ask = ["match", "leapfrog", "./mine.json", "greedy", "--deals", "1"];
    mine("careful");
    fail(here.path(), &ask, 2, &["field `rollout`", "`careful` itself searches"]);
    mine("steady");
    fail(
        here.path(),
        &ask,
        2,
        &["field `rollout`", "`steady` is a strategy of leopard, not of leapfrog"],
    );
    write(here.path(), "other.json", r#"{ "kind": "greedy", "game": "leopard" }"#);
    mine("./other.json");
    fail(here.path(), &ask, 2, &["other.json", "strategy of leopard"]);
}
