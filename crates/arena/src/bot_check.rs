//! The conformance test of external bots.

use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use super::hand::{LineUp, slot_of};
use parlour_base::chance::{Seed, Stream};
use parlour_game::external::{External, ExternalBot, ProcessPool};
use parlour_game::strategy::{BotFactory, Strategic};
use parlour_game::{Bot, BotError, BotFailure, BotFault, Observation, Policy, Uniform};

/// The result of one check.
#[derive(Clone, Debug, Serialize)]
pub struct CheckResult {
    /// The expected behaviour.
    pub what: String,
    /// The difference, if the check failed.
    pub fault: Option<String>,
    /// A remark.
    pub note: Option<String>,
}

/// The time that a bot may take to exit after it was told to.
const FAREWELL: Duration = Duration::from_secs(2);

/// The number of hands for each variant and seat.
const HANDS: u64 = 2;

/// Tests a bot: it plays complete hands of every variant against random moves, from the first and the
/// last seat, and is started, interrupted and stopped. Calls `report` with the result of each check.
pub fn check_bot<G: Strategic>(external: &External, report: &mut dyn FnMut(CheckResult)) {
    let players = Arc::new(ProcessPool::new(external.clone(), G::NAME));
    let mut check = |what: &str, result: Result<Option<String>, String>| {
        let is_ok = result.is_ok();
        let fault = result.as_ref().err().cloned();
        report(CheckResult { what: what.to_owned(), fault, note: result.ok().flatten() });
        is_ok
    };
    let greeting = players.prepare("", None).map(|()| None).map_err(|error| error.to_string());
    if !check("starts and says hello", greeting) {
        return;
    }
    let mut is_playing = true;
    for preset in G::presets() {
        let Ok(game) = G::new(&preset.rules) else { continue };
        for seat in [0, game.seats() - 1] {
            // The first failure would only come again.
            if is_playing {
                let table = Table { game: &game, players: &players, seat };
                let mut hands = 0..HANDS;
                let hands = hands.try_for_each(|hand| table.play(hand, None).map(|_| ()));
                let what = format!("plays {} of {}, seat {seat}", preset.name, G::NAME);
                is_playing = check(&what, hands.map(|()| None));
            }
        }
    }
    if is_playing {
        check_more::<G>(&players, external, &mut check);
    }
    // A bot that failed has exited.
    let ended = players.prepare("", None).map_err(|error| error.to_string());
    let ended = ended.and_then(|()| match players.shut_down(FAREWELL) {
        true => Ok(None),
        false => Err(format!("it was still running after {} s", FAREWELL.as_secs())),
    });
    check("exits when told to", ended);
}

/// Receives a check and its result, and returns `true` if the bot passed.
type Check<'a> = dyn FnMut(&str, Result<Option<String>, String>) -> bool + 'a;

/// Tests what only a bot that plays can do.
fn check_more<G: Strategic>(
    players: &Arc<ProcessPool>,
    external: &External,
    check: &mut Check<'_>,
) {
    let Some(Ok(game)) = G::presets().first().map(|preset| G::new(&preset.rules)) else { return };
    let table = Table { game: &game, players, seat: 0 };
    let interrupted = (1..4).try_for_each(|moves| {
        table.play(0, Some(moves)).and_then(|_| table.play(1, None)).map(|_| ())
    });
    check("continues after an interrupted hand", interrupted.map(|()| None));
    let twice = table.play(2, None).and_then(|once| Ok((once, table.play(2, None)?)));
    let same = twice.map(|(once, again)| match once == again {
        true => None,
        false => Some("it does not: its runs cannot be reproduced".to_owned()),
    });
    let same = same.map_err(|fault| format!("it failed in a hand: {fault}"));
    check("plays the same hand the same way", same);
    let (asked, slowest) = players.pace();
    let (slowest, limit) = (slowest.as_secs_f64() * 1000.0, external.move_ms as f64);
    let note = format!("{asked} moves, the slowest in {slowest:.1} ms of {limit}");
    let in_time = if 2.0 * slowest > limit { Err(note) } else { Ok(Some(note)) };
    check("answers within half of its time limit", in_time);
}

/// A table of the bot and random players.
struct Table<'a, G: Strategic> {
    game: &'a G,
    players: &'a Arc<ProcessPool>,
    seat: usize,
}

impl<G: Strategic> Table<'_, G> {
    /// Plays a hand and returns its moves. With `interrupt_after`, another seat fails after that many of
    /// its moves.
    fn play(&self, hand: u64, interrupt_after: Option<u32>) -> Result<Vec<String>, String> {
        let seats = self.game.seats();
        let players = self.players.clone();
        let own =
            BotFactory::custom(move |_: &G| Box::new(ExternalBot::new(players.clone(), None)));
        let others = BotFactory::custom(move |_: &G| Box::new(RandomBot { left: interrupt_after }));
        let mut line_up =
            LineUp::new(self.game, (0..seats).map(|i| if i == 0 { &own } else { &others }));
        let (start, choice) = (Seed::new(hand).stream(), Seed::new(hand).named("choice"));
        let slot_at = |seat| slot_of(seat, self.seat as u32, 0, seats);
        let ended = line_up.play(true, &start, choice, slot_at).map_err(|e| e.to_string())?;
        match ended.as_ref().and_then(|ended| ended.faults.get(&0)) {
            Some(BotFailure { fault, message }) => Err(format!("{}: {message}", fault.name())),
            None => Ok(line_up.moves().iter().map(|(_, mv)| self.game.notation(*mv)).collect()),
        }
    }
}

/// A bot that moves at random and can fail after a number of moves.
struct RandomBot {
    left: Option<u32>,
}

impl<G: Strategic> Bot<G> for RandomBot {
    fn choose(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        chance: &mut Stream,
    ) -> Result<G::Move, BotError> {
        if self.left == Some(0) {
            let message = "interrupted".to_owned();
            return Err(BotFailure { fault: BotFault::Panicked, message }.into());
        }
        self.left = self.left.map(|left| left - 1);
        Ok(Uniform.pick(game, observation.view, chance))
    }
}
