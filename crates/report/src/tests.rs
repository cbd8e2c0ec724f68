//! A small run as its readers see it: text output, pages, CSV and JSON.

use std::sync::atomic::AtomicBool;

use serde_json::Value;

use super::compute::summarize;
use super::report::page;
use super::text_report::{difference_report, score_report, variant_table};
use super::*;
use parlour_arena::{
    Chunk, Experiment, PartialChunk, Plan, ProgressHeader, SilentObserver, VariantSpec,
    execute_chunk,
};
use parlour_leopard::Leopard;

use parlour_base::Program;

const PROGRAM: Program = Program { version: "0", source: "0", revision: "unknown" };

type LeopardExperiment = Experiment<VariantSpec>;

/// Resolves an experiment of strategies that are fast and never change.
fn plan(fields: &str) -> Plan<Leopard> {
    let text = format!(r#"{{ "game": "leopard", "strategies": ["random", "greedy"], {fields} }}"#);
    let experiment: LeopardExperiment = serde_json::from_str(&text).unwrap();
    Plan::<Leopard>::resolve("small", &experiment).unwrap()
}

/// Plays an experiment.
fn played(fields: &str) -> (Plan<Leopard>, Summary) {
    let plan = plan(fields);
    let summary = summary_of(&plan);
    (plan, summary)
}

fn summary_of(plan: &Plan<Leopard>) -> Summary {
    let never = AtomicBool::new(false);
    let play = |number| {
        let (observer, stop, deals) = (&SilentObserver, &never, plan.resolved.deals_of(number));
        let save = &|_: &PartialChunk| Ok(());
        let chunk = Chunk { number, deals, partial: None, log: None, observer, stop, save };
        execute_chunk(plan, chunk).unwrap().tally
    };
    let tallies: Vec<_> = (0..plan.resolved.chunks()).map(play).collect();
    summarize(plan, &tallies)
}

fn page_of(plan: &Plan<Leopard>, summary: &Summary) -> String {
    page(&ProgressHeader::of(plan, PROGRAM, false, false, None), summary, &[])
}

/// The elements of a page without style, script and charts, one per line.
fn skeleton(page: &str) -> String {
    let mut text = String::new();
    let mut rest = page;
    while let Some(start) = ["<style", "<script", "<svg"].iter().filter_map(|t| rest.find(t)).min()
    {
        let tag = rest[start + 1..].split([' ', '>']).next().unwrap();
        let end = start + rest[start..].find(&format!("</{tag}>")).unwrap();
        text += &rest[..start];
        text += &format!("<{tag}>…");
        rest = &rest[end..];
    }
    text += rest;
    let ends = [
        "</p>",
        "</h1>",
        "</h2>",
        "</h3>",
        "</tr>",
        "</li>",
        "</figure>",
        "</head>",
        "</nav>",
        "<section",
        "<details",
    ];
    for end in ends {
        let (from, to) = match end.starts_with("</") {
            true => (end.to_owned(), format!("{end}\n")),
            false => (end.to_owned(), format!("\n{end}")),
        };
        text = text.replace(&from, &to);
    }
    text
}

const TWO: &str = r#""variants": ["original", "revised"], "deals": 200"#;

#[test]
fn tables_on_the_screen() {
    let (_, summary) = played(TWO);
    let variants = variant_table(&summary).titled("Variants");
    insta::assert_snapshot!("variants", TextReport::default().table(variants).on_screen(80));
    let changes = difference_report(&summary, true).on_screen(80);
    let changes: Vec<&str> = changes.lines().take(7).collect();
    insta::assert_snapshot!("changes", changes.join("\n"));
}

#[test]
fn answer_and_pairings_on_the_screen() {
    let (_, summary) = played(TWO);
    insta::assert_snapshot!("answer", summary.answer.text());
    insta::assert_snapshot!("pairings", score_report(&summary).on_screen(80));
    let narrow =
        [score_report(&summary).on_screen(60), difference_report(&summary, true).on_screen(60)]
            .join("\n");
    assert!(narrow.lines().all(|line| line.chars().count() <= 60), "{narrow}");
}

#[test]
fn the_page_of_a_run() {
    let (plan, summary) = played(r#""variants": ["original", "revised"], "deals": 60"#);
    insta::assert_snapshot!("page", skeleton(&page_of(&plan, &summary)));
}

/// Question and answer for each kind of question.
#[test]
fn answers_by_kind_of_question() {
    let kinds = [
        r#""variants": ["original", "revised"], "deals": 400, "question": {"figure": ["turns", "draw_rate"]}"#,
        r#""variants": ["revised"], "mirror": true, "deals": 60, "question": {"figure": "first_seat_score"}"#,
        r#""variants": ["revised"], "deals": 60"#,
        r#""variants": ["original", "revised"], "deals": 60, "question": {"pairing": ["greedy", "random"]}"#,
        r#""variants": ["revised"], "deals": 60, "question": {"exploit": ["greedy", "random"]}"#,
        r#""variants": ["revised"], "mirror": true, "deals": 60, "question": {"pairing": ["greedy", "greedy"]}"#,
        r#""variants": ["revised"], "mirror": true, "deals": 60"#,
        r#""variants": ["revised"], "schedule": "gauntlet", "champion": "greedy", "deals": 60, "question": {"figure": "rating"}"#,
        r#""variants": ["revised"], "deals": 60, "question": {"figure": "score", "between": ["random"]}"#,
        r#""variants": ["revised"], "sweep": {"knock_at": "6..8"}, "deals": 60, "question": {"figure": "turns", "over": "knock_at"}"#,
        r#""variants": ["revised"], "deals": 20, "until": { "sprt": { "elo0": 0, "elo1": 5 } }"#,
        r#""variants": ["original", "revised"], "deals": 5"#,
    ];
    let texts = kinds.map(|fields| played(fields).1.answer.text());
    insta::assert_snapshot!("answers", texts.join("\n\n---\n\n"));
}

#[test]
fn csv_files_of_a_run() {
    let plan = plan(
        r#""variants": ["original", "revised"], "deals": 8, "confirm": true, "luck_adjusted": true"#,
    );
    let here = tempfile::tempdir().unwrap();
    let out = here.path().join("r");
    Run { folder: Some(&out), hands: true, ..Run::of(&plan, PROGRAM) }.go().unwrap();
    let mut names: Vec<String> = std::fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".csv"))
        .collect();
    names.sort();
    let texts = names.iter().map(|name| {
        let text = std::fs::read_to_string(out.join(name)).unwrap();
        let lines: Vec<&str> = text.lines().take(3).collect();
        format!("{name}\n{}", lines.join("\n"))
    });
    insta::assert_snapshot!("csv", texts.collect::<Vec<_>>().join("\n\n"));
}

#[test]
fn the_page_explains_an_early_end() {
    let until =
        r#""variants": ["revised"], "deals": 20, "until": { "sprt": { "elo0": 0, "elo1": 5 } }"#;
    let (plan, summary) = played(until);
    let page = page_of(&plan, &summary);
    for text in [
        "All 20 deals were played. The run would have ended early once a sequential test of 0 against 5 Elo",
        "other figures are not and lean slightly towards the decision",
        "<td class=\"\">undecided</td>",
    ] {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn one_deal_has_no_intervals() {
    let (plan, summary) = played(r#""variants": ["revised"], "deals": 1"#);
    assert!(page_of(&plan, &summary).contains("With one deal no number has an interval."));
    assert!(comparison_sizes(&summary, 0.01, 0.8).is_none(), "one deal has no variance");
    assert!(score_report(&summary).on_screen(80).contains("(no interval)"));
}

#[test]
fn a_number_of_deals_is_recommended_from_ten_deals_on() {
    let is_recommended = |deals: u32| {
        let (_, summary) =
            played(&format!(r#""variants": ["original", "revised"], "deals": {deals}"#));
        let text = summary.answer.text();
        assert!(text.contains("ot enough deals"), "{text}");
        text.contains("would show")
    };
    assert_eq!([9, 10].map(is_recommended), [false, true]);
}

#[test]
fn a_strategy_that_won_every_match_has_a_rating_without_an_interval() {
    let has_interval = |deals: u32| {
        let (_, summary) = played(&format!(r#""variants": ["revised"], "deals": {deals}"#));
        let best = &summary.variants[0].standings[0];
        assert_eq!(best.score.map(|score| score.value == 1.0), Some(deals == 12));
        best.rating.unwrap().interval.is_some()
    };
    assert_eq!([12, 200].map(has_interval), [false, true]);
}

#[test]
fn the_summary_as_json_matches_its_schema() {
    let (plan, summary) = played(TWO);
    let json = serde_json::to_value(&summary).unwrap();
    let schema = Summary::schema("leopard", &plan.figures);
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&json), keys(&schema["properties"]));
    let variants = &schema["properties"]["variants"]["items"]["properties"];
    // Only a run with a matrix of win rates has the distance from it, and one whose luck is judged
    // the score without luck.
    let optional = ["win_rate_distance", "first_seat_luck_adjusted"];
    let mut known = keys(variants);
    known.retain(|key| !optional.iter().any(|name| key.starts_with(name)));
    assert_eq!(keys(&json["variants"][1]), known);
    assert_eq!(json["variants"][1]["variant"], "revised");
    assert_eq!((&json["deals"], &json["early"]), (&200.into(), &false.into()));
    assert_eq!(json["strategies"].as_array().unwrap().len(), 4);
    let greedy = &json["strategies"][0];
    assert!(greedy["score_low"].as_f64() < greedy["score"].as_f64(), "{greedy}");
}

/// Questions about rules are answered by good players: the strongest that meets itself, else the
/// strongest pairing.
#[test]
fn good_players_answer_questions_about_rules() {
    let answer = |strategies: &str, more: &str| {
        let text = format!(
            r#"{{ "game": "leopard", "variants": ["original", "revised"], "strategies": {strategies},
                 "deals": 40, {more} "question": {{"figure": ["first_seat_score", "turns", "knock_rate"]}} }}"#
        );
        let experiment: LeopardExperiment = serde_json::from_str(&text).unwrap();
        let plan = Plan::<Leopard>::resolve("small", &experiment).unwrap();
        let summary = summary_of(&plan);
        let players = summary.answer.findings.iter().map(|f| f.players.clone());
        (players.collect::<Vec<_>>(), summary.answer.text())
    };
    let (players, text) = answer(r#"["random", "greedy", "brisk"]"#, r#""mirror": true,"#);
    assert_eq!(players, ["brisk+brisk", "brisk+brisk", "all"]);
    assert!(text.starts_with("Between two `brisk` players, "), "{text}");
    assert!(text.contains(" Over all pairings, "), "{text}");
    assert!(text.ends_with("leave out `random`."), "{text}");
    let (players, text) = answer(r#"["random", "greedy", "brisk"]"#, "");
    assert_eq!(players[0], "greedy+brisk", "{text}");
    let (players, text) = answer(r#"["brisk"]"#, r#""mirror": true,"#);
    assert_eq!(players, ["brisk+brisk"; 3]);
    assert!(!text.contains("leave out"), "{text}");
    let (_, text) = answer(r#"["random", "brisk"]"#, "");
    assert!(text.ends_with("leave out `random`."), "{text}");
}

#[test]
fn every_strategy_is_on_a_level() {
    let experiment: LeopardExperiment = serde_json::from_str(
        r#"{ "game": "leopard", "variants": ["revised"], "deals": 60,
             "strategies": ["random", "greedy", "brisk", "steady"] }"#,
    )
    .unwrap();
    let summary = summary_of(&Plan::<Leopard>::resolve("small", &experiment).unwrap());
    assert_eq!(summary.variants[0].levels, ["steady, brisk", "greedy", "random"]);
}
