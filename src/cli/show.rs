//! `parlour show`.

use super::{Args, PathBuf, Result, reread, say_json, say_tables};

#[derive(Args, Debug)]
pub(super) struct Show {
    /// The folder of a finished run
    folder: PathBuf,
    /// Print the numbers as JSON, by the names of the CSV columns
    #[arg(long)]
    json: bool,
}

pub(super) fn run(given: &Show) -> Result<()> {
    let (_, _, summary) = reread(&given.folder)?;
    if given.json { say_json(&summary) } else { say_tables(&summary) }
}
