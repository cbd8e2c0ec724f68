//! `parlour completions`.

use clap::builder::PossibleValuesParser;
use clap::{Arg, CommandFactory};
use clap_complete::Shell;

use super::{Args, Cli, GAMES, Library, Result, say, with_game};
use crate::game::Ruled;

#[derive(Args, Debug)]
pub(super) struct Completions {
    /// For which shell
    shell: Shell,
}

pub(super) fn run(given: &Completions) -> Result<()> {
    let mut script = Vec::new();
    let mut command = Cli::command().mut_subcommands(|command| command.mut_args(named));
    clap_complete::generate(given.shell, &mut command, "parlour", &mut script);
    say(String::from_utf8_lossy(&script))
}

/// An argument that takes a name, with the names that come with the program: a shell offers them.
/// The program itself takes any, paths too.
fn named(arg: Arg) -> Arg {
    let mut names: Vec<String> = match arg.get_id().as_str() {
        "game" => GAMES.iter().map(|&game| game.to_owned()).collect(),
        "experiment" => Library::experiments().embedded_only().names(),
        "variant" | "variants" => of_games(|game| {
            let names =
                with_game!(game, G => G::presets().iter().map(|p| p.name.to_owned()).collect());
            names.unwrap_or_default()
        }),
        "strategy" | "strategies" | "advise" | "against" => {
            of_games(|game| Library::strategies(game).embedded_only().names())
        }
        _ => return arg,
    };
    names.sort();
    names.dedup();
    arg.value_parser(PossibleValuesParser::new(names))
}

fn of_games(names: impl Fn(&'static str) -> Vec<String>) -> Vec<String> {
    GAMES.iter().flat_map(|&game| names(game)).collect()
}
