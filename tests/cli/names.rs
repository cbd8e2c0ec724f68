//! Names and folders from elsewhere are data.

use std::fs;
use std::path::Path;

use super::common::{fail, output, succeed};
use tempfile::TempDir;

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("strategies/leopard")).unwrap();
    folder
}

fn write(folder: &Path, name: &str, text: &str) {
    fs::write(folder.join(name), text).unwrap();
}

const DEALS: [&str; 3] = ["--deals", "1", "--quiet"];

/// Returns the arguments of a match of two strategies.
fn matched<'a>(one: &'a str, other: &'a str) -> Vec<&'a str> {
    ["match", "leopard", one, other].into_iter().chain(DEALS).collect()
}

/// In a strategy's file and in an experiment's, whatever the current folder is.
#[test]
fn the_files_of_a_command_are_found_next_to_the_file_that_names_them() {
    let here = tempfile::tempdir().unwrap();
    let bots = here.path().join("bots");
    fs::create_dir(&bots).unwrap();
    let bot = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/bots/leopard_greedy.py");
    fs::copy(bot, bots.join("mine.py")).unwrap();
    let own = r#""kind": "external", "command": ["python3", "mine.py"]"#;
    fs::write(bots.join("mine.json"), format!("{{{own}}}")).unwrap();
    let experiment = format!(
        r#"{{"game": "leopard", "strategies": ["random", {{"name": "mine", {own}}}], "deals": 2}}"#
    );
    fs::write(bots.join("e.json"), experiment).unwrap();
    let duel = ["match", "leopard", "bots/mine.json", "random", "--deals", "2", "--json"];
    let run = ["run", "bots/e.json", "--out", "r", "--quiet"];
    for arguments in [&duel[..], &run] {
        succeed(here.path(), arguments);
    }
    let manifest = fs::read_to_string(here.path().join("r/manifest.json")).unwrap();
    assert!(manifest.contains("bots/mine.py"), "{manifest}");
    // A manifest is no file of a person: its paths are those of the run.
    succeed(here.path(), &["run", "r/manifest.json", "--out", "again", "--quiet"]);
}

#[test]
fn an_external_program_never_runs_under_the_name_of_a_built_in_strategy() {
    let folder = folder();
    let here = folder.path();
    let runs = r#"{"kind": "external", "command": ["sh", "-c", "echo ran > ran"]}"#;
    write(here, "strategies/leopard/greedy.json", runs);
    write(here, "strategies/leopard/champion.json", r#"{"base": "greedy"}"#);
    write(
        here,
        "x.json",
        r#"{"game": "leopard", "strategies": [{"name": "mine", "base": "greedy"}, "random"], "deals": 1}"#,
    );
    let words = ["external program", "built-in", "write the path"];
    fail(here, &matched("greedy", "random"), 2, &words);
    fail(here, &matched("champion", "random"), 2, &words);
    fail(here, &["run", "./x.json"], 2, &words);
    fs::create_dir_all(here.join("experiments")).unwrap();
    let evil = r#"{"kind": "external", "command": ["sh", "-c", "echo ran > ran"]}"#;
    write(here, "evil.json", evil);
    let replaced = r#"{"game": "leopard", "strategies": ["./evil.json", "random"], "deals": 1}"#;
    write(here, "experiments/first-seat.json", replaced);
    fail(here, &["run", "first-seat"], 2, &words);
    fail(here, &["play", "leopard", "--terminal", "--against", "greedy"], 2, &words);
    assert!(!here.join("ran").exists(), "nothing has run");
    // Asked for by its path it starts, and loses since it says nothing.
    output(here, &matched("./strategies/leopard/greedy.json", "random"));
    assert!(here.join("ran").exists());
    // Other kinds may replace a built-in strategy; a note tells.
    write(here, "strategies/leopard/greedy.json", r#"{"kind": "random"}"#);
    let said = output(here, &matched("greedy", "random"));
    assert!(said.status.success());
    assert!(String::from_utf8_lossy(&said.stderr).contains("is your file"));
}

#[test]
fn names_that_readers_of_tables_misread_are_refused_at_every_door() {
    let folder = folder();
    let here = folder.path();
    for name in ["NA", "null", "None", "nan", "NULL", "NaN", "true", "1.0", "1e5", "-x"] {
        let strategy = format!(
            r#"{{"game": "leopard", "strategies": ["greedy", {{"name": "{name}", "kind": "random"}}], "deals": 1}}"#
        );
        write(here, "s.json", &strategy);
        fail(here, &["run", "./s.json", "--out", "s"], 2, &[name]);
        let variant = format!(
            r#"{{"game": "leopard", "strategies": ["greedy", "random"], "deals": 1,
                "variants": [{{"name": "{name}", "base": "revised", "knock_at": 8}}]}}"#
        );
        write(here, "v.json", &variant);
        fail(here, &["run", "./v.json", "--out", "v"], 2, &[name]);
        write(
            here,
            "rules.json",
            &format!(r#"{{"name": "{name}", "base": "revised", "knock_at": 8}}"#),
        );
        let mut under = matched("greedy", "random");
        under.extend(["--variant", "rules.json"]);
        fail(here, &under, 2, &[name]);
        write(here, &format!("{name}.json"), r#"{"kind": "random"}"#);
        fail(here, &matched("greedy", &format!("./{name}.json")), 2, &[name]);
    }
    for name in ["=1+1", "+x", "@x", "a\u{202e}b"] {
        write(here, &format!("{name}.json"), r#"{"kind": "random"}"#);
        fail(here, &matched("greedy", &format!("./{name}.json")), 2, &["cannot be the name"]);
    }
    let sweep = r#"{"game": "leopard", "strategies": ["greedy", "random"], "deals": 1,
        "variants": [{"name": "{knock_at}", "base": "revised", "sweep": {"knock_at": [4, 5]}}]}"#;
    write(here, "sweep.json", sweep);
    fail(here, &["run", "./sweep.json", "--out", "w"], 2, &["number"]);
}

#[test]
fn no_control_or_override_character_reaches_the_terminal() {
    let folder = folder();
    let here = folder.path();
    let evil = "a\u{1b}]0;T\u{7}\u{202e}b";
    write(here, &format!("strategies/leopard/{evil}.json"), r#"{"kind": "random"}"#);
    write(here, "strategies/leopard/mine.json", r#"{"kind": "random", "about": "x \u202e y"}"#);
    write(here, &format!("{evil}.json"), "{");
    let path = format!("./{evil}.json");
    for arguments in [
        &["list"][..],
        &["list", "--json"],
        &["list", evil],
        &["match", "leopard", evil, "random"],
        &["match", evil, "random", "random"],
        &["run", &path],
        &["verify", &path],
        &["show", evil],
        &["play", "leopard", "--terminal", "--against", &path],
    ] {
        let said = output(here, arguments);
        for text in [said.stdout, said.stderr] {
            let text = String::from_utf8_lossy(&text).into_owned();
            let is_raw = |c: char| c.is_control() && !"\n\t".contains(c) || c == '\u{202e}';
            assert!(!text.contains(is_raw), "{arguments:?}: {text:?}");
        }
    }
}

#[test]
fn hidden_and_half_written_files_are_ignored_with_one_line() {
    let folder = folder();
    let here = folder.path();
    for name in [".mine.json", "._mine.json", "mine.json.tmp", "mine.json~", ".mine.json.swp"] {
        write(here, &format!("strategies/leopard/{name}"), "{");
    }
    write(here, "strategies/leopard/README.md", "mine");
    let said = output(here, &["list", "strategies"]);
    let (out, err) =
        (String::from_utf8(said.stdout).unwrap(), String::from_utf8(said.stderr).unwrap());
    assert!(said.status.success() && !out.contains("mine"), "{out}");
    assert_eq!(err.lines().count(), 1, "{err}");
    assert_eq!(err.matches("mine").count(), 5, "{err}");
    assert!(!err.contains("README"));
    succeed(here, &matched("greedy", "random"));
}

#[test]
fn paths_with_odd_characters_work() {
    let folder = folder();
    let here = folder.path();
    let odd = "a=b, c.d";
    fs::create_dir_all(here.join(odd)).unwrap();
    fs::create_dir_all(here.join("-d")).unwrap();
    let bot = format!("{odd}/my bot=2,x.y.json");
    write(here, &bot, r#"{"kind": "random"}"#);
    write(here, "-d/bot.json", r#"{"kind": "random"}"#);
    write(
        here,
        &format!("{odd}/v=1, 2.json"),
        r#"{"name": "mine", "base": "revised", "knock_at": 8}"#,
    );
    let experiment = r#"{"game": "leopard", "strategies": ["greedy", "random"], "deals": 1}"#;
    write(here, &format!("{odd}/x=1, 2.json"), experiment);
    succeed(here, &matched(&bot, "greedy"));
    succeed(here, &["match", "leopard", "--deals", "1", "--quiet", "--", "-d/bot.json", "greedy"]);
    let variant = format!("{odd}/v=1, 2.json");
    let (out, records) =
        (format!("--out={odd}/-out=1, 2"), format!("--records={odd}/-r=1, 2.jsonl"));
    let mut with_variant = matched(&bot, "greedy");
    with_variant.extend(["--variant", &variant, &records]);
    succeed(here, &with_variant);
    succeed(here, &["verify", &format!("{odd}/-r=1, 2.jsonl")]);
    succeed(here, &["run", &format!("{odd}/x=1, 2.json"), &out]);
    succeed(here, &["report", &format!("{odd}/-out=1, 2")]);
}

#[test]
fn paths_with_commas_and_equals_signs_work_in_lists_and_among_settings() {
    let folder = folder();
    let here = folder.path();
    write(here, "a,b=c d.json", r#"{"kind": "random"}"#);
    write(here, "v,w=x.json", r#"{"name": "v", "base": "revised", "knock_at": 6}"#);
    let both = ["--strategies", "a,b=c d.json,random"];
    let said =
        |command: &[&str]| succeed(here, &[command, &both, &DEALS].concat()).contains("a,b=c d");
    assert!(said(&["compare", "leopard", "revised", "./v,w=x.json"]));
    assert!(said(&["sweep", "leopard", "v,w=x.json", "knock_at=5,6"]));
    let tune = ["tune", "leopard", "v,w=x.json", "knock_at=5,6", "--objective", "turns=min"];
    succeed(here, &[&tune[..], &both, &["--confirm", "2", "--deals", "64", "--quiet"]].concat());
}

#[test]
fn the_path_of_a_variant_works_wherever_its_name_does() {
    let folder = folder();
    let here = folder.path();
    write(here, "mine.json", r#"{"about": "Longer.", "base": "revised", "knock_at": 8}"#);
    let experiment = r#"{"game": "leopard", "strategies": ["greedy"], "mirror": true, "deals": 4,
        "variants": ["mine.json", {"name": "y", "base": "mine.json", "suit_line": 4}]}"#;
    write(here, "e.json", experiment);
    succeed(here, &["run", "./e.json", "--out", "e", "--quiet"]);
    let manifest = std::fs::read_to_string(here.join("e/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let variants = &manifest["experiment"]["variants"];
    assert_eq!((&variants[0]["name"], &variants[1]["name"]), (&"mine".into(), &"y".into()));
    let rules = &variants[1]["rules"];
    assert_eq!((&rules["knock_at"], &rules["suit_line"]), (&8.into(), &4.into()));
    let open = "null, null, null, null, null, null, null, null, null";
    let position = format!(
        r#"{{"game": "leopard", "variant": "mine.json", "hand": ["AS", "7H"], "own": [{open}], "other": [{open}]}}"#
    );
    write(here, "position.json", &position);
    succeed(here, &["advise", "position.json", "--strategy", "greedy"]);
    let of_match = ["match", "leopard", "greedy", "random", "--variant", "mine.json"];
    succeed(here, &[&of_match[..], &DEALS].concat());
    write(here, "typo.json", r#"{"gme": "leopard", "strategies": ["greedy"]}"#);
    fail(here, &["run", "./typo.json"], 2, &["`gme`", "Did you mean `game`?"]);
}
