//! What a long search has proved, on disk: a line for every position that took long to settle, so
//! that a search that was killed loses seconds.
//!
//! The first line says the shape of the board; any board of that shape may go on from the file. A
//! line is `key low high seal`, and the seal is of the first line and this one. A last line
//! without an end is what a kill left; it is cut off.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::grid::Shape;
use super::table::Bounds;
use crate::error::{Error, Result, ensure};
use crate::files::{Lines, TextLine, digest};

/// A file into which a search writes what it has proved.
pub(super) struct Save {
    path: PathBuf,
    head: String,
    file: Mutex<Result<File>>,
    /// What an earlier search had proved.
    pub before: Vec<(u64, Bounds)>,
}

/// No line is longer, in megabytes.
const LONGEST: u64 = 1;

impl Save {
    /// Goes on with a file, or begins it.
    ///
    /// # Errors
    /// Bad input: the file is of another board or of something else, it was changed, or another
    /// search writes to it. A failure when it cannot be written.
    pub fn open(path: &Path, shape: Shape) -> Result<Save> {
        let head = head(shape);
        let fault = |error: std::io::Error| {
            Error::failed(format!("cannot write {}: {error}", path.display()))
        };
        let options = OpenOptions::new().read(true).append(true).create(true).open(path);
        let mut file = options.map_err(fault)?;
        file.try_lock().map_err(|_| {
            Error::input(format!("{}: another search writes to it now", path.display()))
        })?;
        let mut before = Vec::new();
        let mut whole = 0;
        let mut lines = Lines::open(path, LONGEST, "line of a saved search")?;
        for line in &mut lines {
            let TextLine { number, text, ended } = line?;
            if !ended {
                break;
            }
            whole += text.len() as u64 + 1;
            if number == 1 {
                ensure(text == head, || {
                    wrong(
                        path,
                        1,
                        &format!(
                            "this file is not of a search of this board: it begins with `{}`, and this \
                     board's with `{head}`",
                            text.chars().take(80).collect::<String>()
                        ),
                    )
                })?;
                continue;
            }
            let read = read(&head, &text).ok_or_else(|| {
                wrong(path, number, "it was changed after it was written; remove the line")
            })?;
            before.push(read);
        }
        file.set_len(whole).map_err(fault)?;
        if whole == 0 {
            writeln!(file, "{head}").map_err(fault)?;
        }
        Ok(Save { path: path.to_owned(), head, file: Mutex::new(Ok(file)), before })
    }

    /// Adds a line. After a failure nothing is written any more; the search goes on.
    pub fn add(&self, key: u64, bounds: Bounds) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(open) = &mut *file {
            let text = format!("{key} {} {}", bounds.low, bounds.high);
            let line = format!("{text} {}\n", seal(&self.head, &text));
            if let Err(error) = open.write_all(line.as_bytes()) {
                *file =
                    Err(Error::failed(format!("cannot write {}: {error}", self.path.display())));
            }
        }
    }

    /// Whether everything could be written.
    ///
    /// # Errors
    /// What could not.
    pub fn outcome(&self) -> Result<()> {
        let file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.as_ref().map(|_| ()).map_err(Clone::clone)
    }
}

fn wrong(path: &Path, line: usize, what: &str) -> Error {
    Error::input(what).on_line(&path.display().to_string(), line)
}

/// What the first line says.
fn head(shape: Shape) -> String {
    let Shape { rows, cols, chains, diagonal, coloured } = shape;
    let colours = if coloured { "coloured" } else { "plain" };
    let chains = if chains { "chains" } else { "single leaps" };
    let ways = if diagonal { "eight ways" } else { "four ways" };
    format!("parlour solve leapfrog, form 1: {rows} by {cols}, {colours}, {chains}, {ways}")
}

fn seal(head: &str, text: &str) -> String {
    digest(format!("{head}\n{text}")).chars().take(12).collect()
}

/// A key and its bounds, if the line is as it was written.
fn read(head: &str, line: &str) -> Option<(u64, Bounds)> {
    let (text, sealed) = line.rsplit_once(' ')?;
    let mut parts = text.split(' ');
    let key = parts.next()?.parse().ok()?;
    let (low, high) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    (sealed == seal(head, text) && parts.next().is_none()).then_some((key, Bounds { low, high }))
}
