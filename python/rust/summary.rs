//! The numbers of a run.

use std::path::PathBuf;

use parlour::arena::ProgressHeader;
use parlour::games::Games;
use parlour::results::{Folder, report, run_report};
use pyo3::prelude::*;
use pythonize::pythonize;

use crate::error::{InputError, OrRaise};
use crate::table::Table;

/// The numbers of a finished run.
#[pyclass(frozen, module = "parlour")]
pub struct Summary {
    pub header: ProgressHeader,
    pub numbers: parlour::Summary,
}

#[pymethods]
impl Summary {
    /// Name of the run.
    #[getter]
    fn name(&self) -> &str {
        &self.header.resolved.name
    }

    /// Name of the game.
    #[getter]
    fn game(&self) -> &str {
        &self.header.resolved.experiment.game
    }

    /// Number of deals.
    #[getter]
    fn deals(&self) -> u64 {
        self.numbers.deals
    }

    /// True if `until` ended the run before its last deal.
    #[getter]
    fn early(&self) -> bool {
        self.numbers.early
    }

    /// The question.
    #[getter]
    fn question(&self) -> &str {
        &self.numbers.answer.question
    }

    /// The answer in sentences.
    #[getter]
    fn sentences(&self) -> Vec<String> {
        self.numbers.answer.sentences.iter().map(ToString::to_string).collect()
    }

    /// Names of the tables.
    #[getter]
    fn tables(&self) -> Vec<String> {
        self.numbers.tables().into_iter().map(|table| table.name).collect()
    }

    /// A table by name.
    fn table(&self, name: &str) -> PyResult<Table> {
        let found = self.numbers.tables().into_iter().find(|table| table.name == name);
        found.map(Table).ok_or_else(|| {
            let known = self.tables().join(", ");
            InputError::new_err(format!("unknown table `{name}`. Known: {known}."))
        })
    }

    /// The complete experiment with all rules and strategy options.
    fn experiment<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &serde_json::json!(self.header.resolved))?)
    }

    /// The tables as the command line prints them.
    #[pyo3(signature = (wide=100))]
    fn text(&self, wide: usize) -> String {
        run_report(&self.numbers, false).on_screen(wide)
    }

    /// The HTML report.
    fn page(&self) -> String {
        report::page(&self.header, &self.numbers, &[])
    }
}

/// Reads the numbers of a finished run from its folder.
#[pyfunction]
pub fn read(py: Python<'_>, folder: PathBuf) -> PyResult<Summary> {
    let read = py.detach(|| Folder::new(&folder).read(&Games(parlour::PROGRAM), true));
    let (header, numbers) = read.or_raise(py)?;
    Ok(Summary { header, numbers })
}
