//! A resolved experiment and what is derived from it: what will be played, to the last seed.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use serde_json::{Value, json};

use super::tables::seatings;
use super::{
    Bots, Experiment, Input, Inputs, ProgressHeader, Resolved, Seating, Shard, SpelledStrategy,
    SpelledVariant, Table, Tally, Variant, VariantSpec,
};
use crate::chance::Seed;
use crate::error::{Error, Result};
use crate::files::{Found, digest, parse_json};
use crate::strategy::{Strategic, Strategy, StrategySpec};

/// What the command line sets over the file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides {
    /// Another number of deals.
    pub deals: Option<u64>,
    /// Another seed.
    pub seed: Option<u64>,
}

/// A resolved experiment with what is derived from it.
#[derive(Clone)]
pub struct Plan<G: Strategic> {
    /// What decides every result.
    pub resolved: Resolved,
    /// Where its parts came from.
    pub inputs: Inputs,
    /// The variants under their rules.
    pub variants: Vec<Variant<G>>,
    /// Who plays for each strategy; empty in a plan that was read to report on a run.
    pub bots: Arc<[Bots<G>]>,
    /// The tables, variant by variant.
    pub tables: Vec<Table>,
    /// A tally of no deals: the shape of what is counted.
    pub empty: Tally,
    /// The digest of what decides every result, as the program that began the run made it.
    pub digest: String,
}

impl<G: Strategic> Plan<G> {
    /// Resolves an experiment file whose game is `G`.
    ///
    /// # Errors
    /// Bad input, with its place in the file where it has one.
    pub fn from_file(found: &Found, overrides: Overrides) -> Result<Plan<G>> {
        let place = found.place();
        let mut experiment: Experiment<VariantSpec<G::Patch>> = parse_json(&place, &found.text)?;
        experiment.deals = overrides.deals.unwrap_or(experiment.deals);
        experiment.seed = overrides.seed.unwrap_or(experiment.seed);
        let plan = Plan::of(&found.name, &experiment, Some(found), BTreeMap::new());
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
    /// use parlour::arena::{Bots, Experiment, Plan};
    /// use parlour::game::{PolicyBot, Uniform};
    /// use parlour::games::leopard::Leopard;
    ///
    /// let experiment = Experiment::of_match("leopard", "revised", &["mine".into(), "greedy".into()]);
    /// let mine = Bots::own(|_: &Leopard| Box::new(PolicyBot(Uniform)));
    /// let plan = Plan::resolve_with("mine", &experiment, [("mine", mine)])?;
    /// assert_eq!(plan.name_of(0), "greedy");
    /// # Ok::<(), parlour::error::Error>(())
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
        source: Option<&Found>,
        mut own: BTreeMap<&str, Bots<G>>,
    ) -> Result<Plan<G>> {
        if experiment.game != G::NAME {
            let (said, game) = (&experiment.game, G::NAME);
            return Err(Error::input(format!("the experiment is of `{said}`, not of `{game}`")));
        }
        experiment.check_counts()?;
        let variants = match &experiment.variants {
            Some(specs) => specs.iter().map(Variant::resolve).collect::<Result<Vec<_>>>()?,
            None => Variant::all()?,
        };
        let specs = experiment.strategies.iter();
        let brought = specs.clone().map(|spec| match spec {
            StrategySpec::Named(name) => own.remove_entry(name.as_str()),
            StrategySpec::Inline { .. } => None,
        });
        let brought: Vec<Option<(&str, Bots<G>)>> = brought.collect();
        let files = specs.zip(&brought).filter(|(_, brought)| brought.is_none());
        let files: Vec<StrategySpec> = files.map(|(spec, _)| spec.clone()).collect();
        let mut files = Strategy::<G>::resolve(&files, source)?.into_iter();
        let (mut inputs, mut bots, mut spelled) = (Inputs::default(), Vec::new(), Vec::new());
        inputs.experiment = source.map(|found| Input {
            name: found.name.clone(),
            from: Some(found.origin.clone()),
            sha256: found.digest.clone(),
            ..Input::default()
        });
        for brought in brought {
            let (input, strategy, who) = match brought {
                // Nothing but the name is known of what the calling program brings along.
                Some((name, who)) => {
                    let (name, sha256) = (name.to_owned(), digest(name));
                    (Input { name, sha256, ..Input::default() }, Value::Null, who)
                }
                None => {
                    let Some(file) = files.next() else { break };
                    let Strategy { name, about, spec, origin, digest: sha256, text } = file;
                    let from = Some(origin);
                    (Input { name, about, from, sha256, text }, json!(spec), Bots::Read(spec))
                }
            };
            spelled.push(SpelledStrategy { name: input.name.clone(), strategy });
            inputs.strategies.push(input);
            bots.push(who);
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
        let names: Vec<&str> = spelled.iter().map(|s| s.name.as_str()).collect();
        let tables = seatings(experiment, &variants, &names)?;
        let rules =
            |v: &Variant<G>| SpelledVariant { name: v.name.clone(), rules: json!(v.game.rules()) };
        let rules: Vec<SpelledVariant> = variants.iter().map(rules).collect();
        let experiment = experiment.spelled(&rules, &spelled);
        let resolved = Resolved { name: name.to_owned(), experiment, tables };
        Plan::derive(resolved, inputs, bots.into())
    }

    /// The plan of a run whose header is read again, to report on it: nobody can play it.
    ///
    /// # Errors
    /// Bad input when it does not fit this program.
    pub fn to_report(header: &ProgressHeader) -> Result<Plan<G>> {
        let plan = Plan::derive(header.experiment.clone(), header.inputs.clone(), [].into())?;
        Ok(Plan { digest: header.digest.clone(), ..plan })
    }

    /// The same plan with bots, made from the texts of its strategies.
    ///
    /// # Errors
    /// Bad input when a strategy cannot be read any more, or means something else to this program.
    pub fn with_bots(self) -> Result<Plan<G>> {
        let spelled = self.resolved.experiment.strategies.iter();
        let bots = spelled.zip(&self.inputs.strategies).map(|(spelled, input)| {
            let name = &spelled.name;
            let origin = input.from.clone().ok_or_else(|| {
                Error::input(format!("the bot `{name}` belongs to the program that ran it"))
            })?;
            let read = Strategy::<G>::read(&Found::new(name, origin, input.text.clone()))?;
            if json!(read.spec) != spelled.strategy {
                let message = "means something else to this program than to the one that ran it";
                return Err(Error::input(format!("the strategy `{name}` {message}")));
            }
            Ok(Bots::Read(read.spec))
        });
        Ok(Plan { bots: bots.collect::<Result<_>>()?, ..self })
    }

    /// The same plan with a change of what it resolves.
    ///
    /// # Errors
    /// Bad input when it then cannot be played.
    pub fn with(&self, change: impl FnOnce(&mut Resolved)) -> Result<Plan<G>> {
        let mut resolved = self.resolved.clone();
        change(&mut resolved);
        Plan::derive(resolved, self.inputs.clone(), self.bots.clone())
    }

    /// What follows from a resolved experiment.
    fn derive(resolved: Resolved, inputs: Inputs, bots: Arc<[Bots<G>]>) -> Result<Plan<G>> {
        let variants = resolved.experiment.variants.iter().flatten();
        let variants = variants.map(Variant::spelled).collect::<Result<Vec<_>>>()?;
        let experiment = &resolved.experiment;
        let names: Vec<&str> = experiment.strategies.iter().map(|s| s.name.as_str()).collect();
        let table = |seating: &Seating| {
            Table::of(seating, &variants, &names, experiment.seed).ok_or_else(|| {
                let (line_up, variant) = (seating.line_up.join(", "), &seating.variant);
                Error::input(format!("the table of {line_up} does not fit variant `{variant}`"))
            })
        };
        let tables = resolved.tables.iter().map(table).collect::<Result<Vec<_>>>()?;
        let empty = Tally::empty(&variants, &tables, names.len(), experiment.control);
        let digest = resolved.digest();
        let plan = Plan { resolved, inputs, variants, bots, tables, empty, digest };
        plan.check_size()?;
        plan.experiment().until.map_or(Ok(()), |until| until.check(&plan))?;
        Ok(plan)
    }

    /// Zero deals are nothing to play; too many would not fit the integers they are counted in.
    fn check_size(&self) -> Result<()> {
        let deals = self.experiment().deals;
        if deals == 0 {
            return Err(Error::input("`deals` is 0; at least 1 is needed"));
        }
        if self.experiment().control && G::control().is_none() {
            return Err(Error::input(format!(
                "`control`: {} does not tell how strong a deal is, as leopard does; leave it out",
                G::NAME
            )));
        }
        // The largest sum a deal can add to a tally: the square of all points or units at once.
        let largest = |table: usize| {
            let seats = self.tables[table].line_up.len() as u128;
            let (low, high) = self.variants[self.tables[table].variant].game.score_range();
            let points = u128::from(high.abs_diff(low).max(super::UNIT as u32));
            seats * u128::from(self.hands_of(table)) * points
        };
        let all: u128 = (0..self.tables.len()).map(largest).sum();
        let most = (i64::MAX as u128 / (all * all).max(1)).min(1 << 48);
        if u128::from(deals) > most {
            return Err(Error::input(format!(
                "`deals` is {deals}; this experiment can count at most {most}"
            )));
        }
        Ok(())
    }

    /// What was asked for, spelled out.
    pub fn experiment(&self) -> &Experiment<SpelledVariant, SpelledStrategy> {
        &self.resolved.experiment
    }

    /// A strategy's name.
    pub fn name_of(&self, strategy: usize) -> &str {
        &self.experiment().strategies[strategy].name
    }

    /// The strategies' names.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.experiment().strategies.iter().map(|s| s.name.as_str())
    }

    /// How many chunks the deals are divided into.
    pub fn chunks(&self) -> u64 {
        self.resolved.chunks()
    }

    /// The deals of a chunk; chunks differ by one deal at most.
    pub fn deals_of(&self, chunk: u64) -> Range<u64> {
        let deals = self.experiment().deals;
        let border =
            |chunk: u64| (u128::from(chunk) * u128::from(deals) / u128::from(self.chunks())) as u64;
        border(chunk)..border(chunk + 1)
    }

    /// How many hands a deal has at a table.
    pub fn hands_of(&self, table: usize) -> u64 {
        let table = &self.tables[table];
        let hands = self.variants[table.variant].game.hands_per_match();
        table.line_up.len() as u64 * u64::from(hands)
    }

    /// How many hands a deal has at all tables of a variant.
    pub fn hands_of_variant(&self, variant: usize) -> u64 {
        let tables = 0..self.tables.len();
        tables.filter(|&t| self.tables[t].variant == variant).map(|t| self.hands_of(t)).sum()
    }

    /// How many hands a deal has at all tables together.
    pub fn hands_per_deal(&self) -> u64 {
        (0..self.tables.len()).map(|table| self.hands_of(table)).sum()
    }

    /// How many hands the whole run has, or a part of it.
    pub fn hands(&self, shard: Option<Shard>) -> u64 {
        let chunks = (0..self.chunks()).filter(|c| shard.is_none_or(|s| s.has(*c)));
        let deals: u64 = chunks.map(|c| self.deals_of(c)).map(|d| d.end - d.start).sum();
        deals * self.hands_per_deal()
    }

    /// Where the chance of a deal's hand grows from. Neither variant nor pairing is in it, so all
    /// of them meet the same cards.
    pub fn deal_seed(&self, deal: u64, hand: u32) -> Seed {
        Seed::new(self.experiment().seed).named("deal").child(deal).child(hand.into())
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
