//! Files of records of any game, one line per hand.

use std::path::Path;

use crate::arena::Head;
use crate::error::{Error, Fault, Result};
use crate::files::{Lines, TextLine, parse_json_line};
use crate::games::{AnyRecord, GAMES, game};

/// A record and its place.
pub(super) struct RecordLine<'a> {
    file: &'a str,
    number: usize,
    /// The record.
    pub record: Box<dyn AnyRecord>,
}

impl RecordLine<'_> {
    /// The result of a replay. An unknown format is bad input; a hand that breaks the rules is the
    /// failure that a reader of records looks for.
    pub fn check<T>(&self, replayed: std::result::Result<T, Fault>) -> Result<T> {
        replayed.map_err(|fault: Fault| {
            let is_format = fault.place.part.as_deref() == Some("format");
            let error = if is_format { Error::input(fault) } else { Error::failed(fault) };
            error.on_line(self.file, self.number)
        })
    }
}

/// Calls `each` with every record of a file, or with record `only`, counted from 1; returns the
/// number of records in the file.
pub(super) fn each_record(
    path: &Path,
    only: Option<usize>,
    mut each: impl FnMut(&RecordLine<'_>) -> Result<()>,
) -> Result<usize> {
    let (file, mut count) = (path.display().to_string(), 0);
    // The longest hand of any game takes 0.1 MB.
    for line in Lines::open(path, 1, "record of a hand")? {
        let TextLine { number, text, .. } = line?;
        if text.trim().is_empty() {
            continue;
        }
        count += 1;
        if only.is_none_or(|only| only == count) {
            let name = game_name(&file, number, &text)?;
            let game = game(&name).map_err(|error| error.on_line(&file, number))?;
            let record = (game.record)(&file, number, &text)?;
            each(&RecordLine { file: &file, number, record })?;
        }
    }
    Ok(count)
}

/// The game that a record names.
fn game_name(file: &str, number: usize, text: &str) -> Result<String> {
    // The program's own records name it first; then the rest of the line need not be parsed.
    let usual = text.strip_prefix("{\"format\":1,\"game\":\"");
    match usual.and_then(|rest| rest.split_once('"')) {
        Some((game, _)) if GAMES.contains(&game) => Ok(game.to_owned()),
        _ => parse_json_line::<Head>(file, number, text).map(|head| head.game),
    }
}
