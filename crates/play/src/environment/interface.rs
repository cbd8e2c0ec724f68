//! The interfaces of environments, which hide the game's types.

use std::sync::Arc;

use itertools::izip;
use serde::Serialize;
use serde_json::Value;

use super::mask;
use parlour_base::chance::Seed;
use parlour_base::error::{Error, Result};
use parlour_base::files::{Library, Origin, SourceFile};
use parlour_game::Reward;
use parlour_game::strategy::{Strategic, Strategy};
use parlour_game::variant::Variant;
use parlour_game::{ActionGroup, Encoded, PastMove, Plane, Seat};

/// A description of an environment and its numbers.
#[derive(Clone, Debug, Serialize)]
pub struct Facts {
    /// Name of the game.
    pub game: &'static str,
    /// Name of the variant.
    pub variant: String,
    /// Complete rules.
    pub rules: Value,
    /// Number of seats.
    pub seats: usize,
    /// Blocks of the observation.
    pub planes: Vec<Plane>,
    /// Blocks of the actions.
    pub actions: Vec<ActionGroup>,
    /// Length of an observation.
    pub numbers: usize,
    /// Number of actions.
    pub count: usize,
    /// Upper bound of the number of moves in a hand.
    pub longest: usize,
    /// Reward of results.
    pub reward: Reward,
    /// The lowest and the highest reward.
    pub rewards: (f32, f32),
}

impl Facts {
    /// The number of words of an action mask.
    pub(super) fn words(&self) -> usize {
        self.count.div_ceil(64)
    }
}

/// A game with its rules, for one table or many.
pub(super) struct Setup<G> {
    pub facts: Facts,
    pub game: G,
    /// The game without its secret, if it has one.
    redacted: Option<G>,
}

impl<G: Strategic + Encoded> Setup<G> {
    pub fn new(variant: Variant<G>, reward: Reward) -> Setup<G> {
        let Variant { name, game } = variant;
        let (planes, actions) = (game.planes(), game.actions());
        let facts = Facts {
            game: G::NAME,
            variant: name,
            rules: serde_json::to_value(game.rules()).unwrap_or_default(),
            seats: game.seats(),
            numbers: planes.iter().map(Plane::count).sum(),
            count: actions.iter().map(|actions| actions.count).sum(),
            longest: game.max_moves(),
            rewards: reward.range(game.score_range(), game.seats()),
            planes,
            actions,
            reward,
        };
        Setup { facts, redacted: game.secret_setup().and_then(|secret| secret.redacted()), game }
    }

    /// The setup as bots know it.
    pub fn without_secret(setup: &Arc<Self>) -> Arc<Self> {
        let Some(game) = setup.redacted.clone() else { return Arc::clone(setup) };
        let variant = Variant { name: setup.facts.variant.clone(), game };
        Setup::new(variant, setup.facts.reward).into()
    }

    /// The game as bots know it.
    pub fn known(&self) -> &G {
        self.redacted.as_ref().unwrap_or(&self.game)
    }

    /// The error for an action that does not exist or is not legal.
    pub fn refusal(&self, legal: &[u64], action: i64) -> Error {
        let last = self.facts.count.saturating_sub(1);
        let Some(index) = usize::try_from(action).ok().filter(|index| *index <= last) else {
            return Error::input(format!("there is no action {action}; actions are 0 to {last}"));
        };
        let named = self.game.move_of(index);
        let named = named.map_or_else(String::new, |mv| format!(" (`{}`)", self.game.notation(mv)));
        let right: Vec<String> =
            mask::actions(legal).take(8).map(|legal| legal.to_string()).collect();
        let (count, right) = (mask::count(legal), right.join(", "));
        let more = if count > 8 { ", …" } else { "" };
        Error::input(format!(
            "action {action}{named} is not legal here; {count} are: {right}{more}"
        ))
    }
}

/// The seed of a deal, as in an experiment with this seed.
pub(super) fn deal_seed(seed: u64, deal: u64) -> Seed {
    Seed::new(seed).named("deal").child(deal).child(0)
}

/// One table. Seats choose one after the other until the hand is over.
pub trait Environment: Send {
    /// The description of the environment.
    fn facts(&self) -> &Facts;

    /// Deals hand number `deal` of an experiment with this seed.
    fn reset(&mut self, seed: u64, deal: u64);

    /// The seed and the deal of this hand; without a deal the number of its hidden state.
    fn dealt(&self) -> (u64, u64);

    /// A table that differs from this one in what the seat cannot know: hidden information and
    /// future chance are sampled from the seat's view. The seed is by default drawn from the stream
    /// of [`sample`](Environment::sample). [`reset`](Environment::reset) samples another hidden
    /// state; there is no record.
    ///
    /// # Errors
    /// If there is no such seat.
    fn determinize(&mut self, seat: Seat, seed: Option<u64>) -> Result<Box<dyn Environment>>;

    /// The seat to move; `None` if the hand is over.
    fn turn(&self) -> Option<Seat>;

    /// The mask of the legal actions of the seat to move: action `i` is bit `i % 64` of word `i /
    /// 64`.
    fn legal(&self) -> &[u64];

    /// Takes the action of the seat to move.
    ///
    /// # Errors
    /// Bad input if the action is not legal or the hand is over; nothing changes then.
    fn step(&mut self, action: i64) -> Result<()>;

    /// A copy of the table for each outcome of chance after an action, or in the deal, with its
    /// integer weight; see [`Game::chance_outcomes`]. Such a table has no record.
    ///
    /// # Errors
    /// As [`step`](Environment::step).
    ///
    /// [`Game::chance_outcomes`]: parlour_game::Game::chance_outcomes
    fn outcomes(&self, action: Option<i64>) -> Result<Option<Outcomes>>;

    /// Makes a move in the game's notation, with or without an action.
    ///
    /// # Errors
    /// As [`step`](Environment::step).
    fn make(&mut self, text: &str) -> Result<()>;

    /// Samples a legal action; `None` if the hand is over.
    fn sample(&mut self) -> Option<i64>;

    /// Writes the encoded observation of a seat; `out` has the length [`Facts::numbers`].
    fn observe(&self, seat: Seat, out: &mut [u8]);

    /// The rewards by seat; 0 before the hand is over.
    fn rewards(&self) -> Vec<f32>;

    /// The points of each seat if the hand ended here.
    fn points(&self) -> Vec<i32>;

    /// The view of a seat as JSON, as external players get it.
    ///
    /// # Errors
    /// If there is no such seat.
    fn view(&self, seat: Seat) -> Result<String>;

    /// The position file of a seat: view, game, rules and the moves so far, as strategies are
    /// asked.
    ///
    /// # Errors
    /// If there is no such seat.
    fn position(&self, seat: Seat) -> Result<String>;

    /// The moves since the deal in the game's notation. They lead the same table to the same state.
    ///
    /// # Errors
    /// Bad input if the hand was not dealt.
    fn moves(&self) -> Result<Vec<String>>;

    /// The moves so far as a seat saw them.
    fn past(&self, seat: Seat) -> Vec<PastMove>;

    /// The notation of an action; `None` if it has no move.
    fn notation(&self, action: i64) -> Option<String>;

    /// The action of a move in the game's notation.
    ///
    /// # Errors
    /// Bad input if the text is no move, or one without an action.
    fn action_of(&self, text: &str) -> Result<i64>;

    /// The action that a strategy (name, path or text of its file) would take here.
    ///
    /// # Errors
    /// If the hand is over, the strategy is unknown, or its move has no action.
    fn choose(&mut self, strategy: &str) -> Result<i64>;

    /// The view of a seat, drawn for a terminal of 80 columns.
    ///
    /// # Errors
    /// If there is no such seat.
    fn picture(&self, seat: Seat) -> Result<String>;

    /// The hand as a line of `records.jsonl`.
    ///
    /// # Errors
    /// Bad input before the hand is over.
    fn record(&self) -> Result<String>;

    /// Copies the table, including its random streams.
    fn copy(&self) -> Box<dyn Environment>;
}

/// Tables after each outcome of chance, with their weights.
pub type Outcomes = Vec<(u64, Box<dyn Environment>)>;

/// Many tables that are stepped at once.
pub trait VectorEnv: Send {
    /// The description of each environment.
    fn facts(&self) -> &Facts;

    /// The number of tables.
    fn tables(&self) -> usize;

    /// The number of rewards per table: one per seat, or 1 with opponents.
    fn columns(&self) -> usize;

    /// Deals at every table.
    ///
    /// # Errors
    /// If the learner's seat never has a choice.
    fn reset(&mut self, seed: u64, out: StepBuffers<'_>) -> Result<()>;

    /// Takes an action at every table: -1 leaves a table and its rows as they are, -2 deals its next
    /// hand.
    ///
    /// # Errors
    /// Bad input if an action is not legal; no table changes then. Otherwise as
    /// [`reset`](VectorEnv::reset).
    fn step(&mut self, actions: &[i64], out: StepBuffers<'_>) -> Result<()>;

    /// Samples a legal action for every table; -2 where the hand is over.
    fn sample(&mut self, actions: &mut [i64]);

    /// The learner's view at a table (the first seat's without opponents), drawn for a terminal.
    ///
    /// # Errors
    /// Bad input if there is no such table.
    fn picture(&self, table: usize) -> Result<String>;
}

/// The buffers for the outcome of a step: rows of equal length, one per table. An empty slice is
/// not written.
pub struct StepBuffers<'a> {
    /// Encoded observation of the seat to move: [`Facts::numbers`] per table.
    pub observations: &'a mut [u8],
    /// 1 for each legal action: [`Facts::count`] per table.
    pub masks: &'a mut [u8],
    /// Rewards of the hand that ended with this step, otherwise 0: [`columns`](VectorEnv::columns) per
    /// table.
    pub rewards: &'a mut [f32],
    /// 1 if a hand ended with this step; with `autoreset` the observation is then of the next hand.
    pub dones: &'a mut [u8],
    /// The seat to move.
    pub seats: &'a mut [u8],
}

/// Divides a buffer into this number of equal rows. The rows of an empty buffer are empty.
fn rows<T>(mut buffer: &mut [T], count: usize) -> impl Iterator<Item = &mut [T]> {
    let width = buffer.len() / count;
    (0..count).map(move |_| buffer.split_off_mut(..width).unwrap_or_default())
}

impl<'a> StepBuffers<'a> {
    /// Returns the buffers of each table.
    pub(super) fn rows(self, tables: usize) -> impl Iterator<Item = StepBuffers<'a>> {
        let observations = rows(self.observations, tables);
        let (masks, rewards) = (rows(self.masks, tables), rows(self.rewards, tables));
        let (dones, seats) = (rows(self.dones, tables), rows(self.seats, tables));
        let all = izip!(observations, masks, rewards, dones, seats);
        all.map(|(observations, masks, rewards, dones, seats)| StepBuffers {
            observations,
            masks,
            rewards,
            dones,
            seats,
        })
    }
}

/// The options of a [`VectorEnv`].
#[derive(Clone, Debug)]
pub struct VectorOptions {
    /// A variant, as [`open`](super::open) reads it.
    pub variant: String,
    /// Reward of results.
    pub reward: Reward,
    /// The number of tables.
    pub tables: usize,
    /// The number of threads.
    pub threads: usize,
    /// The learner's opponents by name or path: one for all other seats, or one for each from the seat
    /// after the learner's. If empty, the learner chooses for every seat.
    pub opponents: Vec<String>,
    /// The learner's seat among opponents; by default it rotates by one with each hand.
    pub seat: Option<usize>,
    /// A table whose hand ended deals the next one in the same step. Otherwise it shows the end of
    /// the hand, without legal actions, until action -2.
    pub autoreset: bool,
    /// The caller allocates memory for encoded observations.
    pub observations: bool,
    /// The caller allocates memory for action masks.
    pub masks: bool,
}

/// Loads a strategy that is not an external program: a name, a path, or a strategy file's text.
pub(super) fn strategy<G: Strategic>(name: &str) -> Result<Strategy<G>> {
    let strategy = match name.trim_start().starts_with('{') {
        false => Strategy::load(&Library::strategies(G::NAME), name)?,
        true => Strategy::read(&SourceFile::new("strategy", Origin::Given, name.to_owned()))
            .map_err(Error::without_lines)?,
    };
    if G::external(&strategy.spec).is_some() {
        let what =
            format!("`{name}` is an external program; environments take only built-in strategies");
        return Err(Error::input(what));
    }
    Ok(strategy)
}
