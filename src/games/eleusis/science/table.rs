//! The rows of `science.csv` and `science_summary.csv`.

use super::{Case, Means, Played};

/// The columns of `science.csv`, a row per case and turn.
pub const TURN_COLUMNS: [&str; 9] =
    ["name", "deal", "turn", "card", "right", "guess", "probability", "committed", "guess_right"];

/// The columns of `science_summary.csv`, a row per case and a closing row of means.
pub const SUMMARY_COLUMNS: [&str; 10] = [
    "name",
    "deal",
    "rule",
    "score",
    "solved",
    "turn",
    "wrong_commitments",
    "brier",
    "wrong_guess_probability",
    "milliseconds_per_turn",
];

fn number(x: Option<f64>) -> String {
    x.map_or_else(String::new, |x| format!("{x:.6}"))
}

/// The turns of a case.
pub fn turn_rows(case: &Case, played: &Played) -> Vec<[String; 9]> {
    let row = |turn: &super::TurnRow| {
        [
            case.name.clone(),
            case.deal.to_string(),
            turn.turn.to_string(),
            turn.card.to_string(),
            turn.right.to_string(),
            turn.guess.as_ref().map_or_else(String::new, |(rule, _)| rule.clone()),
            number(turn.guess.as_ref().map(|(_, p)| *p)),
            turn.committed.to_string(),
            turn.guess_right.to_string(),
        ]
    };
    played.turns.iter().map(row).collect()
}

/// A case in one row; the time stands in the closing row only.
pub fn summary_row(case: &Case, played: &Played) -> [String; 10] {
    let means = super::means(std::iter::once(played));
    [
        case.name.clone(),
        case.deal.to_string(),
        case.rule.to_string(),
        played.score().to_string(),
        played.solved.is_some().to_string(),
        played.solved.map_or_else(String::new, |turn| turn.to_string()),
        played.wrong_commitments.to_string(),
        number(means.brier),
        number(means.wrong_guess),
        String::new(),
    ]
}

/// The closing row: means over the cases, `solved` as a share, `turn` over those solved.
pub fn mean_row(means: &Means, milliseconds_per_turn: f64) -> [String; 10] {
    [
        "mean".to_owned(),
        String::new(),
        String::new(),
        number(Some(means.score)),
        number(Some(means.solved)),
        number(means.turn),
        number(Some(means.wrong_commitments)),
        number(means.brier),
        number(means.wrong_guess),
        format!("{milliseconds_per_turn:.3}"),
    ]
}
