//! Standard output and standard error: what the terminal can show, and failures to write.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

use serde::Serialize;

use crate::error::{Error, Fault, Kind, Result};
use crate::files::pretty;

/// Prints to standard output, with a line break at the end.
///
/// # Errors
/// If it cannot be written to; of the kind [`Kind::Closed`] if its reader is gone.
pub(super) fn print(text: impl AsRef<str>) -> Result<()> {
    let mut out = io::stdout().lock();
    let text = to_locale(text.as_ref());
    let end = if text.ends_with('\n') { "" } else { "\n" };
    write!(out, "{text}{end}").and_then(|()| out.flush()).map_err(|error| cannot_print(&error))
}

/// Prints a value as JSON.
pub(super) fn print_json(value: &impl Serialize) -> Result<()> {
    print(pretty(value))
}

/// Prints to standard error; a failure to do so is ignored.
pub(super) fn warn(text: impl Display) {
    _ = writeln!(io::stderr(), "{text}");
}

/// Sets the handler of Ctrl-C and SIGTERM.
///
/// # Errors
/// If the system refuses.
pub(super) fn on_interrupt(act: impl FnMut() + Send + 'static) -> Result<()> {
    ctrlc::set_handler(act)
        .map_err(|error| Error::failed(format!("cannot listen for Ctrl-C: {error}")))
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
pub(super) fn to_locale(text: &str) -> Cow<'_, str> {
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

#[cfg(test)]
mod tests {
    use super::to_ascii;

    #[test]
    fn signs_have_ascii_replacements() {
        assert_eq!(to_ascii("0.5 ± 0.1, −3 ≈ ½"), "0.5 +- 0.1, -3 ~ 1/2");
        assert!(to_ascii("“a” – b × c…").is_ascii());
    }
}
