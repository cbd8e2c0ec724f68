//! `parlour completions`.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Cli, say};
use crate::error::Result;

#[derive(Args, Debug)]
pub(super) struct Completions {
    /// For which shell
    shell: Shell,
}

impl Completions {
    pub fn run(self) -> Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "parlour", &mut script);
        say(String::from_utf8_lossy(&script))
    }
}
