//! `parlour merge`.

use super::{Args, Error, Folder, Output, PathBuf, Result, name_folder, with_game};
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
    let first = shards.first().ok_or_else(|| Error::input("name the folders of the shards"))?;
    let first = Folder::new(first);
    let game = first.header()?.experiment.experiment.game;
    let summary = with_game!(game.as_str(), G => merge::<G>(shards, out, existing, *same_program))
        .map_err(|error| first.in_header(error.in_field("game")))??;
    output.give(&summary, || run_sheet(&summary))?;
    if output.json { Ok(()) } else { name_folder(out) }
}
