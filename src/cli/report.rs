//! `parlour report`.

use super::{Args, PathBuf, Result, reread, say};
use crate::results::report;

#[derive(Args, Debug)]
pub(super) struct Report {
    /// The folder of a finished run
    folder: PathBuf,
}

pub(super) fn run(given: &Report) -> Result<()> {
    let (folder, header, summary) = reread(&given.folder)?;
    folder.write_report(&header, &summary)?;
    say(format!("Report: {}", folder.path.join(report::FILE).display()))
}
