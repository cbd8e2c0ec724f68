//! Help for the shell: `parlour completions` and `parlour man`.

use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;

use super::output::print;
use crate::error::{Error, Result, unknown};
use crate::files::Library;
use crate::games::{ALL, GAMES};

#[derive(Args, Debug)]
pub(super) struct Completions {
    /// The shell
    shell: Shell,
}

pub(super) fn completions(args: &Completions, command: Command) -> Result<()> {
    let mut script = Vec::new();
    let mut command = command.mut_subcommands(|command| command.mut_args(with_names));
    clap_complete::generate(args.shell, &mut command, "parlour", &mut script);
    print(String::from_utf8_lossy(&script))
}

/// Adds the embedded names to an argument, so that a shell offers them. The program itself accepts
/// any name or path.
fn with_names(arg: Arg) -> Arg {
    let mut names: Vec<String> = match arg.get_id().as_str() {
        "game" => GAMES.iter().map(|&game| game.to_owned()).collect(),
        "experiment" => Library::experiments().embedded_only().names(),
        "variant" | "variants" => {
            let all = ALL.iter().flat_map(|game| (game.variants)());
            all.map(|(name, _)| name.to_owned()).collect()
        }
        "strategy" | "strategies" | "advise" | "against" => {
            ALL.iter().flat_map(|game| game.strategies().embedded_only().names()).collect()
        }
        _ => return arg,
    };
    names.sort();
    names.dedup();
    arg.value_parser(PossibleValuesParser::new(names))
}

#[derive(Args, Debug)]
pub(super) struct ManPage {
    /// The command [default: the program]
    command: Option<String>,
}

pub(super) fn man(args: &ManPage, mut all: Command) -> Result<()> {
    // Gives each command its full name and the shared options.
    all.build();
    let page = match &args.command {
        None => all,
        Some(name) => all.find_subcommand(name).cloned().ok_or_else(|| {
            Error::input(unknown("command", name, all.get_subcommands().map(Command::get_name)))
        })?,
    };
    let mut text = Vec::new();
    Man::new(page).render(&mut text).map_err(|error| Error::failed(error.to_string()))?;
    print(String::from_utf8_lossy(&text))
}
