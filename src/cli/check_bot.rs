//! `parlour check-bot`.

use std::sync::Arc;

use super::{Args, Error, Result, Seed, say, say_json, with_game};
use crate::Ruled;
use crate::arena::{Tried, trial};
use crate::external::{External, ProcessPool};
use crate::game::BotFailure;
use crate::games::eleusis::science::{Outside, Played, bank_cases, play_case};
use crate::games::eleusis::{Eleusis, Half};

#[derive(Args, Debug)]
pub(super) struct CheckBot {
    /// The program and its arguments, after `--`
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
    /// The game that it plays
    #[arg(long)]
    game: String,
    /// Try it as one who looks for Eleusis rules alone, as `science` does
    #[arg(long)]
    science: bool,
    /// How long it may think about a move, milliseconds
    #[arg(long, default_value_t = External::default().move_ms)]
    move_ms: u64,
    /// How long it may take from its start to its greeting, milliseconds
    #[arg(long, default_value_t = External::default().start_ms)]
    start_ms: u64,
    /// Print JSON: what was tried, and the faults
    #[arg(long)]
    json: bool,
}

pub(super) fn run(given: &CheckBot) -> Result<()> {
    let &CheckBot { move_ms, start_ms, .. } = given;
    // Every hand is tried, however many fail.
    let max_faults = u64::MAX;
    let external = External { command: given.command.clone(), move_ms, start_ms, max_faults };
    external.fault().map_or(Ok(()), |fault| Err(Error::input(fault)))?;
    let (mut all, mut unsaid) = (Vec::new(), Ok(()));
    let mut hear = |tried: Tried| {
        if !given.json && unsaid.is_ok() {
            unsaid = say(line(&tried));
        }
        all.push(tried);
    };
    match given.science {
        true if given.game == Eleusis::NAME => science(&external, &mut hear),
        true => return Err(Error::input("`--science` is of eleusis: write `--game eleusis`")),
        false => with_game!(given.game.as_str(), G => trial::<G>(&external, &mut hear))?,
    }
    unsaid?;
    if given.json {
        say_json(&all)?;
    }
    let (failed, tried) = (all.iter().filter(|tried| tried.fault.is_some()).count(), all.len());
    match failed {
        0 if given.json => Ok(()),
        0 => say(format!("All {tried} trials passed.")),
        _ => Err(Error::failed(format!("{failed} of {tried} trials failed"))),
    }
}

/// Lets a player look for three rules of the bank.
fn science(external: &External, hear: &mut dyn FnMut(Tried)) {
    let players = Arc::new(ProcessPool::new(external.clone(), Eleusis::NAME));
    let mut tell = |what: String, fault: Option<String>, note: Option<String>| {
        let is_well = fault.is_none();
        hear(Tried { what, fault, note });
        is_well
    };
    let greeting = players.prepare("", None).err().map(|error| error.to_string());
    if !tell("starts and says hello".to_owned(), greeting, None) {
        return;
    }
    for case in bank_cases(Some(Half::Training), 1, 1).iter().take(3) {
        let play = || {
            let mut scientist = Outside::new(players.clone());
            play_case(case, &mut scientist, &mut Seed::new(1).stream())
        };
        let (played, again) = (play(), play());
        let fault = played.forfeit.as_ref().or(again.forfeit.as_ref());
        let fault = fault.map(|BotFailure { fault, said }| format!("{}: {said}", fault.name()));
        let laid = |played: &Played| -> Vec<(String, Option<String>)> {
            played.turns.iter().map(|turn| (turn.card.clone(), turn.guess.clone())).collect()
        };
        let note = match played.solved {
            _ if laid(&played) != laid(&again) => {
                "not the same way twice: results with it cannot be repeated".to_owned()
            }
            Some(turn) => format!("found in turn {turn}"),
            None => "not found".to_owned(),
        };
        tell(format!("looks for `{}` ({})", case.rule, case.name), fault, Some(note));
    }
}

fn line(Tried { what, fault, note }: &Tried) -> String {
    let note = note.as_ref().map_or(String::new(), |note| format!(" ({note})"));
    match fault {
        None => format!("ok    {what}{note}"),
        Some(fault) => format!("FAIL  {what}: {fault}"),
    }
}
