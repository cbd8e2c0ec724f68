//! The parser: from text to tree, by recursive descent.
//!
//! Written by hand: one token decides how to continue, and each message names what was expected and
//! the token that was found. A parser library would replace forty lines of lookahead and bring its
//! own machinery for such messages.

use super::expr::{Attr, Color, Expr, PatternKind, PhasePart};
use super::kind::{Kind, MAX_DEPTH, RuleError, TOO_DEEP, check, kind};
use super::operators::{Aggregate, COMPARISON, DEFAULT, ListOp, NOT, Op};
use parlour_base::cards::Suit;
use parlour_base::files::unknown;

/// Maximum length of a rule's text in bytes.
pub const MAX_TEXT: usize = 4096;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'a> {
    Number(i32),
    Word(&'a str),
    Sign(&'static str),
    End,
}

impl Token<'_> {
    /// Formats the token for an error message.
    fn shown(&self) -> String {
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

/// Splits a text into tokens with their byte offsets; the last token is the end.
fn tokens(text: &str) -> Result<Vec<(Token<'_>, usize)>, RuleError> {
    if text.len() > MAX_TEXT {
        let length = text.len();
        return Err(RuleError::Large(format!(
            "the rule is {length} bytes long; shorten it to at most {MAX_TEXT}"
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
                    _ => return Err(error_at(text, at, "a number is at most 9999".to_owned())),
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
                    return Err(error_at(text, at, what));
                }
            },
        };
        out.push((token, at));
        at += length;
    }
}

/// An error at a byte offset.
fn error_at(text: &str, at: usize, what: String) -> RuleError {
    let before = &text[..at.min(text.len())];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    RuleError::Text { line, column, what }
}

/// The argument list of a function.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Function {
    /// A position counted from the end; the attribute of the card there follows the parentheses.
    Last,
    /// A position counted from the start; the attribute of the card there follows the parentheses.
    Card,
    /// An expression and optionally a position.
    Was,
    /// A position and an expression.
    At,
    /// A test and a value, or after the parentheses an attribute.
    Latest,
    /// An expression; without parentheses an attribute follows.
    This,
    /// A test and an expression.
    Among,
    /// The operands of the operator.
    Op(Op),
    /// An expression and optionally the number of cards to look back on, or `since(…)`.
    Aggregate(Aggregate),
    /// Any number of tests.
    Cycle,
    /// An expression and constants in their order.
    List(ListOp),
    /// An expression and letters.
    Pattern(PatternKind),
}

/// The functions that are neither operators nor aggregates.
const FUNCTIONS: [(&str, Function); 13] = [
    ("this", Function::This),
    ("last", Function::Last),
    ("card", Function::Card),
    ("was", Function::Was),
    ("at", Function::At),
    ("latest", Function::Latest),
    ("among", Function::Among),
    ("cycle", Function::Cycle),
    ("after", Function::List(ListOp::After)),
    ("place", Function::List(ListOp::Place)),
    ("pattern", Function::Pattern(PatternKind::Pattern)),
    ("motif", Function::Pattern(PatternKind::Motif)),
    ("repeat", Function::Pattern(PatternKind::Pattern)),
];

fn functions() -> impl Iterator<Item = (&'static str, Function)> {
    let operators = Op::functions().map(|op| (op.word(), Function::Op(op)));
    let aggregates = Aggregate::all().map(|one| (one.word(), Function::Aggregate(one)));
    FUNCTIONS.into_iter().chain(operators).chain(aggregates)
}

fn function(word: &str) -> Option<Function> {
    functions().find(|(name, _)| *name == word).map(|(_, function)| function)
}

const OTHER_WORDS: &str = "otherwise if then else and or xor not mod in phase same other higher lower n \
                           true false first parity anything";

/// Returns `true` for words about things that no rule may read.
fn is_forbidden(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let stems = "player hand seat dealer prophet time clock turn wrong reject sideline stock deck who score \
                 date day";
    stems.split(' ').any(|stem| word.starts_with(stem))
}

/// Returns the known word closest to a mistyped one.
fn nearest(word: &str) -> Option<String> {
    let known = functions().map(|(word, _)| word).chain(OTHER_WORDS.split(' '));
    let known = known.chain(Attr::all().map(Attr::word));
    unknown("word", word, known).nearest().map(str::to_owned)
}

fn attribute(word: &str) -> Option<Attr> {
    let canonical = match word {
        "parity" => "even",
        "value" => "rank",
        "colour" => "color",
        "spades" | "hearts" | "diamonds" | "clubs" => &word[..word.len() - 1],
        other => other,
    };
    Attr::all().find(|attr| attr.word() == canonical)
}

fn constant(word: &str) -> Option<Expr> {
    let index = |signs: &str| signs.find(word).filter(|_| word.len() == 1);
    Some(match word {
        "red" => Expr::Color(Color::Red),
        "black" => Expr::Color(Color::Black),
        "A" => Expr::Num(1),
        _ => match index("TJQK") {
            Some(above) => Expr::Num(10 + above as i32),
            None => Expr::Suit(Suit::ALL[index("SHDC")?]),
        },
    })
}

/// Reads `red` and `black`, and choices between them, as colors if the other operand is a color.
fn unify_colors(operands: [Expr; 2]) -> [Expr; 2] {
    let is_color = |expr: &Expr| kind(expr) == Ok(Kind::Color);
    let [a, b] = &operands;
    match (as_color(a), as_color(b)) {
        (Some(color), _) if is_color(b) => [color, operands[1].clone()],
        (_, Some(color)) if is_color(a) => [operands[0].clone(), color],
        _ => operands,
    }
}

/// Converts the tests `red` and `black`, and choices between them, to colors.
fn as_color(expr: &Expr) -> Option<Expr> {
    Some(match expr {
        Expr::Attr(Attr::RED) => Expr::Color(Color::Red),
        Expr::Attr(Attr::BLACK) => Expr::Color(Color::Black),
        Expr::Op(Op::If, items) => {
            let [yes, no] = [as_color(&items[1])?, as_color(&items[2])?];
            Expr::Op(Op::If, vec![items[0].clone(), yes, no])
        }
        _ => return None,
    })
}

/// Parses a rule.
///
/// # Errors
/// If the text is not a rule, is too long or too deeply nested, or if the kinds of its parts do not
/// match. The error names the place and the expectation.
pub fn parse(text: &str) -> Result<Expr, RuleError> {
    let mut parser = Parser { text, tokens: tokens(text)?, at: 0, depth: 0, places: Vec::new() };
    let start = parser.offset();
    let rule = parser.expr()?;
    if parser.peek() != Token::End {
        return Err(parser.expected("an operator or the end of the rule"));
    }
    let (kind, _) = check(&rule, &mut parser.places.iter().copied())
        .map_err(|(at, what)| parser.error(at, what))?;
    if kind != Kind::Bool {
        let what = format!("`{rule}` is {}; a test (yes or no) was expected", kind.word());
        return Err(parser.error(start, what));
    }
    Ok(rule)
}

type Parsed = Result<Expr, RuleError>;

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<(Token<'a>, usize)>,
    at: usize,
    /// Current nesting depth.
    depth: usize,
    /// Byte offsets of all nodes made so far, each after its own children.
    places: Vec<usize>,
}

/// Reading tokens.
impl<'a> Parser<'a> {
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

    fn error(&self, at: usize, what: impl Into<String>) -> RuleError {
        error_at(self.text, at, what.into())
    }

    fn expected(&self, what: &str) -> RuleError {
        self.error(self.offset(), format!("expected {what}, found {}", self.peek().shown()))
    }

    /// Returns `true` if this word or sign is next.
    fn is_at(&self, wanted: &str) -> bool {
        matches!(self.peek(), Token::Word(found) | Token::Sign(found) if found == wanted)
    }

    /// Skips this word or sign. Returns `false` if something else is next.
    fn take(&mut self, wanted: &str) -> bool {
        let is_next = self.is_at(wanted);
        self.skip(usize::from(is_next));
        is_next
    }

    fn require(&mut self, wanted: &str) -> Result<(), RuleError> {
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

    fn deeper(&mut self, inner: impl FnOnce(&mut Self) -> Parsed) -> Parsed {
        if self.depth >= MAX_DEPTH {
            return Err(self.error(self.offset(), TOO_DEEP));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Records the place of a node whose children were recorded before.
    fn node(&mut self, at: usize, expr: Expr) -> Parsed {
        self.places.push(at);
        Ok(expr)
    }

    /// Records one place for a node and all nodes below it.
    fn tree(&mut self, at: usize, expr: Expr) -> Parsed {
        for child in expr.children() {
            self.tree(at, child.clone())?;
        }
        self.node(at, expr)
    }
}

/// Choices, phases, operators.
impl Parser<'_> {
    /// Parses an `if`, a `phase` or a chain of operators.
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
            p.require("then")?;
            let yes = p.expr()?;
            let no = if p.take("else") { p.expr()? } else { p.node(at, Expr::Bool(true))? };
            let [yes, no] = unify_colors([yes, no]);
            p.node(at, Expr::Op(Op::If, vec![test, yes, no]))
        })
    }

    fn phase(&mut self, at: usize) -> Parsed {
        let mut declared = None;
        if self.take("(") {
            declared = Some(u32::from(self.number(64, "the number of cards in the phase")?));
            self.require(")")?;
        }
        self.require(":")?;
        let mut parts = Vec::new();
        loop {
            let count = self.number(64, "how many cards")?;
            let (part, inner) = self.phase_part()?;
            parts.push((count, part, inner));
            if !self.take(",") {
                break;
            }
        }
        let period: u32 = parts.iter().map(|(count, ..)| u32::from(*count)).sum();
        if let Some(declared) = declared.filter(|declared| *declared != period) {
            let what = format!("the parts of this phase have {period} cards, not {declared}");
            return Err(self.error(at, what));
        }
        self.node(at, Expr::Phase(parts))
    }

    /// Parses one part of a phase. `same` and `other` refer to the first card if an attribute or
    /// parentheses follow and end the part; in a longer test they refer to the last card.
    fn phase_part(&mut self) -> Result<(PhasePart, Expr), RuleError> {
        let part = match self.peek() {
            Token::Word("same") => Some(PhasePart::Same),
            Token::Word("other") => Some(PhasePart::Other),
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
                Ok((part, self.node(at, attr)?))
            }
            (Some(part), Token::Sign("("), _) => {
                self.skip(2);
                let inner = self.expr()?;
                self.require(")")?;
                Ok((part, inner))
            }
            _ => Ok((PhasePart::Test, self.deeper(|p| p.operators(DEFAULT))?)),
        }
    }

    /// The infix operator that is next, with its binding strength.
    fn infix(&self) -> Option<(Op, u8)> {
        let (Token::Word(word) | Token::Sign(word)) = self.peek() else { return None };
        Op::infix(word).map(|op| (op, op.binding()))
    }

    /// Parses an operand and the following operators of at least this binding strength (precedence
    /// climbing).
    fn operators(&mut self, least: u8) -> Parsed {
        let at = self.offset();
        // After an operator, stronger ones cannot follow: its right operand would contain them.
        let mut most = u8::MAX;
        let mut left = if least <= NOT && self.take("not") {
            most = NOT;
            let inner = self.deeper(|p| p.operators(NOT))?;
            self.node(at, Expr::Op(Op::Not, vec![inner]))?
        } else {
            self.signed()?
        };
        loop {
            let here = self.offset();
            let fits = |binding: u8| (least..=most).contains(&binding);
            if fits(COMPARISON) && (self.is_at("in") || self.is_at("not")) {
                left = self.membership(left)?;
                most = NOT;
                continue;
            }
            let found = self.infix().filter(|(_, binding)| fits(*binding));
            let Some((op, binding)) = found else { return Ok(left) };
            self.skip(1);
            let right = self.operators(binding + 1)?;
            left = if op.arity().is_some() {
                let operands = [left, right];
                let operands = if op == Op::Xor { operands } else { unify_colors(operands) };
                self.node(here, Expr::Op(op, operands.into()))?
            } else {
                let mut items = vec![left, right];
                while self.infix().is_some_and(|(next, _)| next == op) {
                    self.skip(1);
                    items.push(self.operators(binding + 1)?);
                }
                self.node(at, Expr::Op(op, items))?
            };
            most = binding;
            if binding == COMPARISON {
                if self.infix().is_some_and(|(_, next)| next == COMPARISON) {
                    return Err(self.expected("`and` (comparisons do not chain)"));
                }
                most = NOT;
            }
        }
    }

    /// Parses `in` or `not in` and a list.
    fn membership(&mut self, left: Expr) -> Parsed {
        let at = self.offset();
        let is_negated = self.take("not");
        self.require("in")?;
        self.require("{")?;
        let list = self.constants("}")?;
        self.require("}")?;
        let member = self.node(at, Expr::List(ListOp::In, left.into(), list))?;
        match is_negated {
            true => self.node(at, Expr::Op(Op::Not, vec![member])),
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
            return self.node(at, Expr::Num(-n));
        }
        let inner = self.deeper(Parser::signed)?;
        self.node(at, Expr::Op(Op::Neg, vec![inner]))
    }
}

/// Numbers, constants, attributes, cards, functions.
impl Parser<'_> {
    fn primary(&mut self) -> Parsed {
        let at = self.offset();
        match self.peek() {
            Token::Number(n) => {
                self.skip(1);
                self.node(at, Expr::Num(n))
            }
            Token::Sign("(") => {
                self.skip(1);
                let inner = self.expr()?;
                self.require(")")?;
                Ok(inner)
            }
            Token::Word(word) => self.word(word, at),
            _ => Err(self.expected("a test or a value")),
        }
    }

    fn word(&mut self, word: &str, at: usize) -> Parsed {
        let function = function(word);
        if let (Some(function), Token::Sign("(")) = (function, self.ahead(1)) {
            self.skip(2);
            return self.deeper(|p| p.call(function, at));
        }
        let compared = |op, attr: Expr| {
            let last = Expr::Was(1, attr.clone().into());
            Expr::Op(op, vec![attr, last])
        };
        let rank = || Expr::Attr(Attr::RANK);
        let expr = match word {
            "last" | "previous" | "first" | "this" => {
                self.skip(1);
                if !self.is_at(".") {
                    return Err(self.expected("`.` and an attribute, as in `last.color`"));
                }
                let attr = self.dotted()?.into();
                let expr = match word {
                    "this" => Expr::This(attr),
                    "first" => Expr::At(1, attr),
                    _ => Expr::Was(1, attr),
                };
                return self.tree(at, expr);
            }
            "same" | "other" => {
                self.skip(1);
                let op = if word == "same" { Op::Eq } else { Op::Ne };
                let attr = self.attribute()?;
                return self.tree(at, compared(op, attr));
            }
            "higher" => Some(compared(Op::Gt, rank())),
            "lower" => Some(compared(Op::Lt, rank())),
            "n" | "length" => Some(Expr::Length),
            "true" | "anything" => Some(Expr::Bool(true)),
            "false" | "nothing" => Some(Expr::Bool(false)),
            // `red` and `black` are tests here; next to a color they become colors.
            _ => attribute(word).map(Expr::Attr).or_else(|| constant(word)),
        };
        if let Some(expr) = expr {
            self.skip(1);
            return self.tree(at, expr);
        }
        if function.is_some() {
            self.skip(1);
            return Err(self.expected("`(`"));
        }
        if is_forbidden(word) {
            let what = format!(
                "`{word}` is not allowed: a rule may read the accepted cards only, not players, hands, \
                 wrong cards or time"
            );
            return Err(self.error(at, what));
        }
        if ["if", "phase"].contains(&word) {
            return Err(self.error(at, format!("put this `{word}` in parentheses")));
        }
        let mut what = format!("expected a test or a value, found {}", self.peek().shown());
        if let Some(near) = nearest(word) {
            what += &format!(" (did you mean `{near}`?)");
        }
        Err(self.error(at, what))
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
        self.require(".")?;
        self.attribute()
    }

    /// Parses constants, with or without commas, up to the closing sign, which is not consumed.
    fn constants(&mut self, close: &'static str) -> Result<Vec<Expr>, RuleError> {
        let mut list = Vec::new();
        while !self.is_at(close) {
            let is_negative = self.take("-");
            let item = match self.peek() {
                Token::Number(n) => Expr::Num(if is_negative { -n } else { n }),
                Token::Word(word) if !is_negative => {
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

    /// Parses `count` expressions with commas between them; any number if `None`.
    fn arguments(&mut self, count: Option<usize>) -> Result<Vec<Expr>, RuleError> {
        let mut items = vec![self.expr()?];
        while count.map_or_else(|| self.is_at(","), |count| items.len() < count) {
            self.require(",")?;
            items.push(self.expr()?);
        }
        Ok(items)
    }

    /// Parses the arguments of a function; its name and `(` are already consumed.
    fn call(&mut self, function: Function, at: usize) -> Parsed {
        let expr = match function {
            Function::Last | Function::Card => {
                let k = self.place()?;
                self.require(")")?;
                let attr = self.dotted()?.into();
                let expr = if function == Function::Last { Expr::Was } else { Expr::At };
                return self.tree(at, expr(k, attr));
            }
            Function::At => {
                let k = self.place()?;
                self.require(",")?;
                Expr::At(k, self.expr()?.into())
            }
            Function::Op(op) => Expr::Op(op, self.arguments(op.arity())?),
            Function::Cycle => Expr::Cycle(self.arguments(None)?),
            Function::Was => {
                let of = self.expr()?.into();
                Expr::Was(if self.take(",") { self.place()? } else { 1 }, of)
            }
            Function::Latest => {
                let test = self.expr()?.into();
                if !self.take(",") {
                    self.require(")")?;
                    let attr = self.dotted()?;
                    let attr = self.node(at, attr)?.into();
                    return self.node(at, Expr::Latest(test, attr));
                }
                Expr::Latest(test, self.expr()?.into())
            }
            Function::This => Expr::This(self.expr()?.into()),
            Function::Among => {
                let test = self.expr()?.into();
                self.require(",")?;
                Expr::Among(test, self.expr()?.into())
            }
            Function::Aggregate(aggregate) => {
                let of = self.expr()?.into();
                if !aggregate.can_have_window() || !self.take(",") {
                    Expr::Aggregate(aggregate, of, None)
                } else if self.take("since") {
                    self.require("(")?;
                    let test = self.expr()?.into();
                    self.require(")")?;
                    Expr::AggregateSince(aggregate, of, test)
                } else {
                    let what = "`since(…)` or the number of cards to look back on";
                    Expr::Aggregate(aggregate, of, Some(self.number(32, what)?))
                }
            }
            Function::List(op) => {
                let of = self.expr()?.into();
                self.require(",")?;
                Expr::List(op, of, self.constants(")")?)
            }
            Function::Pattern(kind) => {
                let of = self.expr()?.into();
                self.require(",")?;
                let capitals = |w: &str| w.len() <= 16 && w.bytes().all(|b| b.is_ascii_uppercase());
                let letters = match self.peek() {
                    Token::Word(letters) if capitals(letters) => letters.as_bytes().to_vec(),
                    _ => {
                        let what = "1 to 16 capital letters, as in `AABB`; X is any value";
                        return Err(self.expected(what));
                    }
                };
                self.skip(1);
                Expr::Pattern(kind, of, letters)
            }
        };
        self.require(")")?;
        self.node(at, expr)
    }
}
