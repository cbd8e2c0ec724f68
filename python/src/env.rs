//! One table as a learning program holds it.

use std::sync::Mutex;

use numpy::PyArray1;
use parlour::environment::{Environment as Table, Facts, Reward};
use parlour::game::Seat;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

use crate::error::{OrRaise, exception};
use crate::strategy::Strategy;
use crate::whole::{Name, Whole};

/// Bad input.
pub fn input(py: Python<'_>, what: String) -> PyErr {
    exception(py, &parlour::Error::input(what))
}

/// A variant as the library reads it: a name, or an object as JSON; the game's first without one.
pub fn variant(py: Python<'_>, game: &Name, said: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
    match said {
        None => crate::lists::variants_of(py, game)?.into_iter().next().map_or_else(
            || Err(input(py, format!("`{}` has no variant", &**game))),
            |name| Ok(name.to_owned()),
        ),
        Some(said) => py.import("parlour.given")?.call_method1("variant", (said,))?.extract(),
    }
}

/// JSON as plain objects.
pub fn loads<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}

/// What an environment is, as plain objects that are made when they are first asked for.
pub struct Told(PyOnceLock<Py<PyAny>>);

impl Told {
    /// Not asked for yet.
    pub const fn new() -> Told {
        Told(PyOnceLock::new())
    }

    /// They.
    pub fn of<'py>(&self, py: Python<'py>, facts: &Facts) -> PyResult<Bound<'py, PyAny>> {
        let make = || loads(py, &parlour::files::compact(facts)).map(Bound::unbind);
        Ok(self.0.get_or_try_init(py, make)?.bind(py).clone())
    }
}

/// One table of a game: seats choose one after the other until the hand is over.
#[pyclass(module = "parlour.envs")]
pub struct Environment {
    /// Never locked: every method has the table for itself.
    table: Mutex<Box<dyn Table>>,
    /// Where observations are written first.
    scratch: Vec<u8>,
    /// The variant as it was given, a name or JSON.
    variant: String,
    told: Told,
}

impl Environment {
    fn of(variant: String, table: Box<dyn Table>) -> Environment {
        let scratch = vec![0; table.facts().numbers];
        Environment { scratch, variant, table: Mutex::new(table), told: Told::new() }
    }

    fn table(&mut self) -> &mut dyn Table {
        &mut **self.table.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The seat that is asked about, or that has to choose; the first when nobody has.
    fn seat_or(&mut self, py: Python<'_>, seat: Option<Whole>) -> PyResult<Seat> {
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
    fn action_or(&mut self, py: Python<'_>, action: &Whole) -> PyResult<i64> {
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
        signature = (game, variant=None, *, reward=Name::from("win"), seed=Whole::Is(0), deal=Whole::Is(0)),
        text_signature = "(game, variant=None, *, reward='win', seed=0, deal=0)"
    )]
    fn new(
        py: Python<'_>,
        game: Name,
        variant: Option<&Bound<'_, PyAny>>,
        reward: Name,
        seed: Whole,
        deal: Whole,
    ) -> PyResult<Environment> {
        let (seed, deal) = (seed.of(py, "seed")?, deal.of(py, "deal")?);
        let reward: Reward = reward.parse::<Reward>().or_raise(py)?;
        let variant = self::variant(py, &game, variant)?;
        let game = parlour::games::game(&game);
        let mut table = game.and_then(|game| game.environment(&variant, reward)).or_raise(py)?;
        table.reset(seed, deal);
        Ok(Environment::of(variant, table))
    }

    /// What the environment is and what its numbers mean, as plain objects.
    #[getter]
    fn facts<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let table = self.table.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        self.told.of(py, table.facts())
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

    /// The seat to choose; None when the hand is over.
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

    /// Deals a hand: of another seed its first, of the same one the next, or the one asked for.
    #[pyo3(signature = (seed=None, deal=None))]
    fn reset(&mut self, py: Python<'_>, seed: Option<Whole>, deal: Option<Whole>) -> PyResult<()> {
        let seed: Option<u64> = seed.map(|seed| seed.of(py, "seed")).transpose()?;
        let deal: Option<u64> = deal.map(|deal| deal.of(py, "deal")).transpose()?;
        let (last, at) = self.table().dealt();
        let next = if seed.is_some() { 0 } else { at.wrapping_add(1) };
        self.table().reset(seed.unwrap_or(last), deal.unwrap_or(next));
        Ok(())
    }

    fn step(&mut self, py: Python<'_>, action: Whole) -> PyResult<()> {
        let action = self.action_or(py, &action)?;
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
        seat: Option<Whole>,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let seat = self.seat_or(py, seat)?;
        Ok(self.numbers(py, seat))
    }

    #[pyo3(signature = (seat=None))]
    fn mask<'py>(
        &mut self,
        py: Python<'py>,
        seat: Option<Whole>,
    ) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let seat = self.seat_or(py, seat)?;
        Ok(self.marks(py, seat))
    }

    /// Both, as PettingZoo hands them out.
    #[pyo3(signature = (seat=None))]
    fn observation<'py>(
        &mut self,
        py: Python<'py>,
        seat: Option<Whole>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let seat = self.seat_or(py, seat)?;
        let dict = PyDict::new(py);
        dict.set_item(pyo3::intern!(py, "observation"), self.numbers(py, seat))?;
        dict.set_item(pyo3::intern!(py, "action_mask"), self.marks(py, seat))?;
        Ok(dict)
    }

    #[pyo3(signature = (seat=None))]
    fn view<'py>(&mut self, py: Python<'py>, seat: Option<Whole>) -> PyResult<Bound<'py, PyAny>> {
        let seat = self.seat_or(py, seat)?;
        loads(py, &self.table().view(seat).or_raise(py)?)
    }

    /// The same as a position file says it, which every strategy takes.
    #[pyo3(signature = (seat=None))]
    fn position<'py>(
        &mut self,
        py: Python<'py>,
        seat: Option<Whole>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let seat = self.seat_or(py, seat)?;
        loads(py, &self.table().position(seat).or_raise(py)?)
    }

    #[pyo3(signature = (seat=None))]
    fn past(&mut self, py: Python<'_>, seat: Option<Whole>) -> PyResult<Vec<(u8, String)>> {
        let seat = self.seat_or(py, seat)?;
        Ok(self.table().past(seat).into_iter().map(|made| (made.seat.0, made.mv)).collect())
    }

    #[pyo3(signature = (seat=None))]
    fn picture(&mut self, py: Python<'_>, seat: Option<Whole>) -> PyResult<String> {
        let seat = self.seat_or(py, seat)?;
        self.table().picture(seat).or_raise(py)
    }

    fn notation(&mut self, py: Python<'_>, action: Whole) -> PyResult<String> {
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

    /// For pickle: how to open this table.
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

    /// For pickle: what was done at it.
    fn __getstate__(&mut self) -> Vec<i64> {
        self.table().actions()
    }

    /// For pickle: does it again.
    fn __setstate__(&mut self, py: Python<'_>, actions: Vec<i64>) -> PyResult<()> {
        actions.into_iter().try_for_each(|action| self.table().step(action)).or_raise(py)
    }

    /// Does nothing: what a call costs.
    fn nothing(&mut self, action: i64) -> i64 {
        action
    }

    fn __repr__(&mut self) -> String {
        let (facts, (seed, deal)) = (self.table().facts().clone(), self.table().dealt());
        format!("<{} {}, seed {seed}, deal {deal}>", facts.game, facts.variant)
    }
}
