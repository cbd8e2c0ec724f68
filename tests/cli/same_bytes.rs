//! The same bytes for any number of threads, shards, interruptions and resumptions.

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use super::common::{experiment, output, parlour, same, succeed};

const BOOKS: [&str; 2] = ["--hands", "--records"];

fn write(folder: &Path, deals: u64) {
    std::fs::write(folder.join("e.json"), experiment(deals)).unwrap();
}

fn run(folder: &Path, out: &str, more: &[&str]) {
    let arguments = [&["run", "./e.json", "--quiet", "--out", out], &BOOKS[..], more].concat();
    succeed(folder, &arguments);
}

#[test]
fn for_one_two_and_seven_threads() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), 40);
    for threads in ["1", "2", "7"] {
        run(folder.path(), threads, &["--threads", threads]);
    }
    same(&folder.path().join("1"), &folder.path().join("2"));
    same(&folder.path().join("1"), &folder.path().join("7"));
}

#[test]
fn for_one_run_and_five_shards_merged() {
    let folder = tempfile::tempdir().unwrap();
    // More deals than chunks, so that chunks differ in size.
    write(folder.path(), 150);
    run(folder.path(), "whole", &[]);
    for part in 1..=5 {
        run(folder.path(), &format!("shard{part}"), &["--shard", &format!("{part}/5")]);
    }
    // In any order.
    let merge = ["merge", "shard3", "shard1", "shard5", "shard2", "shard4", "--out", "merged"];
    succeed(folder.path(), &merge);
    same(&folder.path().join("whole"), &folder.path().join("merged"));
}

#[test]
fn for_a_run_with_a_network_repeated_by_its_manifest() {
    let here = tempfile::tempdir().unwrap();
    let players = ["self-taught", "greedy", "--deals", "4", "--quiet"];
    succeed(here.path(), &[&["tournament", "leopard"], &players[..], &["--out", "a"]].concat());
    succeed(here.path(), &["run", "a/manifest.json", "--out", "b", "--quiet"]);
    let read = |folder: &str| std::fs::read(here.path().join(folder).join("matchups.csv")).unwrap();
    assert_eq!(read("a"), read("b"));
}

#[test]
fn the_digest_of_the_results_depends_on_the_findings_alone() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::create_dir(here.join("else")).unwrap();
    write(here, 20);
    write(&here.join("else"), 20);
    run(here, "one", &[]);
    succeed(here, &["run", "else/e.json", "--quiet", "--out", "other"]);
    run(here, "changed", &["--seed", "8"]);
    let digest = |out: &str| {
        let text = std::fs::read_to_string(here.join(out).join("manifest.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
        manifest["results_digest"].as_str().unwrap().to_owned()
    };
    assert_eq!(digest("one").len(), 64);
    assert_eq!(digest("one"), digest("other"), "another path, without lists of hands");
    assert_ne!(digest("one"), digest("changed"));
}

#[test]
fn for_shards_that_divide_chunks() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    // Six deals a chunk.
    write(here, 384);
    run(here, "whole", &[]);
    // Whole chunks but for four pairs of them, and four deals each of these.
    let whole = (1..=14).map(|part| (part, 16));
    let divided = [22, 46, 70, 94].into_iter().flat_map(|first| first..first + 3);
    let mut merge = vec!["merge".to_owned(), "--out".to_owned(), "merged".to_owned()];
    for (part, of) in whole.chain(divided.map(|part| (part, 96))) {
        let name = format!("{part}-of-{of}");
        run(here, &name, &["--shard", &format!("{part}/{of}")]);
        merge.insert(3, name);
    }
    let merge: Vec<&str> = merge.iter().map(String::as_str).collect();
    succeed(here, &merge);
    same(&here.join("whole"), &here.join("merged"));
}

/// Starts a run and waits until it has finished some chunks.
fn start(folder: &Path, chunks: usize, more: &[&str]) -> Child {
    let mut child = parlour(folder)
        .args(["run", "./e.json", "--quiet", "--threads", "2", "--out", "broken"])
        .args(BOOKS)
        .args(more)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let progress = folder.join("broken/progress.jsonl");
    let finished =
        || std::fs::read(&progress).map_or(0, |b| b.iter().filter(|&&b| b == b'\n').count());
    while finished() < 1 + chunks && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    child
}

#[test]
fn for_one_run_and_one_killed_three_times_and_resumed() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), 400);
    run(folder.path(), "whole", &[]);
    for (chunks, more) in [(5, &[][..]), (20, &["--resume"][..]), (45, &["--resume"][..])] {
        let mut child = start(folder.path(), chunks, more);
        // A moment more that nobody chose, so that the kill falls anywhere within a chunk.
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        std::thread::sleep(Duration::from_micros(u64::from(now.subsec_nanos()) % 20_000));
        // On unix this is SIGKILL: nothing is tidied up.
        child.kill().unwrap();
        assert!(!child.wait().unwrap().success(), "killed, not finished");
        assert!(!folder.path().join("broken/manifest.json").exists());
    }
    run(folder.path(), "broken", &["--resume"]);
    same(&folder.path().join("whole"), &folder.path().join("broken"));
    // Once more, with nothing left to do.
    run(folder.path(), "broken", &["--resume"]);
    same(&folder.path().join("whole"), &folder.path().join("broken"));
}

#[cfg(unix)]
#[test]
fn for_one_run_and_one_stopped_by_ctrl_c() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), 400);
    run(folder.path(), "whole", &[]);
    let child = start(folder.path(), 10, &[]);
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output_of_it = child.wait_with_output().unwrap();
    super::common::refuse(&output_of_it, 130, &["hands are saved in broken", "--resume"]);
    // Without --resume the finished work is not thrown away.
    let again = output(folder.path(), &["run", "./e.json", "--out", "broken"]);
    super::common::refuse(&again, 2, &["unfinished run", "--resume"]);
    run(folder.path(), "broken", &["--resume"]);
    same(&folder.path().join("whole"), &folder.path().join("broken"));
}

/// An experiment that ends when a sequential test has decided.
const DECIDED: &str = r#"{
  "game": "leopard", "variants": ["revised"], "strategies": ["steady-plain", "random-knocker", "greedy"],
  "deals": 640, "seed": 7, "until": { "sprt": { "elo0": 0, "elo1": 40 } },
  "luck_adjusted": true
}"#;

#[test]
fn for_a_run_that_ends_early_by_any_threads_and_shards() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("e.json"), DECIDED).unwrap();
    for threads in ["1", "2", "7"] {
        run(here, threads, &["--threads", threads]);
    }
    same(&here.join("1"), &here.join("2"));
    same(&here.join("1"), &here.join("7"));
    let read = |name: &str| std::fs::read_to_string(here.join("1").join(name)).unwrap();
    let chunks = read("progress.jsonl").lines().count() - 1;
    assert!((2..64).contains(&chunks), "it ends early: {chunks}");
    assert!(read("matchups.csv").contains(",upper,"), "a verdict");
    assert!(read("report.html").contains("The run ended after"));
    assert!(read("report.html").contains("remaining variance"));
    for part in 1..=3 {
        run(here, &format!("shard{part}"), &["--shard", &format!("{part}/3")]);
    }
    succeed(here, &["merge", "shard1", "shard2", "shard3", "--out", "merged"]);
    same(&here.join("1"), &here.join("merged"));
}

#[test]
fn for_a_winner_measured_again_by_any_threads_and_shards() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let text =
        experiment(40).replacen("\"mirror\": true", "\"mirror\": true, \"confirm\": true", 1);
    std::fs::write(here.join("e.json"), text).unwrap();
    run(here, "1", &["--threads", "1"]);
    run(here, "3", &["--threads", "3"]);
    for part in 1..=2 {
        run(here, &format!("shard{part}"), &["--shard", &format!("{part}/2")]);
    }
    succeed(here, &["merge", "shard2", "shard1", "--out", "merged"]);
    let read = |run: &str, name: &str| std::fs::read_to_string(here.join(run).join(name)).unwrap();
    for other in ["3", "merged"] {
        same(&here.join("1"), &here.join(other));
        let fresh = "confirm/progress.jsonl";
        assert!(read("1", fresh) == read(other, fresh), "{other}");
    }
    // Each of the three variants has its best against two others, on other deals than the run's.
    let rows: Vec<String> = read("1", "confirmed.csv").lines().map(str::to_owned).collect();
    assert_eq!(rows.len(), 1 + 3 * 2, "{rows:?}");
    let cells: Vec<&str> = rows[1].split(',').collect();
    assert_eq!(cells[6], "40");
    assert_ne!(cells[3], cells[7], "as good on fresh deals to the last digit");
    let page = read("1", "report.html");
    assert!(page.contains("Confirmed on fresh deals"));
    succeed(here, &["report", "1"]);
    assert!(read("1", "report.html") == page, "written again, it is the same");
}
