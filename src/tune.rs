//! Tuning of a strategy's options, and a Pareto search for better rules. The front holds the rule sets
//! that no other rule set dominates in the objectives.
//!
//! All rule sets play a few deals and are sorted into layers: the first layer holds those that no other
//! dominates, the second those that only the first layer dominates. See Deb et al., *A fast and
//! elitist multiobjective genetic algorithm: NSGA-II* (IEEE Transactions on Evolutionary Computation 6,
//! 2002). The better half plays twice as many deals, starting with the same ones. The first layer of
//! the last round is the front. It is confirmed on fresh deals together with the original rules.

use schemars::JsonSchema;
use serde::Serialize;

use crate::arena::{DynPlan, VariantSpec};
use crate::error::{Error, Result, ensure, unknown};
use crate::game::Sweep;
use crate::games::{AnyExperiment, AnyGame};
use crate::results::{Comparison, Summary, VariantSummary, tuning_warning};
use crate::stats::{holm, is_significant};
use crate::{Experiment, Seed};

pub use crate::games::tune::*;

/// The maximum number of rule sets in the last round.
const MAX_LAST: usize = 12;

/// The minimum number of deals of a round.
const MIN_DEALS: u64 = 64;

/// The goal for a figure.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub enum Goal {
    /// As near to a number as possible.
    Near(f64),
    /// As small as possible.
    Min,
    /// As large as possible.
    Max,
}

/// An objective: a figure with its goal.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Objective {
    /// A column of `variants.csv`.
    pub figure: String,
    /// The goal.
    pub goal: Goal,
}

impl Objective {
    /// Reads `FIGURE=min`, `FIGURE=max` or `FIGURE=NUMBER`.
    ///
    /// # Errors
    /// Bad input if the text has none of these forms.
    pub fn parse(text: &str) -> Result<Objective> {
        let (figure, goal) = text.split_once('=').unwrap_or((text, ""));
        let goal = match goal.trim() {
            "min" => Goal::Min,
            "max" => Goal::Max,
            number => {
                let number = number.parse().ok().filter(|number: &f64| number.is_finite());
                Goal::Near(number.ok_or_else(|| {
                    let forms = "FIGURE=min, FIGURE=max or FIGURE=NUMBER";
                    Error::input(format!("`{text}` is not an objective; use {forms}"))
                })?)
            }
        };
        Ok(Objective { figure: figure.trim().to_owned(), goal })
    }

    /// Returns the distance of a number from the goal; less is better.
    pub fn loss(&self, number: f64) -> f64 {
        match self.goal {
            Goal::Near(aim) => (number - aim).abs(),
            Goal::Min => number,
            Goal::Max => -number,
        }
    }
}

/// A search for a Pareto front of rule sets. The serialized fields determine the result.
#[derive(Serialize)]
pub struct ParetoSearch<'a> {
    /// The original variant.
    pub base: &'a str,
    /// The values of each rule that may change.
    pub sweep: &'a Sweep,
    /// The objectives.
    pub objectives: &'a [Objective],
    /// The strategies that play.
    pub strategies: &'a [String],
    /// Deals of each rule set in the last round; each earlier round has half as many as the next.
    pub deals: u64,
    /// Fresh deals on which the front is confirmed.
    pub confirm: u64,
    /// Random seed.
    pub seed: u64,
}

/// A Pareto front of rule sets, confirmed on fresh deals.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FoundFront")]
pub struct ParetoFront {
    /// The original variant.
    pub base: String,
    /// The figures of the objectives.
    pub objectives: Vec<String>,
    /// The number of rule sets played.
    pub candidates: usize,
    /// The variants that no other beats on the fresh deals.
    pub front: Vec<String>,
    /// The run on fresh deals, as `parlour run --json` prints one.
    #[schemars(with = "serde_json::Value")]
    pub run: Summary,
    /// The figures of the objectives, by their numbers in the run.
    #[serde(skip)]
    pub figures: Vec<usize>,
    /// The differences of all pairs of variants in the objectives.
    #[serde(skip)]
    pub steps: Vec<Step>,
}

/// The differences between two variants in the objectives.
pub struct Step {
    /// The first variant, by its number in the summary.
    pub from: usize,
    /// The second variant.
    pub to: usize,
    /// By objective: `true` if the second variant is clearly nearer; `None` without a clear difference.
    pub nearer: Vec<Option<bool>>,
    /// The variant that is at least as near to every objective.
    pub winner: Option<usize>,
}

/// Plays a plan: of a round of the search, counted down to 0, or the confirmation on fresh deals.
pub type PlayRound<'a> = &'a dyn Fn(&dyn DynPlan, Option<u32>) -> Result<Summary>;

impl ParetoSearch<'_> {
    /// Searches and confirms the front.
    ///
    /// # Errors
    /// Bad input, and the errors of `play`.
    pub fn run(&self, game: &AnyGame, play: PlayRound<'_>) -> Result<ParetoFront> {
        ensure(self.deals >= MIN_DEALS && self.confirm > 1, || {
            Error::input(format!("tuning needs at least {MIN_DEALS} deals, and 2 to confirm"))
        })?;
        let base = VariantSpec::Named(self.base.to_owned());
        let all = [Some(base.clone()), base.swept(self.sweep)].into_iter().flatten();
        let experiment: AnyExperiment = Experiment::of_variants(game.name, all, self.strategies);
        let all = (game.plan)("front", experiment, None, &())?;
        let names = all.info().experiment().variants.iter().flatten();
        let mut left: Vec<String> = names.map(|variant| variant.name.clone()).collect();
        let (start, candidates) = (left[0].clone(), left.len());
        let mut figures = Vec::new();
        for round in (0..=rounds(candidates)).rev() {
            let deals = (self.deals >> round).max(MIN_DEALS);
            let summary = play(&*part(&*all, &left, deals, self.seed)?, Some(round))?;
            figures = self.figure_numbers(&summary)?;
            let losses = |variant: &VariantSummary| -> Vec<f64> {
                let loss = |(objective, figure): (&Objective, &usize)| {
                    variant.figures[*figure].map_or(f64::INFINITY, |e| objective.loss(e.value))
                };
                self.objectives.iter().zip(&figures).map(loss).collect()
            };
            let losses: Vec<Vec<f64>> = summary.variants.iter().map(losses).collect();
            let layers = layers_of(&losses);
            let kept: Vec<usize> = match round {
                0 => (0..left.len()).filter(|at| layers[*at] == 0).collect(),
                _ => best(&layers, &losses, left.len().div_ceil(2)),
            };
            let mut at = 0..;
            left.retain(|_| at.next().is_some_and(|at| kept.contains(&at)));
        }
        left.push(start);
        // 52 bits, which are exact in JSON for every program.
        let fresh = Seed::new(self.seed).named("fresh").number() >> 12;
        let run = play(&*part(&*all, &left, self.confirm, fresh)?, None)?;
        // Only the plan of all rule sets knows the rules that strategies were tuned under.
        let run = Summary { tuning_warning: tuning_warning(all.info()), ..run };
        let steps = steps(&run, self.objectives, &figures);
        let front = undominated(run.variants.len(), &steps).into_iter();
        Ok(ParetoFront {
            base: self.base.to_owned(),
            objectives: self.objectives.iter().map(|one| one.figure.clone()).collect(),
            candidates,
            front: front.map(|variant| run.variants[variant].variant.clone()).collect(),
            run,
            figures,
            steps,
        })
    }

    /// Returns the maximum number of hands if a match is one hand.
    pub fn hands(&self) -> u64 {
        let strategies = self.strategies.len() as u64;
        let each = 2 * (strategies * strategies.saturating_sub(1) / 2).max(1);
        let (mut left, mut all) = (self.sweep.count().min(200) as u64 + 1, 0);
        let rounds = rounds(left as usize);
        for round in (0..=rounds).rev() {
            all += left * (self.deals >> round).max(MIN_DEALS);
            left = left.div_ceil(2);
        }
        each * (all + (MAX_LAST as u64 + 1) * self.confirm)
    }

    /// The figures that are aimed at, by number.
    fn figure_numbers(&self, summary: &Summary) -> Result<Vec<usize>> {
        let number = |aim: &Objective| {
            let found = summary.figures.iter().position(|head| head.name == aim.figure);
            let names = || summary.figures.iter().map(|head| head.name);
            found.ok_or_else(|| Error::input(unknown("figure", &aim.figure, names())))
        };
        self.objectives.iter().map(number).collect()
    }
}

/// Compares all pairs of variants in the objectives. Differences are clear if they are significant after
/// Holm's correction over all objectives of all pairs.
fn steps(summary: &Summary, objectives: &[Objective], figures: &[usize]) -> Vec<Step> {
    let p_value = |(pair, figure): (&Comparison, &usize)| pair.changes[*figure].as_ref()?.p_value;
    let all = summary.comparisons.iter().flat_map(|pair| figures.iter().map(move |it| (pair, it)));
    let p: Vec<Option<f64>> = all.map(p_value).collect();
    let mut corrected = holm(&p).into_iter();
    let step = |pair: &Comparison| {
        let (mut nearer, mut losses) = (Vec::new(), Vec::new());
        for (aim, figure) in objectives.iter().zip(figures) {
            let is_clear = is_significant(corrected.next().flatten());
            let change = pair.changes[*figure].as_ref();
            let both = change.map(|change| (aim.loss(change.value_a), aim.loss(change.value_b)));
            nearer.push(both.filter(|_| is_clear).map(|(from, to)| to < from));
            losses.push(both.unwrap_or((f64::NAN, f64::NAN)));
        }
        let winner = match () {
            () if losses.iter().all(|(from, to)| to <= from) => Some(pair.to),
            () if losses.iter().all(|(from, to)| from <= to) => Some(pair.from),
            () => None,
        };
        Step { from: pair.from, to: pair.to, nearer, winner }
    };
    summary.comparisons.iter().map(step).collect()
}

/// Returns the variants that no other beats. A variant beats another if it is at least as near to every
/// objective, and clearly nearer to one. (A weaker rule, "not clearly farther from the others", would let
/// small unclear differences lead from one end of the front to the other.)
fn undominated(count: usize, steps: &[Step]) -> Vec<usize> {
    let loser = |step: &Step| {
        let winner = step.winner.filter(|_| step.nearer.iter().any(Option::is_some))?;
        Some(if winner == step.to { step.from } else { step.to })
    };
    let losers: Vec<usize> = steps.iter().filter_map(loser).collect();
    (0..count).filter(|variant| !losers.contains(variant)).collect()
}

/// Returns the number of halvings until at most [`MAX_LAST`] rule sets are left.
fn rounds(count: usize) -> u32 {
    count.div_ceil(MAX_LAST).next_power_of_two().ilog2()
}

/// Returns the plan of some of the variants, on other deals.
fn part(all: &dyn DynPlan, left: &[String], deals: u64, seed: u64) -> Result<Box<dyn DynPlan>> {
    all.with(&mut |resolved| {
        let variants = resolved.experiment.variants.iter_mut();
        variants.for_each(|all| all.retain(|variant| left.contains(&variant.name)));
        resolved.tables.retain(|table| left.contains(&table.variant));
        (resolved.experiment.deals, resolved.experiment.seed) = (deals, seed);
    })
}

/// Returns the layer of each candidate: 0 if no other dominates it.
fn layers_of(losses: &[Vec<f64>]) -> Vec<usize> {
    let beats = |a: &[f64], b: &[f64]| a != b && a.iter().zip(b).all(|(a, b)| a <= b);
    let mut layers = vec![usize::MAX; losses.len()];
    for layer in 0..losses.len() {
        let free: Vec<usize> = (0..losses.len()).filter(|at| layers[*at] == usize::MAX).collect();
        for &at in &free {
            if !free.iter().any(|other| beats(&losses[*other], &losses[at])) {
                layers[at] = layer;
            }
        }
    }
    layers
}

/// Returns `count` candidates of the first layers; within a layer those with the smallest sum of ranks of
/// their losses.
fn best(layers: &[usize], losses: &[Vec<f64>], count: usize) -> Vec<usize> {
    let rank = |at: usize| -> usize {
        let less = |aim: usize| losses.iter().filter(|other| other[aim] < losses[at][aim]).count();
        (0..losses[at].len()).map(less).sum()
    };
    let mut order: Vec<usize> = (0..layers.len()).collect();
    order.sort_by_key(|&at| (layers[at], rank(at), at));
    order.truncate(count);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_follow_dominance() {
        let losses = [[1.0, 4.0], [2.0, 2.0], [4.0, 1.0], [3.0, 3.0], [4.0, 4.0], [2.0, 2.0]];
        let losses = losses.map(|both| both.to_vec());
        let layers = layers_of(&losses);
        assert_eq!(layers, [0, 0, 0, 1, 2, 0]);
        assert_eq!(best(&layers, &losses, 2), [1, 5]);
        assert_eq!(layers_of(&[vec![f64::INFINITY], vec![0.0]]), [1, 0]);
    }

    #[test]
    fn clearly_beaten_variants_are_dominated() {
        let step = |from, to, nearer: [Option<bool>; 2], winner| Step {
            from,
            to,
            nearer: nearer.to_vec(),
            winner,
        };
        let steps = [
            step(0, 1, [Some(true), None], Some(1)),
            step(0, 2, [Some(true), Some(false)], None),
            step(1, 2, [None, None], Some(2)),
            step(1, 3, [Some(false), None], Some(1)),
        ];
        assert_eq!(undominated(4, &steps), [1, 2]);
    }

    #[test]
    fn objectives_are_parsed() {
        let aim = |text| Objective::parse(text).map(|objective| objective.goal);
        assert_eq!(aim("a=min").unwrap(), Goal::Min);
        assert_eq!(aim("a = 0.5").unwrap(), Goal::Near(0.5));
        assert!(aim("a").is_err() && aim("a=near").is_err() && aim("a=nan").is_err());
        assert_eq!(
            Objective::parse("a=0.5").unwrap().loss(0.25),
            Objective::parse("a=0.5").unwrap().loss(0.75)
        );
    }
}
