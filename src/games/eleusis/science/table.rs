//! The rows of `science.csv` and `science_summary.csv`: a field is a column, its doc comment what the
//! data dictionary says of the column, after `Unit:` what one of it is.

use schemars::JsonSchema;
use serde::Serialize;

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
