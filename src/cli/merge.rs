//! `parlour merge`.

use super::{Args, Games, Output, PathBuf, Result, name_folder};
use crate::results::{Existing, merge, run_sheet};

#[derive(Args, Debug)]
pub(super) struct Merge {
    /// The folders of the shards
    #[arg(required = true)]
    shards: Vec<PathBuf>,
    /// Where the results go
    #[arg(long)]
    out: PathBuf,
    /// Join them though other programs wrote them: you are sure that all play and count the same
    #[arg(long)]
    same_program: bool,
    /// Let the results take the place of those that the folder holds
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(given: &Merge) -> Result<()> {
    let Merge { shards, out, same_program, replace, output } = given;
    output.check()?;
    let existing = if *replace { Existing::Replace } else { Existing::Keep };
    let summary = merge(shards, out, existing, *same_program, &Games)?;
    output.give(&summary, || run_sheet(&summary))?;
    if output.json { Ok(()) } else { name_folder(out) }
}
