//! A finished run read again from its folder.

use std::path::Path;

use super::merge::read;
use super::{Summary, check, confirm};
use crate::arena::{Plan, ProgressHeader};
use crate::error::{Error, Result};
use crate::strategy::Strategic;

/// Reads a finished run again. The program may be another than the one that wrote it, if both
/// count the same.
///
/// # Errors
/// Bad input when a file is missing, cut, edited or of another version, or the run is not
/// finished.
pub fn reread<G: Strategic>(folder: &Path) -> Result<(Plan<G>, Summary)> {
    check::unchanged(folder)?;
    let progress = read(folder)?;
    let place = folder.display();
    let plan = Plan::<G>::from_portable(&place.to_string(), &progress.header.plan)?;
    let (was, header) = (&progress.header, ProgressHeader::of(&plan, false, false, None));
    if (was.integers, &was.counts) != (header.integers, &header.counts) {
        let program = &was.program;
        return Err(Error::input(format!(
            "{place}: it was written by {program}, which counted other things than this program; run the experiment again"
        )));
    }
    if was.digest != header.digest {
        return Err(Error::input(format!(
            "{place}: its experiment means something else to this program than to {}, which wrote it; run it again",
            was.program
        )));
    }
    for table in Summary::blank::<G>().tables() {
        check::columns(folder, &table)?;
    }
    let chunks = progress.chunks.len() as u64;
    if chunks < plan.decision(&progress.chunks).chunks {
        return Err(Error::input(format!(
            "{place}: {chunks} of {} chunks are there: finish the run with `--resume`, or join all shards with `merge`",
            plan.chunks()
        )));
    }
    let tallies: Vec<_> = progress.chunks.into_values().collect();
    let mut summary = Summary::new(&plan, &tallies);
    summary.confirm(confirm::reread(&plan, &summary, folder)?);
    Ok((plan, summary))
}
