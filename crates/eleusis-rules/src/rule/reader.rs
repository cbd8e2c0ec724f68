//! A rule's text, read token by token, and what is made of it; what can be wrong
//! with a rule.

use super::kind::TOO_DEEP;
use super::{Expr, MAX_DEPTH};

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
fn tokens(text: &str) -> Result<Vec<(Token<'_>, usize)>, RuleError> {
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
fn at_offset(text: &str, at: usize, what: String) -> RuleError {
    let before = &text[..at.min(text.len())];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    RuleError::Text { line, column, what }
}

/// A text in the reading.
pub(super) struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(Token<'a>, usize)>,
    at: usize,
    /// How many levels deep the reading is.
    depth: usize,
    /// Where each part made so far stands in the text, each after its own parts.
    pub places: Vec<usize>,
}

pub(super) type Parsed = Result<Expr, RuleError>;

impl<'a> Parser<'a> {
    pub fn new(text: &'a str) -> Result<Parser<'a>, RuleError> {
        Ok(Parser { text, tokens: tokens(text)?, at: 0, depth: 0, places: Vec::new() })
    }

    /// The token so many places ahead.
    pub fn ahead(&self, places: usize) -> Token<'a> {
        self.tokens[(self.at + places).min(self.tokens.len() - 1)].0
    }

    pub fn peek(&self) -> Token<'a> {
        self.ahead(0)
    }

    pub fn offset(&self) -> usize {
        self.tokens[self.at].1
    }

    pub fn skip(&mut self, places: usize) {
        self.at = (self.at + places).min(self.tokens.len() - 1);
    }

    pub fn fault(&self, at: usize, what: impl Into<String>) -> RuleError {
        at_offset(self.text, at, what.into())
    }

    pub fn expected(&self, what: &str) -> RuleError {
        self.fault(self.offset(), format!("expected {what}, found {}", self.peek().shown()))
    }

    /// Whether this word or sign stands here.
    pub fn is(&self, wanted: &str) -> bool {
        matches!(self.peek(), Token::Word(found) | Token::Sign(found) if found == wanted)
    }

    /// Whether it stands here; then it is passed over.
    pub fn take(&mut self, wanted: &str) -> bool {
        let there = self.is(wanted);
        self.skip(usize::from(there));
        there
    }

    pub fn need(&mut self, wanted: &str) -> Result<(), RuleError> {
        if self.take(wanted) { Ok(()) } else { Err(self.expected(&format!("`{wanted}`"))) }
    }

    pub fn number(&mut self, most: i32, what: &str) -> Result<u8, RuleError> {
        match self.peek() {
            Token::Number(n) if (1..=most).contains(&n) => {
                self.skip(1);
                Ok(n as u8)
            }
            _ => Err(self.expected(&format!("{what} (1 to {most})"))),
        }
    }

    pub fn deeper(&mut self, inner: impl FnOnce(&mut Self) -> Parsed) -> Parsed {
        if self.depth >= MAX_DEPTH {
            return Err(self.fault(self.offset(), TOO_DEEP));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// An expression made at this place of parts that were made before.
    pub fn made(&mut self, at: usize, expr: Expr) -> Parsed {
        self.places.push(at);
        Ok(expr)
    }

    /// The same with parts that stand at the same place.
    pub fn whole(&mut self, at: usize, expr: Expr) -> Parsed {
        for child in expr.children() {
            self.whole(at, child.clone())?;
        }
        self.made(at, expr)
    }
}

/// Why a text is not a rule, or a rule cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RuleError {
    /// The text is not in the language.
    #[error("line {line}, column {column}: {what}")]
    Text {
        /// Counted from 1.
        line: usize,
        /// Counted from 1, in characters.
        column: usize,
        /// What was found and what was expected.
        what: String,
    },
    /// The text or the tree is too large.
    #[error("{0}")]
    Large(String),
    /// The parts do not fit together.
    #[error("{0}")]
    Kind(String),
    /// The rule can be read but not played.
    #[error("{0}")]
    Unusable(String),
}
