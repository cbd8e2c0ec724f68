//! A game without its types: what the commands, the reports and Python need of a game, compiled once
//! for all games.

use std::marker::PhantomData;

use serde_json::{Map, Value, json};

use super::signature;
use crate::Seed;
use crate::arena::{CustomBots, Experiment, Plan, Playable, VariantSpec, custom_bots};
use crate::environment::{self, Batch, Company, Environment, Reward, Rows};
use crate::error::{Error, Result};
use crate::files::{Library, SourceFile, field_path, read_value};
use crate::game::{BotFailure, Encoded, ReplayFn, ReplayView};
use crate::results::{GamePlans, PlanReader};
use crate::strategy::{Advice, Strategic, Strategy};

/// An experiment of any game: the changed rules of its variants are still plain JSON.
pub type AnyExperiment = Experiment<VariantSpec<Map<String, Value>>>;

/// A game, as the commands see it.
pub trait AnyGame: Sync {
    /// The game's name.
    fn name(&self) -> &'static str;

    /// The names of the listed variants with a sentence about each, the default variant first.
    fn variants(&self) -> Vec<(&'static str, &'static str)>;

    /// The files of the game's strategies.
    fn strategies(&self) -> Library {
        Library::strategies(self.name())
    }

    /// Reads a strategy from its file.
    ///
    /// # Errors
    /// Bad input, with its place in the file.
    fn strategy(&self, source: &SourceFile) -> Result<Box<dyn AnyStrategy>>;

    /// Loads a strategy by name or path.
    ///
    /// # Errors
    /// Bad input if there is none, or its file cannot be read.
    fn load_strategy(&self, name: &str) -> Result<Box<dyn AnyStrategy>> {
        self.strategy(&self.strategies().find(name)?)
    }

    /// The reader of the game's plans.
    fn plans(&self) -> &'static dyn PlanReader;

    /// Replays a record for a page.
    fn retell(&self) -> ReplayFn;

    /// Resolves an experiment; `seats` changes the number of seats of its first variant.
    ///
    /// # Errors
    /// Bad input: unknown names or rules, nothing to play, more work than can be counted.
    fn plan(
        &self,
        name: &str,
        experiment: AnyExperiment,
        seats: Option<u8>,
        bots: &dyn CustomBots,
    ) -> Result<Box<dyn Playable>>;

    /// Opens a table for a program that learns.
    ///
    /// # Errors
    /// As [`environment::open`].
    fn environment(&self, variant: &str, reward: Reward) -> Result<Box<dyn Environment>>;

    /// Opens many tables for a program that learns.
    ///
    /// # Errors
    /// As [`environment::open_many`].
    fn environments(
        &self,
        variant: &str,
        reward: Reward,
        tables: usize,
        threads: usize,
        company: &Company,
        rows: Rows,
    ) -> Result<Box<dyn Batch>>;

    /// The moves that all variants and cheap strategies make from fixed seeds, as digests.
    ///
    /// # Errors
    /// If an embedded strategy cannot be read.
    fn behaviour(&self) -> Result<String>;
}

/// A strategy of some game.
pub trait AnyStrategy: Send + Sync {
    /// The strategy's name.
    fn name(&self) -> &str;

    /// All options, including those of its bases and the defaults.
    fn options(&self) -> Value;

    /// The move that the strategy makes in a position, the text of a position file.
    ///
    /// # Errors
    /// Bad input if there is no such position; a failure of an external player.
    fn choose(&self, position: &str, seed: u64) -> Result<String>;

    /// The strategy's evaluation of the moves in a position.
    ///
    /// # Errors
    /// As [`choose`](AnyStrategy::choose).
    fn advise(&self, position: &str, seed: u64) -> Result<Advice>;
}

/// The one implementation of [`AnyGame`].
pub(super) struct Erased<G>(pub PhantomData<fn() -> G>);

impl<G: Strategic + Encoded> AnyGame for Erased<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn variants(&self) -> Vec<(&'static str, &'static str)> {
        G::presets().iter().map(|preset| (preset.name, preset.about)).collect()
    }

    fn strategy(&self, source: &SourceFile) -> Result<Box<dyn AnyStrategy>> {
        Ok(Box::new(Strategy::<G>::read(source)?))
    }

    fn plans(&self) -> &'static dyn PlanReader {
        &GamePlans::<G>(PhantomData)
    }

    fn retell(&self) -> ReplayFn {
        ReplayView::read::<G>
    }

    fn plan(
        &self,
        name: &str,
        mut experiment: AnyExperiment,
        seats: Option<u8>,
        bots: &dyn CustomBots,
    ) -> Result<Box<dyn Playable>> {
        let variants = experiment.variants.take().unwrap_or_default();
        let read = |(at, variant): (usize, VariantSpec<Map<String, Value>>)| {
            let typed: VariantSpec<G::Patch> = read_value(&variant).map_err(|(way, what)| {
                let field = field_path(&format!("/variants/{at}{way}"));
                Error::input(what).in_field(&field).in_file(name)
            })?;
            match seats.filter(|_| at == 0) {
                Some(seats) => typed.seating::<G>(seats),
                None => Ok(typed),
            }
        };
        let variants = variants.into_iter().enumerate().map(read).collect::<Result<_>>()?;
        let experiment = experiment.with_variants(variants);
        Ok(Box::new(Plan::<G>::resolve_with(name, &experiment, custom_bots(bots)?)?))
    }

    fn environment(&self, variant: &str, reward: Reward) -> Result<Box<dyn Environment>> {
        environment::open::<G>(variant, reward)
    }

    fn environments(
        &self,
        variant: &str,
        reward: Reward,
        tables: usize,
        threads: usize,
        company: &Company,
        rows: Rows,
    ) -> Result<Box<dyn Batch>> {
        environment::open_many::<G>(variant, reward, tables, threads, company, rows)
    }

    fn behaviour(&self) -> Result<String> {
        signature::behaviour::<G>()
    }
}

impl<G: Strategic> AnyStrategy for Strategy<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn options(&self) -> Value {
        json!(self.spec)
    }

    fn choose(&self, position: &str, seed: u64) -> Result<String> {
        let shown = G::position("position", position)?;
        let game = &shown.game;
        unforfeited(|| {
            let mut bot = game.bot(&self.spec);
            bot.start(shown.seat);
            let mv = bot.choose(game, shown.observation(), &mut Seed::new(seed).stream());
            game.notation(mv)
        })
    }

    fn advise(&self, position: &str, seed: u64) -> Result<Advice> {
        let shown = G::position("position", position)?;
        let observation = shown.observation();
        unforfeited(|| Advice::of(&shown.game, self, shown.seat, observation, Seed::new(seed)))
    }
}

/// An external player may fail.
fn unforfeited<T>(ask: impl FnOnce() -> T) -> Result<T> {
    BotFailure::caught(ask).map_err(|forfeit| Error::failed(forfeit.said))
}
