//! `parlour verify`: a hand that breaks the rules is a failure (status 1), a line that is no record is
//! bad input (2).

use std::path::PathBuf;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::output::Output;
use super::records::each_record;
use crate::error::{Error, Kind, Result, ensure};
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

pub(super) fn run(args: &Verify) -> Result<()> {
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
