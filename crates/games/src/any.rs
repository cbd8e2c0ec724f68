//! A game without its types: what commands, reports and Python need of a game, its strategies, records and
//! tables, compiled once for all games.

use std::io::BufRead;
use std::sync::Arc;

use rayon::prelude::*;
use schemars::SchemaGenerator;
use serde_json::{Value, json};

use super::bench::{self, Measure};
use crate::learn::{LearnOutcome, LearnRequest, learn};
use crate::tune::{TuneOutcome, TuneRequest, tune};
use parlour_arena::{
    CheckResult, CustomBots, DynPlan, Experiment, Plan, PlanReader, Variant, VariantSpec,
    check_bot, custom_bots,
};
use parlour_base::cards::CardStyle;
use parlour_base::chance::Seed;
use parlour_base::error::{Error, Fault, Result, ensure};
use parlour_base::files::{Library, SourceFile, parse_json_line};
use parlour_base::threads::run_on;
use parlour_board::{Adviser, Note};
use parlour_game::external::External;
use parlour_game::search::EVALUATOR;
use parlour_game::strategy::{Advice, Judge, Player, Strategic, Strategy, file_schemas};
use parlour_game::{
    BotError, BotFailure, Choice, Encoded, Figure, FigureSpec, PositionFile, Recorded, Replay,
    ReplayFn, ReplayView, Rulebook, Seat,
};
use parlour_play::environment::{self, Environment, Reward, VectorEnv, VectorOptions};
use parlour_play::table::terminal::Terminal;
use parlour_play::table::{
    HandFiles, PERSON, Participant, SharedTable, Table, TableActor, TableService,
};

/// An experiment of any game: the changed rules of its variants are still plain JSON.
pub type AnyExperiment = Experiment<VariantSpec>;

/// Resolves an experiment of this name; see [`AnyGame::plan`].
pub type PlanResolver =
    fn(&str, AnyExperiment, Option<u8>, &dyn CustomBots) -> Result<Box<dyn DynPlan>>;

/// Reads lines and prints texts; see [`AnyGame::play_in_terminal`].
pub type TerminalPlayer =
    fn(&FirstHand<'_>, HandFiles, CardStyle, &mut dyn BufRead, Print<'_>) -> Result<()>;

/// Prints a text.
type Print<'a> = &'a mut dyn FnMut(&str) -> Result<()>;

/// A game, as the commands see it: facts, and functions that know its types.
pub struct AnyGame {
    /// The game's name.
    pub name: &'static str,
    /// The name of the strategy that gives advice by default.
    pub adviser: &'static str,
    /// The name of the strategy that reviews hands by default.
    pub reviewer: &'static str,
    /// The name of the search from which other searches inherit, if the game has one.
    pub default_search: Option<&'static str>,
    /// `true` if the game can measure the luck of the deal.
    pub has_luck_judge: bool,
    /// Returns the names of the listed variants with a sentence about each, the default variant first.
    pub variants: fn() -> Vec<(&'static str, &'static str)>,
    /// Returns the rules of a variant for people, by name or path; of the default variant if none is given.
    pub rulebook: fn(Option<&str>) -> Result<Rulebook>,
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
    pub replay_fn: ReplayFn,
    /// Reads the game's plans.
    pub plan_reader: PlanReader,
    /// Resolves an experiment of this name. Another number of seats changes that of its first variant.
    pub plan: PlanResolver,
    /// Sets a table for people, who play in a terminal until they leave.
    pub play_in_terminal: TerminalPlayer,
    /// Sets a table for people, shared with a thread that plays for the bots and saves hands. The thread
    /// ends after the table is closed.
    pub share_table: fn(&FirstHand<'_>, HandFiles) -> Result<SharedTable>,
    /// Sets a table for people without files and without a thread.
    pub table_in_memory: fn(&FirstHand<'_>) -> Result<Arc<dyn TableService>>,
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
    /// Learns a network by self-play, and writes its files. A stopped training can be resumed.
    pub learn: fn(&LearnRequest<'_>) -> Result<LearnOutcome>,
}

impl AnyGame {
    pub(super) const fn of<G: Strategic + Encoded>() -> AnyGame {
        AnyGame {
            name: G::NAME,
            adviser: G::ADVISER,
            reviewer: G::REVIEWER,
            default_search: G::DEFAULT_SEARCH,
            has_luck_judge: G::JUDGE.is_some(),
            variants: || G::presets().iter().map(|preset| (preset.name, preset.about)).collect(),
            rulebook: |variant| {
                let variant = Variant::<G>::named(variant.unwrap_or(G::presets()[0].name))?;
                Ok(Rulebook::of(&variant.name, &variant.game))
            },
            figures: || G::FIGURES.iter().map(Figure::plain).collect(),
            schema: schema::<G>,
            strategy_schemas: file_schemas::<G>,
            strategy: |source| Ok(Box::new(Strategy::<G>::read(source)?)),
            record: |file, number, line| {
                Ok(Box::new(ErasedRecord::<G>(parse_json_line(file, number, line)?)))
            },
            replay_fn: ReplayView::read::<G>,
            plan_reader: Plan::<G>::read,
            plan: plan::<G>,
            play_in_terminal: |hand, files, letters, input, print| {
                Terminal::new(hand.table::<G>()?, files, letters, input, print).run()
            },
            share_table: |hand, files| TableActor::start(hand.table::<G>()?, files),
            table_in_memory: |hand| Ok(TableActor::new(hand.table::<G>()?, None)?),
            environment: environment::open::<G>,
            environments: environment::open_many::<G>,
            check_bot: |external, hear| check_bot::<G>(external, hear),
            benchmarks: bench::benchmarks::<G>,
            behaviour: bench::behaviour::<G>,
            tune: tune::<G>,
            learn: learn::<G>,
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

    /// The strategy's evaluation of the moves in a position, with a comparison of its own move with
    /// `played` if that is given; and a sentence about the notation of moves.
    ///
    /// # Errors
    /// As [`choose`](AnyStrategy::choose); bad input if `played` is illegal.
    fn advise(
        &self,
        file: &str,
        position: &str,
        played: Option<&str>,
        seed: u64,
    ) -> Result<(Advice, String)>;
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
        game.check(&self.spec)?;
        let mut bot = game.bot(&self.spec);
        bot.start(shown.seat);
        let mv = bot.choose(game, shown.observation(), &mut Seed::new(seed).stream());
        mv.map(|mv| game.notation(mv)).map_err(|error| failed(&self.name, error))
    }

    fn advise(
        &self,
        file: &str,
        position: &str,
        played: Option<&str>,
        seed: u64,
    ) -> Result<(Advice, String)> {
        let shown = G::position(file, position)?;
        let (game, observation) = (&shown.game, shown.observation());
        game.check(&self.spec)?;
        let seed = Seed::new(seed);
        let mut advice = Advice::of(game, self, shown.seat, observation, seed)
            .map_err(|error| failed(&self.name, error))?;
        if let Some(text) = played {
            let played = game.read_moves(text)?.first().copied();
            let mut legal = Vec::new();
            game.legal_moves_in_view(observation.view, &mut legal);
            let played = played.filter(|mv| legal.contains(mv));
            let played =
                played.ok_or_else(|| Error::input(format!("`{text}` is not legal here")))?;
            let compare = || {
                let best = game.parse_move(&advice.best).ok()?;
                Judge::of(self.clone()).ok()?.compare(game, observation, [best, played], seed)
            };
            let solved = game.solve_turn(observation.view, text).map(|(_, values)| values);
            advice.compared = solved.or_else(compare);
        }
        Ok((advice, game.how_to_write()))
    }
}

/// The record of a hand of some game.
pub trait AnyRecord {
    /// Replays the record under its rules.
    ///
    /// # Errors
    /// The first difference from the rules.
    fn verify(&self) -> std::result::Result<(), Fault>;

    /// The hand as a text, move by move.
    ///
    /// # Errors
    /// As [`verify`](AnyRecord::verify), at the first move that cannot be shown.
    fn show(&self) -> std::result::Result<String, Fault>;

    /// The hand as every seat saw it, for a page.
    ///
    /// # Errors
    /// As [`verify`](AnyRecord::verify).
    fn replay_view(&self) -> std::result::Result<ReplayView, Fault>;

    /// The choices of the hand.
    ///
    /// # Errors
    /// As [`verify`](AnyRecord::verify), at the first move that cannot be made.
    fn replay(&self) -> std::result::Result<Box<dyn AnyReplay>, Fault>;
}

/// A record that was replayed.
pub trait AnyReplay {
    /// The moves that were made, with their seats.
    fn moves(&self) -> Vec<(Seat, String)>;

    /// The position before a choice, counted from 0, as the seat to move saw it; `None` beyond the
    /// last choice.
    fn position(&self, choice: usize) -> Option<Value>;

    /// The evaluation of each choice between several moves by a strategy, which knows only what the
    /// seat knew. Without `all_values`, only moves that the strategy would not make get values.
    ///
    /// # Errors
    /// Bad input if there is no such strategy; a failure of an external player.
    fn evaluate(
        &self,
        strategy: &str,
        all_values: bool,
        seed: Seed,
        threads: usize,
    ) -> Result<Adviser>;
}

/// The one implementation of [`AnyRecord`].
struct ErasedRecord<G: Recorded>(G::Record);

impl<G: Strategic> AnyRecord for ErasedRecord<G> {
    fn verify(&self) -> std::result::Result<(), Fault> {
        G::verify(&self.0)
    }

    fn show(&self) -> std::result::Result<String, Fault> {
        G::show(&self.0)
    }

    fn replay_view(&self) -> std::result::Result<ReplayView, Fault> {
        ReplayView::of::<G>(&self.0)
    }

    fn replay(&self) -> std::result::Result<Box<dyn AnyReplay>, Fault> {
        Ok(Box::new(G::replay(&self.0)?))
    }
}

impl<G: Strategic> AnyReplay for Replay<G> {
    fn moves(&self) -> Vec<(Seat, String)> {
        let seats = self.each_choice().map(|choice| choice.seat);
        seats.zip(self.written.iter().cloned()).collect()
    }

    fn position(&self, choice: usize) -> Option<Value> {
        let Choice { view, past, .. } = self.each_choice().nth(choice)?;
        Some(json!(PositionFile::of(&self.game, &view, &past)))
    }

    fn evaluate(
        &self,
        strategy: &str,
        all_values: bool,
        seed: Seed,
        threads: usize,
    ) -> Result<Adviser> {
        let strategy = Strategy::load(&Library::strategies(G::NAME), strategy)?;
        self.game.check(&strategy.spec)?;
        let (game, judge) = (&self.game, Judge::<G>::of(strategy)?);
        let choices: Vec<_> = self.each_choice().zip(&self.written).enumerate().collect();
        let note = |(at, (choice, written)): (usize, (Choice<G>, &String))| {
            let mut options = Vec::new();
            game.legal_moves_in_view(&choice.view, &mut options);
            if options.len() < 2 {
                return Ok(None);
            }
            let seed = seed.child(at as u64);
            let (best, values, why) = judge.judge(game, &choice, written, all_values, seed)?;
            let unvalued = if best == *written { "" } else { "other" };
            let mark = values.map_or(unvalued, |values| values.mark());
            Ok(Some(Note { at, kind: game.move_kind(choice.mv), best, values, mark, why }))
        };
        let notes: std::result::Result<Vec<_>, _> =
            run_on(threads, || choices.into_par_iter().map(note).collect())?;
        let notes = notes.map_err(|error| failed(&judge.strategy.name, error))?;
        let notes = notes.into_iter().flatten().collect();
        Ok(Adviser { name: judge.strategy.name, seat: 0, notes })
    }
}

/// The error of a strategy that failed, as an external program may.
fn failed(name: &str, error: BotError) -> Error {
    let BotFailure { fault, message } = error.into();
    Error::failed(format!("`{name}` failed ({}): {message}", fault.name()))
}

/// The hand with which a table begins.
#[derive(Clone, Debug)]
pub enum FirstHand<'a> {
    /// A new hand.
    New(Seats<'a>),
    /// An unfinished hand: the name and the text of its file.
    Unfinished(String, String),
}

impl FirstHand<'_> {
    /// Sets the table.
    ///
    /// # Errors
    /// Bad input: an unknown variant or strategy, seats that the table does not have, or a fault of the
    /// file with its place.
    fn table<G: Strategic>(&self) -> Result<Table<G>> {
        match self {
            FirstHand::New(seats) => seats.table(),
            FirstHand::Unfinished(file, text) => Table::resume(file, text),
        }
    }
}

/// The participants of a table.
#[derive(Clone, Copy, Debug)]
pub struct Seats<'a> {
    /// The variant; the default variant if none is given.
    pub variant: Option<&'a VariantSpec>,
    /// The number of seats, in a game that leaves a choice.
    pub seats: Option<u8>,
    /// The seats of people; the usual seat of the game if empty.
    pub people: &'a [u8],
    /// The strategies at the other seats, repeated in this order; the adviser if empty.
    pub opponents: &'a [String],
    /// The seed of all deals.
    pub seed: u64,
}

impl Seats<'_> {
    /// Sets the table.
    ///
    /// # Errors
    /// Bad input: a seat that the table does not have, more opponents than seats, an unknown strategy.
    fn table<G: Strategic>(&self) -> Result<Table<G>> {
        let default = || VariantSpec::from(G::presets()[0].name);
        let variant = self.variant.cloned().unwrap_or_else(default);
        let variant = match self.seats {
            Some(seats) => variant.seating::<G>(seats)?,
            None => variant,
        };
        let variant: Variant<G> = Variant::resolve(&variant)?;
        let seats = variant.game.seats();
        // With a secret setup, seat 0 is the dealer.
        let own = [u8::from(variant.game.secret_setup().is_some())];
        let people = if self.people.is_empty() { &own[..] } else { self.people };
        if let Some(seat) = people.iter().find(|seat| usize::from(**seat) >= seats) {
            let what = format!("`--seat` is {seat}; the table has seats 0 to {}", seats - 1);
            return Err(Error::input(what));
        }
        let is_person = |seat: usize| people.iter().any(|person| usize::from(*person) == seat);
        let adviser = [G::ADVISER.to_owned()];
        let others = if self.opponents.is_empty() { &adviser[..] } else { self.opponents };
        let free = (0..seats).filter(|seat| !is_person(*seat)).count();
        ensure(others.len() <= free.max(1), || {
            let named = others.len();
            let seats =
                if free == 1 { "is 1 other seat" } else { &format!("are {free} other seats") };
            Error::input(format!("`--against` names {named}, but there {seats}"))
        })?;
        let mut others = others.iter().cycle();
        let mut participant = |seat| {
            let mut opponent = || others.next().map_or(PERSON, String::as_str);
            Participant::load(if is_person(seat) { PERSON } else { opponent() })
        };
        let participants = (0..seats).map(&mut participant).collect::<Result<_>>()?;
        Table::new(variant, participants, self.seed)
    }
}
