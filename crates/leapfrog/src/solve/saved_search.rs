//! Saved searches: bounds of expensive positions on disk, so that a killed search loses seconds.
//!
//! The first line names the shape of the board; any board of that shape may resume from the file.
//! Each other line is `key low high checksum`; the checksum covers the first line and this one. An
//! incomplete last line comes from a kill and is removed.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::bounds_table::Bounds;
use crate::{Chains, Rules};
use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::{Lines, TextLine, cannot_write, digest, is_special, sync};

/// An open file for the proved bounds of a search.
pub(super) struct SavedSearch {
    path: PathBuf,
    head: String,
    file: Mutex<Result<File>>,
    /// Bounds from earlier searches.
    pub before: Vec<(u64, Bounds)>,
}

/// Maximum length of a line in megabytes.
const MOST_MB: u64 = 1;

impl SavedSearch {
    /// Opens or creates a file.
    ///
    /// # Errors
    /// Invalid input if the file belongs to another board, was changed, or is in use. A failure if
    /// the file cannot be written.
    pub fn open(path: &Path, rules: &Rules) -> Result<SavedSearch> {
        let head = head(rules);
        let fault = |error| cannot_write(path, &error);
        let options = OpenOptions::new().read(true).append(true).create(true).open(path);
        let mut file = options.map_err(fault)?;
        ensure(!is_special(path), || fault(io::Error::other("it is not a regular file")))?;
        // A file system may have no locks.
        ensure(!matches!(file.try_lock(), Err(TryLockError::WouldBlock)), || {
            Error::input(format!("{} is in use by another search", path.display()))
        })?;
        let wrong =
            |line, what: &str| Error::input(what).on_line(&path.display().to_string(), line);
        let (mut before, mut whole) = (Vec::new(), 0);
        let mut lines = Lines::open(path, MOST_MB, "line of a saved search")?;
        for line in &mut lines {
            let TextLine { number, text, ended } = line?;
            if !ended {
                break;
            }
            whole += text.len() as u64 + 1;
            if number == 1 {
                ensure(text == head, || {
                    let found: String = text.chars().take(80).collect();
                    let what = format!(
                        "this is not a saved search of this board; the first line is `{found}` but \
                         must be `{head}`"
                    );
                    wrong(1, &what)
                })?;
                continue;
            }
            let changed = "this line was changed after it was written; remove it";
            before.push(read(&head, &text).ok_or_else(|| wrong(number, changed))?);
        }
        file.set_len(whole).map_err(fault)?;
        if whole == 0 {
            writeln!(file, "{head}").map_err(fault)?;
        }
        Ok(SavedSearch { path: path.to_owned(), head, file: Mutex::new(Ok(file)), before })
    }

    /// Adds a line. After a failure nothing more is written, but the search continues.
    pub fn add(&self, key: u64, bounds: Bounds) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let text = format!("{key} {} {}", bounds.low, bounds.high);
        let line = format!("{text} {}\n", checksum(&self.head, &text));
        if let Ok(open) = &mut *file
            && let Err(error) = open.write_all(line.as_bytes())
        {
            *file = Err(cannot_write(&self.path, &error));
        }
    }

    /// Syncs the file, and returns the first write failure, if any.
    ///
    /// # Errors
    /// That failure.
    pub fn result(&self) -> Result<()> {
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let file = file.as_ref().map_err(Clone::clone)?;
        sync(file).map_err(|error| cannot_write(&self.path, &error))
    }
}

/// Returns the first line of a file.
fn head(rules: &Rules) -> String {
    // A column has the values of a row.
    let (rows, cols) = if rules.cols == 1 { (1, rules.rows) } else { (rules.rows, rules.cols) };
    let colours = if rules.colors().is_some() { "coloured" } else { "plain" };
    let chains = if rules.chains == Chains::Optional { "chains" } else { "single leaps" };
    let ways = if rules.diagonal { "eight ways" } else { "four ways" };
    format!("parlour solve leapfrog, form 1: {rows} by {cols}, {colours}, {chains}, {ways}")
}

fn checksum(head: &str, text: &str) -> String {
    digest(format!("{head}\n{text}")).chars().take(12).collect()
}

/// Reads a key and its bounds. Returns `None` if the line is not as written.
fn read(head: &str, line: &str) -> Option<(u64, Bounds)> {
    let (text, sum) = line.rsplit_once(' ')?;
    let mut parts = text.split(' ');
    let key = parts.next()?.parse().ok()?;
    let (low, high) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    (sum == checksum(head, text) && parts.next().is_none())
        .then_some((key, Bounds { low, high }.and(Bounds::NONE)))
}
