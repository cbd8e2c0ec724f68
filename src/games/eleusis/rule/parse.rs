//! From text to tree, by recursive descent.

use super::token::{Token, at_offset, tokens};
use super::{Expr, Kind, RuleError, kind};

/// No rule is nested deeper, in its text or in its tree.
pub const MAX_DEPTH: usize = 64;

/// Reads a rule.
///
/// # Errors
/// Where the text stops being a rule and what was expected there; that it is too long or nested
/// too deeply; or what does not fit together.
pub fn parse(text: &str) -> Result<Expr, RuleError> {
    let mut parser = Parser { text, tokens: tokens(text)?, at: 0, depth: 0 };
    let start = parser.offset();
    let rule = parser.expr()?;
    if *parser.peek() != Token::End {
        return Err(parser.expected("an operator or the end of the rule"));
    }
    parser.test(&rule, start)?;
    Ok(rule)
}

pub(super) type Parsed = Result<Expr, RuleError>;

pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: Vec<(Token, usize)>,
    pub(super) at: usize,
    pub(super) depth: usize,
}

impl Parser<'_> {
    pub(super) fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    pub(super) fn peek_second(&self) -> &Token {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].0
    }

    pub(super) fn offset(&self) -> usize {
        self.tokens[self.at].1
    }

    pub(super) fn skip(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    pub(super) fn fault(&self, at: usize, what: impl Into<String>) -> RuleError {
        at_offset(self.text, at, what.into())
    }

    pub(super) fn expected(&self, what: &str) -> RuleError {
        self.fault(self.offset(), format!("expected {what}, found {}", self.peek().shown()))
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(w) if w == word)
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let there = self.is_word(word);
        if there {
            self.skip();
        }
        there
    }

    pub(super) fn take_sign(&mut self, sign: &str) -> bool {
        let there = matches!(self.peek(), Token::Sign(s) if *s == sign);
        if there {
            self.skip();
        }
        there
    }

    pub(super) fn need_sign(&mut self, sign: &str) -> Result<(), RuleError> {
        if self.take_sign(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}`"))) }
    }

    pub(super) fn need_word(&mut self, word: &str) -> Result<(), RuleError> {
        if self.take_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    pub(super) fn number(&mut self, low: i32, high: i32, what: &str) -> Result<i32, RuleError> {
        match *self.peek() {
            Token::Number(n) if (low..=high).contains(&n) => {
                self.skip();
                Ok(n)
            }
            _ => Err(self.expected(&format!("{what} ({low} to {high})"))),
        }
    }

    /// Checks a new node: that its parts fit and that it is not too deep.
    pub(super) fn checked(&self, expr: Expr, at: usize) -> Parsed {
        if expr.depth() > MAX_DEPTH {
            return Err(self.too_deep());
        }
        match kind(&expr) {
            Ok(_) => Ok(expr),
            Err(what) => Err(self.fault(at, what)),
        }
    }

    pub(super) fn test(&self, expr: &Expr, at: usize) -> Result<(), RuleError> {
        match kind(expr) {
            Ok(Kind::Bool) => Ok(()),
            Ok(other) => {
                let what = format!("`{expr}` is {}; a test (yes or no) was expected", other.word());
                Err(self.fault(at, what))
            }
            Err(what) => Err(self.fault(at, what)),
        }
    }

    pub(super) fn too_deep(&self) -> RuleError {
        let what = format!("nested too deeply: at most {MAX_DEPTH} levels");
        self.fault(self.offset(), what)
    }

    pub(super) fn deeper<T>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<T, RuleError>,
    ) -> Result<T, RuleError> {
        if self.depth >= MAX_DEPTH {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }
}
