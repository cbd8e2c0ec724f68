//! Tuning of a strategy's options, and a Pareto search for better rules. The front holds the rule sets
//! that no other rule set dominates in the objectives.
//!
//! [`FrontSearch`] finds the front of a space of rule sets from the figures of played deals. It is compared
//! with the original rules on fresh deals, in a run with the objectives as its question. Rule sets that are
//! clearly beyond a limit, or whose hands end like those of another, are left out.

mod front_search;

use itertools::Itertools;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::arena::{DynPlan, Objective, Question, VariantSpec};
use crate::error::{Error, Result, ensure};
use crate::game::{Sweep, sweep};
use crate::games::{AnyExperiment, AnyGame};
use crate::results::{Summary, cell, resolve_objectives};
use crate::{Experiment, Seed};

pub use crate::games::tune::*;
pub use front_search::{Figures, FoundFront, FrontSearch, PlayDeals, RuleSet, Space};
use front_search::{MAX_LAST, MIN_DEALS, total_deals};

/// A search for a Pareto front of rule sets. The serialized fields determine the result.
#[derive(Serialize)]
pub struct ParetoSearch<'a> {
    /// The original variant.
    pub base: &'a str,
    /// The values of each rule that may change.
    pub sweep: &'a Sweep,
    /// The objectives: goals and limits for figures.
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

/// A Pareto front of rule sets, compared with the original rules on fresh deals.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FoundFront")]
pub struct ParetoFront {
    /// The original variant.
    pub base: String,
    /// The objectives as they were given.
    pub objectives: Vec<Objective>,
    /// The number of rule sets that could be chosen.
    pub candidates: u64,
    /// The number of rule sets played in the search.
    pub played: usize,
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
        let base =
            self.plan(game, [VariantSpec::Named(self.base.to_owned())], self.deals, self.seed)?;
        let original = base.info().experiment().variants.iter().flatten().next();
        let original = original.map_or(Value::Null, |variant| variant.rules.clone());
        let objectives = resolve_objectives(base.info(), self.objectives)?;
        let space = Space::new(self.sweep, &original);
        let goals = objectives.iter().map(|(_, goal)| *goal).collect_vec();
        let seed = Seed::new(self.seed).named("front");
        let search = FrontSearch { space: &space, goals: &goals, deals: self.deals, seed };
        let mut heads = Vec::new();
        let found = search.run(&mut |sets, deals, round| {
            let variants = sets.iter().map(|set| self.variant(set));
            let plan = self.plan(game, variants, deals, self.seed)?;
            let summary = play(&*plan, Some(round))?;
            heads.clone_from(&summary.figures);
            let of_goals = objectives.iter().map(|(figure, _)| *figure);
            for (figure, _) in &objectives {
                ensure(summary.variants.iter().any(|it| it.figures[*figure].is_some()), || {
                    let name = summary.figures[*figure].name;
                    Error::input(format!(
                        "`{name}` has no value with these strategies; choose another figure"
                    ))
                })?;
            }
            let figures = of_goals.chain(summary.headlines()).collect_vec();
            let row =
                |at: usize| figures.iter().map(|it| summary.variants[at].figures[*it]).collect();
            Ok((0..sets.len()).map(row).collect())
        })?;
        if found.front.is_empty() {
            let limits = objectives.iter().enumerate().filter(|(_, (_, goal))| goal.is_limit());
            let text =
                limits.clone().map(|(_, (figure, limit))| limit.texts(&heads[*figure])[0].clone());
            let (at, (figure, _)) = limits.clone().next().unwrap_or((0, &objectives[0]));
            let head = &heads[*figure];
            let value = |set: &Figures| cell(head.unit, set.get(at).copied().flatten());
            let nearest = found.nearest.map(|(set, figures)| (self.words(&set), value(&figures)));
            let (rules, value) = nearest.unwrap_or_default();
            return Err(Error::input(format!(
                "no rule set keeps {}; `{rules}` comes nearest: {} {value}. Change the limit, or allow \
                 other values",
                text.collect_vec().join(" and "),
                head.name.replace('_', " ")
            )));
        }
        // 52 bits, which are exact in JSON for every program.
        let fresh = Seed::new(self.seed).named("fresh").number() >> 12;
        let start = VariantSpec::Named(self.base.to_owned());
        let variants =
            std::iter::once(start).chain(found.front.iter().map(|set| self.variant(set)));
        let plan = self.plan(game, variants, self.confirm, fresh)?;
        let run = play(&*plan, None)?;
        // The original rules come first; a rule set that is equal to them has their name.
        let names = plan.info().experiment().variants.iter().flatten().map(|it| it.name.clone());
        let others = names.clone().count() - found.front.len();
        let field = |at: &usize| self.sweep.fields().nth(*at).map(|(field, _)| field.to_owned());
        Ok(ParetoFront {
            base: self.base.to_owned(),
            objectives: self.objectives.to_vec(),
            candidates: self.sweep.count().try_into().unwrap_or(u64::MAX),
            played: found.played,
            without_effect: found.without_effect.iter().filter_map(field).collect(),
            front: names.skip(others).collect(),
            run,
        })
    }

    /// The variant of a rule set.
    fn variant(&self, set: &RuleSet) -> VariantSpec {
        let base = VariantSpec::Named(self.base.to_owned());
        base.swept(&self.sweep.only(set)).unwrap_or(VariantSpec::Named(self.base.to_owned()))
    }

    /// The values of a rule set in words.
    fn words(&self, set: &RuleSet) -> String {
        let values = self.sweep.fields().filter(|(_, values)| values.len() > 1).zip(set);
        values.map(|((field, all), at)| sweep::in_words(field, &all[*at])).join(", ")
    }

    /// The plan of some variants with the objectives as its question.
    fn plan(
        &self,
        game: &AnyGame,
        variants: impl IntoIterator<Item = VariantSpec>,
        deals: u64,
        seed: u64,
    ) -> Result<Box<dyn DynPlan>> {
        let mut experiment: AnyExperiment =
            Experiment::of_variants(game.name, variants, self.strategies);
        let objective = self.objectives.to_vec();
        experiment.question = Some(Question { objective, ..Question::default() });
        (experiment.deals, experiment.seed) = (deals, seed);
        (game.plan)("front", experiment, None, &())
    }

    /// Returns the maximum number of hands if a match is one hand.
    pub fn hands(&self) -> u64 {
        let strategies = self.strategies.len() as u64;
        let each = 2 * (strategies * strategies.saturating_sub(1) / 2).max(1);
        let search = total_deals(self.sweep.count(), self.deals);
        each.saturating_mul(search + (MAX_LAST as u64 + 1) * self.confirm)
    }
}
