//! What is thought about at a table: the bots' moves, advice, what they believe at the end.

use super::job::{Done, Found, Job, Shown, What};
use super::mind::Mind;
use super::play::{Table, is_manual};
use super::seen::Thought;
use crate::chance::Stream;
use crate::error::{Error, Result, ensure};
use crate::game::{BotError, Seat, Turn};
use crate::strategy::{Advice, Strategic};

impl<G: Strategic> Table<G> {
    /// Asks the adviser for a person whose turn it is.
    ///
    /// # Errors
    /// When it is not that person's turn, or there is no adviser.
    pub fn want_advice(&mut self, seat: Seat) -> Result<()> {
        ensure(self.turn() == Turn::Seat(seat) && !self.asks_dealer, || {
            Error::input("it is not your turn")
        })?;
        let knows = seat != Seat(0) || !is_manual(&*self.game);
        ensure(knows, || Error::input("only you know your rule"))?;
        ensure(self.adviser.is_some(), || Error::input("this game has no adviser"))?;
        if self.wants_advice.is_none() && self.advice.is_none() {
            self.wants_advice = Some((seat, false));
            self.version += 1;
        }
        Ok(())
    }

    /// The advice that a seat was given on this position.
    pub fn advice(&self, seat: Seat) -> Option<&Advice> {
        self.advice.as_ref().filter(|(given, _)| *given == seat).map(|(_, advice)| advice)
    }

    fn shown(&self, seat: Seat) -> Shown<G> {
        Shown { seat, view: self.view(seat), past: self.past(seat).to_vec() }
    }

    /// What is to be thought about now, if anything. It is handed out once.
    pub fn job(&mut self) -> Option<Job<G>> {
        if self.asks_dealer {
            return None;
        }
        let what = match self.turn() {
            Turn::Over => {
                if std::mem::replace(&mut self.believing, true) {
                    return None;
                }
                let each = self.seats().zip(&self.sitters);
                let each = each.map(|(seat, who)| Some((who.strategy()?.clone(), self.view(seat))));
                What::Believe(each.collect())
            }
            Turn::Seat(seat) => match self.minds.get_mut(seat.index()).and_then(Option::take) {
                Some(mind) => {
                    let chance = self.chances[seat.index()].clone();
                    What::Choose { mind, shown: self.shown(seat), chance }
                }
                None => {
                    let strategy = self.adviser.clone()?;
                    let (seat, thinking) = self.wants_advice.as_mut().filter(|(_, busy)| !busy)?;
                    *thinking = true;
                    let (seat, seed) = (*seat, self.hand.dealt.choice(*seat).named("advice"));
                    let seed = seed.child(self.hand.play.moves().len() as u64);
                    What::Advise { strategy, shown: self.shown(seat), seed }
                }
            },
        };
        Some(Job { game: self.known.clone(), when: self.when, what })
    }

    /// Takes what was found out; nothing happens if the table has moved on.
    pub fn done(&mut self, done: Done<G>) {
        if done.when != self.when {
            return;
        }
        match done.found {
            Found::Chosen { mind, seat, chance, chosen } => self.chosen(mind, seat, chance, chosen),
            Found::Advised(seat, advice) => {
                if self.wants_advice.is_none_or(|(wants, _)| wants != seat) {
                    return;
                }
                self.wants_advice = None;
                match advice {
                    Ok(advice) => self.advice = Some((seat, advice)),
                    Err(error) => self.notice = Some(format!("no advice: {error}")),
                }
                self.version += 1;
            }
            Found::Believed(beliefs) => {
                self.beliefs = beliefs;
                self.version += 1;
            }
        }
    }

    fn chosen(
        &mut self,
        mind: Box<Mind<G>>,
        seat: Seat,
        chance: Stream,
        chosen: std::result::Result<(G::Move, Option<Thought>), BotError>,
    ) {
        if self.resigned {
            return;
        }
        self.chances[seat.index()] = chance;
        let made = match chosen {
            Ok((mv, thought)) => {
                self.hand.apply(&self.game, seat, mv).map(|()| thought).map_err(|e| e.to_string())
            }
            Err(error) => Err(error.to_string()),
        };
        match made {
            Ok(thought) => {
                self.thoughts.extend(thought);
                self.minds[seat.index()] = Some(mind);
            }
            Err(said) => {
                let name = self.sitters[seat.index()].name();
                self.notice = Some(format!(
                    "{name} at seat {} failed: {said}. Random moves are made in its place.",
                    seat.0
                ));
                self.minds[seat.index()] = Some(Box::new(mind.at_random()));
                self.version += 1;
                return;
            }
        }
        if self.is_finished() {
            let scores = self.game.scores(&self.hand.play.state);
            self.minds.iter_mut().flatten().for_each(|mind| mind.end(&scores));
        }
        self.moved();
    }
}
