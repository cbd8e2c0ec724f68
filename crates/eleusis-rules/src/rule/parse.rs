//! From text to tree, by recursive descent.
//!
//! Written by hand: one token decides how to go on, and each message names what was expected and the
//! token that was found. A parser library would replace the forty lines of the reader's lookahead
//! and bring its own plumbing for such messages.

use super::kind::checked;
use super::reader::{Parsed, Parser, Token};
use super::words::{
    COMPARISON, DEFAULT, Form, INFIX, NOT, attribute, beside, constant, forbidden, function,
    nearest,
};
use super::{Attr, Expr, Kind, Listed, Op, Part, RuleError};

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
                return p.operators(DEFAULT);
            }
            let test = p.expr()?;
            p.need("then")?;
            let yes = p.expr()?;
            let no = if p.take("else") { p.expr()? } else { p.made(at, Expr::Bool(true))? };
            let [yes, no] = beside([yes, no]);
            p.made(at, Expr::Op(Op::If, vec![test, yes, no]))
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
            let (part, inner) = self.part()?;
            parts.push((count, part, inner));
            if !self.take(",") {
                break;
            }
        }
        let period: u32 = parts.iter().map(|(count, ..)| u32::from(*count)).sum();
        if let Some(stated) = stated.filter(|stated| *stated != period) {
            let what = format!("the parts of this phase have {period} cards, not {stated}");
            return Err(self.fault(at, what));
        }
        self.made(at, Expr::Phase(parts))
    }

    /// One part of a phase. `same` and `other` speak of the first card where an attribute or
    /// parentheses follow and the part ends with it; in a longer test, of the last card.
    fn part(&mut self) -> Result<(Part, Expr), RuleError> {
        let part = match self.peek() {
            Token::Word("same") => Some(Part::Same),
            Token::Word("other") => Some(Part::Other),
            _ => None,
        };
        match (part, self.ahead(1), self.ahead(2)) {
            (
                Some(part),
                Token::Word(word),
                Token::End | Token::Sign("," | ")") | Token::Word("then" | "else"),
            ) if attribute(word).is_some() => {
                let at = self.offset();
                self.skip(1);
                let attr = self.attribute()?;
                Ok((part, self.made(at, attr)?))
            }
            (Some(part), Token::Sign("("), _) => {
                self.skip(2);
                let inner = self.expr()?;
                self.need(")")?;
                Ok((part, inner))
            }
            _ => Ok((Part::Test, self.deeper(|p| p.operators(DEFAULT))?)),
        }
    }

    /// A part and the operators behind it that bind at least so tightly (precedence climbing).
    fn operators(&mut self, least: u8) -> Parsed {
        let at = self.offset();
        // Behind an operator come none that bind more tightly: its right part would have them.
        let mut most = u8::MAX;
        let mut left = if least <= NOT && self.take("not") {
            most = NOT;
            let inner = self.deeper(|p| p.operators(NOT))?;
            self.made(at, Expr::Op(Op::Not, vec![inner]))?
        } else {
            self.signed()?
        };
        loop {
            let here = self.offset();
            let fits = |tight: u8| (least..=most).contains(&tight);
            if fits(COMPARISON) && (self.is("in") || self.is("not")) {
                left = self.membership(left)?;
                most = NOT;
                continue;
            }
            let found = INFIX.iter().find(|(word, tight, _)| fits(*tight) && self.is(word));
            let Some(&(_, tight, op)) = found else { return Ok(left) };
            self.skip(1);
            let right = self.operators(tight + 1)?;
            left = if op.arity().is_some() {
                self.joined(here, op, [left, right])?
            } else {
                let mut items = vec![left, right];
                while INFIX.iter().any(|(word, _, same)| *same == op && self.take(word)) {
                    items.push(self.operators(tight + 1)?);
                }
                self.made(at, Expr::Op(op, items))?
            };
            most = tight;
            if tight == COMPARISON {
                if INFIX.iter().any(|(word, other, _)| *other == tight && self.is(word)) {
                    return Err(self.expected("`and` (comparisons do not chain)"));
                }
                most = NOT;
            }
        }
    }

    /// Two parts and what stands between them.
    fn joined(&mut self, at: usize, op: Op, parts: [Expr; 2]) -> Parsed {
        let parts = if op == Op::Xor { parts } else { beside(parts) };
        self.made(at, Expr::Op(op, parts.into()))
    }

    /// `in` or `not in` and a list.
    fn membership(&mut self, left: Expr) -> Parsed {
        let at = self.offset();
        let negated = self.take("not");
        self.need("in")?;
        self.need("{")?;
        let list = self.constants("}")?;
        self.need("}")?;
        let member = self.made(at, Expr::Listed(Listed::In, left.into(), list))?;
        match negated {
            true => self.made(at, Expr::Op(Op::Not, vec![member])),
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
        self.made(at, Expr::Op(Op::Neg, vec![inner]))
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
        if let (Some(form), Token::Sign("(")) = (function(word), self.ahead(1)) {
            self.skip(2);
            return self.deeper(|p| p.call(form, at));
        }
        let compared = |op, attr: Expr| {
            let last = Expr::Was(1, attr.clone().into());
            Expr::Op(op, vec![attr, last])
        };
        let rank = || Expr::Attr(Attr::RANK);
        let found = match word {
            "last" | "previous" | "first" | "this" => {
                self.skip(1);
                if !self.is(".") {
                    return Err(self.expected("`.` and an attribute, as in `last.color`"));
                }
                let attr = self.dotted()?.into();
                let expr = match word {
                    "this" => Expr::This(attr),
                    "first" => Expr::At(1, attr),
                    _ => Expr::Was(1, attr),
                };
                return self.whole(at, expr);
            }
            "same" | "other" => {
                self.skip(1);
                let op = if word == "same" { Op::Eq } else { Op::Ne };
                let attr = self.attribute()?;
                return self.whole(at, compared(op, attr));
            }
            "higher" => Some(compared(Op::Gt, rank())),
            "lower" => Some(compared(Op::Lt, rank())),
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
        if function(word).is_some() {
            self.skip(1);
            return Err(self.expected("`(`"));
        }
        if forbidden(word) {
            let what = format!(
                "a rule may look at the accepted cards only, not at who plays, hands, wrong cards \
                 or time: `{word}` is not allowed"
            );
            return Err(self.fault(at, what));
        }
        if ["if", "phase"].contains(&word) {
            return Err(self.fault(at, format!("`{word}` stands in parentheses here")));
        }
        let mut what = format!("expected a test or a value, found {}", self.peek().shown());
        if let Some(near) = nearest(word) {
            what += &format!(" (did you mean `{near}`?)");
        }
        Err(self.fault(at, what))
    }

    fn attribute(&mut self) -> Parsed {
        if let Token::Word(word) = self.peek()
            && let Some(attr) = attribute(word)
        {
            self.skip(1);
            return Ok(Expr::Attr(attr));
        }
        Err(self.expected("an attribute of a card, such as `rank`, `suit` or `red`"))
    }

    fn dotted(&mut self) -> Parsed {
        self.need(".")?;
        self.attribute()
    }

    /// Constants, with or without commas, up to the closing sign, which stays.
    fn constants(&mut self, close: &'static str) -> Result<Vec<Expr>, RuleError> {
        let mut list = Vec::new();
        while !self.is(close) {
            let minus = self.take("-");
            let item = match self.peek() {
                Token::Number(n) => Expr::Num(if minus { -n } else { n }),
                Token::Word(word) if !minus => {
                    constant(word).ok_or_else(|| self.expected("a number, rank, suit or color"))?
                }
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

    /// So many expressions, or any number of them, with commas between.
    fn arguments(&mut self, count: Option<usize>) -> Result<Vec<Expr>, RuleError> {
        let mut items = vec![self.expr()?];
        while count.map_or_else(|| self.is(","), |count| items.len() < count) {
            self.need(",")?;
            items.push(self.expr()?);
        }
        Ok(items)
    }

    /// The arguments of a function; its name and `(` are taken.
    fn call(&mut self, form: Form, at: usize) -> Parsed {
        let made = match form {
            Form::Last | Form::Card => {
                let k = self.place()?;
                self.need(")")?;
                let attr = self.dotted()?.into();
                let make = if form == Form::Last { Expr::Was } else { Expr::At };
                return self.whole(at, make(k, attr));
            }
            Form::At => {
                let k = self.place()?;
                self.need(",")?;
                Expr::At(k, self.expr()?.into())
            }
            Form::Op(op) => Expr::Op(op, self.arguments(op.arity())?),
            Form::Cycle => Expr::Cycle(self.arguments(None)?),
            Form::Was => {
                let of = self.expr()?.into();
                Expr::Was(if self.take(",") { self.place()? } else { 1 }, of)
            }
            Form::Latest => {
                let test = self.expr()?.into();
                if !self.take(",") {
                    self.need(")")?;
                    let attr = self.dotted()?;
                    let attr = self.made(at, attr)?.into();
                    return self.made(at, Expr::Latest(test, attr));
                }
                Expr::Latest(test, self.expr()?.into())
            }
            Form::This => Expr::This(self.expr()?.into()),
            Form::Among => {
                let test = self.expr()?.into();
                self.need(",")?;
                Expr::Among(test, self.expr()?.into())
            }
            Form::Over(what) => {
                let of = self.expr()?.into();
                if !what.may_have_window() || !self.take(",") {
                    Expr::Over(what, of, None)
                } else if self.take("since") {
                    self.need("(")?;
                    let test = self.expr()?.into();
                    self.need(")")?;
                    Expr::OverSince(what, of, test)
                } else {
                    let what_for = "`since(…)` or the number of cards to look back on";
                    Expr::Over(what, of, Some(self.number(32, what_for)?))
                }
            }
            Form::Listed(what) => {
                let of = self.expr()?.into();
                self.need(",")?;
                Expr::Listed(what, of, self.constants(")")?)
            }
            Form::Letters(what) => {
                let of = self.expr()?.into();
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
                Expr::Letters(what, of, letters)
            }
        };
        self.need(")")?;
        self.made(at, made)
    }
}
