//! `parlour man`.

use clap::CommandFactory;
use clap_mangen::Man;

use super::{Args, Cli, Error, Result, say};
use crate::files::unknown;

#[derive(Args, Debug)]
pub(super) struct ManPage {
    /// Of this command; left out, of the program
    command: Option<String>,
}

pub(super) fn run(given: &ManPage) -> Result<()> {
    let mut all = Cli::command();
    // Gives each command its full name and the options that all share.
    all.build();
    let page = match &given.command {
        None => all,
        Some(name) => all.find_subcommand(name).cloned().ok_or_else(|| {
            let known = all.get_subcommands().map(clap::Command::get_name);
            Error::input(unknown("command", name, known))
        })?,
    };
    let mut text = Vec::new();
    Man::new(page).render(&mut text).map_err(|error| Error::failed(error.to_string()))?;
    say(String::from_utf8_lossy(&text))
}
