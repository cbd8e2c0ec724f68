//! Helpers that the tests of the command share.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

/// The program, to be run in a folder of its own.
pub fn parlour(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_parlour"));
    command.current_dir(folder).env("NO_COLOR", "1");
    command
}

/// Runs it; what it said on standard error is there for the message of a failure.
pub fn output(folder: &Path, arguments: &[&str]) -> Output {
    parlour(folder).args(arguments).output().expect("the program starts")
}

/// Runs it and expects success; returns standard output.
pub fn succeed(folder: &Path, arguments: &[&str]) -> String {
    let output = output(folder, arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Runs it and expects this status, one message on standard error that holds all the words, and no
/// panic.
pub fn fail(folder: &Path, arguments: &[&str], status: i32, words: &[&str]) {
    refuse(&output(folder, arguments), status, words);
}

/// Expects a refusal, as [`fail`] does.
pub fn refuse(output: &Output, status: i32, words: &[&str]) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{said}");
    assert!(!said.contains("panicked"), "{said}");
    assert!(said.lines().count() <= 12, "one message, not {said}");
    for word in words {
        assert!(said.contains(word), "`{word}` is not in: {said}");
    }
}

/// An experiment with everything a record can show: several variants, matches, many plays.
pub fn experiment(deals: u64) -> String {
    format!(
        r#"{{
  "about": "a small one",
  "game": "leopard",
  "variants": ["revised", "running-original", {{ "name": "short", "base": "denexa", "hands_per_match": 2, "hand_size": 5 }}],
  "strategies": ["random", "random-knocker", "greedy"],
  "mirror": true,
  "deals": {deals},
  "seed": 7
}}"#
    )
}

/// Every file of a result folder, the manifest without its timing.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).expect("a result folder");
    let mut files = BTreeMap::new();
    for entry in entries {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let mut bytes = std::fs::read(&path).unwrap_or_default();
        if name == "manifest.json" {
            let mut json: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
            json.as_object_mut().expect("an object").remove("timing").expect("a timing");
            bytes = serde_json::to_vec(&json).expect("JSON");
        }
        files.insert(name, bytes);
    }
    files
}

/// Expects two result folders to hold the same files with the same bytes.
pub fn same(one: &Path, other: &Path) {
    let (one, other) = (files(one), files(other));
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&one), names(&other));
    for (name, bytes) in &one {
        assert!(*bytes == other[name], "{name} differs");
    }
}

/// A column of a table, as text.
pub fn column(folder: &Path, table: &str, name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_path(folder.join(table)).unwrap();
    let at = reader.headers().unwrap().iter().position(|head| head == name).expect(name);
    reader.records().map(|row| row.unwrap()[at].to_owned()).collect()
}
