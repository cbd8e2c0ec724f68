//! The command line: one file a subcommand, which parses, calls and prints.

mod advise;
mod annotate;
mod bench;
mod compare;
mod completions;
mod list;
mod merge;
mod migrate;
mod plan;
mod play_plan;
mod progress_bar;
mod records;
mod replay;
mod report;
mod rule;
mod run;
mod schema;
mod science;
mod signal;
mod single;
mod solve;
mod threads;
mod verify;

use std::io::Write;

use clap::{Parser, Subcommand};

use crate::error::{Error, Fault, Kind, Result};

/// A self-play laboratory for parlour games with chance and hidden information.
#[derive(Parser, Debug)]
#[command(name = "parlour", version, about, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Run an experiment and write its results
    Run(run::Run),
    /// Join the shards of one experiment
    Merge(merge::Merge),
    /// Say how many deals a difference needs, from a pilot or a finished run
    Plan(plan::Plan),
    /// Write a finished run's report.html again from its files
    Report(report::Report),
    /// Play one strategy against another
    Match(single::Match),
    /// Compare variants under the same strategies on the same deals
    Compare(compare::Compare),
    /// Show a recorded hand move by move
    Replay(replay::Replay),
    /// Replay records under the rules and report any difference
    Verify(verify::Verify),
    /// Solve a small board exactly
    Solve(solve::Solve),
    /// Say what a strategy would do in a position, and why
    Advise(advise::Advise),
    /// Show an Eleusis rule, or compare two
    Rule(rule::RuleCommand),
    /// Let a strategy look for Eleusis rules alone, and measure how well it does
    Science(science::Science),
    /// List games, variants and strategies
    List(list::List),
    /// Measure the speed of every game, variant and cheap strategy
    Bench(bench::Bench),
    /// Rewrite strategy files of an older form
    Migrate(migrate::Migrate),
    /// Print a JSON Schema, for editors
    Schema(schema::Schema),
    /// Print a completion script for a shell
    Completions(completions::Completions),
}

impl Cli {
    /// Does what was asked.
    ///
    /// # Errors
    /// What went wrong; [`exit_code`] is the status it stands for.
    pub fn run(self) -> Result<()> {
        match self.command {
            Command::Run(run) => run.run(),
            Command::Merge(merge) => merge.run(),
            Command::Plan(plan) => plan.run(),
            Command::Report(report) => report.run(),
            Command::Match(single) => single.run(),
            Command::Compare(compare) => compare.run(),
            Command::Replay(replay) => replay.run(),
            Command::Verify(verify) => verify.run(),
            Command::Solve(solve) => solve.run(),
            Command::Advise(advise) => advise.run(),
            Command::Rule(rule) => rule.run(),
            Command::Science(science) => science.run(),
            Command::List(list) => list.run(),
            Command::Bench(bench) => bench.run(),
            Command::Migrate(migrate) => migrate.run(),
            Command::Schema(schema) => schema.run(),
            Command::Completions(completions) => completions.run(),
        }
    }
}

/// The exit status of the program after this error.
pub fn exit_code(error: &Error) -> u8 {
    match error.kind() {
        Kind::Input => 2,
        Kind::Failed => 1,
        Kind::Stopped => 130,
        Kind::Closed => 0,
    }
}

/// Prints to standard output.
///
/// # Errors
/// When it cannot be written to; of the kind [`Kind::Closed`] when nobody reads it any more.
fn say(text: impl AsRef<str>) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let text = text.as_ref();
    let written = out.write_all(text.as_bytes()).and_then(|()| {
        let end = if text.ends_with('\n') { "" } else { "\n" };
        out.write_all(end.as_bytes())?;
        out.flush()
    });
    written.map_err(|error| {
        let kind = match error.kind() {
            std::io::ErrorKind::BrokenPipe => Kind::Closed,
            _ => Kind::Failed,
        };
        Error::new(kind, Fault::from(format!("cannot write to standard output: {error}")))
    })
}
