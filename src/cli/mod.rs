//! The command line: each command parses its arguments, calls the library and prints. Commands on one
//! subject share a file.

mod advise;
mod bench;
mod boards;
mod check_bot;
mod finished;
mod hands;
mod list;
mod output;
mod play;
mod rule;
mod run;
mod schema;
mod science;
mod shell;
mod tune;
mod watch;

use std::io::{self, Write};

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, Parser, Subcommand};
use nix::sys::signal::{SigSet, Signal};

use crate::error::{Error, Kind, Result, ensure};
use crate::names::printable;
use output::{cannot_print, warn};

/// A self-play laboratory for parlour games with chance and hidden information.
#[derive(Parser, Debug)]
#[command(name = "parlour", version, long_version = crate::PROGRAM.to_string(), about, max_term_width = 100, after_long_help = CONCEPTS)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const CONCEPTS: &str = "\
Terms: a deal is one shuffle of the cards; a hand is one game played with it. A variant is a set of \
rules, a strategy a way to play; both are names or JSON files. Each deal is played under every \
variant, once per seating. `±` is half a 95 % interval, from the variance between deals.

Exit status: 0 success; 1 a failure, or a recorded hand that breaks the rules; 2 wrong usage or bad \
input; 130 stopped by Ctrl-C, with finished work saved.

Start with `parlour match leopard steady greedy` or `parlour list`. `parlour COMMAND --help` has \
examples.";

/// The commands: for each its help, its name, its function with its arguments, and what else it takes.
macro_rules! commands {
    ($($(#[$about:meta])* $name:ident($module:ident::$run:ident($args:ident) $(, $more:expr)?),)+) => {
        #[derive(Subcommand, Debug)]
        enum Command {
            $($(#[$about])* $name($module::$args),)+
        }

        impl Cli {
            fn run(self) -> Result<()> {
                match self.command {
                    $(Command::$name(args) => $module::$run(&args $(, $more)?),)+
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

Each deal is played once per seating of the strategies, so that all share its luck. `parlour list \
experiments` names the built-in experiments.")]
    Run(run::run(Run)),
    /// Combine the shards of one experiment
    #[command(after_long_help = "Example:
  parlour run mine.json --shard 1/2 --out part1      (on one machine)
  parlour run mine.json --shard 2/2 --out part2      (on another)
  parlour merge part1 part2 --out results/mine")]
    Merge(finished::merge_shards(Merge)),
    /// Compute how many deals are needed to detect a difference
    #[command(after_long_help = "Examples:
  parlour sample-size mine.json --difference 0.01
  parlour sample-size results/mine --difference 0.005")]
    SampleSize(finished::sample_size(SampleSize)),
    /// Print the tables of a finished run
    #[command(after_long_help = "Examples:
  parlour show results/original-vs-revised
  parlour show results/original-vs-revised --json")]
    Show(finished::show(Show)),
    /// Rewrite the report.html of a finished run
    #[command(after_long_help = "Example:
  parlour report results/original-vs-revised")]
    Report(finished::write_report(Report)),
    /// Play strategies against each other
    #[command(after_long_help = "Examples:
  parlour match leopard steady greedy
  parlour match leopard mine.json ismcts-250 --variant original --deals 200
  parlour match eleusis bayes cautious cautious random --seats 4")]
    Match(run::run_match(Match)),
    /// Play a hand yourself, in the browser or in the terminal
    #[command(after_long_help = "Examples:
  parlour play leopard --against steady
  parlour play leapfrog --variant murray --terminal
  parlour play eleusis --variant express --against bayes,cautious,person
  parlour play leopard --resume leopard-hands.unfinished.json

The page is served on this machine only, at an address with a secret.")]
    Play(play::run(Play)),
    /// Compare variants on the same deals
    #[command(after_long_help = "Examples:
  parlour compare leopard original revised --strategies steady
  parlour compare leopard revised mine.json --strategies greedy,steady --deals 5000")]
    Compare(run::compare(Compare)),
    /// Sweep a field of the rules or of a strategy over a range, on the same deals
    #[command(after_long_help = "Example:
  parlour sweep leopard revised knock_at=4..10 --strategies steady")]
    Sweep(run::sweep(SweepArgs)),
    /// Tune a strategy or rules by self-play, and confirm the gain on fresh deals
    #[command(after_long_help = "Examples:
  parlour tune steady-plain --out mine.json
  parlour tune revised knock_at=5,6,7,8 --objective first_seat_score=0.5,turns=min --strategies steady")]
    Tune(tune::run(Tune)),
    /// Measure a lower bound on the exploitability of a strategy
    #[command(after_long_help = "Examples:
  parlour exploit leopard steady --deals 200
  parlour exploit leopard mine.json --variant original --iterations 2000

The attacker is a search that uses the target (or, if the target is a search, its playout policy) \
both for playouts and as opponent model. A best response scores at least as much as this search. In \
Leopard the luck of the cards is removed from the score if there are enough deals.")]
    Exploit(run::exploit(Exploit)),
    /// Show a recorded hand move by move
    #[command(after_long_help = "Examples:
  parlour replay results/mine/records.jsonl --hand 3
  parlour replay records.jsonl --hand 3 --advise ismcts-250
  parlour replay records.jsonl --hand 3 --html hand.html --advise ismcts-2000
  parlour replay records.jsonl --hand 3 --position 12 > position.json

On a terminal, keys step through the hand; --whole prints all of it.")]
    Replay(hands::replay(Replay)),
    /// Replay records under the rules and report any difference
    #[command(after_long_help = "Example:
  parlour verify results/mine/records.jsonl

The cards, moves, points and winner of each hand are checked. The numbers of the deal and the hand, \
the seed and the names at the seats are labels, which are not checked.")]
    Verify(hands::verify(Verify)),
    /// Solve a small board exactly
    #[command(after_long_help = "Examples:
  parlour solve leapfrog mini-4x5
  parlour solve leapfrog murray-mini-2x3 --board wwy/gry
  parlour solve leapfrog mini-6x6 --memory 8192 --save six.saved")]
    Solve(boards::solve_board(Solve)),
    /// Check certificates of exact values
    #[command(after_long_help = "Examples:
  parlour solve leapfrog mini-4x5 --certificate mini-4x5.json
  parlour check-certificate mini-4x5.json")]
    CheckCertificate(boards::check_certificates(CheckCertificate)),
    /// Evaluate the moves of a position
    #[command(after_long_help = "Examples:
  parlour replay records.jsonl --hand 3 --position 12 > position.json
  parlour advise position.json
  parlour advise position.json --strategy ismcts-250")]
    Advise(advise::run(Advise)),
    /// Test an external bot, in any language
    #[command(after_long_help = "Example:
  parlour check-bot --game leopard -- python3 scripts/bots/leopard_greedy.py
  parlour check-bot --game eleusis --science -- python3 scripts/bots/eleusis_scientist.py

The protocol is described in docs/bot-protocol.md.")]
    CheckBot(check_bot::run(CheckBot)),
    /// Show an Eleusis rule, or compare two
    #[command(after_long_help = "Examples:
  parlour rule show same-suit --after \"5H 7H\"
  parlour rule show \"color != last.color\"
  parlour rule compare same-suit \"suit == last.suit\"")]
    Rule(rule::run(RuleCommand)),
    /// Measure how well a strategy discovers Eleusis rules on its own
    #[command(after_long_help = "Example:
  parlour science --corpus all --strategy bayes

`parlour list rules` shows the rule corpus in plain text.")]
    Science(science::run(Science)),
    /// List games, variants, strategies, experiments and rules
    #[command(after_long_help = "Examples:
  parlour list
  parlour list experiments")]
    List(list::run(List)),
    /// Measure the speed of games, variants and cheap strategies
    #[command(after_long_help = "Examples:
  parlour bench
  parlour bench --signature       (changes if any move does)")]
    Bench(bench::run(Bench)),
    /// Print a JSON Schema, for editors
    #[command(after_long_help = "Examples:
  parlour schema experiment > experiment.schema.json
  parlour schema columns")]
    Schema(schema::run(Schema)),
    /// Print a completion script for a shell
    #[command(after_long_help = "Example:
  parlour completions bash > ~/.local/share/bash-completion/completions/parlour")]
    Completions(shell::completions(Completions), Cli::command()),
    /// Print a manual page, for `man`
    #[command(after_long_help = "Examples:
  parlour man > parlour.1
  parlour man run > parlour-run.1")]
    Man(shell::man(ManPage), Cli::command()),
}

/// Runs the command line and returns the exit status. The status stays correct if standard output or
/// standard error is full or closed.
pub fn main() -> u8 {
    fail_at_size_limit();
    let done = match Cli::try_parse() {
        Ok(cli) => {
            let done = check_environment().and_then(|()| cli.run());
            crate::external::wait_for_goodbyes();
            done
        }
        Err(error) if error.use_stderr() => {
            print_usage_error(&error);
            return exit_code(Kind::Input);
        }
        Err(help) => help.print().and_then(|()| io::stdout().flush()).map_err(|e| cannot_print(&e)),
    };
    let Err(error) = done else { return 0 };
    if error.kind() != Kind::Closed {
        warn(format_args!("parlour: {error}"));
    }
    exit_code(error.kind())
}

/// The former names of commands and options, with their new names.
const RENAMED: [(&str, &str); 6] = [
    ("plan", "sample-size"),
    ("migrate", ""),
    ("--same-program", "--allow-other-build"),
    ("--towards", "--objective"),
    ("--without-family", "--hold-out"),
    ("--bank", "--corpus"),
];

/// Prints an error of the command line; messages of the standard library get plainer words.
fn print_usage_error(error: &clap::Error) {
    let text = error.render().to_string();
    let kinds = [ContextKind::InvalidArg, ContextKind::InvalidSubcommand];
    let former = kinds.into_iter().find_map(|kind| match error.get(kind) {
        Some(ContextValue::String(name)) => RENAMED.iter().find(|(old, _)| old == name),
        _ => None,
    });
    if let Some((old, new)) = former {
        return warn(match *new {
            "" => format!("error: `{old}` no longer exists"),
            new => format!("error: `{old}` is now called `{new}`"),
        });
    }
    const NUMBER: &str = ": it must be a whole number from 0";
    const DECIMAL: &str = ": it must be a number, such as 0.01";
    let plain = [
        (": invalid digit found in string", NUMBER),
        (": cannot parse integer from empty string", NUMBER),
        (": number too large to fit in target type", ": the number is too large"),
        (": invalid float literal", DECIMAL),
        (": cannot parse float from empty string", DECIMAL),
    ];
    match plain.into_iter().find(|(theirs, _)| text.contains(theirs)) {
        Some((theirs, ours)) => warn(text.replace(theirs, ours).trim_end()),
        // If this fails, the exit status still reports the error.
        None if text != printable(&text) => warn(text.trim_end()),
        None => _ = error.print(),
    }
}

/// Refuses variables of the environment that would start more threads than `--threads` allows.
fn check_environment() -> Result<()> {
    for name in ["RAYON_NUM_THREADS", "RAYON_RS_NUM_CPUS"] {
        let threads = std::env::var(name).ok().and_then(|text| text.parse::<usize>().ok());
        ensure(threads.is_none_or(|threads| threads <= run::MAX_THREADS), || {
            let most = run::MAX_THREADS;
            Error::input(format!("the environment sets more than {most} threads; unset `{name}`"))
        })?;
    }
    Ok(())
}

/// Makes writes beyond the file size limit fail, as on a full disk, in place of a signal that ends the
/// program. Threads inherit this.
fn fail_at_size_limit() {
    _ = SigSet::from(Signal::SIGXFSZ).thread_block();
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
