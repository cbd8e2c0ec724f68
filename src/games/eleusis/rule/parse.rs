//! From text to tree, by recursive descent.
//!
//! Written by hand: one token decides how to go on, and each message names what was expected and the
//! token that was found. A parser library would replace the forty lines of the reader's lookahead
//! and bring its own plumbing for such messages.

use super::ast::{Attr, Binary, Color, Expr, Part, Unary};
use super::error::RuleError;
use super::kind::{Kind, checked, kind};
use super::reader::{Parsed, Parser, Token};
use super::words::{
    COMPARISON, FUNCTIONS, Function, Join, LEVELS, NOT, SIGN, Then, attribute, constant,
    forbidden, nearest,
};

/// Reads a rule.
///
/// # Errors
/// Where the text stops being a rule and what was expected there; that it is too long or nested
/// too deeply; or what does not fit together.
pub fn parse(text: &str) -> Result<Expr, RuleError> {
    let mut parser = Parser::new(text)?;
    let start = parser.offset();
    let rule = parser.expr()?;
    if parser.peek() != Token::End {
        return Err(parser.expected("an operator or the end of the rule"));
    }
    let (kind, _) = checked(&rule, &mut parser.places.iter().copied())
        .map_err(|(at, what)| parser.fault(at, what))?;
    if kind != Kind::Bool {
        let what = format!("`{rule}` is {}; a test (yes or no) was expected", kind.word());
        return Err(parser.fault(start, what));
    }
    Ok(rule)
}

/// Choices, phases, operators.
impl Parser<'_> {
    /// `if`, `phase`, or operators.
    fn expr(&mut self) -> Parsed {
        self.deeper(|p| {
            let at = p.offset();
            if p.take("phase") {
                return p.phase(at);
            }
            if !p.take("if") {
                return p.level(0);
            }
            let test = p.expr()?;
            p.need("then")?;
            let yes = p.expr()?;
            let no = if p.take("else") { p.expr()? } else { p.made(at, Expr::Bool(true))? };
            p.made(at, Expr::If(test.into(), yes.into(), no.into()))
        })
    }

    fn phase(&mut self, at: usize) -> Parsed {
        let mut stated = None;
        if self.take("(") {
            stated = Some(u32::from(self.number(64, "the number of cards in the phase")?));
            self.need(")")?;
        }
        self.need(":")?;
        let mut parts = Vec::new();
        loop {
            let count = self.number(64, "how many cards")?;
            parts.push((count, self.part()?));
            if !self.take(",") {
                break;
            }
        }
        let period: u32 = parts.iter().map(|(count, _)| u32::from(*count)).sum();
        if let Some(stated) = stated.filter(|stated| *stated != period) {
            let what = format!("the parts of this phase have {period} cards, not {stated}");
            return Err(self.fault(at, what));
        }
        self.made(at, Expr::Phase(parts))
    }

    /// One part of a phase. `same` and `other` speak of the first card where an attribute or
    /// parentheses follow and the part ends with it; in a longer test, of the last card.
    fn part(&mut self) -> Result<Part, RuleError> {
        let at = self.offset();
        let make = match self.peek() {
            Token::Word("same") => Part::Same,
            Token::Word("other") => Part::Other,
            _ => return self.deeper(|p| p.level(0)).map(Part::Test),
        };
        match (self.ahead(1), self.ahead(2)) {
            (
                Token::Word(word),
                Token::End | Token::Sign("," | ")") | Token::Word("then" | "else"),
            ) if attribute(word).is_some() => {
                self.skip(1);
                let attr = self.attribute()?;
                self.made(at, attr).map(make)
            }
            (Token::Sign("("), _) => {
                self.skip(2);
                let inner = self.expr()?;
                self.need(")")?;
                Ok(make(inner))
            }
            _ => self.deeper(|p| p.level(0)).map(Part::Test),
        }
    }

    /// Operators of this level of tightness or a tighter one.
    fn level(&mut self, level: usize) -> Parsed {
        match level {
            NOT => return self.not(),
            SIGN => return self.signed(),
            _ => {}
        }
        let at = self.offset();
        let mut left = self.level(level + 1)?;
        if level == COMPARISON && matches!(self.peek(), Token::Word("in" | "not")) {
            return self.membership(left);
        }
        loop {
            let here = self.offset();
            let operator = |p: &mut Self| LEVELS[level].iter().find(|(word, _)| p.take(word));
            let Some((_, join)) = operator(self) else { return Ok(left) };
            let right = self.level(level + 1)?;
            left = match join {
                Join::Two(op) => self.joined(here, *op, left, right)?,
                Join::Many(make) => {
                    let mut items = vec![left, right];
                    while operator(self).is_some() {
                        items.push(self.level(level + 1)?);
                    }
                    self.made(at, make(items))?
                }
            };
            if level == COMPARISON && LEVELS[level].iter().any(|(sign, _)| self.is(sign)) {
                return Err(self.expected("`and` (comparisons do not chain)"));
            }
        }
    }

    /// Two parts and what stands between them. Beside a color, `red` and `black` are colors.
    fn joined(&mut self, at: usize, op: Binary, mut a: Expr, mut b: Expr) -> Parsed {
        let color = |of: &Expr, beside: &Expr| match of {
            Expr::Attr(Attr::Red) if kind(beside) == Ok(Kind::Color) => Some(Color::Red),
            Expr::Attr(Attr::Black) if kind(beside) == Ok(Kind::Color) => Some(Color::Black),
            _ => None,
        };
        if op != Binary::Xor {
            if let Some(color) = color(&a, &b) {
                a = Expr::Color(color);
            } else if let Some(color) = color(&b, &a) {
                b = Expr::Color(color);
            }
        }
        self.made(at, Expr::Binary(op, a.into(), b.into()))
    }

    fn not(&mut self) -> Parsed {
        let at = self.offset();
        if !self.take("not") {
            return self.level(NOT + 1);
        }
        let inner = self.deeper(Parser::not)?;
        self.made(at, Expr::Unary(Unary::Not, inner.into()))
    }

    /// `in` or `not in` and a list.
    fn membership(&mut self, left: Expr) -> Parsed {
        let at = self.offset();
        let negated = self.take("not");
        self.need("in")?;
        self.need("{")?;
        let list = self.constants("}")?;
        self.need("}")?;
        let member = self.made(at, Expr::In(left.into(), list))?;
        match negated {
            true => self.made(at, Expr::Unary(Unary::Not, member.into())),
            false => Ok(member),
        }
    }

    fn signed(&mut self) -> Parsed {
        let at = self.offset();
        if !self.take("-") {
            return self.primary();
        }
        if let Token::Number(n) = self.peek() {
            self.skip(1);
            return self.made(at, Expr::Num(-n));
        }
        let inner = self.deeper(Parser::signed)?;
        self.made(at, Expr::Unary(Unary::Neg, inner.into()))
    }
}

/// Numbers, constants, attributes, cards, functions.
impl Parser<'_> {
    fn primary(&mut self) -> Parsed {
        let at = self.offset();
        match self.peek() {
            Token::Number(n) => {
                self.skip(1);
                self.made(at, Expr::Num(n))
            }
            Token::Sign("(") => {
                self.skip(1);
                let inner = self.expr()?;
                self.need(")")?;
                Ok(inner)
            }
            Token::Word(word) => self.word(word, at),
            _ => Err(self.expected("a test or a value")),
        }
    }

    fn word(&mut self, word: &str, at: usize) -> Parsed {
        let function = FUNCTIONS.iter().find(|(name, _)| *name == word).map(|(_, f)| *f);
        if let (Some(function), Token::Sign("(")) = (function, self.ahead(1)) {
            self.skip(2);
            return self.deeper(|p| p.call(function, at));
        }
        let compared = |op, attr: Expr| {
            let last = Expr::Was(1, attr.clone().into());
            Expr::Binary(op, attr.into(), last.into())
        };
        let rank = || Expr::Attr(Attr::Rank);
        let found = match word {
            "last" | "previous" | "first" => {
                self.skip(1);
                if self.peek() != Token::Sign(".") {
                    return Err(self.expected("`.` and an attribute, as in `last.color`"));
                }
                let attr = self.dotted()?.into();
                let expr = if word == "first" { Expr::At(1, attr) } else { Expr::Was(1, attr) };
                return self.whole(at, expr);
            }
            "same" | "other" => {
                self.skip(1);
                let op = if word == "same" { Binary::Eq } else { Binary::Ne };
                let attr = self.attribute()?;
                return self.whole(at, compared(op, attr));
            }
            "higher" => Some(compared(Binary::Gt, rank())),
            "lower" => Some(compared(Binary::Lt, rank())),
            "n" | "length" => Some(Expr::Length),
            "true" | "anything" => Some(Expr::Bool(true)),
            "false" | "nothing" => Some(Expr::Bool(false)),
            // `red` and `black` are tests here; beside a color they become colors.
            _ => attribute(word).map(Expr::Attr).or_else(|| constant(word)),
        };
        if let Some(expr) = found {
            self.skip(1);
            return self.whole(at, expr);
        }
        if forbidden(word) {
            let what = format!(
                "a rule may look at the accepted cards only, not at who plays, hands, wrong cards \
                 or time: `{word}` is not allowed"
            );
            return Err(self.fault(at, what));
        }
        if function.is_some() {
            self.skip(1);
            return Err(self.expected("`(`"));
        }
        let mut what = format!("expected a test or a value, found {}", self.peek().shown());
        if let Some(near) = nearest(word) {
            what += &format!(" (did you mean `{near}`?)");
        }
        Err(self.fault(at, what))
    }

    fn attribute(&mut self) -> Result<Expr, RuleError> {
        let found = match self.peek() {
            Token::Word(word) => attribute(word),
            _ => None,
        };
        let Some(attr) = found else {
            return Err(self.expected("an attribute of a card, such as `rank`, `suit` or `red`"));
        };
        self.skip(1);
        Ok(Expr::Attr(attr))
    }

    fn dotted(&mut self) -> Result<Expr, RuleError> {
        self.need(".")?;
        self.attribute()
    }

    /// Constants, with or without commas, up to the closing sign, which stays.
    fn constants(&mut self, close: &'static str) -> Result<Vec<Expr>, RuleError> {
        let mut list = Vec::new();
        while self.peek() != Token::Sign(close) {
            let minus = self.take("-");
            let item = match self.peek() {
                Token::Number(n) => Expr::Num(if minus { -n } else { n }),
                Token::Word(word) if !minus => constant(word)
                    .ok_or_else(|| self.expected("a number, rank, suit or color"))?,
                _ => return Err(self.expected(&format!("a constant or `{close}`"))),
            };
            self.skip(1);
            list.push(item);
            self.take(",");
        }
        Ok(list)
    }

    fn place(&mut self) -> Result<u8, RuleError> {
        self.number(64, "a place")
    }

    /// The arguments of a function; its name and `(` are taken.
    fn call(&mut self, function: Function, at: usize) -> Parsed {
        let made = match function {
            Function::Card(make) => {
                let k = self.place()?;
                self.need(")")?;
                let attr = self.dotted()?;
                return self.whole(at, make(k, attr.into()));
            }
            Function::At => {
                let k = self.place()?;
                self.need(",")?;
                Expr::At(k, self.expr()?.into())
            }
            Function::Of(then) => {
                let first = self.expr()?.into();
                match then {
                    Then::Value(make) if self.peek() != Token::Sign(",") => {
                        self.need(")")?;
                        let attr = self.dotted()?;
                        let attr = self.made(at, attr)?;
                        return self.made(at, make(first, attr.into()));
                    }
                    then => self.rest(first, then)?,
                }
            }
        };
        self.need(")")?;
        self.made(at, made)
    }

    /// What follows the first argument of a function, up to the last `)`.
    fn rest(&mut self, first: Box<Expr>, then: Then) -> Parsed {
        Ok(match then {
            Then::End(make) => make(first),
            Then::Place(make) => make(if self.take(",") { self.place()? } else { 1 }, first),
            Then::Value(make) => {
                self.need(",")?;
                make(first, self.expr()?.into())
            }
            Then::Second(op) => {
                self.need(",")?;
                Expr::Binary(op, first, self.expr()?.into())
            }
            Then::Window(what) => {
                let window = match self.take(",") {
                    true => Some(self.number(32, "the number of cards to look back on")?),
                    false => None,
                };
                Expr::Over(what, first, window)
            }
            Then::More(make) => {
                let mut items = vec![*first];
                while self.take(",") {
                    items.push(self.expr()?);
                }
                make(items)
            }
            Then::Order(make) => {
                self.need(",")?;
                make(first, self.constants(")")?)
            }
            Then::Letters(make) => {
                self.need(",")?;
                let capitals = |w: &str| w.len() <= 16 && w.bytes().all(|b| b.is_ascii_uppercase());
                let letters = match self.peek() {
                    Token::Word(letters) if capitals(letters) => letters.as_bytes().to_vec(),
                    _ => {
                        let what = "1 to 16 capital letters, as in `AABB`; X is any value";
                        return Err(self.expected(what));
                    }
                };
                self.skip(1);
                make(first, letters)
            }
        })
    }
}
