//! Reading records, a line a hand, of whatever game.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};

use super::{Display, Error, Fault, Head, Path, Recorded, Result};
use crate::files::{cannot_read, parse_json_line};

/// One line of a file of records.
pub(super) struct Line<'a> {
    /// The file's name.
    pub file: &'a str,
    /// From 1.
    pub number: usize,
    /// What it says.
    pub text: &'a str,
}

impl Line<'_> {
    /// The game of the record; all else is read once it is known.
    pub fn game(&self) -> Result<String> {
        self.read::<Head>().map(|head| head.game)
    }

    /// The record, and what is made of it.
    pub fn record<G: Recorded, T>(
        &self,
        use_it: impl FnOnce(&G::Record) -> std::result::Result<T, Fault>,
    ) -> Result<T> {
        use_it(&self.read()?).map_err(|fault| self.failed(fault.into()))
    }

    /// What is wrong with the line: the files are the program's own, and so it is a failure.
    pub fn failed(&self, error: Error) -> Error {
        error.on_line(self.file, self.number).as_failed()
    }

    fn read<T: serde::de::DeserializeOwned>(&self) -> Result<T> {
        parse_json_line(self.file, self.number, self.text).map_err(Error::as_failed)
    }
}

/// The most bytes of a line; the longest hand of any game takes a tenth of them.
const LONGEST: u64 = 1 << 20;

/// Calls `each` with every line that is not blank; returns how many there are.
pub(super) fn each_line(
    path: &Path,
    mut each: impl FnMut(&Line<'_>) -> Result<()>,
) -> Result<usize> {
    let file = path.display().to_string();
    let mut reader = BufReader::new(File::open(path).map_err(|error| cannot_read(path, &error))?);
    let (mut lines, mut text) = (0, String::new());
    for number in 1.. {
        text.clear();
        let fault =
            |what: &dyn Display| Error::input(format!("cannot read {file}: line {number}: {what}"));
        let read = reader.by_ref().take(LONGEST).read_line(&mut text).map_err(|e| fault(&e))?;
        if read == 0 {
            break;
        }
        if read as u64 == LONGEST && !text.ends_with('\n') {
            return Err(fault(&"it is longer than 1 MB; no record of a hand is"));
        }
        if !text.trim().is_empty() {
            lines += 1;
            each(&Line { file: &file, number, text: text.trim_end_matches(['\r', '\n']) })?;
        }
    }
    Ok(lines)
}
