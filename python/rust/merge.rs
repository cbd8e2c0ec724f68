//! Merging shards of a run one by one.

use std::path::PathBuf;

use parlour::games::Games;
use parlour::results::{self, IfExists};
use parlour::{Error, Result};
use pyo3::prelude::*;

use crate::error::OrRaise;

/// The merged shards of a run; its memory does not grow with their number.
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
    /// Starts the merge of a run given one of its shards, which is not yet merged.
    #[new]
    fn new(py: Python<'_>, shard: PathBuf) -> PyResult<Merge> {
        results::Merge::of(&shard, false, &Games(parlour::PROGRAM))
            .map(|merge| Merge(Some(merge)))
            .or_raise(py)
    }

    /// Merges the folder of a shard; a refused folder changes nothing.
    fn take(&mut self, py: Python<'_>, shard: PathBuf) -> PyResult<()> {
        self.open().and_then(|merge| merge.add(&shard)).or_raise(py)
    }

    /// Refuses a folder that [`finish`](Merge::finish) would refuse, before anything is played.
    #[staticmethod]
    fn check(py: Python<'_>, out: PathBuf, replace: bool) -> PyResult<()> {
        existing(replace).check(&out).or_raise(py)
    }

    /// Number of merged deals.
    #[getter]
    fn deals(&self) -> u64 {
        self.0.as_ref().map_or(0, results::Merge::deals)
    }

    /// Writes the folder that the unsharded run would have written.
    fn finish(&mut self, py: Python<'_>, out: PathBuf, replace: bool) -> PyResult<()> {
        self.open().or_raise(py)?;
        let Some(merge) = self.0.take() else { return Ok(()) };
        py.detach(|| merge.finish(&out, existing(replace), None)).map(drop).or_raise(py)
    }
}
