//! Files are whole, sealed, locked and private, and what is written over is named.

use std::fs;
use std::path::Path;

use super::common::{experiment, fail, files, output, parlour, refuse, same, succeed};

/// A folder with an experiment, its whole run with records in `whole`, and its shards `s1` and `s2`,
/// whose lists of hands are not yet joined.
fn sharded() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("e.json"), experiment(10)).unwrap();
    run(here, &["--out", "whole"]);
    for (shard, out) in [("1/2", "s1"), ("2/2", "s2")] {
        run(here, &["--shard", shard, "--out", out]);
    }
    folder
}

fn run(here: &Path, more: &[&str]) {
    succeed(here, &[&["run", "./e.json", "--records", "--hands", "--quiet"], more].concat());
}

const MERGE: [&str; 5] = ["merge", "s1", "s2", "--out", "m"];

#[test]
fn a_damaged_part_of_a_list_is_played_again() {
    let folder = sharded();
    let here = folder.path();
    for (list, damage) in [("records", 0), ("records", 1), ("hands", 2), ("hands", 3)] {
        let entries = fs::read_dir(here.join("s1/.checkpoints")).unwrap();
        let names = entries.map(|entry| entry.unwrap().path());
        let path = names.filter(|path| path.to_string_lossy().contains(list)).max().unwrap();
        let whole = fs::read(&path).unwrap();
        let mut bytes = whole.clone();
        match damage {
            0 => bytes.clear(),
            1 => bytes.truncate(whole.len() / 2),
            2 => bytes[whole.len() / 2] ^= 1,
            // A whole line is lost.
            _ => drop(bytes.drain(..=whole.iter().position(|byte| *byte == b'\n').unwrap())),
        }
        fs::write(&path, bytes).unwrap();
        fail(here, &MERGE, 2, &[list, "cut or edited", "`--resume`"]);
        run(here, &["--shard", "1/2", "--out", "s1", "--resume"]);
        assert_eq!(fs::read(&path).unwrap(), whole, "{list} {damage}");
    }
    succeed(here, &MERGE);
    same(&here.join("whole"), &here.join("m"));
}

#[test]
fn a_finished_list_is_not_resumed_after_damage() {
    let folder = sharded();
    let here = folder.path();
    for list in ["records.jsonl", "hands.csv"] {
        let text = fs::read_to_string(here.join("whole").join(list)).unwrap();
        let cut: Vec<&str> = text.lines().skip(3).collect();
        fs::write(here.join("whole").join(list), cut.join("\n") + "\n").unwrap();
        let resume =
            ["run", "./e.json", "--records", "--hands", "--out", "whole", "--resume", "--quiet"];
        fail(here, &resume, 2, &[list, "cut or edited"]);
        fs::write(here.join("whole").join(list), text).unwrap();
    }
    succeed(here, &["show", "whole"]);
}

#[test]
fn a_killed_merge_starts_over() {
    let folder = sharded();
    let here = folder.path();
    // What a kill leaves: in the folder itself, then in the folder of the new results.
    for (left, more) in [("m", &[][..]), ("m.new", &["--replace"])] {
        fs::create_dir_all(here.join(left).join(".checkpoints")).unwrap();
        fs::write(here.join(left).join(".checkpoints/starts-over"), "").unwrap();
        for name in ["progress.jsonl", "confirmed.csv", "report.html"] {
            fs::copy(here.join("s1/progress.jsonl"), here.join(left).join(name)).unwrap();
        }
        succeed(here, &[&MERGE[..], more].concat());
        same(&here.join("whole"), &here.join("m"));
        assert!(!here.join("m.new").exists());
    }
    // It was finished, but had not yet taken its place.
    fs::create_dir(here.join("m.new")).unwrap();
    fs::copy(here.join("m/manifest.json"), here.join("m.new/manifest.json")).unwrap();
    succeed(here, &[&MERGE[..], &["--replace"]].concat());
    // An unfinished run stays.
    fs::create_dir(here.join("m.new")).unwrap();
    fs::copy(here.join("s1/progress.jsonl"), here.join("m.new/progress.jsonl")).unwrap();
    let refused = output(here, &[&MERGE[..], &["--replace"]].concat());
    refuse(&refused, 2, &["m.new holds an unfinished run", "remove it", "--out"]);
    assert!(!String::from_utf8_lossy(&refused.stderr).contains("--resume"), "merge has none");
    let science = ["science", "--corpus", "test", "--deals", "1", "--out", "s1"];
    let refused = output(here, &science);
    refuse(&refused, 2, &["s1 contains an unfinished run or shard", "--out", "--replace"]);
    assert!(!String::from_utf8_lossy(&refused.stderr).contains("--resume"), "science has none");
}

#[test]
fn records_are_refused_where_the_run_writes() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let play = ["match", "leopard", "random", "greedy", "--deals", "2", "--quiet"];
    for file in ["m/records.jsonl", "./m/../m/x", "m", "m/x.jsonl"] {
        let both = [&play[..], &["--out", "m", "--records", file]].concat();
        fail(here, &both, 2, &[file, "is in the folder of `--out`", "name a file elsewhere"]);
        assert!(!here.join("m").exists(), "{file}: refused before the run");
    }
    // Such a name is not in the folder.
    succeed(here, &[&play[..], &["--out", "m", "--records", "m.jsonl"]].concat());
    assert_eq!(
        fs::read(here.join("m.jsonl")).unwrap(),
        fs::read(here.join("m/records.jsonl")).unwrap()
    );
    fail(here, &[&play[..], &["--records", "gone/x.jsonl"]].concat(), 1, &["gone/x.jsonl"]);
    fail(here, &[&play[..], &["--records", "m"]].concat(), 1, &["cannot write m: it is a folder"]);
    // A report does not take the name of a table that was just written.
    fs::create_dir(here.join("n")).unwrap();
    let export = ["--out", "n", "--export-markdown", "n/matchups.csv"];
    fail(here, &[&play[..], &export].concat(), 2, &["is not an export"]);
    assert_eq!(
        fs::read(here.join("n/matchups.csv")).unwrap(),
        fs::read(here.join("m/matchups.csv")).unwrap()
    );
}

#[cfg(unix)]
#[test]
fn a_fifo_without_a_reader_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let play = ["match", "leopard", "random", "greedy", "--deals", "1", "--quiet"];
    succeed(here, &[&play[..], &["--records", "r.jsonl"]].concat());
    assert!(
        std::process::Command::new("mkfifo").arg(here.join("fifo")).status().unwrap().success()
    );
    let page = ["replay", "r.jsonl", "--html", "fifo", "--replace"];
    fail(here, &page, 1, &["cannot write fifo: no program reads from it"]);
    let export = [&play[..], &["--export-markdown", "fifo"]].concat();
    fail(here, &export, 1, &["cannot write fifo: no program reads from it"]);
    let shell = |script: &str| {
        let mut command = std::process::Command::new("bash");
        let program = parlour(here).get_program().to_owned();
        let output = command.current_dir(here).arg("-c").arg(script).arg("x").arg(program);
        let output = output.output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let piped = shell(
        "\"$1\" match leopard random greedy --deals 1 --quiet --export-markdown >(cat >&2; echo got) | cat",
    );
    assert!(piped.ends_with("\ngot\n"), "{piped}");
    // A FIFO in a folder of results is not read.
    succeed(here, &[&play[..], &["--out", "m"]].concat());
    for name in ["progress.jsonl", "manifest.json", "matchups.csv"] {
        let whole = fs::read(here.join("m").join(name)).unwrap();
        fs::remove_file(here.join("m").join(name)).unwrap();
        let fifo = here.join("m").join(name);
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        fail(here, &["show", "m"], 2, &[name, "it is not a regular file"]);
        fail(here, &["merge", "m", "--out", "x"], 2, &[name, "it is not a regular file"]);
        fail(here, &[&play[..], &["--out", "m", "--replace"]].concat(), 2, &[name]);
        fs::remove_file(&fifo).unwrap();
        fs::write(here.join("m").join(name), whole).unwrap();
    }
    succeed(here, &["show", "m"]);
}

#[cfg(unix)]
#[test]
fn files_and_folders_are_as_private_as_the_user_asked() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("e.json"), experiment(3)).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let with_umask = |umask: &str, more: &[&str]| {
        let script = format!("umask {umask}; exec \"$@\"");
        let program = parlour(here).get_program().to_owned();
        let mut command = std::process::Command::new("sh");
        command.current_dir(here).args(["-c", &script, "sh"]).arg(program);
        let output = command.args(["run", "./e.json", "--records", "--quiet"]).args(more).output();
        assert!(output.unwrap().status.success());
    };
    with_umask("077", &["--out", "closed"]);
    with_umask("022", &["--out", "open"]);
    for (run, file) in
        files(&here.join("open")).keys().flat_map(|name| [("open", name), ("closed", name)])
    {
        let path = here.join(run).join(file);
        assert_eq!(mode(&path) & 0o077, if run == "open" { 0o044 } else { 0 }, "{run}/{file}");
    }
    // A replaced folder stays private, whatever the umask is by now.
    assert_eq!(mode(&here.join("closed")), 0o700);
    with_umask("022", &["--out", "closed", "--replace"]);
    assert_eq!(mode(&here.join("closed")), 0o700);
    for file in files(&here.join("closed")).keys() {
        assert_eq!(mode(&here.join("closed").join(file)) & 0o077, 0, "{file}");
    }
    // A link of the lock's name leads into another file, which stays.
    fs::write(here.join("mine"), "mine").unwrap();
    fs::create_dir(here.join("linked")).unwrap();
    std::os::unix::fs::symlink("../mine", here.join("linked/.running")).unwrap();
    fail(
        here,
        &["run", "./e.json", "--out", "linked"],
        1,
        &["it is not a regular file; remove it"],
    );
    assert_eq!(fs::read_to_string(here.join("mine")).unwrap(), "mine");
}

#[test]
fn a_damaged_manifest_is_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("e.json"), experiment(3)).unwrap();
    succeed(here, &["run", "./e.json", "--out", "r", "--quiet"]);
    succeed(here, &["run", "r/manifest.json", "--out", "again", "--quiet"]);
    let text = fs::read_to_string(here.join("r/manifest.json")).unwrap();
    assert!(text.contains("\"seed\": 7"));
    fs::write(here.join("m.json"), text.replace("\"seed\": 7", "\"seed\": 6")).unwrap();
    fail(here, &["run", "m.json", "--out", "x"], 2, &["m.json", "its digest does not match"]);
}

#[test]
fn committed_manifests_match_their_digests() {
    let mut count = 0;
    for entry in fs::read_dir("results").unwrap() {
        let manifest = entry.unwrap().path().join("manifest.json");
        let Ok(text) = fs::read_to_string(&manifest) else { continue };
        let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
        // Studies have no digest, nor have two runs that were converted from an older format.
        let Some(digest) = json["experiment_digest"].as_str().map(str::to_owned) else { continue };
        let resolved: parlour::arena::Resolved =
            serde_json::from_value(json["experiment"].take()).unwrap();
        assert_eq!(resolved.digest(), digest, "{manifest:?}");
        count += 1;
    }
    assert!(count > 20, "{count} runs");
}

#[test]
fn bombs_are_refused_before_they_cost() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let lists = "[1],".repeat(600_000);
    fs::write(here.join("s.json"), format!("{{\"kind\": \"greedy\", \"x\": [{lists}1]}}")).unwrap();
    let words = ["s.json: it has more than 1000000 values"];
    fail(here, &["match", "leopard", "./s.json", "random"], 2, &words);
    fail(here, &["match", "leopard", "random", "greedy", "--variant", "./s.json"], 2, &words);
    fail(here, &["run", "./s.json"], 2, &words);
    fail(here, &["advise", "s.json"], 2, &words);
    let science = ["science", "--corpus", "all", "--deals", "1000000"];
    fail(here, &science, 2, &["1000000", "0..=100"]);
    for name in ["RAYON_NUM_THREADS", "RAYON_RS_NUM_CPUS"] {
        let output = parlour(here).env(name, "5000").args(["list"]).output().unwrap();
        refuse(&output, 2, &["more than 1024 threads", name]);
    }
}

#[test]
fn nothing_is_said_to_be_resumable_where_nothing_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let said = |more: &[&str]| {
        let line = "trap '' XFSZ; ulimit -f 32; exec \"$0\" match leopard greedy random --deals 300 --quiet \"$@\"";
        let mut command = std::process::Command::new("sh");
        command.current_dir(here).args(["-c", line, env!("CARGO_BIN_EXE_parlour")]).args(more);
        let output = command.output().unwrap();
        refuse(&output, 1, &["cannot write"]);
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(!said(&["--records", "r.jsonl"]).contains("--resume"));
    assert!(said(&["--records", "r.jsonl", "--out", "out"]).contains("--resume"));
    assert!(!here.join("r.jsonl").exists());
}
