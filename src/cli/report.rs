//! `parlour report`.

use std::path::PathBuf;

use clap::Args;

use super::say;
use crate::error::Result;
use crate::games::with_game;
use crate::results::{Folder, report};
use crate::strategy::Strategic;

#[derive(Args, Debug)]
pub(super) struct Report {
    /// The folder of a finished run
    folder: PathBuf,
}

impl Report {
    pub fn run(self) -> Result<()> {
        let folder = Folder::new(&self.folder);
        let header = folder.header()?;
        let game = header.experiment.experiment.game.as_str();
        with_game!(game, G => rewrite::<G>(&folder, &header.program))?
    }
}

fn rewrite<G: Strategic>(folder: &Folder, program: &str) -> Result<()> {
    let (plan, summary) = folder.reread::<G>()?;
    folder.write_report(&plan, &summary, program)?;
    say(format!("Report: {}", folder.path().join(report::FILE).display()))
}
