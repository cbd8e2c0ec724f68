//! An environment of one table.

use std::sync::Mutex;

use numpy::PyArray1;
use parlour::environment::{Environment as Table, Facts, Reward, open_position};
use parlour::files::compact;
use parlour::game::Seat;
use parlour::with_game;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

use crate::arguments::{Name, WholeNumber, position_text};
use crate::error::{OrRaise, input};

/// The variant as the library reads it: a name, or an object as JSON; by default the game's first
/// one.
pub fn variant(py: Python<'_>, game: &Name, said: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
    match said {
        None => crate::lists::variants_of(py, game)?.into_iter().next().map_or_else(
            || Err(input(py, format!("`{}` has no variant", &**game))),
            |(name, _)| Ok(name.to_owned()),
        ),
        Some(said) => py.import("parlour.arguments")?.call_method1("variant", (said,))?.extract(),
    }
}

/// The strategies of a game as the library reads them: a name, a path, a dict, a `Strategy`, or a
/// list of these.
pub fn strategies(game: &str, said: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    said.py().import("parlour.arguments")?.call_method1("strategies", (game, said))?.extract()
}

/// Parses JSON into plain Python objects.
pub fn loads<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}

/// The description of an environment as plain objects, created on first use.
pub struct LazyObject(PyOnceLock<Py<PyAny>>);

impl LazyObject {
    /// Creates an empty cell.
    pub const fn new() -> LazyObject {
        LazyObject(PyOnceLock::new())
    }

    /// Returns the objects.
    pub fn of<'py>(&self, py: Python<'py>, facts: &Facts) -> PyResult<Bound<'py, PyAny>> {
        let make = || loads(py, &compact(facts)).map(Bound::unbind);
        Ok(self.0.get_or_try_init(py, make)?.bind(py).clone())
    }
}

/// A table of a game: seats choose one after the other until the hand is over.
#[pyclass(module = "parlour.envs")]
pub struct Environment {
    /// Never contended: every method has exclusive access to the table.
    table: Mutex<Box<dyn Table>>,
    /// Buffer for encoded observations.
    scratch: Vec<u8>,
    /// The variant as it was given: a name or JSON.
    variant: String,
    facts: LazyObject,
}

impl Environment {
    fn of(variant: String, table: Box<dyn Table>) -> Environment {
        let scratch = vec![0; table.facts().numbers];
        Environment { scratch, variant, table: Mutex::new(table), facts: LazyObject::new() }
    }

    fn table(&mut self) -> &mut dyn Table {
        &mut **self.table.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The given seat, or the seat to move; the first seat if the hand is over.
    fn seat_or(&mut self, py: Python<'_>, seat: Option<WholeNumber>) -> PyResult<Seat> {
        let seats = self.table().facts().seats;
        let Some(seat) = seat else { return Ok(self.table().turn().unwrap_or_default()) };
        let none =
            |said| input(py, format!("there is no seat {said}; seats are 0 to {}", seats - 1));
        match seat.fit::<u8>() {
            Ok(seat) if usize::from(seat) < seats => Ok(Seat(seat)),
            Ok(seat) => Err(none(seat.to_string())),
            Err(said) => Err(none(said)),
        }
    }

    /// An action, legal or not.
    fn action_or(&mut self, py: Python<'_>, action: &WholeNumber) -> PyResult<i64> {
        action.fit().map_err(|said| {
            let last = self.table().facts().count.saturating_sub(1);
            input(py, format!("there is no action {said}; actions are 0 to {last}"))
        })
    }

    fn numbers<'py>(&mut self, py: Python<'py>, seat: Seat) -> Bound<'py, PyArray1<u8>> {
        let mut scratch = std::mem::take(&mut self.scratch);
        self.table().observe(seat, &mut scratch);
        self.scratch = scratch;
        PyArray1::from_slice(py, &self.scratch)
    }

    fn marks<'py>(&mut self, py: Python<'py>, seat: Seat) -> Bound<'py, PyArray1<i8>> {
        let table = self.table();
        let own = table.turn() == Some(seat);
        let bit =
            |action: usize| table.legal().get(action / 64).map_or(0, |w| w >> (action % 64) & 1);
        let marks = (0..table.facts().count).map(|action| i8::from(own && bit(action) == 1));
        PyArray1::from_iter(py, marks)
    }
}

#[pymethods]
impl Environment {
    #[new]
    #[pyo3(
        signature = (game, variant=None, *, reward=Name::from("win"), seed=WholeNumber::Is(0), deal=WholeNumber::Is(0)),
        text_signature = "(game, variant=None, *, reward='win', seed=0, deal=0)"
    )]
    fn new(
        py: Python<'_>,
        game: Name,
        variant: Option<&Bound<'_, PyAny>>,
        reward: Name,
        seed: WholeNumber,
        deal: WholeNumber,
    ) -> PyResult<Environment> {
        let (seed, deal) = (seed.of(py, "seed")?, deal.of(py, "deal")?);
        let reward: Reward = reward.parse::<Reward>().or_raise(py)?;
        let variant = self::variant(py, &game, variant)?;
        let game = parlour::games::game(&game);
        let mut table = game.and_then(|game| (game.environment)(&variant, reward)).or_raise(py)?;
        table.reset(seed, deal);
        Ok(Environment::of(variant, table))
    }

    /// Opens a table at a position: a bot's view, `position()` of a table, a position file or its
    /// plain objects. What the seat of the position does not know is sampled from the seed, and so is
    /// future chance; `reset()` samples both again. Such a table has no `record()`.
    #[staticmethod]
    #[pyo3(
        signature = (position, *, reward=Name::from("win"), seed=WholeNumber::Is(0)),
        text_signature = "(position, *, reward='win', seed=0)"
    )]
    pub fn from_position(
        position: &Bound<'_, PyAny>,
        reward: Name,
        seed: WholeNumber,
    ) -> PyResult<Environment> {
        let py = position.py();
        let ((game, text), seed) = (position_text(position, None)?, seed.of(py, "seed")?);
        let reward: Reward = reward.parse().or_raise(py)?;
        let table = with_game!(&*game, G => open_position::<G>(&text, reward, seed)).flatten();
        Ok(Environment::of(String::new(), table.or_raise(py)?))
    }

    /// Description of the environment as plain objects: `game`, `variant`, `rules`, `seats`, the
    /// `planes` of an observation, the groups of `actions`, `numbers`, `count`, `longest`, `reward`.
    #[getter]
    fn facts<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let table = self.table.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        self.facts.of(py, table.facts())
    }

    /// Number of seats.
    #[getter]
    fn seats(&mut self) -> usize {
        self.table().facts().seats
    }

    /// Number of actions, legal or not: the length of a mask.
    #[getter]
    fn actions(&mut self) -> usize {
        self.table().facts().count
    }

    /// Length of an observation.
    #[getter(numbers)]
    fn width(&mut self) -> usize {
        self.table().facts().numbers
    }

    /// The seat to move; None if the hand is over.
    #[getter]
    fn seat(&mut self) -> Option<u8> {
        self.table().turn().map(|seat| seat.0)
    }

    /// Seed of the hand.
    #[getter]
    fn seed(&mut self) -> u64 {
        self.table().dealt().0
    }

    /// Number of the deal; at a table from a position the number of `reset()` calls.
    #[getter]
    fn deal(&mut self) -> u64 {
        self.table().dealt().1
    }

    /// Reward of each seat for the finished hand, a list of floats; zeros before its end.
    #[getter]
    fn rewards(&mut self) -> Vec<f32> {
        self.table().rewards()
    }

    /// Points of each seat if the hand ended here, a list of ints.
    #[getter]
    fn points(&mut self) -> Vec<i32> {
        self.table().points()
    }

    /// Deals a hand: the first one of a new seed, the next one of the same seed, or the given one.
    #[pyo3(signature = (seed=None, deal=None))]
    fn reset(
        &mut self,
        py: Python<'_>,
        seed: Option<WholeNumber>,
        deal: Option<WholeNumber>,
    ) -> PyResult<()> {
        let seed: Option<u64> = seed.map(|seed| seed.of(py, "seed")).transpose()?;
        let deal: Option<u64> = deal.map(|deal| deal.of(py, "deal")).transpose()?;
        let (last, at) = self.table().dealt();
        let next = if seed.is_some() { 0 } else { at.wrapping_add(1) };
        self.table().reset(seed.unwrap_or(last), deal.unwrap_or(next));
        Ok(())
    }

    /// Plays an action for the seat to move, or a move in the game's notation. A move of a record
    /// that is several actions (a turn of Running Leopard, a chain of Leap Frog) works, too. Illegal
    /// ones raise `InputError` and change nothing.
    fn step(&mut self, py: Python<'_>, action: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Ok(text) = action.extract::<String>() {
            return self.table().make(&text).or_raise(py);
        }
        let action = self.action_or(py, &action.extract()?)?;
        self.table().step(action).or_raise(py)
    }

    /// A random legal action; the hand must not be over. It draws from the table's own stream.
    fn sample(&mut self, py: Python<'_>) -> PyResult<i64> {
        let over = || input(py, "the hand is over; `reset` deals another".to_owned());
        self.table().sample().ok_or_else(over)
    }

    /// Legal actions of the seat to move in ascending order; empty when the hand is over.
    fn legal_actions(&mut self) -> Vec<i64> {
        parlour::environment::actions(self.table().legal()).collect()
    }

    /// Observation of a seat, by default of the seat to move: a new uint8 array of length `numbers`.
    #[pyo3(signature = (seat=None))]
    pub fn observe<'py>(
        &mut self,
        py: Python<'py>,
        seat: Option<WholeNumber>,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let seat = self.seat_or(py, seat)?;
        Ok(self.numbers(py, seat))
    }

    /// 1 for each legal action of the seat, else 0: a new int8 array of length `actions`.
    #[pyo3(signature = (seat=None))]
    pub fn mask<'py>(
        &mut self,
        py: Python<'py>,
        seat: Option<WholeNumber>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let seat = self.seat_or(py, seat)?;
        Ok(self.marks(py, seat))
    }

    /// `observation` (uint8) and `action_mask` (int8) in a dict, as PettingZoo returns them.
    #[pyo3(signature = (seat=None))]
    fn observation<'py>(
        &mut self,
        py: Python<'py>,
        seat: Option<WholeNumber>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let seat = self.seat_or(py, seat)?;
        let dict = PyDict::new(py);
        dict.set_item(pyo3::intern!(py, "observation"), self.numbers(py, seat))?;
        dict.set_item(pyo3::intern!(py, "action_mask"), self.marks(py, seat))?;
        Ok(dict)
    }

    /// View of a seat as plain objects, as external bots receive it. It contains nothing hidden.
    #[pyo3(signature = (seat=None))]
    fn view<'py>(
        &mut self,
        py: Python<'py>,
        seat: Option<WholeNumber>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let seat = self.seat_or(py, seat)?;
        loads(py, &self.table().view(seat).or_raise(py)?)
    }

    /// View, rules and past moves of a seat in the form of a position file, for every strategy and
    /// `from_position`.
    #[pyo3(signature = (seat=None))]
    fn position<'py>(
        &mut self,
        py: Python<'py>,
        seat: Option<WholeNumber>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let seat = self.seat_or(py, seat)?;
        loads(py, &self.table().position(seat).or_raise(py)?)
    }

    /// Moves so far as the seat saw them: a list of (seat, move in the game's notation).
    #[pyo3(signature = (seat=None))]
    fn past(&mut self, py: Python<'_>, seat: Option<WholeNumber>) -> PyResult<Vec<(u8, String)>> {
        let seat = self.seat_or(py, seat)?;
        Ok(self.table().past(seat).into_iter().map(|made| (made.seat.0, made.mv)).collect())
    }

    /// View of a seat as text of 80 columns.
    #[pyo3(signature = (seat=None))]
    fn picture(&mut self, py: Python<'_>, seat: Option<WholeNumber>) -> PyResult<String> {
        let seat = self.seat_or(py, seat)?;
        self.table().picture(seat).or_raise(py)
    }

    /// Notation of an action.
    fn notation(&mut self, py: Python<'_>, action: WholeNumber) -> PyResult<String> {
        let action = self.action_or(py, &action)?;
        let none = || input(py, format!("action {action} is no move under these rules"));
        self.table().notation(action).ok_or_else(none)
    }

    /// Action of a move in the game's notation.
    pub fn action(&mut self, py: Python<'_>, notation: Name) -> PyResult<i64> {
        self.table().action_of(&notation).or_raise(py)
    }

    /// Action that a strategy would choose here: a name, a path, a dict like a strategy
    /// file, or a `parlour.strategy`.
    fn choose(&mut self, py: Python<'_>, strategy: &Bound<'_, PyAny>) -> PyResult<i64> {
        let table = self.table();
        let strategy = strategies(table.facts().game, strategy)?.concat();
        py.detach(|| table.choose(&strategy)).or_raise(py)
    }

    /// The tables after each outcome of chance that may follow an action, or of the deal without one:
    /// a list of (integer weight, `Environment`). None if there are too many to list. This table
    /// stays as it is.
    #[pyo3(signature = (action=None))]
    fn outcomes(
        &mut self,
        py: Python<'_>,
        action: Option<WholeNumber>,
    ) -> PyResult<Option<Vec<(u64, Environment)>>> {
        let action = action.map(|action| self.action_or(py, &action)).transpose()?;
        let outcomes = self.table().outcomes(action).or_raise(py)?;
        let table = |(weight, table)| (weight, Environment::of(self.variant.clone(), table));
        Ok(outcomes.map(|all| all.into_iter().map(table).collect()))
    }

    /// The finished hand as plain objects, as in a line of `records.jsonl`.
    fn record<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loads(py, &self.table().record().or_raise(py)?)
    }

    /// A new table that agrees with what a seat knows, by default the seat to move. Hidden cards or
    /// rules and all future chance are sampled, so that searches cannot peek. The same seed
    /// gives the same table; by default the seed comes from the stream of `sample()`, so that each
    /// call gives another table. `past()` shows the moves that the seat saw; `reset()` samples again;
    /// `record()` is refused.
    #[pyo3(signature = (seat=None, seed=None))]
    fn determinize(
        &mut self,
        py: Python<'_>,
        seat: Option<WholeNumber>,
        seed: Option<WholeNumber>,
    ) -> PyResult<Environment> {
        let seed = seed.map(|seed| seed.of(py, "seed")).transpose()?;
        let seat = self.seat_or(py, seat)?;
        let table = self.table().determinize(seat, seed).or_raise(py)?;
        // The variant may name a secret.
        Ok(Environment::of(String::new(), table))
    }

    /// A copy of the table, with all that is hidden and the same future chance: a search over copies
    /// sees the other hands and every card to come. `clone(hidden=False)` is `determinize()` for
    /// the seat to move: it resamples both.
    #[pyo3(signature = (*, hidden=true))]
    fn clone(&mut self, py: Python<'_>, hidden: bool) -> PyResult<Environment> {
        if !hidden {
            return self.determinize(py, None, None);
        }
        Ok(Environment::of(self.variant.clone(), self.table().copy()))
    }

    fn __copy__(&mut self, py: Python<'_>) -> PyResult<Environment> {
        self.clone(py, true)
    }

    fn __deepcopy__(&mut self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Environment> {
        self.clone(py, true)
    }

    /// For pickle: the arguments that open this table.
    fn __getnewargs_ex__<'py>(
        &mut self,
        py: Python<'py>,
    ) -> PyResult<((String, String), Bound<'py, PyDict>)> {
        let (seed, deal) = self.table().dealt();
        let (reward, said) = (self.table().facts().reward, PyDict::new(py));
        said.set_item("reward", loads(py, &compact(&reward))?)?;
        said.set_item("seed", seed)?;
        said.set_item("deal", deal)?;
        Ok(((self.table().facts().game.to_owned(), self.variant.clone()), said))
    }

    /// For pickle: the moves so far.
    fn __getstate__(&mut self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.table().moves().or_raise(py)
    }

    /// For pickle: repeats the moves.
    fn __setstate__(&mut self, py: Python<'_>, moves: Vec<String>) -> PyResult<()> {
        moves.iter().try_for_each(|text| self.table().make(text)).or_raise(py)
    }

    fn __repr__(&mut self) -> String {
        let (facts, (seed, deal)) = (self.table().facts().clone(), self.table().dealt());
        format!("<{} {}, seed {seed}, deal {deal}>", facts.game, facts.variant)
    }
}
