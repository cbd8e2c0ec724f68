//! `parlour merge`.

use super::{Args, Error, Folder, PathBuf, Result, name_folder, say_json, say_tables, with_game};
use crate::results::{Existing, merge};

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
    /// Print the numbers as JSON, by the names of the CSV columns
    #[arg(long)]
    json: bool,
}

pub(super) fn run(given: &Merge) -> Result<()> {
    let Merge { shards, out, same_program, replace, json } = given;
    let existing = if *replace { Existing::Replace } else { Existing::Keep };
    let first = shards.first().ok_or_else(|| Error::input("name the folders of the shards"))?;
    let first = Folder::new(first);
    let game = first.header()?.experiment.experiment.game;
    let summary = with_game!(game.as_str(), G => merge::<G>(shards, out, existing, *same_program))
        .map_err(|error| first.in_header(error.in_field("game")))??;
    if *json {
        return say_json(&summary);
    }
    say_tables(&summary)?;
    name_folder(out)
}
