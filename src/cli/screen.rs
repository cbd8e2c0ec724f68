//! What the screen can show: how wide it is, and which letters it has.

use std::borrow::Cow;
use std::io::IsTerminal;

/// Without a terminal lines are this wide at most.
const USUAL: usize = 80;

/// How many letters a line has: those of the terminal, or 80.
pub(super) fn wide() -> usize {
    let terminal = console::Term::stdout();
    let size = terminal.size_checked().filter(|_| std::io::stdout().is_terminal());
    size.map_or(USUAL, |(_, columns)| usize::from(columns).max(20))
}

/// The text in letters that the locale has: all, or those of ASCII where it says that it has no
/// UTF-8. Where nothing is said, it has.
pub(super) fn legible(text: &str) -> Cow<'_, str> {
    let said = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(std::env::var_os);
    let said = said.map(|s| s.to_string_lossy().to_lowercase()).find(|s| !s.is_empty());
    if said.is_none_or(|locale| locale.contains("utf-8") || locale.contains("utf8")) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(in_ascii(text))
}

/// Signs beyond ASCII in plain letters; letters of names stay.
fn in_ascii(text: &str) -> String {
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
    #[test]
    fn signs_have_plain_letters() {
        assert_eq!(super::in_ascii("0.5 ± 0.1, −3 ≈ ½"), "0.5 +- 0.1, -3 ~ 1/2");
        assert!(super::in_ascii("“a” – b × c…").is_ascii());
    }
}
