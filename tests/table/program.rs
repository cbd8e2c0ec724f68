//! `parlour play` as a program: wrong input, saved and resumed hands.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::cli::common::{fail, parlour, refuse, succeed};

/// Enters lines at a table in the terminal.
fn enter(folder: &Path, arguments: &[&str], lines: &str) -> Output {
    let mut command = parlour(folder);
    command.arg("play").args(arguments).arg("--terminal").stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The program may have ended without reading.
    _ = child.stdin.take().unwrap().write_all(lines.as_bytes());
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn an_unfinished_hand_is_resumed() {
    let here = tempfile::tempdir().unwrap();
    let table = ["leapfrog", "--variant", "mini-4x4", "--seed", "2", "--against", "greedy"];
    let left = text(&enter(here.path(), &table, "xa1\n"));
    assert!(left.contains("resume it with `parlour play leapfrog --resume leapfrog-hands.unfinished.json --terminal`"), "{left}");
    let file = here.path().join("leapfrog-hands.unfinished.json");
    let kept = fs::read_to_string(&file).unwrap();
    assert!(kept.contains(r#""moves":["xa1","#), "{kept}");
    // Another table uses another file.
    text(&enter(here.path(), &table, "xa1\n"));
    assert!(here.path().join("leapfrog-hands.unfinished-2.json").exists());
    let resume = ["leapfrog", "--resume", "leapfrog-hands.unfinished.json"];
    let again = text(&enter(here.path(), &resume, "moves\nback\nquit\n"));
    assert!(again.contains("- you: xa1"), "{again}");
    let kept = fs::read_to_string(&file).unwrap();
    assert!(kept.contains(r#""moves":[]"#), "{kept}");
    for (change, words) in [
        (r#""moves":["xz9"]"#, ["field `moves[0]`", "z9"]),
        (r#""moves":["a1-c1"]"#, ["field `moves[0]`", "not legal"]),
        (r#""moves":[1]"#, ["moves[0]", "string"]),
    ] {
        fs::write(&file, kept.replace(r#""moves":[]"#, change)).unwrap();
        let output = enter(here.path(), &resume, "");
        refuse(&output, 2, &["leapfrog-hands.unfinished.json", words[0], words[1]]);
    }
    fs::write(&file, kept.replace("mini-4x4", "mini-5x5")).unwrap();
    refuse(&enter(here.path(), &resume, ""), 2, &["field `rules`", "mini-5x5"]);
    fs::write(&file, kept.replace("\"unfinished\":2", "\"unfinished\":3")).unwrap();
    refuse(&enter(here.path(), &resume, ""), 2, &["field `unfinished`", "format 3"]);
    fs::write(&file, "{").unwrap();
    refuse(&enter(here.path(), &resume, ""), 2, &["leapfrog-hands.unfinished.json", "line 1"]);
    refuse(&enter(here.path(), &["leopard", "--resume", "x.json"], ""), 2, &["x.json"]);
    fs::write(&file, &kept).unwrap();
    let other = ["leopard", "--resume", "leapfrog-hands.unfinished.json"];
    let words = ["field `game`", "this is a hand of `leapfrog`, not of `leopard`"];
    refuse(&enter(here.path(), &other, ""), 2, &words);
}

#[test]
fn wrong_input_is_refused_with_one_clear_message() {
    let here = tempfile::tempdir().unwrap();
    let wrong = |arguments: &[&str], words: &[&str]| fail(here.path(), arguments, 2, words);
    wrong(&["play", "chess"], &["unknown game `chess`"]);
    wrong(&["play", "leopard", "--variant", "revise"], &["Did you mean `revised`?"]);
    wrong(&["play", "leopard", "--against", "stedy"], &["Did you mean `steady`?"]);
    wrong(&["play", "leopard", "--seat", "2"], &["`--seat` is 2", "seats 0 to 1"]);
    wrong(
        &["play", "leopard", "--seats", "3"],
        &["`--seats` is 3", "every table of leopard has 2"],
    );
    wrong(&["play", "leopard", "--against", "greedy,steady"], &["names 2", "1 other seat"]);
    wrong(&["play", "leopard", "--ascii"], &["--terminal"]);
    wrong(&["play", "leopard", "--port", "0"], &["--port"]);
    wrong(&["play", "leopard", "--save", "."], &["--save", "it is a folder"]);
    wrong(&["play", "leopard", "--save", "no/x.jsonl"], &["--save", "there is no folder no"]);
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    wrong(&["play", "leopard", "--no-open", "--port", &port], &["`--port`", &port, "in use"]);
    fs::write(here.path().join("x.json"), r#"{"kind":"external","command":["no-such-program"]}"#)
        .unwrap();
    wrong(&["play", "leopard", "--against", "x.json"], &["strategy `x`", "no-such-program"]);
    assert_eq!(fs::read_dir(here.path()).unwrap().count(), 1, "nothing else was written");
}

#[test]
fn own_variants_and_own_programs_are_played() {
    let here = tempfile::tempdir().unwrap();
    let variant = r#"{"name":"tiny","base":"revised","hand_size":3,"knock_at":1}"#;
    fs::write(here.path().join("tiny.json"), variant).unwrap();
    let player = r#"while read line; do case "$line" in
        *'"type":"hello"'*) echo '{"protocol":1,"name":"x"}' ;;
        *'"type":"choose"'*) exit 3 ;; esac; done"#;
    let player = serde_json::json!({ "kind": "external", "command": ["sh", "-c", player] });
    fs::write(here.path().join("mine.json"), player.to_string()).unwrap();
    let table = ["leopard", "--variant", "tiny.json", "--against", "mine.json", "--seed", "1"];
    let said = text(&enter(here.path(), &table, "moves\n"));
    assert!(said.contains("holds 3 cards"), "{said}");
    let first =
        said.lines().find_map(|line| line.strip_prefix("your move> Legal moves: ")).unwrap();
    let first = format!("{}\nresign\nquit\n", first.split(", ").next().unwrap());
    let said = enter(here.path(), &table, &first);
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(said.contains("mine at seat 1 failed: it exited"), "{said}");
    assert!(said.contains("The hand was ended early."), "{said}");
    let help = succeed(here.path(), &["play", "--help"]);
    assert!(help.contains("only with its address"), "{help}");
}

#[test]
fn the_addresses_are_printed_for_programs_and_the_hand_stays_private() {
    let here = tempfile::tempdir().unwrap();
    let play =
        "umask 077; exec \"$0\" play leopard --seat 0 --seat 1 --no-open --save \"my hands.jsonl\"";
    let mut command = Command::new("sh");
    command.args(["-c", play, env!("CARGO_BIN_EXE_parlour")]).current_dir(here.path());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let lines: Vec<String> = lines.take(4).collect();
    let start = format!("{} http://127.0.0.1:", "The table:");
    assert!(lines[0].starts_with(&start), "{lines:?}");
    for seat in 0..2 {
        let start = format!("Seat {seat} alone: http://127.0.0.1:");
        assert!(lines[seat + 1].starts_with(&start), "{lines:?}");
    }
    assert!(lines[3].contains("Ctrl-C"), "{lines:?}");
    let saved = here.path().join("my hands.unfinished.json");
    let mode = fs::metadata(&saved).unwrap().permissions().mode();
    assert_eq!(mode & 0o077, 0, "the umask holds: {mode:o}");
    // A second table cannot resume the hand.
    let resume = ["play", "leopard", "--resume", "my hands.unfinished.json"];
    fail(here.path(), &resume, 2, &["another table plays the hand"]);
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let said = String::from_utf8_lossy(&output.stderr);
    let hint = "`parlour play leopard --resume 'my hands.unfinished.json' --save 'my hands.jsonl'`";
    assert!(said.contains(hint), "{said}");
    // The file to resume is no file of records.
    let same = [&resume[..], &["--save", "my hands.unfinished.json"]].concat();
    fail(here.path(), &same, 2, &["other contents than records", "--save"]);
    assert!(saved.exists());
}
