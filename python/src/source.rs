//! What is to be played, as Python says it.

use parlour::arena::{Overrides, Playable};
use parlour::files::{Found, Origin, Shelf};
use parlour::results::{Brought, to_run};
use parlour::{Experiment, Plan, Result, Strategic, with_game};
use pyo3::prelude::*;

use crate::bot::Own;

/// What is to be played: one of the first four.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Source {
    /// An experiment's file or name, or the manifest of a run.
    file: Option<String>,
    /// An experiment as a text, with its name.
    text: Option<(String, String)>,
    /// Strategies at one table.
    table: Option<Seated>,
    /// A game, variants to compare, and the strategies.
    variants: Option<(String, Vec<String>, Vec<String>)>,
    /// Other numbers than it says.
    deals: Option<u64>,
    seed: Option<u64>,
}

/// A game, the strategies at a table, the variant and the number of seats.
#[derive(FromPyObject)]
struct Seated(String, Vec<String>, Option<String>, Option<u8>);

impl Source {
    /// The plan.
    ///
    /// # Errors
    /// Bad input, among it a bot that has the name of a strategy of the program.
    pub fn plan(&self, own: &Own) -> Result<Box<dyn Playable>> {
        let plan = self.planned(own)?;
        own.check_names(&plan.outline().experiment().game)?;
        Ok(plan)
    }

    fn planned(&self, own: &Own) -> Result<Box<dyn Playable>> {
        let &Source { deals, seed, .. } = self;
        let overrides = Overrides { deals, seed };
        if let Some(table) = &self.table {
            return with_game!(table.0.as_str(), G => self.at_table::<G>(table, own))?;
        }
        if let Some((game, ..)) = &self.variants {
            return with_game!(game.as_str(), G => self.of_variants::<G>(own))?;
        }
        let found = match (&self.text, &self.file) {
            (Some((name, text)), _) => Found::new(name, Origin::Given, text.clone()),
            (_, file) => Shelf::experiments().find(file.as_deref().unwrap_or_default())?,
        };
        Ok(to_run(&found, overrides, own)?.1)
    }

    /// A quick pairing, as `parlour match` plays it.
    fn at_table<G: Strategic>(
        &self,
        table: &Seated,
        own: &impl Brought,
    ) -> Result<Box<dyn Playable>> {
        let Seated(_, strategies, variant, seats) = table;
        let table = Experiment::at_table::<G>(variant.as_deref(), strategies, *seats)?;
        self.quick::<G>("match", table, own)
    }

    /// Variants on the same deals, as `parlour compare` plays them.
    fn of_variants<G: Strategic>(&self, own: &impl Brought) -> Result<Box<dyn Playable>> {
        let (_, variants, strategies) = self.variants.clone().unwrap_or_default();
        self.quick::<G>("compare", Experiment::of_variants(G::NAME, &variants, &strategies), own)
    }

    fn quick<G: Strategic>(
        &self,
        name: &str,
        experiment: Experiment<parlour::arena::VariantSpec<G::Patch>>,
        own: &impl Brought,
    ) -> Result<Box<dyn Playable>> {
        let (deals, seed) = (self.deals.unwrap_or(1000), self.seed.unwrap_or(1));
        let experiment = Experiment { deals, seed, ..experiment };
        Ok(Box::new(Plan::<G>::resolve_with(name, &experiment, own.bots::<G>())?))
    }
}
