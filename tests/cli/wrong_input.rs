//! Every kind of wrong input gets one clear message and the right exit status.

use std::path::Path;

use super::common::{experiment, fail, output, parlour, refuse, succeed};
use tempfile::TempDir;

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("e.json"), experiment(20)).unwrap();
    folder
}

/// Writes the small experiment with one text replaced, and expects its run to be refused.
fn edited(from: &str, to: &str, words: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let text = experiment(20);
    assert!(text.contains(from), "{from}");
    std::fs::write(folder.path().join("x.json"), text.replace(from, to)).unwrap();
    fail(folder.path(), &["run", "./x.json", "--out", "r"], 2, words);
    assert!(!folder.path().join("r").exists(), "no folder is made");
}

#[test]
fn an_unknown_field() {
    edited(
        "\"mirror\"",
        "\"miror\"",
        &["x.json: line 6 column", "unknown field `miror`", "`mirror`"],
    );
    let words = ["line 4", "field `variants[2].hand`", "unknown field `hand`", "hand_size"];
    edited("\"hand_size\"", "\"hand\"", &words);
}

#[test]
fn a_wrong_type() {
    edited(
        "\"deals\": 20",
        "\"deals\": \"20\"",
        &["line 7", "field `deals`", "expected a whole number, 0 or more"],
    );
    edited(
        "\"strategies\": [",
        "\"strategies\": [1, ",
        &["field `strategies[0]`", "expected a name"],
    );
    edited("\"seed\": 7", "\"seed\": -7", &["field `seed`", "expected a whole number, 0 or more"]);
    edited("\"seed\": 7\n}", "\"seed\": 7", &["EOF"]);
}

#[test]
fn an_unknown_strategy_variant_or_game() {
    edited("\"greedy\"", "\"gredy\"", &["unknown strategy `gredy`", "`greedy`?", "steady-plain"]);
    edited(
        "\"revised\"",
        "\"revisd\"",
        &["unknown variant of leopard `revisd`", "`revised`?", "denexa"],
    );
    edited("\"denexa\"", "\"denex\"", &["`denex`", "`denexa`?"]);
    edited("\"leopard\"", "\"leopart\"", &["unknown game `leopart`", "`leopard`?"]);
    let here = folder();
    fail(here.path(), &["run", "nothing-here"], 2, &["unknown experiment", "original-vs-revised"]);
    std::fs::write(here.path().join("mine"), "{}").unwrap();
    fail(here.path(), &["run", "mine"], 2, &["unknown experiment", "write `./mine`"]);
    fail(here.path(), &["run", "no/such.json"], 2, &["there is no experiment file no/such.json"]);
    fail(here.path(), &["match", "chess", "a", "b"], 2, &["unknown game `chess`"]);
    fail(here.path(), &["match", "leopard", "greedy", "stedy-plain"], 2, &["`steady-plain`?"]);
    fail(
        here.path(),
        &["compare", "leopard", "revised", "x", "--strategies", "greedy"],
        2,
        &["`x`"],
    );
}

#[test]
fn values_out_of_range() {
    edited(
        "\"hand_size\": 5",
        "\"knock_at\": 300",
        &["`variants[2].knock_at`", "300", "a whole number from 0 to 255"],
    );
    edited("\"hand_size\": 5", "\"knock_at\": -1", &["`variants[2].knock_at`", "-1"]);
    edited(
        "\"hand_size\": 5",
        "\"hand_size\": 53",
        &["variant `short`", "`hand_size` is 53", "1 to 52"],
    );
    edited("\"hand_size\": 5", "\"draw\": 0", &["`draw` is 0", "1 to 4"]);
    edited("\"hand_size\": 5", "\"plays\": \"two\"", &["`variants[2].plays`", "one, many"]);
}

#[test]
fn too_few_and_too_many_deals() {
    edited("\"deals\": 20", "\"deals\": 0", &["`deals` is 0", "at least 1"]);
    edited("\"deals\": 20", "\"deals\": 18446744073709551615", &["at most"]);
    edited("\"deals\": 20", "\"deals\": 18446744073709551616", &["line 7", "`deals`"]);
    let here = folder();
    fail(here.path(), &["run", "./e.json", "--deals", "0"], 2, &["`deals` is 0"]);
    fail(here.path(), &["run", "./e.json", "--deals", "many"], 2, &["--deals"]);
}

#[test]
fn nothing_to_play() {
    edited(
        "[\"random\", \"random-knocker\", \"greedy\"],\n  \"mirror\": true",
        "[\"random\"]",
        &["nothing to play"],
    );
    edited("\"random-knocker\"", "\"random\"", &["`strategies` lists `random` twice"]);
    edited("\"mirror\": true", "\"schedule\": \"gauntlet\"", &["`champion`"]);
    edited("\"mirror\": true", "\"schedule\": \"ladder\"", &["`schedule`", "round-robin"]);
    edited(
        "\"mirror\": true",
        "\"schedule\": \"line-up\", \"line_ups\": [[\"random\"]]",
        &["2 seats"],
    );
}

#[test]
fn a_faulty_strategy_file() {
    let here = folder();
    let mine = |text: &str| std::fs::write(here.path().join("mine.json"), text).unwrap();
    let refused = |words: &[&str]| {
        fail(here.path(), &["match", "leopard", "./mine.json", "random"], 2, words)
    };
    mine(r#"{ "kind": "greedy", "game": "leapfrog" }"#);
    refused(&["mine.json", "a strategy of leapfrog", "leopard is needed"]);
    mine(r#"{ "kind": "clever" }"#);
    refused(&["mine.json: line 1 column 8, field `kind`", "`clever`", "steady"]);
    mine(r#"{ "kind": "greedy", "weights": {} }"#);
    refused(&["mine.json: line 1", "unknown field `weights`", "There are none"]);
    mine(r#"{ "about": "no kind" }"#);
    refused(&["missing field `kind`"]);
    let plain = include_str!("../../strategies/leopard/steady-plain.json");
    mine(&plain.replace("\"own_now\": 1.0", "\"own_now\": 1e999"));
    refused(&["mine.json: line 6", "number out of range"]);
    mine(&plain.replace("\"own_now\": 1.0", "\"own_now\": 1e9"));
    refused(&["`own_now`", "finite"]);
    mine(&plain.replace("\"own_now\": 1.0,", ""));
    refused(&["missing field `own_now`"]);
    mine("\u{feff}not json");
    refused(&["mine.json: line 1"]);
    std::fs::write(here.path().join("mine.json"), [0xff, 0xfe]).unwrap();
    refused(&["cannot read", "mine.json"]);
}

#[test]
fn a_folder_that_cannot_be_used() {
    let here = folder();
    std::fs::write(here.path().join("file"), "").unwrap();
    fail(
        here.path(),
        &["run", "./e.json", "--out", "file/r"],
        1,
        &["cannot create the folder file/r"],
    );
    fail(here.path(), &["run", "./e.json", "--out", "file"], 1, &["file"]);
    fail(
        here.path(),
        &["merge", "nowhere", "--out", "m"],
        2,
        &["cannot read nowhere/progress.jsonl"],
    );
    std::fs::create_dir(here.path().join("d.json")).unwrap();
    fail(here.path(), &["run", "./d.json"], 2, &["cannot read", "d.json"]);
}

#[cfg(unix)]
#[test]
fn a_disk_that_fills_up_during_a_run() {
    let here = folder();
    // A limit on the size of files stands in for a full disk: the write fails in the same place.
    let full = |blocks: &str, more: &str| {
        let program = env!("CARGO_BIN_EXE_parlour");
        let script = format!(
            "trap '' XFSZ; ulimit -f {blocks}; exec '{program}' run ./e.json --deals 100 --threads 1 --quiet --out r {more}"
        );
        let mut command = std::process::Command::new("bash");
        command.args(["-c", &script]).current_dir(here.path()).output().unwrap()
    };
    refuse(
        &full("40", ""),
        1,
        &["cannot write r/progress.jsonl", "finished chunks are saved", "--resume"],
    );
    let kept =
        std::fs::read_to_string(here.path().join("r/progress.jsonl")).unwrap().lines().count();
    assert!(kept > 2, "finished work is kept");
    assert!(full("unlimited", "--resume").status.success());
    succeed(here.path(), &["run", "./e.json", "--deals", "100", "--quiet", "--out", "whole"]);
    super::common::same(&here.path().join("r"), &here.path().join("whole"));
}

/// A run of the small experiment that was stopped half way, by taking lines away.
fn half_done(here: &Path) -> String {
    succeed(here, &["run", "./e.json", "--quiet", "--out", "r"]);
    std::fs::remove_file(here.join("r/manifest.json")).unwrap();
    let path = here.join("r/progress.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let half: String = text.lines().take(11).map(|line| format!("{line}\n")).collect();
    std::fs::write(&path, &half).unwrap();
    half
}

const RESUME: [&str; 6] = ["run", "./e.json", "--quiet", "--resume", "--out", "r"];

#[test]
fn a_truncated_or_edited_progress_file() {
    let here = folder();
    let half = half_done(here.path());
    let write = |text: &str| std::fs::write(here.path().join("r/progress.jsonl"), text).unwrap();
    let lines: Vec<&str> = half.lines().collect();
    // A digit changed in line 5.
    let edited = lines[4].replacen("\"deals\":1", "\"deals\":2", 1);
    assert_ne!(edited, lines[4]);
    write(&half.replace(lines[4], &edited));
    fail(here.path(), &RESUME, 2, &["progress.jsonl: line 5", "checksum"]);
    // Line 3 cut short in the middle of the file.
    write(&half.replace(lines[2], &lines[2][..40]));
    fail(here.path(), &RESUME, 2, &["progress.jsonl: line 3"]);
    // A line twice.
    write(&half.replace(lines[3], lines[2]));
    fail(here.path(), &RESUME, 2, &["line 4", "duplicated"]);
    // No header.
    write(&lines[1..].join("\n"));
    fail(here.path(), &RESUME, 2, &["progress.jsonl: line 1"]);
    write("");
    fail(here.path(), &RESUME, 2, &["progress.jsonl: line 1"]);
    // A last line that was cut while it was written is what a crash leaves: it costs only itself.
    write(&half[..half.len() - 30]);
    succeed(here.path(), &RESUME);
    // But a merge wants whole files.
    write(&half[..half.len() - 30]);
    fail(here.path(), &["merge", "r", "--out", "m"], 2, &["line 11 is cut off"]);
}

#[test]
fn resuming_another_run() {
    let here = folder();
    let half = half_done(here.path());
    let changed = [&RESUME[..], &["--seed", "8"]].concat();
    fail(
        here.path(),
        &changed,
        2,
        &[
            "cannot resume from r/progress.jsonl",
            "experiment has changed: `seed` was 7, it is 8 now",
        ],
    );
    let changed = [&RESUME[..], &["--hands"]].concat();
    fail(here.path(), &changed, 2, &["--hands"]);
    let changed = [&RESUME[..], &["--shard", "1/2"]].concat();
    fail(here.path(), &changed, 2, &["another shard"]);
    // Written by another version: the header is sealed again with the name of another program.
    let header = half.lines().next().unwrap();
    let body = header.strip_prefix("{\"body\":").unwrap().rsplit_once(",\"check\"").unwrap().0;
    let other = body.replacen(&parlour::PROGRAM.to_string(), "0.0.9 (feedface)", 1);
    assert_ne!(other, body);
    let check = &parlour::files::digest(&other)[..16];
    let sealed = format!("{{\"body\":{other},\"check\":\"{check}\"}}");
    std::fs::write(here.path().join("r/progress.jsonl"), half.replacen(header, &sealed, 1))
        .unwrap();
    fail(here.path(), &RESUME, 2, &["it was written by 0.0.9 (feedface)", "--allow-other-build"]);
    // The user vouches for it, and the results say so.
    succeed(here.path(), &[&RESUME[..], &["--allow-other-build"]].concat());
    let read = |name: &str| std::fs::read_to_string(here.path().join("r").join(name)).unwrap();
    let program = parlour::PROGRAM.to_string();
    for (name, words) in [
        (
            "progress.jsonl",
            format!("\"program\":\"0.0.9 (feedface)\",\"accepted_programs\":[\"{program}\"]"),
        ),
        ("manifest.json", "\"other_programs\": [\n    \"0.0.9 (feedface)\"\n  ]".to_owned()),
    ] {
        assert!(read(name).contains(&words), "{words} is not in {name}");
    }
    // From now on both may go on.
    succeed(here.path(), &RESUME);
}

#[test]
fn shards_that_do_not_fit_together() {
    let here = folder();
    let run = |out: &str, more: &[&str]| {
        succeed(here.path(), &[&["run", "./e.json", "--quiet", "--out", out], more].concat());
    };
    run("a", &["--shard", "1/3"]);
    run("b", &["--shard", "2/3"]);
    run("c", &["--shard", "3/3"]);
    let words = ["b holds shard 2 of 3", "combine all shards with `parlour merge`"];
    fail(here.path(), &["show", "b"], 2, &words);
    run("other", &["--shard", "3/3", "--seed", "9"]);
    run("halves", &["--shard", "2/2"]);
    let merge = |shards: &[&str], words: &[&str]| {
        let arguments = [&["merge"], shards, &["--out", "m"]].concat();
        fail(here.path(), &arguments, 2, words);
        assert!(!here.path().join("m/manifest.json").exists());
    };
    merge(&["a", "b"], &["deals are missing from these folders (they belong to shard 3/3)"]);
    merge(&["b"], &["(they belong to shard 1,3 of 3)"]);
    merge(&["a", "b", "b"], &["cannot merge b", "are also in b"]);
    merge(&["a", "b", "halves"], &["cannot merge halves", "also"]);
    merge(&["a", "b", "other"], &["cannot merge other", "experiment has changed"]);
    // All that is wrong is said at once.
    merge(&["other", "a", "b", "halves"], &["cannot merge a:", "cannot merge b:"]);
    fail(here.path(), &["merge", "a", "b", "c", "--out", "a"], 2, &["one of the shards"]);
    // More shards than chunks divide them.
    run("first", &["--deals", "200", "--shard", "1/100"]);
    run("second", &["--deals", "200", "--shard", "2/100"]);
    run("piece", &["--deals", "200", "--shard", "3/200"]);
    merge(&["first", "second"], &["196 of 200 deals", "(they belong to shard 3-100 of 100)"]);
    merge(&["first", "second", "piece"], &["cannot merge piece", "also"]);
    fail(here.path(), &["run", "./e.json", "--shard", "4/3"], 2, &["1 ≤ I ≤ N"]);
    fail(here.path(), &["run", "./e.json", "--shard", "0/0"], 2, &["I/N"]);
}

#[test]
fn a_record_with_an_illegal_move() {
    let here = folder();
    succeed(
        here.path(),
        &["match", "leopard", "greedy", "random", "--deals", "3", "--records", "h.jsonl"],
    );
    let text = std::fs::read_to_string(here.path().join("h.jsonl")).unwrap();
    succeed(here.path(), &["verify", "h.jsonl"]);
    let changed = |from: &str, to: &str, status: i32, words: &[&str]| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        assert!(lines[1].contains(from), "{from} in {}", lines[1]);
        lines[1] = lines[1].replacen(from, to, 1);
        std::fs::write(here.path().join("x.jsonl"), lines.join("\n")).unwrap();
        fail(here.path(), &["verify", "x.jsonl"], status, words);
    };
    let broken = |from: &str, to: &str, words: &[&str]| changed(from, to, 1, words);
    let no_record = |from: &str, to: &str, words: &[&str]| changed(from, to, 2, words);
    let act = |line: &str| {
        line.split_once("\"acts\":[\"").unwrap().1.split('"').next().unwrap().to_owned()
    };
    let first = act(text.lines().nth(1).unwrap());
    let whole = format!("\"acts\":[\"{first}\"]");
    broken(&whole, "\"acts\":[\"KS x1\"]", &["x.jsonl: line 2", "turn 1"]);
    broken(&whole, "\"acts\":[\"nonsense\"]", &["line 2", "turn 1", "nonsense"]);
    no_record("\"game\":\"leopard\"", "\"game\":\"ludo\"", &["line 2", "unknown game `ludo`"]);
    no_record("\"turns\":", "\"turnz\":", &["line 2", "missing field `turns`"]);
    no_record("{", "", &["line 2"]);
    fail(here.path(), &["verify", "no.jsonl"], 2, &["cannot read no.jsonl"]);
    std::fs::write(here.path().join("empty.jsonl"), "").unwrap();
    fail(here.path(), &["verify", "empty.jsonl"], 2, &["no record"]);
    fail(here.path(), &["replay", "h.jsonl", "--hand", "99"], 2, &["has 6 hands", "99"]);
}

#[test]
fn wrong_usage() {
    let here = folder();
    fail(here.path(), &["rnu"], 2, &["rnu"]);
    fail(here.path(), &["match", "leopard", "greedy"], 2, &["required"]);
    fail(here.path(), &["match", "leopard", "greedy", "random", "random"], 2, &["2 seats"]);
    for (number, right) in [
        ("-3", "invalid value '-3' for '--deals <DEALS>': it must be a whole number from 0"),
        ("ten", "it must be a whole number from 0"),
        ("99999999999999999999", "the number is too large"),
    ] {
        let with = ["match", "leopard", "greedy", "random", "--deals", number];
        fail(here.path(), &with, 2, &[right]);
    }
    let plan = ["sample-size", "e.json", "--difference", "small"];
    fail(here.path(), &plan, 2, &["it must be a number, such as 0.01"]);
    let mut version = parlour(here.path());
    assert!(version.arg("--version").output().unwrap().status.success());
    assert!(output(here.path(), &["--help"]).status.success());
}

#[test]
fn settings_without_effect_are_refused() {
    let mirror = "\"mirror\": true";
    let gauntlet = "\"mirror\": true, \"schedule\": \"gauntlet\", \"champion\": \"greedy\"";
    edited(mirror, gauntlet, &["x.json: `mirror` needs the schedule `round-robin`"]);
    let line_ups = |lists: &str, words: &[&str]| {
        edited(mirror, &format!("\"schedule\": \"line-up\", \"line_ups\": [{lists}]"), words);
    };
    let all = "[\"random\", \"greedy\"], [\"greedy\", \"random-knocker\"]";
    line_ups(
        &format!("{all}, [\"random\", \"greedy\", \"greedy\"]"),
        &["`line_ups[2]` has 3 strategies; no variant here has 3 seats"],
    );
    line_ups(&format!("{all}, [\"random\", \"greedy\"]"), &["`line_ups[2]` is listed twice"]);
    line_ups("[\"random\", \"greedy\"]", &["`random-knocker` has no seat"]);
}

#[test]
fn a_duplicate_field() {
    let words = ["x.json: line 4 column", "duplicate field `base`"];
    edited("\"base\": \"denexa\"", "\"base\": \"denexa\", \"base\": \"revised\"", &words);
    edited("\"seed\": 7", "\"seed\": 7, \"seed\": 8", &["line 8", "duplicate field `seed`"]);
    let inline = r#"{"name": "a", "kind": "random", "kind": "greedy"}, "greedy""#;
    edited(
        "\"greedy\"",
        inline,
        &["line 5", "field `strategies[2].kind`", "duplicate field `kind`"],
    );
}

#[test]
fn a_list_or_null_where_something_else_belongs() {
    let object = "expected an object `{…}`";
    let sprt = "\"seed\": 7, \"until\": {\"sprt\": [0, 5, 0.05, 0.05, \"logistic\"]}";
    edited("\"seed\": 7", sprt, &["field `until.sprt`", object]);
    edited(
        "\"hand_size\": 5",
        "\"knock_at\": null",
        &["`variants[2].knock_at`", "null", "a whole number"],
    );
    let model = r#"{"name": "a", "base": "champion", "model": ["greedy", 1]}, "greedy""#;
    edited("\"greedy\"", model, &["`strategies[2].model`", "an object `{…}` is expected"]);
    let here = folder();
    std::fs::write(
        here.path().join("p.json"),
        r#"{"game": "leapfrog", "rules": [3, 3], "view": {}}"#,
    )
    .unwrap();
    fail(here.path(), &["advise", "p.json"], 2, &["p.json: line 1", "field `rules`", object]);
}

#[test]
fn a_rules_file_names_itself() {
    let here = folder();
    let refused = |text: &str, words: &[&str]| {
        std::fs::write(here.path().join("r.json"), text).unwrap();
        let line = ["compare", "leopard", "r.json", "revised", "--strategies", "random"];
        fail(here.path(), &line, 2, words);
    };
    refused(
        r#"{"name": "x", "base": "revisd"}"#,
        &["r.json", "unknown variant of leopard `revisd`"],
    );
    refused(
        r#"{"name": "x", "base": "revised", "draw": 9}"#,
        &["r.json: variant `x`", "`draw` is 9"],
    );
    refused(r#"{"name": "x y", "base": "revised"}"#, &["r.json: variant `x y`: its name"]);
}

#[test]
fn endless_files_and_experiments() {
    let here = folder();
    fail(
        here.path(),
        &["run", "/dev/zero"],
        2,
        &["cannot read /dev/zero: it is longer than 64 MB"],
    );
    fail(
        here.path(),
        &["verify", "/dev/zero"],
        2,
        &["cannot read /dev/zero: line 1 is longer than 1 MB"],
    );
    std::fs::write(here.path().join("empty.jsonl"), "\n").unwrap();
    fail(here.path(), &["verify", "empty.jsonl"], 2, &["empty.jsonl: the file has no records"]);
    let many = |count: usize, of: &str| vec![of; count].join(", ");
    let variants = many(1000, r#""revised""#);
    edited(
        "\"revised\", ",
        &format!("{variants}, "),
        &["1002 `variants`: 501501 pairs to compare", "at most 200"],
    );
    let strategies = many(10_000, r#""greedy""#);
    edited("\"greedy\"", &strategies, &["10002 `strategies`", "at most 300"]);
    let line_ups = many(300_000, r#"["greedy"]"#);
    let schedule = format!("\"schedule\": \"line-up\", \"line_ups\": [{line_ups}]");
    edited("\"mirror\": true", &schedule, &["900000 tables of all variants", "at most 20000"]);
}

/// No stream that is full or read by nobody changes what a command does, or makes it panic.
#[test]
#[cfg(target_os = "linux")]
fn full_streams() {
    use std::process::Stdio;
    let full = || Stdio::from(std::fs::File::create("/dev/full").unwrap());
    let here = folder();
    let cases = [("list", 1), ("--help", 1), ("--version", 1), ("run nosuch", 2), ("nosuch", 2)];
    for (line, status) in cases {
        let mut command = parlour(here.path());
        let ended = command.args(line.split(' ')).stdout(full()).stderr(full()).status().unwrap();
        assert_eq!(ended.code(), Some(status), "{line}");
    }
}

#[test]
fn a_question_that_the_run_cannot_answer() {
    let asks = |question: &str| format!("\"question\": {question},\n  \"mirror\"");
    let figure = asks(r#"{"figure": "knock_rat"}"#);
    edited("\"mirror\"", &figure, &["x.json", "`question.figure`", "Did you mean `knock_rate`?"]);
    let pairing = asks(r#"{"pairing": ["random", "steady"]}"#);
    edited("\"mirror\"", &pairing, &["x.json", "`question.pairing[1]`", "`steady`", "greedy"]);
    let over = asks(r#"{"figure": "turns", "over": "knock_att"}"#);
    edited("\"mirror\"", &over, &["x.json", "`question.over`", "`knock_at`?"]);
}

#[test]
fn all_wrong_names_are_reported_together() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let text = r#"{ "game": "leopard", "variants": ["revisd"], "strategies": ["stedy", "gredy"] }"#;
    std::fs::write(here.join("e.json"), text).unwrap();
    let words = ["`revised`?", "strategies[0]", "`steady`?", "strategies[1]", "`greedy`?"];
    fail(here, &["run", "./e.json"], 2, &words);
}
