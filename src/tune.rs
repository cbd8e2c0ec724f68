//! Tuning of a strategy's options, and a Pareto search for better rules. The front holds the rule sets
//! that no other rule set dominates in the objectives.
//!
//! All rule sets play a few deals and are sorted into layers: the first layer holds those that no other
//! dominates, the second those that only the first layer dominates. See Deb et al., *A fast and
//! elitist multiobjective genetic algorithm: NSGA-II* (IEEE Transactions on Evolutionary Computation 6,
//! 2002). The better half plays twice as many deals, starting with the same ones. The first layer of
//! the last round is the front. It is compared with the original rules on fresh deals, in a run with the
//! objectives as its question. Rule sets that are clearly beyond a limit, or whose hands end like those of
//! another, are left out.

use itertools::Itertools;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::arena::{DynPlan, Question, ResolvedVariant, VariantSpec};
use crate::error::{Error, Result, ensure};
use crate::game::Sweep;
use crate::games::{AnyExperiment, AnyGame};
use crate::results::{Goal, Summary, VariantSummary, cell};
use crate::{Experiment, Seed};

pub use crate::games::tune::*;

/// The maximum number of rule sets in the last round.
const MAX_LAST: usize = 12;

/// The minimum number of deals of a round.
const MIN_DEALS: u64 = 64;

/// A search for a Pareto front of rule sets. The serialized fields determine the result.
#[derive(Serialize)]
pub struct ParetoSearch<'a> {
    /// The original variant.
    pub base: &'a str,
    /// The values of each rule that may change.
    pub sweep: &'a Sweep,
    /// The objectives: goals and limits for figures.
    pub objectives: &'a [String],
    /// The strategies that play.
    pub strategies: &'a [String],
    /// Deals of each rule set in the last round; each earlier round has half as many as the next.
    pub deals: u64,
    /// Fresh deals on which the front is confirmed.
    pub confirm: u64,
    /// Random seed.
    pub seed: u64,
}

/// A Pareto front of rule sets, compared with the original rules on fresh deals.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FoundFront")]
pub struct ParetoFront {
    /// The original variant.
    pub base: String,
    /// The objectives as they were given.
    pub objectives: Vec<String>,
    /// The number of rule sets played.
    pub candidates: usize,
    /// Fields whose values changed nothing: all hands ended alike. One value was kept.
    pub without_effect: Vec<String>,
    /// The variants of the front.
    pub front: Vec<String>,
    /// The run on fresh deals, as `parlour run --json` prints one.
    #[schemars(with = "serde_json::Value")]
    pub run: Summary,
}

/// Plays a plan: of a round of the search, counted down to 0, or the confirmation on fresh deals.
pub type PlayRound<'a> = &'a dyn Fn(&dyn DynPlan, Option<u32>) -> Result<Summary>;

impl ParetoSearch<'_> {
    /// Searches and confirms the front.
    ///
    /// # Errors
    /// Bad input, such as a limit that no rule set keeps, and the errors of `play`.
    pub fn run(&self, game: &AnyGame, play: PlayRound<'_>) -> Result<ParetoFront> {
        ensure(self.deals >= MIN_DEALS && self.confirm > 1, || {
            Error::input(format!("tuning needs at least {MIN_DEALS} deals, and 2 to confirm"))
        })?;
        let base = VariantSpec::Named(self.base.to_owned());
        let all = [Some(base.clone()), base.swept(self.sweep)].into_iter().flatten();
        let mut experiment: AnyExperiment =
            Experiment::of_variants(game.name, all, self.strategies);
        let objective = self.objectives.to_vec();
        experiment.question = Some(Question { objective, ..Question::default() });
        let all = (game.plan)("front", experiment, None, &())?;
        let variants: Vec<&ResolvedVariant> =
            all.info().experiment().variants.iter().flatten().collect();
        let (start, candidates) = (variants[0], variants.len());
        let (mut left, mut unused) = (variants, None);
        for round in (0..=rounds(candidates)).rev() {
            let deals = (self.deals >> round).max(MIN_DEALS);
            let summary = play(&*part(&*all, &left, deals, self.seed)?, Some(round))?;
            left = self.select(&left, &summary, round, &mut unused)?;
        }
        let front = left.iter().map(|variant| variant.name.clone()).collect();
        left.push(start);
        // 52 bits, which are exact in JSON for every program.
        let fresh = Seed::new(self.seed).named("fresh").number() >> 12;
        let run = play(&*part(&*all, &left, self.confirm, fresh)?, None)?;
        Ok(ParetoFront {
            base: self.base.to_owned(),
            objectives: self.objectives.to_vec(),
            candidates,
            without_effect: unused.unwrap_or_default(),
            front,
            run,
        })
    }

    /// Returns the rule sets that play on after a round. The first round finds fields without effect.
    fn select<'v>(
        &self,
        left: &[&'v ResolvedVariant],
        summary: &Summary,
        round: u32,
        unused: &mut Option<Vec<String>>,
    ) -> Result<Vec<&'v ResolvedVariant>> {
        let goal = |text: &String| {
            let (name, goal) = Goal::parse(text).ok()?;
            Some((summary.figures.iter().position(|head| head.name == name)?, goal))
        };
        let all = self.objectives.iter().filter_map(goal).collect_vec();
        let (limits, goals): (Vec<_>, Vec<_>) = all.iter().partition(|(_, goal)| goal.is_limit());
        let mut kept: Vec<usize> = (0..left.len()).collect();
        if unused.is_none() {
            kept = distinct(left, summary, &all);
            ensure(kept.len() > 1, || {
                Error::input("nothing to tune: the hands end alike under all values")
            })?;
            *unused = Some(self.without_effect(left, &kept));
        }
        let value = |at: usize, figure: usize| summary.variants[at].figures[figure];
        let is_out = |at: usize, (figure, limit): &(usize, Goal)| {
            value(at, *figure).is_none_or(|e| limit.verdict_on(e) == "beyond")
        };
        kept.retain(|at| !limits.iter().any(|limit| is_out(*at, limit)));
        ensure(!kept.is_empty(), || nothing_within(summary, &limits))?;
        let loss = |at: usize, (figure, goal): &(usize, Goal)| {
            value(at, *figure).map_or(f64::INFINITY, |e| goal.loss(e.value))
        };
        let losses = kept.iter().map(|at| goals.iter().map(|goal| loss(*at, goal)).collect());
        let losses: Vec<Vec<f64>> = losses.collect();
        let layers = layers_of(&losses);
        let selected: Vec<usize> = match round {
            0 => (0..kept.len()).filter(|at| layers[*at] == 0).collect(),
            _ => best(&layers, &losses, kept.len().div_ceil(2)),
        };
        // In the order of the plan, as all results.
        let selected = selected.into_iter().sorted_unstable();
        Ok(selected.map(|at| left[kept[at]]).collect())
    }

    /// Returns the fields of which only one value is kept, because all play the same hands.
    fn without_effect(&self, left: &[&ResolvedVariant], kept: &[usize]) -> Vec<String> {
        let is_without_effect = |(field, values): &(&str, &[Value])| {
            let values_kept = kept.iter().map(|at| &left[*at].rules[*field]);
            let mut values_kept = values_kept.filter(|value| values.contains(value));
            values.len() > 1 && values_kept.all_equal()
        };
        let fields = self.sweep.fields().filter(is_without_effect);
        fields.map(|(field, _)| field.to_owned()).collect()
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
}

/// The error if every rule set is clearly beyond a limit; names the one that is nearest to the first.
fn nothing_within(summary: &Summary, limits: &[(usize, Goal)]) -> Error {
    let (figure, limit) = limits[0];
    let excess = |v: &VariantSummary| v.figures[figure].map_or(f64::MAX, |e| limit.loss(e.value));
    let nearest = summary.variants.iter().min_by(|a, b| excess(a).total_cmp(&excess(b)));
    let text = |(figure, limit): &(usize, Goal)| limit.texts(&summary.figures[*figure])[0].clone();
    let (name, value) = nearest.map_or_else(Default::default, |nearest| {
        (
            nearest.variant.as_str(),
            nearest.format(figure, |e| cell(summary.figures[figure].unit, e)),
        )
    });
    Error::input(format!(
        "no rule set keeps {}; `{name}` comes nearest: {} {value}. Change the limit, or allow other values",
        limits.iter().map(text).join(" and "),
        summary.figures[figure].name.replace('_', " ")
    ))
}

/// Returns the rule sets that differ in a headline figure or an objective. Of those that agree in all, one
/// with the most values of the original rules stays; these come first.
fn distinct(
    left: &[&ResolvedVariant],
    summary: &Summary,
    objectives: &[(usize, Goal)],
) -> Vec<usize> {
    let changes = |at: usize| {
        let fields = left[at].rules.as_object().into_iter().flatten();
        fields.filter(|(field, value)| left[0].rules[*field] != **value).count()
    };
    let figures = summary.headlines().chain(objectives.iter().map(|it| it.0)).collect_vec();
    let result = |at: usize| figures.iter().map(move |f| summary.variants[at].figures[*f]);
    let is_first = |&at: &usize| {
        let mut others = (0..left.len()).filter(|other| result(*other).eq(result(at)));
        others.all(|other| (changes(at), at) <= (changes(other), other))
    };
    (0..left.len()).filter(is_first).collect()
}

/// Returns the number of halvings until at most [`MAX_LAST`] rule sets are left.
fn rounds(count: usize) -> u32 {
    count.div_ceil(MAX_LAST).next_power_of_two().ilog2()
}

/// Returns the plan of some of the variants, on other deals.
fn part(
    all: &dyn DynPlan,
    left: &[&ResolvedVariant],
    deals: u64,
    seed: u64,
) -> Result<Box<dyn DynPlan>> {
    let is_left = |name: &String| left.iter().any(|variant| variant.name == *name);
    all.with(&mut |resolved| {
        let variants = resolved.experiment.variants.iter_mut();
        variants.for_each(|all| all.retain(|variant| is_left(&variant.name)));
        resolved.tables.retain(|table| is_left(&table.variant));
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
}
