//! A small run as its readers see it: tables on the screen, sentences of the page, JSON.

use std::sync::atomic::AtomicBool;

use serde_json::Value;

use parlour_base::Program;

use super::report::page;
use super::{
    Summary, answer_sheet, difference_sheet, needs, pairing_sheet, rating_sheet, variant_sheet,
};
use crate::arena::{
    Chunk, Experiment, Plan, ProgressHeader, SilentObserver, VariantSpec, execute_chunk,
};
use crate::game::Ruled;
use parlour_leopard::Leopard;

const PROGRAM: Program = Program { version: "0", source: "0", revision: "unknown" };

type Leopards = Experiment<VariantSpec<<Leopard as Ruled>::Patch>>;

/// Plays an experiment; the strategies in it need little time and never change.
fn played(fields: &str) -> (Plan<Leopard>, Summary) {
    let text = format!(r#"{{ "game": "leopard", "strategies": ["random", "greedy"], {fields} }}"#);
    let experiment: Leopards = serde_json::from_str(&text).unwrap();
    let plan = Plan::<Leopard>::resolve("small", &experiment).unwrap();
    let going_on = AtomicBool::new(false);
    let chunk = |number| Chunk::new(&plan, number, &SilentObserver, &going_on);
    let play = |number| execute_chunk(&plan, chunk(number)).unwrap().complete().unwrap();
    let tallies: Vec<_> = (0..plan.chunks()).map(play).collect();
    let summary = Summary::new(&plan, &tallies);
    (plan, summary)
}

/// The items of the page's summary without marks of HTML.
fn sentences(plan: &Plan<Leopard>, summary: &Summary) -> String {
    let page = page(&ProgressHeader::of(plan, PROGRAM, false, false, None), summary, &[]);
    let list = page.split_once("<ul class=\"said\">").unwrap().1.split_once("</ul>").unwrap().0;
    let mut text = String::new();
    for part in list.replace("</li>", "\n").replace(['\u{a0}', '\u{202f}'], " ").split('<') {
        text += part.split_once('>').map_or(part, |(_, said)| said);
    }
    text
}

const TWO: &str = r#""variants": ["original", "revised"], "deals": 200"#;

#[test]
fn tables_on_the_screen() {
    let (_, summary) = played(TWO);
    insta::assert_snapshot!(rating_sheet(&summary).on_screen(80), @r"
    Ratings
    | variant  | strategy | rating (Elo) |     against the next |
    |----------|----------|--------------|----------------------|
    | original | greedy   |    468 ± 124 | 0.985 [0.972, 0.992] |
    |          | random   |   -468 ± 124 |                      |
    | revised  | greedy   |    400 ± 115 | 0.988 [0.972, 0.994] |
    |          | random   |   -400 ± 115 |                      |
    ");
    insta::assert_snapshot!(variant_sheet(&summary).on_screen(80), @r"
    Variants
    | variant  | first seat score |            draw rate |  turns |
    |----------|------------------|----------------------|--------|
    | original |    0.508 ± 0.010 | 0.020 [0.010, 0.038] | 46 ± 3 |
    | revised  |    0.505 ± 0.010 | 0.005 [0.001, 0.019] | 50 ± 3 |

    | variant  |        knock rate |     knocker win rate |
    |----------|-------------------|----------------------|
    | original | 0.85 [0.82, 0.89] | 0.994 [0.981, 0.998] |
    | revised  |       0.83 ± 0.04 | 1.000 [0.982, 1.000] |
    ");
    let changes = difference_sheet(&summary).on_screen(80);
    let changes: Vec<&str> = changes.lines().take(7).collect();
    insta::assert_snapshot!(changes.join("\n"), @r"
    From original to revised, on the same deals
    | figure               |                 change |             verdict |
    |----------------------|------------------------|---------------------|
    | * first seat score   |         -0.002 ± 0.018 | no clear difference |
    | draw rate            | -0.015 [-0.035, 0.001] | no clear difference |
    | margin sd            |              2.1 ± 0.2 |              higher |
    | turns                |                  4 ± 4 | no clear difference |
    ");
}

#[test]
fn the_answer_and_the_pairings_on_the_screen() {
    let (_, summary) = played(TWO);
    insta::assert_snapshot!(answer_sheet(&summary).on_screen(80), @r"
    Does revised change the first seat's score, compared with original?

    The first seat's score shows no clear difference: 50.8 % under `original`,
    50.5 % under `revised` (−0.2 points, 95 % interval −2.1 to +1.5). Under both it
    is not clearly off the fair 50 %.
    ");
    insta::assert_snapshot!(pairing_sheet(&summary).on_screen(80), @r"
    Pairings
    | variant  | strategy | opponent |                score |        Elo |
    |----------|----------|----------|----------------------|------------|
    | original | random   | greedy   | 0.015 [0.008, 0.028] | -727 ± 112 |
    | revised  | random   | greedy   | 0.013 [0.006, 0.028] | -759 ± 142 |

    | variant  | strategy | opponent | won-drawn-lost |     LOS |
    |----------|----------|----------|----------------|---------|
    | original | random   | greedy   |        2-8-390 | < 0.1 % |
    | revised  | random   | greedy   |        4-2-394 | < 0.1 % |
    ");
    let narrow = [pairing_sheet(&summary).on_screen(60), difference_sheet(&summary).on_screen(60)]
        .join("\n");
    assert!(narrow.lines().all(|line| line.chars().count() <= 60), "{narrow}");
}

#[test]
fn the_page_says_what_was_found_and_how_sure_it_is() {
    let (plan, summary) = played(TWO);
    insta::assert_snapshot!(sentences(&plan, &summary), @r"
    Fairness. The first seat scores 0.508 ± 0.010 under original and 0.505 ± 0.010 under revised: no clear difference from its fair share.
    Change. Compared with original on the same deals, the first seat's score changes by −0.002 ± 0.018 under revised. No change is significant after Holm's correction (5 %). Of all 29 changes of figures between variants, 7 are.
    Strength. The highest rated strategy is greedy under every variant, where it scores 0.985 [0.972, 0.992] against the runner-up random (original) and 0.988 [0.972, 0.994] against the runner-up random (revised).
    Significance. All 2 pairings differ significantly from equal strength (5 %, with Holm's correction for many comparisons). No ring of strategies that beat one another is proven.
    Draw rate. 0.020 [0.010, 0.038] under original and 0.005 [0.001, 0.019] under revised. How often a hand has no single winner.
    Turns. 46 ± 3 under original and 50 ± 3 under revised. Mean number of turns of a hand, both seats counted.
    Knock rate. 0.85 [0.82, 0.89] under original and 0.83 ± 0.04 under revised. How often a hand ends by a knock.
    Knocker win rate. 0.994 [0.981, 0.998] under original and 1.000 [0.982, 1.000] under revised. How often the seat that knocked won the hand.
    Skill. Levels of strength, each scoring at least 60 % against the next: 2 under original (greedy &gt; random) and 2 under revised (greedy &gt; random). Among greedy and random the standard deviation of the ratings, in Elo, is 468 ± 124 under original and 400 ± 115 under revised; it depends on this company.
    Reach. These findings hold for these strategies. Stronger strategies may reach other results under the same rules.
    ");
}

#[test]
fn the_page_says_how_a_run_may_end() {
    let until =
        r#""variants": ["revised"], "deals": 20, "until": { "sprt": { "elo0": 0, "elo1": 5 } }"#;
    let (plan, summary) = played(until);
    let said = sentences(&plan, &summary);
    insta::assert_snapshot!(said.lines().take(2).collect::<Vec<_>>().join("\n"), @r"
    End. All 20 deals were played. The run would have ended early, once a sequential test of 0 against 5 Elo (error rates 0.05 and 0.05) had decided every pairing. The scores after the test allow for the early end; other figures do not, and lean a little towards the decision.
    Test. random against greedy under revised: undecided (LLR -0.29, bounds -2.94 and 2.94).
    ");
}

#[test]
fn one_deal_has_no_intervals() {
    let (plan, summary) = played(r#""variants": ["revised"], "deals": 1"#);
    assert!(sentences(&plan, &summary).starts_with("There was one deal only"));
    assert!(needs(&summary, 0.01, 0.8).is_none(), "one deal has no variance to plan from");
    assert!(rating_sheet(&summary).on_screen(80).contains("(no interval)"));
}

#[test]
fn a_number_of_deals_is_advised_from_ten_on() {
    let advised = |deals: u32| {
        let (_, summary) =
            played(&format!(r#""variants": ["original", "revised"], "deals": {deals}"#));
        let said = summary.answer.text();
        assert!(said.contains("too few deals"), "{said}");
        said.contains("would show")
    };
    assert_eq!([9, 10].map(advised), [false, true]);
}

#[test]
fn who_won_every_match_has_a_rating_without_an_interval() {
    let ratings = |deals: u32| {
        let (_, summary) = played(&format!(r#""variants": ["revised"], "deals": {deals}"#));
        rating_sheet(&summary).on_screen(80)
    };
    let (few, many) = (ratings(12), ratings(200));
    assert!(few.contains("(no interval)") && few.contains("1.00 ["), "{few}");
    assert!(!many.contains("(no interval)"), "{many}");
}

#[test]
fn the_summary_as_json_is_what_its_schema_says() {
    let (plan, summary) = played(TWO);
    let json = serde_json::to_value(&summary).unwrap();
    let schema = Summary::schema("leopard", &plan.figures);
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&json), keys(&schema["properties"]));
    let variants = &schema["properties"]["variants"]["items"]["properties"];
    assert_eq!(keys(&json["variants"][1]), keys(variants));
    assert_eq!(json["variants"][1]["variant"], "revised");
    assert_eq!((&json["deals"], &json["early"]), (&200.into(), &false.into()));
    assert_eq!(json["strategies"].as_array().unwrap().len(), 4);
    let greedy = &json["strategies"][0];
    assert!(greedy["score_low"].as_f64() < greedy["score"].as_f64(), "{greedy}");
}
