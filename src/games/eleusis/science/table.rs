//! The rows of `science.csv` and `science_summary.csv`: a field is a column, its doc comment what the
//! data dictionary says of the column, after `Unit:` what one of it is.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Case, Means, Played, means};

/// One row for each case and turn.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ScienceTurn {
    /// The case.
    pub name: String,
    /// Which deck of the case, from 0. Unit: number.
    pub deal: u64,
    /// The turn, from 1. Unit: number.
    pub turn: u32,
    /// The card laid.
    pub card: String,
    /// Whether the card was right. Unit: true or false.
    pub right: bool,
    /// The best guess of the rule, stated before the verdict; empty without one.
    pub guess: Option<String>,
    /// How likely the strategy holds its guess to be right. Unit: probability.
    pub probability: Option<f64>,
    /// Whether the strategy committed to its guess. Unit: true or false.
    pub committed: bool,
    /// Whether the guess judges as the rule does from here on. Unit: true or false.
    pub guess_right: bool,
}

/// One row for each case, and a closing row `mean`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ScienceCase {
    /// The case; `mean` in the closing row.
    pub name: String,
    /// Which deck of the case, from 0. Unit: number.
    pub deal: Option<u64>,
    /// The rule.
    pub rule: Option<String>,
    /// 31 less the turn in which the rule was found, less 2 for each wrong commitment; at least 0.
    /// Unit: points.
    #[schemars(with = "f64")]
    pub score: OneOrMean,
    /// Whether the rule was found; in the closing row the share of cases. Unit: true or false.
    #[schemars(with = "bool")]
    pub solved: OneOrMean,
    /// The turn in which the rule was found; in the closing row the mean of the cases solved.
    /// Unit: turns.
    #[schemars(with = "Option<f64>")]
    pub turn: Option<OneOrMean>,
    /// Commitments to another rule. Unit: commitments.
    #[schemars(with = "f64")]
    pub wrong_commitments: OneOrMean,
    /// Brier score of the stated probabilities: the mean of (probability − right)². Unit: squared
    /// probability.
    pub brier: Option<f64>,
    /// Mean probability of a guess that was wrong. Unit: probability.
    pub wrong_guess_probability: Option<f64>,
    /// Mean time of a turn, the judging included; in the closing row only. Unit: ms.
    pub milliseconds_per_turn: Option<f64>,
}

/// What one case gave, or the mean over all.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
pub enum OneOrMean {
    /// Whether it happened.
    Is(bool),
    /// A count.
    Count(u32),
    /// The mean.
    Mean(f64),
}

/// The turns of a case.
pub fn turn_rows(case: &Case, played: &Played) -> Vec<ScienceTurn> {
    let row = |turn: &super::TurnRow| ScienceTurn {
        name: case.name.clone(),
        deal: case.deal,
        turn: turn.turn,
        card: turn.card.to_string(),
        right: turn.right,
        guess: turn.guess.as_ref().map(|(rule, _)| rule.clone()),
        probability: turn.guess.as_ref().map(|(_, probability)| *probability),
        committed: turn.committed,
        guess_right: turn.guess_right,
    };
    played.turns.iter().map(row).collect()
}

/// A case in one row; the time stands in the closing row only.
pub fn case_row(case: &Case, played: &Played) -> ScienceCase {
    let means = means(std::iter::once(played));
    ScienceCase {
        name: case.name.clone(),
        deal: Some(case.deal),
        rule: Some(case.rule.to_string()),
        score: OneOrMean::Count(played.score()),
        solved: OneOrMean::Is(played.solved.is_some()),
        turn: played.solved.map(OneOrMean::Count),
        wrong_commitments: OneOrMean::Count(played.wrong_commitments),
        brier: means.brier,
        wrong_guess_probability: means.wrong_guess,
        milliseconds_per_turn: None,
    }
}

/// The closing row.
pub fn mean_row(means: &Means, milliseconds_per_turn: f64) -> ScienceCase {
    ScienceCase {
        name: "mean".to_owned(),
        deal: None,
        rule: None,
        score: OneOrMean::Mean(means.score),
        solved: OneOrMean::Mean(means.solved),
        turn: means.turn.map(OneOrMean::Mean),
        wrong_commitments: OneOrMean::Mean(means.wrong_commitments),
        brier: means.brier,
        wrong_guess_probability: means.wrong_guess,
        milliseconds_per_turn: Some(milliseconds_per_turn),
    }
}
