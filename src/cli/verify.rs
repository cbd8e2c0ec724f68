//! `parlour verify`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::records::{RecordHead, each_line, fault_at};
use super::say;
use crate::error::{Error, Result};
use crate::games::with_game;
use crate::strategy::Strategic;

#[derive(Args, Debug)]
pub(super) struct Verify {
    /// Files of records, a line a hand
    #[arg(required = true)]
    records: Vec<PathBuf>,
}

impl Verify {
    pub fn run(self) -> Result<()> {
        let mut hands = 0;
        for path in &self.records {
            hands += each_line(path, |line, text| check(path, line, text))?;
        }
        if hands == 0 {
            return Err(Error::failed("there is no record in these files"));
        }
        say(format!("{hands} hands follow the rules."))
    }
}

fn check(path: &Path, line: usize, text: &str) -> Result<()> {
    let head: RecordHead =
        serde_json::from_str(text).map_err(|e| fault_at(path, line, plain(&e)))?;
    let outcome = with_game!(head.game.as_str(), G => verify::<G>(text));
    let outcome = outcome.map_err(|e| fault_at(path, line, e))?;
    outcome.map_err(|what| fault_at(path, line, what))
}

/// A JSON error with its column; the line is the record's, not the text's.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let what = text.split(" at line ").next().unwrap_or_default();
    format!("column {}: {what}", error.column())
}

fn verify<G: Strategic>(text: &str) -> std::result::Result<(), String> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let record: G::Record = serde_path_to_error::deserialize(&mut deserializer)
        .map_err(|e| format!("field `{}`: {}", e.path(), plain(e.inner())))?;
    deserializer.end().map_err(|e| plain(&e))?;
    G::verify(&record).map_err(|fault| fault.to_string())
}
