//! Reading records, a line a hand, of whatever game.

use super::{Error, Fault, GAMES, Head, Path, Recorded, Result};
use crate::files::{Lines, TextLine, parse_json_line};

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
        // As this program writes it, the line need not be read to its end for that.
        let usual = self.text.strip_prefix("{\"format\":1,\"game\":\"");
        match usual.and_then(|rest| rest.split_once('"')) {
            Some((game, _)) if GAMES.contains(&game) => Ok(game.to_owned()),
            _ => self.read::<Head>().map(|head| head.game),
        }
    }

    /// The record, and what is made of it. What is no record is bad input; a hand that breaks the
    /// rules is the failure that the reader looks for.
    pub fn record<G: Recorded, T>(
        &self,
        use_it: impl FnOnce(&G::Record) -> std::result::Result<T, Fault>,
    ) -> Result<T> {
        let against_the_rules = |fault: Fault| {
            let is_other = fault.place.part.as_deref() == Some("format");
            self.here(if is_other { Error::input(fault) } else { Error::failed(fault) })
        };
        use_it(&self.read()?).map_err(against_the_rules)
    }

    /// The error of this line.
    pub fn here(&self, error: Error) -> Error {
        error.on_line(self.file, self.number)
    }

    fn read<T: serde::de::DeserializeOwned>(&self) -> Result<T> {
        parse_json_line(self.file, self.number, self.text)
    }
}

/// Calls `each` with every line that is not blank; returns how many there are.
pub(super) fn each_line(
    path: &Path,
    mut each: impl FnMut(&Line<'_>) -> Result<()>,
) -> Result<usize> {
    let (file, mut count) = (path.display().to_string(), 0);
    // The longest hand of any game takes a tenth of a megabyte.
    for line in Lines::open(path, 1, "record of a hand")? {
        let TextLine { number, text, .. } = line?;
        if !text.trim().is_empty() {
            count += 1;
            each(&Line { file: &file, number, text: &text })?;
        }
    }
    Ok(count)
}
