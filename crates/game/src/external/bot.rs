//! A bot that asks an external player.

use std::sync::Arc;

use serde_json::Value;

use super::message::{ChoiceAnswer, Event, ToPlayer, parse_answer, shorten, to_line};
use super::process_pool::ProcessPool;
use super::session::Session;
use crate::{Bot, BotError, BotFailure, BotFault, Observation, Ruled, Scores, Seat};
use parlour_base::chance::Stream;

/// A bot that asks an external process. If the process fails, the bot returns its fault.
pub struct ExternalBot {
    talk: Session,
    seat: Seat,
    /// The number of moves that the process has received.
    sent: usize,
}

impl ExternalBot {
    /// Creates a bot that takes its processes from a pool.
    pub fn new(players: Arc<ProcessPool>) -> ExternalBot {
        ExternalBot { talk: Session::new(players), seat: Seat(0), sent: 0 }
    }

    /// Ends the hand of the process.
    fn end(&mut self, scores: Option<&[i32]>) {
        self.talk.end(|| {
            let message: ToPlayer<'_> = ToPlayer::End { scores };
            to_line(&message)
        });
    }

    fn ask<G: Ruled>(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        chance: &mut Stream,
    ) -> Result<G::Move, BotFailure> {
        self.talk.begin(|| {
            let start: ToPlayer<'_, (), G::Rules> = ToPlayer::Start {
                rules: game.rules(),
                seats: game.seats(),
                seat: self.seat.0,
                // 53 bits are exact in every language.
                seed: chance.bits() >> 11,
            };
            to_line(&start)
        })?;
        let mut moves = Vec::new();
        game.legal_moves_in_view(observation.view, &mut moves);
        let events = observation.past.get(self.sent..).unwrap_or_default();
        let event = |(seat, mv): &(Seat, G::Move)| Event { seat: seat.0, mv: game.notation(*mv) };
        let question: ToPlayer<'_, G::View, Value> = ToPlayer::Choose {
            view: observation.view,
            events: events.iter().map(event).collect(),
            moves: moves.iter().map(|mv| game.notation(*mv)).collect(),
        };
        self.sent = observation.past.len();
        self.talk.ask(&to_line(&question), |answer| parse_choice(game, &moves, answer))
    }
}

/// Returns the legal move that an answer to `choose` names.
///
/// # Errors
/// If it is no answer, or names no legal move.
pub fn parse_choice<G: Ruled>(
    game: &G,
    moves: &[G::Move],
    line: &[u8],
) -> Result<G::Move, BotFailure> {
    let illegal = |message| BotFailure { fault: BotFault::Illegal, message };
    match &parse_answer(line)? {
        ChoiceAnswer { index: Some(index), mv: None, .. } => {
            let mv = usize::try_from(*index).ok().and_then(|index| moves.get(index));
            let all = moves.len();
            mv.copied().ok_or_else(|| illegal(format!("it chose move {index} of {all}, from 0")))
        }
        ChoiceAnswer { index: None, mv: Some(text), .. } => match game.parse_move(text) {
            Ok(mv) if moves.contains(&mv) => Ok(mv),
            Ok(_) => Err(illegal(format!("it chose `{}`, which is not legal here", shorten(text)))),
            Err(error) => {
                let error = shorten(&error.to_string());
                Err(illegal(format!("it chose `{}`: {error}", shorten(text))))
            }
        },
        _ => Err(BotFailure {
            fault: BotFault::Garbled,
            message: "its answer must have either `index` or `move`".to_owned(),
        }),
    }
}

impl<G: Ruled> Bot<G> for ExternalBot {
    fn start(&mut self, seat: Seat) {
        self.end(None);
        (self.seat, self.sent) = (seat, 0);
    }

    fn choose(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        chance: &mut Stream,
    ) -> Result<G::Move, BotError> {
        Ok(self.ask(game, observation, chance)?)
    }

    fn end(&mut self, scores: &Scores) -> Result<(), BotError> {
        ExternalBot::end(self, Some(&scores.0));
        Ok(())
    }
}

impl Drop for ExternalBot {
    fn drop(&mut self) {
        self.end(None);
    }
}
