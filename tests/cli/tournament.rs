//! Tournaments from one line: players, ratings, the cross table, and wrong input.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::common::{column, fail, same, succeed};

/// A folder with a strategy of its own and an external bot.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/bots");
    fs::copy(scripts.join("leopard_greedy.py"), folder.path().join("own.py")).unwrap();
    fs::write(folder.path().join("mine.json"), r#"{"base": "greedy"}"#).unwrap();
    folder
}

fn tournament<'a>(players: &[&'a str]) -> Vec<&'a str> {
    [&["tournament", "leopard"], players].concat()
}

#[test]
fn a_tournament_rates_strategies_files_and_bots() {
    let folder = folder();
    let here = folder.path();
    let players = ["greedy", "random", "mine.json", "--deals", "20", "--anchor", "greedy=0"];
    let text = succeed(
        here,
        &[&tournament(&players)[..], &["--out", "t", "--", "python3", "own.py"]].concat(),
    );
    assert!(text.contains("How strong are the strategies?"), "{text}");
    assert!(text.contains("Cross table"), "{text}");
    assert!(text.contains("0 (anchor)"), "{text}");
    assert!(text.contains("≈50.0"), "a copy is as strong: {text}");
    let mut names = column(&here.join("t"), "strategies.csv", "strategy");
    names.sort();
    assert_eq!(names, ["greedy", "mine", "own", "random"]);
    let page = fs::read_to_string(here.join("t/report.html")).unwrap();
    assert!(page.contains("Cross table") && page.contains("parlour run manifest.json"));
    // The manifest holds the anchor: a rerun has the same tables.
    succeed(here, &["run", "t/manifest.json", "--out", "again", "--quiet"]);
    let read = |file: &str| fs::read_to_string(here.join(file)).unwrap();
    assert_eq!(read("t/strategies.csv"), read("again/strategies.csv"));
    let shown = succeed(here, &["show", "t"]);
    assert!(shown.contains("0 (anchor)"), "{shown}");
}

#[test]
fn an_anchor_shifts_all_ratings_and_keeps_their_differences() {
    let folder = folder();
    let here = folder.path();
    let ratings = |anchor: &[&str]| {
        let players = tournament(&["greedy", "random", "brisk", "--deals", "50", "--json"]);
        let json: Value =
            serde_json::from_str(&succeed(here, &[&players[..], anchor].concat())).unwrap();
        let rating = |row: &Value| row["rating"].as_f64().unwrap();
        json["strategies"].as_array().unwrap().iter().map(rating).collect::<Vec<_>>()
    };
    let (plain, shifted) = (ratings(&[]), ratings(&["--anchor", "greedy=100.5"]));
    assert!(plain.iter().sum::<f64>().abs() < 1e-6, "{plain:?}");
    assert_eq!(shifted[1], 100.5, "{shifted:?}");
    for (a, b) in [(0, 1), (1, 2)] {
        assert!((shifted[a] - shifted[b] - (plain[a] - plain[b])).abs() < 1e-6);
    }
}

#[test]
fn in_a_gauntlet_only_the_champion_meets_the_others() {
    let folder = folder();
    let here = folder.path();
    let players = ["greedy", "random", "mine.json", "--gauntlet", "mine.json", "--deals", "20"];
    succeed(here, &[&tournament(&players)[..], &["--out", "t", "--threads", "1"]].concat());
    let pairings = column(&here.join("t"), "matchups.csv", "strategy");
    assert_eq!(pairings, ["mine", "mine"]);
    succeed(here, &[&tournament(&players)[..], &["--out", "u", "--threads", "2"]].concat());
    same(&here.join("t"), &here.join("u"));
}

#[test]
fn wrong_tournaments_are_refused_with_a_fix() {
    let folder = folder();
    let here = folder.path();
    for (players, words) in [
        (&["greedy"][..], &["at least two players"][..]),
        (&["greedy", "random", "--anchor", "gredy=0"], &["`anchor`", "`greedy`?", "random"]),
        (&["greedy", "random", "--anchor", "greedy"], &["PLAYER=ELO"]),
        (&["greedy", "random", "--anchor", "greedy=nan"], &["PLAYER=ELO"]),
        (&["greedy", "random", "--anchor", "greedy=1e9"], &["10000"]),
        (&["greedy", "random", "--gauntlet", "brisk"], &["`brisk`", "greedy, random"]),
        (&["greedy", "greedy"], &["`greedy` twice"]),
        (&["greedy", "random", "--resume"], &["--out"]),
    ] {
        fail(here, &tournament(players), 2, words);
    }
    fail(here, &["tournament", "eleusis", "bayes", "random"], 2, &["parlour match"]);
    fail(here, &["match", "leopard", "greedy", "random", "brisk"], 2, &["parlour tournament"]);
}
