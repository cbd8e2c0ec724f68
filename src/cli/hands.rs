//! Files of records of any game, one line per hand, and `parlour verify`: a hand that breaks the rules is
//! a failure (status 1), a line that is no record is bad input (2).

use std::path::{Path, PathBuf};

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::output::Output;
use crate::arena::Head;
use crate::error::{Error, Fault, Kind, Result, ensure};
use crate::files::{Lines, TextLine, parse_json_line};
use crate::games::{AnyRecord, GAMES, game};
use crate::results::TextReport;

#[derive(Args, Debug)]
pub(super) struct Verify {
    /// Files of records, one line per hand
    #[arg(required = true)]
    records: Vec<PathBuf>,
    #[command(flatten)]
    output: Output,
}

/// The records that follow the rules: all, or those before the first that does not.
#[derive(Serialize, JsonSchema)]
pub(super) struct Verification {
    /// The number of these hands. Unit: hands.
    hands: usize,
    /// The files, in the order of the arguments.
    files: Vec<VerifiedFile>,
    /// The first record that breaks the rules, with its place.
    broken: Option<String>,
}

/// A file with the number of its records that follow the rules.
#[derive(Serialize, JsonSchema)]
struct VerifiedFile {
    /// The file.
    file: PathBuf,
    /// The hands in it. Unit: hands.
    hands: usize,
}

pub(super) fn verify(args: &Verify) -> Result<()> {
    args.output.check()?;
    let mut verified = Verification { hands: 0, files: Vec::new(), broken: None };
    for path in &args.records {
        let mut hands = 0;
        let read = each_record(path, None, |line| {
            line.check(line.record.verify())?;
            hands += 1;
            Ok(())
        });
        verified.hands += hands;
        verified.files.push(VerifiedFile { file: path.clone(), hands });
        match read {
            Err(error) if error.kind() == Kind::Failed && args.output.json => {
                verified.broken = Some(error.to_string());
                args.output.give(&verified, TextReport::default)?;
                return Err(error);
            }
            read => read?,
        };
        ensure(hands > 0, || {
            Error::input("the file has no records").in_file(&path.display().to_string())
        })?;
    }
    let hands = match verified.hands {
        1 => "1 hand follows".to_owned(),
        hands => format!("{hands} hands follow"),
    };
    args.output.give(&verified, || TextReport::default().paragraph(format!("{hands} the rules.")))
}

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
