//! Commands about finished runs: `parlour show`, `report` and `merge`.

use std::path::PathBuf;

use clap::Args;

use super::output::{Output, print};
use super::run::print_folder;
use crate::error::Result;
use crate::games::{Games, game};
use crate::results::{Folder, IfExists, merge, report, run_report};

#[derive(Args, Debug)]
pub(super) struct Show {
    /// The folder of a finished run
    folder: PathBuf,
    #[command(flatten)]
    output: Output,
}

pub(super) fn show(args: &Show) -> Result<()> {
    let (_, summary) = Folder::new(&args.folder).reread(&Games(crate::PROGRAM))?;
    args.output.give(&summary, || run_report(&summary))
}

#[derive(Args, Debug)]
pub(super) struct Report {
    /// The folder of a finished run
    folder: PathBuf,
    /// Rewrite the tables too, computed by this build from the run's tallies
    #[arg(long)]
    tables: bool,
}

pub(super) fn write_report(args: &Report) -> Result<()> {
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

#[derive(Args, Debug)]
pub(super) struct Merge {
    /// The folders of the shards
    #[arg(required = true)]
    shards: Vec<PathBuf>,
    /// Folder for the results
    #[arg(long)]
    out: PathBuf,
    /// Merge shards played by different builds (only if all give identical results)
    #[arg(long)]
    allow_other_build: bool,
    /// Replace existing results
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    output: Output,
}

pub(super) fn merge_shards(args: &Merge) -> Result<()> {
    let Merge { shards, out, allow_other_build, replace, output } = args;
    let existing = if *replace { IfExists::Replace } else { IfExists::Fail };
    let summary = merge(shards, out, existing, *allow_other_build, &Games(crate::PROGRAM))?;
    output.give(&summary, || run_report(&summary))?;
    if output.json { Ok(()) } else { print_folder(out) }
}
