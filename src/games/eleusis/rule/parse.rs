//! From text to tree, by recursive descent.
//!
//! Written by hand: each message names what was expected here and the token that was found, each
//! part is checked for its kind as soon as it stands, and one token decides how to go on, so that a
//! parser library would save little.

use super::ast::{Attr, Binary, Color, Expr, Part, Unary};
use super::error::RuleError;
use super::kind::{Kind, kind, kind_of};
use super::token::{Token, at_offset, tokens};
use super::words::{FUNCTIONS, Function, Then, attribute, constant, forbidden, nearest};

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
    if parser.peek() != Token::End {
        return Err(parser.expected("an operator or the end of the rule"));
    }
    if rule.kind != Kind::Bool {
        let (expr, word) = (&rule.expr, rule.kind.word());
        let what = format!("`{expr}` is {word}; a test (yes or no) was expected");
        return Err(parser.fault(start, what));
    }
    Ok(rule.expr)
}

/// An expression with what was found out about it when it was made.
struct Typed {
    expr: Expr,
    kind: Kind,
    depth: usize,
}

type Parsed = Result<Typed, RuleError>;

/// What an operator makes of its two or more parts.
enum Join {
    Two(Binary),
    All,
    Any,
}

/// The operators that group to the left, loosest first. The levels left empty have rules of their
/// own: `not`, comparisons, and the sign of a number.
const LEVELS: [&[(&str, Join)]; 9] = [
    &[("??", Join::Two(Binary::Default))],
    &[("or", Join::Any), ("|", Join::Any)],
    &[("xor", Join::Two(Binary::Xor))],
    &[("and", Join::All), ("&", Join::All)],
    &[],
    &[],
    &[("+", Join::Two(Binary::Add)), ("-", Join::Two(Binary::Sub))],
    &[
        ("*", Join::Two(Binary::Mul)),
        ("/", Join::Two(Binary::Div)),
        ("%", Join::Two(Binary::Mod)),
        ("mod", Join::Two(Binary::Mod)),
    ],
    &[],
];
const NOT: usize = 4;
const COMPARISON: usize = 5;
const SUM: usize = 6;
const SIGN: usize = 8;

const COMPARISONS: [(&str, Binary); 6] = [
    ("==", Binary::Eq),
    ("!=", Binary::Ne),
    ("<", Binary::Lt),
    ("<=", Binary::Le),
    (">", Binary::Gt),
    (">=", Binary::Ge),
];

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(Token<'a>, usize)>,
    at: usize,
    depth: usize,
}

/// Tokens and errors.
impl<'a> Parser<'a> {
    /// The token so many places ahead.
    fn ahead(&self, places: usize) -> Token<'a> {
        self.tokens[(self.at + places).min(self.tokens.len() - 1)].0
    }

    fn peek(&self) -> Token<'a> {
        self.ahead(0)
    }

    fn offset(&self) -> usize {
        self.tokens[self.at].1
    }

    fn skip(&mut self, places: usize) {
        self.at = (self.at + places).min(self.tokens.len() - 1);
    }

    fn fault(&self, at: usize, what: impl Into<String>) -> RuleError {
        at_offset(self.text, at, what.into())
    }

    fn expected(&self, what: &str) -> RuleError {
        self.fault(self.offset(), format!("expected {what}, found {}", self.peek().shown()))
    }

    /// Whether this word or sign stands here; then it is passed over.
    fn take(&mut self, wanted: &str) -> bool {
        let there = matches!(self.peek(), Token::Word(found) | Token::Sign(found) if found == wanted);
        self.skip(usize::from(there));
        there
    }

    fn need(&mut self, wanted: &str) -> Result<(), RuleError> {
        if self.take(wanted) { Ok(()) } else { Err(self.expected(&format!("`{wanted}`"))) }
    }

    fn number(&mut self, most: i32, what: &str) -> Result<u8, RuleError> {
        match self.peek() {
            Token::Number(n) if (1..=most).contains(&n) => {
                self.skip(1);
                Ok(n as u8)
            }
            _ => Err(self.expected(&format!("{what} (1 to {most})"))),
        }
    }

    fn too_deep(&self) -> RuleError {
        self.fault(self.offset(), format!("nested too deeply: at most {MAX_DEPTH} levels"))
    }

    fn deeper<T>(
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

    /// A new expression, if its parts fit and it is not too deep: these are their kinds and depths,
    /// in the order of its [children](Expr::children).
    fn made(&self, at: usize, expr: Expr, parts: &[(Kind, usize)]) -> Parsed {
        let depth = 1 + parts.iter().map(|(_, depth)| *depth).max().unwrap_or(0);
        if depth > MAX_DEPTH {
            return Err(self.too_deep());
        }
        let kinds: Vec<Kind> = parts.iter().map(|(kind, _)| *kind).collect();
        let kind = kind_of(&expr, &kinds).map_err(|what| self.fault(at, what))?;
        Ok(Typed { expr, kind, depth })
    }

    /// One expression made of another.
    fn of_one(&self, at: usize, a: Typed, make: impl FnOnce(Box<Expr>) -> Expr) -> Parsed {
        self.made(at, make(a.expr.into()), &[(a.kind, a.depth)])
    }

    /// One expression made of two others.
    fn of_two(
        &self,
        at: usize,
        [a, b]: [Typed; 2],
        make: impl FnOnce(Box<Expr>, Box<Expr>) -> Expr,
    ) -> Parsed {
        let parts = [(a.kind, a.depth), (b.kind, b.depth)];
        self.made(at, make(a.expr.into(), b.expr.into()), &parts)
    }

    /// One expression made of any number of others.
    fn of_many(&self, at: usize, items: Vec<Typed>, make: impl FnOnce(Vec<Expr>) -> Expr) -> Parsed {
        let parts: Vec<_> = items.iter().map(|item| (item.kind, item.depth)).collect();
        self.made(at, make(items.into_iter().map(|item| item.expr).collect()), &parts)
    }

    /// A small expression without parts that were read.
    fn leaf(&self, at: usize, expr: Expr) -> Parsed {
        let kind = kind(&expr).map_err(|what| self.fault(at, what))?;
        Ok(Typed { kind, depth: expr.depth(), expr })
    }
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
            let no = if p.take("else") { p.expr()? } else { p.leaf(at, Expr::Bool(true))? };
            let parts = [&test, &yes, &no].map(|part| (part.kind, part.depth));
            let expr = Expr::If(test.expr.into(), yes.expr.into(), no.expr.into());
            p.made(at, expr, &parts)
        })
    }

    fn phase(&mut self, at: usize) -> Parsed {
        let mut stated = None;
        if self.take("(") {
            stated = Some(u32::from(self.number(64, "the number of cards in the phase")?));
            self.need(")")?;
        }
        self.need(":")?;
        let (mut parts, mut traits) = (Vec::new(), Vec::new());
        loop {
            let count = self.number(64, "how many cards")?;
            let (part, inner) = self.part()?;
            traits.push((inner.kind, inner.depth));
            parts.push((count, part(inner.expr)));
            if !self.take(",") {
                break;
            }
        }
        let period: u32 = parts.iter().map(|(count, _)| u32::from(*count)).sum();
        if let Some(stated) = stated.filter(|stated| *stated != period) {
            let what = format!("the parts of this phase have {period} cards, not {stated}");
            return Err(self.fault(at, what));
        }
        self.made(at, Expr::Phase(parts), &traits)
    }

    /// One part of a phase. `same` and `other` speak of the first card where an attribute or
    /// parentheses follow and the part ends with it; in a longer test, of the last card.
    fn part(&mut self) -> Result<(fn(Expr) -> Part, Typed), RuleError> {
        let make: fn(Expr) -> Part = match self.peek() {
            Token::Word("same") => Part::Same,
            Token::Word("other") => Part::Other,
            _ => Part::Test,
        };
        let at = self.offset();
        match (self.peek(), self.ahead(1), self.ahead(2)) {
            (
                Token::Word("same" | "other"),
                Token::Word(word),
                Token::End | Token::Sign("," | ")") | Token::Word("then" | "else"),
            ) if attribute(word).is_some() => {
                self.skip(1);
                let attr = self.attribute()?;
                Ok((make, self.leaf(at, attr)?))
            }
            (Token::Word("same" | "other"), Token::Sign("("), _) => {
                self.skip(2);
                let inner = self.expr()?;
                self.need(")")?;
                Ok((make, inner))
            }
            _ => Ok((Part::Test, self.deeper(|p| p.level(0))?)),
        }
    }

    /// Operators of this level of tightness or a tighter one.
    fn level(&mut self, level: usize) -> Parsed {
        match level {
            NOT => return self.not(),
            COMPARISON => return self.comparison(),
            SIGN => return self.signed(),
            _ => {}
        }
        let at = self.offset();
        let mut left = self.level(level + 1)?;
        loop {
            let here = self.offset();
            let operator = |p: &mut Self| LEVELS[level].iter().find(|(word, _)| p.take(word));
            let Some((_, join)) = operator(self) else { return Ok(left) };
            let right = self.level(level + 1)?;
            left = match join {
                Join::Two(op) => self.joined(here, *op, left, right)?,
                Join::All | Join::Any => {
                    let mut items = vec![left, right];
                    while operator(self).is_some() {
                        items.push(self.level(level + 1)?);
                    }
                    let all = matches!(join, Join::All);
                    self.of_many(at, items, if all { Expr::All } else { Expr::Any })?
                }
            };
        }
    }

    /// Two parts and what stands between them. Beside a color, `red` and `black` are colors.
    fn joined(&mut self, at: usize, op: Binary, mut a: Typed, mut b: Typed) -> Parsed {
        if op != Binary::Xor {
            let kinds = (a.kind, b.kind);
            for (one, other) in [(&mut a, kinds.1), (&mut b, kinds.0)] {
                let color = match one.expr {
                    Expr::Attr(Attr::Red) => Color::Red,
                    Expr::Attr(Attr::Black) => Color::Black,
                    _ => continue,
                };
                if other == Kind::Color {
                    (one.expr, one.kind) = (Expr::Color(color), Kind::Color);
                }
            }
        }
        self.of_two(at, [a, b], |a, b| Expr::Binary(op, a, b))
    }

    fn not(&mut self) -> Parsed {
        let at = self.offset();
        if !self.take("not") {
            return self.level(NOT + 1);
        }
        let inner = self.deeper(Parser::not)?;
        self.of_one(at, inner, |a| Expr::Unary(Unary::Not, a))
    }

    fn comparison(&mut self) -> Parsed {
        let left = self.level(SUM)?;
        let at = self.offset();
        let negated = self.take("not");
        if negated && self.peek() != Token::Word("in") {
            return Err(self.expected("`in`"));
        }
        if self.take("in") {
            self.need("{")?;
            let list = self.constants("}")?;
            let member = self.of_one(at, left, |a| Expr::In(a, list))?;
            return match negated {
                true => self.of_one(at, member, |a| Expr::Unary(Unary::Not, a)),
                false => Ok(member),
            };
        }
        let operator = |p: &mut Self| COMPARISONS.iter().find(|(sign, _)| p.take(sign));
        let Some((_, op)) = operator(self) else { return Ok(left) };
        let right = self.level(SUM)?;
        let after = self.at;
        if operator(self).is_some() {
            self.at = after;
            return Err(self.expected("`and` (comparisons do not chain)"));
        }
        self.joined(at, *op, left, right)
    }

    fn signed(&mut self) -> Parsed {
        let at = self.offset();
        if !self.take("-") {
            return self.primary();
        }
        if let Token::Number(n) = self.peek() {
            self.skip(1);
            return self.leaf(at, Expr::Num(-n));
        }
        let inner = self.deeper(Parser::signed)?;
        self.of_one(at, inner, |a| Expr::Unary(Unary::Neg, a))
    }
}

/// Numbers, constants, attributes, cards, functions.
impl Parser<'_> {
    fn primary(&mut self) -> Parsed {
        let at = self.offset();
        match self.peek() {
            Token::Number(n) => {
                self.skip(1);
                self.leaf(at, Expr::Num(n))
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
                return self.leaf(at, expr);
            }
            "same" | "other" => {
                self.skip(1);
                let op = if word == "same" { Binary::Eq } else { Binary::Ne };
                let attr = self.attribute()?;
                return self.leaf(at, compared(op, attr));
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
            return self.leaf(at, expr);
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

    /// Constants, with or without commas, up to the closing sign.
    fn constants(&mut self, close: &str) -> Result<Vec<Expr>, RuleError> {
        let mut list = Vec::new();
        while !self.take(close) {
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
        match function {
            Function::Card(make) => {
                let k = self.place()?;
                self.need(")")?;
                let attr = self.dotted()?;
                self.leaf(at, make(k, attr.into()))
            }
            Function::At => {
                let k = self.place()?;
                self.need(",")?;
                let inner = self.expr()?;
                self.need(")")?;
                self.of_one(at, inner, |a| Expr::At(k, a))
            }
            Function::Of(then) => {
                let first = self.expr()?;
                self.rest(first, then, at)
            }
        }
    }

    /// What follows the first argument of a function, up to the `)`. That one is missing is said
    /// before what does not fit.
    fn rest(&mut self, first: Typed, then: Then, at: usize) -> Parsed {
        match then {
            Then::End(make) => {
                self.need(")")?;
                self.of_one(at, first, make)
            }
            Then::Place(make) => {
                let k = if self.take(",") { self.place()? } else { 1 };
                self.need(")")?;
                self.of_one(at, first, |a| make(k, a))
            }
            Then::Value(make) => {
                let second = if self.take(",") { Some(self.expr()?) } else { None };
                self.need(")")?;
                let second = match second {
                    Some(second) => second,
                    None => self.dotted().and_then(|attr| self.leaf(at, attr))?,
                };
                self.of_two(at, [first, second], make)
            }
            Then::Second(op) => {
                self.need(",")?;
                let second = self.expr()?;
                self.need(")")?;
                self.of_two(at, [first, second], |a, b| Expr::Binary(op, a, b))
            }
            Then::Window(what) => {
                let window = match self.take(",") {
                    true => Some(self.number(32, "the number of cards to look back on")?),
                    false => None,
                };
                self.need(")")?;
                self.of_one(at, first, |a| Expr::Over(what, a, window))
            }
            Then::More(make) => {
                let mut items = vec![first];
                while self.take(",") {
                    items.push(self.expr()?);
                }
                self.need(")")?;
                self.of_many(at, items, make)
            }
            Then::Order(make) => {
                self.need(",")?;
                let list = self.constants(")")?;
                self.of_one(at, first, |a| make(a, list))
            }
            Then::Letters(make) => {
                self.need(",")?;
                let letters = match self.peek() {
                    Token::Word(w)
                        if w.len() <= 16 && w.bytes().all(|b| b.is_ascii_uppercase()) =>
                    {
                        w.as_bytes().to_vec()
                    }
                    _ => {
                        let what = "1 to 16 capital letters, as in `AABB`; X is any value";
                        return Err(self.expected(what));
                    }
                };
                self.skip(1);
                self.need(")")?;
                self.of_one(at, first, |a| make(a, letters))
            }
        }
    }
}
