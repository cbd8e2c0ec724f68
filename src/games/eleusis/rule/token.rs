//! The words and signs of a rule's text.

use super::RuleError;

/// No rule's text is longer, in bytes.
pub const MAX_TEXT: usize = 4096;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    Number(i32),
    Word(String),
    Sign(&'static str),
    End,
}

impl Token {
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
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, usize)>, RuleError> {
    if text.len() > MAX_TEXT {
        let what = format!(
            "the rule is {} bytes long; a rule has at most {MAX_TEXT}: say it shorter",
            text.len()
        );
        return Err(RuleError::Large(what));
    }
    let mut out = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let at = text.len() - rest.len();
        let Some(first) = rest.chars().next() else {
            out.push((Token::End, at));
            return Ok(out);
        };
        let length = if first.is_ascii_digit() {
            let length = span(rest, |c| c.is_ascii_digit());
            let number = rest[..length].parse::<i32>().ok().filter(|n| *n <= 9999);
            let Some(number) = number else {
                return Err(at_offset(text, at, "a number is at most 9999".to_owned()));
            };
            out.push((Token::Number(number), at));
            length
        } else if first.is_ascii_alphabetic() || first == '_' {
            let length = span(rest, |c| c.is_ascii_alphanumeric() || c == '_');
            out.push((Token::Word(rest[..length].to_owned()), at));
            length
        } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            let plain = match sign {
                "=" => "==",
                "≤" => "<=",
                "≥" => ">=",
                "≠" => "!=",
                other => other,
            };
            out.push((Token::Sign(plain), at));
            sign.len()
        } else {
            let what = format!("`{}` is not part of the rule language", first.escape_debug());
            return Err(at_offset(text, at, what));
        };
        rest = &rest[length..];
    }
}

fn span(text: &str, ok: impl Fn(char) -> bool) -> usize {
    text.find(|c| !ok(c)).unwrap_or(text.len())
}

/// An error at a byte offset.
pub(super) fn at_offset(text: &str, at: usize, what: String) -> RuleError {
    let before = &text[..at.min(text.len())];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    RuleError::Text { line, column, what }
}
