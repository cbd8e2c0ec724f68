//! `parlour completions`.

use clap::CommandFactory;
use clap_complete::Shell;

use super::{Args, Cli, Result, say};

#[derive(Args, Debug)]
pub(super) struct Completions {
    /// For which shell
    shell: Shell,
}

pub(super) fn run(given: &Completions) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(given.shell, &mut Cli::command(), "parlour", &mut script);
    say(String::from_utf8_lossy(&script))
}
