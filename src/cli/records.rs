//! Reading records, a line a hand, of whatever game.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::Deserialize;

use crate::error::{Error, Result};

/// The game that a record names; all else is read once it is known.
#[derive(Deserialize)]
pub(super) struct RecordHead {
    pub game: String,
}

/// Calls `each` with the number (from 1) and text of every line that is not blank.
pub(super) fn each_line(
    path: &Path,
    mut each: impl FnMut(usize, &str) -> Result<()>,
) -> Result<usize> {
    let place = path.display();
    let unreadable = |error: std::io::Error| Error::input(format!("cannot read {place}: {error}"));
    let reader = BufReader::new(File::open(path).map_err(unreadable)?);
    let mut lines = 0;
    for (index, line) in reader.lines().enumerate() {
        let line = line.map_err(|error| {
            Error::input(format!("cannot read {place}: line {}: {error}", index + 1))
        })?;
        if !line.trim().is_empty() {
            lines += 1;
            each(index + 1, &line)?;
        }
    }
    Ok(lines)
}

/// What is wrong with a line of records.
pub(super) fn fault_at(path: &Path, line: usize, what: impl std::fmt::Display) -> Error {
    Error::failed(format!("{}: line {line}: {what}", path.display()))
}
