//! Finished runs are kept: refusals, numbered folders and replacements.

use std::fs;
use std::path::Path;

use super::common::{experiment, fail, files, same, succeed};

/// A folder with an experiment and its finished run in `r`.
fn ran(deals: u64) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("e.json"), experiment(deals)).unwrap();
    run(folder.path(), &["--out", "r"]);
    folder
}

fn run(here: &Path, more: &[&str]) -> String {
    succeed(here, &[&["run", "./e.json"], more].concat())
}

#[test]
fn a_finished_run_is_kept_with_a_hint() {
    let folder = ran(3);
    let here = folder.path();
    let before = files(&here.join("r"));
    let words = ["r already contains a finished run of `e`, 3 deals, from less than a minute ago"];
    let ways = ["--resume", "--deals", "--out", "--replace"];
    let all = [&words[..], &ways].concat();
    fail(here, &["run", "./e.json", "--out", "r"], 2, &all);
    fail(here, &["run", "./e.json", "--deals", "9", "--out", "r"], 2, &all);
    fail(here, &["match", "leopard", "greedy", "random", "--deals", "3", "--out", "r"], 2, &all);
    let compare = ["compare", "leopard", "original", "revised", "--strategies", "greedy"];
    fail(here, &[&compare[..], &["--deals", "3", "--out", "r"]].concat(), 2, &all);
    // Commands without `--resume` do not name it.
    let others = [&words[..], &["Use `--out DIR`, or `--replace` to rerun\n"]].concat();
    let science = ["science", "--corpus", "test", "--deals", "1", "--out", "r"];
    fail(here, &science, 2, &others);
    for part in ["1/2", "2/2"] {
        run(here, &["--shard", part]);
    }
    let shards = ["results/e-shard-1-of-2", "results/e-shard-2-of-2"];
    fail(here, &["merge", shards[0], shards[1], "--out", "r"], 2, &others);
    assert!(files(&here.join("r")) == before, "not a byte of it has changed");
    succeed(here, &["merge", shards[0], shards[1], "--out", "results/whole"]);
    same(&here.join("r"), &here.join("results/whole"));
    let index = fs::read_to_string(here.join("results/index.html")).unwrap();
    assert!(index.contains("whole/report.html"), "the index lists the merged run");
}

#[test]
fn a_replaced_run_keeps_foreign_files() {
    let folder = ran(3);
    let here = folder.path();
    fs::write(here.join("r/notes.txt"), "mine").unwrap();
    run(here, &["--deals", "5", "--out", "other"]);
    run(here, &["--deals", "5", "--out", "r", "--replace"]);
    assert_eq!(fs::read_to_string(here.join("r/notes.txt")).unwrap(), "mine");
    fs::remove_file(here.join("r/notes.txt")).unwrap();
    same(&here.join("r"), &here.join("other"));
    let left = ["r.new", "r.old"].map(|name| here.join(name).exists());
    assert_eq!(left, [false; 2]);
}

#[test]
fn only_results_of_this_program_are_replaced() {
    let folder = ran(3);
    let here = folder.path();
    fs::create_dir(here.join("mine")).unwrap();
    for (file, text) in [("notes.txt", "x"), ("matchups.csv", "a,b\n"), ("manifest.json", "{}")] {
        let place = here.join("mine").join(file);
        fs::write(&place, text).unwrap();
        let words = ["mine", "no", "results", "--out"];
        fail(here, &["run", "./e.json", "--out", "mine", "--replace"], 2, &words);
        assert_eq!(fs::read_to_string(&place).unwrap(), text);
    }
    // What no run wrote is not written over by one that says nothing.
    fail(here, &["run", "./e.json", "--out", "mine"], 2, &["manifest.json", "did not write"]);
    let both = ["run", "./e.json", "--out", "r", "--replace", "--resume"];
    fail(here, &both, 2, &["cannot be used with"]);
}

#[test]
fn a_run_without_out_uses_the_next_free_folder() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("e.json"), experiment(2)).unwrap();
    for name in ["results/e", "results/e-2", "results/e-3"] {
        let said = run(here, &[]);
        assert!(said.contains(&format!("Results: {name}\n")), "{said}");
    }
    // `--resume` continues the unfinished run.
    fs::remove_file(here.join("results/e-2/manifest.json")).unwrap();
    fail(here, &["run", "./e.json"], 2, &["results/e-2 contains an unfinished run", "--resume"]);
    assert!(run(here, &["--resume"]).contains("Results: results/e-2\n"));
    same(&here.join("results/e"), &here.join("results/e-2"));
    // Which of several is to be replaced must be said.
    fail(here, &["run", "./e.json", "--replace"], 2, &["results/e and results/e-2", "`--out`"]);
    fs::remove_dir_all(here.join("results/e-2")).unwrap();
    assert!(run(here, &["--replace"]).contains("Results: results/e\n"));
    assert!(!here.join("results/e-4").exists());
}

#[test]
fn a_kill_between_two_renames_is_recovered() {
    let folder = ran(3);
    let here = folder.path();
    let of = |name: &str| here.join(name);
    run(here, &["--deals", "5", "--out", "new"]);
    run(here, &["--deals", "5", "--out", "good"]);
    // The old one has gone, the new one has not come.
    fs::rename(of("r"), of("r.old")).unwrap();
    fs::rename(of("new"), of("r.new")).unwrap();
    fail(here, &["run", "./e.json", "--out", "r"], 2, &["contains a finished run", "5 deals"]);
    same(&of("r"), &of("good"));
    // The new one has come, the old one has not gone.
    run(here, &["--out", "old"]);
    fs::rename(of("old"), of("r.old")).unwrap();
    fail(here, &["run", "./e.json", "--out", "r"], 2, &["contains a finished run", "5 deals"]);
    assert!(!of("r.old").exists());
}

#[test]
fn existing_records_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let quick = ["match", "leopard", "greedy", "random", "--deals", "2", "--records", "r.jsonl"];
    succeed(here, &quick);
    let before = fs::read(here.join("r.jsonl")).unwrap();
    let other = [&quick[..], &["--seed", "2"]].concat();
    fail(here, &other, 2, &["r.jsonl already exists", "--replace"]);
    assert!(fs::read(here.join("r.jsonl")).unwrap() == before);
    succeed(here, &[&other[..], &["--replace"]].concat());
    assert!(fs::read(here.join("r.jsonl")).unwrap() != before);
    fail(here, &[&quick[..6], &["--resume"]].concat(), 2, &["`--resume` needs", "--out"]);
}
