//! `parlour learn`: the files it writes, how it resumes, and what it refuses.

use std::fs;

use parlour::game::network::Network;
use parlour::game::{Game, Policy, Ruled, Seat};
use parlour::maths::exp;
use parlour::{Leopard, Seed};

use super::common::{fail, output, succeed};

/// A training of a few hands.
const SHORT: [&str; 8] =
    ["learn", "leopard", "--variant", "toy", "--hands", "1536", "--ladder", "random"];

#[test]
fn a_learnt_network_plays_everywhere_and_the_same_for_any_threads() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    for (threads, out) in [("1", "one.json"), ("2", "two.json")] {
        let text = succeed(here, &[&SHORT[..], &["--threads", threads, "--out", out]].concat());
        assert!(text.contains("against `random` under `toy`"), "{text}");
    }
    let network = |name: &str| fs::read(here.join(name)).unwrap();
    assert!(network("one.safetensors") == network("two.safetensors"));
    let curve = fs::read_to_string(here.join("one-curve.csv")).unwrap();
    assert!(curve.starts_with(
        "hands,minutes,variant,opponent,score,score_low,score_high,entropy,explained\n0,"
    ));
    assert_eq!(curve.lines().last().unwrap().split(',').next(), Some("1536"));
    let played = ["match", "leopard", "./one.json", "random", "--variant", "toy", "--deals", "20"];
    assert!(succeed(here, &played).contains("`one`"));
    let search = r#"{ "about": "Guided.", "base": "ismcts-250", "budget": { "iterations": 20 },
        "guide": { "by": "./one.json" },
        "playouts": { "cut_off": { "moves": 2, "evaluator": "./one.json" } } }"#;
    fs::write(here.join("search.json"), search).unwrap();
    let played =
        ["match", "leopard", "./search.json", "random", "--variant", "toy", "--deals", "2"];
    assert!(succeed(here, &played).contains("`search`"));
}

#[test]
fn a_training_continues_from_a_network() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    succeed(here, &[&SHORT[..], &["--out", "one.json"]].concat());
    let more = [&SHORT[..], &["--from", "./one.json", "--out", "more.json", "--json"]].concat();
    let learnt: serde_json::Value = serde_json::from_str(&succeed(here, &more)).unwrap();
    let first = learnt["curve"][0]["score"].as_f64().unwrap();
    assert!(learnt["hands"] == 1536 && first > 0.55, "{first}");
    let file = fs::read_to_string(here.join("more.json")).unwrap();
    assert!(file.contains("\"from\": \"./one.json\""));
}

#[test]
fn wrong_requests_are_refused() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    succeed(here, &[&SHORT[..], &["--out", "toy.json"]].concat());
    let other = ["--hands", "512", "--ladder", "random", "--out", "other.json"];
    succeed(here, &[&["learn", "leapfrog", "--variant", "mini-3x3"], &other[..]].concat());
    for (options, words) in [
        (&["leopard", "--from", "steady"][..], "continues a network; `steady` is of the kind"),
        (&["leopard", "--from", "ismcts-250"], "continues a network"),
        (&["leopard", "--hands", "100"], "fewer than 512 hands"),
        (&["leopard", "--hours", "0"], "`--hours` must be above 0"),
        (&["leopard", "--hours", "0.00001", "--out", "short.json"], "`--hours` is too short"),
        (&["leopard", "--out", "toy.json"], "toy.json already exists: use `--replace`"),
        (&["leopard", "--out", "toy.txt"], "must end in `.json`"),
        (&["leopard", "--opponents", "steedy"], "Did you mean `steady`"),
        (&["leapfrog", "--variant", "mini-3x3,mini-4x4"], "one network cannot play"),
        (
            &["leapfrog", "--variant", "mini-3x3", "--from", "./toy.json"],
            "unknown variant of leapfrog",
        ),
        (
            &["leopard", "--from", "./other.safetensors"],
            "`0.weight` and `2.weight` have the shapes",
        ),
        (
            &["leopard", "--variant", "toy", "--units", "64", "--from", "./toy.json"],
            "it has 1024 hidden units; give at least as many `--units`",
        ),
        (&["leopard", "knock=4..9"], "knock"),
        (&["chess"], "chess"),
    ] {
        let own_out = if options.contains(&"--out") { &[][..] } else { &["--out", "new.json"] };
        fail(here, &[&["learn", "--quiet"], options, own_out].concat(), 2, &[words]);
    }
    // A damaged network.
    let mut bytes = fs::read(here.join("toy.safetensors")).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(here.join("toy.safetensors"), bytes).unwrap();
    let played = ["match", "leopard", "./toy.json", "random", "--deals", "2"];
    fail(here, &played, 2, &["toy.safetensors has changed"]);
}

#[test]
fn rules_may_be_drawn() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    let drawn = ["learn", "leopard", "knock_at=1..3", "hand_size=1,2", "suit_line=2..4"];
    let text = succeed(here, &[&drawn[..], &["--hands", "512", "--ladder", "random"]].concat());
    assert!(text.contains("`revised`"), "{text}");
    let rules = fs::read_to_string(here.join("learnt.json")).unwrap();
    // Of the 18 combinations as many as have all values, and the variant itself.
    let all = ["\"knock_at\": 1,", "\"knock_at\": 2,", "\"knock_at\": 3,", "\"hand_size\": 1,"];
    let more = ["\"hand_size\": 2,", "\"suit_line\": 2,", "\"suit_line\": 3,", "\"suit_line\": 4,"];
    assert!(all.iter().chain(&more).all(|value| rules.contains(value)), "{rules}");
    assert!((3..=6).contains(&rules.matches("\"knock_at\"").count()), "{rules}");
    assert_eq!(rules.matches("\"revised\"").count(), 1);
    let unseen = output(here, &["match", "leopard", "./learnt.json", "random", "--deals", "4"]);
    assert!(unseen.status.success());
    // Also from a variant of one's own.
    fs::write(here.join("own.json"), r#"{ "base": "revised", "hand_size": 3 }"#).unwrap();
    let own = [
        "--variant",
        "./own.json",
        "--ladder",
        "random",
        "--hands",
        "512",
        "--out",
        "own-learnt.json",
    ];
    let text = succeed(here, &[&["learn", "leopard", "knock_at=1,2"][..], &own].concat());
    assert!(text.contains("`own`"), "{text}");
}

#[test]
fn a_mixed_strategy_draws_moves_by_their_probabilities() {
    let here = tempfile::tempdir().unwrap();
    let here = here.path();
    let mixed = ["--mixed", "--reward", "points", "--out", "mixed.json"];
    succeed(here, &[&SHORT[..], &mixed].concat());
    let mut file: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(here.join("mixed.json")).unwrap()).unwrap();
    assert_eq!(file["mixed"], true);
    let fields = serde_json::json!({
        "file": here.join("mixed.safetensors"), "mixed": file["mixed"].take()
    });
    let network: Network = serde_json::from_value(fields).unwrap();
    let game = Leopard::new(&Leopard::preset("toy").unwrap()).unwrap();
    let mut chance = Seed::new(1).stream();
    let view = game.view(&game.deal(&mut chance), Seat(0));
    let (mut moves, mut scores) = (Vec::new(), Vec::new());
    game.legal_moves_in_view(&view, &mut moves);
    assert!(network.score_moves(&game, &view, &moves, &mut scores) && moves.len() > 1);
    let sum: f64 = scores.iter().map(|score| exp(f64::from(*score))).sum();
    let picked: Vec<_> = (0..4000).map(|_| network.pick(&game, &view, &mut chance)).collect();
    for (mv, score) in moves.iter().zip(scores) {
        let (share, drawn) =
            (exp(f64::from(score)) / sum, picked.iter().filter(|it| *it == mv).count());
        assert!((drawn as f64 / 4000.0 - share).abs() < 0.04, "{mv}: {drawn} of 4000, {share}");
    }
}
