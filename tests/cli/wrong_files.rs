//! More wrong input: what a file may not be, and numbers out of bounds.

use crate::common::{fail, output};
use tempfile::TempDir;

/// A folder with this file, `x.json`.
fn holding(bytes: impl AsRef<[u8]>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("x.json"), bytes).unwrap();
    folder
}

#[test]
fn a_number_of_threads_out_of_bounds() {
    let here = tempfile::tempdir().unwrap();
    let commands: [&[&str]; 5] = [
        &["run", "original-vs-revised"],
        &["plan", "original-vs-revised", "--difference", "0.1"],
        &["match", "leopard", "random", "random"],
        &["compare", "leopard", "revised", "original", "--strategies", "random"],
        &["science", "--bank", "test"],
    ];
    for command in commands {
        for count in ["0", "1025", "100000000000"] {
            let words = [count, "1..=1024", "--threads"];
            fail(here.path(), &[command, &["--threads", count]].concat(), 2, &words);
        }
    }
}

#[test]
fn several_unknown_names_with_one_list() {
    let text = r#"{ "kind": "ismcts", "iterations": 10, "rollout": "gredy", "judge": "zzzzzzzz" }"#;
    let output = output(holding(text).path(), &["match", "leopard", "./x.json", "random"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    for word in ["strategy `gredy`. Did you mean `greedy`?", "strategy `zzzzzzzz`"] {
        assert!(said.contains(word), "`{word}` is not in: {said}");
    }
    assert_eq!(said.matches("Known: ").count(), 1, "{said}");
    assert!(!said.contains(".;"), "{said}");
}
