//! Names and texts from elsewhere: refusal of names that readers of tables misread, and escapes for
//! terminals.

/// The names that pandas, R, DuckDB or spreadsheets read as a missing value or a truth value.
const VALUES: [&str; 12] =
    ["na", "n/a", "nan", "null", "nil", "none", "missing", "undefined", "true", "false", "t", "f"];

/// Returns the problem of a name that a reader of tables or a terminal takes for something else, if
/// there is one.
pub fn misreading(name: &str) -> Option<&'static str> {
    let lower = name.trim().to_lowercase();
    // `0x1f`, `1d5`, `7L` and `2i` are numbers in R, `2024-01-02` and `1/2` dates in spreadsheets.
    let digits = lower.trim_start_matches("0x").trim_end_matches(['l', 'i']).replace('d', "e");
    let is_number = digits.parse::<f64>().is_ok()
        || lower.strip_prefix("0x").is_some_and(|hex| hex.chars().all(|c| c.is_ascii_hexdigit()))
        || !lower.chars().any(char::is_alphabetic);
    if lower.is_empty() || lower.len() != name.to_lowercase().len() {
        Some("a name must not be empty, nor begin or end with a space")
    } else if name.starts_with(['=', '+', '-', '@']) {
        Some("spreadsheets read it as a formula; begin with a letter")
    } else if VALUES.contains(&lower.as_str()) {
        Some("readers of tables take this word for a missing or a truth value; choose another")
    } else if is_number {
        Some("readers of tables take it for a number or a date; begin with a letter")
    } else if name.chars().any(is_unprintable) {
        Some("it contains a control character")
    } else {
        None
    }
}

/// Escapes characters with which a text could write over a terminal or reverse its lines. Line
/// breaks and tabs stay. In JSON, an escape is read as the character.
pub fn printable(text: &str) -> String {
    let mut printable = String::with_capacity(text.len());
    for c in text.chars() {
        match is_unprintable(c) && !"\n\t".contains(c) {
            true => printable += &format!("\\u{:04x}", u32::from(c)),
            false => printable.push(c),
        }
    }
    printable
}

/// Returns `true` for control characters, line separators and the marks that override the direction
/// of writing (Unicode TR 9).
fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_readers_of_tables_misread_are_refused() {
        for name in [
            "NA",
            "na",
            "null",
            "None",
            "nan",
            "NaN",
            "NULL",
            "n/a",
            "Inf",
            "-inf",
            "TRUE",
            "F",
            "1.0",
            "1e5",
            "1d5",
            "7L",
            "0x1F",
            "2024-01-02",
            "1/2",
            "=1+1",
            "+x",
            "-x",
            "@x",
            "",
            " x",
            "...",
            "a\u{1b}[31m",
            "a\u{202e}b",
            "a\nb",
        ] {
            assert!(misreading(name).is_some(), "{name:?}");
        }
        for name in ["greedy", "nano", "none-2", "mini-2x3", "2x3", "my bot,2=x", "été", "Nadia"]
        {
            assert_eq!(misreading(name), None, "{name:?}");
        }
    }

    #[test]
    fn no_control_or_override_character_is_printable() {
        assert_eq!(printable("a\u{1b}]0;T\u{7}b\n\té"), "a\\u001b]0;T\\u0007b\n\té");
        assert_eq!(printable("x\u{202e}y\u{2066}z\u{9b}\r"), "x\\u202ey\\u2066z\\u009b\\u000d");
        let json = printable("\"\u{202e}\u{7f}\"");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), "\u{202e}\u{7f}");
    }
}
