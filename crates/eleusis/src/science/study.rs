//! A study: many cases and their statistics. The rows of `science_summary.csv` are defined here; their
//! comments are the column descriptions, and `Unit:` precedes the unit.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use super::case::MEAN;
use super::{Case, CaseResult, RuleLearner, ScienceTurn, TURNS, play_case};
use parlour_base::chance::Seed;
use parlour_game::BotFailure;
use parlour_stats::{Estimate, jackknife_all, jackknife_variance, proportion};

/// Cases with their results.
#[derive(Debug)]
pub struct Study {
    results: Vec<(Case, CaseResult)>,
    /// The total time of all cases, including the judging of guesses.
    pub time: Duration,
}

impl Study {
    /// Plays each case with a new learner, on all threads of the pool. The learners' randomness comes
    /// from the seed. Cases are skipped once `is_wanted` returns `false`; `done` is called after each.
    pub fn of<'a>(
        cases: Vec<Case>,
        seed: u64,
        learner: impl Fn(&Case) -> Box<dyn RuleLearner + 'a> + Sync,
        is_wanted: impl Fn() -> bool + Sync,
        done: impl Fn() + Sync,
    ) -> Study {
        let play = |case: Case| {
            if !is_wanted() {
                return None;
            }
            let seed = Seed::new(seed).named("scientist").named(&case.name).child(case.deal);
            let mut learner = learner(&case);
            let start = Instant::now();
            let result = play_case(&case, learner.as_mut(), &mut seed.stream());
            done();
            Some(((case, result), start.elapsed()))
        };
        let all: Vec<_> = cases.into_par_iter().filter_map(play).collect();
        let time = all.iter().map(|(_, time)| *time).sum();
        Study { results: all.into_iter().map(|(result, _)| result).collect(), time }
    }

    /// The cases with their results, in order.
    pub fn results(&self) -> &[(Case, CaseResult)] {
        &self.results
    }

    /// The means over the cases.
    pub fn means(&self) -> Means {
        means(self.results.iter().map(|(_, result)| result))
    }

    /// The mean score and the share of solved cases, with intervals. The cases of one rule form one
    /// group, because they are alike.
    pub fn intervals(&self) -> [Option<Estimate>; 2] {
        let means = self.ratios(|result| {
            let solved = f64::from(u8::from(result.solved.is_some()));
            vec![[result.score().into(), 1.0], [solved, 1.0]]
        });
        let [score, solved] = [0, 1].map(|at| means.get(at).copied().flatten());
        [score, solved.map(|share| as_share(share, self.rules()))]
    }

    /// The cases lost by a failure of the learner, in order.
    pub fn failures(&self) -> impl Iterator<Item = (&Case, &BotFailure)> {
        self.results.iter().filter_map(|(case, result)| Some((case, result.forfeit.as_ref()?)))
    }

    /// The learner's mean time per turn in milliseconds, over cases without a failure.
    pub fn milliseconds_per_turn(&self) -> Option<f64> {
        let whole = || self.results.iter().filter(|(_, result)| result.forfeit.is_none());
        let turns: usize = whole().map(|(_, result)| result.turns.len()).sum();
        let thought: Duration = whole().map(|(_, result)| result.thought).sum();
        (turns > 0).then(|| 1000.0 * thought.as_secs_f64() / turns as f64)
    }

    /// The rows of `science.csv`.
    pub fn turn_rows(&self) -> impl Iterator<Item = ScienceTurn> + '_ {
        self.results.iter().flat_map(|(_, result)| &result.turns).cloned()
    }

    /// The rows of `science_summary.csv`: the cases, then their means.
    pub fn case_rows(&self) -> impl Iterator<Item = ScienceCase> + '_ {
        let one = |case: &(Case, CaseResult)| row(Some(case), &means(std::iter::once(&case.1)));
        let ends = |e: Option<Estimate>| e.and_then(|e| e.interval).unzip();
        let [(score_low, score_high), (solved_low, solved_high)] = self.intervals().map(ends);
        let closing = ScienceCase {
            milliseconds_per_turn: self.milliseconds_per_turn(),
            score_low,
            score_high,
            solved_low,
            solved_high,
            ..row(None, &self.means())
        };
        self.results.iter().map(one).chain([closing])
    }

    /// Discovery and belief after each number of cards, from 0.
    pub fn learning_curve(&self) -> Vec<CurvePoint> {
        let ratios = self
            .ratios(|result| (0..=TURNS).flat_map(|cards| after_cards(result, cards)).collect());
        let rules = self.rules();
        let share = |e: Option<Estimate>| e.map(|e| as_share(e, rules));
        let bits = |e: Option<Estimate>| e.map(|e| e.clamped(0.0, 1.0));
        let point = |(cards, at): (u32, &[Option<Estimate>])| CurvePoint {
            cards,
            found: share(at[0]),
            truth: share(at[1]),
            expected: bits(at[2]),
            best: bits(at[3]),
            gained: at[4],
        };
        (0..).zip(ratios.chunks(5)).map(point).collect()
    }

    /// The calibration of stated probabilities, in bins of 10 %; empty bins are left out.
    pub fn calibration(&self) -> Vec<CalibrationBin> {
        const BINS: usize = 10;
        let bin = |probability: f64| ((probability * BINS as f64) as usize).min(BINS - 1);
        let guesses = |result: &CaseResult| {
            let turns = result.turns.iter();
            turns.filter_map(|row| Some((row.probability?, row.guess_right))).collect::<Vec<_>>()
        };
        // The first bins hold the stated probabilities, the others the right guesses.
        let ratios = self.ratios(|result| {
            let mut sums = vec![[0.0; 2]; 2 * BINS];
            for (probability, right) in guesses(result) {
                let values = [probability, f64::from(u8::from(right))];
                for (from, value) in [0, BINS].into_iter().zip(values) {
                    let [sum, count] = &mut sums[from + bin(probability)];
                    (*sum, *count) = (*sum + value, *count + 1.0);
                }
            }
            sums
        });
        let mut rules: [Vec<&str>; BINS] = Default::default();
        for (case, result) in &self.results {
            guesses(result).iter().for_each(|(p, _)| rules[bin(*p)].push(&case.name));
        }
        let row = |at: usize| {
            let count = distinct(rules[at].clone());
            Some(CalibrationBin {
                low: at as f64 / BINS as f64,
                high: (at + 1) as f64 / BINS as f64,
                guesses: rules[at].len() as u64,
                rules: count as u64,
                stated: ratios[at]?.value,
                right: ratios[BINS + at].map(|e| as_share(e, count)),
            })
        };
        (0..BINS).filter_map(row).collect()
    }

    /// The results of each rule, hardest first.
    pub fn by_rule(&self) -> Vec<RuleSummary<'_>> {
        let mut rules = BTreeMap::<&str, Vec<&(Case, CaseResult)>>::new();
        for one in &self.results {
            rules.entry(&one.0.name).or_default().push(one);
        }
        fn summary<'a>(cases: &[&'a (Case, CaseResult)]) -> RuleSummary<'a> {
            let means = means(cases.iter().map(|(_, result)| result));
            let last = cases[0].1.turns.last().filter(|row| !row.guess_right);
            RuleSummary {
                case: &cases[0].0,
                cases: cases.len(),
                score: means.score,
                solved: cases.iter().filter(|(_, result)| result.solved.is_some()).count(),
                turn: means.turn,
                wrong_commitments: cases.iter().map(|(_, result)| result.wrong_commitments).sum(),
                wrong_guess: last.and_then(|row| row.guess.as_deref()),
            }
        }
        let mut rows: Vec<RuleSummary<'_>> = rules.values().map(|cases| summary(cases)).collect();
        rows.sort_by(|a, b| a.score.total_cmp(&b.score));
        rows
    }

    /// Ratios of two sums over the cases. Each case adds a numerator and a denominator to each ratio;
    /// the jackknife leaves out one rule with all its cases.
    fn ratios(&self, parts: impl Fn(&CaseResult) -> Vec<[f64; 2]>) -> Vec<Option<Estimate>> {
        let mut rules = BTreeMap::<&str, (u64, Vec<[f64; 2]>)>::new();
        for (case, result) in &self.results {
            let new = parts(result);
            let (cases, sums) = rules.entry(&case.name).or_insert((0, vec![[0.0; 2]; new.len()]));
            *cases += 1;
            for (sum, new) in sums.iter_mut().flatten().zip(new.into_iter().flatten()) {
                *sum += new;
            }
        }
        let rules: Vec<(u64, Vec<[f64; 2]>)> = rules.into_values().collect();
        let weights: Vec<u64> = rules.iter().map(|(cases, _)| *cases).collect();
        jackknife_all(&weights, |left_out| {
            let kept = || rules.iter().enumerate().filter(|(rule, _)| Some(*rule) != left_out);
            let sum = |at: usize, side: usize| kept().map(|(_, (_, sums))| sums[at][side]).sum();
            let ratio = |at: usize| -> Option<f64> {
                let (above, below): (f64, f64) = (sum(at, 0), sum(at, 1));
                (below > 0.0).then(|| above / below)
            };
            (0..rules.first().map_or(0, |(_, sums)| sums.len())).map(ratio).collect()
        })
    }

    /// The number of rules.
    fn rules(&self) -> usize {
        distinct(self.results.iter().map(|(case, _)| &*case.name).collect())
    }
}

/// The number of different names.
fn distinct(mut names: Vec<&str>) -> usize {
    names.sort_unstable();
    names.dedup();
    names.len()
}

/// The estimate with the interval of a proportion over this number of rules.
fn as_share(e: Estimate, rules: usize) -> Estimate {
    proportion(e.value, jackknife_variance(e, rules), rules as f64 - 1.0, rules as u64)
}

/// The numerators and denominators of a [`CurvePoint`] for one case.
fn after_cards(result: &CaseResult, cards: u32) -> [[f64; 2]; 5] {
    let is_found = result.solved.is_some_and(|turn| turn <= cards);
    let next = result.turns.get(cards as usize);
    let last = next.or(result.turns.last());
    let counted = |value: Option<f64>| value.map_or([0.0; 2], |value| [value, 1.0]);
    let truth = if is_found && result.turns.iter().any(|row| row.truth.is_some()) {
        Some(1.0)
    } else {
        last.and_then(|row| row.truth)
    };
    [
        [f64::from(u8::from(is_found)), 1.0],
        counted(truth),
        counted(next.and_then(|row| row.expected_bits)),
        counted(next.and_then(|row| row.best_bits)),
        counted(next.and_then(|row| row.gained_bits)),
    ]
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
    pub guesses: u64,
    /// The number of rules with such guesses.
    pub rules: u64,
    /// The mean stated probability.
    pub stated: f64,
    /// The share of right guesses.
    pub right: Option<Estimate>,
}

/// The results of the cases of one rule.
#[derive(Clone, Debug)]
pub struct RuleSummary<'a> {
    /// The first case.
    pub case: &'a Case,
    /// The number of cases.
    pub cases: usize,
    /// The mean score.
    pub score: f64,
    /// The number of solved cases.
    pub solved: usize,
    /// The mean turn of solved cases.
    pub turn: Option<f64>,
    /// The total number of wrong commitments.
    pub wrong_commitments: u32,
    /// The last guess in the first case, if it was wrong.
    pub wrong_guess: Option<&'a str>,
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
    let guesses = || {
        let turns = results.clone().flat_map(|case| &case.turns);
        turns.filter_map(|row| row.probability.map(|p| (p, row.guess_right)))
    };
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

/// The row of a case, or of the means without a case.
fn row(case: Option<&(Case, CaseResult)>, means: &Means) -> ScienceCase {
    let (case, result) = case.map(|(case, result)| (case, result)).unzip();
    let either =
        |one: fn(&CaseResult) -> CountOrMean, mean| result.map_or(CountOrMean::Mean(mean), one);
    ScienceCase {
        name: case.map_or(MEAN, |case| &case.name).to_owned(),
        deal: case.map(|case| case.deal),
        rule: case.map(|case| case.rule.to_string()),
        score: either(|result| CountOrMean::Count(result.score()), means.score),
        solved: either(|result| CountOrMean::Is(result.solved.is_some()), means.solved),
        turn: match result {
            Some(result) => result.solved.map(CountOrMean::Count),
            None => means.turn.map(CountOrMean::Mean),
        },
        fault: result.and_then(|result| Some(result.forfeit.as_ref()?.fault.name())),
        wrong_commitments: either(
            |result| CountOrMean::Count(result.wrong_commitments),
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

/// A row of `science_summary.csv`: one case, or `mean` in the last row.
#[derive(Clone, Debug, Serialize, JsonSchema)]
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
    pub score: CountOrMean,
    /// True if the rule was found; in the last row the share of cases. Unit: true or false.
    #[schemars(with = "bool")]
    pub solved: CountOrMean,
    /// The turn in which the rule was found; in the last row the mean over solved cases. Unit: turns.
    #[schemars(with = "Option<f64>")]
    pub turn: Option<CountOrMean>,
    /// The failure of an external player, which counts as not found: `slow`, `ended`, `flooded`,
    /// `garbled`, `illegal`, `no_start` or `given_up`; empty without one and in the last row.
    pub fault: Option<&'static str>,
    /// Commitments to wrong rules. Unit: commitments.
    #[schemars(with = "f64")]
    pub wrong_commitments: CountOrMean,
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

/// The value of one case, or the mean over all.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(untagged)]
pub enum CountOrMean {
    /// True or false.
    Is(bool),
    /// A count.
    Count(u32),
    /// The mean.
    Mean(f64),
}
