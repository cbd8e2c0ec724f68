//! Whether a result folder is as it was written.

use std::path::Path;

use serde_json::Value;

use super::manifest::digest_file;
use crate::error::{Error, Result};
use crate::files::read_text;

/// Checks that a finished folder holds every file that its manifest names, unchanged.
///
/// # Errors
/// Bad input that names the file, and what is wrong with it.
pub(super) fn unchanged(folder: &Path) -> Result<()> {
    let path = folder.join("manifest.json");
    let place = path.display();
    if !path.exists() {
        return Err(Error::input(format!(
            "{place} is missing: {} holds no finished run",
            folder.display()
        )));
    }
    let manifest: Value = serde_json::from_str(&read_text(&path)?)
        .map_err(|error| Error::input(format!("{place}: {error}; it was cut or edited")))?;
    let format = manifest["format"].as_u64();
    if format != Some(1) {
        let format = format.map_or("missing".to_owned(), |f| f.to_string());
        return Err(Error::input(format!("{place}: its format is {format}; this program reads 1")));
    }
    let files = manifest["files"].as_object();
    let files = files.ok_or_else(|| Error::input(format!("{place}: field `files` is missing")))?;
    for (name, digest) in files {
        let file = folder.join(name);
        let place = file.display();
        let read = std::fs::File::open(&file);
        let read = read.map_err(|error| Error::input(format!("cannot read {place}: {error}")))?;
        if digest.as_str() != Some(&digest_file(read)) {
            return Err(Error::input(format!(
                "{place} was cut or edited since the run: its SHA-256 is not that of manifest.json; run again, or put the file back"
            )));
        }
    }
    Ok(())
}

/// Checks that a table has the columns that this program writes.
///
/// # Errors
/// Bad input that names the first column that differs.
pub(super) fn columns(path: &Path, expected: &[String]) -> Result<()> {
    let place = path.display();
    let fault = |what: String| Error::input(format!("{place}: line 1: {what}"));
    let mut reader = csv::Reader::from_path(path)
        .map_err(|e| Error::input(format!("cannot read {place}: {e}")))?;
    let found = reader.headers().map_err(|e| fault(e.to_string()))?.clone();
    let differs = (0..expected.len().max(found.len()))
        .find(|&i| found.get(i) != expected.get(i).map(String::as_str));
    differs.map_or(Ok(()), |index| {
        let quote = |name: Option<&str>| name.map_or("missing".to_owned(), |n| format!("`{n}`"));
        Err(fault(format!(
            "column {} is {}, where this version writes {}: the file is of another version; run the experiment again",
            index + 1,
            quote(found.get(index)),
            quote(expected.get(index).map(String::as_str)),
        )))
    })
}
