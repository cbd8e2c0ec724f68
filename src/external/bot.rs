//! An external player at a seat.

use std::sync::Arc;
use std::time::Instant;

use serde_json::Value;

use super::Players;
use super::message::{Choice, Event, ToPlayer};
use super::process::Process;
use crate::chance::Stream;
use crate::game::{Bot, BotFault, Forfeit, Ruled, Scores, Seat, Sight};

/// A bot that asks a process. When the process fails, so does the bot ([`Forfeit`]).
pub struct ExternalBot {
    players: Arc<Players>,
    /// The process that plays this hand, from the first choice on.
    process: Option<Process>,
    seat: Seat,
    /// How many of the moves it was told of.
    told: usize,
}

impl ExternalBot {
    /// A bot that takes its processes from here.
    pub fn new(players: Arc<Players>) -> ExternalBot {
        ExternalBot { players, process: None, seat: Seat(0), told: 0 }
    }

    /// Lets the process go on to another hand.
    fn end(&mut self, scores: Option<&[i32]>) {
        let Some(mut process) = self.process.take() else { return };
        let message: ToPlayer<'_> = ToPlayer::End { scores };
        // One that has failed by now fails in its next hand, which is begun with another.
        if process.say(&message, Instant::now() + self.players.move_time()).is_ok() {
            self.players.give_back(process);
        }
    }

    fn ask<G: Ruled>(
        &mut self,
        game: &G,
        sight: Sight<'_, G>,
        chance: &mut Stream,
    ) -> Result<G::Move, Forfeit> {
        let process = match &mut self.process {
            Some(process) => process,
            none => {
                let process = none.insert(self.players.take()?);
                let start: ToPlayer<'_, (), G::Rules> = ToPlayer::Start {
                    rules: game.rules(),
                    seats: game.seats(),
                    seat: self.seat.0,
                    // Numbers of this size are exact in every language.
                    seed: chance.bits() >> 11,
                };
                process.say(&start, Instant::now() + self.players.move_time())?;
                process
            }
        };
        let mut moves = Vec::new();
        game.options(sight.view, &mut moves);
        let events = sight.past.get(self.told..).unwrap_or_default();
        let event = |(seat, mv): &(Seat, G::Move)| Event { seat: seat.0, mv: game.notation(*mv) };
        let question: ToPlayer<'_, G::View, Value> = ToPlayer::Choose {
            view: sight.view,
            events: events.iter().map(event).collect(),
            moves: moves.iter().map(|mv| game.notation(*mv)).collect(),
        };
        self.told = sight.past.len();
        let now = Instant::now();
        let choice: Choice = process.ask(&question, now + self.players.move_time())?;
        self.players.answered(now.elapsed());
        chosen(game, &choice, &moves)
    }
}

/// The move that was chosen.
fn chosen<G: Ruled>(game: &G, choice: &Choice, moves: &[G::Move]) -> Result<G::Move, Forfeit> {
    let illegal = |said| Forfeit { fault: BotFault::Illegal, said };
    match choice {
        Choice { index: Some(index), mv: None, .. } => {
            let mv = usize::try_from(*index).ok().and_then(|index| moves.get(index));
            let all = moves.len();
            mv.copied().ok_or_else(|| illegal(format!("it chose move {index} of {all}, from 0")))
        }
        Choice { index: None, mv: Some(text), .. } => match game.parse_move(text) {
            Ok(mv) if moves.contains(&mv) => Ok(mv),
            Ok(_) => Err(illegal(format!("it chose `{text}`, which is not legal here"))),
            Err(error) => Err(illegal(format!("it chose `{text}`: {error}"))),
        },
        _ => Err(Forfeit {
            fault: BotFault::Garbled,
            said: "its answer must have `index` or `move`, one of them".to_owned(),
        }),
    }
}

impl<G: Ruled> Bot<G> for ExternalBot {
    fn start(&mut self, seat: Seat) {
        self.end(None);
        (self.seat, self.told) = (seat, 0);
    }

    fn choose(&mut self, game: &G, sight: Sight<'_, G>, chance: &mut Stream) -> G::Move {
        self.ask(game, sight, chance).unwrap_or_else(|forfeit| {
            self.process = None;
            self.players.failed();
            forfeit.now()
        })
    }

    fn end(&mut self, scores: &Scores) {
        ExternalBot::end(self, Some(&scores.0));
    }
}

impl Drop for ExternalBot {
    fn drop(&mut self) {
        self.end(None);
    }
}
