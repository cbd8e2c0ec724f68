//! The command line: one file a subcommand, which parses, calls and prints.

mod advise;
mod bench;
mod check_bot;
mod check_certificate;
mod compare;
mod completions;
mod exploit;
mod front;
mod list;
mod man;
mod merge;
mod output;
mod plan;
mod play;
mod play_plan;
mod records;
mod replay;
mod report;
mod rule;
mod run;
mod schema;
mod science;
mod screen;
mod show;
mod single;
mod solve;
mod sweep;
mod tune;
mod verify;
mod watch;

// What several commands use; they take it from here.
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::Serialize;
use serde_json::{Value, json};

use crate::arena::{Head, Overrides, ProgressHeader, Shard};
use crate::files::{Library, parse_json, read_text};
use crate::game::Recorded;
use crate::games::{GAMES, Games, with_game};
use crate::results::Folder;
use crate::search::MoveEstimate;
use crate::{
    Error, Estimate, Experiment, Fault, Kind, Observation, Result, Seat, Seed, Strategic, Strategy,
    Summary, Turn,
};
use output::Output;
use play_plan::{Quick, Results, Threads, name_folder, say_own_files};
use watch::Watch;

/// A self-play laboratory for parlour games with chance and hidden information.
#[derive(Parser, Debug)]
#[command(name = "parlour", version, long_version = crate::PROGRAM.to_string(), about, max_term_width = 100, after_long_help = WORDS)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The words that the commands use.
const WORDS: &str = "Words: a deal is one shuffle; a hand is one game played with it, seat by seat. A variant is a \
set of rules, a strategy a way to play; both are names or JSON files. A run plays every deal \
under every variant, once for every seating. `±` is half a 95 % interval, from the variance \
between deals.\n\n\
Exit status: 0 done; 1 failed while running, or a recorded hand breaks the rules; 2 wrong usage \
or bad input; 130 stopped by Ctrl-C, with finished work saved.\n\n\
Begin with `parlour match leopard steady greedy`, or `parlour list`. `parlour COMMAND --help` \
has examples.";

/// The commands: what each does, its name, and what it is given.
macro_rules! commands {
    ($($(#[$about:meta])* $name:ident($module:ident::$given:ident),)+) => {
        #[derive(Subcommand, Debug)]
        enum Command {
            $($(#[$about])* $name($module::$given),)+
        }

        impl Cli {
            /// Does what was asked.
            fn run(self) -> Result<()> {
                match self.command {
                    $(Command::$name(given) => $module::run(&given),)+
                }
            }
        }
    };
}

commands! {
    /// Run an experiment and write its results
    #[command(after_long_help = "Examples:
  parlour run original-vs-revised
  parlour run mine.json --deals 20000 --out results/mine
  parlour run mine.json --resume --deals 50000 --out results/mine

A deal is one shuffle. It is played once for every way in which the strategies can sit at the \
table, so that luck is shared. `parlour list experiments` names those that come with the program.")]
    Run(run::Run),
    /// Join the shards of one experiment
    #[command(after_long_help = "Example:
  parlour run mine.json --shard 1/2 --out part1      (on one machine)
  parlour run mine.json --shard 2/2 --out part2      (on another)
  parlour merge part1 part2 --out results/mine")]
    Merge(merge::Merge),
    /// Say how many deals a difference needs, from a pilot or a finished run
    #[command(after_long_help = "Examples:
  parlour plan mine.json --difference 0.01
  parlour plan results/mine --difference 0.005")]
    Plan(plan::Plan),
    /// Print the tables of a finished run again
    #[command(after_long_help = "Examples:
  parlour show results/original-vs-revised
  parlour show results/original-vs-revised --json")]
    Show(show::Show),
    /// Write a finished run's report.html again from its files
    #[command(after_long_help = "Example:
  parlour report results/original-vs-revised")]
    Report(report::Report),
    /// Play one strategy against another
    #[command(after_long_help = "Examples:
  parlour match leopard steady greedy
  parlour match leopard mine.json ismcts-250 --variant original --deals 200
  parlour match eleusis bayes cautious cautious random --seats 4")]
    Match(single::Match),
    /// Sit down at a table: a page in the browser, or plain text in the terminal
    #[command(after_long_help = "Examples:
  parlour play leopard --against steady
  parlour play leapfrog --variant murray --terminal
  parlour play eleusis --variant express --against bayes,cautious,person
  parlour play leopard --resume leopard-hands.unfinished.json

The page is for this machine alone, and for who knows its address.")]
    Play(play::Play),
    /// Compare variants under the same strategies on the same deals
    #[command(after_long_help = "Examples:
  parlour compare leopard original revised --strategies steady
  parlour compare leopard revised mine.json --strategies greedy,steady --deals 5000")]
    Compare(compare::Compare),
    /// Sweep a field of the rules or of a strategy over a range, on the same deals
    #[command(after_long_help = "Example:
  parlour sweep leopard revised knock_at=4..10 --strategies steady")]
    Sweep(sweep::SweepCommand),
    /// Tune a strategy by self-play, and confirm the gain on fresh deals
    #[command(after_long_help = "Examples:
  parlour tune steady-plain --out mine.json
  parlour tune revised knock_at=5,6,7,8 --towards first_seat_score=0.5,turns=min --strategies steady")]
    Tune(tune::Tune),
    /// Measure how far a player can be beaten: a lower bound
    #[command(after_long_help = "Examples:
  parlour exploit leopard steady --deals 200
  parlour exploit leopard mine.json --variant original --iterations 2000

A search plays against it whose playouts and model of the other are the player itself or, where
that searches too, the player by whom it plays out. Whatever this search scores, the player that is
best against it scores no less. In Leopard the luck of the cards is taken out of the score
where there are deals enough to tell what it was worth.")]
    Exploit(exploit::Exploit),
    /// Show a recorded hand move by move
    #[command(after_long_help = "Examples:
  parlour replay results/mine/records.jsonl --hand 3
  parlour replay records.jsonl --hand 3 --advise ismcts-250
  parlour replay records.jsonl --hand 3 --html hand.html --advise ismcts-2000
  parlour replay records.jsonl --hand 3 --position 12 > position.json

On a terminal the hand is stepped through by keys; --whole prints all of it.")]
    Replay(replay::Replay),
    /// Replay records under the rules and report any difference
    #[command(after_long_help = "Example:
  parlour verify results/mine/records.jsonl

The cards, the moves, the points and the winner of each hand are checked. The numbers of the deal
and of the hand, the seed and the names at the seats are labels, and are believed.")]
    Verify(verify::Verify),
    /// Solve a small board exactly
    #[command(after_long_help = "Examples:
  parlour solve leapfrog mini-4x5
  parlour solve leapfrog murray-mini-2x3 --board wwy/gry
  parlour solve leapfrog mini-6x6 --memory 8192 --save six.saved")]
    Solve(solve::Solve),
    /// Check that certificates of exact values prove them
    #[command(after_long_help = "Examples:
  parlour solve leapfrog mini-4x5 --certificate mini-4x5.json
  parlour check-certificate mini-4x5.json")]
    CheckCertificate(check_certificate::CheckCertificate),
    /// Say what a strategy would do in a position, and why
    #[command(after_long_help = "Examples:
  parlour replay records.jsonl --hand 3 --position 12 > position.json
  parlour advise position.json
  parlour advise position.json --strategy ismcts-250")]
    Advise(advise::Advise),
    /// Try out a program that plays, in any language
    #[command(after_long_help = "Example:
  parlour check-bot --game leopard -- python3 scripts/bots/leopard_greedy.py
  parlour check-bot --game eleusis --science -- python3 scripts/bots/eleusis_scientist.py

The protocol stands in docs/bot-protocol.md.")]
    CheckBot(check_bot::CheckBot),
    /// Show an Eleusis rule, or compare two
    #[command(after_long_help = "Examples:
  parlour rule show same-suit --after \"5H 7H\"
  parlour rule show \"color != last.color\"
  parlour rule compare same-suit \"suit == last.suit\"")]
    Rule(rule::RuleCommand),
    /// Let a strategy look for Eleusis rules alone, and measure how well it does
    #[command(after_long_help = "Example:
  parlour science --bank all --strategy bayes

`parlour list rules` tells the rules of the bank in words.")]
    Science(science::Science),
    /// List games, variants and strategies
    #[command(after_long_help = "Examples:
  parlour list
  parlour list experiments")]
    List(list::List),
    /// Measure the speed of every game, variant and cheap strategy
    #[command(after_long_help = "Examples:
  parlour bench
  parlour bench --signature       (changes when any move does)")]
    Bench(bench::Bench),
    /// Print a JSON Schema, for editors
    #[command(after_long_help = "Examples:
  parlour schema experiment > experiment.schema.json
  parlour schema columns")]
    Schema(schema::Schema),
    /// Print a completion script for a shell
    #[command(after_long_help = "Example:
  parlour completions bash > ~/.local/share/bash-completion/completions/parlour")]
    Completions(completions::Completions),
    /// Print a manual page, for `man`
    #[command(after_long_help = "Examples:
  parlour man > parlour.1
  parlour man run > parlour-run.1")]
    Man(man::ManPage),
}

/// The program: does what its command line asks, says what went wrong, and returns the exit status.
/// It stays right where standard output or error are full, or read by nobody.
pub fn main() -> u8 {
    refuse_long_files();
    let done = match Cli::try_parse() {
        Ok(cli) => cli.run(),
        Err(wrong) if wrong.use_stderr() => {
            refuse(&wrong);
            return exit_code(Kind::Input);
        }
        Err(help) => help.print().and_then(|()| io::stdout().flush()).map_err(|e| unsaid(&e)),
    };
    let Err(error) = done else { return 0 };
    if error.kind() != Kind::Closed {
        tell(format_args!("parlour: {error}"));
    }
    exit_code(error.kind())
}

/// Says what is wrong with a command line; of a number in words for people, not the standard library's.
fn refuse(wrong: &clap::Error) {
    let said = wrong.render().to_string();
    let words = [
        (": invalid digit found in string", ": it must be a whole number from 0"),
        (": cannot parse integer from empty string", ": it must be a whole number from 0"),
        (
            ": number too large to fit in target type",
            ": it is larger than any number that is taken",
        ),
        (": invalid float literal", ": it must be a number, such as 0.01"),
        (": cannot parse float from empty string", ": it must be a number, such as 0.01"),
    ];
    match words.into_iter().find(|(theirs, _)| said.contains(theirs)) {
        Some((theirs, ours)) => tell(said.replace(theirs, ours).trim_end()),
        // Where it cannot be said, the status says it.
        None => _ = wrong.print(),
    }
}

/// Lets a write beyond the limit on the size of files fail, as one to a full disk does, in place
/// of the signal that ends the program. Threads that are started later do as this one.
fn refuse_long_files() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        let mut signals = SigSet::empty();
        signals.add(Signal::SIGXFSZ);
        _ = signals.thread_block();
    }
}

/// The exit status of the program after an error.
fn exit_code(kind: Kind) -> u8 {
    match kind {
        Kind::Input => 2,
        Kind::Failed => 1,
        Kind::Stopped => 130,
        Kind::Closed => 0,
    }
}

/// A finished run, read again from its folder with all that it holds.
fn reread(path: &Path) -> Result<(Folder, ProgressHeader, Summary)> {
    let folder = Folder::new(path);
    let (header, summary) = folder.reread(&Games)?;
    Ok((folder, header, summary))
}

/// Prints to standard output.
///
/// # Errors
/// When it cannot be written to; of the kind [`Kind::Closed`] when nobody reads it any more.
fn say(text: impl AsRef<str>) -> Result<()> {
    let mut out = io::stdout().lock();
    let text = screen::legible(text.as_ref());
    let end = if text.ends_with('\n') { "" } else { "\n" };
    let written = write!(out, "{text}{end}").and_then(|()| out.flush());
    written.map_err(|error| unsaid(&error))
}

fn unsaid(error: &io::Error) -> Error {
    let kind = match error.kind() {
        io::ErrorKind::BrokenPipe => Kind::Closed,
        _ => Kind::Failed,
    };
    Error::new(kind, Fault::from(format!("cannot write to standard output: {error}")))
}

/// Says something on standard error, where that can be written to.
fn tell(text: impl Display) {
    _ = writeln!(io::stderr(), "{text}");
}

/// Prints a value as JSON.
fn say_json(value: &impl Serialize) -> Result<()> {
    say(crate::files::pretty(value))
}
