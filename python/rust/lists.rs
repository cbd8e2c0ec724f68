//! Lists of games, variants, strategies and experiments.

use parlour::files::Library;
use parlour::games::game;
use parlour::{Error, GAMES};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};

use crate::arguments::Name;
use crate::error::OrRaise;

/// The names of the games.
#[pyfunction]
pub fn games() -> Vec<&'static str> {
    GAMES.to_vec()
}

/// The variants of a game: a sentence for each name.
#[pyfunction]
pub fn variants<'py>(py: Python<'py>, game: Name) -> PyResult<Bound<'py, PyDict>> {
    variants_of(py, &game)?.into_py_dict(py)
}

/// The variants of a loaded game with a sentence for each.
pub fn variants_of(py: Python<'_>, game: &str) -> PyResult<Vec<(&'static str, &'static str)>> {
    self::game(game).map(|game| (game.variants)()).or_raise(py)
}

/// The strategies of a game, built-in ones and files in `strategies/` here: a sentence for each name,
/// empty for a file that cannot be read.
#[pyfunction]
pub fn strategies<'py>(py: Python<'py>, game: Name) -> PyResult<Bound<'py, PyDict>> {
    let game = self::game(&game).or_raise(py)?;
    let about = |name: String| {
        let strategy = game.load_strategy(&name);
        let about = strategy.map_or_else(|_| String::new(), |it| it.info().about.to_owned());
        (name, about)
    };
    game.strategies().names().into_iter().map(about).into_py_dict(py)
}

/// The moves of a recorded hand: pairs of a seat and a move, each for `Environment.step`. The same
/// seed and deal lead to the same hand.
#[pyfunction]
pub fn moves(py: Python<'_>, record: &Bound<'_, PyAny>) -> PyResult<Vec<(u8, String)>> {
    let given = py.import("parlour.arguments")?.call_method1("record", (record,))?;
    let (name, line): (String, String) = given.extract()?;
    let record = game(&name).and_then(|game| (game.record)("record", 1, &line)).or_raise(py)?;
    let replay = record.replay().map_err(Error::input).or_raise(py)?;
    Ok(replay.moves().into_iter().map(|(seat, mv)| (seat.0, mv)).collect())
}

/// The names of the experiments: built-in ones and files in `experiments/` here.
#[pyfunction]
pub fn experiments() -> Vec<String> {
    Library::experiments().names()
}
