//! Reading choices, phases, connectives and comparisons.

use super::parse::{Parsed, Parser};
use super::terms::colored;
use super::token::Token;
use super::words::attribute;
use super::{Binary, Expr, Part, Unary};

impl Parser<'_> {
    /// `if`, `phase`, or operators.
    pub(super) fn expr(&mut self) -> Parsed {
        self.deeper(|p| {
            let at = p.offset();
            if p.take_word("if") {
                let test = p.expr()?;
                p.need_word("then")?;
                let yes = p.expr()?;
                let no = if p.take_word("else") { p.expr()? } else { Expr::Bool(true) };
                return p.checked(Expr::If(test.into(), yes.into(), no.into()), at);
            }
            if p.take_word("phase") {
                return p.phase(at);
            }
            p.default()
        })
    }

    pub(super) fn phase(&mut self, at: usize) -> Parsed {
        let stated = if self.take_sign("(") {
            let period = self.number(1, 64, "the number of cards in the phase")?;
            self.need_sign(")")?;
            Some(period)
        } else {
            None
        };
        self.need_sign(":")?;
        let mut parts = Vec::new();
        loop {
            let count = self.number(1, 64, "how many cards")? as u8;
            let same = self.is_word("same");
            let next = self.tokens.get(self.at + 1).map(|t| t.0.clone());
            let alone = match self.tokens.get(self.at + 2).map(|t| &t.0) {
                Some(Token::End | Token::Sign("," | ")")) | None => true,
                Some(Token::Word(word)) => word == "then" || word == "else",
                _ => false,
            };
            let attr = match next {
                Some(Token::Word(word)) if alone && (same || self.is_word("other")) => {
                    attribute(&word)
                }
                _ => None,
            };
            let part = if let Some(attr) = attr {
                self.skip();
                self.skip();
                if same { Part::Same(Expr::Attr(attr)) } else { Part::Other(Expr::Attr(attr)) }
            } else if (same || self.is_word("other"))
                && matches!(self.peek_second(), Token::Sign("("))
            {
                self.skip();
                self.skip();
                let inner = self.expr()?;
                self.need_sign(")")?;
                if same { Part::Same(inner) } else { Part::Other(inner) }
            } else {
                Part::Test(self.deeper(|p| p.default())?)
            };
            parts.push((count, part));
            if !self.take_sign(",") {
                break;
            }
        }
        let period: i32 = parts.iter().map(|(count, _)| i32::from(*count)).sum();
        if let Some(stated) = stated.filter(|stated| *stated != period) {
            let what = format!("the parts of this phase have {period} cards, not {stated}");
            return Err(self.fault(at, what));
        }
        self.checked(Expr::Phase(parts), at)
    }

    pub(super) fn default(&mut self) -> Parsed {
        let mut left = self.or()?;
        loop {
            let at = self.offset();
            if !self.take_sign("??") {
                return Ok(left);
            }
            let right = self.or()?;
            let (a, b) = colored(left, right);
            left = self.checked(Expr::Binary(Binary::Default, a.into(), b.into()), at)?;
        }
    }

    pub(super) fn or(&mut self) -> Parsed {
        self.chain(|p| p.take_word("or") || p.take_sign("|"), Parser::xor, Expr::Any)
    }

    pub(super) fn xor(&mut self) -> Parsed {
        let mut left = self.and()?;
        loop {
            let at = self.offset();
            if !self.take_word("xor") {
                return Ok(left);
            }
            let right = self.and()?;
            left = self.checked(Expr::Binary(Binary::Xor, left.into(), right.into()), at)?;
        }
    }

    pub(super) fn and(&mut self) -> Parsed {
        self.chain(|p| p.take_word("and") || p.take_sign("&"), Parser::not, Expr::All)
    }

    pub(super) fn chain(
        &mut self,
        joined: impl Fn(&mut Self) -> bool,
        part: impl Fn(&mut Self) -> Parsed,
        make: impl Fn(Vec<Expr>) -> Expr,
    ) -> Parsed {
        let at = self.offset();
        let mut items = vec![part(self)?];
        while joined(self) {
            items.push(part(self)?);
        }
        match items.len() {
            1 => Ok(items.swap_remove(0)),
            _ => self.checked(make(items), at),
        }
    }

    pub(super) fn not(&mut self) -> Parsed {
        let at = self.offset();
        if self.take_word("not") {
            let inner = self.deeper(Parser::not)?;
            return self.checked(Expr::Unary(Unary::Not, inner.into()), at);
        }
        self.comparison()
    }

    pub(super) fn comparison(&mut self) -> Parsed {
        let left = self.sum()?;
        let at = self.offset();
        let op = match self.peek() {
            Token::Sign("==") => Binary::Eq,
            Token::Sign("!=") => Binary::Ne,
            Token::Sign("<") => Binary::Lt,
            Token::Sign("<=") => Binary::Le,
            Token::Sign(">") => Binary::Gt,
            Token::Sign(">=") => Binary::Ge,
            Token::Word(w) if w == "in" => {
                self.skip();
                return self.membership(left, at);
            }
            Token::Word(w) if w == "not" => {
                self.skip();
                self.need_word("in")?;
                let inner = self.membership(left, at)?;
                return Ok(Expr::Unary(Unary::Not, inner.into()));
            }
            _ => return Ok(left),
        };
        self.skip();
        let right = self.sum()?;
        if let Token::Sign("==" | "!=" | "<" | "<=" | ">" | ">=") = self.peek() {
            return Err(self.expected("`and` (comparisons do not chain)"));
        }
        let (left, right) = colored(left, right);
        self.checked(Expr::Binary(op, left.into(), right.into()), at)
    }

    pub(super) fn membership(&mut self, left: Expr, at: usize) -> Parsed {
        self.need_sign("{")?;
        let list = self.constants("}")?;
        self.checked(Expr::In(left.into(), list), at)
    }
}
