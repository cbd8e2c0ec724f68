//! `parlour solve`, including a killed and resumed search, and `parlour check-certificate`.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::common::{fail, parlour, succeed};

fn solved(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_killed_solve_resumes_to_the_same_answer() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let solve = ["solve", "leapfrog", "mini-4x6", "--threads", "1", "--json"];
    let whole = solved(&succeed(here, &solve));
    let saving = [&solve[..], &["--save", "saved"]].concat();
    let mut command = parlour(here);
    let mut child = command.args(&saving).stdout(Stdio::null()).spawn().unwrap();
    let lines = || fs::read_to_string(here.join("saved")).map_or(0, |text| text.lines().count());
    let began = Instant::now();
    while lines() < 10 && began.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(lines() >= 10);
    let again = solved(&succeed(here, &saving));
    let searched = |solved: &Value| solved["positions"].as_u64().unwrap();
    assert!(searched(&again) < searched(&whole));
    for field in ["value", "first_captures", "best_first_captures", "first_moves"] {
        assert_eq!(again[field], whole[field], "{field}");
    }
    let other = ["solve", "leapfrog", "mini-4x5", "--save", "saved"];
    fail(here, &other, 2, &["saved", "line 1", "not a saved search of this board", "4 by 5"]);
}

#[test]
fn boards_that_are_too_large_or_of_other_pieces_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let solve = |variant| ["solve", "leapfrog", variant, "--memory", "64"];
    fail(folder.path(), &solve("mini-6x7"), 2, &["more than 40 pieces", "this one has 42"]);
    fail(folder.path(), &solve("original"), 2, &["more than 60 cells", "this one has 225"]);
    fail(folder.path(), &solve("mini-1x61"), 2, &["more than 60 cells"]);
    let of = |variant, board| ["solve", "leapfrog", variant, "--board", board];
    let words = ["`r` on a1 is not a piece of these rules", "`murray-mini-4x4`"];
    fail(folder.path(), &of("mini-2x2", "rg/oo"), 2, &words);
}

#[test]
fn certificates_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (variant, file) in [("mini-3x4", "a.json"), ("mini-1x24", "b.json")] {
        succeed(here, &["solve", "leapfrog", variant, "--certificate", file]);
    }
    let again = ["solve", "leapfrog", "mini-3x4", "--certificate", "a.json"];
    fail(here, &again, 2, &["a.json exists", "`--replace` to overwrite it"]);
    succeed(here, &[&again[..], &["--replace"]].concat());
    let text = succeed(here, &["check-certificate", "a.json", "b.json"]);
    assert!(text.contains("3 × 4, plain has the value +0"), "{text}");
    assert!(text.contains("1 × 24, plain has the value +1"), "{text}");
    let json = solved(&succeed(here, &["check-certificate", "a.json", "--json"]));
    assert_eq!(json["certificates"][0]["value"], 0);
    let of = |board| ["check-certificate", "a.json", "--board", board];
    succeed(here, &of("oooo/oooo/oooo"));
    fail(here, &of("oooo/oooo/ooo."), 2, &["a.json", "the certificate is for another board"]);
    let text = fs::read_to_string(here.join("a.json")).unwrap();
    fs::write(here.join("a.json"), text.replace("\"value\": 0", "\"value\": 1")).unwrap();
    fail(
        here,
        &["check-certificate", "a.json"],
        2,
        &["a.json", "changed or cut after it was written"],
    );
    fs::write(here.join("a.json"), &text[..100]).unwrap();
    fail(here, &["check-certificate", "a.json"], 2, &["a.json", "line"]);
}

#[test]
fn a_custom_variant_is_solved() {
    let folder = tempfile::tempdir().unwrap();
    let variant = r#"{"name":"across","base":"mini-3x5","diagonal":true}"#;
    fs::write(folder.path().join("across.json"), variant).unwrap();
    let solved = solved(&succeed(folder.path(), &["solve", "leapfrog", "across.json", "--json"]));
    assert_eq!(solved["value"], 1);
    let plain = ["solve", "leapfrog", "mini-3x5"];
    assert!(succeed(folder.path(), &plain).contains("value +0 for the first seat"));
}
