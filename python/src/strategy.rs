//! The program's strategies, asked from Python.

use parlour::files::{Found, Origin, Shelf};
use parlour::game::Forfeit;
use parlour::strategy::Advice;
use parlour::{Error, Result, Seed, Strategic, with_game};
use pyo3::prelude::*;
use pyo3::types::PyBool;
use serde_json::{Value, json};

use crate::error::{InputError, OrRaise};
use crate::plain;
use crate::view::position_text;
use crate::whole::Name;

/// A strategy of some game.
trait Asked: Send + Sync {
    fn name(&self) -> &str;

    /// All that it says, its bases and the usual options included.
    fn spelled(&self) -> Value;

    /// The move that it makes in a position.
    fn choose(&self, position: &str, seed: u64) -> Result<String>;

    /// The same with what it makes of the other moves.
    fn advise(&self, position: &str, seed: u64) -> Result<Value>;
}

struct Of<G: Strategic>(parlour::Strategy<G>);

impl<G: Strategic> Asked for Of<G> {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn spelled(&self) -> Value {
        json!(self.0.spec)
    }

    fn choose(&self, position: &str, seed: u64) -> Result<String> {
        let shown = G::position("position", position)?;
        let game = &shown.game;
        unforfeited(|| {
            let mut bot = game.bot(&self.0.spec);
            bot.start(shown.seat);
            let mv = bot.choose(game, shown.sight(), &mut Seed::new(seed).stream());
            game.notation(mv)
        })
    }

    fn advise(&self, position: &str, seed: u64) -> Result<Value> {
        let shown = G::position("position", position)?;
        let sight = shown.sight();
        let asked = || Advice::of(&shown.game, &self.0, shown.seat, sight, Seed::new(seed));
        let advice = unforfeited(asked)?;
        let mut told = json!(advice);
        told["sentence"] = advice.in_words().into();
        Ok(told)
    }
}

/// A program of its own may fail.
fn unforfeited<T>(ask: impl FnOnce() -> T) -> Result<T> {
    Forfeit::caught(ask).map_err(|forfeit| Error::failed(forfeit.said))
}

/// A seed, refused in the words of a run's where it is none.
struct Whole(u64);

impl<'py> FromPyObject<'_, 'py> for Whole {
    type Error = PyErr;

    fn extract(seed: Borrowed<'_, 'py, PyAny>) -> PyResult<Whole> {
        let number = if seed.is_instance_of::<PyBool>() { None } else { seed.extract().ok() };
        number.map(Whole).ok_or_else(|| {
            let said = seed.repr().map_or("?".to_owned(), |it| it.to_string());
            InputError::new_err(format!("`seed` is {said}; it must be a whole number from 0"))
        })
    }
}

/// A strategy that can be asked what it would do.
#[pyclass(frozen, module = "parlour")]
pub struct Strategy {
    asked: Box<dyn Asked>,
    given: Given,
}

/// The game, the name or path of a strategy, and the text that stands for its file.
type Given = (String, String, Option<String>);

#[pymethods]
impl Strategy {
    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        self.asked.name()
    }

    /// Its game.
    #[getter]
    fn game(&self) -> &str {
        &self.given.0
    }

    /// All that it says, its bases and the usual options included.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        plain::object(py, &self.asked.spelled())
    }

    /// The move that it makes in a position: a view that a bot was shown, or the plain objects of a
    /// position file. The same seed gives the same move.
    #[pyo3(signature = (view, seed=Whole(1)), text_signature = "($self, view, seed=1)")]
    fn choose(&self, view: &Bound<'_, PyAny>, seed: Whole) -> PyResult<String> {
        let (py, text) = (view.py(), position_text(view, self.game())?);
        py.detach(|| self.asked.choose(&text, seed.0)).map_err(Error::without_lines).or_raise(py)
    }

    /// What it makes of a position, as `parlour advise --json` says it: `best`, the candidates in
    /// `moves` with their values, and all of it in a `sentence`.
    #[pyo3(signature = (view, seed=Whole(1)), text_signature = "($self, view, seed=1)")]
    fn advise<'py>(&self, view: &Bound<'py, PyAny>, seed: Whole) -> PyResult<Bound<'py, PyAny>> {
        let (py, text) = (view.py(), position_text(view, self.game())?);
        let advice = py.detach(|| self.asked.advise(&text, seed.0));
        plain::object(py, &advice.map_err(Error::without_lines).or_raise(py)?)
    }

    /// For pickle: it is read again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Given)> {
        Ok((py.import("parlour._parlour")?.getattr("load")?, self.given.clone()))
    }

    fn __repr__(&self) -> String {
        format!("<parlour.Strategy {} of {}>", self.asked.name(), self.game())
    }
}

/// A strategy by name or path, or by what its file would say.
#[pyfunction]
pub fn load(py: Python<'_>, game: Name, name: &str, text: Option<String>) -> PyResult<Strategy> {
    fn of<G: Strategic>(name: &str, text: Option<String>) -> Result<Box<dyn Asked>> {
        let strategy = match text {
            None => parlour::Strategy::<G>::load(&Shelf::strategies(G::NAME), name)?,
            Some(text) => parlour::Strategy::<G>::read(&Found::new(name, Origin::Given, text))
                .map_err(Error::without_lines)?,
        };
        Ok(Box::new(Of(strategy)))
    }
    let given = (game.to_owned(), name.to_owned(), text.clone());
    let asked =
        with_game!(&*game, G => of::<G>(name, text)).and_then(|asked| asked).or_raise(py)?;
    Ok(Strategy { asked, given })
}
