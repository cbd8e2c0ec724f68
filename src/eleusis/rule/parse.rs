//! From text to tree, by recursive descent.

use super::token::{Token, at_offset, tokens};
use super::words::{FUNCTIONS, attribute, constant, forbidden, nearest};
use super::{Attr, Binary, Color, Expr, Kind, Part, RuleError, Unary, kind};

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
    text: &'a str,
    tokens: Vec<(Token, usize)>,
    pub(super) at: usize,
    depth: usize,
}

impl Parser<'_> {
    pub(super) fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn peek_second(&self) -> &Token {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].0
    }

    fn offset(&self) -> usize {
        self.tokens[self.at].1
    }

    pub(super) fn skip(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn fault(&self, at: usize, what: impl Into<String>) -> RuleError {
        at_offset(self.text, at, what.into())
    }

    pub(super) fn expected(&self, what: &str) -> RuleError {
        self.fault(self.offset(), format!("expected {what}, found {}", self.peek().shown()))
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(w) if w == word)
    }

    fn take_word(&mut self, word: &str) -> bool {
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

    fn need_word(&mut self, word: &str) -> Result<(), RuleError> {
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

    fn test(&self, expr: &Expr, at: usize) -> Result<(), RuleError> {
        match kind(expr) {
            Ok(Kind::Bool) => Ok(()),
            Ok(other) => {
                let what = format!("`{expr}` is {}; a test (yes or no) was expected", other.word());
                Err(self.fault(at, what))
            }
            Err(what) => Err(self.fault(at, what)),
        }
    }

    fn too_deep(&self) -> RuleError {
        let what = format!("nested too deeply: at most {MAX_DEPTH} levels");
        self.fault(self.offset(), what)
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

    fn phase(&mut self, at: usize) -> Parsed {
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

    fn default(&mut self) -> Parsed {
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

    fn or(&mut self) -> Parsed {
        self.chain(|p| p.take_word("or") || p.take_sign("|"), Parser::xor, Expr::Any)
    }

    fn xor(&mut self) -> Parsed {
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

    fn and(&mut self) -> Parsed {
        self.chain(|p| p.take_word("and") || p.take_sign("&"), Parser::not, Expr::All)
    }

    fn chain(
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

    fn not(&mut self) -> Parsed {
        let at = self.offset();
        if self.take_word("not") {
            let inner = self.deeper(Parser::not)?;
            return self.checked(Expr::Unary(Unary::Not, inner.into()), at);
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Parsed {
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

    fn membership(&mut self, left: Expr, at: usize) -> Parsed {
        self.need_sign("{")?;
        let list = self.constants("}")?;
        self.checked(Expr::In(left.into(), list), at)
    }

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

    fn sum(&mut self) -> Parsed {
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

    fn product(&mut self) -> Parsed {
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

    fn unary(&mut self) -> Parsed {
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

    fn primary(&mut self) -> Parsed {
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

    fn word(&mut self, word: &str, at: usize) -> Parsed {
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

    fn attribute(&mut self) -> Result<Attr, RuleError> {
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
fn colored(left: Expr, right: Expr) -> (Expr, Expr) {
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
