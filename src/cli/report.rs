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
        let header = read_header(&self.folder)?;
        with_game(&header.plan.game, Visit { folder: self.folder, program: header.program })?
    }
}

struct Visit {
    folder: PathBuf,
    /// Who played.
    program: String,
}

impl GameVisitor for Visit {
    type Output = Result<()>;

    fn visit<G: Strategic>(self) -> Result<()> {
        let Visit { folder, program } = self;
        let (plan, summary) = reread::<G>(&folder)?;
        Folder::new(&folder).write_report(&plan, &summary, &program)?;
        say(format!("Report: {}", folder.join(report::FILE).display()))
    }
}
