//! Python classes as bots.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, OnceLock};

use parlour::arena::{BotFactory, CustomBots};
use parlour::external::{parse_choice, shorten};
use parlour::game::{BotError, BotFailure, BotFault, Encoded};
use parlour::{Bot, Error, Observation, Result, Scores, Seat, Strategic, Stream, with_game};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use serde_json::json;

use crate::batch::{Batched, Question};
use crate::view::{Hand, View};

/// Bots of the caller.
pub struct Own {
    classes: Vec<Arc<Class>>,
    /// For the questions to batched bots.
    questions: Sender<Question>,
}

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
    name: String,
    /// The class, or the bot.
    pub bot: Py<PyAny>,
    /// `true` once its first traceback was shown.
    shown: AtomicBool,
    stopper: Stopper,
    /// `true` if its first failure stops the run.
    is_strict: bool,
    failures: AtomicU32,
    /// `true` once it has finished a hand.
    has_finished: AtomicBool,
    /// Shared by all bots of the run.
    turns: Py<PyAny>,
    /// `true` for an instance, whose hands are played one after the other.
    is_instance: bool,
    /// `true` if several threads may call it at once.
    is_thread_safe: bool,
    /// `true` if it is asked for many hands at once.
    is_batched: bool,
}

/// The turn of this thread to call bots, until it is dropped: a Python `RLock`, which frees the
/// interpreter while it waits.
struct Turn(Py<PyAny>);

impl Turn {
    /// Waits until no other thread has a turn.
    fn take(turns: &Py<PyAny>) -> Turn {
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

impl Own {
    /// Creates the bots. They cancel their hands once the run is to stop; strict ones stop it with
    /// their first failure.
    pub fn new(
        bots: Vec<(String, Py<PyAny>)>,
        is_strict: bool,
        turns: &Py<PyAny>,
        stopper: &Stopper,
        questions: Sender<Question>,
    ) -> Own {
        let class = |(name, bot): (String, Py<PyAny>)| {
            Python::attach(|py| {
                let has = |name| {
                    let it = bot.bind(py).getattr(name);
                    it.and_then(|it| it.is_truthy()).unwrap_or(false)
                };
                Arc::new(Class {
                    name,
                    shown: is_strict.into(),
                    stopper: stopper.clone(),
                    is_strict,
                    failures: AtomicU32::default(),
                    has_finished: AtomicBool::default(),
                    turns: turns.clone_ref(py),
                    is_instance: !bot.bind(py).is_instance_of::<PyType>(),
                    is_thread_safe: has("thread_safe"),
                    is_batched: has("choose_many"),
                    bot,
                })
            })
        };
        Own { classes: bots.into_iter().map(class).collect(), questions }
    }

    /// Checks that no bot has the name of a strategy of the game.
    ///
    /// # Errors
    /// Bad input with the name that is taken.
    pub fn check_names(&self, game: &str) -> Result<()> {
        let taken = parlour::games::game(game)?.strategies().embedded_only().names();
        match self.names().find(|name| taken.iter().any(|other| other == name)) {
            None => Ok(()),
            Some(name) => Err(Error::input(format!(
                "a bot is called `{name}`, which is a strategy of {game}; give the bot another name"
            ))),
        }
    }

    /// The names of the bots.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.classes.iter().map(|class| class.name.as_str())
    }
}

impl CustomBots for Own {
    fn bots(&self, game: &str) -> Vec<(&str, Box<dyn Any>)> {
        fn of<G: Strategic + Encoded>(own: &Own, class: &Arc<Class>) -> Box<dyn Any> {
            let (class, questions) = (Arc::clone(class), own.questions.clone());
            Box::new(BotFactory::custom(move |game: &G| {
                let batched = class.is_batched.then(|| Batched::new(questions.clone(), game));
                Box::new(PythonBot::<G>::new(&class, batched))
            }))
        }
        let mut bots: Vec<(&str, Box<dyn Any>)> = Vec::new();
        for class in &self.classes {
            bots.extend(with_game!(game, G => (class.name.as_str(), of::<G>(self, class))));
        }
        bots
    }
}

/// A Python bot at a seat.
struct PythonBot<G> {
    class: Arc<Class>,
    batched: Option<Batched>,
    /// The bot of this hand, from its first choice on.
    bot: Option<Py<PyAny>>,
    hand: Option<Arc<Hand>>,
    seat: Seat,
    /// The turn of an instance, for the whole hand.
    turn: Option<Turn>,
    game: PhantomData<fn() -> G>,
}

impl<G: Strategic + Encoded> PythonBot<G> {
    fn new(class: &Arc<Class>, batched: Option<Batched>) -> PythonBot<G> {
        let (class, seat) = (Arc::clone(class), Seat(0));
        PythonBot { class, batched, bot: None, hand: None, seat, turn: None, game: PhantomData }
    }

    /// Waits for the turn to call the bot, if it needs one. Nobody who waits holds the interpreter.
    fn take_turn(&mut self) -> Option<Turn> {
        let needs_turn = !self.class.is_thread_safe && self.turn.is_none();
        let turn = needs_turn.then(|| Turn::take(&self.class.turns))?;
        if !self.class.is_instance {
            return Some(turn);
        }
        self.turn = Some(turn);
        None
    }

    fn ask(
        &mut self,
        py: Python<'_>,
        game: &G,
        observation: Observation<'_, G>,
        chance: &mut Stream,
    ) -> std::result::Result<G::Move, Failed> {
        let hand = self.hand.get_or_insert_with(|| {
            // Numbers of this size are exact in every language.
            Arc::new(Hand::of(game, observation.view, chance.bits() >> 11))
        });
        let mut moves = Vec::new();
        game.legal_moves_in_view(observation.view, &mut moves);
        let view = View::of(hand, game, self.seat, observation, &moves);
        let answer = self.answer(py, view).map_err(|error| self.class.raised(py, error))?;
        let choice = match (answer.cast::<PyString>(), answer.extract::<u64>()) {
            (Ok(text), _) => json!({ "move": text.to_string() }),
            (_, Ok(index)) => json!({ "index": index }),
            _ => {
                let answer = shorten(&answer.repr().map_or("?".to_owned(), |it| it.to_string()));
                let message =
                    format!("it chose {answer}, neither a move nor its place in `view.moves`");
                return Err((BotFailure { fault: BotFault::Garbled, message }, None));
            }
        };
        parse_choice(game, &moves, choice.to_string().as_bytes()).map_err(|failure| (failure, None))
    }

    fn answer<'py>(&mut self, py: Python<'py>, view: View) -> PyResult<Bound<'py, PyAny>> {
        let bot = match &self.bot {
            Some(bot) => bot,
            None => {
                let Class { bot, is_instance, .. } = &*self.class;
                self.bot.insert(if *is_instance { bot.clone_ref(py) } else { bot.call0(py)? })
            }
        };
        bot.bind(py).call_method1("choose", (view,))
    }
}

impl Class {
    /// Returns an error if the run is to stop.
    fn check_stop(&self) -> std::result::Result<(), BotError> {
        if self.stopper.stop.load(Ordering::Relaxed) { Err(BotError::Cancelled) } else { Ok(()) }
    }

    /// Counts a failure, which loses the hand or stops the run.
    fn failed(&self, (mut failure, error): Failed) -> BotError {
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

impl<G: Strategic + Encoded> Bot<G> for PythonBot<G> {
    fn start(&mut self, seat: Seat) {
        (self.bot, self.hand, self.turn, self.seat) = (None, None, None, seat);
    }

    fn choose(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        chance: &mut Stream,
    ) -> std::result::Result<G::Move, BotError> {
        let mv = match &self.batched {
            Some(batched) => batched.choose(&self.class, game, observation.view)?,
            None => Python::attach(|py| {
                let _turn = self.take_turn();
                self.class.check_stop()?;
                Ok::<_, BotError>(self.ask(py, game, observation, chance))
            })?,
        };
        // A slow bot may have been asked before the stop.
        self.class.check_stop()?;
        mv.map_err(|failed| self.class.failed(failed))
    }

    fn end(&mut self, scores: &Scores) -> std::result::Result<(), BotError> {
        self.class.has_finished.store(true, Ordering::Relaxed);
        let Some(bot) = self.bot.take() else { return Ok(()) };
        let _turns = (self.take_turn(), self.turn.take());
        let ended = Python::attach(|py| {
            let bot = bot.bind(py);
            if bot.hasattr("end")? {
                bot.call_method1("end", (scores.0.to_vec(),))?;
            }
            PyResult::Ok(())
        });
        let failed = |error| self.class.failed(Python::attach(|py| self.class.raised(py, error)));
        ended.map_err(failed)
    }
}
