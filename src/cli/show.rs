//! `parlour show`.

use std::path::PathBuf;

use clap::Args;

use super::output::Output;
use crate::error::Result;
use crate::games::Games;
use crate::results::{Folder, run_report};

#[derive(Args, Debug)]
pub(super) struct Show {
    /// The folder of a finished run
    folder: PathBuf,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(args: &Show) -> Result<()> {
    args.output.check()?;
    let (_, summary) = Folder::new(&args.folder).reread(&Games(crate::PROGRAM))?;
    args.output.give(&summary, || run_report(&summary))
}
