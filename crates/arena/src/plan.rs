//! Plans: resolved experiments of a game, ready to be played.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::sync::Arc;

use serde_json::{Value, json};

use super::decision_sampler::DecisionSampler;
use super::luck::LuckAdjuster;
use super::{
    BotFactory, Experiment, Input, Inputs, PlanInfo, PlannedTable, ProgressHeader, Resolved,
    ResolvedStrategy, ResolvedVariant, Tally, Variant, VariantInfo, VariantSpec, sweep, table,
};
use parlour_base::error::{Error, Faults, Result, ensure};
use parlour_base::files::{SourceFile, digest, parse_json};
use parlour_game::Figure;
use parlour_game::strategy::{Strategic, Strategy, StrategySpec};

/// Command-line values that replace those of the file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides {
    /// The number of deals.
    pub deals: Option<u64>,
    /// The random seed.
    pub seed: Option<u64>,
}

impl Overrides {
    fn apply<V, S>(self, experiment: &mut Experiment<V, S>) {
        experiment.deals = self.deals.unwrap_or(experiment.deals);
        experiment.seed = self.seed.unwrap_or(experiment.seed);
    }
}

/// A resolved experiment of a game: a [`PlanInfo`] with rules and players.
#[derive(Clone)]
pub struct Plan<G: Strategic> {
    info: PlanInfo,
    /// The variants with their rules.
    pub variants: Vec<Variant<G>>,
    /// The players of each strategy; empty in a plan that only reports on a run.
    pub bots: Arc<[BotFactory<G>]>,
    /// The judge of luck, if results are adjusted for luck.
    pub(super) luck_adjuster: Option<LuckAdjuster<G>>,
    /// The sampler of decisions, if they are analyzed.
    pub(super) decision_sampler: Option<DecisionSampler<G>>,
}

impl<G: Strategic> Deref for Plan<G> {
    type Target = PlanInfo;

    fn deref(&self) -> &PlanInfo {
        &self.info
    }
}

/// The strategies of a plan while it is resolved: each with its source and its players.
struct Roster<G: Strategic> {
    resolved: Vec<ResolvedStrategy>,
    inputs: Vec<Input>,
    bots: Vec<BotFactory<G>>,
}

impl<G: Strategic> Roster<G> {
    fn new() -> Self {
        Roster { resolved: Vec::new(), inputs: Vec::new(), bots: Vec::new() }
    }

    fn add(&mut self, strategy: Value, input: Input, bots: BotFactory<G>) {
        self.resolved.push(ResolvedStrategy { name: input.name.clone(), strategy });
        self.inputs.push(input);
        self.bots.push(bots);
    }

    /// Adds a caller's bot, of which only the name is known.
    fn add_custom(&mut self, name: &str, bots: BotFactory<G>) {
        let input = Input { name: name.to_owned(), sha256: digest(name), ..Input::default() };
        self.add(Value::Null, input, bots);
    }

    /// Adds a strategy of a file; `tuned_under` are the rules for which its numbers were tuned.
    fn add_file(&mut self, file: Strategy<G>, tuned_under: Vec<Value>) {
        let Strategy { name, about, spec, origin, digest: sha256, text, .. } = file;
        let input = Input { name, about, from: Some(origin), sha256, text, tuned_under };
        self.add(json!(spec), input, BotFactory::from_spec(spec));
    }
}

impl<G: Strategic> Plan<G> {
    /// Resolves an experiment file of the game `G` with the caller's bots, as
    /// [`resolve_with`](Plan::resolve_with) does.
    ///
    /// # Errors
    /// Bad input, with its place in the file if it has one.
    pub fn from_file<'a>(
        found: &SourceFile,
        overrides: Overrides,
        custom_bots: impl IntoIterator<Item = (&'a str, BotFactory<G>)>,
    ) -> Result<Plan<G>> {
        let place = found.place();
        let mut experiment: Experiment<VariantSpec> = parse_json(&place, &found.text)?;
        overrides.apply(&mut experiment);
        let custom_bots = custom_bots.into_iter().collect();
        let plan = Plan::resolve_from(&found.name, &experiment, Some(found), custom_bots);
        plan.map_err(|error| error.in_file(&place))
    }

    /// Resolves an experiment.
    ///
    /// # Errors
    /// Bad input: unknown names, nothing to play, more deals than can be counted.
    pub fn resolve(name: &str, experiment: &Experiment<VariantSpec>) -> Result<Plan<G>> {
        Plan::resolve_from(name, experiment, None, BTreeMap::new())
    }

    /// Resolves an experiment in which some strategies are the caller's bots, by their names in the
    /// experiment.
    ///
    /// ```
    /// use parlour_arena::{BotFactory, Experiment, Plan};
    /// use parlour_game::{PolicyBot, Uniform};
    /// use parlour_leopard::Leopard;
    ///
    /// let experiment = Experiment::of_match("leopard", "revised", &["mine".into(), "greedy".into()]);
    /// let mine = BotFactory::custom(|_: &Leopard| Box::new(PolicyBot(Uniform)));
    /// let plan = Plan::resolve_with("mine", &experiment, [("mine", mine)])?;
    /// assert_eq!(plan.name_of(0), "greedy");
    /// # Ok::<(), parlour_base::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`resolve`](Plan::resolve).
    pub fn resolve_with<'a>(
        name: &str,
        experiment: &Experiment<VariantSpec>,
        custom_bots: impl IntoIterator<Item = (&'a str, BotFactory<G>)>,
    ) -> Result<Plan<G>> {
        Plan::resolve_from(name, experiment, None, custom_bots.into_iter().collect())
    }

    fn resolve_from(
        name: &str,
        experiment: &Experiment<VariantSpec>,
        source: Option<&SourceFile>,
        mut custom_bots: BTreeMap<&str, BotFactory<G>>,
    ) -> Result<Plan<G>> {
        if experiment.game != G::NAME {
            let (named, game) = (&experiment.game, G::NAME);
            return Err(Error::input(format!("the experiment is of `{named}`, not of `{game}`")));
        }
        experiment.check_size()?;
        let swept = sweep::swept_names(experiment);
        let custom = experiment.strategies.iter().map(|spec| match spec {
            StrategySpec::Named(name) => custom_bots.remove_entry(name.as_str()),
            StrategySpec::Inline { .. } => None,
        });
        let custom: Vec<Option<(&str, BotFactory<G>)>> = custom.collect();
        let specs = experiment.strategies.iter().zip(&custom);
        let specs = specs.filter(|(_, custom)| custom.is_none()).map(|(spec, _)| spec.clone());
        let files = Strategy::<G>::resolve(&specs.collect::<Vec<_>>(), source);
        let (variants, files) = both(sweep::variants::<G>(experiment, source), files)?;
        let (mut files, mut roster) = (files.into_iter(), Roster::new());
        for custom in custom {
            if let Some((name, bots)) = custom {
                roster.add_custom(name, bots);
                continue;
            }
            let files = files.next().unwrap_or_default();
            let is_sweep = files.len() > 1;
            for mut file in files {
                let tuned = file.tuned.take().filter(|_| !swept.rules.is_empty());
                let tuned_under = tuned.map_or(Ok(Vec::new()), |tuned| tuned.rules::<G>())?;
                // A sweep may produce a strategy that is also listed.
                let is_same =
                    |it: &ResolvedStrategy| it.name == file.name && it.strategy == json!(file.spec);
                if !(is_sweep && roster.resolved.iter().any(is_same)) {
                    roster.add_file(file, tuned_under);
                }
            }
        }
        let Roster { resolved: strategies, inputs, bots } = roster;
        let has_clock = |bots: &BotFactory<G>| {
            bots.spec().and_then(G::search_config).is_some_and(|search| search.uses_clock())
        };
        if !experiment.allow_clock
            && let Some(at) = bots.iter().position(has_clock)
        {
            return Err(Error::input(format!(
                "`strategies`: `{}` has a time limit, so its runs cannot be reproduced; allow it \
                 with `\"allow_clock\": true`",
                strategies[at].name
            )));
        }
        unique("variants", variants.iter().map(|v| v.name.as_str()))?;
        unique("strategies", strategies.iter().map(|s| s.name.as_str()))?;
        let rules = variants.iter().map(|variant| ResolvedVariant {
            name: variant.name.clone(),
            rules: json!(variant.game.rules()),
        });
        let has_search =
            bots.iter().filter_map(BotFactory::spec).any(|spec| G::search_config(spec).is_some());
        let luck = LuckAdjuster::load(experiment.luck_adjusted.as_ref(), has_search, &variants)?;
        let infos: Vec<VariantInfo> = variants.iter().map(VariantInfo::of).collect();
        let experiment = experiment.clone().with(Some(rules.collect()), strategies);
        let tables = table::tables(&experiment, &infos)?;
        experiment.check_size()?;
        let judge = luck.as_ref().map(|luck| luck.digest.clone());
        let resolved = Resolved { name: name.to_owned(), experiment, tables, judge, swept };
        let input = |found: &SourceFile| Input {
            name: found.name.clone(),
            from: Some(found.origin.clone()),
            sha256: found.digest.clone(),
            ..Input::default()
        };
        let inputs = Inputs { experiment: source.map(input), strategies: inputs };
        Plan::derive(resolved, inputs, bots.into(), luck)
    }

    /// Restores the plan of a manifest, which is complete: no other file is read. The caller has to
    /// supply its bots again.
    ///
    /// # Errors
    /// Bad input if a strategy differs in this program, or a bot is missing.
    pub fn from_manifest<'a>(
        mut resolved: Resolved,
        source: &SourceFile,
        overrides: Overrides,
        custom_bots: impl IntoIterator<Item = (&'a str, BotFactory<G>)>,
    ) -> Result<Plan<G>> {
        let mut custom_bots: BTreeMap<&str, BotFactory<G>> = custom_bots.into_iter().collect();
        overrides.apply(&mut resolved.experiment);
        let mut roster = Roster::new();
        for strategy in &resolved.experiment.strategies {
            let name = &strategy.name;
            let custom = custom_bots.remove(name.as_str()).filter(|_| strategy.strategy.is_null());
            if let Some(bots) = custom {
                roster.add_custom(name, bots);
                continue;
            }
            let mut file = strategy.strategy.clone();
            let fields = file.as_object_mut().ok_or_else(|| {
                Error::input(format!(
                    "the bot `{name}` belongs to the program that ran it, which must supply it \
                     again: in Python with `bots={{\"{name}\": …}}`"
                ))
            })?;
            // The strategies that it names are read by name and then compared.
            fields.remove("named");
            fields.insert("base".to_owned(), Value::Null);
            let found = SourceFile::new(name, source.origin.clone(), file.to_string());
            roster.add_file(reread(strategy, &found)?, Vec::new());
        }
        roster.inputs.iter_mut().for_each(|input| input.about.clear());
        let experiment = Input {
            name: resolved.name.clone(),
            from: Some(source.origin.clone()),
            sha256: source.digest.clone(),
            ..Input::default()
        };
        let inputs = Inputs { experiment: Some(experiment), strategies: roster.inputs };
        let variants = resolved_variants(&resolved)?;
        let luck = LuckAdjuster::reload(
            resolved.experiment.luck_adjusted.as_ref(),
            resolved.judge.as_deref(),
            &variants,
        )?;
        Plan::derive(resolved, inputs, roster.bots.into(), luck)
    }

    /// Restores the plan of a saved run, to report on it. The plan has no players.
    ///
    /// # Errors
    /// Bad input if it does not fit this program.
    pub fn to_report(header: &ProgressHeader) -> Result<Plan<G>> {
        let (resolved, inputs) = (header.resolved.clone(), header.inputs.clone());
        let mut plan = Plan::derive(resolved, inputs, [].into(), None)?;
        plan.info.digest.clone_from(&header.digest);
        Ok(plan)
    }

    /// Returns this plan with players, made from the saved texts of its strategies.
    ///
    /// # Errors
    /// Bad input if a strategy cannot be read any more or differs in this program.
    pub(super) fn with_bots(&self) -> Result<Plan<G>> {
        let strategies = self.experiment().strategies.iter().zip(&self.inputs.strategies);
        let bots = strategies.map(|(strategy, input)| {
            let name = &strategy.name;
            let origin = input.from.clone().ok_or_else(|| {
                Error::input(format!("the bot `{name}` belongs to the program that ran it"))
            })?;
            let found = SourceFile::new(name, origin, input.text.clone());
            let file = reread::<G>(strategy, &found)?;
            Ok(BotFactory::from_spec(file.spec))
        });
        let bots: Arc<[BotFactory<G>]> = bots.collect::<Result<_>>()?;
        let luck = LuckAdjuster::reload(
            self.experiment().luck_adjusted.as_ref(),
            self.resolved.judge.as_deref(),
            &self.variants,
        )?;
        Plan::derive(self.resolved.clone(), self.inputs.clone(), bots, luck)
    }

    /// Returns this plan with a change of its resolved experiment.
    ///
    /// # Errors
    /// Bad input if it cannot be played then.
    pub(super) fn with(&self, change: &mut dyn FnMut(&mut Resolved)) -> Result<Plan<G>> {
        let mut resolved = self.resolved.clone();
        change(&mut resolved);
        Plan::derive(resolved, self.inputs.clone(), self.bots.clone(), self.luck_adjuster.clone())
    }

    /// Derives everything that follows from a resolved experiment.
    fn derive(
        resolved: Resolved,
        inputs: Inputs,
        bots: Arc<[BotFactory<G>]>,
        luck_adjuster: Option<LuckAdjuster<G>>,
    ) -> Result<Plan<G>> {
        let variants = resolved_variants(&resolved)?;
        let experiment = &resolved.experiment;
        let names: Vec<&str> = experiment.strategies.iter().map(|s| s.name.as_str()).collect();
        let infos: Vec<VariantInfo> = variants.iter().map(VariantInfo::of).collect();
        let table = |spec| PlannedTable::resolve(spec, &infos, &names, experiment.seed);
        let tables = resolved.tables.iter().map(table).collect::<Result<Vec<_>>>()?;
        let empty = Tally::empty(&variants, &tables, experiment, resolved.judge.is_some());
        let figures = G::FIGURES.iter().map(Figure::plain).collect();
        let digest = resolved.digest();
        let info = PlanInfo { resolved, inputs, variants: infos, tables, empty, figures, digest };
        info.check_size()?;
        info.experiment().until.map_or(Ok(()), |until| until.check(&info.tables))?;
        let every = info.experiment().sample_decisions_every;
        let decision_sampler = every.map(DecisionSampler::new).transpose()?;
        Ok(Plan { info, variants, bots, luck_adjuster, decision_sampler })
    }
}

/// Reads a resolved strategy again.
///
/// # Errors
/// Bad input if it differs in this program.
fn reread<G: Strategic>(strategy: &ResolvedStrategy, found: &SourceFile) -> Result<Strategy<G>> {
    let file = Strategy::<G>::read(found)?;
    ensure(json!(file.spec) == strategy.strategy, || {
        Error::input(format!(
            "the strategy `{}` is not the same in this program as in the one of the run",
            strategy.name
        ))
    })?;
    Ok(file)
}

fn resolved_variants<G: Strategic>(resolved: &Resolved) -> Result<Vec<Variant<G>>> {
    let variants = resolved.experiment.variants.iter().flatten();
    variants.map(|v| Variant::spelled(&v.name, &v.rules)).collect()
}

/// Returns both values or the faults of both.
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
        ensure(seen.insert(name), || Error::input(format!("`{field}` lists `{name}` twice")))?;
    }
    Ok(())
}
