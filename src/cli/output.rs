//! How a command gives its result: on the screen, as JSON, and as a file of Markdown.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::screen::wide;
use super::{Error, Result, say, say_json};
use crate::error::{ensure, unknown};
use crate::files::{AtomicFile, write_atomic};
use crate::results::Sheet;

/// How a file ends that was exported, and may so be exported again.
const MARK: &str = "<!-- exported by parlour -->\n";

/// How a command is to give its result.
#[derive(Args, Clone, Debug)]
pub(super) struct Output {
    /// Print JSON: numbers have the names of the CSV columns (`parlour schema json`)
    #[arg(long)]
    pub json: bool,
    /// Write what is printed as Markdown too, the answer first and the tables with pipes; over a file
    /// only that was exported so
    #[arg(long, value_name = "FILE")]
    export_markdown: Option<PathBuf>,
}

impl Output {
    /// Refuses, before any work, to export to a place that cannot be written.
    ///
    /// # Errors
    /// Bad input: what is wrong with the place.
    pub fn check(&self) -> Result<()> {
        self.export_markdown.as_deref().map_or(Ok(()), writable)
    }

    /// Gives a result: the file first, whatever becomes of the screen.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn give(&self, json: &impl Serialize, sheet: impl FnOnce() -> Sheet) -> Result<()> {
        self.give_unless(false, json, sheet)
    }

    /// The same; what is quiet prints JSON only.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn give_unless(
        &self,
        quiet: bool,
        json: &impl Serialize,
        sheet: impl FnOnce() -> Sheet,
    ) -> Result<()> {
        let shown = !self.json && !quiet;
        let sheet = (shown || self.export_markdown.is_some()).then(sheet);
        if let Some((file, sheet)) = self.export_markdown.as_deref().zip(sheet.as_ref()) {
            write_atomic(file, format!("{}\n{MARK}", sheet.in_markdown()))?;
        }
        match sheet {
            _ if self.json => say_json(json),
            Some(sheet) if shown => say(sheet.on_screen(wide()) + "\n"),
            _ => Ok(()),
        }
    }
}

/// Refuses a file that is there and is not to be replaced.
pub(super) fn stays(file: &Path, replace: bool) -> Result<()> {
    ensure(replace || !file.exists(), || {
        let file = file.display();
        Error::input(format!("{file} is there already; `--replace` writes over it"))
    })
}

/// Whether a file can be exported to: its folder can be written to, and nothing of others is lost.
fn writable(file: &Path) -> Result<()> {
    let refuse = |why: String| {
        Err(Error::input(format!("`--export-markdown`: cannot write {}: {why}", file.display())))
    };
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return refuse(no_folder(folder));
    }
    if file.is_dir() {
        return refuse("it is a folder; name a file in it".to_owned());
    }
    if file.exists() {
        return match std::fs::read_to_string(file) {
            Ok(text) if text.ends_with(MARK) => Ok(()),
            Ok(_) => refuse("it is there already, and no export; name another file".to_owned()),
            Err(error) => refuse(error.to_string()),
        };
    }
    AtomicFile::create(file).map(|_| ())
}

/// That there is no such folder, with the nearest name of those that there are.
fn no_folder(folder: &Path) -> String {
    let beside = folder.parent().filter(|beside| !beside.as_os_str().is_empty());
    let entries = std::fs::read_dir(beside.unwrap_or(Path::new("."))).into_iter().flatten();
    let folders = entries.flatten().filter(|entry| entry.path().is_dir());
    let names: Vec<String> =
        folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let near = unknown("folder", &name, names.iter().map(String::as_str));
    let near = near.nearest().map(|near| folder.with_file_name(near));
    let hint = near.map_or(String::new(), |near| format!(". Did you mean {}?", near.display()));
    format!("there is no folder {}{hint}", folder.display())
}
