//! `parlour show`.

use super::{Args, Folder, PathBuf, Result, say_json, say_tables, with_game};

#[derive(Args, Debug)]
pub(super) struct Show {
    /// The folder of a finished run
    folder: PathBuf,
    /// Print the numbers as JSON, by the names of the CSV columns
    #[arg(long)]
    json: bool,
}

pub(super) fn run(given: &Show) -> Result<()> {
    let folder = Folder::new(&given.folder);
    let header = folder.header()?;
    let game = header.experiment.experiment.game.as_str();
    let summary = with_game!(game, G => folder.reread::<G>())??;
    if given.json { say_json(&summary) } else { say_tables(&summary) }
}
