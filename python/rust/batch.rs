//! Batched bots: one call into Python for the choices of many hands.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

use numpy::PyArray2;
use parlour::environment::actions;
use parlour::game::{BotError, BotFailure, BotFault, Encoded, Plane};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::class::{Class, Failed};

/// A choice that waits for its action. The hand of a dropped question is cancelled.
pub struct Question {
    class: Arc<Class>,
    observation: Vec<u8>,
    mask: Vec<bool>,
    answer: Sender<std::result::Result<i64, Failed>>,
}

impl Question {
    /// The bot and the widths of its arrays, which depend on the variant.
    fn kind(&self) -> (usize, usize, usize) {
        (Arc::as_ptr(&self.class) as usize, self.observation.len(), self.mask.len())
    }
}

/// Asks each bot once for all its choices.
///
/// # Errors
/// An interrupt.
pub fn answer(py: Python<'_>, mut questions: Vec<Question>) -> PyResult<()> {
    questions.sort_by_key(Question::kind);
    for batch in questions.chunk_by(|one, two| one.kind() == two.kind()) {
        let class = &batch[0].class;
        let answers = match ask(py, &class.bot, batch) {
            Err(error) if error.is_instance_of::<PyKeyboardInterrupt>(py) => return Err(error),
            answers => answers.map_err(|error| class.raised(py, error)),
        };
        for (index, question) in batch.iter().enumerate() {
            let answer = answers.as_ref().map(|actions| actions[index]).map_err(Clone::clone);
            // Nobody waits after a stop.
            _ = question.answer.send(answer);
        }
    }
    Ok(())
}

fn ask(py: Python<'_>, bot: &Py<PyAny>, batch: &[Question]) -> PyResult<Vec<i64>> {
    let (observations, masks): (Vec<_>, Vec<_>) =
        batch.iter().map(|it| (it.observation.clone(), it.mask.clone())).unzip();
    let arrays = (PyArray2::from_vec2(py, &observations)?, PyArray2::from_vec2(py, &masks)?);
    let answer = bot.call_method1(py, "choose_many", arrays)?;
    py.import("parlour.arguments")?.call_method1("chosen", (answer, batch.len()))?.extract()
}

/// A seat of a batched bot.
pub struct Batched {
    questions: Sender<Question>,
    numbers: usize,
    count: usize,
}

impl Batched {
    pub fn new<G: Encoded>(questions: Sender<Question>, game: &G) -> Batched {
        let numbers = game.planes().iter().map(Plane::count).sum();
        let count = game.actions().iter().map(|group| group.count).sum();
        Batched { questions, numbers, count }
    }

    /// Waits for a move of the seat of the view, or for the end of the run.
    pub fn choose<G: Encoded>(
        &self,
        class: &Arc<Class>,
        game: &G,
        view: &G::View,
    ) -> std::result::Result<std::result::Result<G::Move, Failed>, BotError> {
        let (mut observation, mut legal) =
            (vec![0; self.numbers], vec![0; self.count.div_ceil(64)]);
        game.observe(view, &mut observation);
        game.legal(view, &mut legal);
        let mut mask = vec![false; self.count];
        actions(&legal).for_each(|action| mask[action as usize] = true);
        let ((answer, answered), class) = (channel(), Arc::clone(class));
        _ = self.questions.send(Question { class, observation, mask, answer });
        let answer = answered.recv().map_err(|_| BotError::Cancelled)?;
        Ok(answer.and_then(|action| {
            let found = actions(&legal).find(|legal| *legal == action);
            found.and_then(|action| game.move_of(action as usize)).ok_or_else(|| {
                let message = format!("it chose {action}, which is masked or does not exist");
                (BotFailure { fault: BotFault::Illegal, message }, None)
            })
        }))
    }
}
