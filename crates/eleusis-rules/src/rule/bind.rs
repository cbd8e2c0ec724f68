//! `this` spelled out: what speaks of the card played inside something that looks back becomes a
//! choice by the value that the card has.

use super::{Color, Expr, Kind, Op, Part, RuleError, kind};
use crate::cards::Suit;

/// No test is spelled out for more values.
const MOST: usize = 64;

/// The same rule without `this`.
///
/// # Errors
/// When `this` speaks of something with too many values.
pub(super) fn bound(rule: &Expr) -> Result<Expr, RuleError> {
    bind(rule, 1)
}

/// `copies`: into how many this test was spelled out already.
fn bind(test: &Expr, copies: usize) -> Result<Expr, RuleError> {
    let mut test = test.clone();
    bind_tests_in(&mut test, copies)?;
    let Some(of) = far(&test).cloned() else { return Ok(here(&test)) };
    let values = values(kind(&of)?);
    let copies = copies.saturating_mul(values.len());
    if values.is_empty() || copies > MOST {
        let what = format!("`{}` can have too many values here", Expr::This(of.into()));
        return Err(RuleError::Large(format!("{what}: at most {MOST} in all")));
    }
    let mut chain = None;
    for value in values.into_iter().rev() {
        let found = bind(&replaced(&test, &of, &value), copies)?;
        chain = Some(match chain {
            None => found,
            Some(rest) => {
                let has_it = Expr::Op(Op::Eq, vec![of.clone(), value]);
                Expr::Op(Op::If, vec![bind(&has_it, copies)?, found, rest])
            }
        });
    }
    Ok(chain.unwrap_or(test))
}

/// Spells out the tests in it that stand at the place of the card played, each for itself.
fn bind_tests_in(expr: &mut Expr, copies: usize) -> Result<(), RuleError> {
    let parts = match expr {
        Expr::Op(_, items) => items.iter_mut().collect(),
        Expr::Listed(_, a, _) => vec![a.as_mut()],
        Expr::Phase(parts) => {
            let tests = parts.iter_mut().filter(|(_, part, _)| *part == Part::Test);
            tests.map(|(_, _, test)| test).collect()
        }
        _ => Vec::new(),
    };
    for part in parts {
        if kind(part)? == Kind::Bool {
            *part = bind(part, copies)?;
        } else {
            bind_tests_in(part, copies)?;
        }
    }
    Ok(())
}

/// What a `this` speaks of that stands inside something that looks back, where it is another place.
fn far(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::This(a) => far(a),
        Expr::Op(..) | Expr::Listed(..) => expr.children().into_iter().find_map(far),
        other => other.children().into_iter().find_map(spoken_of),
    }
}

/// What the first `this` in it speaks of.
fn spoken_of(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::This(a) => Some(a),
        other => other.children().into_iter().find_map(spoken_of),
    }
}

/// Without the `this` at the place of the card played, where it says nothing.
fn here(expr: &Expr) -> Expr {
    let mut expr = expr.clone();
    while let Expr::This(a) = expr {
        expr = *a;
    }
    for child in expr.children_mut() {
        *child = here(child);
    }
    expr
}

/// With `value` in the place of each `this` that speaks of it.
fn replaced(expr: &Expr, of: &Expr, value: &Expr) -> Expr {
    if matches!(expr, Expr::This(a) if a.as_ref() == of) {
        return value.clone();
    }
    let mut expr = expr.clone();
    for child in expr.children_mut() {
        *child = replaced(child, of, value);
    }
    expr
}

/// All values of a kind, if they are few enough.
fn values(kind: Kind) -> Vec<Expr> {
    match kind {
        _ if kind.values() > MOST => Vec::new(),
        Kind::Bool => vec![Expr::Bool(false), Expr::Bool(true)],
        Kind::Color => vec![Expr::Color(Color::Black), Expr::Color(Color::Red)],
        Kind::Suit => Suit::ALL.map(Expr::Suit).into(),
        Kind::Int(low, high) => (low..=high).map(Expr::Num).collect(),
    }
}
