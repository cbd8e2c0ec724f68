//! The caller's bot classes: who may call them when, and what becomes of their failures.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use parlour::external::shorten;
use parlour::game::{BotError, BotFailure, BotFault};
use pyo3::prelude::*;
use pyo3::types::PyType;

/// Why bots may stop the run, shared by all bots.
#[derive(Clone, Default)]
pub struct Stopper {
    /// Set when the run is to stop.
    pub stop: Arc<AtomicBool>,
    /// The failure that stopped it.
    pub failure: Arc<OnceLock<Failed>>,
}

/// A failure of a bot, and the exception that caused it.
pub type Failed = (BotFailure, Option<Arc<PyErr>>);

/// Number of failures before its first finished hand after which a bot is not asked again.
const MAX_FIRST_FAILURES: u32 = 20;

/// A bot class, which is instantiated for each hand; or a bot that plays all hands.
pub struct Class {
    /// The name in the experiment.
    pub name: String,
    /// The class, or the bot.
    pub bot: Py<PyAny>,
    /// `true` once its first traceback was shown.
    shown: AtomicBool,
    stopper: Stopper,
    /// `true` if its first failure stops the run.
    is_strict: bool,
    failures: AtomicU32,
    /// `true` once it has finished a hand.
    pub has_finished: AtomicBool,
    /// Shared by all bots of the run.
    pub turns: Py<PyAny>,
    /// `true` for an instance, whose hands are played one after the other.
    pub is_instance: bool,
    /// `true` if several threads may call it at once.
    pub is_thread_safe: bool,
    /// `true` if it is asked for many hands at once.
    pub is_batched: bool,
}

/// The turn of this thread to call bots, until it is dropped: a Python `RLock`, which frees the
/// interpreter while it waits.
pub struct Turn(Py<PyAny>);

impl Turn {
    /// Waits until no other thread has a turn.
    pub fn take(turns: &Py<PyAny>) -> Turn {
        Python::attach(|py| {
            _ = turns.call_method0(py, "acquire");
            Turn(turns.clone_ref(py))
        })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        _ = Python::attach(|py| self.0.call_method0(py, "release"));
    }
}

impl Class {
    /// Creates a class. `turns` is a Python `RLock`.
    pub fn new(
        name: String,
        bot: Py<PyAny>,
        is_strict: bool,
        turns: &Py<PyAny>,
        stopper: Stopper,
    ) -> Class {
        Python::attach(|py| {
            let has = |name| {
                let it = bot.bind(py).getattr(name);
                it.and_then(|it| it.is_truthy()).unwrap_or(false)
            };
            Class {
                name,
                shown: is_strict.into(),
                stopper,
                is_strict,
                failures: AtomicU32::default(),
                has_finished: AtomicBool::default(),
                turns: turns.clone_ref(py),
                is_instance: !bot.bind(py).is_instance_of::<PyType>(),
                is_thread_safe: has("thread_safe"),
                is_batched: has("choose_many"),
                bot,
            }
        })
    }

    /// Returns an error if the run is to stop.
    pub fn check_stop(&self) -> std::result::Result<(), BotError> {
        if self.stopper.stop.load(Ordering::Relaxed) { Err(BotError::Cancelled) } else { Ok(()) }
    }

    /// Counts a failure, which loses the hand or stops the run.
    pub fn failed(&self, (mut failure, error): Failed) -> BotError {
        let count = self.failures.fetch_add(1, Ordering::Relaxed) + 1;
        let has_finished = self.has_finished.load(Ordering::Relaxed);
        if !self.is_strict && (has_finished || count < MAX_FIRST_FAILURES) {
            return failure.into();
        }
        let why = format!(" {count} times and finished no hand");
        let why = if self.is_strict { "" } else { &why };
        failure.message = format!("`{}` failed{why}: {}", self.name, failure.message);
        // The first failure counts.
        _ = self.stopper.failure.set((failure, error));
        self.stopper.stop.store(true, Ordering::Relaxed);
        BotError::Cancelled
    }

    /// Converts an exception into a failure and shows the first traceback.
    pub fn raised(&self, py: Python<'_>, error: PyErr) -> Failed {
        if !self.shown.swap(true, Ordering::Relaxed) {
            let parts = (error.get_type(py), error.value(py), error.traceback(py));
            // If it cannot be shown, the message still describes it.
            _ = py
                .import("traceback")
                .and_then(|module| module.call_method1("print_exception", parts));
        }
        let message = shorten(&error.to_string());
        (BotFailure { fault: BotFault::Panicked, message }, Some(Arc::new(error)))
    }
}
