//! The output of a command: on the screen, as JSON, and as a Markdown file.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use crate::error::{Error, Fault, Kind, Result, ensure, unknown};
use crate::files::{AtomicFile, is_special, pretty, read_text, write_atomic};
use crate::names::printable;
use crate::results::TextReport;

/// The last line of an exported file, which may be overwritten.
const MARK: &str = "<!-- exported by parlour -->\n";

/// The forms in which a command gives its result.
#[derive(Args, Clone, Debug)]
pub(super) struct Output {
    /// Print JSON, with fields named as the CSV columns (`parlour schema json`)
    #[arg(long)]
    pub json: bool,
    /// Also write the report as Markdown; only an earlier export is overwritten
    #[arg(long, value_name = "FILE", value_parser = exportable)]
    pub export_markdown: Option<PathBuf>,
    /// Prints nothing but JSON.
    #[arg(skip)]
    pub quiet: bool,
}

impl Output {
    /// Writes a result: first the file, then the screen.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn give(&self, json: &impl Serialize, sheet: impl FnOnce() -> TextReport) -> Result<()> {
        let shown = !self.json && !self.quiet;
        let sheet = (shown || self.export_markdown.is_some()).then(sheet);
        if let Some((file, sheet)) = self.export_markdown.as_deref().zip(sheet.as_ref()) {
            // The command may have written a result under this name.
            exportable(&file.to_string_lossy()).map_err(Error::input)?;
            write_atomic(file, format!("{}\n{MARK}", sheet.to_markdown()))?;
        }
        match sheet {
            _ if self.json => print_json(json),
            Some(sheet) if shown => print(sheet.on_screen(width()) + "\n"),
            _ => Ok(()),
        }
    }
}

/// Refuses an existing file without `--replace`.
pub(super) fn refuse_to_overwrite(file: &Path, replace: bool) -> Result<()> {
    ensure(replace || !file.is_file(), || {
        let file = file.display();
        Error::input(format!("{file} exists; use `--replace` to overwrite it"))
    })
}

/// Reads the name of a file, before any work: its folder is writable, and no other file is lost.
fn exportable(file: &str) -> std::result::Result<PathBuf, String> {
    let path = PathBuf::from(file);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return Err(no_folder(folder));
    }
    ensure(!path.is_dir(), || "it is a folder; name a file in it".to_owned())?;
    if path.is_file() {
        return match read_text(&path) {
            Ok(text) if text.ends_with(MARK) => Ok(path),
            Ok(_) => Err("it exists and is not an export; name another file".to_owned()),
            Err(error) => Err(format!("cannot write the file: {error}")),
        };
    }
    // To open a pipe for a test would end it for its reader.
    if is_special(&path) {
        return Ok(path);
    }
    AtomicFile::create(&path).map(|_| path.clone()).map_err(|error| error.to_string())
}

/// The message about a missing folder, with the nearest name of an existing one.
fn no_folder(folder: &Path) -> String {
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
    let entries = std::fs::read_dir(parent.unwrap_or(Path::new("."))).into_iter().flatten();
    let folders = entries.flatten().filter(|entry| entry.path().is_dir());
    let names: Vec<String> =
        folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let near = unknown("folder", &name, names.iter().map(String::as_str));
    let near = near.nearest().map(|near| folder.with_file_name(near));
    let hint = near.map_or(String::new(), |near| format!(". Did you mean {}?", near.display()));
    format!("there is no folder {}{hint}", folder.display())
}

/// Prints to standard output, with a line break at the end.
///
/// # Errors
/// If it cannot be written to; of the kind [`Kind::Closed`] if its reader is gone.
pub(super) fn print(text: impl AsRef<str>) -> Result<()> {
    let text = text.as_ref();
    print_prompt(&format!("{text}{}", if text.ends_with('\n') { "" } else { "\n" }))
}

/// Prints to standard output; the cursor stays behind the text.
pub(super) fn print_prompt(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    let text = printable(&to_locale(text));
    write!(out, "{text}").and_then(|()| out.flush()).map_err(|error| cannot_print(&error))
}

/// Prints a value as JSON.
pub(super) fn print_json(value: &impl Serialize) -> Result<()> {
    print(pretty(value))
}

/// Prints to standard error; a failure to do so is ignored.
pub(super) fn warn(text: impl Display) {
    _ = writeln!(io::stderr(), "{}", printable(&text.to_string()));
}

/// Sets the handler of Ctrl-C and SIGTERM.
///
/// # Errors
/// If the system refuses.
pub(super) fn on_interrupt(act: impl FnMut() + Send + 'static) -> Result<()> {
    ctrlc::set_handler(act).map_err(|e| Error::failed(format!("cannot listen for Ctrl-C: {e}")))
}

/// Ends the program after Ctrl-C, with all players.
pub(super) fn exit_stopped() -> ! {
    crate::external::kill_all();
    std::process::exit(130)
}

/// The error of a failed write to standard output.
pub(super) fn cannot_print(error: &io::Error) -> Error {
    let kind = match error.kind() {
        io::ErrorKind::BrokenPipe => Kind::Closed,
        _ => Kind::Failed,
    };
    Error::new(kind, Fault::from(format!("cannot write to standard output: {error}")))
}

/// The width of the terminal in columns; 80 without a terminal.
pub(super) fn width() -> usize {
    let terminal = console::Term::stdout();
    let size = terminal.size_checked().filter(|_| io::stdout().is_terminal());
    size.map_or(80, |(_, columns)| usize::from(columns).max(20))
}

/// The text in ASCII if the locale says that it has no UTF-8; otherwise unchanged.
fn to_locale(text: &str) -> Cow<'_, str> {
    let locales = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(std::env::var_os);
    let mut locales = locales.map(|locale| locale.to_string_lossy().to_lowercase());
    let locale = locales.find(|locale| !locale.is_empty());
    if locale.is_none_or(|locale| locale.contains("utf-8") || locale.contains("utf8")) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(to_ascii(text))
}

/// Replaces signs beyond ASCII; letters of names stay.
fn to_ascii(text: &str) -> String {
    const SIGNS: [(&str, &str); 13] = [
        ("→", "->"),
        ("±", "+-"),
        ("−", "-"),
        ("–", "-"),
        ("≈", "~"),
        ("×", "x"),
        ("½", "1/2"),
        ("≥", ">="),
        ("≤", "<="),
        ("…", "..."),
        ("“", "\""),
        ("”", "\""),
        ("’", "'"),
    ];
    SIGNS.iter().fold(text.to_owned(), |text, (sign, plain)| text.replace(sign, plain))
}

/// Prints the place of the results.
pub(super) fn print_folder(out: &Path) -> Result<()> {
    print(format!("Results: {}", out.display()))
}

#[cfg(test)]
mod tests {
    use super::to_ascii;

    #[test]
    fn signs_have_ascii_replacements() {
        assert_eq!(to_ascii("0.5 ± 0.1, −3 ≈ ½"), "0.5 +- 0.1, -3 ~ 1/2");
        assert!(to_ascii("“a” – b × c…").is_ascii());
    }
}
