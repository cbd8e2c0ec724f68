//! The parser: from text to tree, by recursive descent.
//!
//! Written by hand: one token decides how to continue, and each message names what was expected and
//! the token that was found. A parser library would replace forty lines of lookahead and bring its
//! own machinery for such messages.

use std::iter::repeat_n;

use strum::IntoEnumIterator;

use super::expr::{Attr, Constant, Expr, Head, PatternKind, PhasePart, Sort, Span, compared};
use super::kind::{MAX_DEPTH, Result, RuleError, TOO_DEEP, check, kind};
use super::operators::{Aggregate, COMPARISON, DEFAULT, ListOp, NOT, Op, canonical};
use parlour_base::files::unknown;

/// Maximum length of a rule's text in bytes.
pub const MAX_TEXT: usize = 4096;

// Longer signs first.
const SIGNS: [&str; 25] = [
    "==", "!=", "<=", ">=", "??", "<", ">", "=", "(", ")", "{", "}", ",", ":", ".", "+", "-", "*",
    "/", "%", "≤", "≥", "≠", "&", "|",
];

/// A word, a number or a sign of the text with its byte offset.
type Token<'a> = (&'a str, usize);

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Splits a text into tokens; the last one is empty and marks the end.
fn tokens(text: &str) -> Result<Vec<Token<'_>>> {
    let (mut out, mut at) = (Vec::new(), 0);
    loop {
        let rest = text[at..].trim_start();
        at = text.len() - rest.len();
        let span = |ok: fn(char) -> bool| &rest[..rest.find(|c| !ok(c)).unwrap_or(rest.len())];
        let token = match rest.chars().next() {
            None => break,
            Some('0'..='9') => span(|c| c.is_ascii_digit()),
            Some('A'..='Z' | 'a'..='z' | '_') => span(|c| c.is_ascii_alphanumeric() || c == '_'),
            Some(other) => {
                SIGNS.into_iter().find(|sign| rest.starts_with(sign)).ok_or_else(|| {
                    let shown = other.escape_debug();
                    error_at(text, at, format!("`{shown}` is not part of the rule language"))
                })?
            }
        };
        let is_number = token.starts_with(|c: char| c.is_ascii_digit());
        if is_number && !matches!(token.parse(), Ok(0..=9999)) {
            return Err(error_at(text, at, "a number is at most 9999".to_owned()));
        }
        let synonyms = [("=", "=="), ("≤", "<="), ("≥", ">="), ("≠", "!=")];
        out.push((canonical(token, &synonyms), at));
        at += token.len();
    }
    out.push(("", at));
    Ok(out)
}

/// An error at a byte offset.
fn error_at(text: &str, at: usize, what: String) -> RuleError {
    let before = &text[..at.min(text.len())];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    RuleError(format!("line {line}, column {column}: {what}"))
}

/// The functions that are neither operators nor aggregates.
const FUNCTIONS: &str = "this last card was at latest among cycle after place pattern motif repeat";

fn functions() -> impl Iterator<Item = &'static str> {
    let operators = Op::functions().map(|op| op.spec().word);
    FUNCTIONS.split(' ').chain(operators).chain(Aggregate::iter().map(<&str>::from))
}

const OTHER_WORDS: &str = "otherwise if then else and or xor not mod in phase same other higher lower n \
                           true false first parity anything";

/// The first letters of words about things that no rule may read.
const FORBIDDEN: &str = "player hand seat dealer prophet time clock turn wrong reject sideline stock deck who score \
                         date day";

fn attribute(word: &str) -> Option<Attr> {
    let is_plural = matches!(word, "spades" | "hearts" | "diamonds" | "clubs");
    let word = if is_plural { &word[..word.len() - 1] } else { word };
    let word = canonical(word, &[("parity", "even"), ("value", "rank"), ("colour", "color")]);
    Attr::all().find(|attr| attr.word() == word)
}

fn constant(word: &str) -> Option<Constant> {
    let place = |words: &str| words.split(' ').position(|known| known == word);
    let number = place("A").map(|_| 1).or_else(|| place("T J Q K").map(|above| 10 + above));
    let (sort, value) = match (number, place("S H D C"), place("black red")) {
        (Some(number), ..) => (Sort::Number, number),
        (_, Some(suit), _) => (Sort::Suit, suit),
        (.., color) => (Sort::Color, color?),
    };
    Some(Constant { sort, value: value as i32 })
}

/// Reads `red` and `black`, and choices between them, as colors if the other operand is a color.
fn unify_colors(a: &mut Expr, b: &mut Expr) {
    let is_color = |expr: &Expr| kind(expr).is_ok_and(|kind| kind.sort == Sort::Color);
    match (as_color(a), as_color(b)) {
        (Some(color), _) if is_color(b) => *a = color,
        (_, Some(color)) if is_color(a) => *b = color,
        _ => {}
    }
}

/// Converts the tests `red` and `black`, and choices between them, to colors.
fn as_color(expr: &Expr) -> Option<Expr> {
    match expr.head {
        Head::Attr(Attr::RED) => Some(Expr::constant(Sort::Color, 1)),
        Head::Attr(Attr::BLACK) => Some(Expr::constant(Sort::Color, 0)),
        Head::Op(Op::If) => {
            let [yes, no] = [as_color(&expr.parts[1])?, as_color(&expr.parts[2])?];
            Some(Expr::new(Op::If, [expr.parts[0].clone(), yes, no]))
        }
        _ => None,
    }
}

/// Parses a rule.
///
/// # Errors
/// If the text is not a rule, is too long or too deeply nested, or if the kinds of its parts do not
/// match. The error names the place and the expectation.
pub fn parse(text: &str) -> Result<Expr> {
    let length = text.len();
    if length > MAX_TEXT {
        let what = format!("the rule is {length} bytes long; shorten it to at most {MAX_TEXT}");
        return Err(RuleError(what));
    }
    let mut parser = Parser { text, tokens: tokens(text)?, at: 0, depth: 0, places: Vec::new() };
    let start = parser.offset();
    let rule = parser.expr()?;
    if !parser.is_at("") {
        return Err(parser.expected("an operator or the end of the rule"));
    }
    let (kind, _) = check(&rule, &mut parser.places.iter().copied())
        .map_err(|(at, what)| parser.error(at, what))?;
    if kind.sort != Sort::Test {
        let what = format!("`{rule}` is {}; a test (yes or no) was expected", kind.sort.word());
        return Err(parser.error(start, what));
    }
    Ok(rule)
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    at: usize,
    /// Current nesting depth.
    depth: usize,
    /// Byte offsets of all nodes made so far, each after its own parts.
    places: Vec<usize>,
}

/// Reading tokens.
impl<'a> Parser<'a> {
    fn ahead(&self, places: usize) -> &'a str {
        self.tokens[(self.at + places).min(self.tokens.len() - 1)].0
    }

    fn peek(&self) -> &'a str {
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
        let found = match self.peek() {
            "" => "the end of the text".to_owned(),
            token => format!("`{}`", token.chars().take(30).collect::<String>()),
        };
        self.error(self.offset(), format!("expected {what}, found {found}"))
    }

    /// Returns `true` if this word or sign is next.
    fn is_at(&self, wanted: &str) -> bool {
        self.peek() == wanted
    }

    /// Skips this word or sign. Returns `false` if something else is next.
    fn take(&mut self, wanted: &str) -> bool {
        let is_next = self.is_at(wanted);
        self.skip(usize::from(is_next));
        is_next
    }

    fn require(&mut self, wanted: &str) -> Result<()> {
        if self.take(wanted) { Ok(()) } else { Err(self.expected(&format!("`{wanted}`"))) }
    }

    fn number(&mut self, most: u8, what: &str) -> Result<u8> {
        let number = self.peek().parse().ok().filter(|number| (1..=most).contains(number));
        let number = number.ok_or_else(|| self.expected(&format!("{what} (1 to {most})")))?;
        self.skip(1);
        Ok(number)
    }

    fn deeper(&mut self, inner: impl FnOnce(&mut Self) -> Result<Expr>) -> Result<Expr> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error(self.offset(), TOO_DEEP));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Creates a node and records its place; those of its parts were recorded before.
    fn node(&mut self, at: usize, head: impl Into<Head>, parts: impl Into<Vec<Expr>>) -> Expr {
        self.places.push(at);
        Expr::new(head, parts)
    }

    /// Records one place for all nodes of a tree.
    fn tree(&mut self, at: usize, tree: Expr) -> Expr {
        self.places.extend(repeat_n(at, tree.nodes()));
        tree
    }
}

/// Choices, phases, operators.
impl Parser<'_> {
    /// Parses an `if`, a `phase` or a chain of operators.
    fn expr(&mut self) -> Result<Expr> {
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
            let mut yes = p.expr()?;
            let mut no = if p.take("else") { p.expr()? } else { p.tree(at, Expr::truth(true)) };
            unify_colors(&mut yes, &mut no);
            Ok(p.node(at, Op::If, [test, yes, no]))
        })
    }

    fn phase(&mut self, at: usize) -> Result<Expr> {
        let mut declared = None;
        if self.take("(") {
            declared = Some(u32::from(self.number(64, "the number of cards in the phase")?));
            self.require(")")?;
        }
        self.require(":")?;
        let (mut list, mut parts) = (Vec::new(), Vec::new());
        while list.is_empty() || self.take(",") {
            let count = self.number(64, "how many cards")?;
            let (part, inner) = self.phase_part()?;
            list.push((count, part));
            parts.push(inner);
        }
        let period: u32 = list.iter().map(|(count, _)| u32::from(*count)).sum();
        if let Some(declared) = declared.filter(|declared| *declared != period) {
            let what = format!("the parts of this phase have {period} cards, not {declared}");
            return Err(self.error(at, what));
        }
        Ok(self.node(at, Head::Phase(list), parts))
    }

    /// Parses one part of a phase. `same` and `other` refer to the first card if an attribute or
    /// parentheses follow and end the part; in a longer test they refer to the last card.
    fn phase_part(&mut self) -> Result<(PhasePart, Expr)> {
        let part = self.peek().parse().unwrap_or(PhasePart::Test);
        let is_end = ["", ",", ")", "then", "else"].contains(&self.ahead(2));
        if part != PhasePart::Test && is_end && attribute(self.ahead(1)).is_some() {
            let at = self.offset();
            self.skip(1);
            let attr = self.attribute()?;
            return Ok((part, self.tree(at, attr)));
        }
        if part != PhasePart::Test && self.ahead(1) == "(" {
            self.skip(2);
            let inner = self.expr()?;
            self.require(")")?;
            return Ok((part, inner));
        }
        Ok((PhasePart::Test, self.deeper(|p| p.operators(DEFAULT))?))
    }

    /// Parses an operand and the following operators of at least this binding strength (precedence
    /// climbing).
    fn operators(&mut self, least: u8) -> Result<Expr> {
        let at = self.offset();
        // After an operator, stronger ones cannot follow: its right operand would contain them.
        let mut most = u8::MAX;
        let mut left = if least <= NOT && self.take("not") {
            most = NOT;
            let inner = self.deeper(|p| p.operators(NOT))?;
            self.node(at, Op::Not, [inner])
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
            let found = Op::infix(self.peek()).map(|op| (op, op.spec()));
            let Some((op, spec)) = found.filter(|(_, spec)| fits(spec.binding)) else {
                return Ok(left);
            };
            self.skip(1);
            most = spec.binding;
            let mut right = self.operators(most + 1)?;
            if spec.arity.is_some() {
                if op != Op::Xor {
                    unify_colors(&mut left, &mut right);
                }
                left = self.node(here, op, [left, right]);
            } else {
                let mut items = vec![left, right];
                while Op::infix(self.peek()) == Some(op) {
                    self.skip(1);
                    items.push(self.operators(most + 1)?);
                }
                left = self.node(at, op, items);
            }
            if most == COMPARISON {
                if Op::infix(self.peek()).is_some_and(|op| op.spec().binding == COMPARISON) {
                    return Err(self.expected("`and` (comparisons do not chain)"));
                }
                most = NOT;
            }
        }
    }

    /// Parses `in` or `not in` and a list.
    fn membership(&mut self, left: Expr) -> Result<Expr> {
        let at = self.offset();
        let is_negated = self.take("not");
        self.require("in")?;
        self.require("{")?;
        let list = self.constants("}")?;
        self.require("}")?;
        let member = self.node(at, Head::List(ListOp::In, list), [left]);
        Ok(if is_negated { self.node(at, Op::Not, [member]) } else { member })
    }

    fn signed(&mut self) -> Result<Expr> {
        let at = self.offset();
        if !self.take("-") {
            return self.primary();
        }
        if let Ok(number) = self.peek().parse::<i32>() {
            self.skip(1);
            return Ok(self.tree(at, Expr::number(-number)));
        }
        let inner = self.deeper(Parser::signed)?;
        Ok(self.node(at, Op::Neg, [inner]))
    }
}

/// Numbers, constants, attributes, cards, functions.
impl Parser<'_> {
    fn primary(&mut self) -> Result<Expr> {
        let (token, at) = self.tokens[self.at];
        if let Ok(number) = token.parse() {
            self.skip(1);
            return Ok(self.tree(at, Expr::number(number)));
        }
        if self.take("(") {
            let inner = self.expr()?;
            self.require(")")?;
            return Ok(inner);
        }
        let is_function = functions().any(|function| function == token);
        if is_function && self.ahead(1) == "(" {
            self.skip(2);
            return self.deeper(|p| p.call(token, at));
        }
        match self.word(token)? {
            Some(expr) => Ok(self.tree(at, expr)),
            None if is_function => {
                self.skip(1);
                Err(self.expected("`(`"))
            }
            None => Err(self.unknown_word(token, at)),
        }
    }

    /// Parses a value without parentheses. Returns `None` if the word is none.
    fn word(&mut self, word: &str) -> Result<Option<Expr>> {
        let expr = match word {
            "last" | "previous" => return self.attribute_of(Head::Was(1)),
            "first" => return self.attribute_of(Head::At(1)),
            "this" => return self.attribute_of(Head::This),
            "same" | "other" => {
                self.skip(1);
                let op = if word == "same" { Op::Eq } else { Op::Ne };
                return Ok(Some(compared(op, &self.attribute()?, Head::Was(1))));
            }
            "higher" => Some(compared(Op::Gt, &Expr::attr(Attr::RANK), Head::Was(1))),
            "lower" => Some(compared(Op::Lt, &Expr::attr(Attr::RANK), Head::Was(1))),
            "n" | "length" => Some(Expr::leaf(Head::Length)),
            "true" | "anything" => Some(Expr::truth(true)),
            "false" | "nothing" => Some(Expr::truth(false)),
            // `red` and `black` are tests here; next to a color they become colors.
            _ => {
                let constant = || constant(word).map(|constant| Expr::leaf(Head::Const(constant)));
                attribute(word).map(Expr::attr).or_else(constant)
            }
        };
        self.skip(usize::from(expr.is_some()));
        Ok(expr)
    }

    /// Parses an attribute of a card, after the word for the card.
    fn attribute_of(&mut self, card: Head) -> Result<Option<Expr>> {
        self.skip(1);
        if !self.is_at(".") {
            return Err(self.expected("`.` and an attribute, as in `last.color`"));
        }
        Ok(Some(Expr::new(card, [self.dotted()?])))
    }

    fn unknown_word(&self, word: &str, at: usize) -> RuleError {
        let expected = self.expected("a test or a value");
        if !is_word(word) {
            return expected;
        }
        if FORBIDDEN.split(' ').any(|stem| word.to_ascii_lowercase().starts_with(stem)) {
            let what = format!(
                "`{word}` is not allowed: a rule may read the accepted cards only, not players, hands, \
                 wrong cards or time"
            );
            return self.error(at, what);
        }
        if ["if", "phase"].contains(&word) {
            return self.error(at, format!("put this `{word}` in parentheses"));
        }
        let known = functions().chain(OTHER_WORDS.split(' ')).chain(Attr::all().map(Attr::word));
        match unknown("word", word, known).nearest() {
            Some(near) => RuleError(format!("{expected} (did you mean `{near}`?)")),
            None => expected,
        }
    }

    fn attribute(&mut self) -> Result<Expr> {
        let attr = attribute(self.peek()).ok_or_else(|| {
            self.expected("an attribute of a card, such as `rank`, `suit` or `red`")
        })?;
        self.skip(1);
        Ok(Expr::attr(attr))
    }

    fn dotted(&mut self) -> Result<Expr> {
        self.require(".")?;
        self.attribute()
    }

    /// Parses constants, with or without commas, up to the closing sign, which is not consumed.
    fn constants(&mut self, close: &str) -> Result<Vec<Constant>> {
        let mut list = Vec::new();
        while !self.is_at(close) {
            let sign = if self.take("-") { -1 } else { 1 };
            let token = self.peek();
            list.push(match token.parse::<i32>() {
                Ok(number) => Constant { sort: Sort::Number, value: sign * number },
                Err(_) if is_word(token) && sign == 1 => {
                    constant(token).ok_or_else(|| self.expected("a number, rank, suit or color"))?
                }
                Err(_) => return Err(self.expected(&format!("a constant or `{close}`"))),
            });
            self.skip(1);
            self.take(",");
        }
        Ok(list)
    }

    /// Parses `count` expressions with commas between them; any number if `None`.
    fn arguments(&mut self, count: Option<usize>) -> Result<Vec<Expr>> {
        let mut items = vec![self.expr()?];
        while count.map_or_else(|| self.is_at(","), |count| items.len() < count) {
            self.require(",")?;
            items.push(self.expr()?);
        }
        Ok(items)
    }

    /// Parses the arguments of a function; its name and `(` are already consumed.
    fn call(&mut self, function: &str, at: usize) -> Result<Expr> {
        let (head, parts) = match function {
            "last" | "card" => {
                let k = self.number(64, "a place")?;
                self.require(")")?;
                let head = if function == "last" { Head::Was(k) } else { Head::At(k) };
                let attr = self.dotted()?;
                return Ok(self.tree(at, Expr::new(head, [attr])));
            }
            "at" => {
                let k = self.number(64, "a place")?;
                self.require(",")?;
                (Head::At(k), vec![self.expr()?])
            }
            "was" => {
                let of = self.expr()?;
                let k = if self.take(",") { self.number(64, "a place")? } else { 1 };
                (Head::Was(k), vec![of])
            }
            "latest" => {
                let test = self.expr()?;
                if !self.take(",") {
                    self.require(")")?;
                    let attr = self.dotted()?;
                    let attr = self.tree(at, attr);
                    return Ok(self.node(at, Head::Latest, [test, attr]));
                }
                (Head::Latest, vec![test, self.expr()?])
            }
            "this" => (Head::This, self.arguments(Some(1))?),
            "among" => (Head::Among, self.arguments(Some(2))?),
            "cycle" => (Head::Cycle, self.arguments(None)?),
            "after" | "place" => {
                let of = self.expr()?;
                self.require(",")?;
                let op = if function == "after" { ListOp::After } else { ListOp::Place };
                (Head::List(op, self.constants(")")?), vec![of])
            }
            "pattern" | "motif" | "repeat" => {
                let of = self.expr()?;
                self.require(",")?;
                let letters = self.peek();
                let are_letters = letters.bytes().all(|b| b.is_ascii_uppercase());
                if !are_letters || !(1..=16).contains(&letters.len()) {
                    let what = "1 to 16 capital letters, as in `AABB`; X is any value";
                    return Err(self.expected(what));
                }
                self.skip(1);
                // `repeat` is another word for `pattern`.
                let kind = function.parse().unwrap_or(PatternKind::Pattern);
                (Head::Pattern(kind, letters.into()), vec![of])
            }
            _ => match function.parse() {
                Ok(aggregate) => self.aggregate(aggregate)?,
                Err(_) => {
                    let op = Op::function(function).unwrap_or(Op::Holds);
                    (op.into(), self.arguments(op.spec().arity)?)
                }
            },
        };
        self.require(")")?;
        Ok(self.node(at, head, parts))
    }

    fn aggregate(&mut self, aggregate: Aggregate) -> Result<(Head, Vec<Expr>)> {
        let mut parts = vec![self.expr()?];
        let span = if !aggregate.can_have_window() || !self.take(",") {
            Span::Line
        } else if self.take("since") {
            self.require("(")?;
            parts.push(self.expr()?);
            self.require(")")?;
            Span::Since
        } else {
            Span::Last(self.number(32, "`since(…)` or the number of cards to look back on")?)
        };
        Ok((Head::Aggregate(aggregate, span), parts))
    }
}
