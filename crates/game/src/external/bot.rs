//! A bot that asks an external player.

use std::sync::Arc;

use serde_json::json;

use super::message::{ChoiceAnswer, parse_answer, shorten, to_line};
use super::process_pool::{ProcessPool, Session};
use crate::{Bot, BotError, BotFailure, BotFault, Observation, PastMove, Ruled, Scores, Seat};
use parlour_base::chance::Stream;

/// A bot that asks an external process. If the process fails, the bot returns its fault.
pub struct ExternalBot {
    talk: Session,
    seat: Seat,
    /// The number of moves that the process has received.
    sent: usize,
}

impl ExternalBot {
    /// Creates a bot that takes its processes from a pool: those that have not played the deal of this
    /// number.
    pub fn new(players: Arc<ProcessPool>, deal: Option<u64>) -> ExternalBot {
        ExternalBot { talk: Session::new(players, deal), seat: Seat(0), sent: 0 }
    }

    /// Ends the hand of the process.
    fn end_hand(&mut self, scores: Option<&[i32]>) {
        self.talk.end(|| to_line(&json!({ "type": "end", "scores": scores })));
    }
}

impl<G: Ruled> Bot<G> for ExternalBot {
    fn start(&mut self, seat: Seat) {
        self.end_hand(None);
        (self.seat, self.sent) = (seat, 0);
    }

    fn choose(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        chance: &mut Stream,
    ) -> Result<G::Move, BotError> {
        let mut moves = Vec::new();
        game.legal_moves_in_view(observation.view, &mut moves);
        let events = observation.past.get(self.sent..).unwrap_or_default();
        let question = json!({
            "type": "choose",
            "view": observation.view,
            // The moves since its last choice, including its own.
            "events": PastMove::list(game, events),
            "moves": moves.iter().map(|mv| game.notation(*mv)).collect::<Vec<_>>(),
        });
        self.sent = observation.past.len();
        let start = || {
            to_line(&json!({
                "type": "start",
                "rules": game.rules(),
                "seats": game.seats(),
                "seat": self.seat,
                // 53 bits are exact in every language. The same whenever this hand is played again.
                "seed": chance.bits() >> 11,
            }))
        };
        self.talk.ask(start, &to_line(&question), |answer| parse_choice(game, &moves, answer))
    }

    fn end(&mut self, scores: &Scores) -> Result<(), BotError> {
        self.end_hand(Some(&scores.0));
        Ok(())
    }
}

impl Drop for ExternalBot {
    fn drop(&mut self) {
        self.end_hand(None);
    }
}

/// Returns the legal move that an answer to `choose` names.
///
/// # Errors
/// If the line is not an answer, or its move is not legal.
pub fn parse_choice<G: Ruled>(
    game: &G,
    moves: &[G::Move],
    line: &[u8],
) -> Result<G::Move, BotFailure> {
    let (fault, message) = match &parse_answer(line)? {
        ChoiceAnswer { index: Some(index), mv: None, .. } => {
            let mv = usize::try_from(*index).ok().and_then(|index| moves.get(index));
            match mv {
                Some(mv) => return Ok(*mv),
                None => {
                    (BotFault::Illegal, format!("it chose move {index} of {}, from 0", moves.len()))
                }
            }
        }
        ChoiceAnswer { index: None, mv: Some(text), .. } => {
            let (mv, text) = (game.parse_move(text), shorten(text));
            let problem = match mv {
                Ok(mv) if game.is_legal_among(moves, mv) => return Ok(mv),
                Ok(_) => format!("`{text}`, which is not legal here"),
                Err(error) => format!("`{text}`: {}", shorten(&error.to_string())),
            };
            (BotFault::Illegal, format!("it chose {problem}"))
        }
        _ => (BotFault::Garbled, "its answer must have either `index` or `move`".to_owned()),
    };
    Err(BotFailure { fault, message })
}
