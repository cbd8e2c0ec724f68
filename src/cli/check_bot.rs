//! `parlour check-bot`.

use super::{Args, Error, Result, say, say_json, with_game};
use crate::arena::{Tried, trial};
use crate::external::External;

#[derive(Args, Debug)]
pub(super) struct CheckBot {
    /// The program and its arguments, after `--`
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
    /// The game that it plays
    #[arg(long)]
    game: String,
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
    with_game!(given.game.as_str(), G => trial::<G>(&external, &mut hear))?;
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

fn line(Tried { what, fault, note }: &Tried) -> String {
    let note = note.as_ref().map_or(String::new(), |note| format!(" ({note})"));
    match fault {
        None => format!("ok    {what}{note}"),
        Some(fault) => format!("FAIL  {what}: {fault}"),
    }
}
