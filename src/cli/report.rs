//! `parlour report`.

use super::{Args, Folder, PathBuf, Result, say, with_game};
use crate::results::report;

#[derive(Args, Debug)]
pub(super) struct Report {
    /// The folder of a finished run
    folder: PathBuf,
}

pub(super) fn run(given: &Report) -> Result<()> {
    let folder = Folder::new(&given.folder);
    let header = folder.header()?;
    let game = header.experiment.experiment.game.as_str();
    let summary = with_game!(game, G => folder.reread::<G>())??;
    folder.write_report(&header, &summary)?;
    say(format!("Report: {}", folder.path.join(report::FILE).display()))
}
