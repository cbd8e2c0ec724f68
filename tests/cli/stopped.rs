//! A stopped command prints or saves its work, and resumes from the hand where it stopped.

use std::fs;
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

use super::common::{experiment, fail, parlour, refuse, same, succeed};

fn start(here: &Path, arguments: &[&str]) -> Child {
    let mut command = parlour(here);
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until something is true, or half a minute has passed.
fn wait(what: impl Fn() -> bool) {
    let began = Instant::now();
    while !what() && began.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(what(), "it never came");
}

/// Stops a program as Ctrl-C does, after some milliseconds.
#[cfg(unix)]
fn stop(child: Child, after: u64) -> Output {
    std::thread::sleep(Duration::from_millis(after));
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    child.wait_with_output().unwrap()
}

#[test]
fn an_extended_run_has_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let confirmed =
        experiment(300).replacen("\"mirror\": true", "\"mirror\": true, \"confirm\": true", 1);
    fs::write(here.join("e.json"), confirmed).unwrap();
    let run = |more: &[&str]| succeed(here, &[&["run", "./e.json", "--quiet"], more].concat());
    run(&["--out", "whole"]);
    // Fewer than there are chunks, no multiple, half, and once more with nothing to do.
    for deals in ["20", "97", "150", "300", "300"] {
        run(&["--out", "grown", "--resume", "--deals", deals]);
        assert!(!here.join("grown.new").exists() && !here.join("grown/.checkpoints").exists());
    }
    same(&here.join("whole"), &here.join("grown"));
    let fresh = "confirm/progress.jsonl";
    let read = |run: &str| fs::read(here.join(run).join(fresh)).unwrap();
    assert!(read("whole") == read("grown"), "{fresh}");
    let less = ["run", "./e.json", "--out", "grown", "--resume", "--deals", "20"];
    fail(here, &less, 2, &["the run has 300 deals; `--deals` must be at least 300", "grown"]);
    let other = ["run", "./e.json", "--out", "grown", "--resume", "--deals", "400", "--seed", "3"];
    fail(here, &other, 2, &["the experiment has changed"]);
    run(&["--out", "listed", "--hands", "--deals", "3"]);
    let listed = ["run", "./e.json", "--out", "listed", "--hands", "--resume"];
    fail(here, &listed, 2, &["the run has lists of hands", "--replace"]);
    assert!(!here.join("listed.new").exists() && !here.join("grown.new").exists());
}

#[cfg(unix)]
#[test]
fn a_finished_run_is_kept_until_its_extension_ends() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("e.json"), experiment(40)).unwrap();
    let run = ["run", "./e.json", "--quiet", "--out", "r"];
    succeed(here, &run);
    let before = super::common::files(&here.join("r"));
    for way in ["--resume", "--replace"] {
        let child = start(here, &[&run[..], &[way, "--deals", "200000"]].concat());
        wait(|| here.join("r.new/progress.jsonl").exists());
        refuse(&stop(child, 300), 130, &["hands are saved in r", "--resume"]);
        assert!(super::common::files(&here.join("r")) == before, "{way}");
        succeed(here, &["show", "r"]);
        let again = [&run[..], &["--replace"]].concat();
        fail(here, &again, 2, &["r.new holds an unfinished run", "--resume"]);
        fs::remove_dir_all(here.join("r.new")).unwrap();
    }
}

/// Strategies so slow that a deal takes seconds.
const SLOW: &str = r#"{ "game": "leopard", "variants": ["revised"], "strategies": [
  { "name": "slow", "base": "ismcts-500", "budget": { "iterations": 400 } }, "steady"],
  "deals": 2, "seed": 4 }"#;

/// The hands that a folder says were played of an unfinished chunk.
#[cfg(unix)]
fn open_hands(folder: &Path) -> Vec<u64> {
    let checkpoint =
        |chunk: u64| fs::read_to_string(folder.join(format!(".checkpoints/{chunk:06}")));
    let texts = (0..2).filter_map(|chunk| checkpoint(chunk).ok());
    let hands = |text: String| {
        let line: serde_json::Value = serde_json::from_str(&text).unwrap();
        line["body"]["partial"]["current"]["hands"].as_u64().unwrap()
    };
    texts.map(hands).collect()
}

#[cfg(unix)]
#[test]
fn a_slow_run_resumes_within_a_deal() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("e.json"), SLOW).unwrap();
    let run = |out| ["run", "./e.json", "--hands", "--records", "--threads", "1", "--out", out];
    let began = Instant::now();
    succeed(here, &run("whole"));
    let whole_takes = began.elapsed();
    // It has two deals of two hands: a stop is wanted in the second hand of one of them. Where
    // that is in time depends on the machine's other work, so several times are tried.
    let within = [0.375, 0.3, 0.45, 0.2, 0.6, 0.1].iter().any(|share| {
        let _ = fs::remove_dir_all(here.join("broken"));
        let mut within = 0;
        for leg in 0.. {
            let more = if leg == 0 { &[][..] } else { &["--resume"] };
            let mut child = start(here, &[&run("broken")[..], more].concat());
            // Longer each time, so that it gets on even where the machine has other work by now.
            std::thread::sleep(whole_takes.mul_f64(share * (1.0 + 0.2 * f64::from(leg))));
            if child.try_wait().unwrap().is_some() {
                break;
            }
            stop(child, 0);
            within += open_hands(&here.join("broken")).iter().filter(|hands| **hands > 0).count();
            assert!(began.elapsed() < Duration::from_secs(400), "it does not get on");
        }
        within > 0
    });
    assert!(within, "no stop fell within a deal");
    succeed(here, &[&run("broken")[..], &["--resume"]].concat());
    same(&here.join("whole"), &here.join("broken"));
}

#[cfg(unix)]
#[test]
fn a_stopped_pilot_names_only_its_own_options() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(
        here.join("e.json"),
        r#"{ "game": "leopard", "variants": ["revised"], "strategies": ["steady", "greedy"], "deals": 10000000 }"#,
    )
    .unwrap();
    let plan = ["sample-size", "./e.json", "--difference", "0.01", "--pilot", "10000000"];
    let output = stop(start(here, &plan), 700);
    refuse(&output, 130, &["stopped; a pilot is not saved"]);
}

#[cfg(unix)]
#[test]
fn a_stopped_match_prints_partial_results() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let game = ["match", "leopard", "steady", "greedy", "--deals", "10000000"];
    let output = stop(start(here, &game), 700);
    refuse(&output, 130, &["stopped; nothing was saved without `--out`"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.starts_with("After ") && said.contains(" of 10000000 deals:\n"), "{said}");
    assert!(said.contains("steady"), "{said}");
    let output = stop(start(here, &[&game[..], &["--records", "hands.jsonl"]].concat()), 700);
    refuse(&output, 130, &["stopped; hands.jsonl has the ", "without `--out`"]);
    let said = String::from_utf8_lossy(&output.stderr);
    let hands = said.split("has the ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    assert!(
        succeed(here, &["verify", "hands.jsonl"]).starts_with(&format!("{hands} hands follow"))
    );
    let output = stop(start(here, &[&game[..], &["--json"]].concat()), 700);
    refuse(&output, 130, &["stopped"]);
    let numbers: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!((1..10_000_000).contains(&numbers["deals"].as_u64().unwrap()));
    assert!(numbers["matchups"][0]["score_low"].is_number(), "with its interval");
    let compare = ["compare", "leopard", "original", "revised", "--strategies", "greedy,random"];
    let long = [&compare[..], &["--deals", "10000000", "--out", "r"]].concat();
    let output = stop(start(here, &long), 700);
    refuse(&output, 130, &["hands are saved in r", "--resume"]);
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("After "));
    assert!(!here.join("r/manifest.json").exists());
    // The saved run resumes to the same bytes.
    for (out, more) in [("r2", &[][..]), ("r3", &["--resume"][..])] {
        succeed(here, &[&compare[..], &["--deals", "300", "--out", out], more].concat());
    }
    same(&here.join("r2"), &here.join("r3"));
}

#[cfg(unix)]
#[test]
fn a_stopped_study_or_bench_prints_partial_results() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let science = ["science", "--corpus", "all", "--deals", "60", "--out", "s"];
    let said = stopped_with(here, &science, &["stopped after ", " cases"], "of the rules");
    assert!(said.contains(" cases."), "{said}");
    assert!(here.join("s/science_summary.csv").exists());
    let manifest = fs::read_to_string(here.join("s/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert!(manifest["counts"]["cases"].as_u64() < manifest["counts"]["of"].as_u64());
    let bench = ["bench", "leopard", "--time", "300"];
    let said = stopped_with(here, &bench, &["stopped after ", " lines"], "ns/turn");
    assert!(said.contains("playout"), "{said}");
}

/// Stops a command when it has something to say, and returns that.
#[cfg(unix)]
fn stopped_with(here: &Path, arguments: &[&str], words: &[&str], sign: &str) -> String {
    for after in [1500, 4000, 12_000, 30_000] {
        let output = stop(start(here, arguments), after);
        refuse(&output, 130, words);
        let said = String::from_utf8(output.stdout).unwrap();
        if said.contains(sign) {
            return said;
        }
    }
    panic!("{arguments:?} says nothing of what it has");
}

#[cfg(unix)]
#[test]
fn an_addition_to_a_tournament_resumes_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let slow = r#"{ "base": "ismcts-500", "budget": { "iterations": 400 } }"#;
    fs::write(here.join("slow.json"), slow).unwrap();
    let start_with = |players: &[&str], out: &str| {
        let deals = ["--deals", "2", "--out", out, "--quiet"];
        succeed(here, &[&["tournament", "leopard"], players, &deals].concat());
    };
    start_with(&["greedy", "steady"], "t");
    let before = super::common::files(&here.join("t"));
    let add = ["tournament", "--out", "t", "--add", "slow.json", "--quiet"];
    let child = start(here, &add);
    wait(|| here.join("t.new/progress.jsonl").exists());
    refuse(&stop(child, 300), 130, &["hands are saved in t", "--resume"]);
    assert!(super::common::files(&here.join("t")) == before);
    fail(here, &add, 2, &["t.new holds an unfinished run", "--resume"]);
    succeed(here, &[&add[..], &["--resume"]].concat());
    start_with(&["greedy", "steady", "slow.json"], "whole");
    same(&here.join("t"), &here.join("whole"));
}
