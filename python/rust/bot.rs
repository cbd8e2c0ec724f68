//! Python classes as bots.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::Sender;

use parlour::arena::{BotFactory, CustomBots};
use parlour::external::{parse_choice, shorten};
use parlour::game::{BotError, BotFailure, BotFault, Encoded};
use parlour::{Bot, Error, Observation, Result, Scores, Seat, Strategic, Stream, with_game};
use pyo3::prelude::*;
use pyo3::types::PyString;
use serde_json::json;

use crate::batch::{Batched, Question};
use crate::class::{Class, Failed, Stopper, Turn};
use crate::view::{Hand, View};

/// Bots of the caller.
pub struct Own {
    classes: Vec<Arc<Class>>,
    /// For the questions to batched bots.
    questions: Sender<Question>,
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
        let class =
            |(name, bot)| Arc::new(Class::new(name, bot, is_strict, turns, stopper.clone()));
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
