//! A game without its types: what commands, reports and Python need of a game, compiled once for all
//! games.

use std::io::BufRead;

use schemars::SchemaGenerator;
use serde_json::{Value, json};

use super::bench::{self, Measure};
use super::recorded::{AnyRecord, ErasedRecord, failed};
use super::table::FirstHand;
use crate::tune::{TuneOutcome, TuneRequest, tune};
use parlour_arena::{
    CheckResult, CustomBots, DynPlan, Experiment, Plan, PlanReader, VariantSpec, check_bot,
    custom_bots,
};
use parlour_base::cards::CardStyle;
use parlour_base::chance::Seed;
use parlour_base::error::Result;
use parlour_base::files::{Library, SourceFile, parse_json_line};
use parlour_game::external::External;
use parlour_game::search::EVALUATOR;
use parlour_game::strategy::{Advice, Player, Strategic, Strategy, file_schemas};
use parlour_game::{Encoded, Figure, FigureSpec, ReplayFn, ReplayView};
use parlour_play::environment::{self, Environment, Reward, VectorEnv, VectorOptions};
use parlour_play::table::terminal::Terminal;
use parlour_play::table::{HandFiles, SharedTable, TableActor};

/// An experiment of any game: the changed rules of its variants are still plain JSON.
pub type AnyExperiment = Experiment<VariantSpec>;

/// A game, as the commands see it: facts, and functions that know its types.
pub struct AnyGame {
    /// The game's name.
    pub name: &'static str,
    /// The name of the strategy that gives advice by default.
    pub adviser: &'static str,
    /// The name of the search from which other searches inherit, if the game has one.
    pub default_search: Option<&'static str>,
    /// `true` if the game can measure the luck of the deal.
    pub has_luck_judge: bool,
    /// Returns the names of the listed variants with a sentence about each, the default variant first.
    pub variants: fn() -> Vec<(&'static str, &'static str)>,
    /// Returns the figures of the game's variants.
    pub figures: fn() -> Vec<FigureSpec>,
    /// Returns the JSON Schema of one of the game's types.
    pub schema: fn(SchemaPart, &mut SchemaGenerator) -> Value,
    /// Returns the JSON Schemas of a strategy file: one for each kind.
    pub strategy_schemas: fn() -> Vec<Value>,
    /// Reads a strategy from its file.
    pub strategy: fn(&SourceFile) -> Result<Box<dyn AnyStrategy>>,
    /// Reads a line of records, given with its file and number.
    pub record: fn(&str, usize, &str) -> Result<Box<dyn AnyRecord>>,
    /// Replays a line of records for a page.
    pub retell: ReplayFn,
    /// Reads the game's plans.
    pub plan_reader: PlanReader,
    /// Resolves an experiment of this name. Another number of seats changes that of its first variant.
    pub plan: fn(&str, AnyExperiment, Option<u8>, &dyn CustomBots) -> Result<Box<dyn DynPlan>>,
    /// Sets a table for people, who play in a terminal until they leave.
    pub play_in_terminal: fn(
        &FirstHand<'_>,
        HandFiles,
        CardStyle,
        &mut dyn BufRead,
        &mut dyn FnMut(&str) -> Result<()>,
    ) -> Result<()>,
    /// Sets a table for people, shared with a thread that plays for the bots and saves hands. The thread
    /// ends after the table is closed.
    pub share_table: fn(&FirstHand<'_>, HandFiles) -> Result<SharedTable>,
    /// Opens a table of a variant for a program that learns, as [`environment::open`] does.
    pub environment: fn(&str, Reward) -> Result<Box<dyn Environment>>,
    /// Opens many tables for a program that learns, as [`environment::open_many`] does.
    pub environments: fn(&VectorOptions) -> Result<Box<dyn VectorEnv>>,
    /// Tests an external player; the function gets each result as soon as it is known.
    pub check_bot: fn(&External, &mut dyn FnMut(CheckResult)),
    /// Offers the speed measurements of all variants, or of one.
    pub benchmarks: fn(Option<&str>, Measure<'_>) -> Result<()>,
    /// Returns the moves that all variants and cheap strategies make from fixed seeds, as digests.
    pub behaviour: fn() -> Result<String>,
    /// Tunes a strategy, and writes a file if there is a gain. A stopped tuning can be resumed.
    pub tune: fn(&TuneRequest<'_>) -> Result<TuneOutcome>,
}

impl AnyGame {
    pub(super) const fn of<G: Strategic + Encoded>() -> AnyGame {
        AnyGame {
            name: G::NAME,
            adviser: G::ADVISER,
            default_search: G::DEFAULT_SEARCH,
            has_luck_judge: G::LUCK_EVALUATOR.is_some(),
            variants: || G::presets().iter().map(|preset| (preset.name, preset.about)).collect(),
            figures: || G::FIGURES.iter().map(Figure::plain).collect(),
            schema: schema::<G>,
            strategy_schemas: file_schemas::<G>,
            strategy: |source| Ok(Box::new(Strategy::<G>::read(source)?)),
            record: |file, number, line| {
                Ok(Box::new(ErasedRecord::<G>(parse_json_line(file, number, line)?)))
            },
            retell: ReplayView::read::<G>,
            plan_reader: Plan::<G>::read,
            plan: plan::<G>,
            play_in_terminal: |hand, files, letters, input, print| {
                Terminal::new(hand.table::<G>()?, files, letters, input, print).run().map(drop)
            },
            share_table: |hand, files| TableActor::start(hand.table::<G>()?, files),
            environment: environment::open::<G>,
            environments: environment::open_many::<G>,
            check_bot: |external, hear| check_bot::<G>(external, hear),
            benchmarks: bench::benchmarks::<G>,
            behaviour: bench::behaviour::<G>,
            tune: tune::<G>,
        }
    }

    /// Returns the files of the game's strategies.
    pub fn strategies(&self) -> Library {
        Library::strategies(self.name)
    }

    /// Loads a strategy by name or path.
    ///
    /// # Errors
    /// Bad input if there is none, or its file cannot be read.
    pub fn load_strategy(&self, name: &str) -> Result<Box<dyn AnyStrategy>> {
        (self.strategy)(&self.strategies().find(name)?)
    }
}

fn schema<G: Encoded + Strategic>(part: SchemaPart, generator: &mut SchemaGenerator) -> Value {
    match part {
        SchemaPart::Rules => generator.subschema_for::<G::Rules>(),
        SchemaPart::Position => G::position_schema(generator),
        SchemaPart::View => generator.subschema_for::<G::View>(),
        SchemaPart::Record => generator.subschema_for::<G::Record>(),
    }
    .to_value()
}

fn plan<G: Strategic>(
    name: &str,
    mut experiment: AnyExperiment,
    seats: Option<u8>,
    bots: &dyn CustomBots,
) -> Result<Box<dyn DynPlan>> {
    if let (Some(seats), Some(first)) = (seats, experiment.variants.iter_mut().flatten().next()) {
        *first = first.clone().seating::<G>(seats)?;
    }
    Ok(Box::new(Plan::<G>::resolve_with(name, &experiment, custom_bots(bots)?)?))
}

/// The types of a game that have a JSON Schema.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SchemaPart {
    /// The rules in full.
    Rules,
    /// A position as its file has it.
    Position,
    /// The view of a seat.
    View,
    /// A record of a hand.
    Record,
}

/// A strategy of some game.
pub trait AnyStrategy: Send + Sync {
    /// The strategy's file: its name, a sentence about it, and whether it is for research.
    fn info(&self) -> StrategyInfo<'_>;

    /// All options, including those of its bases and the defaults.
    fn options(&self) -> Value;

    /// Returns `true` if the strategy is limited by time, so that its play cannot be repeated.
    fn uses_clock(&self) -> bool;

    /// Returns `true` if the strategy is a memoryless policy, which playouts can use.
    fn is_static(&self) -> bool;

    /// The strategies that a search names for its playouts and models: the JSON pointer of the field, and
    /// the name. Judges of positions are not among them. Empty for other strategies.
    fn named(&self) -> Vec<(&'static str, &str)>;

    /// The move that the strategy makes in a position, the text of a position file.
    ///
    /// # Errors
    /// Bad input if there is no such position; a failure of an external player.
    fn choose(&self, file: &str, position: &str, seed: u64) -> Result<String>;

    /// The strategy's evaluation of the moves in a position, and a sentence about the notation of
    /// moves.
    ///
    /// # Errors
    /// As [`choose`](AnyStrategy::choose).
    fn advise(&self, file: &str, position: &str, seed: u64) -> Result<(Advice, String)>;
}

/// The facts about a strategy that its file states.
#[derive(Clone, Copy, Debug)]
pub struct StrategyInfo<'a> {
    /// The name.
    pub name: &'a str,
    /// A sentence about it; may be empty.
    pub about: &'a str,
    /// For research: `parlour list` shows it with `--all` only.
    pub is_research: bool,
}

impl<G: Strategic> AnyStrategy for Strategy<G> {
    fn info(&self) -> StrategyInfo<'_> {
        let Strategy { name, about, research, .. } = self;
        StrategyInfo { name, about, is_research: *research }
    }

    fn options(&self) -> Value {
        json!(self.spec)
    }

    fn uses_clock(&self) -> bool {
        G::search_config(&self.spec).is_some_and(|search| search.uses_clock())
    }

    fn is_static(&self) -> bool {
        matches!(self.spec.player::<G>(), Player::Static(_))
    }

    fn named(&self) -> Vec<(&'static str, &str)> {
        let search = G::search_config(&self.spec);
        let named = search.into_iter().flat_map(|search| search.named());
        named.filter(|(field, _)| *field != EVALUATOR).collect()
    }

    fn choose(&self, file: &str, position: &str, seed: u64) -> Result<String> {
        let shown = G::position(file, position)?;
        let game = &shown.game;
        let mut bot = game.bot(&self.spec);
        bot.start(shown.seat);
        let mv = bot.choose(game, shown.observation(), &mut Seed::new(seed).stream());
        mv.map(|mv| game.notation(mv)).map_err(|error| failed(&self.name, error))
    }

    fn advise(&self, file: &str, position: &str, seed: u64) -> Result<(Advice, String)> {
        let shown = G::position(file, position)?;
        let game = &shown.game;
        let seed = Seed::new(seed);
        let advice = Advice::of(game, self, shown.seat, shown.observation(), seed)
            .map_err(|error| failed(&self.name, error))?;
        Ok((advice, game.how_to_write()))
    }
}
