//! Reading numbers, constants, attributes, cards and what is made of them.

use super::parse::{Parsed, Parser};
use super::token::Token;
use super::words::{FUNCTIONS, attribute, constant, forbidden, nearest};
use super::{Attr, Binary, Color, Expr, Kind, RuleError, Unary, kind};

impl Parser<'_> {
    /// Constants, with or without commas, up to the closing sign.
    pub(super) fn constants(&mut self, close: &str) -> Result<Vec<Expr>, RuleError> {
        let mut list = Vec::new();
        while !self.take_sign(close) {
            let minus = self.take_sign("-");
            let item = match self.peek() {
                Token::Number(n) => Expr::Num(if minus { -n } else { *n }),
                Token::Word(word) if !minus => match constant(word) {
                    Some(constant) => constant,
                    None => return Err(self.expected("a number, rank, suit or color")),
                },
                _ => return Err(self.expected(&format!("a constant or `{close}`"))),
            };
            self.skip();
            list.push(item);
            self.take_sign(",");
        }
        Ok(list)
    }

    pub(super) fn sum(&mut self) -> Parsed {
        let mut left = self.product()?;
        loop {
            let at = self.offset();
            let op = match self.peek() {
                Token::Sign("+") => Binary::Add,
                Token::Sign("-") => Binary::Sub,
                _ => return Ok(left),
            };
            self.skip();
            let right = self.product()?;
            left = self.checked(Expr::Binary(op, left.into(), right.into()), at)?;
        }
    }

    pub(super) fn product(&mut self) -> Parsed {
        let mut left = self.unary()?;
        loop {
            let at = self.offset();
            let op = match self.peek() {
                Token::Sign("*") => Binary::Mul,
                Token::Sign("/") => Binary::Div,
                Token::Sign("%") => Binary::Mod,
                Token::Word(w) if w == "mod" => Binary::Mod,
                _ => return Ok(left),
            };
            self.skip();
            let right = self.unary()?;
            left = self.checked(Expr::Binary(op, left.into(), right.into()), at)?;
        }
    }

    pub(super) fn unary(&mut self) -> Parsed {
        let at = self.offset();
        if self.take_sign("-") {
            if let Token::Number(n) = *self.peek() {
                self.skip();
                return Ok(Expr::Num(-n));
            }
            let inner = self.deeper(Parser::unary)?;
            return self.checked(Expr::Unary(Unary::Neg, inner.into()), at);
        }
        self.primary()
    }

    pub(super) fn primary(&mut self) -> Parsed {
        let at = self.offset();
        match self.peek().clone() {
            Token::Number(n) => {
                self.skip();
                Ok(Expr::Num(n))
            }
            Token::Sign("(") => {
                self.skip();
                let inner = self.expr()?;
                self.need_sign(")")?;
                Ok(inner)
            }
            Token::Word(word) => self.word(&word, at),
            _ => Err(self.expected("a test or a value")),
        }
    }

    pub(super) fn word(&mut self, word: &str, at: usize) -> Parsed {
        let call = matches!(self.peek_second(), Token::Sign("("));
        let function = FUNCTIONS.iter().find(|(name, _)| *name == word).map(|(_, f)| *f);
        if let (Some(function), true) = (function, call) {
            self.skip();
            self.skip();
            return self.deeper(|p| p.call(function, at));
        }
        let dotted = matches!(self.peek_second(), Token::Sign("."));
        match word {
            "last" | "previous" if dotted => return self.dotted(|e| Expr::Was(1, e), at),
            "first" if dotted => return self.dotted(|e| Expr::At(1, e), at),
            "last" | "previous" | "first" => {
                self.skip();
                return Err(self.expected("`.` and an attribute, as in `last.color`"));
            }
            "same" | "other" => {
                self.skip();
                let attr = self.attribute()?;
                let attr = Expr::Attr(attr);
                let last = Expr::Was(1, attr.clone().into());
                let op = if word == "same" { Binary::Eq } else { Binary::Ne };
                return Ok(Expr::Binary(op, attr.into(), last.into()));
            }
            "higher" | "lower" => {
                self.skip();
                let rank = Expr::Attr(Attr::Rank);
                let last = Expr::Was(1, rank.clone().into());
                let op = if word == "higher" { Binary::Gt } else { Binary::Lt };
                return Ok(Expr::Binary(op, rank.into(), last.into()));
            }
            _ => {}
        }
        let found = match word {
            "n" | "length" => Some(Expr::Length),
            "true" | "anything" => Some(Expr::Bool(true)),
            "false" | "nothing" => Some(Expr::Bool(false)),
            // `red` and `black` are tests here; beside a color they become colors.
            _ => attribute(word).map(Expr::Attr).or_else(|| constant(word)),
        };
        if let Some(expr) = found {
            self.skip();
            return Ok(expr);
        }
        if forbidden(word) {
            let what = format!(
                "a rule may look at the accepted cards only, not at who plays, hands, wrong cards \
                 or time: `{word}` is not allowed"
            );
            return Err(self.fault(at, what));
        }
        if function.is_some() {
            self.skip();
            return Err(self.expected("`(`"));
        }
        let mut what = format!("expected a test or a value, found {}", self.peek().shown());
        if let Some(near) = nearest(word) {
            what += &format!(" (did you mean `{near}`?)");
        }
        Err(self.fault(at, what))
    }

    pub(super) fn attribute(&mut self) -> Result<Attr, RuleError> {
        let attr = match self.peek() {
            Token::Word(word) => attribute(word),
            _ => None,
        };
        match attr {
            Some(attr) => {
                self.skip();
                Ok(attr)
            }
            None => Err(self.expected("an attribute of a card, such as `rank`, `suit` or `red`")),
        }
    }

    pub(super) fn dotted(&mut self, make: impl FnOnce(Box<Expr>) -> Expr, at: usize) -> Parsed {
        self.skip();
        self.need_sign(".")?;
        let attr = self.attribute()?;
        self.checked(make(Expr::Attr(attr).into()), at)
    }
}

/// Beside a color, `red` and `black` are colors.
pub(super) fn colored(left: Expr, right: Expr) -> (Expr, Expr) {
    let is_color = |e: &Expr| kind(e) == Ok(Kind::Color);
    let as_color = |e: Expr| match e {
        Expr::Attr(Attr::Red) => Expr::Color(Color::Red),
        Expr::Attr(Attr::Black) => Expr::Color(Color::Black),
        other => other,
    };
    match (is_color(&left), is_color(&right)) {
        (true, false) => (left, as_color(right)),
        (false, true) => (as_color(left), right),
        _ => (left, right),
    }
}
