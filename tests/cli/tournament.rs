//! Tournaments from one line: players, ratings, the cross table, and wrong input.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use super::common::{column, fail, files, same, succeed};

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
    assert!(text.contains("0 (exact)"), "{text}");
    assert!(text.contains("≈50"), "a copy is as strong: {text}");
    let mut names = column(&here.join("t"), "strategies.csv", "strategy");
    names.sort();
    assert_eq!(names, ["greedy", "mine", "own", "random"]);
    let page = fs::read_to_string(here.join("t/report.html")).unwrap();
    assert!(page.contains("Cross table") && page.contains("parlour run FOLDER/manifest.json"));
    // The manifest holds the anchor: a rerun has the same tables.
    succeed(here, &["run", "t/manifest.json", "--out", "again", "--quiet"]);
    let read = |file: &str| fs::read_to_string(here.join(file)).unwrap();
    assert_eq!(read("t/strategies.csv"), read("again/strategies.csv"));
    let shown = succeed(here, &["show", "t"]);
    assert!(shown.contains("0 (exact)"), "{shown}");
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
        (&["greedy", "random", "--gauntlet", "brisk"], &["`brisk`", "greedy, random"]),
        (&["greedy", "greedy"], &["`greedy` twice"]),
        (&["greedy", "random", "--resume"], &["--out"]),
    ] {
        fail(here, &tournament(players), 2, words);
    }
    fail(here, &["tournament", "eleusis", "bayes", "random"], 2, &["parlour match"]);
    fail(here, &["match", "leopard", "greedy", "random", "brisk"], 2, &["parlour tournament"]);
}

#[test]
fn an_added_player_gives_the_same_bytes_as_one_from_the_start() {
    let folder = folder();
    let here = folder.path();
    let deals = ["--deals", "130", "--seed", "9"];
    let (bot, anchor) = (["--", "python3", "own.py"], ["--anchor", "greedy=0"]);
    let start = |players: &[&str], out: &str, more: &[&str]| {
        succeed(here, &[&tournament(players), &deals[..], &anchor, &["--out", out], more].concat())
    };
    start(&["greedy", "random"], "grown", &[]);
    succeed(
        here,
        &["tournament", "--out", "grown", "--threads", "2", "--add", "mine.json", "brisk"],
    );
    let text = succeed(here, &[&["tournament", "--out", "grown", "--add"], &bot[..]].concat());
    assert!(text.contains("own") && text.contains("mine") && text.contains("brisk"), "{text}");
    start(&["greedy", "random", "mine.json", "brisk"], "whole", &bot);
    same(&here.join("grown"), &here.join("whole"));
    // A tournament that was extended to more deals grows in the same way.
    start(&["greedy", "random"], "short", &[]);
    let more =
        ["--deals", "150", "--seed", "9", "--anchor", "greedy=0", "--out", "short", "--resume"];
    succeed(here, &[&tournament(&["greedy", "random"])[..], &more].concat());
    succeed(here, &["tournament", "--out", "short", "--add", "brisk"]);
    let all = ["--deals", "150", "--seed", "9", "--anchor", "greedy=0", "--out", "long"];
    succeed(here, &[&tournament(&["greedy", "random", "brisk"])[..], &all].concat());
    same(&here.join("short"), &here.join("long"));
}

#[test]
fn a_gauntlet_grows_by_one_pairing() {
    let folder = folder();
    let here = folder.path();
    let players = ["greedy", "random", "--gauntlet", "random", "--deals", "30", "--out", "t"];
    succeed(here, &tournament(&players));
    succeed(here, &["tournament", "--out", "t", "--add", "brisk"]);
    assert_eq!(column(&here.join("t"), "matchups.csv", "opponent"), ["greedy", "brisk"]);
}

#[test]
fn a_newcomer_is_placed_by_sequential_tests() {
    let folder = folder();
    let here = folder.path();
    let players = ["greedy", "random", "--deals", "2000", "--out", "t"];
    succeed(here, &tournament(&players));
    let place_it = ["tournament", "--out", "t", "--add", "brisk", "--sprt", "-5:20"];
    succeed(here, &place_it);
    fail(here, &place_it, 2, &["t-brisk already contains", "--replace"]);
    let text = succeed(here, &[&place_it[..], &["--replace"]].concat());
    assert!(text.contains("How does brisk do against the others?"), "{text}");
    let place = here.join("t-brisk");
    assert_eq!(column(&place, "matchups.csv", "sprt_verdict"), ["upper", "upper"]);
    let deals: u64 = column(&place, "matchups.csv", "deals")[0].parse().unwrap();
    assert!(deals < 1000, "it stops early: {deals}");
    assert_eq!(column(&here.join("t"), "strategies.csv", "strategy").len(), 2, "unchanged");
}

#[test]
fn wrong_additions_are_refused_and_change_nothing() {
    let folder = folder();
    let here = folder.path();
    let bot = ["--", "python3", "own.py"];
    let players = ["greedy", "random", "--deals", "5", "--out", "t"];
    succeed(here, &[&tournament(&players)[..], &bot].concat());
    succeed(here, &["match", "leopard", "greedy", "random", "--deals", "5", "--out", "m"]);
    let before = files(&here.join("t"));
    for (folder, more, words) in [
        ("t", &["greedy"][..], &["`greedy` twice"][..]),
        ("t", &["gredy"], &["`greedy`?"]),
        ("t", &[], &["name the strategies"]),
        ("t", &["brisk", "--deals", "9"], &["--deals"]),
        ("t", &["brisk", "mine.json", "--sprt", "0:20"], &["one newcomer"]),
        ("t", &["brisk", "--sprt", "20:0"], &["elo0 must be below elo1"]),
        ("t", &["brisk", "--sprt", "20"], &["LOW:HIGH"]),
        ("m", &["brisk"], &["not a run of `parlour tournament`"]),
        ("none", &["brisk"], &["not a results folder"]),
    ] {
        fail(here, &[&["tournament", "--out", folder, "--add"], more].concat(), 2, words);
    }
    // The old results are those of another bot.
    let text = fs::read_to_string(here.join("own.py")).unwrap();
    fs::write(here.join("own.py"), text + "\n# edited\n").unwrap();
    let add = ["tournament", "--out", "t", "--add", "brisk"];
    fail(here, &add, 2, &["own.py", "changed", "--allow-other-build"]);
    assert!(before == files(&here.join("t")));
    succeed(here, &[&add[..], &["--resume", "--allow-other-build"]].concat());
}
