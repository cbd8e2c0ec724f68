//! The commands as a new user meets them: in an empty folder, with what comes with the program.

use std::process::Stdio;

use super::common::{fail, output, parlour, succeed};

#[test]
fn an_installed_program_works_in_an_empty_folder() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let said = succeed(here, &["run", "original-vs-revised", "--deals", "5", "--records"]);
    for word in
        ["first seat", "two `steady` players", "Variants", "±", "results/original-vs-revised"]
    {
        assert!(said.contains(word), "{word}: {said}");
    }
    let index = std::fs::read_to_string(here.join("results/index.html")).unwrap();
    assert!(index.contains("original-vs-revised/report.html"), "{index}");
    assert!(index.contains("Are the revised rules of Leopard better balanced"), "{index}");
    let out = here.join("results/original-vs-revised");
    for file in
        ["matchups.csv", "strategies.csv", "variants.csv", "progress.jsonl", "manifest.json"]
    {
        assert!(out.join(file).exists(), "{file}");
    }
    let manifest = std::fs::read_to_string(out.join("manifest.json")).unwrap();
    assert!(manifest.contains("\"embedded\""));
    let said = succeed(here, &["verify", "results/original-vs-revised/records.jsonl"]);
    assert!(said.contains("hands follow the rules"), "{said}");
    let said =
        succeed(here, &["replay", "results/original-vs-revised/records.jsonl", "--hand", "2"]);
    assert!(said.contains("original") && said.lines().count() > 10, "{said}");
}

#[test]
fn user_files_take_precedence() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::create_dir_all(here.join("strategies/leopard")).unwrap();
    let mine = "{ \"about\": \"mine\", \"kind\": \"random\" }";
    std::fs::write(here.join("strategies/leopard/greedy.json"), mine).unwrap();
    let arguments = ["match", "leopard", "greedy", "random", "--deals", "50", "--out", "r"];
    let told = String::from_utf8(output(here, &arguments).stderr).unwrap();
    assert!(told.contains("`greedy` is your file strategies/leopard/greedy.json"), "{told}");
    let said = succeed(here, &["show", "r"]);
    // The user's greedy is random: it does not win nearly always, as the real one does.
    assert!(!said.contains("> 99.9 %"), "{said}");
    let manifest = std::fs::read_to_string(here.join("r/manifest.json")).unwrap();
    assert!(manifest.contains("strategies/leopard/greedy.json"), "{manifest}");
    assert!(manifest.contains(&parlour::files::digest(mine)), "{manifest}");
    assert!(succeed(here, &["list", "strategies"]).contains("mine (your file)"));
}

#[test]
fn names_are_listed_completed_and_explained() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let experiments = succeed(here, &["list", "experiments"]);
    assert!(experiments.contains("Are the revised rules of Leopard better balanced"));
    assert!(!experiments.contains("steady-plain"), "nothing else: {experiments}");
    assert!(succeed(here, &["list", "rules"]).contains("same-suit"));
    fail(here, &["rule", "show", "same-suitt"], 2, &["Did you mean `same-suit`?"]);
    let script = succeed(here, &["completions", "bash"]);
    for name in ["ismcts-250", "running-revised", "original-vs-revised", "leapfrog"] {
        assert!(script.contains(name), "{name}");
    }
    for command in ["run", "match", "compare", "advise", "replay", "rule", "list", "tune", "sweep"]
    {
        let long = succeed(here, &[command, "--help"]);
        assert!(long.contains("Example") && long.contains(&format!("parlour {command}")), "{long}");
        assert!(!succeed(here, &[command, "-h"]).contains("Example"), "{command}");
    }
}

#[test]
fn a_rules_file_is_a_variant() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let rules = r#"{ "name": "high", "base": "revised", "knock_at": 12 }"#;
    std::fs::write(here.join("high.json"), rules).unwrap();
    let arguments = [
        "compare",
        "leopard",
        "revised",
        "high.json",
        "--strategies",
        "greedy,random",
        "--deals",
        "60",
    ];
    let said = succeed(here, &arguments);
    assert!(said.contains("From revised to high"), "{said}");
    let mut rows = said.lines().filter(|line| line.starts_with("| knock rate"));
    assert!(rows.any(|row| row.contains("lower")), "fewer knocks: {said}");
    assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
}

#[test]
fn seats_sets_the_number_of_seats_of_a_match() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (game, variant, seats) in [
        ("leapfrog", "mini-5x5", "3"),
        ("leapfrog", "murray-mini-5x5", "4"),
        ("eleusis", "express", "3"),
        ("eleusis", "express", "8"),
        ("eleusis", "eleusis", "5"),
        ("leopard", "revised", "2"),
    ] {
        let table = ["--variant", variant, "--seats", seats, "--deals", "1"];
        let table = [&table[..], &["--records", "r", "--replace"]].concat();
        succeed(here, &[&["match", game, "random", "random"][..], &table].concat());
        let records = std::fs::read_to_string(here.join("r")).unwrap();
        let record: serde_json::Value =
            serde_json::from_str(records.lines().next().unwrap()).unwrap();
        assert_eq!(record["seats"].as_array().unwrap().len().to_string(), seats, "{game}");
        succeed(here, &["verify", "r"]);
    }
    let three = ["match", "leapfrog", "random", "greedy", "random"];
    let more = |seats| [&three[..], &["--deals", "1", "--seats", seats]].concat();
    fail(here, &more("2"), 2, &["`--seats` is 2, but there are 3 strategies"]);
    fail(here, &more("5"), 2, &["`seats` is 5; it must be from 2 to 4"]);
    let leopard = ["match", "leopard", "random", "greedy", "--seats", "3"];
    fail(here, &leopard, 2, &["`--seats` is 3; every table of leopard has 2"]);
}

/// RULES: the deal alternates, scores are added, the higher total wins, equal totals draw.
#[test]
fn a_denexa_match_sums_four_hands() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let table = ["match", "leopard", "random", "random-knocker", "--variant", "denexa"];
    let more = ["--deals", "40", "--records", "r", "--json"];
    let said = succeed(here, &[&table[..], &more].concat());
    let mut matches = std::collections::BTreeMap::new();
    for line in std::fs::read_to_string(here.join("r")).unwrap().lines() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        let number = |name: &str| record[name].as_u64().unwrap();
        let seats = [0, 1].map(|seat| record["seats"][seat].as_str().unwrap().to_owned());
        let first = (number("hand") + number("rotation")) % 2;
        assert_eq!(seats[first as usize], "random", "the deal alternates");
        let entry = matches.entry((number("deal"), number("rotation"))).or_insert((0, 0));
        entry.0 += 1;
        let points = [0, 1].map(|seat| record["scores"][seat].as_i64().unwrap());
        entry.1 += points[first as usize] - points[1 - first as usize];
    }
    assert!(matches.len() == 80 && matches.values().all(|(hands, _)| *hands == 4));
    let count = |sign: i64| matches.values().filter(|(_, m)| m.signum() == sign).count();
    let summary: serde_json::Value = serde_json::from_str(&said).unwrap();
    let row = &summary["matchups"][0];
    let of = |name: &str| row[name].as_u64().unwrap() as usize;
    assert_eq!([of("wins"), of("draws"), of("losses")], [count(1), count(0), count(-1)], "{row}");
}

#[test]
fn a_match_plays_the_same_hands_as_an_experiment() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    succeed(here, &["run", "original-vs-revised", "--deals", "20", "--quiet", "--out", "whole"]);
    let more = ["--variant", "revised", "--deals", "20", "--seed", "1968", "--out", "one"];
    succeed(here, &[&["match", "leopard", "steady", "steady"][..], &more].concat());
    let row = |folder: &str| {
        let text = std::fs::read_to_string(here.join(folder).join("matchups.csv")).unwrap();
        let split = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let heads = split(text.lines().next().unwrap());
        let row = text.lines().find(|l| l.starts_with("revised,steady,steady,")).unwrap();
        // Holm's correction depends on what else was compared.
        let alike = |(head, _): &(String, String)| {
            !["p_adjusted", "family", "p_adjusted_family"].contains(&head.as_str())
        };
        heads.into_iter().zip(split(row)).filter(alike).collect::<Vec<_>>()
    };
    assert_eq!(row("whole"), row("one"));
}

#[test]
fn lists_schemas_and_completions() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let said = succeed(here, &["list", "--all"]);
    for word in ["leopard", "running-original", "steady-plain", "original-vs-revised"] {
        assert!(said.contains(word), "{word}");
    }
    for what in ["experiment", "strategy", "rules", "record"] {
        let schema: serde_json::Value =
            serde_json::from_str(&succeed(here, &["schema", what])).unwrap();
        let games = schema["anyOf"].as_array().unwrap();
        assert!(games.len() == 3 && games.iter().all(|game| game.is_object()), "{what}");
    }
    for shell in ["bash", "zsh", "fish"] {
        assert!(succeed(here, &["completions", shell]).contains("parlour"));
    }
    fail(here, &["completions", "cobol"], 2, &["cobol"]);
}

#[test]
fn bench_measures_an_unlisted_variant() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let said = succeed(
        here,
        &["bench", "leapfrog", "--variant", "murray-mini-4x4", "--time", "1", "--json"],
    );
    let lines: Vec<serde_json::Value> = serde_json::from_str(&said).unwrap();
    assert!(lines.len() > 2 && lines.iter().all(|line| line["variant"] == "murray-mini-4x4"));
    assert!(lines[0]["hands_per_second"].as_f64().unwrap() > 0.0);
    let fault = ["mini-0x4", "1 to 18 rows and columns"];
    fail(here, &["bench", "leapfrog", "--variant", "mini-0x4"], 2, &fault);
    fail(here, &["bench", "--variant", "murray"], 2, &["GAME"]);
}

#[test]
fn the_signature_is_stable_and_ignores_user_files() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let one = succeed(here, &["bench", "--signature"]);
    assert_eq!(one.trim().len(), 16);
    std::fs::create_dir_all(here.join("strategies/leopard")).unwrap();
    let mine = "{ \"kind\": \"random\" }";
    std::fs::write(here.join("strategies/leopard/greedy.json"), mine).unwrap();
    assert_eq!(succeed(here, &["bench", "--signature"]), one);
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = parlour(folder.path())
        .args(["schema", "experiment"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn messages_are_plain_without_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let output = parlour(folder.path())
        .args(["run", "original-vs-revised", "--deals", "3"])
        .output()
        .unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!output.stdout.contains(&0x1b));
}

#[test]
fn run_json_uses_the_column_names() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let deals = ["--deals", "6", "--json", "--out", "r", "--replace"];
    for command in [
        &["run", "bonus"][..],
        &["match", "leopard", "greedy", "random"],
        &["compare", "leopard", "original", "revised", "--strategies", "greedy,random"],
    ] {
        let said = succeed(here, &[command, &deals].concat());
        let numbers: serde_json::Value = serde_json::from_str(&said).unwrap();
        for table in ["matchups", "strategies", "variants"] {
            let rows =
                std::fs::read_to_string(here.join("r").join(format!("{table}.csv"))).unwrap();
            let heads: Vec<&str> = rows.lines().next().unwrap().split(',').collect();
            let listed = numbers[table].as_array().unwrap();
            assert_eq!(listed.len(), rows.lines().count() - 1, "{command:?}: {table}");
            let names: Vec<&String> = listed[0].as_object().unwrap().keys().collect();
            assert_eq!(names, heads, "{command:?}: {table}");
        }
    }
}

#[test]
fn manual_pages_cover_the_program_and_each_command() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let program = succeed(here, &["man"]);
    for words in [".TH parlour 1", "parlour\\-run(1)", ".SH SYNOPSIS"] {
        assert!(program.contains(words), "{words} in {program}");
    }
    let run = succeed(here, &["man", "run"]);
    assert!(run.contains(".TH parlour-run 1") && run.contains("\\-\\-resume"), "{run}");
    fail(here, &["man", "runn"], 2, &["unknown command `runn`", "Did you mean `run`?"]);
}
