//! One meaning of each exit status, whatever the command.

use std::fs;

use super::common::{experiment, fail, parlour, succeed};

/// Bad input and wrong usage are 2 for every command that takes any.
#[test]
fn bad_input_has_status_2() {
    let here = tempfile::tempdir().unwrap();
    fs::write(here.path().join("no.json"), "{ \"game\": ").unwrap();
    fs::create_dir(here.path().join("empty")).unwrap();
    let lines = "run no.json
run nosuch
run none/none.json
merge empty --out m
plan no.json --difference 0.1
show empty
report empty
match leopard random nosuch
match ludo random random
compare leopard revised nosuch --strategies random
sweep leopard revised nosuch=1..3 --strategies random
tune nosuch
replay no.json
replay none.jsonl
replay none.jsonl --lost-by x
review none.jsonl
review no.json
verify no.json
verify empty
verify none.jsonl
solve leapfrog nosuch
solve leopard revised
check-certificate no.json
advise no.json
rule show nosuch
rule compare red nosuch
science no.json
list nosuch
bench --nosuch
schema nosuch
completions nosuch
nosuch";
    for line in lines.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        fail(here.path(), &words, 2, &[]);
    }
}

/// A failure of the machine has status 1.
#[test]
fn failed_writes_have_status_1() {
    let here = tempfile::tempdir().unwrap();
    fs::write(here.path().join("file"), "").unwrap();
    fs::write(here.path().join("e.json"), experiment(2)).unwrap();
    succeed(here.path(), &["run", "e.json", "--out", "r", "--quiet"]);
    let lines = "run e.json --out file
merge r --out file/x
match leopard random greedy --deals 2 --out file
match leopard random greedy --deals 2 --records file/x
compare leopard revised original --strategies random --deals 2 --out file
science --corpus test --strategy random --deals 1 --out file";
    for line in lines.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        fail(here.path(), &words, 1, &["file"]);
    }
}

/// A record that is none is bad input; a hand against the rules is what `verify` looks for.
#[test]
fn an_illegal_hand_has_status_1_and_a_non_record_2() {
    let here = tempfile::tempdir().unwrap();
    let hands = ["match", "leopard", "greedy", "random", "--deals", "1", "--records", "h.jsonl"];
    succeed(here.path(), &hands);
    let good = fs::read_to_string(here.path().join("h.jsonl")).unwrap();
    let cases = [
        ("\"format\":1", "\"format\":2", 2, "reads format 1, not 2"),
        ("\"knock_at\":7", "\"knock_at\":6", 1, "`knock_at` is 7"),
        ("\"acts\":[\"", "\"acts\":[\"no\",\"", 1, "turn 1, act 1: `no` is not a move"),
        ("\"values\":[", "\"values\":[99,", 1, "the values of the squares"),
        ("\"knock_at\":7", "\"knock_at\":\"7\"", 2, "field `rules.knock_at`"),
        ("\"dealt\":[[\"", "\"dealt\":[[\"1S\",\"", 2, "`1S` is not a card"),
        ("\"turns\"", "\"turn\"", 2, "missing field `turns`"),
        ("\"game\":\"leopard\"", "\"game\":\"ludo\"", 2, "unknown game `ludo`"),
        ("{", "[", 2, "line 1"),
    ];
    for (from, to, status, words) in cases {
        assert!(good.contains(from), "{from}");
        fs::write(here.path().join("x.jsonl"), good.replacen(from, to, 1)).unwrap();
        fail(here.path(), &["verify", "x.jsonl"], status, &["x.jsonl: line 1", words]);
        if status == 1 {
            let output =
                parlour(here.path()).args(["verify", "x.jsonl", "--json"]).output().unwrap();
            let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(said["hands"], 0);
            assert!(said["broken"].as_str().unwrap().contains(words), "{said}");
            // What can be shown is shown, and its fault told, on a page too.
            fail(here.path(), &["replay", "x.jsonl"], 1, &["x.jsonl: line 1", words]);
            let page = ["replay", "x.jsonl", "--html", "x.html", "--replace"];
            fail(here.path(), &page, 1, &["x.jsonl: line 1", words]);
        }
        if status == 2 && words != "reads format 1, not 2" {
            fail(here.path(), &["replay", "x.jsonl"], status, &["x.jsonl: line 1", words]);
        }
    }
}
