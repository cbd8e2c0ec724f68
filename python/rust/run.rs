//! Running experiments, with Python's signals and progress reports.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use parlour::arena::{DynPlan, Observer, ProgressHeader, Shard};
use parlour::error::unknown;
use parlour::games::Games;
use parlour::results::{Folder, IfExists, SampleSize, merge, pilot, report};
use parlour::{Error, Kind, Run};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pythonize::pythonize;
use serde_json::json;

use crate::batch::{self, Question};
use crate::bot::Own;
use crate::class::Stopper;
use crate::error::{OrRaise, exception};
use crate::source::Source;
use crate::summary::Summary;

/// Options of a run.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct How {
    threads: usize,
    out: Option<PathBuf>,
    resume: bool,
    replace: bool,
    allow_other_build: bool,
    hands: bool,
    records: bool,
    parquet: bool,
    shard: Option<(u64, u64)>,
    /// Called regularly with the number of hands played and in total.
    progress: Option<Py<PyAny>>,
    /// Stops the run with the first failure of a bot.
    strict: bool,
    /// The lock for the turns of bots.
    turns: Py<PyAny>,
    /// Called at the end for each strategy that failed: its name, the number of hands, and its
    /// message.
    failed: Py<PyAny>,
}

/// The message for a bot that plays in no table.
const UNPLAYED: &str = "`bots` names it, and the experiment's `strategies` do not.";

/// Interval between two checks of Python's signals.
const EVERY: Duration = Duration::from_millis(50);

/// Stack size for searches in a run, as in the program.
const STACK: usize = 8 << 20;

/// Progress and failures of a run.
#[derive(Default)]
struct Watched {
    played: AtomicU64,
    all: AtomicU64,
    stopper: Stopper,
    failed: Mutex<BTreeMap<String, (u64, String)>>,
}

impl Observer for Watched {
    fn resumed(&self, hands: u64) {
        self.played(hands);
    }

    fn played(&self, hands: u64) {
        self.played.fetch_add(hands, Ordering::Relaxed);
    }

    fn failed(&self, strategy: &str, said: &str) {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.entry(strategy.to_owned()).or_insert_with(|| (0, said.to_owned())).0 += 1;
    }
}

/// Runs `work` on its own thread without the interpreter lock. Meanwhile this thread handles
/// Python's signals, reports progress and asks batched bots. An exception of the first two stops
/// the work and is raised after it has ended.
fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Watched, Sender<Question>) -> parlour::Result<T> + Send,
) -> (Watched, PyResult<T>) {
    let watched = Watched::default();
    let mut raised: Option<PyErr> = None;
    let outcome = py.detach(|| {
        let (asked, questions) = channel();
        thread::scope(|scope| {
            let (watched, raised) = (&watched, &mut raised);
            let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                // Afterwards nobody has a sender.
                work(watched, asked)
            });
            let worker = worker
                .map_err(|error| Error::failed(format!("cannot start the threads: {error}")))?;
            let mut last = Instant::now();
            loop {
                let first = questions.recv_timeout(EVERY.saturating_sub(last.elapsed()));
                if matches!(first, Err(RecvTimeoutError::Disconnected)) {
                    break;
                }
                let all = first.into_iter().chain(questions.try_iter()).collect();
                let is_due = last.elapsed() >= EVERY;
                last = if is_due { Instant::now() } else { last };
                let outcome = Python::attach(|py| match raised.is_some() {
                    // It is stopping already; a second Ctrl-C changes nothing.
                    true => Ok(_ = py.check_signals()),
                    false if is_due => batch::answer(py, all).and(tick(py, watched, progress)),
                    false => batch::answer(py, all),
                });
                if let Err(error) = outcome {
                    watched.stopper.stop.store(true, Ordering::Relaxed);
                    *raised = Some(error);
                }
            }
            worker.join().unwrap_or_else(|_| Err(Error::failed("it panicked; this is a flaw")))
        })
    });
    py.detach(parlour::external::wait_for_goodbyes);
    if raised.is_some() {
        _ = py.check_signals();
    }
    let interrupted = |error: &PyErr| error.is_instance_of::<PyKeyboardInterrupt>(py);
    let outcome = match (raised, outcome) {
        // The message tells what is saved and how to resume.
        (Some(raised), Err(stopped)) if stopped.kind() == Kind::Stopped && interrupted(&raised) => {
            Err(exception(py, &stopped))
        }
        (Some(raised), _) => Err(raised),
        (None, Err(stopped)) if let Some((failure, cause)) = watched.stopper.failure.get() => {
            let error = exception(py, &Error::failed(format!("{}; {stopped}", failure.message)));
            error.set_cause(py, cause.as_ref().map(|cause| cause.clone_ref(py)));
            Err(error)
        }
        (None, outcome) => {
            let last = outcome.or_raise(py);
            last.and_then(|it| tick(py, &watched, progress).map(|()| it))
        }
    };
    (watched, outcome)
}

fn tick(py: Python<'_>, watched: &Watched, progress: Option<&Py<PyAny>>) -> PyResult<()> {
    py.check_signals()?;
    let Some(progress) = progress else { return Ok(()) };
    let [played, all] = [&watched.played, &watched.all].map(|n| n.load(Ordering::Relaxed));
    if all == 0 {
        return Ok(());
    }
    progress.call1(py, (played.min(all), all)).map(drop)
}

/// Runs the plan and returns its numbers; None for a shard.
#[pyfunction]
pub fn play(
    py: Python<'_>,
    what: Source,
    how: How,
    bots: Vec<(String, Py<PyAny>)>,
) -> PyResult<Option<Summary>> {
    let How { progress, failed, .. } = &how;
    let (watched, outcome) = watched(py, progress.as_ref(), |watched, asked| {
        let own = Own::new(bots, how.strict, &how.turns, &watched.stopper, asked);
        let plan = what.plan(&own)?;
        let played: Vec<&str> = plan.info().names().collect();
        if let Some(name) = own.names().find(|name| !played.contains(name)) {
            return Err(Error::input(unknown("strategy", name, played).with_note(UNPLAYED)));
        }
        go(&*plan, &how, watched)
    });
    let by = watched.failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    for (strategy, (hands, said)) in by {
        failed.call1(py, (strategy, hands, said))?;
    }
    outcome
}

fn go(plan: &dyn DynPlan, how: &How, watched: &Watched) -> parlour::Result<Option<Summary>> {
    let &How { threads, hands, records, parquet, allow_other_build, .. } = how;
    let folder = how.out.as_deref();
    let if_exists = match how {
        How { resume: true, .. } => IfExists::Resume,
        How { replace: true, .. } => IfExists::Replace,
        _ => IfExists::Fail,
    };
    let shard =
        how.shard.map(|(part, of)| Shard::new(part, of).map_err(Error::input)).transpose()?;
    watched.all.store(plan.info().hands(shard), Ordering::Relaxed);
    let (observer, stop) = (watched as &dyn Observer, Arc::clone(&watched.stopper.stop));
    let usual = Run::of(plan, parlour::PROGRAM);
    let run = Run {
        threads,
        folder,
        hands,
        records,
        parquet,
        if_exists,
        allow_other_build,
        observer,
        stop,
        ..usual
    };
    if let Some(shard) = shard {
        return run.go_shard(shard).map(|()| None);
    }
    let numbers = run.go()?;
    if let Some(folder) = folder {
        report::write_index(folder, parlour::DATED_VERSION)?;
    }
    let header = ProgressHeader::of(plan.info(), parlour::PROGRAM, hands, records, None);
    Ok(Some(Summary { header, numbers }))
}

/// The number of deals that a difference needs, from a finished run or a pilot, and a sentence.
#[pyfunction]
pub fn needs<'py>(
    py: Python<'py>,
    folder: Option<PathBuf>,
    what: Source,
    how: How,
    bots: Vec<(String, Py<PyAny>)>,
    wanted: (f64, f64, u64),
) -> PyResult<(Bound<'py, PyAny>, String)> {
    let (difference, power, deals) = wanted;
    let (_, outcome) = watched(py, how.progress.as_ref(), |watched, asked| {
        let own = Own::new(bots, how.strict, &how.turns, &watched.stopper, asked);
        SampleSize::check(difference, power, deals)?;
        let numbers = match folder {
            Some(folder) => Folder::new(&folder).read(&Games(parlour::PROGRAM), true)?.1,
            None => {
                let plan = pilot(&*what.plan(&own)?, deals)?;
                match go(&*plan, &how, watched)? {
                    Some(summary) => summary.numbers,
                    None => return Err(Error::input("a pilot has no shards")),
                }
            }
        };
        SampleSize::of(&numbers, difference, power)
    });
    let planned = outcome?;
    Ok((pythonize(py, &json!(planned))?, planned.text()))
}

/// Merges the shards of a run into the folder that the unsharded run would have written.
#[pyfunction]
pub fn join(
    py: Python<'_>,
    shards: Vec<PathBuf>,
    out: PathBuf,
    replace: bool,
    allow_other_build: bool,
) -> PyResult<Summary> {
    let existing = if replace { IfExists::Replace } else { IfExists::Fail };
    let (_, outcome) = watched(py, None, |_, _| {
        let numbers = merge(&shards, &out, existing, allow_other_build, &Games(parlour::PROGRAM))?;
        Ok(Summary { header: header_of(&out)?, numbers })
    });
    outcome
}

fn header_of(folder: &Path) -> parlour::Result<ProgressHeader> {
    Folder::new(folder).header()
}
