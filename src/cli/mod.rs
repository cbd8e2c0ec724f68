//! The command line: each command parses its arguments, calls the library and prints. Commands on one
//! subject share a file.

mod advise;
mod bench;
mod boards;
mod check_bot;
mod finished;
mod hands;
mod job;
mod learn;
mod list;
mod names;
mod output;
mod play;
mod review;
mod rule;
mod rules;
mod run;
mod schema;
mod science;
mod serve;
mod shell;
mod tournament;
mod tune;
mod watch;

use std::ffi::OsString;
use std::io::{self, Write};

use clap::{CommandFactory, Parser, Subcommand};
use nix::sys::signal::{SigSet, Signal};

use crate::error::{Error, Kind, Result, ensure};
use crate::names::printable;
use output::{cannot_print, warn};

/// A self-play laboratory for parlour games with chance and hidden information.
#[derive(Parser, Debug)]
#[command(name = "parlour", version, long_version = crate::PROGRAM.to_string(), about, max_term_width = 100, after_long_help = examples("parlour"))]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Returns the end of the long help of a command: its section of `examples.txt`.
fn examples(command: &str) -> &'static str {
    let sections = include_str!("examples.txt").split("\n# ");
    let mut sections = sections.filter_map(|section| section.split_once('\n'));
    sections.find(|(name, _)| *name == command).map_or("", |(_, text)| text.trim_end())
}

/// The commands: for each its help, its name, its function with its arguments, and what else it takes.
macro_rules! commands {
    ($($(#[$about:meta])* $name:ident($module:ident::$run:ident($args:ident) $(, $more:expr)?),)+) => {
        #[derive(Subcommand, Debug)]
        enum Command {
            $($(#[$about])* #[command(after_long_help = examples(stringify!($name)))] $name($module::$args),)+
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
    Run(run::run(Run)),
    /// Combine the shards of one experiment
    Merge(finished::merge_shards(Merge)),
    /// Compute how many deals are needed to detect a difference
    SampleSize(finished::sample_size(SampleSize)),
    /// Print the tables of a finished run
    Show(finished::show(Show)),
    /// Rewrite the report.html of a finished run
    Report(finished::write_report(Report)),
    /// Bundle a finished run for a paper: tables, figures, metadata, and all that repeats it
    Bundle(finished::bundle(Bundle)),
    /// Play strategies against each other
    Match(run::run_match(Match)),
    /// Rate several players in a round-robin or a gauntlet
    Tournament(tournament::run(Tournament)),
    /// Play a hand yourself, in the browser or in the terminal
    Play(play::run(Play)),
    /// Open the site: play, compare rules and look at hands in a browser tab
    Serve(serve::run(Serve)),
    /// Compare variants on the same deals
    Compare(run::compare(Compare)),
    /// Sweep a field of the rules or of a strategy over a range, on the same deals
    Sweep(run::sweep(SweepArgs)),
    /// Tune a strategy or rules by self-play, and confirm the gain on fresh deals
    Tune(tune::run(Tune)),
    /// Learn a strategy by self-play: a network that teaches itself
    Learn(learn::run(Learn)),
    /// Measure a lower bound on the exploitability of a strategy
    Exploit(run::exploit(Exploit)),
    /// Show a recorded hand move by move
    Replay(hands::replay(Replay)),
    /// Find the moves that cost players most, by the judgement of a strategy
    Review(review::run(Review)),
    /// Replay records under the rules and report any difference
    Verify(hands::verify(Verify)),
    /// Solve a small board exactly
    Solve(boards::solve_board(Solve)),
    /// Check certificates of exact values
    CheckCertificate(boards::check_certificates(CheckCertificate)),
    /// Evaluate the moves of a position
    Advise(advise::run(Advise)),
    /// Test an external bot, in any language
    CheckBot(check_bot::run(CheckBot)),
    /// Explain how a game is played, and which rules a variant can change
    Rules(rules::run(Rules)),
    /// Show an Eleusis rule, or compare two
    Rule(rule::run(RuleCommand)),
    /// Measure how well a strategy discovers Eleusis rules on its own
    Science(science::run(Science)),
    /// List games, variants, strategies, experiments and rules
    List(list::run(List)),
    /// Measure the speed of games, variants and cheap strategies
    Bench(bench::run(Bench)),
    /// Print a JSON Schema, for editors
    Schema(schema::run(Schema)),
    /// Print a completion script for a shell
    Completions(shell::completions(Completions), Cli::command()),
    /// Print a manual page, for `man`
    Man(shell::man(ManPage), Cli::command()),
}

/// Runs a command line, which begins with the program's name, and returns the exit status. The status
/// stays correct if standard output or standard error is full or closed.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    fail_at_size_limit();
    let done = match Cli::try_parse_from(arguments) {
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

/// Prints an error of the command line; messages of the standard library get plainer words.
fn print_usage_error(error: &clap::Error) {
    let text = error.render().to_string();
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
        ensure(threads.is_none_or(|threads| threads <= job::MAX_THREADS), || {
            let most = job::MAX_THREADS;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_examples() {
        for command in Cli::command().get_subcommands() {
            let (name, help) = (command.get_name(), command.get_after_long_help());
            let help = help.map(ToString::to_string).unwrap_or_default();
            assert!(help.contains(&format!("  parlour {name}")), "{name}: {help}");
        }
    }
}
