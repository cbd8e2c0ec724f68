//! `parlour check-bot`.

use std::sync::Arc;

use clap::Args;

use super::output::{exit_stopped, on_interrupt, print, print_json};
use crate::Ruled;
use crate::arena::CheckResult;
use crate::chance::Seed;
use crate::error::{Error, Result};
use crate::external::{External, ProcessPool};
use crate::games::eleusis::science::{CaseResult, ExternalLearner, corpus_cases, play_case};
use crate::games::eleusis::{Eleusis, Split};
use crate::games::game;

#[derive(Args, Debug)]
pub(super) struct CheckBot {
    /// The program and its arguments, after `--`
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<String>,
    /// The game that the program plays
    #[arg(long)]
    game: String,
    /// Test the rule-discovery protocol of `parlour science`
    #[arg(long)]
    science: bool,
    /// Time limit per move, in milliseconds
    #[arg(long, default_value_t = External::default().move_ms)]
    move_ms: u64,
    /// Time limit from start to greeting, in milliseconds
    #[arg(long, default_value_t = External::default().start_ms)]
    start_ms: u64,
    /// Print JSON: the tests and their failures
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &CheckBot) -> Result<()> {
    let &CheckBot { move_ms, start_ms, .. } = args;
    // All hands are played, even if many fail.
    let max_faults = u64::MAX;
    let external = External { command: args.command.clone(), move_ms, start_ms, max_faults };
    external.fault().map_or(Ok(()), |fault| Err(Error::input(fault)))?;
    on_interrupt(|| exit_stopped())?;
    let (mut all, mut printed) = (Vec::new(), Ok(()));
    let mut hear = |result: CheckResult| {
        if !args.json && printed.is_ok() {
            printed = print(line(&result));
        }
        all.push(result);
    };
    match args.science {
        true if args.game == Eleusis::NAME => check_learner(&external, &mut hear),
        true => return Err(Error::input("`--science` is for eleusis only; use `--game eleusis`")),
        false => (game(&args.game)?.check_bot)(&external, &mut hear),
    }
    printed?;
    if args.json {
        print_json(&all)?;
    }
    let (failed, tests) = (all.iter().filter(|test| test.fault.is_some()).count(), all.len());
    match failed {
        0 if args.json => Ok(()),
        0 => print(format!("All {tests} tests passed.")),
        _ => Err(Error::failed(format!("{failed} of {tests} tests failed"))),
    }
}

/// Lets a program look for 3 rules of the training split.
fn check_learner(external: &External, hear: &mut dyn FnMut(CheckResult)) {
    let players = Arc::new(ProcessPool::new(external.clone(), Eleusis::NAME));
    let mut report = |what: String, fault: Option<String>, note: Option<String>| {
        let has_passed = fault.is_none();
        hear(CheckResult { what, fault, note });
        has_passed
    };
    let greeting = players.prepare("", None).err().map(|error| error.to_string());
    if !report("starts and says hello".to_owned(), greeting, None) {
        return;
    }
    for case in corpus_cases(Split::Training, 1, 1).iter().take(3) {
        let play = || {
            let mut learner = ExternalLearner::new(players.clone(), case);
            play_case(case, &mut learner, &mut Seed::new(1).stream())
        };
        let (first, second) = (play(), play());
        let fault = first.forfeit.as_ref().or(second.forfeit.as_ref());
        let fault = fault.map(|it| format!("{}: {}", it.fault.name(), it.message));
        let turns = |played: &CaseResult| -> Vec<(String, Option<String>)> {
            played.turns.iter().map(|turn| (turn.card.clone(), turn.guess.clone())).collect()
        };
        let note = match first.solved {
            _ if turns(&first) != turns(&second) => {
                "plays differently the second time: results cannot be repeated".to_owned()
            }
            Some(turn) => format!("found in turn {turn}"),
            None => "not found".to_owned(),
        };
        report(format!("looks for `{}` ({})", case.rule, case.name), fault, Some(note));
    }
}

fn line(CheckResult { what, fault, note }: &CheckResult) -> String {
    let note = note.as_ref().map_or(String::new(), |note| format!(" ({note})"));
    match fault {
        None => format!("ok    {what}{note}"),
        Some(fault) => format!("FAIL  {what}: {fault}"),
    }
}
