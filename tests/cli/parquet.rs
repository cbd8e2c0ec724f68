//! `--format parquet`: the same bytes for any number of threads, shards and interruptions.

use std::fs;
use std::path::Path;
use std::time::Duration;

use super::common::{experiment, fail, files, parlour, same, succeed};

const RUN: [&str; 7] =
    ["run", "./e.json", "--quiet", "--hands", "--records", "--format", "parquet"];

/// A folder with an experiment and its whole run in `whole`.
fn whole(deals: u64) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("e.json"), experiment(deals)).unwrap();
    run(folder.path(), "whole", &["--threads", "1"]);
    folder
}

fn run(here: &Path, out: &str, more: &[&str]) {
    succeed(here, &[&RUN[..], &["--out", out], more].concat());
}

fn same_lists(here: &Path, out: &str) {
    same(&here.join("whole"), &here.join(out));
    for list in ["hands.parquet", "records.parquet"] {
        let [one, other] = ["whole", out].map(|run| files(&here.join(run).join(list)));
        assert!(one == other && one.contains_key("000000.parquet"), "{out}: {list}");
    }
}

#[test]
fn threads_and_shards_give_the_same_bytes() {
    let folder = whole(40);
    let here = folder.path();
    run(here, "seven", &["--threads", "7"]);
    same_lists(here, "seven");
    for shard in ["1/3", "2/3", "3/3"] {
        run(here, &shard[..1], &["--shard", shard]);
    }
    succeed(here, &["merge", "3", "1", "2", "--out", "merged"]);
    same_lists(here, "merged");
    // More shards than chunks: a chunk is divided between shards.
    let folder = whole(150);
    let here = folder.path();
    for part in 1..=5 {
        run(here, &part.to_string(), &["--shard", &format!("{part}/5")]);
    }
    succeed(here, &["merge", "1", "2", "3", "4", "5", "--out", "merged"]);
    same_lists(here, "merged");
}

#[test]
fn a_killed_run_is_resumed_and_a_damaged_chunk_played_again() {
    let folder = whole(300);
    let here = folder.path();
    for damage in [None, Some(0), Some(100)] {
        let arguments = [&RUN[..], &["--out", "killed", "--threads", "2"]].concat();
        let mut child = parlour(here).args(arguments).spawn().unwrap();
        let chunk = here.join("killed/.checkpoints/records-000000");
        while !chunk.exists() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(Duration::from_millis(50));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(chunk.exists(), "it was finished too soon");
        if let Some(length) = damage {
            fs::File::options().write(true).open(&chunk).unwrap().set_len(length).unwrap();
        }
        run(here, "killed", &["--resume"]);
        same_lists(here, "killed");
        fs::remove_dir_all(here.join("killed")).unwrap();
    }
}

#[test]
fn lists_of_another_run_or_format_are_refused() {
    let folder = whole(3);
    let here = folder.path();
    fs::create_dir_all(here.join("other/hands.parquet")).unwrap();
    let other = [&RUN[..], &["--out", "other"]].concat();
    fail(here, &other, 2, &["other is not a results folder", "did not write its hands.parquet"]);
    fail(here, &[&RUN[..], &["--out", "whole"]].concat(), 2, &["whole already contains"]);
    let text = ["run", "./e.json", "--hands", "--records", "--out", "whole", "--resume"];
    fail(here, &text, 2, &["other `--hands`, `--records` or `--format`"]);
    fail(here, &["verify", "whole/records.parquet"], 2, &["it is Parquet", "--format text"]);
    let none = ["run", "./e.json", "--format", "parquet", "--out", "none"];
    fail(here, &none, 2, &["`--format parquet` needs `--hands` or `--records`"]);
    let file = here.join("whole/hands.parquet/000001.parquet");
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[1..]).unwrap();
    let resume = [&RUN[..], &["--out", "whole", "--resume"]].concat();
    fail(here, &resume, 2, &["000001.parquet", "cut or edited"]);
    run(here, "whole", &["--replace"]);
    assert!(fs::read(&file).unwrap() == bytes);
    // Text replaces Parquet, with nothing left over.
    succeed(here, &[&text[..6], &["--replace", "--quiet"]].concat());
    assert!(!here.join("whole/hands.parquet").exists() && here.join("whole/hands.csv").exists());
}
