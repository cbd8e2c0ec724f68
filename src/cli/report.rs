//! `parlour report`.

use super::{Args, Folder, Games, PathBuf, Result, reread, say};
use crate::games::game;
use crate::results::report;

#[derive(Args, Debug)]
pub(super) struct Report {
    /// The folder of a finished run
    folder: PathBuf,
    /// Write the tables again too, as this program computes them from the run's tallies
    #[arg(long)]
    tables: bool,
}

pub(super) fn run(given: &Report) -> Result<()> {
    let (folder, header, summary) = match given.tables {
        false => reread(&given.folder)?,
        true => {
            let folder = Folder::new(&given.folder);
            let (header, summary) = folder.recount(&Games)?;
            folder.write_tables(crate::PROGRAM, &summary)?;
            (folder, header, summary)
        }
    };
    let name = header.experiment.experiment.game.as_str();
    folder.write_report(&header, &summary, game(name)?.retell())?;
    say(format!("Report: {}", folder.path.join(report::FILE).display()))?;
    let index = report::write_index(&folder.path)?;
    index.map_or(Ok(()), |index| say(format!("All runs: {}", index.display())))
}
