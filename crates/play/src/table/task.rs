//! Slow work of a table: the bots' moves, advice, and beliefs at the end. It runs without the table.

use std::sync::Arc;

use super::participant::{TableBot, Thought};
use super::table::{Table, is_manual};
use parlour_base::chance::Stream;
use parlour_base::error::{Error, Result, ensure};
use parlour_game::strategy::{Advice, Strategic, Strategy};
use parlour_game::{BotError, Observation, Seat, Turn};

/// Slow work on a position, which holds only what the seat concerned may know.
pub struct Task<G: Strategic> {
    /// The revision of the table; the result of another revision is void.
    revision: u64,
    work: Box<dyn FnOnce() -> Finding<G>>,
}

/// The result of a task.
pub struct TaskResult<G: Strategic> {
    revision: u64,
    finding: Finding<G>,
}

enum Finding<G: Strategic> {
    /// A bot's move.
    Move {
        bot: Box<TableBot<G>>,
        seat: Seat,
        chance: Stream,
        chosen: std::result::Result<(G::Move, Option<Thought>), BotError>,
    },
    /// Advice for a person.
    Advice(Seat, std::result::Result<Advice, BotError>),
    /// The beliefs of the strategies at the end, by seat.
    Beliefs(Vec<Option<String>>),
}

impl<G: Strategic> Task<G> {
    /// Does the work.
    pub fn run(self) -> TaskResult<G> {
        TaskResult { revision: self.revision, finding: (self.work)() }
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
        if self.advice_request.is_none() && self.advice.is_none() {
            self.advice_request = Some((seat, false));
            self.version += 1;
        }
        Ok(())
    }

    /// Returns the next task, if any. Each task is handed out once.
    pub fn next_task(&mut self) -> Option<Task<G>> {
        if self.asks_dealer {
            return None;
        }
        let game = self.known.clone();
        let work: Box<dyn FnOnce() -> Finding<G>> = match self.turn() {
            Turn::Over => {
                if std::mem::replace(&mut self.has_asked_beliefs, true) {
                    return None;
                }
                let seats = self.seats().zip(&self.participants);
                let seats =
                    seats.map(|(seat, who)| Some((who.strategy()?.clone(), self.view(seat))));
                let seats: Vec<_> = seats.collect();
                Box::new(move || {
                    let believe = |seat: Option<(Arc<Strategy<G>>, G::View)>| {
                        seat.and_then(|(strategy, view)| {
                            game.explainer()?.belief(&strategy.spec, &view)
                        })
                    };
                    Finding::Beliefs(seats.into_iter().map(believe).collect())
                })
            }
            Turn::Seat(seat) => {
                let (view, past) = (self.view(seat), self.past(seat).to_vec());
                if let Some(mut bot) = self.bots.get_mut(seat.index()).and_then(Option::take) {
                    let mut chance = self.chances[seat.index()].clone();
                    Box::new(move || {
                        let observation = Observation { view: &view, past: &past };
                        let chosen = bot.choose(&game, observation, &mut chance);
                        Finding::Move { bot, seat, chance, chosen }
                    })
                } else {
                    let strategy = self.adviser.clone()?;
                    let (_, is_running) =
                        self.advice_request.as_mut().filter(|(_, running)| !running)?;
                    *is_running = true;
                    let seed = self.hand.deal_id.choice(seat).named("advice");
                    let seed = seed.child(self.hand.play.moves().len() as u64);
                    Box::new(move || {
                        let observation = Observation { view: &view, past: &past };
                        Finding::Advice(
                            seat,
                            Advice::of(&*game, &strategy, seat, observation, seed),
                        )
                    })
                }
            }
        };
        Some(Task { revision: self.revision, work })
    }

    /// Applies the result of a task. Ignores it if moves were taken back or a new hand was dealt.
    pub fn finish_task(&mut self, result: TaskResult<G>) {
        if result.revision != self.revision {
            return;
        }
        match result.finding {
            Finding::Move { bot, seat, chance, chosen } => {
                if !self.resigned {
                    self.chances[seat.index()] = chance;
                    self.play_for_bot(bot, seat, chosen);
                }
            }
            Finding::Advice(seat, advice) => {
                if self.advice_request.is_none_or(|(asker, _)| asker != seat) {
                    return;
                }
                self.advice_request = None;
                match advice {
                    Ok(advice) => self.advice = Some((seat, advice)),
                    Err(error) => self.notice = Some(format!("no advice: {error}")),
                }
                self.version += 1;
            }
            Finding::Beliefs(beliefs) => {
                self.beliefs = beliefs;
                self.version += 1;
            }
        }
    }

    fn play_for_bot(
        &mut self,
        bot: Box<TableBot<G>>,
        seat: Seat,
        chosen: std::result::Result<(G::Move, Option<Thought>), BotError>,
    ) {
        let played = chosen.map_err(|error| error.to_string()).and_then(|(mv, thought)| {
            let applied = self.hand.apply(&self.game, seat, mv);
            applied.map(|()| thought).map_err(|error| error.to_string())
        });
        match played {
            Ok(thought) => {
                self.thoughts.extend(thought);
                self.bots[seat.index()] = Some(bot);
                if self.is_finished() {
                    let scores = self.game.scores(&self.hand.play.state);
                    self.bots.iter_mut().flatten().for_each(|bot| bot.end(&scores));
                }
                self.position_changed();
            }
            Err(why) => {
                let name = self.participants[seat.index()].name();
                self.notice = Some(format!(
                    "{name} at seat {} failed: {why}. It makes random moves from now on.",
                    seat.0
                ));
                self.bots[seat.index()] = Some(Box::new(bot.into_random()));
                self.version += 1;
            }
        }
    }
}
