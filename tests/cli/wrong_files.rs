//! More wrong input: what a file may not be, and numbers out of bounds.

use super::common::{experiment, fail, output, succeed};
use tempfile::TempDir;

/// A folder with this file, `x.json`.
fn holding(bytes: impl AsRef<[u8]>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("x.json"), bytes).unwrap();
    folder
}

/// Expects the run of an experiment file that holds this to be refused.
fn refused(bytes: impl AsRef<[u8]>, words: &[&str]) {
    fail(holding(bytes).path(), &["run", "./x.json", "--threads", "1", "--out", "r"], 2, words);
}

/// The small experiment with one text replaced.
fn edited(from: &str, to: &str) -> String {
    let text = experiment(2);
    assert!(text.contains(from), "{from}");
    text.replace(from, to)
}

#[test]
fn a_number_of_threads_out_of_bounds() {
    let here = tempfile::tempdir().unwrap();
    let commands: [&[&str]; 5] = [
        &["run", "original-vs-revised"],
        &["sample-size", "original-vs-revised", "--difference", "0.1"],
        &["match", "leopard", "random", "random"],
        &["compare", "leopard", "revised", "original", "--strategies", "random"],
        &["science", "--corpus", "test"],
    ];
    for command in commands {
        for count in ["0", "1025", "100000000000"] {
            let words = [count, "1..=1024", "--threads"];
            fail(here.path(), &[command, &["--threads", count]].concat(), 2, &words);
        }
    }
}

#[test]
fn an_unknown_field_is_its_own_place() {
    refused(
        edited("\"deals\"", "\"deal\""),
        &["x.json: line 7 column 8, field `deal`: unknown field `deal`", "Did you mean `deals`?"],
    );
    refused(
        edited("\"hand_size\"", "\"hand_sise\""),
        &["line 4", "field `variants[2].hand_sise`:", "Did you mean `hand_size`?"],
    );
}

#[test]
fn a_file_that_is_no_object() {
    let no_object = |text: &str, found: &str| {
        let words = format!("x.json: line 1 column 1: an object `{{…}}` is expected, not {found}");
        refused(text, &[&words]);
        for arguments in [
            &["match", "leopard", "./x.json", "random"][..],
            &["match", "leopard", "random", "greedy", "--variant", "x.json"],
            &["advise", "x.json"],
        ] {
            fail(holding(text).path(), arguments, 2, &[&words]);
        }
    };
    no_object("[]", "a list");
    no_object("[\"leopard\"]", "a list");
    no_object("\"leopard\"", "a text");
    no_object("7", "a number");
    no_object("null\n", "a single word");
}

#[test]
fn a_file_that_is_empty_or_not_plain_utf_8() {
    refused("", &["x.json: line 1 column 1: it is empty; an object `{…}` is expected"]);
    refused(" \n", &["x.json: line 1 column 1: it is empty"]);
    refused(
        format!("\u{feff}{}", experiment(2)),
        &["x.json: line 1 column 1: the file begins with a byte order mark; save it as UTF-8"],
    );
    refused(
        b"{\n\"about\": \"l\xe9opard\"}",
        &["cannot read ./x.json: line 2 is not UTF-8; save the file as UTF-8"],
    );
}

#[test]
fn too_few_strategies_for_the_schedule() {
    let strategies = "[\"random\", \"random-knocker\", \"greedy\"],\n  \"mirror\": true";
    let too_few = |to: &str, words: &str| refused(edited(strategies, to), &[words]);
    let empty = "`strategies` is empty; name at least two, or one with `\"mirror\": true`";
    too_few("[]", empty);
    too_few("[], \"mirror\": true", empty);
    too_few("[\"random\"]", "`strategies` has only one; name at least two, or set `\"mirror\"");
    too_few(
        "[\"random\"], \"schedule\": \"gauntlet\", \"champion\": \"random\"",
        "at least two `strategies`: the champion and an opponent",
    );
    too_few(
        "[], \"schedule\": \"line-up\", \"line_ups\": []",
        "`strategies` is empty; name all that `line_ups` seats",
    );
    too_few(
        "[\"random\"], \"schedule\": \"line-up\", \"line_ups\": []",
        "`line_ups` is empty; add at least one line-up",
    );
}

#[test]
fn several_unknown_names_with_one_list() {
    let text = r#"{ "kind": "ismcts", "budget": { "iterations": 10 },
        "playouts": { "by": "gredy", "cut_off": { "moves": 5, "evaluator": "zzzzzzzz" } } }"#;
    let output = output(holding(text).path(), &["match", "leopard", "./x.json", "random"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    for word in ["strategy `gredy`. Did you mean `greedy`?", "strategy `zzzzzzzz`"] {
        assert!(said.contains(word), "`{word}` is not in: {said}");
    }
    assert_eq!(said.matches("Known: ").count(), 1, "{said}");
    assert!(!said.contains(".;"), "{said}");
}

#[test]
fn a_knock_value_that_every_square_reaches() {
    refused(
        edited("\"hand_size\": 5", "\"knock_at\": 0"),
        &["variant `short`: `knock_at` is 0; it must be from 1 to 255"],
    );
    // More than a square can be worth is a rule too: nobody knocks.
    let here = holding(r#"{ "name": "never", "base": "revised", "knock_at": 255 }"#);
    let play = ["match", "leopard", "greedy", "greedy", "--variant", "x.json", "--deals", "3"];
    let more = ["--threads", "1", "--quiet", "--records", "h.jsonl"];
    succeed(here.path(), &[&play[..], &more].concat());
    let records = std::fs::read_to_string(here.path().join("h.jsonl")).unwrap();
    assert!(records.lines().count() >= 3);
    assert!(!records.contains("[\"knock\"]"), "nobody knocks");
}
