//! Lists of games, variants, strategies and experiments.

use parlour::files::Library;
use parlour::games::{AnyGame, game};
use parlour::{Error, GAMES};
use pyo3::prelude::*;

use crate::arguments::Name;
use crate::error::OrRaise;

/// The names of the games.
#[pyfunction]
pub fn games() -> Vec<&'static str> {
    GAMES.to_vec()
}

/// The names of a game's variants.
#[pyfunction]
pub fn variants(py: Python<'_>, game: Name) -> PyResult<Vec<&'static str>> {
    variants_of(py, &game)
}

/// The names of the variants of a loaded game.
pub fn variants_of(py: Python<'_>, game: &str) -> PyResult<Vec<&'static str>> {
    let names = |game: &AnyGame| (game.variants)().into_iter().map(|(name, _)| name).collect();
    self::game(game).map(names).or_raise(py)
}

/// The names of a game's strategies: built-in ones and files in `strategies/` here.
#[pyfunction]
pub fn strategies(py: Python<'_>, game: Name) -> PyResult<Vec<String>> {
    self::game(&game).map(|game| game.strategies().names()).or_raise(py)
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
