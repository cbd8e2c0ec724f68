//! What is to be played, as Python says it.

use parlour::arena::{Overrides, Playable, VariantSpec};
use parlour::files::{Found, Origin, Shelf, parse_json};
use parlour::game::MAX_SEATS;
use parlour::results::{Brought, to_run};
use parlour::strategy::StrategySpec;
use parlour::{Error, Experiment, Plan, Result, Strategic, with_game};
use pyo3::prelude::*;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::bot::Own;

/// What is to be played: one of the first four.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Source {
    /// An experiment's file or name, or the manifest of a run.
    file: Option<String>,
    /// An experiment as a text, with its name.
    text: Option<(String, String)>,
    /// A game, its [`Seated`] as JSON, and the number of seats.
    table: Option<(String, String, Option<u64>)>,
    /// A game, and what is to be compared of it, in the same form.
    variants: Option<(String, String)>,
    /// Other numbers than it says.
    deals: Option<u64>,
    seed: Option<u64>,
}

/// Who plays what: names, or entries as an experiment has them.
#[derive(Deserialize)]
#[serde(bound(deserialize = "P: DeserializeOwned"))]
struct Seated<P> {
    variants: Vec<VariantSpec<P>>,
    strategies: Vec<StrategySpec>,
}

impl<P: DeserializeOwned> Seated<P> {
    fn read(what: &str, text: &str) -> Result<Seated<P>> {
        parse_json(what, text).map_err(Error::without_lines)
    }
}

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
        if let Some((game, said, seats)) = &self.table {
            return with_game!(game.as_str(), G => self.at_table::<G>(said, *seats, own))?;
        }
        if let Some((game, said)) = &self.variants {
            return with_game!(game.as_str(), G => self.of_variants::<G>(said, own))?;
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
        said: &str,
        seats: Option<u64>,
        own: &impl Brought,
    ) -> Result<Box<dyn Playable>> {
        let Seated { variants, strategies } = Seated::read("match", said)?;
        let too_many = |seats| {
            Error::input(format!("`--seats` is {seats}; no table has more than {MAX_SEATS}"))
        };
        let seats = seats.map(|it| u8::try_from(it).map_err(|_| too_many(it))).transpose()?;
        let variant = variants.into_iter().next();
        self.quick::<G>("match", Experiment::at_table::<G>(variant, strategies, seats)?, own)
    }

    /// Variants on the same deals, as `parlour compare` plays them.
    fn of_variants<G: Strategic>(
        &self,
        said: &str,
        own: &impl Brought,
    ) -> Result<Box<dyn Playable>> {
        let Seated { variants, strategies } = Seated::read("compare", said)?;
        self.quick::<G>("compare", Experiment::of_variants(G::NAME, variants, strategies), own)
    }

    fn quick<G: Strategic>(
        &self,
        name: &str,
        experiment: Experiment<VariantSpec<G::Patch>>,
        own: &impl Brought,
    ) -> Result<Box<dyn Playable>> {
        let (deals, seed) = (self.deals.unwrap_or(1000), self.seed.unwrap_or(1));
        let experiment = Experiment { deals, seed, ..experiment };
        Ok(Box::new(Plan::<G>::resolve_with(name, &experiment, own.bots::<G>())?))
    }
}
