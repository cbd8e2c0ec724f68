//! A trial of an external player: whether it keeps to the protocol in all that may come.

use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use super::hand::{LineUp, slot_of};
use crate::chance::{Seed, Stream};
use crate::external::{External, ProcessPool};
use crate::game::{Bot, BotError, BotFailure, BotFault, Observation, Policy, Uniform};
use crate::strategy::BotFactory;
use crate::strategy::Strategic;

/// One thing that was looked at.
#[derive(Clone, Debug, Serialize)]
pub struct Tried {
    /// What should hold.
    pub what: String,
    /// Why it does not, where it does not.
    pub fault: Option<String>,
    /// What else there is to say.
    pub note: Option<String>,
}

/// How long a player may take to end after it was told to.
const FAREWELL: Duration = Duration::from_secs(2);

/// So many hands are played for each variant and seat.
const HANDS: u64 = 2;

/// Plays hands of every variant against random moves, from the first seat and from the last, and looks
/// at what comes before, between and after them. `hear` is told of each thing as it was tried.
///
/// The hands are whole ones: the first choice with nothing played, forced moves, long lists of moves
/// and many seats all come in them.
pub fn trial<G: Strategic>(external: &External, hear: &mut dyn FnMut(Tried)) {
    let players = Arc::new(ProcessPool::new(external.clone(), G::NAME));
    let mut tell = |what: &str, result: Result<Option<String>, String>| {
        let (what, is_well) = (what.to_owned(), result.is_ok());
        let (fault, note) = match result {
            Ok(note) => (None, note),
            Err(fault) => (Some(fault), None),
        };
        hear(Tried { what, fault, note });
        is_well
    };
    let greeting = players.prepare("", None).map(|()| None).map_err(|error| error.to_string());
    if !tell("starts and says hello", greeting) {
        return;
    }
    for preset in G::presets() {
        let Ok(game) = G::new(&preset.rules) else { continue };
        for seat in [0, game.seats() - 1] {
            let table = Table { game: &game, players: &players, seat };
            let hands = (0..HANDS).try_for_each(|hand| table.play(hand, None).map(|_| ()));
            tell(
                &format!("plays {} of {}, seat {seat}", preset.name, G::NAME),
                hands.map(|()| None),
            );
        }
    }
    let Some(Ok(game)) = G::presets().first().map(|preset| G::new(&preset.rules)) else { return };
    let table = Table { game: &game, players: &players, seat: 0 };
    let broken = (1..4).try_for_each(|moves| {
        table.play(0, Some(moves)).and_then(|_| table.play(1, None)).map(|_| ())
    });
    tell("plays on after a hand that was broken off", broken.map(|()| None));
    let twice = table.play(2, None).and_then(|once| Ok((once, table.play(2, None)?)));
    let same = twice.map(|(once, again)| match once == again {
        true => None,
        false => Some("it does not: runs with it cannot be repeated".to_owned()),
    });
    tell("plays the same hand the same way", same);
    let (asked, slowest) = players.pace();
    let (slowest, limit) = (slowest.as_secs_f64() * 1000.0, external.move_ms as f64);
    let note = format!("{asked} moves, the slowest in {slowest:.1} ms of {limit}");
    let in_time = if 2.0 * slowest > limit { Err(note) } else { Ok(Some(note)) };
    tell("answers in half of its time", in_time);
    // One that failed is gone by now.
    let ended = players.prepare("", None).map_err(|error| error.to_string());
    let ended = ended.and_then(|()| match players.shut_down(FAREWELL) {
        true => Ok(None),
        false => Err(format!("it was still there after {} s", FAREWELL.as_secs())),
    });
    tell("ends when it is told to", ended);
}

/// A table at which the player sits among random moves.
struct Table<'a, G: Strategic> {
    game: &'a G,
    players: &'a Arc<ProcessPool>,
    seat: usize,
}

impl<G: Strategic> Table<'_, G> {
    /// The moves of a hand, which may be broken off after so many moves of another seat.
    fn play(&self, hand: u64, broken: Option<u32>) -> Result<Vec<String>, String> {
        let seats = self.game.seats();
        let players = self.players.clone();
        let own = BotFactory::custom(move |_: &G| {
            Box::new(crate::external::ExternalBot::new(players.clone()))
        });
        let others = BotFactory::custom(move |_: &G| Box::new(Lot { left: Cell::new(broken) }));
        let mut line_up =
            LineUp::new(self.game, (0..seats).map(|i| if i == 0 { &own } else { &others }));
        let (start, choice) = (Seed::new(hand).stream(), Seed::new(hand).named("choice"));
        let slot_at = |seat| slot_of(seat, self.seat as u32, 0, seats);
        let ended = line_up.play(true, &start, choice, slot_at);
        match ended.as_ref().and_then(|ended| ended.faults.get(&0)) {
            Some(BotFailure { fault, said }) => Err(format!("{}: {said}", fault.name())),
            None => Ok(line_up.moves().iter().map(|(_, mv)| self.game.notation(*mv)).collect()),
        }
    }
}

/// Random moves; perhaps so many of them, and then the hand is broken off.
struct Lot {
    left: Cell<Option<u32>>,
}

impl<G: Strategic> Bot<G> for Lot {
    fn choose(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        chance: &mut Stream,
    ) -> Result<G::Move, BotError> {
        if let Some(left) = self.left.get() {
            if left == 0 {
                let said = "broken off".to_owned();
                return Err(BotFailure { fault: BotFault::Panicked, said }.into());
            }
            self.left.set(Some(left - 1));
        }
        Ok(Uniform.pick(game, observation.view, chance))
    }
}
