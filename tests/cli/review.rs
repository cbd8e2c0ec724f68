//! `review`: what players lose by their moves.

use std::path::Path;

use serde_json::Value;

use super::common::{fail, succeed};

/// Plays two strategies, with the records in `r.jsonl`, and writes a judge of few playouts.
fn play(here: &Path, game: &str, players: [&str; 2], variant: &str, deals: &str) {
    let judge =
        r#"{ "base": "ismcts-500", "budget": { "iterations": 60 }, "model": { "worlds": 50 } }"#;
    std::fs::write(here.join("judge.json"), judge).unwrap();
    let ask = ["match", game, players[0], players[1], "--variant", variant, "--deals", deals];
    succeed(here, &[&ask[..], &["--records", "r.jsonl", "--quiet"]].concat());
}

fn review(here: &Path, options: &[&str]) -> Value {
    let text = succeed(here, &[&["review", "r.jsonl", "--json"], options].concat());
    serde_json::from_str(&text).unwrap()
}

/// The mean loss of a player, which must have an interval.
fn loss(report: &Value, player: &str) -> f64 {
    let players = report["players"].as_array().unwrap();
    let found = players.iter().find(|it| it["player"] == player).expect("the player");
    let loss = &found["groups"][0]["loss"];
    assert!(loss["interval"].is_array(), "{found}");
    loss["value"].as_f64().unwrap()
}

#[test]
fn the_weaker_player_loses_more_and_threads_change_nothing() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    play(here, "leopard", ["random-knocker", "steady"], "revised", "2");
    let judged = ["--strategy", "./judge.json", "--threads"];
    let report = review(here, &[&judged[..], &["1"]].concat());
    assert_eq!(report, review(here, &[&judged[..], &["3"]].concat()));
    assert!(loss(&report, "random-knocker") > loss(&report, "steady") + 0.01, "{report}");
    // Phases and kinds split the decisions.
    for player in report["players"].as_array().unwrap() {
        let groups = player["groups"].as_array().unwrap();
        let decisions = |it: &Value| it["decisions"].as_u64().unwrap();
        let (phases, kinds): (Vec<&Value>, Vec<&Value>) =
            groups[1..].iter().partition(|it| it["name"].as_str().unwrap().ends_with(" third"));
        for parts in [phases, kinds] {
            assert_eq!(parts.into_iter().map(decisions).sum::<u64>(), decisions(&groups[0]));
        }
    }
    // The comments on a single hand have the same values.
    let worst = &report["mistakes"][0];
    let hand = worst["hand"].to_string();
    let ask = ["replay", "r.jsonl", "--advise", "./judge.json", "--hand", &hand];
    let text = succeed(here, &ask);
    let (played, best) = (worst["played"].as_str().unwrap(), worst["best"].as_str().unwrap());
    let percent = format!("{:.1} %", 100.0 * worst["values"]["played"].as_f64().unwrap());
    let line = text
        .lines()
        .find(|line| line.starts_with(&format!("| {:<6} |", worst["move"].to_string())));
    let line = line.expect("the move");
    assert!([played, best, &percent].iter().all(|it| line.contains(it)), "{line}\n{worst}");
}

#[test]
fn a_page_links_to_the_mistakes_of_one_player() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    play(here, "leopard", ["greedy", "steady"], "revised", "2");
    let ask = ["review", "r.jsonl", "--strategy", "./judge.json", "--player", "greedy"];
    let ask = [&ask[..], &["--html", "page.html"]].concat();
    let text = succeed(here, &ask);
    assert!(text.starts_with("greedy loses ") && text.contains("Page: page.html"), "{text}");
    assert!(!text.contains("steady loses"), "{text}");
    let page = std::fs::read_to_string(here.join("page.html")).unwrap();
    assert!(page.contains("href=\"#hand-1-move-") && page.contains("The most expensive"), "links");
    fail(here, &ask, 2, &["page.html", "--replace"]);
    let lost = succeed(here, &["replay", "r.jsonl", "--lost-by", "greedy"]);
    let count = lost.lines().filter(|line| line.contains(" : ")).count();
    assert!(lost.contains(&format!("greedy lost {count} of 4 hands.")), "{lost}");
    let report = review(here, &["--strategy", "./judge.json", "--lost-by", "greedy"]);
    assert_eq!(report["hands"], count);
    let report = review(here, &["--strategy", "./judge.json", "--hands", "1"]);
    assert_eq!(report["hands"], 1);
}

/// On a small board every loss is exact: a whole or half win, and none by exact play.
#[test]
fn small_boards_of_leap_frog_are_judged_exactly() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    play(here, "leapfrog", ["exact", "random"], "mini-3x4", "4");
    let report = review(here, &[]);
    let exact = report["players"][0].clone();
    let all = &exact["groups"][0];
    assert_eq!((&exact["player"], all["loss"]["value"].as_f64()), (&"exact".into(), Some(0.0)));
    assert_eq!(all["decisions"], all["agreed"]);
    assert!(loss(&report, "random") > 0.05, "{report}");
    for mistake in report["mistakes"].as_array().unwrap() {
        let value = |it: &str| mistake["values"][it].as_f64().unwrap();
        assert!([0.5, 1.0].contains(&(value("best") - value("played"))), "{mistake}");
        assert_eq!(value("half_width"), 0.0);
    }
}

#[test]
fn what_cannot_be_reviewed_is_refused() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    play(here, "leopard", ["greedy", "random-knocker"], "revised", "1");
    fail(here, &["review", "r.jsonl", "--player", "gredy"], 2, &["`gredy`", "`greedy`?"]);
    fail(here, &["review", "r.jsonl", "--lost-by", "none"], 2, &["`none`", "Known: greedy"]);
    fail(here, &["replay", "r.jsonl", "--lost-by", "none"], 2, &["`none`", "Known: greedy"]);
    fail(here, &["replay", "r.jsonl", "--lost-by", "greedy", "--html", "p.html"], 2, &["--html"]);
    fail(here, &["review", "r.jsonl", "--hands", "0"], 2, &["no hand"]);
    fail(here, &["review", "r.jsonl", "--strategy", "bayes"], 2, &["`bayes`"]);
    std::fs::rename(here.join("r.jsonl"), here.join("leopard.jsonl")).unwrap();
    play(here, "leapfrog", ["greedy", "random"], "mini-3x4", "1");
    let [leapfrog, leopard] =
        ["r.jsonl", "leopard.jsonl"].map(|file| std::fs::read_to_string(here.join(file)).unwrap());
    std::fs::write(here.join("both.jsonl"), leapfrog + &leopard).unwrap();
    fail(here, &["review", "both.jsonl"], 2, &["both.jsonl", "hands of leapfrog and leopard"]);
    std::fs::remove_file(here.join("r.jsonl")).unwrap();
    let players = ["cautious", "random", "random", "random", "--variant", "express"];
    let records = ["--deals", "1", "--records", "r.jsonl", "--quiet"];
    let ask = [&["match", "eleusis"][..], &players, &records].concat();
    succeed(here, &ask);
    fail(here, &["review", "r.jsonl", "--strategy", "cautious"], 2, &["move but no evaluation"]);
}
