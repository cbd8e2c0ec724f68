//! Inputs whose errors once lacked their place, with the messages of today.

use std::path::Path;

use parlour::files::digest;

use crate::cli::common::{experiment, fail, succeed};

#[test]
fn an_unknown_game_has_its_file() {
    let here = tempfile::tempdir().unwrap();
    let text = experiment(4).replace("\"leopard\"", "\"lepard\"");
    std::fs::write(here.path().join("e.json"), text).unwrap();
    let words = ["e.json", "field `game`", "unknown game `lepard`", "`leopard`?"];
    for command in
        [["run", "./e.json"].as_slice(), &["sample-size", "./e.json", "--difference", "0.1"]]
    {
        fail(here.path(), command, 2, &words);
    }
}

#[test]
fn an_unknown_name_has_its_field() {
    let here = tempfile::tempdir().unwrap();
    for (from, to, words) in [
        ("\"running-original\"", "\"runing\"", ["e.json", "field `variants[1]`", "`runing`"]),
        (
            "\"greedy\"",
            "\"gredy\"",
            ["e.json", "field `strategies[2]`", "unknown strategy `gredy`"],
        ),
    ] {
        std::fs::write(here.path().join("e.json"), experiment(4).replace(from, to)).unwrap();
        fail(here.path(), &["run", "./e.json"], 2, &words);
    }
}

/// Changes the header of a run, seal and all.
fn change(folder: &Path, from: &str, to: &str) {
    let file = folder.join("progress.jsonl");
    let was = std::fs::read_to_string(&file).unwrap();
    let (header, chunks) = was.split_once('\n').unwrap();
    let body = header.strip_prefix("{\"body\":").unwrap().rsplit_once(",\"check\"").unwrap().0;
    assert!(body.contains(from), "{body}");
    let body = body.replacen(from, to, 1);
    let is = format!("{{\"body\":{body},\"check\":\"{}\"}}\n{chunks}", &digest(&body)[..16]);
    let manifest = folder.join("manifest.json");
    let said = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(manifest, said.replace(&digest(&was), &digest(&is))).unwrap();
    std::fs::write(file, is).unwrap();
}

#[test]
fn a_wrong_header_has_its_line_and_field() {
    let here = tempfile::tempdir().unwrap();
    let line = "progress.jsonl: line 1";
    let cases = [
        (
            "\"draw\":1",
            "\"draw\":\"x\"",
            ["variant `revised`", "field `rules.draw`", "expected a whole number from 0 to 255"],
        ),
        ("\"draw\":1", "\"draw\":77", ["variant `revised`", "`draw` is 77", "from 1 to 4"]),
        ("\"game\":\"leopard\"", "\"game\":\"lepard\"", ["field `game`", "`lepard`", "`leopard`?"]),
    ];
    std::fs::write(here.path().join("e.json"), experiment(2)).unwrap();
    for (from, to, words) in cases {
        let run = ["run", "./e.json", "--out", "r", "--quiet"];
        succeed(here.path(), &run);
        change(&here.path().join("r"), from, to);
        let words = [words.as_slice(), &[line]].concat();
        let commands: [&[&str]; 4] = [
            &["report", "r"],
            &["show", "r"],
            &["sample-size", "r", "--difference", "0.1"],
            &["merge", "r", "--out", "m"],
        ];
        for command in commands {
            fail(here.path(), command, 2, &words);
        }
        std::fs::remove_dir_all(here.path().join("r")).unwrap();
    }
}
