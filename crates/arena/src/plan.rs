//! How an experiment of a game becomes a plan.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use super::looking::Looking;
use super::luck::Judging;
use super::sweep;
use super::tables::seatings;
use super::{
    Bots, Chunk, Experiment, Frame, Input, Inputs, Outline, Playable, Played, ProgressHeader,
    Resolved, Seating, SpelledStrategy, SpelledVariant, Table, Tally, Variant, VariantSpec,
    play_chunk,
};
use crate::error::{Error, Faults, Result};
use crate::files::{SourceFile, digest, parse_json};
use crate::game::{Figure, LuckEvaluator, ReplayFn, ReplayView};
use crate::strategy::{Strategic, Strategy, StrategySpec};

/// What the command line sets over the file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides {
    /// Another number of deals.
    pub deals: Option<u64>,
    /// Another seed.
    pub seed: Option<u64>,
}

/// A resolved experiment with what is derived from it: an [`Outline`], and the game that it is of.
#[derive(Clone)]
pub struct Plan<G: Strategic> {
    /// What does not depend on the game's types.
    outline: Outline,
    /// The variants under their rules.
    pub variants: Vec<Variant<G>>,
    /// Who plays for each strategy; empty in a plan that was read to report on a run.
    pub bots: Arc<[Bots<G>]>,
    /// Who judges luck, where it is taken out of the results.
    judging: Option<Judging<G>>,
    /// Whether decisions are looked at.
    pub(super) looking: Option<Looking<G>>,
}

impl<G: Strategic> Deref for Plan<G> {
    type Target = Outline;

    fn deref(&self) -> &Outline {
        &self.outline
    }
}

impl<G: Strategic> Playable for Plan<G> {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn play_chunk(&self, chunk: Chunk<'_>) -> Result<Played> {
        play_chunk(self, chunk)
    }

    fn with(&self, change: &mut dyn FnMut(&mut Resolved)) -> Result<Box<dyn Playable>> {
        let mut resolved = self.resolved.clone();
        change(&mut resolved);
        let (inputs, bots) = (self.inputs.clone(), self.bots.clone());
        Ok(Box::new(Plan::derive(resolved, inputs, bots, self.judging.clone())?))
    }

    fn with_bots(&self) -> Result<Box<dyn Playable>> {
        let spelled = self.resolved.experiment.strategies.iter();
        let bots = spelled.zip(&self.inputs.strategies).map(|(spelled, input)| {
            let name = &spelled.name;
            let origin = input.from.clone().ok_or_else(|| {
                Error::input(format!("the bot `{name}` belongs to the program that ran it"))
            })?;
            let read = Strategy::<G>::read(&SourceFile::new(name, origin, input.text.clone()))?;
            if json!(read.spec) != spelled.strategy {
                let message = "means something else to this program than to the one that ran it";
                return Err(Error::input(format!("the strategy `{name}` {message}")));
            }
            Ok(Bots::read(read.spec))
        });
        let bots: Arc<[Bots<G>]> = bots.collect::<Result<_>>()?;
        let Resolved { experiment, judge, .. } = &self.resolved;
        let said = experiment.luck_adjusted.as_ref();
        let judging = Judging::again(said, judge.as_deref(), &self.variants)?;
        Ok(Box::new(Plan::derive(self.resolved.clone(), self.inputs.clone(), bots, judging)?))
    }

    fn retell(&self) -> ReplayFn {
        ReplayView::read::<G>
    }

    fn prepare(&self, folder: Option<&Path>) -> Result<()> {
        for (strategy, bots) in self.bots.iter().enumerate() {
            if let Bots::External(_, players) = bots {
                let name = self.name_of(strategy);
                players
                    .prepare(name, folder)
                    .map_err(|error| error.in_part(format!("strategy `{name}`")))?;
            }
        }
        Ok(())
    }

    fn knowledge(&self) -> Vec<(&'static str, String)> {
        let specs = self.bots.iter().filter_map(Bots::spec);
        let mut all = G::knowledge(&specs.map(|spec| &spec.kind).collect::<Vec<_>>());
        all.extend(self.resolved.judge.clone().map(|digest| ("judge of luck", digest)));
        let weighing = self.looking.as_ref().and_then(Looking::judge);
        all.extend(weighing.map(|digest| ("judge of decisions", digest)));
        all
    }
}

impl<G: Strategic> Plan<G> {
    /// Resolves an experiment file whose game is `G`.
    ///
    /// # Errors
    /// Bad input, with its place in the file where it has one.
    pub fn from_file(found: &SourceFile, overrides: Overrides) -> Result<Plan<G>> {
        Plan::from_file_with(found, overrides, [])
    }

    /// The same where some strategies are bots that the calling program brings along, as in
    /// [`resolve_with`](Plan::resolve_with).
    ///
    /// # Errors
    /// As `from_file`.
    pub fn from_file_with<'a>(
        found: &SourceFile,
        overrides: Overrides,
        own: impl IntoIterator<Item = (&'a str, Bots<G>)>,
    ) -> Result<Plan<G>> {
        let place = found.place();
        let mut experiment: Experiment<VariantSpec<G::Patch>> = parse_json(&place, &found.text)?;
        experiment.deals = overrides.deals.unwrap_or(experiment.deals);
        experiment.seed = overrides.seed.unwrap_or(experiment.seed);
        let plan = Plan::of(&found.name, &experiment, Some(found), own.into_iter().collect());
        plan.map_err(|error| error.in_file(&place))
    }

    /// Resolves an experiment.
    ///
    /// # Errors
    /// Bad input: unknown names, nothing to play, more work than can be counted.
    pub fn resolve(name: &str, experiment: &Experiment<VariantSpec<G::Patch>>) -> Result<Plan<G>> {
        Plan::of(name, experiment, None, BTreeMap::new())
    }

    /// Resolves an experiment in which some strategies are bots that the calling program brings
    /// along, by the names that the experiment gives them.
    ///
    /// ```
    /// use parlour_arena::{Bots, Experiment, Plan};
    /// use parlour_game::{PolicyBot, Uniform};
    /// use parlour_leopard::Leopard;
    ///
    /// let experiment = Experiment::of_match("leopard", "revised", &["mine".into(), "greedy".into()]);
    /// let mine = Bots::own(|_: &Leopard| Box::new(PolicyBot(Uniform)));
    /// let plan = Plan::resolve_with("mine", &experiment, [("mine", mine)])?;
    /// assert_eq!(plan.name_of(0), "greedy");
    /// # Ok::<(), parlour_base::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`resolve`](Plan::resolve).
    pub fn resolve_with<'a>(
        name: &str,
        experiment: &Experiment<VariantSpec<G::Patch>>,
        own: impl IntoIterator<Item = (&'a str, Bots<G>)>,
    ) -> Result<Plan<G>> {
        Plan::of(name, experiment, None, own.into_iter().collect())
    }

    /// Resolves an experiment that stands in a file, or in none.
    fn of(
        name: &str,
        experiment: &Experiment<VariantSpec<G::Patch>>,
        source: Option<&SourceFile>,
        mut own: BTreeMap<&str, Bots<G>>,
    ) -> Result<Plan<G>> {
        if experiment.game != G::NAME {
            let (said, game) = (&experiment.game, G::NAME);
            return Err(Error::input(format!("the experiment is of `{said}`, not of `{game}`")));
        }
        experiment.check_counts()?;
        let variants = sweep::variants::<G>(experiment, source);
        let swept = sweep::swept_fields(experiment);
        let specs = experiment.strategies.iter();
        let brought = specs.clone().map(|spec| match spec {
            StrategySpec::Named(name) => own.remove_entry(name.as_str()),
            StrategySpec::Inline { .. } => None,
        });
        let brought: Vec<Option<(&str, Bots<G>)>> = brought.collect();
        let files = specs.zip(&brought).filter(|(_, brought)| brought.is_none());
        let files: Vec<StrategySpec> = files.map(|(spec, _)| spec.clone()).collect();
        let files = Strategy::<G>::resolve(&files, source);
        let (variants, files) = both(variants, files)?;
        let mut files = files.into_iter();
        let (mut inputs, mut bots, mut spelled) = (Inputs::default(), Vec::new(), Vec::new());
        inputs.experiment = source.map(|found| Input {
            name: found.name.clone(),
            from: Some(found.origin.clone()),
            sha256: found.digest.clone(),
            ..Input::default()
        });
        for brought in brought {
            // Nothing but the name is known of what the calling program brings along.
            let files = match brought {
                Some((name, who)) => {
                    let (name, sha256) = (name.to_owned(), digest(name));
                    spelled.push(SpelledStrategy { name: name.clone(), strategy: Value::Null });
                    inputs.strategies.push(Input { name, sha256, ..Input::default() });
                    bots.push(who);
                    continue;
                }
                None => files.next().unwrap_or_default(),
            };
            // A sweep may come upon a strategy that stands there by itself.
            let is_sweep = files.len() > 1;
            for file in files {
                let Strategy { name, about, spec, origin, digest: sha256, text, tuned, .. } = file;
                let tuned = tuned.filter(|_| !swept.rules.is_empty());
                let tuned_under = tuned.map_or(Ok(Vec::new()), |tuned| tuned.rules::<G>())?;
                let written = SpelledStrategy { name: name.clone(), strategy: json!(spec) };
                if is_sweep && spelled.contains(&written) {
                    continue;
                }
                spelled.push(written);
                let from = Some(origin);
                inputs.strategies.push(Input { name, about, from, sha256, text, tuned_under });
                bots.push(Bots::read(spec));
            }
        }
        let clock = |bots: &Bots<G>| bots.spec().is_some_and(G::uses_clock);
        if !experiment.allow_clock
            && let Some(at) = bots.iter().position(clock)
        {
            let message = "goes by the clock, so no run with it can be repeated; `\"allow_clock\": true` lets it in";
            return Err(Error::input(format!("`strategies`: `{}` {message}", spelled[at].name)));
        }
        unique("variants", variants.iter().map(|v| v.name.as_str()))?;
        unique("strategies", spelled.iter().map(|s| s.name.as_str()))?;
        let rules =
            |v: &Variant<G>| SpelledVariant { name: v.name.clone(), rules: json!(v.game.rules()) };
        let rules: Vec<SpelledVariant> = variants.iter().map(rules).collect();
        let searches =
            bots.iter().filter_map(Bots::spec).any(|spec| G::search_config(spec).is_some());
        let judging = Judging::of(experiment.luck_adjusted.as_ref(), searches, &variants)?;
        let judge = judging.as_ref().map(|judging| judging.digest.clone());
        let frames: Vec<Frame> = variants.iter().map(Frame::of).collect();
        let experiment = experiment.clone().with(Some(rules), spelled);
        let tables = seatings(&experiment, &frames)?;
        experiment.check_counts()?;
        let resolved = Resolved { name: name.to_owned(), experiment, tables, judge, swept };
        Plan::derive(resolved, inputs, bots.into(), judging)
    }

    /// The plan of a run whose header is read again, to report on it: nobody can play it.
    ///
    /// # Errors
    /// Bad input when it does not fit this program.
    pub fn to_report(header: &ProgressHeader) -> Result<Plan<G>> {
        let (resolved, inputs) = (header.experiment.clone(), header.inputs.clone());
        let mut plan = Plan::derive(resolved, inputs, [].into(), None)?;
        plan.outline.digest.clone_from(&header.digest);
        Ok(plan)
    }

    /// Who judges the luck of hands, where it is taken out of the results.
    pub(super) fn judge(&self) -> Option<&dyn LuckEvaluator<G>> {
        self.judging.as_ref().map(|judging| &*judging.judge)
    }

    /// What follows from a resolved experiment.
    pub(super) fn derive(
        resolved: Resolved,
        inputs: Inputs,
        bots: Arc<[Bots<G>]>,
        judging: Option<Judging<G>>,
    ) -> Result<Plan<G>> {
        let variants = resolved.experiment.variants.iter().flatten();
        let variants =
            variants.map(|v| Variant::spelled(&v.name, &v.rules)).collect::<Result<Vec<_>>>()?;
        let experiment = &resolved.experiment;
        let names: Vec<&str> = experiment.strategies.iter().map(|s| s.name.as_str()).collect();
        let frames: Vec<Frame> = variants.iter().map(Frame::of).collect();
        let table = |seating: &Seating| {
            Table::of(seating, &frames, &names, experiment.seed).ok_or_else(|| {
                let (line_up, variant) = (seating.line_up.join(", "), &seating.variant);
                Error::input(format!("the table of {line_up} does not fit variant `{variant}`"))
            })
        };
        let tables = resolved.tables.iter().map(table).collect::<Result<Vec<_>>>()?;
        let judged = resolved.judge.is_some();
        let empty = Tally::empty(&variants, &tables, experiment, judged);
        let figures = G::FIGURES.iter().map(Figure::plain).collect();
        let digest = resolved.digest();
        let outline = Outline { resolved, inputs, frames, tables, empty, figures, digest };
        outline.check_size()?;
        outline.experiment().until.map_or(Ok(()), |until| until.check(&outline))?;
        let looking = outline.experiment().decisions.map(Looking::new).transpose()?;
        Ok(Plan { outline, variants, bots, judging, looking })
    }
}

/// Both, or all that is wrong with either.
fn both<A, B>(one: Result<A>, other: Result<B>) -> Result<(A, B)> {
    match (one, other) {
        (Ok(one), Ok(other)) => Ok((one, other)),
        (Err(one), Err(other)) => {
            let mut all = Faults::default();
            [one, other].into_iter().for_each(|error| all.add(error));
            Err(all.into())
        }
        (Err(error), _) | (_, Err(error)) => Err(error),
    }
}

fn unique<'a>(field: &str, names: impl Iterator<Item = &'a str>) -> Result<()> {
    let mut seen = BTreeSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(Error::input(format!("`{field}` names `{name}` twice")));
        }
    }
    Ok(())
}
