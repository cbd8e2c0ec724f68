//! `parlour report`.

use std::path::PathBuf;

use clap::Args;

use super::print::print;
use crate::error::Result;
use crate::games::{Games, game};
use crate::results::{Folder, report};

#[derive(Args, Debug)]
pub(super) struct Report {
    /// The folder of a finished run
    folder: PathBuf,
    /// Rewrite the tables too, computed by this build from the run's tallies
    #[arg(long)]
    tables: bool,
}

pub(super) fn run(args: &Report) -> Result<()> {
    let folder = Folder::new(&args.folder);
    let (header, summary) = match args.tables {
        false => folder.reread(&Games(crate::PROGRAM))?,
        true => folder.recount(&Games(crate::PROGRAM))?,
    };
    if args.tables {
        folder.write_tables(crate::PROGRAM, &summary)?;
    }
    let game = game(&header.resolved.experiment.game)?;
    folder.write_report(&header, &summary, game.retell)?;
    print(format!("Report: {}", folder.path.join(report::FILE).display()))?;
    let index = report::write_index(&folder.path)?;
    index.map_or(Ok(()), |index| print(format!("All runs: {}", index.display())))
}
