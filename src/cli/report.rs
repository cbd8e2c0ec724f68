//! `parlour report`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::say;
use crate::error::Result;
use crate::games::with_game;
use crate::results::{Folder, read_header, report, reread};
use crate::strategy::Strategic;

#[derive(Args, Debug)]
pub(super) struct Report {
    /// The folder of a finished run
    folder: PathBuf,
}

impl Report {
    pub fn run(self) -> Result<()> {
        let header = read_header(&self.folder)?;
        let game = header.plan.game.as_str();
        with_game!(game, G => rewrite::<G>(&self.folder, &header.program))?
    }
}

fn rewrite<G: Strategic>(folder: &Path, program: &str) -> Result<()> {
    let (plan, summary) = reread::<G>(folder)?;
    Folder::new(folder).write_report(&plan, &summary, program)?;
    say(format!("Report: {}", folder.join(report::FILE).display()))
}
