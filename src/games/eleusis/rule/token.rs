//! The words and signs of a rule's text.

use super::error::RuleError;

/// No rule's text is longer, in bytes.
pub const MAX_TEXT: usize = 4096;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Token<'a> {
    Number(i32),
    Word(&'a str),
    Sign(&'static str),
    End,
}

impl Token<'_> {
    /// The token as an error message shows it.
    pub(super) fn shown(&self) -> String {
        match self {
            Token::Number(n) => format!("`{n}`"),
            Token::Word(w) => format!("`{}`", w.chars().take(30).collect::<String>()),
            Token::Sign(s) => format!("`{s}`"),
            Token::End => "the end of the text".to_owned(),
        }
    }
}

// Longer signs first.
const SIGNS: [&str; 25] = [
    "==", "!=", "<=", ">=", "??", "<", ">", "=", "(", ")", "{", "}", ",", ":", ".", "+", "-", "*",
    "/", "%", "≤", "≥", "≠", "&", "|",
];

/// The tokens of a text, each with its byte offset; the last is the end.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token<'_>, usize)>, RuleError> {
    if text.len() > MAX_TEXT {
        let length = text.len();
        return Err(RuleError::Large(format!(
            "the rule is {length} bytes long; a rule has at most {MAX_TEXT}: say it shorter"
        )));
    }
    let mut out = Vec::new();
    let mut at = 0;
    loop {
        let rest = text[at..].trim_start();
        at = text.len() - rest.len();
        let span = |ok: fn(char) -> bool| rest.find(|c| !ok(c)).unwrap_or(rest.len());
        let (token, length) = match rest.chars().next() {
            None => {
                out.push((Token::End, at));
                return Ok(out);
            }
            Some('0'..='9') => {
                let length = span(|c| c.is_ascii_digit());
                match rest[..length].parse() {
                    Ok(number @ 0..=9999) => (Token::Number(number), length),
                    _ => return Err(at_offset(text, at, "a number is at most 9999".to_owned())),
                }
            }
            Some('A'..='Z' | 'a'..='z' | '_') => {
                let length = span(|c| c.is_ascii_alphanumeric() || c == '_');
                (Token::Word(&rest[..length]), length)
            }
            Some(other) => match SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
                Some("=") => (Token::Sign("=="), 1),
                Some(sign @ "≤") => (Token::Sign("<="), sign.len()),
                Some(sign @ "≥") => (Token::Sign(">="), sign.len()),
                Some(sign @ "≠") => (Token::Sign("!="), sign.len()),
                Some(sign) => (Token::Sign(sign), sign.len()),
                None => {
                    let shown = other.escape_debug();
                    let what = format!("`{shown}` is not part of the rule language");
                    return Err(at_offset(text, at, what));
                }
            },
        };
        out.push((token, at));
        at += length;
    }
}

/// An error at a byte offset.
pub(super) fn at_offset(text: &str, at: usize, what: String) -> RuleError {
    let before = &text[..at.min(text.len())];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    RuleError::Text { line, column, what }
}
