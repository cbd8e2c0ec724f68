//! The canonical text of a rule: `parse` gives the same tree back.

use std::fmt::{self, Display};

use super::ast::{Binary, Color, Expr, Part, Unary};
use super::words::over_word;
use crate::cards::Suit;

// How tightly an expression binds; an argument that binds less tightly than its place asks for
// stands in parentheses.
const WHOLE: u8 = 0;
const DEFAULT: u8 = 1;
const OR: u8 = 2;
const XOR: u8 = 3;
const AND: u8 = 4;
const NOT: u8 = 5;
const COMPARISON: u8 = 6;
const SUM: u8 = 7;
const PRODUCT: u8 = 8;
const UNARY: u8 = 9;
const PRIMARY: u8 = 10;

fn binding(expr: &Expr) -> u8 {
    match expr {
        Expr::If(..) | Expr::Phase(_) => WHOLE,
        Expr::Any(_) => OR,
        Expr::All(_) => AND,
        Expr::Unary(Unary::Not, _) => NOT,
        Expr::Unary(Unary::Neg, _) => UNARY,
        Expr::Num(n) if *n < 0 => UNARY,
        Expr::In(..) => COMPARISON,
        Expr::Binary(op, ..) => match op {
            Binary::Default => DEFAULT,
            Binary::Xor => XOR,
            Binary::Add | Binary::Sub => SUM,
            Binary::Mul | Binary::Div | Binary::Mod => PRODUCT,
            Binary::Larger | Binary::Smaller => PRIMARY,
            _ => COMPARISON,
        },
        _ => PRIMARY,
    }
}

fn sign(op: Binary) -> &'static str {
    match op {
        Binary::Add => "+",
        Binary::Sub => "-",
        Binary::Mul => "*",
        Binary::Div => "/",
        Binary::Mod => "mod",
        Binary::Larger => "larger",
        Binary::Smaller => "smaller",
        Binary::Eq => "==",
        Binary::Ne => "!=",
        Binary::Lt => "<",
        Binary::Le => "<=",
        Binary::Gt => ">",
        Binary::Ge => ">=",
        Binary::Xor => "xor",
        Binary::Default => "??",
    }
}

/// An expression in a place that asks for some tightness.
struct At<'a>(&'a Expr, u8);

impl Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if binding(self.0) < self.1 { write!(f, "({})", self.0) } else { self.0.fmt(f) }
    }
}

/// An argument of a function: a phase or an `if` would take the commas after it.
const fn argument(expr: &Expr) -> At<'_> {
    At(expr, DEFAULT)
}

fn chain(f: &mut fmt::Formatter<'_>, items: &[Expr], between: &str, tight: u8) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        f.write_str(if index > 0 { between } else { "" })?;
        At(item, tight).fmt(f)?;
    }
    Ok(())
}

fn list(f: &mut fmt::Formatter<'_>, items: &[Expr], between: &str) -> fmt::Result {
    chain(f, items, between, DEFAULT)
}

impl Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Num(value) => write!(f, "{value}"),
            Expr::Suit(suit) => f.write_str(match suit {
                Suit::Spades => "S",
                Suit::Hearts => "H",
                Suit::Diamonds => "D",
                Suit::Clubs => "C",
            }),
            Expr::Color(Color::Red) => f.write_str("red"),
            Expr::Color(Color::Black) => f.write_str("black"),
            Expr::Bool(value) => write!(f, "{value}"),
            Expr::Attr(attr) => f.write_str(attr.word()),
            Expr::Length => f.write_str("n"),
            Expr::Was(k, a) => match (k, a.as_ref()) {
                (1, Expr::Attr(attr)) => write!(f, "last.{}", attr.word()),
                (k, Expr::Attr(attr)) => write!(f, "last({k}).{}", attr.word()),
                (1, a) => write!(f, "was({})", argument(a)),
                (k, a) => write!(f, "was({}, {k})", argument(a)),
            },
            Expr::At(k, a) => match (k, a.as_ref()) {
                (1, Expr::Attr(attr)) => write!(f, "first.{}", attr.word()),
                (k, Expr::Attr(attr)) => write!(f, "card({k}).{}", attr.word()),
                (k, a) => write!(f, "at({k}, {})", argument(a)),
            },
            Expr::Latest(p, a) => match a.as_ref() {
                Expr::Attr(attr) => write!(f, "latest({}).{}", argument(p), attr.word()),
                a => write!(f, "latest({}, {})", argument(p), argument(a)),
            },
            Expr::Unary(op, a) => match op {
                Unary::Not => write!(f, "not {}", At(a, NOT)),
                // `-3` is a number, so a negated number needs its parentheses.
                Unary::Neg if matches!(a.as_ref(), Expr::Num(_)) => write!(f, "-({a})"),
                Unary::Neg => write!(f, "-{}", At(a, UNARY)),
                Unary::Abs => write!(f, "abs({})", argument(a)),
                Unary::Even => write!(f, "even({})", argument(a)),
                Unary::Odd => write!(f, "odd({})", argument(a)),
                Unary::Prime => write!(f, "prime({})", argument(a)),
            },
            Expr::Binary(op @ (Binary::Larger | Binary::Smaller), a, b) => {
                write!(f, "{}({}, {})", sign(*op), argument(a), argument(b))
            }
            Expr::Binary(op, a, b) => {
                let tight = binding(self);
                // All group to the left; a comparison takes no comparison on either side.
                let left = if tight == COMPARISON { SUM } else { tight };
                write!(f, "{} {} {}", At(a, left), sign(*op), At(b, tight + 1))
            }
            Expr::All(items) => chain(f, items, " and ", NOT),
            Expr::Any(items) => chain(f, items, " or ", XOR),
            Expr::If(a, b, c) => {
                // An `if` without `else` in the middle would take the outer `else`; one is always
                // printed.
                write!(f, "if {a} then {b} else {c}")
            }
            Expr::In(a, items) => {
                write!(f, "{} in {{", At(a, SUM))?;
                list(f, items, ", ")?;
                f.write_str("}")
            }
            Expr::After(a, items) | Expr::Place(a, items) => {
                let word = if matches!(self, Expr::After(..)) { "after" } else { "place" };
                write!(f, "{word}({}, ", argument(a))?;
                list(f, items, " ")?;
                f.write_str(")")
            }
            Expr::Holds(items) | Expr::Cycle(items) => {
                f.write_str(if matches!(self, Expr::Holds(_)) { "holds(" } else { "cycle(" })?;
                list(f, items, ", ")?;
                f.write_str(")")
            }
            Expr::Over(what, a, window) => match window {
                Some(window) => write!(f, "{}({}, {window})", over_word(*what), argument(a)),
                None => write!(f, "{}({})", over_word(*what), argument(a)),
            },
            Expr::Since(a) => write!(f, "since({})", argument(a)),
            Expr::Run(a) => write!(f, "run({})", argument(a)),
            Expr::Runs(a) => write!(f, "runs({})", argument(a)),
            Expr::Phase(parts) => phase(f, parts),
            Expr::Pattern(a, letters) | Expr::Motif(a, letters) => {
                let word = if matches!(self, Expr::Pattern(..)) { "pattern" } else { "motif" };
                write!(f, "{word}({}, {})", argument(a), String::from_utf8_lossy(letters))
            }
        }
    }
}

fn phase(f: &mut fmt::Formatter<'_>, parts: &[(u8, Part)]) -> fmt::Result {
    let period: u32 = parts.iter().map(|(count, _)| u32::from(*count)).sum();
    write!(f, "phase({period}): ")?;
    for (index, (count, part)) in parts.iter().enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{count} ")?;
        match part {
            Part::Test(test) => At(test, DEFAULT).fmt(f)?,
            Part::Same(Expr::Attr(attr)) => write!(f, "same {}", attr.word())?,
            Part::Other(Expr::Attr(attr)) => write!(f, "other {}", attr.word())?,
            Part::Same(inner) => write!(f, "same({inner})")?,
            Part::Other(inner) => write!(f, "other({inner})")?,
        }
    }
    Ok(())
}
