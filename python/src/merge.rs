//! Shards of a run, joined one by one as they come.

use std::path::PathBuf;

use parlour::games::Games;
use parlour::results::{self, IfExists};
use parlour::{Error, Result};
use pyo3::prelude::*;

use crate::error::OrRaise;

/// What was taken of a run's shards; its memory does not grow with them.
#[pyclass]
pub struct Merge(Option<results::Merge>);

impl Merge {
    fn open(&mut self) -> Result<&mut results::Merge> {
        self.0.as_mut().ok_or_else(|| Error::input("this merge is finished"))
    }
}

fn existing(replace: bool) -> IfExists {
    if replace { IfExists::Replace } else { IfExists::Fail }
}

#[pymethods]
impl Merge {
    /// A merge of the run that this shard is of; the shard is still to be taken.
    #[new]
    fn new(py: Python<'_>, shard: PathBuf) -> PyResult<Merge> {
        results::Merge::of(&shard, false, &Games(parlour::PROGRAM))
            .map(|merge| Merge(Some(merge)))
            .or_raise(py)
    }

    /// Takes the folder of a shard; one that is refused leaves all as it was.
    fn take(&mut self, py: Python<'_>, shard: PathBuf) -> PyResult<()> {
        self.open().and_then(|merge| merge.add(&shard)).or_raise(py)
    }

    /// Refuses a folder that [`finish`](Merge::finish) would refuse, before anything is played.
    #[staticmethod]
    fn check(py: Python<'_>, out: PathBuf, replace: bool) -> PyResult<()> {
        existing(replace).check(&out).or_raise(py)
    }

    /// How many deals were taken.
    #[getter]
    fn deals(&self) -> u64 {
        self.0.as_ref().map_or(0, results::Merge::deals)
    }

    /// Writes the folder that the whole run would have written.
    fn finish(&mut self, py: Python<'_>, out: PathBuf, replace: bool) -> PyResult<()> {
        self.open().or_raise(py)?;
        let Some(merge) = self.0.take() else { return Ok(()) };
        py.detach(|| merge.finish(&out, existing(replace))).map(drop).or_raise(py)
    }
}
