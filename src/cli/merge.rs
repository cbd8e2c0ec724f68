//! `parlour merge`.

use std::path::PathBuf;

use clap::Args;

use super::output::Output;
use super::run_args::print_folder;
use crate::error::Result;
use crate::games::Games;
use crate::results::{IfExists, merge, run_report};

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

pub(super) fn run(args: &Merge) -> Result<()> {
    let Merge { shards, out, allow_other_build, replace, output } = args;
    output.check()?;
    let existing = if *replace { IfExists::Replace } else { IfExists::Fail };
    let summary = merge(shards, out, existing, *allow_other_build, &Games(crate::PROGRAM))?;
    output.give(&summary, || run_report(&summary))?;
    if output.json { Ok(()) } else { print_folder(out) }
}
