//! Eleusis from the command line: what it prints, and what it refuses.

use std::collections::{BTreeMap, HashMap};

use super::common::{fail, succeed};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn every_variant_is_played_recorded_verified_and_replayed() {
    let folder = folder();
    let here = folder.path();
    for (variant, seats) in
        [("eleusis", 4), ("eleusis-1977", 4), ("express", 3), ("express-golden", 4)]
    {
        let mut arguments = vec!["match", "eleusis", "cautious"];
        arguments.extend(vec!["random"; seats - 1]);
        let number = seats.to_string();
        arguments.extend(["--seats", &number, "--variant", variant, "--deals", "1", "--quiet"]);
        arguments.extend(["--records", "r.jsonl", "--replace"]);
        let said = succeed(here, &arguments);
        assert!(said.contains(&format!("`{variant}")), "{said}");
        let verified = succeed(here, &["verify", "r.jsonl"]);
        assert!(verified.contains(&format!("{} hands", seats * seats)), "{verified}");
        let shown = succeed(here, &["replay", "r.jsonl", "--hand", "1"]);
        assert!(
            shown.contains("Starter:") && shown.contains("Scores, the dealer's first:"),
            "{shown}"
        );
    }
    assert!(succeed(here, &["list", "variants"]).contains("express-golden"));
}

#[test]
fn an_experiment_does_not_depend_on_threads() {
    let folder = folder();
    let here = folder.path();
    let text = r#"{ "game": "eleusis", "about": "a small one",
        "variants": [{ "name": "four", "base": "eleusis", "seats": 4, "hand_size": 5 }],
        "strategies": ["cautious", "random"], "schedule": "line-up",
        "line_ups": [["cautious", "random", "random", "random"]], "deals": 3 }"#;
    std::fs::write(here.join("e.json"), text).unwrap();
    for (threads, out) in [("1", "one"), ("2", "two")] {
        succeed(here, &["run", "./e.json", "--threads", threads, "--out", out, "--quiet"]);
    }
    super::common::same(&here.join("one"), &here.join("two"));
}

#[test]
fn a_rule_is_shown_by_name_and_by_text() {
    let folder = folder();
    let said = succeed(folder.path(), &["rule", "show", "same-suit", "--after", "5H 7H"]);
    assert!(said.starts_with("suit == last.suit\n"), "{said}");
    assert!(said.contains("right after 5H 7H:") && said.contains("AH 2H 3H"), "{said}");
    assert!(said.contains("25 % of the cards right"), "{said}");
    let said = succeed(folder.path(), &["rule", "show", "last.suit==suit", "--after", "5H 7S"]);
    assert!(said.contains("card 2, 7S, would have been rejected"), "{said}");
}

#[test]
fn a_rule_may_begin_with_a_minus() {
    let folder = folder();
    let show = |more: &[&str]| succeed(folder.path(), &[&["rule", "show"], more].concat());
    for more in [
        &["-rank < -last.rank", "--after", "5H 7H"][..],
        &["--after", "5H 7H", "-rank < -last.rank"],
        &["--after=5H 7H", "--", "-rank < -last.rank"],
    ] {
        assert!(show(more).starts_with("-rank < -last.rank\nright after 5H 7H"), "{more:?}");
    }
    let compare = ["rule", "compare", "-rank < -5", "-5 > -rank"];
    assert!(succeed(folder.path(), &compare).starts_with("equivalent"));
    fail(folder.path(), &["rule", "show", "red", "--aftr", "5H"], 2, &["--aftr"]);
    assert!(show(&["--help"]).contains("Usage"));
}

#[test]
fn rules_are_compared_exactly() {
    let folder = folder();
    let compare = |a: &str, b: &str| succeed(folder.path(), &["rule", "compare", a, b]);
    assert!(compare("color != last.color", "red xor last.red").starts_with("equivalent"));
    let said = compare("color != last.color", "suit != last.suit");
    assert!(said.contains("different: after AS, the second rule accepts AC"), "{said}");
}

#[test]
fn science_plays_cases_and_writes_its_tables() {
    let folder = folder();
    let here = folder.path();
    std::fs::write(here.join("c.jsonl"), case("color != last.color", 104)).unwrap();
    let arguments = ["science", "c.jsonl", "--strategy", "cautious", "--out", "s"];
    let said = succeed(here, &arguments);
    assert!(said.contains("in 1 case.") && said.contains("Brier"), "{said}");
    let turns = std::fs::read_to_string(here.join("s/science.csv")).unwrap();
    let head = "name,deal,turn,card,right,guess,probability,committed,guess_right,truth,\
        expected_bits,best_bits,gained_bits\n";
    assert!(turns.starts_with(head), "{turns}");
    let summary = std::fs::read_to_string(here.join("s/science_summary.csv")).unwrap();
    assert_eq!(summary.lines().count(), 3, "a case and the means: {summary}");
    let case = summary.lines().nth(1).unwrap();
    assert!(case.starts_with("x,0,color != last.color,"), "{case}");
    assert!(summary.lines().nth(2).unwrap().starts_with("mean,"), "{summary}");
    let page = std::fs::read_to_string(here.join("s/report.html")).unwrap();
    let (question, answer) = ("discover a secret rule on its own?", "of the rules and scored");
    assert!(page.contains(question) && page.contains(answer) && page.contains("<svg"), "{page}");
    let manifest = std::fs::read_to_string(here.join("s/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let digest = manifest["inputs"]["knowledge"]["eleusis_grammar"].as_str().unwrap();
    assert_eq!(digest, parlour::games::eleusis::infer::Grammar::shared().digest());
    assert_eq!(manifest["counts"]["cases"], 1);
}

#[test]
fn cases_and_variants_may_name_corpus_rules() {
    let folder = folder();
    let here = folder.path();
    std::fs::write(here.join("c.jsonl"), case("other-color", 104)).unwrap();
    succeed(here, &["science", "c.jsonl", "--strategy", "random", "--out", "s"]);
    let summary = std::fs::read_to_string(here.join("s/science_summary.csv")).unwrap();
    assert!(summary.contains("x,0,color != last.color,"), "{summary}");
    let text = r#"{ "game": "eleusis", "strategies": ["random"], "schedule": "line-up", "deals": 1,
        "variants": [{ "name": "v", "base": "eleusis", "seats": 4, "secret": "other-color" }],
        "line_ups": [["random", "random", "random", "random"]] }"#;
    std::fs::write(here.join("e.json"), text).unwrap();
    succeed(here, &["run", "./e.json", "--out", "r", "--quiet", "--records"]);
    let records = std::fs::read_to_string(here.join("r/records.jsonl")).unwrap();
    assert!(records.lines().all(|hand| hand.contains(r#""rule":"color != last.color""#)));
    let verified = succeed(here, &["verify", "r/records.jsonl"]);
    assert!(verified.contains("16 hands"), "{verified}");
}

#[test]
fn a_science_folder_is_named_where_a_run_is_expected() {
    let folder = folder();
    let here = folder.path();
    std::fs::write(here.join("c.jsonl"), case("red", 104)).unwrap();
    succeed(here, &["science", "c.jsonl", "--strategy", "random", "--out", "s"]);
    for command in ["show", "report"] {
        fail(here, &[command, "s"], 2, &["`science`", "1 case,", "report.html"]);
    }
    fail(here, &["science", "c.jsonl", "--out", "c.jsonl"], 1, &["c.jsonl: it is a file"]);
    fail(here, &["science", "c.jsonl", "--deals", "2"], 2, &["--deals"]);
}

#[test]
fn the_corpus_is_listed_with_group_split_and_text() {
    let folder = folder();
    let said = succeed(folder.path(), &["list", "rules"]);
    assert!(said.contains("color != last.color"), "{said}");
    let said = succeed(folder.path(), &["list", "rules", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&said).unwrap();
    let rules = json["rules"].as_array().unwrap();
    let one = rules.iter().find(|rule| rule["name"] == "other-color").unwrap();
    assert_eq!(one["rule"], "color != last.color");
    assert_eq!(one["group"], "B");
    assert!(one["split"] == "training" || one["split"] == "test", "{one}");
    assert_eq!(rules.iter().filter(|rule| rule["playable"] == false).count(), 2);
}

#[test]
fn the_manifest_names_the_grammar_of_inferring_bots() {
    let folder = folder();
    let here = folder.path();
    let knowledge = |player: &str, out: &str| {
        let mut arguments = vec!["match", "eleusis", player];
        arguments.extend(["random"; 3]);
        arguments.extend(["--variant", "express", "--deals", "1", "--out", out, "--quiet"]);
        succeed(here, &arguments);
        let text = std::fs::read_to_string(here.join(out).join("manifest.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
        manifest["inputs"]["knowledge"].clone()
    };
    let digest = parlour::games::eleusis::infer::Grammar::shared().digest();
    assert_eq!(knowledge("cautious", "a")["eleusis_grammar"], digest.as_str());
    assert_eq!(knowledge("random", "b"), serde_json::json!({}));
}

#[test]
fn science_refuses_other_variants() {
    let folder = folder();
    let refused = |variant: &str, words: &[&str]| {
        let arguments = ["science", "--corpus", "training", "--variant", variant];
        fail(folder.path(), &arguments, 2, words);
    };
    refused("express", &["express", "parlour match eleusis", "science"]);
    refused("sciense", &["sciense", "science"]);
}

/// A case with the first `cards` cards of two sorted decks.
fn case(rule: &str, cards: usize) -> String {
    let ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
    let suits = ["S", "H", "D", "C"];
    let one = ranks.iter().flat_map(|rank| suits.iter().map(move |suit| format!("{rank}{suit}")));
    let deck: Vec<String> = one.clone().chain(one).take(cards).collect();
    serde_json::json!({ "name": "x", "deal": 0, "rule": rule, "deck": deck }).to_string()
}

/// `rule show` refuses the text with one message that holds the words.
fn rule_refused(text: &str, words: &[&str]) {
    fail(folder().path(), &["rule", "show", text], 2, words);
}

#[test]
fn rules_that_cannot_be_read_are_refused() {
    rule_refused("color == = last.color", &["not a rule", "column 10"]);
    rule_refused("hand has red", &["hand"]);
    rule_refused("player == 1", &["player"]);
    rule_refused("rank mod 0 == 1", &["division by zero"]);
    rule_refused("rank / 0 == 1", &["division by zero"]);
}

#[test]
fn a_very_long_or_deeply_nested_rule_is_refused() {
    rule_refused(&"red or ".repeat(15_000), &["not a rule"]);
    rule_refused(&format!("{}red{}", "(".repeat(1000), ")".repeat(1000)), &["nested"]);
    rule_refused(&format!("{}red", "not ".repeat(1000)), &["nested"]);
}

/// A text of a megabyte does not fit in an argument: it comes in a file.
#[test]
fn a_rule_of_a_megabyte_in_a_case_is_refused() {
    let folder = folder();
    let rule = "red or ".repeat(150_000) + "red";
    std::fs::write(folder.path().join("c.jsonl"), case(&rule, 104)).unwrap();
    fail(folder.path(), &["science", "c.jsonl"], 2, &["c.jsonl: line 1", "rule"]);
}

#[test]
fn wrong_cases_are_refused() {
    let refused = |rule: &str, cards: usize, words: &[&str]| {
        let folder = folder();
        std::fs::write(folder.path().join("c.jsonl"), case(rule, cards)).unwrap();
        fail(folder.path(), &["science", "c.jsonl"], 2, words);
    };
    refused("red", 103, &["line 1", "103 cards", "104"]);
    refused("red and black", 104, &["line 1", "rule", "accept"]);
    refused("red or black", 104, &["line 1", "rule", "accept"]);
    refused("rank > last.rank", 104, &["line 1", "rule", "no card right"]);
    refused("rank mod 0 == 1", 104, &["line 1", "rule", "division by zero"]);
    refused("hand has red", 104, &["line 1", "rule", "hand"]);
    let deep = format!("{}red{}", "(".repeat(1000), ")".repeat(1000));
    refused(&deep, 104, &["line 1", "rule", "nested"]);
    let folder = folder();
    std::fs::write(folder.path().join("c.jsonl"), case("red", 104).replacen("AS", "1S", 1))
        .unwrap();
    fail(folder.path(), &["science", "c.jsonl"], 2, &["line 1", "1S", "not a card"]);
    std::fs::write(folder.path().join("d.jsonl"), case("red", 104).replacen("\"x\"", "7", 1))
        .unwrap();
    fail(folder.path(), &["science", "d.jsonl"], 2, &["line 1", "name"]);
    std::fs::write(
        folder.path().join("e.jsonl"),
        case("red", 104).replacen("\"x\"", "\"mean\"", 1),
    )
    .unwrap();
    fail(folder.path(), &["science", "e.jsonl"], 2, &["line 1", "name", "means", "another name"]);
    refused("blck-only", 104, &["line 1", "rule", "black-only"]);
    refused("red", 1, &["has 1 card;"]);
    fail(folder.path(), &["science"], 2, &["<CASES>"]);
    fail(folder.path(), &["science", "none.jsonl"], 2, &["none.jsonl"]);
}

/// Both aces of spades lie in the hand, and nothing else may be the starter.
#[test]
fn a_deck_without_a_starter_is_refused() {
    let text = case("(color != last.color) ?? (spade and rank == A)", 104);
    let mut line: serde_json::Value = serde_json::from_str(&text).unwrap();
    let deck = line["deck"].as_array_mut().unwrap();
    assert_eq!((deck[0].as_str(), deck[52].as_str()), (Some("AS"), Some("AS")));
    deck.swap(1, 52);
    let folder = folder();
    std::fs::write(folder.path().join("c.jsonl"), line.to_string()).unwrap();
    fail(folder.path(), &["science", "c.jsonl"], 2, &["line 1", "deck", "starter"]);
    std::fs::write(folder.path().join("d.jsonl"), text).unwrap();
    succeed(folder.path(), &["science", "d.jsonl", "--strategy", "random"]);
}

/// Three seats where the game needs four, and a secret that never refuses.
#[test]
fn wrong_variants_are_refused() {
    let refused = |field: &str, words: &[&str]| {
        let folder = folder();
        let text = format!(
            r#"{{ "game": "eleusis", "variants": [{{ "name": "v", "base": "eleusis", {field} }}],
                "strategies": ["random"], "schedule": "line-up",
                "line_ups": [["random", "random", "random"]] }}"#
        );
        std::fs::write(folder.path().join("e.json"), text).unwrap();
        fail(folder.path(), &["run", "./e.json"], 2, words);
    };
    refused(r#""seats": 3"#, &["`seats` is 3", "4 to 8"]);
    refused(r#""secret": "red or black""#, &["secret", "accept"]);
    refused(r#""secret": "red""#, &["seats"]);
    let both = r#""secret": "red", "secret_from": "test""#;
    refused(both, &["e.json: variant `v`: `secret` names the rule", "remove one of them"]);
    refused(r#""forced_by": "nobody""#, &["e.json", "forced_by", "Known: prophet, dealer"]);
    let three = ["match", "eleusis", "random", "random", "random"];
    let words = ["5 seats", "needs as many strategies", "there are 3"];
    fail(folder().path(), &three, 2, &words);
}

/// RULES: every seat deals once; totals decide; equal totals share the win.
#[test]
fn every_seat_deals_once_and_equal_totals_share_the_win() {
    let folder = tempfile::tempdir().unwrap();
    let experiment = r#"{
        "game": "eleusis",
        "variants": [{ "name": "three", "base": "express", "seats": 3 }],
        "strategies": ["random"],
        "schedule": "line-up",
        "line_ups": [["random", "random", "random"]],
        "deals": 20,
        "seed": 3
    }"#;
    std::fs::write(folder.path().join("e.json"), experiment).unwrap();
    succeed(folder.path(), &["run", "./e.json", "--hands", "--out", "o", "--quiet"]);
    let rows = |name: &str| -> Vec<HashMap<String, String>> {
        let file = folder.path().join("o").join(name);
        csv::Reader::from_path(file).unwrap().deserialize().map(Result::unwrap).collect()
    };
    // By deal and rotation: what each place of the line-up made in the hands of the match, in
    // which it moves on by a seat a hand.
    let mut totals: BTreeMap<(usize, usize), [i64; 3]> = BTreeMap::new();
    for row in rows("hands.csv") {
        let number = |name: &str| row[name].parse::<i64>().unwrap();
        let [deal, hand, rotation] = ["deal", "hand", "rotation"].map(|name| number(name) as usize);
        let total = totals.entry((deal, rotation)).or_default();
        for (place, sum) in total.iter_mut().enumerate() {
            *sum += number(&format!("score_{}", (place + rotation + hand) % 3));
        }
    }
    assert_eq!(totals.len(), 20 * 3);
    let (mut shares, mut ties) = ([0.0; 3], 0);
    for total in totals.values() {
        let best = total.iter().max().unwrap();
        let winners: Vec<usize> = (0..3).filter(|&place| total[place] == *best).collect();
        ties += usize::from(winners.len() > 1);
        for &place in &winners {
            shares[place] += 1.0 / winners.len() as f64 / totals.len() as f64;
        }
    }
    assert!(ties > 0, "no total was equal: choose another seed");
    for (row, share) in rows("matchups.csv").iter().zip(shares) {
        let score: f64 = row["score"].parse().unwrap();
        assert!((score - share).abs() < 1e-6, "{score} {share}");
    }
}
