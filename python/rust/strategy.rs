//! Strategies for Python.

use parlour::Error;
use parlour::files::{Origin, SourceFile};
use parlour::games::AnyStrategy;
use pyo3::prelude::*;
use pythonize::pythonize;
use serde_json::json;

use crate::arguments::{Name, WholeNumber, position_text};
use crate::error::OrRaise;

/// A strategy that chooses moves and gives advice.
#[pyclass(frozen, module = "parlour")]
pub struct Strategy {
    asked: Box<dyn AnyStrategy>,
    given: Given,
}

/// The game, the name or path of a strategy, and the text in place of its file.
type Given = (String, String, Option<String>);

#[pymethods]
impl Strategy {
    /// Name of the strategy.
    #[getter]
    fn name(&self) -> &str {
        self.asked.info().name
    }

    /// Name of its game.
    #[getter]
    fn game(&self) -> &str {
        &self.given.0
    }

    /// All options, including those of its bases and the defaults.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &self.asked.options())?)
    }

    /// The move in a position: a view that a bot got, or the plain objects of a position file. The
    /// same seed gives the same move.
    #[pyo3(signature = (view, seed=WholeNumber::Is(1)), text_signature = "($self, view, seed=1)")]
    fn choose(&self, view: &Bound<'_, PyAny>, seed: WholeNumber) -> PyResult<String> {
        let (py, (_, text)) = (view.py(), position_text(view, Some(self.game()))?);
        let seed = seed.of(py, "seed")?;
        py.detach(|| self.asked.choose("position", &text, seed))
            .map_err(Error::without_lines)
            .or_raise(py)
    }

    /// The evaluation of a position, as `parlour advise --json` returns it: `best`, the candidates
    /// in `moves` with their values, and a summary in `sentence`.
    #[pyo3(signature = (view, seed=WholeNumber::Is(1)), text_signature = "($self, view, seed=1)")]
    fn advise<'py>(
        &self,
        view: &Bound<'py, PyAny>,
        seed: WholeNumber,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, (_, text)) = (view.py(), position_text(view, Some(self.game()))?);
        let seed = seed.of(py, "seed")?;
        let advice = py.detach(|| self.asked.advise("position", &text, None, seed));
        let (advice, _) = advice.map_err(Error::without_lines).or_raise(py)?;
        let mut told = json!(advice);
        told["sentence"] = advice.in_words().into();
        Ok(pythonize(py, &told)?)
    }

    /// For pickle: the arguments that read it again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Given)> {
        Ok((py.import("parlour._parlour")?.getattr("load")?, self.given.clone()))
    }

    fn __repr__(&self) -> String {
        format!("<parlour.Strategy {} of {}>", self.asked.info().name, self.game())
    }
}

/// Loads a strategy by name or path, or from the content of its file.
#[pyfunction]
pub fn load(py: Python<'_>, game: Name, name: &str, text: Option<String>) -> PyResult<Strategy> {
    let given = (game.to_owned(), name.to_owned(), text.clone());
    let asked = parlour::games::game(&game).and_then(|game| match text {
        None => game.load_strategy(name),
        Some(text) => (game.strategy)(&SourceFile::new(name, Origin::Given, text))
            .map_err(Error::without_lines),
    });
    Ok(Strategy { asked: asked.or_raise(py)?, given })
}
