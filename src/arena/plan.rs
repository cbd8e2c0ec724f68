//! An experiment resolved in full: what will be played, to the last seed.

use std::ops::Range;

use serde_json::{Value, json};

use super::tables::tables;
use super::{Experiment, Layout, Schedule, Table, Until, Variant};
use crate::chance::Seed;
use crate::error::{Error, Result};
use crate::files::{Found, Origin, digest, parse_json};
use crate::strategy::{Strategic, Strategy};

/// A run has at most this many chunks, whatever its size: enough to keep many cores busy and to
/// lose little to a crash, few enough that their tallies fit in a small file; for the jackknife
/// some fifty do.
const MOST_CHUNKS: u64 = 64;

/// What the command line sets over the file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides {
    /// Another number of deals.
    pub deals: Option<u64>,
    /// Another seed.
    pub seed: Option<u64>,
}

/// An experiment resolved in full.
#[derive(Clone, Debug)]
pub struct Plan<G: Strategic> {
    /// Its name.
    pub name: String,
    /// The question.
    pub about: String,
    /// The variants with their rules.
    pub variants: Vec<Variant<G>>,
    /// The strategies.
    pub strategies: Vec<Strategy<G>>,
    /// Who meets whom, by variant.
    pub schedule: Schedule,
    /// The tables, variant by variant.
    pub tables: Vec<Table>,
    /// How many deals.
    pub deals: u64,
    /// What all chance grows from.
    pub seed: u64,
    /// When the run may end before its last deal.
    pub until: Option<Until>,
    /// Whether each variant's best strategy is measured again on fresh deals.
    pub confirm: bool,
    /// Whether what the deal's cards explain of the first seat's score is counted, to take it out.
    pub control: bool,
    /// What a tally counts.
    pub layout: Layout,
    /// Where the experiment came from and its digest; none when it was put together.
    pub source: Option<(Origin, String)>,
}

impl<G: Strategic> Plan<G> {
    /// Resolves an experiment file whose game is `G`.
    ///
    /// # Errors
    /// Bad input, with its place in the file where it has one.
    pub fn from_file(found: &Found, overrides: Overrides) -> Result<Plan<G>> {
        let place = found.place();
        let mut experiment: Experiment<G::Patch> = parse_json(&place, &found.text)?;
        experiment.deals = overrides.deals.unwrap_or(experiment.deals);
        experiment.seed = overrides.seed.unwrap_or(experiment.seed);
        let mut plan = Plan::of(&found.name, &experiment, Some(found))
            .map_err(|error| error.in_file(&place))?;
        plan.source = Some((found.origin.clone(), found.digest.clone()));
        Ok(plan)
    }

    /// Resolves an experiment.
    ///
    /// # Errors
    /// Bad input: unknown names, nothing to play, more work than can be counted.
    pub fn resolve(name: &str, experiment: &Experiment<G::Patch>) -> Result<Plan<G>> {
        Plan::of(name, experiment, None)
    }

    /// Resolves an experiment that stands in a file, or in none.
    fn of(
        name: &str,
        experiment: &Experiment<G::Patch>,
        source: Option<&Found>,
    ) -> Result<Plan<G>> {
        let variants = match &experiment.variants {
            Some(specs) => specs.iter().map(Variant::resolve).collect::<Result<Vec<_>>>()?,
            None => G::presets().iter().map(|p| Variant::named(p.name)).collect::<Result<_>>()?,
        };
        let strategies = Strategy::<G>::resolve(&experiment.strategies, source)?;
        unique("variants", variants.iter().map(|v| v.name.as_str()))?;
        unique("strategies", strategies.iter().map(|s| s.name.as_str()))?;
        if !experiment.allow_clock
            && let Some(clock) = strategies.iter().find(|s| G::uses_clock(&s.spec))
        {
            let message = "goes by the clock, so no run with it can be repeated; `\"allow_clock\": true` lets it in";
            return Err(Error::input(format!("`strategies`: `{}` {message}", clock.name)));
        }
        let tables = tables(experiment, &variants, &strategies)?;
        let layout = layout(&variants, &tables, strategies.len(), experiment.control);
        let plan = Plan {
            name: name.to_owned(),
            about: experiment.about.clone(),
            variants,
            strategies,
            schedule: experiment.schedule,
            tables,
            deals: experiment.deals,
            seed: experiment.seed,
            until: experiment.until,
            confirm: experiment.confirm,
            control: experiment.control,
            layout,
            source: None,
        };
        plan.check_size()?;
        plan.until.map_or(Ok(()), |until| until.check(&plan))?;
        Ok(plan)
    }

    /// Zero deals are nothing to play; too many would not fit the integers they are counted in.
    pub(super) fn check_size(&self) -> Result<()> {
        if self.deals == 0 {
            return Err(Error::input("`deals` is 0; at least 1 is needed"));
        }
        if self.control && G::STRENGTHS.is_empty() {
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
        if u128::from(self.deals) > most {
            let deals = self.deals;
            return Err(Error::input(format!(
                "`deals` is {deals}; this experiment can count at most {most}"
            )));
        }
        Ok(())
    }

    /// How many chunks the deals are divided into.
    pub fn chunks(&self) -> u64 {
        self.deals.min(MOST_CHUNKS)
    }

    /// The deals of a chunk; chunks differ by one deal at most.
    pub fn deals_of(&self, chunk: u64) -> Range<u64> {
        let border = |chunk: u64| {
            (u128::from(chunk) * u128::from(self.deals) / u128::from(self.chunks())) as u64
        };
        border(chunk)..border(chunk + 1)
    }

    /// How many hands a deal has at a table.
    pub fn hands_of(&self, table: usize) -> u64 {
        let table = &self.tables[table];
        let hands = self.variants[table.variant].game.hands_per_match();
        table.line_up.len() as u64 * u64::from(hands)
    }

    /// How many hands a deal has at all tables together.
    pub fn hands_per_deal(&self) -> u64 {
        (0..self.tables.len()).map(|table| self.hands_of(table)).sum()
    }

    /// Where the chance of a deal's hand grows from. Neither variant nor pairing is in it, so all
    /// of them meet the same cards.
    pub fn deal_seed(&self, deal: u64, hand: u32) -> Seed {
        Seed::new(self.seed).named("deal").child(deal).child(hand.into())
    }

    /// The experiment in full, as the manifest gives it: rules and strategies spelled out.
    pub fn resolved(&self) -> Value {
        let variants: Vec<Value> = self
            .variants
            .iter()
            .map(|v| json!({ "name": v.name, "rules": v.game.rules() }))
            .collect();
        let strategies: Vec<Value> =
            self.strategies.iter().map(|s| json!({ "name": s.name, "strategy": s.spec })).collect();
        let names = |table: &Table| -> Vec<&str> {
            table.line_up.iter().map(|&s| self.strategies[s].name.as_str()).collect()
        };
        let tables: Vec<Value> = self
            .tables
            .iter()
            .map(|t| json!({ "variant": self.variants[t.variant].name, "line_up": names(t) }))
            .collect();
        let mut resolved = json!({
            "name": self.name,
            "about": self.about,
            "game": G::NAME,
            "variants": variants,
            "strategies": strategies,
            "schedule": self.schedule,
            "tables": tables,
            "deals": self.deals,
            "seed": self.seed,
        });
        if let Some(until) = self.until {
            resolved["until"] = json!(until);
        }
        if self.confirm {
            resolved["confirm"] = json!(true);
        }
        if self.control {
            resolved["control"] = json!(true);
        }
        resolved
    }

    /// The digest of the experiment in full.
    pub fn digest(&self) -> String {
        digest(self.resolved().to_string())
    }
}

pub(super) fn layout<G: Strategic>(
    variants: &[Variant<G>],
    tables: &[Table],
    strategies: usize,
    control: bool,
) -> Layout {
    let seats: Vec<usize> = tables.iter().map(|t| t.line_up.len()).collect();
    let spreads = variants.iter().map(|v| (v.game.seats(), v.game.spread())).collect();
    let strengths = if control { G::STRENGTHS.len() } else { 0 };
    Layout::new(&seats, G::COUNTERS.len(), spreads, strategies, strengths)
}

fn unique<'a>(field: &str, names: impl Iterator<Item = &'a str>) -> Result<()> {
    let mut seen = std::collections::BTreeSet::new();
    for name in names {
        if !seen.insert(name) {
            return Err(Error::input(format!("`{field}` names `{name}` twice")));
        }
    }
    Ok(())
}
