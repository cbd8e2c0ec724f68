//! A vector environment: many tables stepped at once, with fixed arrays for the outcome.

use std::process;
use std::sync::Mutex;
use std::thread::available_parallelism;

use numpy::ndarray::Dimension;
use numpy::{
    Element, PyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1,
    PyReadwriteArray2, PyUntypedArrayMethods,
};
use parlour::environment::{Reward, StepBuffers, VectorEnv, VectorOptions};
use pyo3::prelude::*;

use crate::arguments::{Name, WholeNumber};
use crate::env::{LazyObject, strategies, variant};
use crate::error::OrRaise;
use crate::error::input;

/// Many tables of a game. The arrays stay the same from the first step to the last.
#[pyclass(module = "parlour.envs")]
pub struct Vector {
    /// Never contended: every method has exclusive access to the tables.
    tables: Mutex<Box<dyn VectorEnv>>,
    /// The process that owns the threads.
    process: u32,
    seed: u64,
    observations: Py<PyArray2<u8>>,
    masks: Py<PyArray2<u8>>,
    rewards: Py<PyArray2<f32>>,
    dones: Py<PyArray1<u8>>,
    /// The seat to move (n, uint8).
    #[pyo3(get)]
    seats: Py<PyArray1<u8>>,
    actions: Py<PyArray1<i64>>,
    facts: LazyObject,
}

/// The arrays while they are written.
struct Held<'py> {
    observations: PyReadwriteArray2<'py, u8>,
    masks: PyReadwriteArray2<'py, u8>,
    rewards: PyReadwriteArray2<'py, f32>,
    dones: PyReadwriteArray1<'py, u8>,
    seats: PyReadwriteArray1<'py, u8>,
}

impl<'py> Held<'py> {
    fn of(vector: &Vector, py: Python<'py>) -> PyResult<Held<'py>> {
        Ok(Held {
            observations: vector.observations.bind(py).try_readwrite()?,
            masks: vector.masks.bind(py).try_readwrite()?,
            rewards: vector.rewards.bind(py).try_readwrite()?,
            dones: vector.dones.bind(py).try_readwrite()?,
            seats: vector.seats.bind(py).try_readwrite()?,
        })
    }

    fn out(&mut self) -> PyResult<StepBuffers<'_>> {
        Ok(StepBuffers {
            observations: self.observations.as_slice_mut()?,
            masks: self.masks.as_slice_mut()?,
            rewards: self.rewards.as_slice_mut()?,
            dones: self.dones.as_slice_mut()?,
            seats: self.seats.as_slice_mut()?,
        })
    }
}

impl Vector {
    /// Refuses a forked process, which has none of the threads and would wait forever.
    fn check_process(&self, py: Python<'_>) -> PyResult<()> {
        if process::id() == self.process {
            return Ok(());
        }
        let what = "these tables were made in another process; make some in the one that uses them";
        Err(input(py, what.to_owned()))
    }
}

/// Returns the tables for mutation.
fn open_up(tables: &mut Mutex<Box<dyn VectorEnv>>) -> &mut dyn VectorEnv {
    &mut **tables.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Creates an array of zeros with NumPy, which raises MemoryError if memory is short.
fn zeros<'py, T: Element, D: Dimension>(
    py: Python<'py>,
    shape: impl IntoPyObject<'py>,
) -> PyResult<Py<PyArray<T, D>>> {
    let array = py.import("numpy")?.call_method1("zeros", (shape, numpy::dtype::<T>(py)))?;
    Ok(array.cast_into::<PyArray<T, D>>()?.unbind())
}

#[pymethods]
impl Vector {
    #[new]
    #[pyo3(
        signature = (
            game, n, variant=None, *, seed=WholeNumber::Is(0), reward=Name::from("win"), threads=None,
            opponents=None, seat=None, autoreset=true, observations=true, masks=true
        ),
        text_signature = "(game, n, variant=None, *, seed=0, reward='win', threads=None, opponents=None, \
            seat=None, autoreset=True, observations=True, masks=True)"
    )]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn new(
        py: Python<'_>,
        game: Name,
        n: WholeNumber,
        variant: Option<&Bound<'_, PyAny>>,
        seed: WholeNumber,
        reward: Name,
        threads: Option<WholeNumber>,
        opponents: Option<&Bound<'_, PyAny>>,
        seat: Option<WholeNumber>,
        autoreset: bool,
        observations: bool,
        masks: bool,
    ) -> PyResult<Vector> {
        let (n, seed) = (n.of::<usize>(py, "n")?, seed.of(py, "seed")?);
        let threads = threads.map(|threads| threads.of(py, "threads")).transpose()?;
        let seat = seat.map(|seat| seat.of(py, "seat")).transpose()?;
        let reward = reward.parse::<Reward>().or_raise(py)?;
        let variant = self::variant(py, &game, variant)?;
        let threads = threads.unwrap_or_else(|| available_parallelism().map_or(1, usize::from));
        let opponents = opponents.map(|said| strategies(&game, said)).transpose()?;
        let (tables, opponents) = (n, opponents.unwrap_or_default());
        let options = VectorOptions {
            variant,
            reward,
            tables,
            threads,
            opponents,
            seat,
            autoreset,
            observations,
            masks,
        };
        let game = parlour::games::game(&game).or_raise(py)?;
        let tables = (game.environments)(&options).or_raise(py)?;
        let facts = tables.facts();
        let width = |wanted: bool, width: usize| if wanted { width } else { 0 };
        let mut vector = Vector {
            seed,
            observations: zeros(py, (n, width(observations, facts.numbers)))?,
            masks: zeros(py, (n, width(masks, facts.count)))?,
            rewards: zeros(py, (n, tables.columns()))?,
            dones: zeros(py, n)?,
            seats: zeros(py, n)?,
            actions: zeros(py, n)?,
            tables: Mutex::new(tables),
            process: process::id(),
            facts: LazyObject::new(),
        };
        vector.reset(py, None)?;
        Ok(vector)
    }

    /// Deals at every table: table i plays the deals i, i + n, … of the seed (default: the last one).
    #[pyo3(signature = (seed=None))]
    fn reset(&mut self, py: Python<'_>, seed: Option<WholeNumber>) -> PyResult<()> {
        self.check_process(py)?;
        let seed = seed.map(|seed| seed.of(py, "seed")).transpose()?;
        self.seed = seed.unwrap_or(self.seed);
        let (mut held, seed) = (Held::of(self, py)?, self.seed);
        let (tables, out) = (open_up(&mut self.tables), held.out()?);
        py.detach(|| tables.reset(seed, out)).or_raise(py)
    }

    /// Takes an action at every table (whole numbers, shape n): -1 leaves a table and its rows as they
    /// are, -2 deals its next hand. If one of them is illegal, nothing changes.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        self.check_process(py)?;
        let actions = whole_numbers(py, actions)?;
        let mut held = Held::of(self, py)?;
        let (tables, out, actions) = (open_up(&mut self.tables), held.out()?, actions.as_slice()?);
        py.detach(|| tables.step(actions, out)).or_raise(py)
    }

    /// Samples a legal action for every table, always into the same array (n, int64).
    fn sample<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        self.check_process(py)?;
        let array = self.actions.bind(py).clone();
        let mut held = array.try_readwrite()?;
        let (tables, actions) = (open_up(&mut self.tables), held.as_slice_mut()?);
        py.detach(|| tables.sample(actions));
        drop(held);
        Ok(array)
    }

    /// The learner's view at a table, drawn for a terminal.
    #[pyo3(signature = (table=WholeNumber::Is(0)), text_signature = "($self, table=0)")]
    fn picture(&mut self, py: Python<'_>, table: WholeNumber) -> PyResult<String> {
        let table = table.of(py, "table")?;
        open_up(&mut self.tables).picture(table).or_raise(py)
    }

    /// Description of the environment as plain objects, as that of `Environment`.
    #[getter]
    fn facts<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.facts.of(py, open_up(&mut self.tables).facts())
    }

    /// Number of tables.
    #[getter]
    fn n(&mut self) -> usize {
        open_up(&mut self.tables).tables()
    }

    /// Observation of the seat to move (n × numbers, uint8); None if not requested.
    #[getter]
    fn observations<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray2<u8>>> {
        let array = self.observations.bind(py);
        (array.shape()[1] > 0).then(|| array.clone())
    }

    /// Mask of the legal actions (n × actions, bool); None if not requested.
    #[getter]
    fn masks<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let array = self.masks.bind(py);
        (array.shape()[1] > 0).then(|| array.call_method1("view", ("bool",))).transpose()
    }

    /// Result of a hand that ended with the last step, otherwise 0 (n × seats, float32; with opponents n).
    #[getter]
    fn rewards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let array = self.rewards.bind(py);
        match array.shape()[1] {
            1 => array.call_method1("reshape", (-1,)),
            _ => Ok(array.clone().into_any()),
        }
    }

    /// True where a hand ended with the last step (n, bool).
    #[getter]
    fn dones<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.dones.bind(py).call_method1("view", ("bool",))
    }

    fn __len__(&mut self) -> usize {
        open_up(&mut self.tables).tables()
    }

    fn __repr__(&mut self) -> String {
        let tables = open_up(&mut self.tables);
        let (n, facts) = (tables.tables(), tables.facts());
        format!("<{n} tables of {} {}, seed {}>", facts.game, facts.variant, self.seed)
    }
}

/// Returns the array itself if it holds contiguous 64-bit numbers, otherwise a copy.
fn whole_numbers<'py>(
    py: Python<'py>,
    said: &Bound<'py, PyAny>,
) -> PyResult<PyReadonlyArray1<'py, i64>> {
    if let Ok(array) = said.cast::<PyArray1<i64>>()
        && array.is_contiguous()
    {
        return Ok(array.try_readonly()?);
    }
    let numpy = py.import("numpy")?;
    let array = numpy.call_method1("asarray", (said,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if !matches!(kind.as_str(), "i" | "u") || array.getattr("ndim")?.extract::<usize>()? != 1 {
        let what = "actions are whole numbers in one row, one for each table";
        return Err(input(py, what.to_owned()));
    }
    let array = numpy.call_method1("ascontiguousarray", (array, "int64"))?;
    Ok(array.cast_into::<PyArray1<i64>>()?.try_readonly()?)
}
