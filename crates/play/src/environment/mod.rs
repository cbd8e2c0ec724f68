//! Games as environments for programs that learn: chance is inside, seats choose one after the
//! other, views and moves are numbers ([`Encoded`]).
//!
//! [`Environment`] is one table, [`Batch`] many that are stepped at once. Both hide the game's types,
//! so that a program of another language can hold them. What an environment tells a seat is made of
//! its view and of nothing else.
//!
//! ```
//! use parlour_play::environment::{Reward, open};
//! use parlour_leopard::Leopard;
//!
//! let mut table = open::<Leopard>("revised", Reward::Win)?;
//! table.reset(1963, 0);
//! while table.turn().is_some() {
//!     let action = table.sample().unwrap();
//!     table.step(action)?;
//! }
//! assert_eq!(table.rewards().iter().sum::<f32>(), 0.0);
//! # Ok::<(), parlour_base::error::Error>(())
//! ```

mod batch;
mod mask;
mod reward;
mod room;
mod single;
#[cfg(test)]
mod tests;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::files::{Library, compact, parse_json};
use crate::game::{ActionGroup, Encoded, PastMove, Plane, Seat};
use crate::strategy::{Strategic, Strategy};
use crate::variant::{Variant, VariantSpec};

pub use batch::Out;
pub use mask::actions;
pub use reward::Reward;
pub use room::Rows;

/// What an environment is, and what its numbers mean.
#[derive(Clone, Debug, Serialize)]
pub struct Facts {
    /// The game's name.
    pub game: &'static str,
    /// The variant's name.
    pub variant: String,
    /// Its rules, written out.
    pub rules: Value,
    /// How many seats.
    pub seats: usize,
    /// What an observation is made of.
    pub planes: Vec<Plane>,
    /// What the actions are.
    pub actions: Vec<ActionGroup>,
    /// How many numbers an observation has.
    pub numbers: usize,
    /// How many actions there are.
    pub count: usize,
    /// No hand has more moves.
    pub longest: usize,
    /// What a result is worth.
    pub reward: Reward,
}

impl Facts {
    fn of<G: Strategic + Encoded>(variant: &Variant<G>, reward: Reward) -> Facts {
        let game = &variant.game;
        let (planes, actions) = (game.planes(), game.actions());
        Facts {
            game: G::NAME,
            variant: variant.name.clone(),
            rules: serde_json::to_value(game.rules()).unwrap_or_default(),
            seats: game.seats(),
            numbers: planes.iter().map(Plane::count).sum(),
            count: actions.iter().map(|actions| actions.count).sum(),
            longest: game.max_moves(),
            planes,
            actions,
            reward,
        }
    }

    /// How many words hold a bit for each action.
    fn words(&self) -> usize {
        self.count.div_ceil(64)
    }
}

/// One table. Seats choose one after the other until the hand is over.
pub trait Environment: Send {
    /// What it is.
    fn facts(&self) -> &Facts;

    /// Deals the hand that is number `deal` of an experiment with this seed.
    fn reset(&mut self, seed: u64, deal: u64);

    /// The seed and the deal of this hand.
    fn dealt(&self) -> (u64, u64);

    /// The seat to choose; none when the hand is over.
    fn turn(&self) -> Option<Seat>;

    /// The legal actions of the seat to choose: action `i` is bit `i % 64` of word `i / 64`.
    fn legal(&self) -> &[u64];

    /// Makes the choice of the seat whose turn it is.
    ///
    /// # Errors
    /// Bad input when the action is not legal or the hand is over; nothing is done then.
    fn step(&mut self, action: i64) -> Result<()>;

    /// One of the legal actions by lot; none when the hand is over.
    fn sample(&mut self) -> Option<i64>;

    /// Writes what a seat knows; `out` has [`Facts::numbers`] places.
    fn observe(&self, seat: Seat, out: &mut [u8]);

    /// What the hand came to, by seat; nothing before it is over.
    fn rewards(&self) -> Vec<f32>;

    /// The points of each seat, were the hand to end here.
    fn points(&self) -> Vec<i32>;

    /// What a seat knows, as JSON: the view that players from outside are handed.
    ///
    /// # Errors
    /// When there is no such seat.
    fn view(&self, seat: Seat) -> Result<String>;

    /// The same as a position file says it: with the game, its rules and the moves so far, as a strategy
    /// is asked about it.
    ///
    /// # Errors
    /// When there is no such seat.
    fn position(&self, seat: Seat) -> Result<String>;

    /// The actions so far. The same table plays them again to the same end.
    fn actions(&self) -> Vec<i64>;

    /// What a seat was told of the moves so far.
    fn past(&self, seat: Seat) -> Vec<PastMove>;

    /// An action in the game's notation; none where no move has this index.
    fn notation(&self, action: i64) -> Option<String>;

    /// The action of a move in the game's notation.
    ///
    /// # Errors
    /// Bad input when it is no move, or one without an index.
    fn action_of(&self, text: &str) -> Result<i64>;

    /// What a strategy would do here, by name or path.
    ///
    /// # Errors
    /// When the hand is over, there is no such strategy, or its move has no index.
    fn choose(&mut self, strategy: &str) -> Result<i64>;

    /// What a seat knows, drawn for a terminal of 80 columns.
    ///
    /// # Errors
    /// When there is no such seat.
    fn picture(&self, seat: Seat) -> Result<String>;

    /// The hand as a line of `records.jsonl`.
    ///
    /// # Errors
    /// Bad input while the hand goes on.
    fn record(&self) -> Result<String>;

    /// The same table once more, with the same chance to come.
    fn copy(&self) -> Box<dyn Environment>;
}

/// Many tables that are stepped at once. A table whose hand ends deals the next one by itself.
pub trait Batch: Send {
    /// What each of them is.
    fn facts(&self) -> &Facts;

    /// How many tables.
    fn tables(&self) -> usize;

    /// How many rewards there are for a table: one for each seat, or with opponents one.
    fn columns(&self) -> usize;

    /// Deals at every table anew.
    ///
    /// # Errors
    /// When the learner's seat never has a choice.
    fn reset(&mut self, seed: u64, out: Out<'_>) -> Result<()>;

    /// Makes a choice at every table.
    ///
    /// # Errors
    /// Bad input when an action is not legal; then nothing was done at any table. As
    /// [`reset`](Batch::reset).
    fn step(&mut self, actions: &[i64], out: Out<'_>) -> Result<()>;

    /// A legal action by lot for every table.
    fn sample(&mut self, actions: &mut [i64]);
}

/// Who sits at the tables of a [`Batch`] beside the learner.
#[derive(Clone, Debug, Default)]
pub struct Company {
    /// Strategies by name or path: one for all other seats, or one for each, from the seat after the
    /// learner's. Empty: the learner chooses for every seat.
    pub opponents: Vec<String>,
    /// The learner's seat; left out, it moves on by one with each hand.
    pub seat: Option<usize>,
}

/// Opens a table of a game. The variant is a name, a file of rules, or a JSON object with a base and
/// its changes.
///
/// # Errors
/// Bad input if there is no such variant.
pub fn open<G: Strategic + Encoded>(variant: &str, reward: Reward) -> Result<Box<dyn Environment>> {
    Ok(Box::new(single::Single::<G>::new(resolve(variant)?, reward)))
}

/// Opens many tables of a game, stepped by this number of threads; the caller writes these rows.
///
/// # Errors
/// Bad input if there is no such variant or strategy, a number is out of range, or the tables and
/// rows need more memory than is free.
pub fn open_many<G: Strategic + Encoded>(
    variant: &str,
    reward: Reward,
    tables: usize,
    threads: usize,
    company: &Company,
    rows: Rows,
) -> Result<Box<dyn Batch>> {
    let variant = resolve::<G>(variant)?;
    Ok(Box::new(batch::Many::new(variant, reward, tables, threads, company, rows)?))
}

/// The variant of this name or file, or that is written as a JSON object; that needs no name.
fn resolve<G: Strategic>(variant: &str) -> Result<Variant<G>> {
    const PLACE: &str = "variant";
    if !variant.trim_start().starts_with('{') {
        return Variant::named(variant);
    }
    let mut fields: Map<String, Value> = parse_json(PLACE, variant)?;
    fields.entry("name").or_insert_with(|| "own".into());
    let spec: VariantSpec<G::Patch> = parse_json(PLACE, &compact(&fields))?;
    Variant::resolve(&spec)
}

/// A strategy of this program.
fn strategy<G: Strategic>(name: &str) -> Result<Strategy<G>> {
    let strategy = Strategy::load(&Library::strategies(G::NAME), name)?;
    if G::external(&strategy.spec).is_some() {
        let what = format!("`{name}` is a program of its own; none can sit in an environment");
        return Err(Error::input(what));
    }
    Ok(strategy)
}

/// That there is no such action, or that it is not legal.
fn refusal<G: Encoded>(game: &G, facts: &Facts, legal: &[u64], action: i64) -> Error {
    let last = facts.count.saturating_sub(1);
    let index = usize::try_from(action).ok().filter(|index| *index <= last);
    let Some(index) = index else {
        return Error::input(format!("there is no action {action}; actions are 0 to {last}"));
    };
    let named =
        game.move_of(index).map_or_else(String::new, |mv| format!(" (`{}`)", game.notation(mv)));
    let right: Vec<String> = mask::actions(legal).take(8).map(|legal| legal.to_string()).collect();
    let (count, right) = (mask::count(legal), right.join(", "));
    let more = if count > 8 { ", …" } else { "" };
    Error::input(format!("action {action}{named} is not legal here; {count} are: {right}{more}"))
}
