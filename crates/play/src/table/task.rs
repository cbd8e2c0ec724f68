//! Slow work of a table: the bots' moves, advice, and beliefs at the end. It runs without the table.

use std::sync::Arc;

use super::participant::{ChosenMove, TableBot};
use super::table::{Table, apply, is_manual};
use parlour_base::error::{Error, Result, ensure};
use parlour_game::strategy::{Advice, Strategic, Strategy};
use parlour_game::{Observation, Seat, Turn};

/// Slow work on a position, which holds only what the seat concerned may know.
pub struct Task<G: Strategic> {
    /// The revision of the table; the result of another revision is void.
    revision: u64,
    work: Work<G>,
}

/// Work without the table.
type Work<G> = Box<dyn FnOnce() -> Update<G>>;

/// Applies the result of some work to the table.
type Update<G> = Box<dyn FnOnce(&mut Table<G>)>;

/// The result of a task.
pub struct TaskResult<G: Strategic> {
    revision: u64,
    update: Update<G>,
}

impl<G: Strategic> Task<G> {
    /// Does the work.
    pub fn run(self) -> TaskResult<G> {
        TaskResult { revision: self.revision, update: (self.work)() }
    }
}

impl<G: Strategic> Table<G> {
    /// Requests advice for a person whose turn it is.
    ///
    /// # Errors
    /// If it is not that person's turn, or the game has no adviser.
    pub fn request_advice(&mut self, seat: Seat) -> Result<()> {
        ensure(self.turn() == Turn::Seat(seat) && !self.asks_dealer, || {
            Error::input("it is not your turn")
        })?;
        let is_known = seat != Seat(0) || !is_manual(&*self.game);
        ensure(is_known, || Error::input("only you know your rule"))?;
        ensure(self.adviser.is_some(), || Error::input("this game has no adviser"))?;
        if self.position.advice_request.is_none() && self.position.advice.is_none() {
            self.position.advice_request = Some((seat, false));
            self.version += 1;
        }
        Ok(())
    }

    /// Returns the next task, if any. Each task is handed out once.
    pub fn next_task(&mut self) -> Option<Task<G>> {
        if self.asks_dealer {
            return None;
        }
        let work = match self.turn() {
            Turn::Over => self.belief_work(),
            Turn::Seat(seat) => match self.bots[seat.index()].take() {
                Some(bot) => Some(self.move_work(seat, bot)),
                None => self.advice_work(seat),
            },
        };
        Some(Task { revision: self.revision, work: work? })
    }

    /// Applies the result of a task. Ignores it if moves were taken back or a new hand was dealt.
    pub fn finish_task(&mut self, result: TaskResult<G>) {
        if result.revision == self.revision {
            (result.update)(self);
        }
    }

    /// Asks all strategies for their beliefs at the end.
    fn belief_work(&mut self) -> Option<Work<G>> {
        if std::mem::replace(&mut self.notes.has_asked_beliefs, true) {
            return None;
        }
        let game = self.known.clone();
        let seats = self.seats().zip(&self.participants);
        let seats: Vec<_> =
            seats.map(|(seat, who)| Some((who.strategy()?.clone(), self.view(seat)))).collect();
        Some(Box::new(move || {
            let believe = |seat: Option<(Arc<Strategy<G>>, G::View)>| {
                let (strategy, view) = seat?;
                game.explainer()?.belief(&strategy.spec, &view)
            };
            let beliefs = seats.into_iter().map(believe).collect();
            Box::new(move |table| {
                table.notes.beliefs = beliefs;
                table.version += 1;
            })
        }))
    }

    /// Lets a bot choose its move.
    fn move_work(&self, seat: Seat, mut bot: TableBot<G>) -> Work<G> {
        let (game, mut chance) = (self.known.clone(), self.chances[seat.index()].clone());
        let (view, past) = (self.view(seat), self.past(seat).to_vec());
        Box::new(move || {
            let observation = Observation { view: &view, past: &past };
            let chosen = bot.choose(&game, seat, observation, &mut chance);
            Box::new(move |table| {
                if !table.notes.resigned {
                    table.chances[seat.index()] = chance;
                    table.play_for_bot(bot, seat, chosen);
                }
            })
        })
    }

    /// Asks the adviser for the person at a seat.
    fn advice_work(&mut self, seat: Seat) -> Option<Work<G>> {
        let (game, strategy) = (self.known.clone(), self.adviser.clone()?);
        let request = &mut self.position.advice_request;
        let (_, is_running) = request.as_mut().filter(|(_, running)| !running)?;
        *is_running = true;
        let (view, past) = (self.view(seat), self.past(seat).to_vec());
        let seed = self.deal_id.choice(seat).named("advice");
        let seed = seed.child(self.hand.moves().len() as u64);
        Some(Box::new(move || {
            let observation = Observation { view: &view, past: &past };
            let advice = Advice::of(&*game, &strategy, seat, observation, seed);
            Box::new(move |table| {
                if table.position.advice_request.is_none_or(|(asker, _)| asker != seat) {
                    return;
                }
                table.position.advice_request = None;
                match advice {
                    Ok(advice) => table.position.advice = Some((seat, advice)),
                    Err(error) => table.notes.notice = Some(format!("no advice: {error}")),
                }
                table.version += 1;
            })
        }))
    }

    fn play_for_bot(&mut self, bot: TableBot<G>, seat: Seat, chosen: ChosenMove<G>) {
        let played = chosen.map_err(|error| error.to_string()).and_then(|(mv, thought)| {
            let applied = apply(&*self.game, &mut self.hand, seat, mv);
            applied.map(|()| thought).map_err(|error| error.to_string())
        });
        match played {
            Ok(thought) => {
                self.notes.thoughts.extend(thought);
                self.bots[seat.index()] = Some(bot);
                if self.is_finished() {
                    let scores = self.game.scores(&self.hand.state);
                    self.bots.iter_mut().flatten().for_each(|bot| bot.end(&scores));
                }
                self.position_changed();
            }
            Err(why) => {
                let name = self.participants[seat.index()].name();
                self.notes.notice = Some(format!(
                    "{name} at seat {} failed: {why}. It makes random moves from now on.",
                    seat.0
                ));
                self.bots[seat.index()] = Some(TableBot::random());
                self.version += 1;
            }
        }
    }
}
