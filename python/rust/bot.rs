//! Python classes as bots.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, ThreadId};

use parlour::arena::{BotFactory, CustomBots};
use parlour::external::{parse_choice, shorten};
use parlour::game::{BotError, BotFailure, BotFault};
use parlour::{Bot, Error, Observation, Result, Scores, Seat, Strategic, Stream, with_game};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};
use serde_json::json;

use crate::view::{Hand, View};

/// Bots of the caller by their names in the experiment.
pub struct Own(Vec<(String, Arc<Class>)>);

/// A bot class, which is instantiated for each hand; or a bot that plays all hands.
struct Class {
    bot: Py<PyAny>,
    /// `true` once its first traceback was shown.
    shown: AtomicBool,
    /// Set when the run is to stop.
    stop: Arc<AtomicBool>,
    /// Shared by all bots of the run.
    turns: Arc<Turns>,
    /// `true` for an instance, whose hands are played one after the other.
    is_instance: bool,
    /// `true` if several threads may call it at once.
    is_thread_safe: bool,
}

/// The turns to call bots: one thread at a time has some.
#[derive(Default)]
struct Turns {
    /// The thread and the number of its turns.
    holder: Mutex<Option<(ThreadId, u32)>>,
    free: Condvar,
}

/// A turn of this thread, until it is dropped.
struct Turn(Arc<Turns>);

impl Turn {
    /// Waits until no other thread has a turn.
    fn take(turns: &Arc<Turns>) -> Turn {
        let own = thread::current().id();
        let holder = turns.holder.lock().unwrap_or_else(PoisonError::into_inner);
        let is_other =
            |holder: &mut Option<(ThreadId, u32)>| holder.is_some_and(|(thread, _)| thread != own);
        let mut holder =
            turns.free.wait_while(holder, is_other).unwrap_or_else(PoisonError::into_inner);
        holder.get_or_insert((own, 0)).1 += 1;
        Turn(Arc::clone(turns))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut holder = self.0.holder.lock().unwrap_or_else(PoisonError::into_inner);
        *holder = holder.map(|(thread, turns)| (thread, turns - 1)).filter(|(_, left)| *left > 0);
        self.0.free.notify_one();
    }
}

impl Own {
    /// Creates the bots. They cancel their hands once the flag is set.
    pub fn new(bots: Vec<(String, Py<PyAny>)>, stop: &Arc<AtomicBool>) -> Own {
        let turns = Arc::new(Turns::default());
        let class = |bot: Py<PyAny>| {
            let (is_instance, is_thread_safe) = Python::attach(|py| {
                let bot = bot.bind(py);
                let is_safe = bot.getattr("thread_safe").and_then(|safe| safe.is_truthy());
                (!bot.is_instance_of::<PyType>(), is_safe.unwrap_or(false))
            });
            let (shown, stop, turns) = (AtomicBool::default(), stop.clone(), turns.clone());
            Arc::new(Class { bot, shown, stop, turns, is_instance, is_thread_safe })
        };
        Own(bots.into_iter().map(|(name, bot)| (name, class(bot))).collect())
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
        self.0.iter().map(|(name, _)| name.as_str())
    }
}

impl CustomBots for Own {
    fn bots(&self, game: &str) -> Vec<(&str, Box<dyn Any>)> {
        fn of<G: Strategic>(class: &Arc<Class>) -> Box<dyn Any> {
            let class = Arc::clone(class);
            Box::new(BotFactory::custom(move |_: &G| Box::new(PythonBot::<G>::new(&class))))
        }
        let mut bots: Vec<(&str, Box<dyn Any>)> = Vec::new();
        for (name, class) in &self.0 {
            bots.extend(with_game!(game, G => (name.as_str(), of::<G>(class))));
        }
        bots
    }
}

/// A Python bot at a seat.
struct PythonBot<G> {
    class: Arc<Class>,
    /// The bot of this hand, from its first choice on.
    bot: Option<Py<PyAny>>,
    hand: Option<Arc<Hand>>,
    seat: Seat,
    /// The turn of an instance, for the whole hand.
    turn: Option<Turn>,
    game: PhantomData<fn() -> G>,
}

impl<G: Strategic> PythonBot<G> {
    fn new(class: &Arc<Class>) -> PythonBot<G> {
        let class = Arc::clone(class);
        PythonBot { class, bot: None, hand: None, seat: Seat(0), turn: None, game: PhantomData }
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
    ) -> std::result::Result<G::Move, BotFailure> {
        let hand = self.hand.get_or_insert_with(|| {
            // Numbers of this size are exact in every language.
            Arc::new(Hand::of(game, observation.view, chance.bits() >> 11))
        });
        let mut moves = Vec::new();
        game.legal_moves_in_view(observation.view, &mut moves);
        let view = View::of(hand, game, self.seat, observation, &moves);
        let answer = self.answer(py, view).map_err(|error| self.class.raised(py, &error))?;
        let choice = match (answer.cast::<PyString>(), answer.extract::<u64>()) {
            (Ok(text), _) => json!({ "move": text.to_string() }),
            (_, Ok(index)) => json!({ "index": index }),
            _ => {
                let answer = shorten(&answer.repr().map_or("?".to_owned(), |it| it.to_string()));
                let message =
                    format!("it chose {answer}, neither a move nor its place in `view.moves`");
                return Err(BotFailure { fault: BotFault::Garbled, message });
            }
        };
        parse_choice(game, &moves, choice.to_string().as_bytes())
    }

    fn answer<'py>(&mut self, py: Python<'py>, view: View) -> PyResult<Bound<'py, PyAny>> {
        let bot = match &self.bot {
            Some(bot) => bot,
            None => {
                let given = self.class.bot.bind(py);
                let is_class = given.is_instance_of::<PyType>();
                let bot = if is_class { given.call0()? } else { given.clone() };
                self.bot.insert(bot.unbind())
            }
        };
        bot.bind(py).call_method1("choose", (view,))
    }
}

impl Class {
    /// Returns an error if the run is to stop.
    fn check_stop(&self) -> std::result::Result<(), BotError> {
        if self.stop.load(Ordering::Relaxed) { Err(BotError::Cancelled) } else { Ok(()) }
    }

    /// Converts an exception into a failure and shows the first traceback.
    fn raised(&self, py: Python<'_>, error: &PyErr) -> BotFailure {
        if !self.shown.swap(true, Ordering::Relaxed) {
            let parts = (error.get_type(py), error.value(py), error.traceback(py));
            // If it cannot be shown, the message still describes it.
            _ = py
                .import("traceback")
                .and_then(|module| module.call_method1("print_exception", parts));
        }
        BotFailure { fault: BotFault::Panicked, message: shorten(&error.to_string()) }
    }
}

impl<G: Strategic> Bot<G> for PythonBot<G> {
    fn start(&mut self, seat: Seat) {
        (self.bot, self.hand, self.turn, self.seat) = (None, None, None, seat);
    }

    fn choose(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        chance: &mut Stream,
    ) -> std::result::Result<G::Move, BotError> {
        let turn = self.take_turn();
        self.class.check_stop()?;
        let mv = Python::attach(|py| self.ask(py, game, observation, chance));
        drop(turn);
        // A slow bot may have been asked before the stop.
        self.class.check_stop()?;
        Ok(mv?)
    }

    fn end(&mut self, scores: &Scores) -> std::result::Result<(), BotError> {
        let Some(bot) = self.bot.take() else { return Ok(()) };
        let _turns = (self.take_turn(), self.turn.take());
        let ended = Python::attach(|py| {
            let bot = bot.bind(py);
            if bot.hasattr("end")? {
                bot.call_method1("end", (scores.0.to_vec(),))?;
            }
            PyResult::Ok(())
        });
        ended.map_err(|error| Python::attach(|py| self.class.raised(py, &error)).into())
    }
}
