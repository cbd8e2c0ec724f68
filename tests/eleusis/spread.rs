//! Histograms show the distribution of hands, with few hands in the bins at the ends.

use std::sync::atomic::AtomicBool;

use parlour::arena::{Chunk, Experiment, PartialChunk, Plan, SilentObserver, Tally, execute_chunk};
use parlour::game::{Game, Measured, Reading, Ruled};
use parlour::games::eleusis::Eleusis;
use parlour::stats::Bins;

/// Every variant, with strategies that shed cards fast, slowly, and mixed.
const EXPERIMENT: &str = r#"{
    "game": "eleusis",
    "strategies": ["bayes", "cautious", "random"],
    "schedule": "line-up",
    "line_ups": [
        ["bayes", "bayes", "cautious", "cautious", "random"],
        ["random", "random", "random", "random", "random"],
        ["bayes", "bayes", "cautious", "random"],
        ["random", "random", "random", "random"]
    ],
    "deals": 1,
    "seed": 1963
}"#;

/// Checks that an end bin holds at most a tenth of the hands.
fn check(what: &str, bins: Bins, counts: &[i64], least: i32) {
    assert_eq!(counts.len(), bins.count, "{what}");
    let most = counts.iter().sum::<i64>() / 10;
    let (first, last) = (counts[0], counts[counts.len() - 1]);
    // No hand lies beyond an end that is the smallest possible value.
    assert!(bins.low <= least || first <= most, "{what}: {counts:?}");
    assert!(last <= most, "{what}: {counts:?}");
}

#[test]
fn few_hands_lie_beyond_the_ends() {
    let experiment: Experiment<_> = serde_json::from_str(EXPERIMENT).unwrap();
    let plan = Plan::<Eleusis>::resolve("spread", &experiment).unwrap();
    assert_eq!(plan.variants.len(), Eleusis::presets().len());
    let mut tally: Tally = plan.empty.clone();
    for number in 0..plan.resolved.chunks() {
        let (observer, stop) = (&SilentObserver, &AtomicBool::new(false));
        let (deals, save) = (plan.resolved.deals_of(number), &|_: &PartialChunk| Ok(()));
        let chunk = Chunk { number, deals, partial: None, log: None, observer, stop, save };
        tally.merge(&execute_chunk(&plan, chunk).unwrap().tally);
    }
    for (index, variant) in plan.variants.iter().enumerate() {
        let shape = &tally.variants[index];
        let bins = variant.game.standard_bins();
        let hands = shape.turns.iter().sum::<i64>();
        assert!(hands >= 30, "{}: {hands} hands", variant.name);
        let (low, high) = variant.game.score_range();
        for (seat, counts) in shape.scores.chunks(bins.score.count).enumerate() {
            check(&format!("{}: points of seat {seat}", variant.name), bins.score, counts, low);
        }
        check(&format!("{}: margin", variant.name), bins.margin, &shape.margin, low - high);
        check(&format!("{}: turns", variant.name), bins.turns, &shape.turns, 0);
        for figure in Eleusis::FIGURES {
            if let Reading::Histogram { bins, .. } = figure.kind {
                let what = format!("{}: {}", variant.name, figure.head.name);
                check(&what, bins(&variant.game), shape.figure(figure.head.name), 0);
            }
        }
    }
}
