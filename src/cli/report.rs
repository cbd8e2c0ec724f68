//! `parlour report`.

use std::path::PathBuf;

use clap::Args;

use super::say;
use crate::error::Result;
use crate::results::{Folder, read_header, report, reread};
use crate::strategy::{GameVisitor, Strategic, with_game};

#[derive(Args, Debug)]
pub(super) struct Report {
    /// The folder of a finished run
    folder: PathBuf,
}

impl Report {
    pub fn run(self) -> Result<()> {
        let game = read_header(&self.folder)?.plan.game;
        with_game(&game, Visit(self))?
    }
}

struct Visit(Report);

impl GameVisitor for Visit {
    type Output = Result<()>;

    fn visit<G: Strategic>(self) -> Result<()> {
        let folder = self.0.folder;
        let (plan, summary) = reread::<G>(&folder)?;
        Folder::new(&folder).write_report(&plan, &summary)?;
        say(format!("Report: {}", folder.join(report::FILE).display()))
    }
}
