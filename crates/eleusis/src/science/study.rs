//! Many cases played side by side, and what they come to: the rows of `science.csv` and
//! `science_summary.csv`. A field is a column, its doc comment what the
//! data dictionary says of the column, after `Unit:` what one of it is.

use std::time::{Duration, Instant};

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Case, Played, Scientist, play_case};
use crate::chance::Seed;
use crate::game::BotFailure;
use crate::stats::Estimate;

/// The name of the closing row of `science_summary.csv`, which no case may have.
pub(super) const MEAN: &str = "mean";

/// Cases with how they went.
#[derive(Debug)]
pub struct Study {
    played: Vec<(Case, Played)>,
    /// How long the cases took, one after another, the judging included.
    pub time: Duration,
}

impl Study {
    /// Plays each case with a scientist of its own, as many at once as there are threads. The
    /// scientists' own chance comes from the seed. Before each case `goes_on` says whether it is
    /// still wanted, and the others are left out; `done` is called after it.
    pub fn of<'a>(
        cases: Vec<Case>,
        seed: u64,
        scientist: impl Fn(&Case) -> Box<dyn Scientist + 'a> + Sync,
        goes_on: impl Fn() -> bool + Sync,
        done: impl Fn() + Sync,
    ) -> Study {
        let play = |case: Case| {
            if !goes_on() {
                return None;
            }
            let seed = Seed::new(seed).named("scientist").named(&case.name).child(case.deal);
            let mut scientist = scientist(&case);
            let start = Instant::now();
            let played = play_case(&case, scientist.as_mut(), &mut seed.stream());
            done();
            Some(((case, played), start.elapsed()))
        };
        let all: Vec<_> = cases.into_par_iter().filter_map(play).collect();
        let time = all.iter().map(|(_, time)| *time).sum();
        Study { played: all.into_iter().map(|(played, _)| played).collect(), time }
    }

    /// The cases with how they went, in their order.
    pub fn played(&self) -> &[(Case, Played)] {
        &self.played
    }

    /// How many cases there are.
    pub fn cases(&self) -> usize {
        self.played.len()
    }

    /// The means over the cases.
    pub fn means(&self) -> Means {
        means(self.played.iter().map(|(_, played)| played))
    }

    /// The mean score and the share of the rules that were found, each with its interval, as for
    /// other rules of the same kind: the cases of one rule are taken together, for they are alike.
    pub fn doubts(&self) -> [Option<Estimate>; 2] {
        let one = |played: &Played| {
            let solved = f64::from(u8::from(played.solved.is_some()));
            vec![[played.score().into(), 1.0], [solved, 1.0]]
        };
        let means = self.ratios(one);
        let [score, solved] = [0, 1].map(|of| means.get(of).copied().flatten());
        [score, solved.map(|share| self.as_share(share))]
    }

    /// The cases that were lost because the scientist failed, each with how, in their order.
    pub fn faults(&self) -> impl Iterator<Item = (&Case, &BotFailure)> {
        self.played.iter().filter_map(|(case, played)| Some((case, played.forfeit.as_ref()?)))
    }

    /// The mean time that the scientists took for a turn, in milliseconds, in the cases that they
    /// played to the end; `None` if there are none.
    pub fn milliseconds_per_turn(&self) -> Option<f64> {
        let whole = || self.played.iter().filter(|(_, played)| played.forfeit.is_none());
        let turns: usize = whole().map(|(_, played)| played.turns.len()).sum();
        let thought: Duration = whole().map(|(_, played)| played.thought).sum();
        (turns > 0).then(|| 1000.0 * thought.as_secs_f64() / turns as f64)
    }

    /// The rows of `science.csv`.
    pub fn turn_rows(&self) -> impl Iterator<Item = ScienceTurn> + '_ {
        self.played.iter().flat_map(|(_, played)| &played.turns).cloned()
    }

    /// The rows of `science_summary.csv`: the cases, then their means.
    pub fn case_rows(&self) -> impl Iterator<Item = ScienceCase> + '_ {
        let one = |case: &(Case, Played)| row(Some(case), &means(std::iter::once(&case.1)));
        let ends = |e: Option<Estimate>| e.and_then(|e| e.interval).unzip();
        let [(score_low, score_high), (solved_low, solved_high)] = self.doubts().map(ends);
        let closing = ScienceCase {
            milliseconds_per_turn: self.milliseconds_per_turn(),
            score_low,
            score_high,
            solved_low,
            solved_high,
            ..row(None, &self.means())
        };
        self.played.iter().map(one).chain([closing])
    }
}

/// Means over cases, and how far stated probabilities can be trusted.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, JsonSchema)]
pub struct Means {
    /// How many cases.
    pub cases: usize,
    /// The mean score.
    pub score: f64,
    /// The share of cases solved.
    pub solved: f64,
    /// The mean turn of those solved.
    pub turn: Option<f64>,
    /// Wrong commitments a case.
    pub wrong_commitments: f64,
    /// The mean of (probability − right)² over all guesses of all turns (Brier 1950).
    pub brier: Option<f64>,
    /// The mean probability of a guess that was wrong.
    pub wrong_guess: Option<f64>,
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0u32), |(sum, count), x| (sum + x, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// The means of these cases.
pub fn means<'a>(played: impl Iterator<Item = &'a Played> + Clone) -> Means {
    let of = |figure: fn(&Played) -> f64| mean(played.clone().map(figure)).unwrap_or(0.0);
    let guesses = || {
        let turns = played.clone().flat_map(|case| &case.turns);
        turns.filter_map(|row| row.probability.map(|p| (p, row.guess_right)))
    };
    let square = |(p, right): (f64, bool)| (p - f64::from(u8::from(right))).powi(2);
    Means {
        cases: played.clone().count(),
        score: of(|case| case.score().into()),
        solved: of(|case| f64::from(u8::from(case.solved.is_some()))),
        turn: mean(played.clone().filter_map(|case| case.solved.map(f64::from))),
        wrong_commitments: of(|case| case.wrong_commitments.into()),
        brier: mean(guesses().map(square)),
        wrong_guess: mean(guesses().filter(|(_, right)| !right).map(|(p, _)| p)),
    }
}

/// A case in one row, or the means of all in the closing one.
fn row(case: Option<&(Case, Played)>, means: &Means) -> ScienceCase {
    let (case, played) = case.map(|(case, played)| (case, played)).unzip();
    let either = |one: fn(&Played) -> OneOrMean, mean| played.map_or(OneOrMean::Mean(mean), one);
    ScienceCase {
        name: case.map_or(MEAN, |case| &case.name).to_owned(),
        deal: case.map(|case| case.deal),
        rule: case.map(|case| case.rule.to_string()),
        score: either(|played| OneOrMean::Count(played.score()), means.score),
        solved: either(|played| OneOrMean::Is(played.solved.is_some()), means.solved),
        turn: match played {
            Some(played) => played.solved.map(OneOrMean::Count),
            None => means.turn.map(OneOrMean::Mean),
        },
        fault: played.and_then(|played| Some(played.forfeit.as_ref()?.fault.name())),
        wrong_commitments: either(
            |played| OneOrMean::Count(played.wrong_commitments),
            means.wrong_commitments,
        ),
        brier: means.brier,
        wrong_guess_probability: means.wrong_guess,
        milliseconds_per_turn: None,
        score_low: None,
        score_high: None,
        solved_low: None,
        solved_high: None,
    }
}

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
    /// The belief in rules that judge as the secret one, before the verdict; empty where the player
    /// does not tell. Unit: probability.
    pub truth: Option<f64>,
    /// What the card's verdict could be expected to tell: its entropy as the player saw it. Unit: bits.
    pub expected_bits: Option<f64>,
    /// The same of the most telling card of the hand. Unit: bits.
    pub best_bits: Option<f64>,
    /// What the verdict told: minus the binary logarithm of the chance that the player gave it. Unit:
    /// bits.
    pub gained_bits: Option<f64>,
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
    /// How a player from outside failed in the case, which then counts as not found: `slow`, `ended`,
    /// `flooded`, `garbled`, `illegal`, `no_start` or `given_up`; empty where it did not, and in the
    /// closing row.
    pub fault: Option<&'static str>,
    /// Commitments to another rule. Unit: commitments.
    #[schemars(with = "f64")]
    pub wrong_commitments: OneOrMean,
    /// Brier score of the stated probabilities: the mean of (probability − right)². Unit: squared
    /// probability.
    pub brier: Option<f64>,
    /// Mean probability of a guess that was wrong. Unit: probability.
    pub wrong_guess_probability: Option<f64>,
    /// Mean time that the strategy took for a turn of the cases that it played to the end, without the
    /// judging of its guesses; in the closing row only. Unit: ms.
    pub milliseconds_per_turn: Option<f64>,
    /// The lower end of the mean score's interval, the cases of one rule taken together; in the
    /// closing row only. Unit: points.
    pub score_low: Option<f64>,
    /// The upper end. Unit: points.
    pub score_high: Option<f64>,
    /// The lower end of the interval of the share of cases solved; in the closing row only. Unit:
    /// share of the cases.
    pub solved_low: Option<f64>,
    /// The upper end. Unit: share of the cases.
    pub solved_high: Option<f64>,
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
