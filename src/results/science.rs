//! The manifest of the one-player protocol.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::manifest::{digest_file, machine, program};
use super::table::Table;
use crate::error::{Error, Result};
use crate::files::write_whole;

/// What was run, for its manifest.
pub struct ScienceRun {
    /// Where the cases come from: a file with its digest, or a half of the bank.
    pub cases: Value,
    /// How many there are.
    pub count: usize,
    /// The strategy with its file's digest, spelled out.
    pub strategy: Value,
    /// What the strategy knows beside its file, with digests.
    pub knowledge: Vec<(&'static str, String)>,
    /// The number that decks and chance come from.
    pub seed: u64,
    /// Whether each case's family of rules was taken out of what the strategy knows.
    pub without_family: bool,
    /// How long the strategy and the judging took, all threads together.
    pub time: Duration,
}

/// Writes these tables and `manifest.json` into a folder; all but `timing` and times in the tables
/// is a function of the cases, the strategy and the program.
///
/// # Errors
/// When they cannot be written.
pub fn write_science(folder: &Path, run: ScienceRun, tables: &[Table]) -> Result<()> {
    std::fs::create_dir_all(folder)
        .map_err(|e| Error::failed(format!("cannot make {}: {e}", folder.display())))?;
    let mut digests = serde_json::Map::new();
    for table in tables {
        table.write(folder)?;
        if let Ok(file) = std::fs::File::open(folder.join(table.file())) {
            digests.insert(table.file(), Value::String(digest_file(file)));
        }
    }
    let knowledge: serde_json::Map<String, Value> =
        run.knowledge.into_iter().map(|(name, sha)| (name.to_owned(), sha.into())).collect();
    let manifest = json!({
        "format": 1,
        "program": program(),
        "protocol": "science",
        "seed": run.seed,
        "without_family": run.without_family,
        "inputs": { "cases": run.cases, "strategy": run.strategy, "knowledge": knowledge },
        "counts": { "cases": run.count },
        "files": digests,
        "timing": { "seconds": run.time.as_secs_f64(), "machine": machine() },
    });
    let text = serde_json::to_string_pretty(&manifest).expect("plain data") + "\n";
    write_whole(&folder.join("manifest.json"), text)
}
