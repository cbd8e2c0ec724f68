//! Batched bots: one call into Python for the choices of many hands.

use std::iter;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use numpy::prelude::*;
use numpy::{Element, PyArray1, PyArray2};
use parlour::environment::actions;
use parlour::game::{BotFailure, BotFault, Encoded, Plane};
use parlour::{Error, Result};
use pyo3::prelude::*;

use crate::bot::{Class, Failed};

/// A choice that waits for its action.
pub struct Question {
    observation: Vec<u8>,
    mask: Vec<bool>,
    answer: Sender<std::result::Result<i64, Failed>>,
}

impl Question {
    fn widths(&self) -> (usize, usize) {
        (self.observation.len(), self.mask.len())
    }
}

/// Starts the thread that asks a bot. It ends after the last sender.
pub fn start(class: Arc<Class>) -> Result<Sender<Question>> {
    let (asked, questions) = channel();
    let thread = thread::Builder::new().spawn(move || serve(&class, &questions));
    thread.map_err(|error| Error::failed(format!("cannot start a thread: {error}")))?;
    Ok(asked)
}

/// Asks the bot for all choices that wait, again and again. Meanwhile others arrive. The hand of a
/// dropped question is cancelled.
fn serve(class: &Class, questions: &Receiver<Question>) {
    let mut bot = None;
    while let Ok(first) = questions.recv() {
        let mut all: Vec<Question> = iter::once(first).chain(questions.try_iter()).collect();
        // Each game and variant has its own length of rows.
        all.sort_by_key(Question::widths);
        for batch in all.chunk_by(|one, two| one.widths() == two.widths()) {
            if class.check_stop().is_err() {
                break;
            }
            let turn = class.take_turn();
            let answers = Python::attach(|py| ask(py, class, &mut bot, batch));
            drop(turn);
            for (index, question) in batch.iter().enumerate() {
                let answer = answers.as_ref().map(|actions| actions[index]).map_err(Clone::clone);
                // Nobody waits after a stop.
                _ = question.answer.send(answer);
            }
        }
    }
}

/// Returns an action for each question.
fn ask(
    py: Python<'_>,
    class: &Class,
    bot: &mut Option<Py<PyAny>>,
    batch: &[Question],
) -> std::result::Result<Vec<i64>, Failed> {
    let mut answer = || {
        let bot = match bot {
            Some(bot) => bot,
            None => bot.insert(class.instance(py)?),
        };
        let observations = rows(py, batch.iter().map(|it| &it.observation))?;
        let masks = rows(py, batch.iter().map(|it| &it.mask))?;
        bot.call_method1(py, "choose_many", (observations, masks))
    };
    let answer = answer().map_err(|error| class.raised(py, error))?;
    let read = |answer| {
        let read = py.import("parlour.arguments")?.getattr("chosen")?;
        read.call1((answer, batch.len()))?.extract::<Vec<i64>>()
    };
    read(answer).map_err(|error| {
        let message = error.value(py).to_string();
        (BotFailure { fault: BotFault::Garbled, message }, None)
    })
}

/// Returns rows of equal length as an array.
fn rows<'py, 'a, T: Element + Copy + 'a>(
    py: Python<'py>,
    rows: impl ExactSizeIterator<Item = &'a Vec<T>>,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let count = rows.len();
    let all: Vec<T> = rows.flatten().copied().collect();
    let width = all.len() / count;
    PyArray1::from_vec(py, all).reshape([count, width])
}

/// A seat of a batched bot.
pub struct Batched {
    asked: Sender<Question>,
    numbers: usize,
    count: usize,
}

impl Batched {
    pub fn new<G: Encoded>(asked: Sender<Question>, game: &G) -> Batched {
        let numbers = game.planes().iter().map(Plane::count).sum();
        let count = game.actions().iter().map(|group| group.count).sum();
        Batched { asked, numbers, count }
    }

    /// Waits for a move of the seat of the view.
    pub fn choose<G: Encoded>(
        &self,
        game: &G,
        view: &G::View,
    ) -> std::result::Result<G::Move, Failed> {
        let failed = |fault, message| (BotFailure { fault, message }, None);
        let (mut observation, mut legal) =
            (vec![0; self.numbers], vec![0; self.count.div_ceil(64)]);
        game.observe(view, &mut observation);
        game.legal(view, &mut legal);
        let mut mask = vec![false; self.count];
        actions(&legal).for_each(|action| mask[action as usize] = true);
        let (answer, answered) = channel();
        _ = self.asked.send(Question { observation, mask, answer });
        let action = answered
            .recv()
            .map_err(|_| failed(BotFault::Ended, "it got no more questions".to_owned()))??;
        let mv = usize::try_from(action).ok().and_then(|index| game.move_of(index));
        mv.filter(|_| actions(&legal).any(|legal| legal == action)).ok_or_else(|| {
            let last = self.count.saturating_sub(1);
            let what = match mv {
                Some(mv) => format!("it chose {action} (`{}`), which is masked", game.notation(mv)),
                None => format!("it chose {action}; actions here are 0 to {last}"),
            };
            failed(BotFault::Illegal, what)
        })
    }
}
