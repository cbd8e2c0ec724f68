//! `parlour show`.

use super::{Args, Output, PathBuf, Result, reread};
use crate::results::run_sheet;

#[derive(Args, Debug)]
pub(super) struct Show {
    /// The folder of a finished run
    folder: PathBuf,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(given: &Show) -> Result<()> {
    given.output.check()?;
    let (_, _, summary) = reread(&given.folder)?;
    given.output.give(&summary, || run_sheet(&summary))
}
