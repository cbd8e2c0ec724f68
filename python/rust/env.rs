//! An environment of one table.

use std::sync::Mutex;

use numpy::PyArray1;
use parlour::environment::{Environment as Table, Facts, Reward};
use parlour::game::Seat;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

use crate::arguments::{Name, WholeNumber};
use crate::error::{OrRaise, input};
use crate::strategy::Strategy;

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
        let make = || loads(py, &parlour::files::compact(facts)).map(Bound::unbind);
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

    /// Description of the environment and its numbers, as plain objects.
    #[getter]
    fn facts<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let table = self.table.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        self.facts.of(py, table.facts())
    }

    #[getter]
    fn seats(&mut self) -> usize {
        self.table().facts().seats
    }

    #[getter]
    fn actions(&mut self) -> usize {
        self.table().facts().count
    }

    #[getter(numbers)]
    fn width(&mut self) -> usize {
        self.table().facts().numbers
    }

    /// The seat to move; None if the hand is over.
    #[getter]
    fn seat(&mut self) -> Option<u8> {
        self.table().turn().map(|seat| seat.0)
    }

    #[getter]
    fn seed(&mut self) -> u64 {
        self.table().dealt().0
    }

    #[getter]
    fn deal(&mut self) -> u64 {
        self.table().dealt().1
    }

    #[getter]
    fn rewards(&mut self) -> Vec<f32> {
        self.table().rewards()
    }

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

    fn step(&mut self, py: Python<'_>, action: &Bound<'_, PyAny>) -> PyResult<()> {
        if let Ok(text) = action.extract::<String>() {
            return self.table().make(&text).or_raise(py);
        }
        let action = self.action_or(py, &action.extract()?)?;
        self.table().step(action).or_raise(py)
    }

    fn sample(&mut self, py: Python<'_>) -> PyResult<i64> {
        let over = || input(py, "the hand is over; `reset` deals another".to_owned());
        self.table().sample().ok_or_else(over)
    }

    fn legal_actions(&mut self) -> Vec<i64> {
        parlour::environment::actions(self.table().legal()).collect()
    }

    #[pyo3(signature = (seat=None))]
    fn observe<'py>(
        &mut self,
        py: Python<'py>,
        seat: Option<WholeNumber>,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let seat = self.seat_or(py, seat)?;
        Ok(self.numbers(py, seat))
    }

    #[pyo3(signature = (seat=None))]
    fn mask<'py>(
        &mut self,
        py: Python<'py>,
        seat: Option<WholeNumber>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let seat = self.seat_or(py, seat)?;
        Ok(self.marks(py, seat))
    }

    /// Observation and mask, as PettingZoo returns them.
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

    #[pyo3(signature = (seat=None))]
    fn view<'py>(
        &mut self,
        py: Python<'py>,
        seat: Option<WholeNumber>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let seat = self.seat_or(py, seat)?;
        loads(py, &self.table().view(seat).or_raise(py)?)
    }

    /// The position file of a seat, which every strategy accepts.
    #[pyo3(signature = (seat=None))]
    fn position<'py>(
        &mut self,
        py: Python<'py>,
        seat: Option<WholeNumber>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let seat = self.seat_or(py, seat)?;
        loads(py, &self.table().position(seat).or_raise(py)?)
    }

    #[pyo3(signature = (seat=None))]
    fn past(&mut self, py: Python<'_>, seat: Option<WholeNumber>) -> PyResult<Vec<(u8, String)>> {
        let seat = self.seat_or(py, seat)?;
        Ok(self.table().past(seat).into_iter().map(|made| (made.seat.0, made.mv)).collect())
    }

    #[pyo3(signature = (seat=None))]
    fn picture(&mut self, py: Python<'_>, seat: Option<WholeNumber>) -> PyResult<String> {
        let seat = self.seat_or(py, seat)?;
        self.table().picture(seat).or_raise(py)
    }

    fn notation(&mut self, py: Python<'_>, action: WholeNumber) -> PyResult<String> {
        let action = self.action_or(py, &action)?;
        let none = || input(py, format!("action {action} is no move under these rules"));
        self.table().notation(action).ok_or_else(none)
    }

    fn action(&mut self, py: Python<'_>, notation: Name) -> PyResult<i64> {
        self.table().action_of(&notation).or_raise(py)
    }

    fn choose(&mut self, py: Python<'_>, strategy: &Bound<'_, PyAny>) -> PyResult<i64> {
        if let Ok(asked) = strategy.cast::<Strategy>() {
            let chosen: Name =
                asked.call_method1("choose", (self.position(py, None)?,))?.extract()?;
            return self.action(py, chosen);
        }
        let (strategy, table): (Name, _) = (strategy.extract()?, self.table());
        py.detach(|| table.choose(&strategy)).or_raise(py)
    }

    fn record<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loads(py, &self.table().record().or_raise(py)?)
    }

    fn clone(&mut self) -> Environment {
        Environment::of(self.variant.clone(), self.table().copy())
    }

    fn __copy__(&mut self) -> Environment {
        self.clone()
    }

    fn __deepcopy__(&mut self, _memo: &Bound<'_, PyAny>) -> Environment {
        self.clone()
    }

    /// For pickle: the arguments that open this table.
    fn __getnewargs_ex__<'py>(
        &mut self,
        py: Python<'py>,
    ) -> PyResult<((String, String), Bound<'py, PyDict>)> {
        let (seed, deal) = self.table().dealt();
        let (reward, said) = (self.table().facts().reward, PyDict::new(py));
        said.set_item("reward", loads(py, &parlour::files::compact(&reward))?)?;
        said.set_item("seed", seed)?;
        said.set_item("deal", deal)?;
        Ok(((self.table().facts().game.to_owned(), self.variant.clone()), said))
    }

    /// For pickle: the moves so far.
    fn __getstate__(&mut self) -> Vec<String> {
        self.table().past(Seat(0)).into_iter().map(|made| made.mv).collect()
    }

    /// For pickle: repeats the moves.
    fn __setstate__(&mut self, py: Python<'_>, moves: Vec<String>) -> PyResult<()> {
        moves.iter().try_for_each(|text| self.table().make(text)).or_raise(py)
    }

    /// Does nothing; measures the cost of a call.
    fn nothing(&mut self, action: i64) -> i64 {
        action
    }

    fn __repr__(&mut self) -> String {
        let (facts, (seed, deal)) = (self.table().facts().clone(), self.table().dealt());
        format!("<{} {}, seed {seed}, deal {deal}>", facts.game, facts.variant)
    }
}
