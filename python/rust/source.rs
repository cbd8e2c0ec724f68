//! The source of a run as Python gives it.

use parlour::arena::{DynPlan, Overrides, VariantSpec};
use parlour::files::{Library, Origin, SourceFile, parse_json};
use parlour::game::MAX_SEATS;
use parlour::games::{AnyExperiment, Games};
use parlour::results::plan_from_source;
use parlour::strategy::StrategySpec;
use parlour::{Error, Experiment, Result};
use pyo3::prelude::*;
use serde::Deserialize;

use crate::bot::Own;

/// The source of a run: one of the first four fields.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Source {
    /// The file or name of an experiment, or the manifest of a run.
    file: Option<String>,
    /// The text of an experiment with its name.
    text: Option<(String, String)>,
    /// A game, its [`Seated`] as JSON, and the number of seats.
    table: Option<(String, String, Option<u64>)>,
    /// A game, and the strategies and variants to compare in the same form.
    variants: Option<(String, String)>,
    /// Numbers that override those of the source.
    deals: Option<u64>,
    seed: Option<u64>,
}

/// Strategies and variants: names, or entries of an experiment.
#[derive(Deserialize)]
struct Seated {
    variants: Vec<VariantSpec>,
    strategies: Vec<StrategySpec>,
}

impl Seated {
    fn read(what: &str, text: &str) -> Result<Seated> {
        parse_json(what, text).map_err(Error::without_lines)
    }
}

impl Source {
    /// Resolves the plan.
    ///
    /// # Errors
    /// Bad input, such as a bot with the name of a built-in strategy.
    pub fn plan(&self, own: &Own) -> Result<Box<dyn DynPlan>> {
        let plan = self.planned(own)?;
        own.check_names(&plan.info().experiment().game)?;
        Ok(plan)
    }

    fn planned(&self, own: &Own) -> Result<Box<dyn DynPlan>> {
        let &Source { deals, seed, .. } = self;
        let overrides = Overrides { deals, seed };
        if let Some((game, said, seats)) = &self.table {
            return self.at_table(game, said, *seats, own);
        }
        if let Some((game, said)) = &self.variants {
            return self.of_variants(game, said, own);
        }
        let found = match (&self.text, &self.file) {
            (Some((name, text)), _) => SourceFile::new(name, Origin::Given, text.clone()),
            (_, file) => Library::experiments().find(file.as_deref().unwrap_or_default())?,
        };
        Ok(plan_from_source(&found, overrides, own, &Games(parlour::PROGRAM))?.1)
    }

    /// A quick pairing, as `parlour match` plays it.
    fn at_table(
        &self,
        game: &str,
        said: &str,
        seats: Option<u64>,
        own: &Own,
    ) -> Result<Box<dyn DynPlan>> {
        let game = parlour::games::game(game)?;
        let Seated { variants, strategies } = Seated::read("match", said)?;
        let too_many = |seats| {
            Error::input(format!("`--seats` is {seats}; no table has more than {MAX_SEATS}"))
        };
        let seats = seats.map(|it| u8::try_from(it).map_err(|_| too_many(it))).transpose()?;
        let variant = variants.into_iter().next();
        let variant = variant.unwrap_or_else(|| (game.variants)()[0].0.into());
        let experiment = Experiment::at_table(game.name, variant, strategies, seats)?;
        (game.plan)("match", self.quick(experiment), seats, own)
    }

    /// Variants on the same deals, as `parlour compare` plays them.
    fn of_variants(&self, game: &str, said: &str, own: &Own) -> Result<Box<dyn DynPlan>> {
        let game = parlour::games::game(game)?;
        let Seated { variants, strategies } = Seated::read("compare", said)?;
        let experiment = Experiment::of_variants(game.name, variants, strategies);
        (game.plan)("compare", self.quick(experiment), None, own)
    }

    fn quick(&self, experiment: AnyExperiment) -> AnyExperiment {
        let (deals, seed) = (self.deals.unwrap_or(1000), self.seed.unwrap_or(1));
        Experiment { deals, seed, ..experiment }
    }
}
