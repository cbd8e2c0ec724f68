//! `parlour man`.

use clap::{Args, Command};
use clap_mangen::Man;

use super::print::print;
use crate::error::{Error, Result, unknown};

#[derive(Args, Debug)]
pub(super) struct ManPage {
    /// The command [default: the program]
    command: Option<String>,
}

pub(super) fn run(args: &ManPage, mut all: Command) -> Result<()> {
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
