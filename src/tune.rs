//! Tuning of a strategy's options, and a Pareto search for better rules. The front holds the rule sets
//! that no other rule set dominates in the objectives.
//!
//! [`FrontSearch`] finds the front of a space of rule sets from the figures of played deals. It is compared
//! with the original rules on fresh deals, in a run with the objectives as its question. Rule sets that are
//! clearly beyond a limit, unless all are, or whose hands end like those of another, are left out.

mod front_search;
mod map;

use std::path::Path;

use itertools::Itertools;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use crate::Seed;
use crate::arena::{DynPlan, Objective, Overrides, PlanSource, SearchSpec, VariantSpec};
use crate::error::{Error, Result, ensure};
use crate::files::SourceFile;
use crate::games::{AnyExperiment, AnyGame};
use crate::results::{MoreFiles, Summary, resolve_objectives};

pub use crate::games::tune::*;
pub use front_search::{Figures, FoundFront, FrontSearch, PlayDeals, RuleSet, Space};
use front_search::{MAX_LAST, MIN_DEALS, total_deals};
pub use map::{EffectRow, RuleMap};

/// A search for a Pareto front of rule sets. The serialized fields determine the result.
#[derive(Serialize)]
pub struct ParetoSearch<'a> {
    name: &'a str,
    experiment: &'a AnyExperiment,
    #[serde(skip)]
    source: Option<&'a SourceFile>,
    #[serde(skip)]
    search: &'a SearchSpec,
    /// The original variant.
    #[serde(skip)]
    base: &'a VariantSpec,
}

/// The maximum number of rule sets that are played together.
const BATCH: usize = 192;

/// A run of the search.
pub enum SearchRun<'a> {
    /// A part of a round; its name.
    Round(String),
    /// The confirmation on fresh deals, with the files of the map.
    Confirmation(MoreFiles<'a>),
}

/// A Pareto front of rule sets, compared with the original rules on fresh deals.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FoundFront")]
pub struct ParetoFront {
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

/// Plays a plan.
pub type PlayRound<'a> = &'a dyn Fn(&dyn DynPlan, SearchRun<'_>) -> Result<Summary>;

impl<'a> ParetoSearch<'a> {
    /// Creates the search of an experiment, which begins with the original variant, has the objectives as
    /// its question, and the fresh deals on which the front is confirmed.
    ///
    /// # Errors
    /// Bad input if it has no search or no name of a variant.
    pub fn new(
        name: &'a str,
        experiment: &'a AnyExperiment,
        source: Option<&'a SourceFile>,
    ) -> Result<ParetoSearch<'a>> {
        let has_goals = experiment.question.as_ref().is_some_and(|it| !it.objective.is_empty());
        ensure(has_goals, || {
            Error::input(
                "`search` needs objectives: `\"question\": {\"objective\": [\"turns=min\"]}`",
            )
        })?;
        let first = experiment.variants.iter().flatten().next();
        match (&experiment.search, first) {
            (Some(search), Some(base)) if base.sweep().is_none() => {
                Ok(ParetoSearch { name, experiment, source, search, base })
            }
            _ => Err(Error::input(
                "a search needs `search`, and starts from the first of `variants`, which has no `sweep`",
            )),
        }
    }

    /// Searches and confirms the front.
    ///
    /// # Errors
    /// Bad input, and the errors of `play`.
    pub fn run(&self, game: &AnyGame, play: PlayRound<'_>) -> Result<ParetoFront> {
        let ParetoSearch { search: spec, base, .. } = *self;
        let AnyExperiment { deals: confirm, seed, .. } = *self.experiment;
        ensure(spec.deals >= MIN_DEALS && spec.rule_sets >= MAX_LAST && confirm > 1, || {
            Error::input(format!(
                "a search needs at least {MIN_DEALS} deals, {MAX_LAST} rule sets, and 2 deals to confirm"
            ))
        })?;
        let plan = self.plan(game, vec![base.clone()], spec.deals, seed, None)?;
        let original = plan.info().experiment().variants.iter().flatten().next();
        let original = original.map_or(Value::Null, |variant| variant.rules.clone());
        let objectives = resolve_objectives(plan.info(), self.objectives())?;
        let space = Space::new(&spec.rules, &original);
        let goals = objectives.iter().map(|(_, goal)| *goal).collect_vec();
        let search = FrontSearch {
            space: &space,
            goals: &goals,
            rule_sets: spec.rule_sets,
            deals: spec.deals,
            seed: Seed::new(seed).named("front"),
        };
        let mut heads = Vec::new();
        let found = search.run(&mut |sets, deals, round| {
            let mut all = Vec::new();
            for (batch, sets) in sets.chunks(BATCH).enumerate() {
                let variants = sets.iter().map(|set| self.variant(set)).collect();
                let plan = self.plan(game, variants, deals, seed, None)?;
                let summary = play(&*plan, SearchRun::Round(format!("round-{round}-{batch}")))?;
                heads.clone_from(&summary.figures);
                let figures = objectives.iter().map(|(figure, _)| *figure);
                let is_unknown =
                    |it: &usize| summary.variants.iter().all(|v| v.figures[*it].is_none());
                if let Some(unknown) = figures.clone().find(is_unknown) {
                    let name = summary.figures[unknown].name;
                    let what = "has no value with these strategies; choose another figure";
                    return Err(Error::input(format!("`{name}` {what}")));
                }
                let figures = figures.chain(summary.headlines()).collect_vec();
                let row = |at: usize| {
                    figures.iter().map(|it| summary.variants[at].figures[*it]).collect()
                };
                all.extend((0..sets.len()).map(row));
            }
            Ok(all)
        })?;
        let figures = objectives.iter().map(|(figure, _)| heads[*figure]).collect_vec();
        let map = RuleMap::new(json!(base), &spec.rules, &figures, &found);
        // 52 bits, which are exact in JSON for every program.
        let fresh = Seed::new(seed).named("fresh").number() >> 12;
        let named = self.experiment.variants.iter().flatten().cloned();
        let front = found.front.iter().map(|set| self.variant(set));
        let plan = self.plan(game, named.chain(front).collect(), confirm, fresh, self.source)?;
        let variants = plan.info().experiment().variants.iter().flatten();
        let rules = variants.clone().map(|it| it.rules.clone()).collect_vec();
        let files =
            |run: &Summary, folder: &Path| map.write([game.name, self.name], run, &rules, folder);
        let run = play(&*plan, SearchRun::Confirmation(&files))?;
        // The named rules come first; a rule set that is equal to one of them has its name.
        let others = variants.clone().count() - found.front.len();
        let field = |at: &usize| spec.rules.fields().nth(*at).map(|(field, _)| field.to_owned());
        Ok(ParetoFront {
            candidates: spec.rules.count().try_into().unwrap_or(u64::MAX),
            played: found.played,
            without_effect: found.without_effect.iter().filter_map(field).collect(),
            front: variants.skip(others).map(|it| it.name.clone()).collect(),
            run,
        })
    }

    fn objectives(&self) -> &[Objective] {
        self.experiment.question.as_ref().map_or(&[], |question| &question.objective)
    }

    /// The variant of a rule set.
    fn variant(&self, set: &RuleSet) -> VariantSpec {
        let base = self.base.clone();
        base.clone().swept(&self.search.rules.only(set)).unwrap_or(base)
    }

    /// The plan of some variants.
    fn plan(
        &self,
        game: &AnyGame,
        variants: Vec<VariantSpec>,
        deals: u64,
        seed: u64,
        source: Option<&SourceFile>,
    ) -> Result<Box<dyn DynPlan>> {
        let variants = Some(variants);
        let search =
            Some(SearchSpec { given: Some(json!(self.experiment)), ..self.search.clone() });
        let experiment = AnyExperiment { variants, search, deals, seed, ..self.experiment.clone() };
        let Some(source) = source else {
            return (game.plan)(self.name, experiment, None, &());
        };
        // The digest stays that of the file, which can be a manifest of another name.
        let (name, text) = (self.name.to_owned(), json!(experiment).to_string());
        let source = SourceFile { name, text, ..source.clone() };
        (game.plan_reader)(PlanSource::Experiment(&source), Overrides::default(), &())
    }

    /// Returns the maximum number of hands if a match is one hand.
    pub fn hands(&self) -> u64 {
        let AnyExperiment { strategies, deals, variants, mirror, .. } = self.experiment;
        let count = strategies.len() as u64;
        let pairings = count * count.saturating_sub(1) / 2 + if *mirror { count } else { 0 };
        let SearchSpec { rules, rule_sets, deals: last, .. } = self.search;
        let search = total_deals(rules.count(), *rule_sets, *last);
        let others = (MAX_LAST + variants.iter().flatten().count()) as u64;
        (2 * pairings).saturating_mul(search + others * deals)
    }
}
