//! Decisions are looked at where a run asks for it: the same bytes however it is divided, nothing else
//! changed, and clear words where the request is wrong.

use std::path::Path;

use super::common::{column, fail, same, succeed};

fn write(folder: &Path, game: &str, strategies: &str, more: &str) {
    let text = format!(
        r#"{{ "game": "{game}", "strategies": {strategies}, "deals": 24, "seed": 5{more} }}"#
    );
    std::fs::write(folder.join("e.json"), text).unwrap();
}

const LEOPARD: &str = r#", "variants": ["revised", "running-original"], "mirror": true"#;

fn run(folder: &Path, more: &[&str]) -> String {
    succeed(folder, &[&["run", "./e.json", "--quiet"], more].concat())
}

/// A column of numbers.
fn numbers(folder: &Path, name: &str) -> Vec<f64> {
    let text = column(folder, "variants.csv", name);
    text.iter().map(|number| number.parse().unwrap_or(f64::NAN)).collect()
}

#[test]
fn bytes_do_not_depend_on_threads_shards_or_extension() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write(
        here,
        "leopard",
        r#"["greedy", "brisk"]"#,
        &format!(r#"{LEOPARD}, "sample_decisions_every": 5"#),
    );
    run(here, &["--out", "one", "--threads", "1"]);
    run(here, &["--out", "two", "--threads", "2"]);
    same(&here.join("one"), &here.join("two"));
    run(here, &["--out", "a", "--shard", "1/2"]);
    run(here, &["--out", "b", "--shard", "2/2"]);
    succeed(here, &["merge", "b", "a", "--out", "merged"]);
    same(&here.join("one"), &here.join("merged"));
    run(here, &["--out", "more", "--deals", "13"]);
    run(here, &["--out", "more", "--resume", "--deals", "24"]);
    same(&here.join("one"), &here.join("more"));
}

#[test]
fn decision_figures_change_no_other_column() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    write(here, "leopard", r#"["steady"]"#, LEOPARD);
    run(here, &["--out", "plain"]);
    write(here, "leopard", r#"["steady"]"#, &format!(r#"{LEOPARD}, "sample_decisions_every": 2"#));
    run(here, &["--out", "looked"]);
    let (plain, looked) = (here.join("plain"), here.join("looked"));
    for name in ["first_seat_score", "turns", "knock_rate_low"] {
        assert_eq!(column(&plain, "variants.csv", name), column(&looked, "variants.csv", name));
    }
    for name in ["choices", "decision_weight", "knock_agency", "dead_share"] {
        assert!(column(&plain, "variants.csv", name).iter().all(String::is_empty), "{name}");
    }
    assert!(numbers(&looked, "choices").iter().all(|choices| (10.0..120.0).contains(choices)));
    for name in ["forced_share", "dead_share"] {
        assert!(numbers(&looked, name).iter().all(|share| (0.0..0.1).contains(share)), "{name}");
    }
    // Players that knock to win gain by it; the best move is better than the third best.
    for (name, most) in [("decision_weight", 0.2), ("knock_agency", 1.0)] {
        assert!(numbers(&looked, name).iter().all(|worth| (0.001..most).contains(worth)), "{name}");
    }
}

#[test]
fn every_game_has_decision_figures() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for (game, strategies, variants) in [
        ("leapfrog", r#"["greedy", "random"]"#, r#"["mini-4x4"]"#),
        (
            "eleusis",
            r#"["cautious", "random"]"#,
            r#"[{"name": "three", "base": "express", "seats": 3}]"#,
        ),
    ] {
        let seats = if game == "eleusis" {
            r#", "schedule": "line-up", "line_ups": [["random", "cautious", "random"]]"#
        } else {
            ""
        };
        let more = format!(r#", "variants": {variants}, "sample_decisions_every": 3{seats}"#);
        write(here, game, strategies, &more);
        run(here, &["--out", game, "--deals", "12"]);
        let choices = numbers(&here.join(game), "choices")[0];
        assert!(choices > 1.0, "{game}: {choices}");
        assert!((0.0..1.0).contains(&numbers(&here.join(game), "forced_share")[0]), "{game}");
    }
}

#[test]
fn impossible_settings_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for wrong in ["0", "-1", "true", "1.5"] {
        write(
            here,
            "leopard",
            r#"["greedy", "random"]"#,
            &format!(r#", "sample_decisions_every": {wrong}"#),
        );
        fail(
            here,
            &["run", "./e.json", "--out", "r"],
            2,
            &["field `sample_decisions_every`", "line 1"],
        );
    }
    let question = r#", "question": {"figure": "choices", "between": ["original", "revised"]}"#;
    write(here, "leopard", r#"["greedy", "random"]"#, question);
    let words =
        ["field `question.figure`", "needs analyzed decisions", "\"sample_decisions_every\": 10"];
    fail(here, &["run", "./e.json", "--out", "r"], 2, &words);
}
