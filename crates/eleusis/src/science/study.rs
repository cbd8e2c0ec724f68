//! A study: many cases and their statistics. The rows of `science_summary.csv` are defined here; their
//! comments are the column descriptions, and `Unit:` precedes the unit.

use std::array::from_fn;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::case::MEAN;
use super::{Case, CaseResult, RuleLearner, ScienceTurn, TURNS, play_case};
use parlour_base::chance::Seed;
use parlour_game::BotFailure;
use parlour_stats::{Estimate, jackknife_all, jackknife_variance, proportion};

/// Cases with their results.
#[derive(Debug)]
pub struct Study {
    /// The cases with their results, in order.
    pub results: Vec<CaseResult>,
    /// The total time of all cases, including the judging of guesses.
    pub time: Duration,
}

impl Study {
    /// Plays each case with a new learner, on all threads of the pool. The learners' randomness comes
    /// from the seed. Cases without a learner are skipped; `done` is called after each other case and
    /// returns `false` if the case is not to be counted.
    pub fn of<'a>(
        cases: &[Case],
        seed: u64,
        learner: impl Fn(&Case) -> Option<Box<dyn RuleLearner + 'a>> + Sync,
        done: impl Fn() -> bool + Sync,
    ) -> Study {
        let play = |case: &Case| {
            let seed = Seed::new(seed).named("scientist").named(&case.name).child(case.deal);
            let mut learner = learner(case)?;
            let start = Instant::now();
            let result = play_case(case, learner.as_mut(), &mut seed.stream());
            done().then(|| (result, start.elapsed()))
        };
        let (results, times): (_, Vec<Duration>) = cases.par_iter().filter_map(play).unzip();
        Study { results, time: times.iter().sum() }
    }

    /// The means over the cases.
    pub fn means(&self) -> Means {
        means(self.results.iter())
    }

    /// The mean score and the share of solved cases, with intervals. The cases of one rule form one
    /// group, because they are alike.
    pub fn intervals(&self) -> [Option<Estimate>; 2] {
        let [score, solved] = self.ratios(|result| {
            let solved = f64::from(u8::from(result.solved.is_some()));
            [[result.score().into(), 1.0], [solved, 1.0]]
        });
        [score, as_share(solved, self.rules().len())]
    }

    /// The cases lost by a failure of the learner, in order.
    pub fn failures(&self) -> impl Iterator<Item = (&Case, &BotFailure)> {
        self.results.iter().filter_map(|result| Some((&result.case, result.forfeit.as_ref()?)))
    }

    /// The learner's mean time per turn in milliseconds, over cases without a failure.
    pub fn milliseconds_per_turn(&self) -> Option<f64> {
        let whole = || self.results.iter().filter(|result| result.forfeit.is_none());
        let turns: usize = whole().map(|result| result.turns.len()).sum();
        let thought: Duration = whole().map(|result| result.thought).sum();
        (turns > 0).then(|| 1000.0 * thought.as_secs_f64() / turns as f64)
    }

    /// The rows of `science.csv`.
    pub fn turn_rows(&self) -> impl Iterator<Item = ScienceTurn> + '_ {
        self.results.iter().flat_map(|result| &result.turns).cloned()
    }

    /// The rows of `science_summary.csv`: the cases, then their means.
    pub fn case_rows(&self) -> impl Iterator<Item = ScienceCase> + '_ {
        let one = |result: &CaseResult| ScienceCase {
            deal: Some(result.case.deal),
            rule: Some(result.case.rule.to_string()),
            score: result.score().into(),
            solved: result.solved.is_some().into(),
            turn: result.solved.into(),
            fault: result.forfeit.as_ref().map(|failure| failure.fault.name()),
            wrong_commitments: result.wrong_commitments.into(),
            ..ScienceCase::of(&result.case.name, &means(std::iter::once(result)))
        };
        let ends = |e: Option<Estimate>| e.and_then(|e| e.interval).unzip();
        let [(score_low, score_high), (solved_low, solved_high)] = self.intervals().map(ends);
        let closing = ScienceCase {
            milliseconds_per_turn: self.milliseconds_per_turn(),
            score_low,
            score_high,
            solved_low,
            solved_high,
            ..ScienceCase::of(MEAN, &self.means())
        };
        self.results.iter().map(one).chain([closing])
    }

    /// Discovery and belief after each number of cards, from 0.
    pub fn learning_curve(&self) -> Vec<CurvePoint> {
        let rules = self.rules().len();
        let point = |cards: u32| {
            let [found, truth, expected, best, gained] = self.ratios(|result| {
                let is_found = result.solved.is_some_and(|turn| turn <= cards);
                let next = result.turns.get(cards as usize);
                let last = next.or(result.turns.last());
                let truth = match is_found && result.turns.iter().any(|row| row.truth.is_some()) {
                    true => Some(1.0),
                    false => last.and_then(|row| row.truth),
                };
                let bits = |of: fn(&ScienceTurn) -> Option<f64>| next.and_then(of);
                let (expected, best) = (bits(|row| row.expected_bits), bits(|row| row.best_bits));
                let found = Some(f64::from(u8::from(is_found)));
                [found, truth, expected, best, bits(|row| row.gained_bits)]
                    .map(|value| value.map_or([0.0; 2], |value| [value, 1.0]))
            });
            let [expected, best] = [expected, best].map(|e| e.map(|e| e.clamped(0.0, 1.0)));
            let [found, truth] = [found, truth].map(|e| as_share(e, rules));
            CurvePoint { cards, found, truth, expected, best, gained }
        };
        (0..=TURNS).map(point).collect()
    }

    /// The calibration of stated probabilities, in bins of 10 %; empty bins are left out.
    pub fn calibration(&self) -> Vec<CalibrationBin> {
        const BINS: usize = 10;
        let row = |at: usize| {
            let in_bin = |result: &CaseResult| -> Vec<(f64, bool)> {
                let bin = |p: f64| ((p * BINS as f64) as usize).min(BINS - 1);
                result.guesses().filter(|(p, _)| bin(*p) == at).collect()
            };
            let [stated, right] = self.ratios(|result| {
                let guesses = in_bin(result);
                let right = guesses.iter().filter(|(_, right)| *right).count() as f64;
                let stated = guesses.iter().map(|(p, _)| p).sum();
                [stated, right].map(|sum| [sum, guesses.len() as f64])
            });
            let rules = self.rules().into_values();
            let guesses = rules.map(|cases| cases.iter().map(|result| in_bin(result).len()).sum());
            let guesses: Vec<usize> = guesses.filter(|count| *count > 0).collect();
            Some(CalibrationBin {
                low: at as f64 / BINS as f64,
                high: (at + 1) as f64 / BINS as f64,
                guesses: guesses.iter().sum(),
                rules: guesses.len(),
                stated: stated?.value,
                right: as_share(right, guesses.len()),
            })
        };
        (0..BINS).filter_map(row).collect()
    }

    /// The cases of each rule with their means, hardest first.
    pub fn by_rule(&self) -> Vec<(Means, Vec<&CaseResult>)> {
        let rules = self.rules().into_values();
        let mut rules: Vec<_> = rules.map(|cases| (means(cases.iter().copied()), cases)).collect();
        rules.sort_by(|(a, _), (b, _)| a.score.total_cmp(&b.score));
        rules
    }

    /// The cases of each rule, by name.
    fn rules(&self) -> BTreeMap<&str, Vec<&CaseResult>> {
        let mut rules = BTreeMap::<&str, Vec<_>>::new();
        for one in &self.results {
            rules.entry(&one.case.name).or_default().push(one);
        }
        rules
    }

    /// Ratios of two sums over the cases. Each case adds a numerator and a denominator to each ratio;
    /// the jackknife leaves out one rule with all its cases.
    fn ratios<const N: usize>(
        &self,
        parts: impl Fn(&CaseResult) -> [[f64; 2]; N],
    ) -> [Option<Estimate>; N] {
        let add = |sums: [[f64; 2]; N], more: [[f64; 2]; N]| {
            from_fn(|at| from_fn(|side| sums[at][side] + more[at][side]))
        };
        let rules = self.rules();
        let weights: Vec<u64> = rules.values().map(|cases| cases.len() as u64).collect();
        let sum = |cases: Vec<&CaseResult>| cases.into_iter().map(&parts).fold([[0.0; 2]; N], add);
        let sums: Vec<_> = rules.into_values().map(sum).collect();
        let ratios = jackknife_all(&weights, |left_out| {
            let kept = sums.iter().enumerate().filter(|(rule, _)| Some(*rule) != left_out);
            let total = kept.fold([[0.0; 2]; N], |total, (_, sums)| add(total, *sums));
            total.map(|[above, below]| (below > 0.0).then(|| above / below)).to_vec()
        });
        from_fn(|at| ratios[at])
    }
}

/// The estimate with the interval of a proportion over this number of rules.
fn as_share(e: Option<Estimate>, rules: usize) -> Option<Estimate> {
    let variance = |e| jackknife_variance(e, rules);
    e.map(|e| proportion(e.value, variance(e), rules as f64 - 1.0, rules as u64))
}

/// A point of the learning curve: means after a number of cards. The information is that of the next
/// card, over unsolved cases.
#[derive(Clone, Copy, Debug, Default)]
pub struct CurvePoint {
    /// The number of cards laid.
    pub cards: u32,
    /// The share of solved cases.
    pub found: Option<Estimate>,
    /// The mean belief in the right rule; 1 once it is found.
    pub truth: Option<Estimate>,
    /// The expected information of the next card. Unit: bits.
    pub expected: Option<Estimate>,
    /// The expected information of the most informative card of the hand. Unit: bits.
    pub best: Option<Estimate>,
    /// The information of the next verdict. Unit: bits.
    pub gained: Option<Estimate>,
}

/// The guesses with a stated probability in a range.
#[derive(Clone, Copy, Debug)]
pub struct CalibrationBin {
    /// The lower bound, inclusive.
    pub low: f64,
    /// The upper bound, exclusive except in the last bin.
    pub high: f64,
    /// The number of guesses.
    pub guesses: usize,
    /// The number of rules with such guesses.
    pub rules: usize,
    /// The mean stated probability.
    pub stated: f64,
    /// The share of right guesses.
    pub right: Option<Estimate>,
}

/// Means over cases.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, JsonSchema)]
pub struct Means {
    /// The number of cases.
    pub cases: usize,
    /// The mean score.
    pub score: f64,
    /// The share of solved cases.
    pub solved: f64,
    /// The mean turn of solved cases.
    pub turn: Option<f64>,
    /// Wrong commitments per case.
    pub wrong_commitments: f64,
    /// The mean of (probability − right)² over all guesses of all turns (Brier 1950).
    pub brier: Option<f64>,
    /// The mean probability of a wrong guess.
    pub wrong_guess: Option<f64>,
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0u32), |(sum, count), x| (sum + x, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

/// Computes the means of these cases.
pub fn means<'a>(results: impl Iterator<Item = &'a CaseResult> + Clone) -> Means {
    let of = |figure: fn(&CaseResult) -> f64| mean(results.clone().map(figure)).unwrap_or(0.0);
    let guesses = || results.clone().flat_map(CaseResult::guesses);
    let square = |(p, right): (f64, bool)| (p - f64::from(u8::from(right))).powi(2);
    Means {
        cases: results.clone().count(),
        score: of(|case| case.score().into()),
        solved: of(|case| f64::from(u8::from(case.solved.is_some()))),
        turn: mean(results.clone().filter_map(|case| case.solved.map(f64::from))),
        wrong_commitments: of(|case| case.wrong_commitments.into()),
        brier: mean(guesses().map(square)),
        wrong_guess: mean(guesses().filter(|(_, right)| !right).map(|(p, _)| p)),
    }
}

/// A row of `science_summary.csv`: one case, or `mean` in the last row.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ScienceCase {
    /// The case; `mean` in the last row.
    pub name: String,
    /// The deck of the case, from 0. Unit: number.
    pub deal: Option<u64>,
    /// The rule.
    pub rule: Option<String>,
    /// 31 less the turn in which the rule was found, less 2 for each wrong commitment; at least 0.
    /// Unit: points.
    #[schemars(with = "f64")]
    pub score: Value,
    /// True if the rule was found; in the last row the share of cases. Unit: true or false.
    #[schemars(with = "bool")]
    pub solved: Value,
    /// The turn in which the rule was found; in the last row the mean over solved cases. Unit: turns.
    #[schemars(with = "Option<f64>")]
    pub turn: Value,
    /// The failure of an external player, which counts as not found: `slow`, `ended`, `flooded`,
    /// `garbled`, `illegal`, `no_start` or `given_up`; empty without one and in the last row.
    pub fault: Option<&'static str>,
    /// Commitments to wrong rules. Unit: commitments.
    #[schemars(with = "f64")]
    pub wrong_commitments: Value,
    /// Brier score of the stated probabilities: the mean of (probability − right)². Unit: squared
    /// probability.
    pub brier: Option<f64>,
    /// Mean probability of a wrong guess. Unit: probability.
    pub wrong_guess_probability: Option<f64>,
    /// The strategy's mean time per turn, without the judging of guesses and without cases lost by a
    /// failure; in the last row only. Unit: ms.
    pub milliseconds_per_turn: Option<f64>,
    /// Lower end of the mean score's interval, with the cases of one rule taken together; in the last
    /// row only. Unit: points.
    pub score_low: Option<f64>,
    /// Upper end of the mean score's interval. Unit: points.
    pub score_high: Option<f64>,
    /// Lower end of the interval of the share of solved cases; in the last row only. Unit: share of the
    /// cases.
    pub solved_low: Option<f64>,
    /// Upper end of the interval of the share of solved cases. Unit: share of the cases.
    pub solved_high: Option<f64>,
}

impl ScienceCase {
    /// The row of means under a name.
    fn of(name: &str, means: &Means) -> ScienceCase {
        ScienceCase {
            name: name.to_owned(),
            score: means.score.into(),
            solved: means.solved.into(),
            turn: means.turn.into(),
            wrong_commitments: means.wrong_commitments.into(),
            brier: means.brier,
            wrong_guess_probability: means.wrong_guess,
            ..ScienceCase::default()
        }
    }
}
