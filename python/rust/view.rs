//! A bot's view as plain Python objects: the fields of the bot protocol, created on first use.

use std::sync::Arc;

use numpy::PyArray1;
use parlour::{Observation, PositionFile, Seat, Strategic};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pythonize::pythonize;
use serde_json::{Map, Value, json};

use crate::arguments::WholeNumber;
use crate::env::Environment;

/// The constant data of a hand.
pub struct Hand {
    /// The game's name with its variant or rules, as in a position file.
    named: Map<String, Value>,
    /// The complete rules.
    rules: Value,
    seats: usize,
    /// A seed for bots that use random numbers.
    seed: u64,
}

impl Hand {
    pub fn of<G: Strategic>(game: &G, view: &G::View, seed: u64) -> Hand {
        let mut named = match json!(PositionFile::of(game, view, &[])) {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        named.shift_remove("view");
        Hand { named, rules: json!(game.rules()), seats: game.seats(), seed }
    }
}

/// The information of the seat to move: a mapping of the view's fields (`parlour schema view`),
/// with the moves so far and the legal moves. It contains nothing hidden.
#[pyclass(frozen, mapping, module = "parlour")]
pub struct View {
    hand: Arc<Hand>,
    fields: Value,
    seat: u8,
    past: Vec<(u8, String)>,
    moves: Vec<String>,
    /// A table at this view, opened on first use.
    table: PyOnceLock<Py<Environment>>,
}

impl View {
    fn table<'py>(view: &Bound<'py, View>) -> PyResult<PyRefMut<'py, Environment>> {
        let (py, zero) = (view.py(), WholeNumber::Is(0));
        let open = || Py::new(py, Environment::from_position(view, "win".into(), zero)?);
        Ok(view.get().table.get_or_try_init(py, open)?.bind(py).borrow_mut())
    }

    pub fn of<G: Strategic>(
        hand: &Arc<Hand>,
        game: &G,
        seat: Seat,
        observation: Observation<'_, G>,
        moves: &[G::Move],
    ) -> View {
        let made = |(seat, mv): &(Seat, G::Move)| (seat.0, game.notation(*mv));
        View {
            hand: Arc::clone(hand),
            fields: json!(observation.view),
            seat: seat.0,
            past: observation.past.iter().map(made).collect(),
            moves: moves.iter().map(|mv| game.notation(*mv)).collect(),
            table: PyOnceLock::new(),
        }
    }

    /// The same as a position file.
    pub fn said(&self) -> Value {
        let mut said = self.hand.named.clone();
        let made = |(seat, mv): &(u8, String)| json!({ "seat": seat, "move": mv });
        said.insert("view".to_owned(), self.fields.clone());
        said.insert("past".to_owned(), self.past.iter().map(made).collect());
        Value::Object(said)
    }

    fn map(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.fields.as_object().into_iter().flatten()
    }
}

#[pymethods]
impl View {
    /// Name of the game.
    #[getter]
    fn game(&self) -> &str {
        self.hand.named.get("game").and_then(Value::as_str).unwrap_or_default()
    }

    /// The complete rules.
    #[getter]
    fn rules<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &self.hand.rules)?)
    }

    /// The seat to move, from 0.
    #[getter]
    fn seat(&self) -> u8 {
        self.seat
    }

    /// Number of seats.
    #[getter]
    fn seats(&self) -> usize {
        self.hand.seats
    }

    /// A seed for bots that use random numbers; the same whenever this hand is played again.
    #[getter]
    fn seed(&self) -> u64 {
        self.hand.seed
    }

    /// The legal moves in the game's notation.
    #[getter]
    fn moves(&self) -> Vec<&str> {
        self.moves.iter().map(String::as_str).collect()
    }

    /// The moves so far as the seat saw them: pairs of a seat and a move.
    #[getter]
    fn past(&self) -> Vec<(u8, &str)> {
        self.past.iter().map(|(seat, mv)| (*seat, mv.as_str())).collect()
    }

    /// The action number of each of `moves`, in the same order.
    #[getter]
    fn actions(view: &Bound<'_, Self>) -> PyResult<Vec<i64>> {
        let mut table = View::table(view)?;
        view.get().moves.iter().map(|mv| table.action(view.py(), mv.as_str().into())).collect()
    }

    /// The observation as `Environment.observe()` returns it: a new uint8 array of length `numbers`.
    fn observation<'py>(view: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        View::table(view)?.observe(view.py(), None)
    }

    /// 1 for each legal action, else 0: a new int8 array of length `actions` of the `Environment`.
    fn mask<'py>(view: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        View::table(view)?.mask(view.py(), None)
    }

    /// The position file as plain objects, which `parlour advise` and every strategy accept.
    fn position<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &self.said())?)
    }

    /// The game and the position file as JSON.
    fn _position_text(&self) -> (&str, String) {
        (self.game(), self.said().to_string())
    }

    fn __getitem__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let field = self.fields.get(name);
        Ok(pythonize(py, field.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?)?)
    }

    fn __contains__(&self, name: &str) -> bool {
        self.fields.get(name).is_some()
    }

    fn __len__(&self) -> usize {
        self.map().count()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let names: Vec<&str> = self.keys();
        Ok(names.into_bound_py_any(py)?.try_iter()?.into_any())
    }

    /// The names of the fields.
    fn keys(&self) -> Vec<&str> {
        self.map().map(|(name, _)| name.as_str()).collect()
    }

    /// The values of the fields.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.map().map(|(_, value)| Ok(pythonize(py, value)?)).collect()
    }

    /// The fields with their names.
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Vec<(&str, Bound<'py, PyAny>)>> {
        self.map().map(|(name, value)| Ok((name.as_str(), pythonize(py, value)?))).collect()
    }

    /// A field, or a default if there is none.
    #[pyo3(signature = (name, default=None, /), text_signature = "($self, key, default=None, /)")]
    fn get<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let field = self.fields.get(name).map(|value| pythonize(py, value)).transpose()?;
        Ok(field.or(default))
    }

    fn __repr__(&self) -> String {
        let View { seat, moves, fields, .. } = self;
        format!("<parlour.View of {}, seat {seat}, {} moves: {fields}>", self.game(), moves.len())
    }
}
