//! The numbers of a run.

use std::path::PathBuf;

use parlour::arena::ProgressHeader;
use parlour::games::Games;
use parlour::results::{Folder, difference_report, report, run_report};
use pyo3::prelude::*;

use crate::error::{InputError, OrRaise};
use crate::plain;
use crate::table::Table;

/// The numbers of a finished run, and what it was.
#[pyclass(frozen, module = "parlour")]
pub struct Summary {
    pub header: ProgressHeader,
    pub numbers: parlour::Summary,
}

#[pymethods]
impl Summary {
    /// The run's name.
    #[getter]
    fn name(&self) -> &str {
        &self.header.resolved.name
    }

    /// The game.
    #[getter]
    fn game(&self) -> &str {
        &self.header.resolved.experiment.game
    }

    /// How many deals were played.
    #[getter]
    fn deals(&self) -> u64 {
        self.numbers.deals
    }

    /// Whether it ended before its last deal, as `until` says.
    #[getter]
    fn early(&self) -> bool {
        self.numbers.early
    }

    /// What was asked.
    #[getter]
    fn question(&self) -> &str {
        &self.numbers.answer.question
    }

    /// What the run says to that, in sentences.
    #[getter]
    fn sentences(&self) -> Vec<String> {
        self.numbers.answer.sentences.iter().map(ToString::to_string).collect()
    }

    /// The names of its tables.
    #[getter]
    fn tables(&self) -> Vec<String> {
        self.numbers.tables().into_iter().map(|table| table.name).collect()
    }

    /// A table by its name.
    fn table(&self, name: &str) -> PyResult<Table> {
        let found = self.numbers.tables().into_iter().find(|table| table.name == name);
        found.map(Table).ok_or_else(|| {
            let known = self.tables().join(", ");
            InputError::new_err(format!("unknown table `{name}`. Known: {known}."))
        })
    }

    /// The experiment in full: every rule and every strategy spelled out.
    fn experiment<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        plain::object(py, &serde_json::json!(self.header.resolved))
    }

    /// Its tables as the command line prints them.
    #[pyo3(signature = (wide=100))]
    fn text(&self, wide: usize) -> String {
        let differences = difference_report(&self.numbers);
        run_report(&self.numbers).then(differences).on_screen(wide)
    }

    /// The page for people.
    fn page(&self) -> String {
        report::page(&self.header, &self.numbers, &[])
    }
}

/// The numbers of a finished run, read again from its folder.
#[pyfunction]
pub fn read(py: Python<'_>, folder: PathBuf) -> PyResult<Summary> {
    let read = py.detach(|| Folder::new(&folder).reread(&Games(parlour::PROGRAM)));
    let (header, numbers) = read.or_raise(py)?;
    Ok(Summary { header, numbers })
}
