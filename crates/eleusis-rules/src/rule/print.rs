//! The canonical text of a rule: `parse` gives the same tree back.

use std::fmt::{self, Display};

use super::words::{
    COMPARISON, DEFAULT, Form, NOT, PRIMARY, SIGN, SUM, WHOLE, function_word, infix,
};
use super::{Color, Expr, Listed, Op, Part};

/// How tightly an expression binds.
fn binding(expr: &Expr) -> u8 {
    match expr {
        Expr::Op(Op::If, _) | Expr::Phase(_) => WHOLE,
        Expr::Op(Op::Not, _) => NOT,
        Expr::Op(Op::Neg, _) => SIGN,
        Expr::Num(n) if *n < 0 => SIGN,
        Expr::Listed(Listed::In, ..) => COMPARISON,
        Expr::Op(op, _) => infix(*op).map_or(PRIMARY, |(_, tight)| tight),
        _ => PRIMARY,
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

fn list(f: &mut fmt::Formatter<'_>, items: &[Expr], between: &str) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        f.write_str(if index > 0 { between } else { "" })?;
        argument(item).fmt(f)?;
    }
    Ok(())
}

fn call(f: &mut fmt::Formatter<'_>, form: Form, items: &[Expr]) -> fmt::Result {
    write!(f, "{}(", function_word(form))?;
    list(f, items, ", ")?;
    f.write_str(")")
}

impl Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Num(value) => write!(f, "{value}"),
            Expr::Suit(suit) => write!(f, "{}", ["S", "H", "D", "C"][suit.index()]),
            Expr::Color(Color::Red) => f.write_str("red"),
            Expr::Color(Color::Black) => f.write_str("black"),
            Expr::Bool(value) => write!(f, "{value}"),
            Expr::Attr(attr) => f.write_str(attr.word()),
            Expr::Length => f.write_str("n"),
            Expr::Was(k, a) => match (k, a.as_ref()) {
                (1, a @ Expr::Attr(_)) => write!(f, "last.{a}"),
                (k, a @ Expr::Attr(_)) => write!(f, "last({k}).{a}"),
                (1, a) => write!(f, "was({})", argument(a)),
                (k, a) => write!(f, "was({}, {k})", argument(a)),
            },
            Expr::At(k, a) => match (k, a.as_ref()) {
                (1, a @ Expr::Attr(_)) => write!(f, "first.{a}"),
                (k, a @ Expr::Attr(_)) => write!(f, "card({k}).{a}"),
                (k, a) => write!(f, "at({k}, {})", argument(a)),
            },
            Expr::This(a) => match a.as_ref() {
                Expr::Attr(_) => write!(f, "this.{a}"),
                a => write!(f, "this({})", argument(a)),
            },
            Expr::Among(p, a) => {
                write!(f, "{}({}, {})", function_word(Form::Among), argument(p), argument(a))
            }
            Expr::Latest(p, a) => match a.as_ref() {
                Expr::Attr(_) => write!(f, "latest({}).{a}", argument(p)),
                a => write!(f, "latest({}, {})", argument(p), argument(a)),
            },
            Expr::Op(op, items) => operation(f, *op, items),
            Expr::Listed(Listed::In, a, items) => {
                write!(f, "{} in {{", At(a, SUM))?;
                list(f, items, ", ")?;
                f.write_str("}")
            }
            Expr::Listed(what, a, items) => {
                write!(f, "{}({}, ", function_word(Form::Listed(*what)), argument(a))?;
                list(f, items, " ")?;
                f.write_str(")")
            }
            Expr::Over(what, a, window) => {
                write!(f, "{}({}", function_word(Form::Over(*what)), argument(a))?;
                window.map_or(Ok(()), |window| write!(f, ", {window}"))?;
                f.write_str(")")
            }
            Expr::OverSince(what, a, p) => {
                let (word, a, p) = (function_word(Form::Over(*what)), argument(a), argument(p));
                write!(f, "{word}({a}, since({p}))")
            }
            Expr::Cycle(items) => call(f, Form::Cycle, items),
            Expr::Phase(parts) => phase(f, parts),
            Expr::Letters(what, a, letters) => {
                let (word, letters) =
                    (function_word(Form::Letters(*what)), String::from_utf8_lossy(letters));
                write!(f, "{word}({}, {letters})", argument(a))
            }
        }
    }
}

fn operation(f: &mut fmt::Formatter<'_>, op: Op, items: &[Expr]) -> fmt::Result {
    match (op, items) {
        (Op::Not, [a]) => write!(f, "not {}", At(a, NOT)),
        // `-3` is a number, so a negated number needs its parentheses.
        (Op::Neg, [a @ Expr::Num(_)]) => write!(f, "-({a})"),
        (Op::Neg, [a]) => write!(f, "-{}", At(a, SIGN)),
        // An `if` without `else` in the middle would take the outer `else`; one is always printed.
        (Op::If, [a, b, c]) => write!(f, "if {a} then {b} else {c}"),
        _ => {
            let Some((word, tight)) = infix(op) else { return call(f, Form::Op(op), items) };
            // Two group to the left; a comparison takes no comparison on either side.
            let grouped = op.arity().is_some() && tight != COMPARISON;
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    write!(f, " {word} ")?;
                }
                At(item, if grouped && index == 0 { tight } else { tight + 1 }).fmt(f)?;
            }
            Ok(())
        }
    }
}

fn phase(f: &mut fmt::Formatter<'_>, parts: &[(u8, Part, Expr)]) -> fmt::Result {
    let period: u32 = parts.iter().map(|(count, ..)| u32::from(*count)).sum();
    write!(f, "phase({period}): ")?;
    for (index, (count, part, inner)) in parts.iter().enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        let word = match part {
            Part::Test => {
                write!(f, "{count} {}", At(inner, DEFAULT))?;
                continue;
            }
            Part::Same => "same",
            Part::Other => "other",
        };
        match inner {
            Expr::Attr(_) => write!(f, "{count} {word} {inner}")?,
            _ => write!(f, "{count} {word}({inner})")?,
        }
    }
    Ok(())
}
