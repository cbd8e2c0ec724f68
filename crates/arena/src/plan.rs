//! Plans: resolved experiments of a game, ready to be played; and the same without the game's types, for
//! everything that reports on a run.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

use itertools::Itertools;
use serde_json::{Value, json};

use super::judge::Judge;
use super::parquet_file::inlined_schema;
use super::{
    Anchor, BotFactory, Experiment, Input, Inputs, LuckAdjusted, PlannedTable, Resolved,
    ResolvedStrategy, ResolvedVariant, Shard, Tally, UNIT, Variant, VariantInfo, VariantSpec,
    sweep, table,
};
use parlour_base::chance::Seed;
use parlour_base::error::{Error, Result, collect_results, ensure};
use parlour_base::files::{Origin, SourceFile, digest, unknown};
use parlour_base::names::misreading;
use parlour_game::network::network_copy;
use parlour_game::strategy::{Strategic, Strategy, StrategySpec};
use parlour_game::{Figure, FigureSpec, LUCK_UNIT};
use parlour_stats::Moments;

/// A resolved experiment and what is derived from it, down to the seed of every hand.
#[derive(Clone, Debug)]
pub struct PlanInfo {
    /// Everything that determines a result.
    pub resolved: Resolved,
    /// The sources of its parts.
    pub inputs: Inputs,
    /// The variants.
    pub variants: Vec<VariantInfo>,
    /// The tables, variant by variant.
    pub tables: Vec<PlannedTable>,
    /// A tally of no deals, which has the shape of all tallies of the plan.
    pub empty: Tally,
    /// The game's figures.
    pub figures: Vec<FigureSpec>,
    /// Returns the JSON Schema of a record.
    pub record_schema: fn() -> Value,
    /// The digest of everything that determines a result, as computed when the run was started.
    pub digest: String,
}

impl PlanInfo {
    /// Rejects 0 deals and numbers of deals whose sums could overflow.
    fn check_size(&self) -> Result<()> {
        let experiment = self.experiment();
        let deals = experiment.deals;
        ensure(deals > 0, || Error::input("`deals` is 0; it must be at least 1"))?;
        // No hand has more luck than two wins.
        let luck = if self.resolved.judge.is_some() { 2 * LUCK_UNIT as u128 } else { 0 };
        // The largest sum that a deal can add is the square of all points or of all units.
        let largest = |table: usize| {
            let seats = self.tables[table].line_up.len() as u128;
            let (low, high) = self.variants[self.tables[table].variant].scores;
            let points = seats * u128::from(high.abs_diff(low)).max(luck);
            u128::from(self.hands_of(table)) * points.max(UNIT as u128)
        };
        let all: u128 = (0..self.tables.len()).map(largest).sum();
        let max = (i64::MAX as u128 / (all * all).max(1)).min(1 << 48);
        ensure(u128::from(deals) <= max, || {
            Error::input(format!("`deals` is {deals}; this experiment can count at most {max}"))
        })
    }

    /// Rejects an exchange of cards where no seats can exchange them.
    fn check_exchange<G: Strategic>(&self) -> Result<()> {
        let is_mirror = |table: &PlannedTable| table.is_mirror() && table.line_up.len() == 2;
        let needs = match G::EXCHANGES_CARDS {
            _ if !self.experiment().exchange_cards => return Ok(()),
            true if self.tables.iter().any(is_mirror) => return Ok(()),
            true => "no strategy plays itself; set `mirror` to true, or remove the field",
            false => "seats of this game have no cards to exchange; remove the field",
        };
        Err(Error::input(needs).in_field("exchange_cards"))
    }

    /// Rejects an anchor that does not play against others under every variant.
    fn check_anchor(&self) -> Result<()> {
        let Some(Anchor { strategy, .. }) = &self.experiment().anchor else { return Ok(()) };
        let index = self.names().position(|name| name == strategy);
        let index = index.ok_or_else(|| Error::input(unknown("player", strategy, self.names())))?;
        let meets = |table: &PlannedTable| !table.is_mirror() && table.line_up.contains(&index);
        let mut variants = self.variants.iter().enumerate();
        let absent =
            variants.find(|(v, _)| !self.tables.iter().any(|t| t.variant == *v && meets(t)));
        absent.map_or(Ok(()), |(_, VariantInfo { name, .. })| {
            Err(Error::input(format!("`{strategy}` meets no other player under `{name}`")))
        })
    }

    /// Returns the experiment with complete rules and strategies.
    pub fn experiment(&self) -> &Experiment<ResolvedVariant, ResolvedStrategy> {
        &self.resolved.experiment
    }

    /// Returns the name of a strategy.
    pub fn name_of(&self, strategy: usize) -> &str {
        &self.experiment().strategies[strategy].name
    }

    /// Returns the names of all strategies.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.experiment().strategies.iter().map(|s| s.name.as_str())
    }

    /// Returns the number of hands per deal at a table.
    pub fn hands_of(&self, table: usize) -> u64 {
        let table = &self.tables[table];
        table.line_up.len() as u64 * u64::from(self.variants[table.variant].hands)
    }

    /// Returns the number of point values of a deal: one per place, rotation and table.
    pub(super) fn points_per_deal(&self) -> usize {
        self.tables.iter().map(|table| table.line_up.len().pow(2)).sum()
    }

    /// Returns the number of hands per deal at all tables of a variant.
    pub fn hands_of_variant(&self, variant: usize) -> u64 {
        let tables = 0..self.tables.len();
        tables.filter(|&t| self.tables[t].variant == variant).map(|t| self.hands_of(t)).sum()
    }

    /// Returns the number of hands per deal at all tables.
    pub fn hands_per_deal(&self) -> u64 {
        (0..self.tables.len()).map(|table| self.hands_of(table)).sum()
    }

    /// Returns the number of hands of the whole run or of a shard.
    pub fn hands(&self, shard: Option<Shard>) -> u64 {
        let deals = (0..self.resolved.chunks()).map(|chunk| self.resolved.deals_in(chunk, shard));
        let deals: u64 = deals.map(|deals| deals.end - deals.start).sum();
        deals * self.hands_per_deal()
    }

    /// Returns the experiment with more strategies, which meet others by the same schedule.
    ///
    /// # Errors
    /// Bad input if a name is taken.
    pub fn with_strategies(&self, more: &[ResolvedStrategy]) -> Result<Resolved> {
        let mut resolved = self.resolved.clone();
        let experiment = &mut resolved.experiment;
        experiment.strategies.extend_from_slice(more);
        check_names("strategies", experiment.strategies.iter().map(|s| s.name.as_str()))?;
        resolved.tables = table::tables(experiment, &self.variants)?;
        Ok(resolved)
    }

    /// Joins the tallies of two parts of the tables on the same deals. The strategies of each part are the
    /// first of this plan, and both parts have the results of every deal.
    pub fn join_tables(&self, parts: [(&PlanInfo, &Tally); 2]) -> Tally {
        let mut joined = Tally { tables: Vec::new(), ..self.empty.clone() };
        for (_, part) in parts {
            let mut part = Tally { tables: Vec::new(), ..part.clone() };
            let standings = part.variants.iter_mut().map(|variant| &mut variant.standings);
            standings.for_each(|sums| sums.resize(self.names().len(), Moments::default()));
            joined.merge(&part);
        }
        joined.deals = parts[0].1.deals;
        let table = |spec| {
            parts.iter().find_map(|(part, tally)| {
                let mut tables = part.resolved.tables.iter().zip(&tally.tables);
                tables.find(|(own, _)| *own == spec).map(|(_, counted)| counted.clone())
            })
        };
        joined.tables = self.resolved.tables.iter().filter_map(table).collect();
        // Squares of a deal's sums do not add up.
        let count = joined.variants.len();
        for (number, variant) in joined.variants.iter_mut().enumerate() {
            variant.first_seat = Moments::default();
            variant.standings.fill(Moments::default());
            for row in joined.results.iter().flat_map(BTreeMap::values) {
                let mut units = row.iter().skip(number).step_by(count);
                units.next().into_iter().for_each(|units| variant.first_seat.add(*units));
                variant.standings.iter_mut().zip(units).for_each(|(sum, units)| sum.add(*units));
            }
        }
        joined
    }

    /// Returns the seed of a hand's cards. It depends on neither variant nor pairing, so that all of
    /// them get the same cards.
    pub fn deal_seed(&self, deal: u64, hand: u32) -> Seed {
        Seed::new(self.experiment().seed).named("deal").child(deal).child(hand.into())
    }
}

/// Command-line values that replace those of the file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides {
    /// The number of deals.
    pub deals: Option<u64>,
    /// The random seed.
    pub seed: Option<u64>,
}

impl Overrides {
    pub(super) fn apply<V, S>(self, experiment: &mut Experiment<V, S>) {
        experiment.deals = self.deals.unwrap_or(experiment.deals);
        experiment.seed = self.seed.unwrap_or(experiment.seed);
    }
}

/// A resolved experiment of a game: a [`PlanInfo`] with rules and players.
pub struct Plan<G: Strategic> {
    pub(super) info: PlanInfo,
    /// The variants with their rules.
    pub variants: Vec<Variant<G>>,
    /// The players of each strategy; empty in a plan that only reports on a run.
    pub bots: Arc<[BotFactory<G>]>,
    /// The judge of luck, if results are adjusted for luck.
    pub(super) luck_judge: Option<Arc<Judge<G>>>,
    /// The judge of decisions, if they are analyzed and the game has one.
    pub(super) decision_judge: Option<Arc<Judge<G>>>,
}

impl<G: Strategic> Deref for Plan<G> {
    type Target = PlanInfo;

    fn deref(&self) -> &PlanInfo {
        &self.info
    }
}

/// A strategy of a plan: its options, its source and its bots.
type Player<G> = (ResolvedStrategy, Input, BotFactory<G>);

/// Returns a caller's bot, of which only the name is known.
fn custom_player<G: Strategic>(name: &str, bots: BotFactory<G>) -> Player<G> {
    let input = Input { name: name.to_owned(), sha256: digest(name), ..Input::default() };
    (ResolvedStrategy { name: name.to_owned(), strategy: Value::Null }, input, bots)
}

/// Returns a strategy of a file.
fn file_player<G: Strategic>(file: Strategy<G>) -> Player<G> {
    let Strategy { name, about, spec, origin, digest: sha256, text, tuned_under, .. } = file;
    let strategy = ResolvedStrategy { name: name.clone(), strategy: json!(spec) };
    let bots = BotFactory::from_spec(spec);
    let (files, version) = (bots.files(), None);
    let from = Some(origin);
    let input = Input { name, about, from, sha256, files, version, text, tuned_under };
    (strategy, input, bots)
}

/// Replaces the path of a network by that of its copy, if the manifest is in a bundle with this copy.
fn find_copy(file: &mut String, sha256: &str, manifest: &SourceFile) {
    if let Origin::File(path) = &manifest.origin {
        let copy = path.with_file_name(network_copy(file, sha256));
        if copy.is_file() {
            *file = copy.to_string_lossy().into_owned();
        }
    }
}

/// Replaces the networks of a strategy, and of those that it names, by their copies in a bundle.
fn find_copies(strategy: &mut Value, manifest: &SourceFile) {
    let sha256 = strategy["sha256"].as_str().map(str::to_owned);
    if let (Some(Value::String(file)), Some(sha256)) = (strategy.get_mut("file"), sha256) {
        find_copy(file, &sha256, manifest);
    }
    let named = strategy.get_mut("named").and_then(Value::as_object_mut);
    let named = named.into_iter().flat_map(|named| named.values_mut());
    named.for_each(|strategy| find_copies(strategy, manifest));
}

impl<G: Strategic> Plan<G> {
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
    /// let experiment = Experiment::of_match("leopard", "revised", ["mine", "greedy"]);
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

    pub(super) fn resolve_from(
        name: &str,
        experiment: &Experiment<VariantSpec>,
        source: Option<&SourceFile>,
        mut custom_bots: BTreeMap<&str, BotFactory<G>>,
    ) -> Result<Plan<G>> {
        ensure(experiment.game == G::NAME, || {
            let (named, game) = (&experiment.game, G::NAME);
            Error::input(format!("the experiment is of `{named}`, not of `{game}`"))
        })?;
        sweep::check_size::<G>(experiment)?;
        let swept = sweep::swept_names::<G>(experiment);
        let custom = experiment.strategies.iter().map(|spec| match spec {
            StrategySpec::Named(name) => custom_bots.remove_entry(name.as_str()),
            StrategySpec::Inline { .. } => None,
        });
        let custom: Vec<Option<(&str, BotFactory<G>)>> = custom.collect();
        let specs = experiment.strategies.iter().zip(&custom);
        let specs: Vec<StrategySpec> =
            specs.filter(|(_, custom)| custom.is_none()).map(|(spec, _)| spec.clone()).collect();
        let (mut variants, mut files) = (Vec::new(), Vec::new());
        collect_results([
            sweep::variants::<G>(experiment, source).map(|found| variants = found),
            Strategy::<G>::resolve(&specs, source).map(|found| files = found),
        ])?;
        let (mut files, mut players) = (files.into_iter(), Vec::<Player<G>>::new());
        for custom in custom {
            if let Some((name, bots)) = custom {
                players.push(custom_player(name, bots));
                continue;
            }
            let files = files.next().unwrap_or_default();
            let is_sweep = files.len() > 1;
            for player in files.into_iter().map(file_player) {
                // A sweep may produce a strategy that is also listed.
                if !(is_sweep && players.iter().any(|(listed, ..)| *listed == player.0)) {
                    players.push(player);
                }
            }
        }
        let specs = || players.iter().filter_map(|(.., bots)| bots.spec());
        let has_search = specs().any(|spec| G::search_config(spec).is_some());
        let has_clock = |(.., bots): &&Player<G>| {
            bots.spec().and_then(G::search_config).is_some_and(|search| search.uses_clock())
        };
        if !experiment.allow_clock
            && let Some((strategy, ..)) = players.iter().find(has_clock)
        {
            return Err(Error::input(format!(
                "`strategies`: `{}` has a time limit, so its runs cannot be reproduced; allow it \
                 with `\"allow_clock\": true`",
                strategy.name
            )));
        }
        check_names("variants", variants.iter().map(|v| v.name.as_str()))?;
        check_names("strategies", players.iter().map(|(strategy, ..)| strategy.name.as_str()))?;
        let rules = variants.iter().map(|Variant { name, game }| ResolvedVariant {
            name: name.clone(),
            rules: json!(game.rules()),
        });
        let luck = Judge::of_luck(experiment.luck_adjusted.as_ref(), has_search, &variants)?;
        let infos: Vec<VariantInfo> = variants.iter().map(VariantInfo::of).collect();
        let variants = Some(rules.collect());
        let (strategies, inputs, bots): (_, _, Vec<_>) = players.into_iter().multiunzip();
        let (research, sweep) = (false, None);
        let experiment =
            Experiment { variants, strategies, research, sweep, ..experiment.retyped() };
        let tables = table::tables(&experiment, &infos)?;
        let judge = luck.as_ref().map(|judge| judge.digest.clone());
        let resolved = Resolved { name: name.to_owned(), experiment, tables, judge, swept };
        let experiment = source.map(|found| Input::of(&found.name, found));
        Plan::derive(resolved, Inputs { experiment, strategies: inputs }, bots, luck)
    }

    /// Restores the plan of a manifest, which is complete but for networks.
    pub(super) fn from_manifest(
        resolved: Resolved,
        source: &SourceFile,
        mut custom_bots: BTreeMap<&str, BotFactory<G>>,
    ) -> Result<Plan<G>> {
        let player = |strategy: &ResolvedStrategy| -> Result<Player<G>> {
            let name = strategy.name.as_str();
            if strategy.strategy.is_null() {
                let bots = custom_bots.remove(name).ok_or_else(|| {
                    Error::input(format!(
                        "the bot `{name}` belongs to the program that ran it, which must supply it \
                         again: in Python with `bots={{\"{name}\": …}}`"
                    ))
                });
                return bots.map(|bots| custom_player(name, bots));
            }
            let mut strategy = strategy.clone();
            find_copies(&mut strategy.strategy, source);
            let text = strategy.strategy.to_string();
            let found = SourceFile::new(name, source.origin.clone(), text);
            let file = Strategy { about: String::new(), ..Strategy::<G>::restore(&found)? };
            let player = file_player(file);
            ensure(player.0 == strategy, || {
                Error::input(format!(
                    "the strategy `{name}` is not the same in this program as in the one of the run"
                ))
            })?;
            Ok(player)
        };
        let players = resolved.experiment.strategies.iter().map(player);
        let players: Vec<Player<G>> = players.collect::<Result<_>>()?;
        let (strategies, bots): (_, Vec<_>) =
            players.into_iter().map(|(_, input, bots)| (input, bots)).unzip();
        let inputs = Inputs { experiment: Some(Input::of(&resolved.name, source)), strategies };
        let mut setting = resolved.experiment.luck_adjusted.clone();
        if let (Some(LuckAdjusted::Judge(file)), Some(sha256)) = (&mut setting, &resolved.judge) {
            find_copy(file, sha256, source);
        }
        let variants = resolved_variants(&resolved)?;
        let luck = Judge::of_luck(setting.as_ref(), resolved.judge.is_some(), &variants)?;
        let [before, now] = [resolved.judge.as_ref(), luck.as_ref().map(|judge| &judge.digest)];
        ensure(before == now, || {
            let [before, now] = [before, now].map(|digest| digest.map_or("none", String::as_str));
            Error::input(format!(
                "the judge of luck has changed: its digest was {before}, it is {now} now; use the \
                 original program or file"
            ))
        })?;
        Plan::derive(resolved, inputs, bots, luck)
    }

    /// Derives everything that follows from a resolved experiment.
    pub(super) fn derive(
        resolved: Resolved,
        inputs: Inputs,
        bots: impl Into<Arc<[BotFactory<G>]>>,
        luck_judge: Option<Arc<Judge<G>>>,
    ) -> Result<Plan<G>> {
        let variants = resolved_variants::<G>(&resolved)?;
        let bots = bots.into();
        let experiment = &resolved.experiment;
        let names: Vec<&str> = experiment.strategies.iter().map(|s| s.name.as_str()).collect();
        let mut infos: Vec<VariantInfo> = variants.iter().map(VariantInfo::of).collect();
        infos.iter_mut().zip(sweep::labels(&resolved)).for_each(|(info, label)| info.label = label);
        let table = |spec| PlannedTable::resolve(spec, &infos, &names, experiment.seed);
        let tables = resolved.tables.iter().map(table).collect::<Result<Vec<_>>>()?;
        let empty = Tally::empty(&variants, &tables, experiment, resolved.judge.is_some());
        for (bots, Variant { name, game }) in bots.iter().cartesian_product(&variants) {
            let fits = bots.spec().map_or(Ok(()), |spec| game.check(spec));
            fits.map_err(|error| error.in_part(format!("variant `{name}`")))?;
        }
        let decision_judge = match experiment.sample_decisions_every {
            Some(_) => Judge::built_in(&variants)?,
            None => None,
        };
        let figures = G::FIGURES.iter().map(Figure::plain).collect();
        let digest = resolved.digest();
        let info = PlanInfo {
            resolved,
            inputs,
            variants: infos,
            tables,
            empty,
            figures,
            record_schema: inlined_schema::<G::Record>,
            digest,
        };
        info.check_size()?;
        info.check_exchange::<G>()?;
        info.check_anchor().map_err(|error| error.in_field("anchor"))?;
        info.experiment().until.map_or(Ok(()), |until| until.check(&info.tables))?;
        Ok(Plan { info, variants, bots, luck_judge, decision_judge })
    }
}

fn resolved_variants<G: Strategic>(resolved: &Resolved) -> Result<Vec<Variant<G>>> {
    let variants = resolved.experiment.variants.iter().flatten();
    variants.map(|v| Variant::spelled(&v.name, &v.rules)).collect()
}

/// Checks that names are different, and that readers of tables keep them.
fn check_names<'a>(field: &str, names: impl Iterator<Item = &'a str> + Clone) -> Result<()> {
    let misread = names.clone().find_map(|name| Some((name, misreading(name)?)));
    let problem = match (misread, names.duplicates().next()) {
        (Some((name, problem)), _) => format!("`{field}` lists `{name}`: {problem}"),
        (None, Some(name)) => format!("`{field}` lists `{name}` twice; rename one, or its file"),
        (None, None) => return Ok(()),
    };
    Err(Error::input(problem))
}
