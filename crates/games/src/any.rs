//! A game without its types: what commands, reports and Python need of a game, compiled once for all
//! games.

use std::marker::PhantomData;

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::recorded::{AnyRecord, ErasedRecord, failed};
use super::signature;
use super::speed::{self, Benchmark};
use super::table::{AnyTable, Seats};
use crate::tune::{TuneOutcome, TuneRequest, tune};
use parlour_arena::{
    CheckResult, CustomBots, DynPlan, Experiment, Plan, PlanReader, Variant, VariantSpec,
    check_bot, custom_bots,
};
use parlour_base::chance::Seed;
use parlour_base::error::{Error, Result};
use parlour_base::files::{Library, SourceFile, field_path, parse_json_line, read_value};
use parlour_game::external::External;
use parlour_game::strategy::{Advice, Strategic, Strategy, file_schemas};
use parlour_game::{Encoded, Figure, FigureSpec, ReplayFn, ReplayView};
use parlour_play::environment::{self, Environment, Reward, VectorEnv, VectorOptions};
use parlour_play::table::Table;

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

    /// The name of the strategy that gives advice by default.
    fn adviser(&self) -> &'static str;

    /// The name of the search from which other searches inherit, if the game has one.
    fn default_search(&self) -> Option<&'static str>;

    /// Returns `true` if the game can measure the luck of the deal.
    fn has_luck_judge(&self) -> bool;

    /// The figures of the game's variants.
    fn figures(&self) -> Vec<FigureSpec>;

    /// The JSON Schema of one of the game's types.
    fn schema(&self, part: SchemaPart, generator: &mut SchemaGenerator) -> Value;

    /// The JSON Schemas of a strategy file: one for each kind.
    fn strategy_schemas(&self) -> Vec<Value>;

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

    /// Reads a line of records.
    ///
    /// # Errors
    /// Bad input if the line is no record of this game.
    fn record(&self, file: &str, number: usize, line: &str) -> Result<Box<dyn AnyRecord>>;

    /// Replays a line of records for a page.
    fn retell(&self) -> ReplayFn;

    /// Returns the function that reads the game's plans.
    fn plan_reader(&self) -> PlanReader;

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
    ) -> Result<Box<dyn DynPlan>>;

    /// Sets a table for people.
    ///
    /// # Errors
    /// Bad input: an unknown variant or strategy, or seats that the table does not have.
    fn table(&self, seats: &Seats<'_>) -> Result<Box<dyn AnyTable>>;

    /// Sets a table with an unfinished hand, whose file this is.
    ///
    /// # Errors
    /// Bad input, with its place in the file.
    fn resume_table(&self, file: &str, text: &str) -> Result<Box<dyn AnyTable>>;

    /// Opens a table for a program that learns.
    ///
    /// # Errors
    /// As [`environment::open`].
    fn environment(&self, variant: &str, reward: Reward) -> Result<Box<dyn Environment>>;

    /// Opens many tables for a program that learns.
    ///
    /// # Errors
    /// As [`environment::open_many`].
    fn environments(&self, options: &VectorOptions) -> Result<Box<dyn VectorEnv>>;

    /// Tests an external player; `hear` gets each result as soon as it is known.
    fn check_bot(&self, external: &External, hear: &mut dyn FnMut(CheckResult));

    /// The speed measurements of all variants, or of one.
    ///
    /// # Errors
    /// Bad input if there is no such variant or a strategy cannot be read.
    fn benchmarks(&self, variant: Option<&str>) -> Result<Vec<Benchmark>>;

    /// The moves that all variants and cheap strategies make from fixed seeds, as digests.
    ///
    /// # Errors
    /// If an embedded strategy cannot be read.
    fn behaviour(&self) -> Result<String>;

    /// Tunes a strategy, and writes a file if there is a gain.
    ///
    /// # Errors
    /// Bad input: an unknown strategy or variant, or an output file that exists; a stop, after which the
    /// tuning can be resumed; a failure to write a file.
    fn tune(&self, request: &TuneRequest<'_>) -> Result<TuneOutcome>;
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

    /// The way the strategy chooses its moves.
    fn class(&self) -> StrategyClass<'_>;

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

/// The ways in which strategies choose their moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StrategyClass<'a> {
    /// A search; it names strategies for its playouts and models: the JSON pointer of the field, and
    /// the name. Judges of positions are not among them.
    Search(Vec<(&'static str, &'a str)>),
    /// A memoryless policy, which playouts can use.
    Static,
    /// A bot with a state of its own.
    Stateful,
    /// An external program.
    External,
}

/// The one implementation of [`AnyGame`].
pub(super) struct ErasedGame<G>(pub PhantomData<fn() -> G>);

impl<G: Strategic + Encoded> AnyGame for ErasedGame<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn variants(&self) -> Vec<(&'static str, &'static str)> {
        G::presets().iter().map(|preset| (preset.name, preset.about)).collect()
    }

    fn adviser(&self) -> &'static str {
        G::ADVISER
    }

    fn default_search(&self) -> Option<&'static str> {
        G::DEFAULT_SEARCH
    }

    fn has_luck_judge(&self) -> bool {
        G::LUCK_EVALUATOR.is_some()
    }

    fn figures(&self) -> Vec<FigureSpec> {
        G::FIGURES.iter().map(Figure::plain).collect()
    }

    fn schema(&self, part: SchemaPart, generator: &mut SchemaGenerator) -> Value {
        fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Value {
            generator.subschema_for::<T>().to_value()
        }
        match part {
            SchemaPart::Rules => of::<G::Rules>(generator),
            SchemaPart::Position => G::position_schema(generator).to_value(),
            SchemaPart::View => of::<G::View>(generator),
            SchemaPart::Record => of::<G::Record>(generator),
        }
    }

    fn strategy_schemas(&self) -> Vec<Value> {
        file_schemas::<G>()
    }

    fn strategy(&self, source: &SourceFile) -> Result<Box<dyn AnyStrategy>> {
        Ok(Box::new(Strategy::<G>::read(source)?))
    }

    fn record(&self, file: &str, number: usize, line: &str) -> Result<Box<dyn AnyRecord>> {
        Ok(Box::new(ErasedRecord::<G>(parse_json_line(file, number, line)?)))
    }

    fn retell(&self) -> ReplayFn {
        ReplayView::read::<G>
    }

    fn plan_reader(&self) -> PlanReader {
        Plan::<G>::read
    }

    fn plan(
        &self,
        name: &str,
        mut experiment: AnyExperiment,
        seats: Option<u8>,
        bots: &dyn CustomBots,
    ) -> Result<Box<dyn DynPlan>> {
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

    fn table(&self, seats: &Seats<'_>) -> Result<Box<dyn AnyTable>> {
        let variant = seats.variant.unwrap_or(G::presets()[0].name);
        let variant: Variant<G> = match seats.seats {
            Some(seats) => Variant::resolve(&VariantSpec::from(variant).seating::<G>(seats)?)?,
            None => Variant::named(variant)?,
        };
        Ok(Box::new(seats.table(variant)?))
    }

    fn resume_table(&self, file: &str, text: &str) -> Result<Box<dyn AnyTable>> {
        Ok(Box::new(Table::<G>::resume(file, text)?))
    }

    fn environment(&self, variant: &str, reward: Reward) -> Result<Box<dyn Environment>> {
        environment::open::<G>(variant, reward)
    }

    fn environments(&self, options: &VectorOptions) -> Result<Box<dyn VectorEnv>> {
        environment::open_many::<G>(options)
    }

    fn check_bot(&self, external: &External, hear: &mut dyn FnMut(CheckResult)) {
        check_bot::<G>(external, hear);
    }

    fn benchmarks(&self, variant: Option<&str>) -> Result<Vec<Benchmark>> {
        speed::benchmarks::<G>(variant)
    }

    fn behaviour(&self) -> Result<String> {
        signature::behaviour::<G>()
    }

    fn tune(&self, request: &TuneRequest<'_>) -> Result<TuneOutcome> {
        tune::<G>(request)
    }
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
        G::uses_clock(&self.spec)
    }

    fn class(&self) -> StrategyClass<'_> {
        if let Some(search) = G::search_config(&self.spec) {
            let named = search.named().into_iter().filter(|named| !named.estimates_wins);
            return StrategyClass::Search(named.map(|named| (named.field, named.name)).collect());
        }
        match G::external(&self.spec) {
            Some(_) => StrategyClass::External,
            None if G::is_static(&self.spec) => StrategyClass::Static,
            None => StrategyClass::Stateful,
        }
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
