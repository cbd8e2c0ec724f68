//! Rewriting to the core language: `this`, phases, patterns and motifs are expanded, and remainders
//! of counters are taken early.

use super::expr::{Color, Expr, PatternKind, PhasePart};
use super::kind::{Kind, RuleError, kind};
use super::operators::{Aggregate, ListOp, Op};
use parlour_base::cards::Suit;

/// Returns the rule without phases, patterns and motifs.
pub(crate) fn desugar(expr: &Expr) -> Expr {
    let mut core = expr.clone();
    desugar_in_place(&mut core);
    core
}

fn desugar_in_place(expr: &mut Expr) {
    expr.children_mut().into_iter().for_each(desugar_in_place);
    *expr = match expr {
        // The parity of a counter needs only its remainder.
        Expr::Op(op @ (Op::Even | Op::Odd), items) => {
            let parity = num_mod(reduced(&items[0], 2), 2);
            Expr::Op(Op::Eq, vec![parity, Expr::Num((*op == Op::Odd).into())])
        }
        Expr::Op(Op::Mod, items) => {
            let Expr::Num(modulus) = items[1] else { return };
            num_mod(reduced(&items[0], modulus), modulus)
        }
        Expr::Among(test, a) => among(test, a),
        Expr::Phase(parts) => phase(parts),
        Expr::Pattern(PatternKind::Pattern, a, letters) => pattern(a, letters),
        Expr::Pattern(PatternKind::Motif, a, letters) => motif(a, letters),
        _ => return,
    };
}

fn num_mod(a: Expr, modulus: i32) -> Expr {
    Expr::Op(Op::Mod, vec![a, Expr::Num(modulus)])
}

/// The number of earlier cards, as a small counter.
fn place_mod(modulus: i32) -> Expr {
    num_mod(Expr::Aggregate(Aggregate::Count, Expr::Bool(true).into(), None), modulus)
}

/// Returns an expression with the same remainder, in which unbounded counters stand under `mod`.
fn reduced(expr: &Expr, modulus: i32) -> Expr {
    match expr {
        Expr::Length => place_mod(modulus),
        Expr::Aggregate(Aggregate::Count | Aggregate::Sum, _, None) => {
            num_mod(expr.clone(), modulus)
        }
        Expr::Op(op @ (Op::Add | Op::Sub | Op::Mul), items) => {
            Expr::Op(*op, items.iter().map(|item| reduced(item, modulus)).collect())
        }
        Expr::Among(test, a) => Expr::Among(test.clone(), reduced(a, modulus).into()),
        other => other.clone(),
    }
}

/// Moves `among` inwards to the subexpressions that look back; it changes only those.
fn among(test: &Expr, expr: &Expr) -> Expr {
    let inner = |a: &Expr| among(test, a);
    match expr {
        // The remainder of a counter stays together.
        Expr::Op(Op::Mod, items)
            if matches!(items[0], Expr::Aggregate(Aggregate::Count | Aggregate::Sum, _, None)) =>
        {
            Expr::Among(test.clone().into(), expr.clone().into())
        }
        Expr::Op(op, items) => Expr::Op(*op, items.iter().map(inner).collect()),
        Expr::List(what, a, list) => Expr::List(*what, inner(a).into(), list.clone()),
        other if inputs(other).past => Expr::Among(test.clone().into(), other.clone().into()),
        other => other.clone(),
    }
}

/// Selects a test by position in the period.
fn by_position(tests: Vec<Expr>) -> Expr {
    let position = place_mod(tests.len() as i32);
    let mut groups: Vec<(Expr, Vec<Expr>)> = Vec::new();
    for (index, test) in (0..).zip(tests) {
        match groups.iter_mut().find(|(known, _)| *known == test) {
            Some((_, places)) => places.push(Expr::Num(index)),
            None => groups.push((test, vec![Expr::Num(index)])),
        }
    }
    let (mut chain, _) = groups.pop().unwrap_or((Expr::Bool(true), Vec::new()));
    while let Some((test, places)) = groups.pop() {
        let here = Expr::List(ListOp::In, position.clone().into(), places);
        chain = Expr::Op(Op::If, vec![here, test, chain]);
    }
    chain
}

/// Compares the value here with the value at another position.
fn compared(op: Op, a: &Expr, other: impl Fn(Box<Expr>) -> Expr) -> Expr {
    Expr::Op(op, vec![a.clone(), other(a.clone().into())])
}

fn phase(parts: &[(u8, PhasePart, Expr)]) -> Expr {
    let first = |a| Expr::At(1, a);
    let tests = parts.iter().flat_map(|(count, part, a)| {
        let test = match part {
            PhasePart::Test => a.clone(),
            PhasePart::Same => compared(Op::Eq, a, first),
            PhasePart::Other => compared(Op::Ne, a, first),
        };
        std::iter::repeat_n(test, (*count).into())
    });
    by_position(tests.collect())
}

fn all(mut items: Vec<Expr>) -> Expr {
    match items.len() {
        0 => Expr::Bool(true),
        1 => items.swap_remove(0),
        _ => Expr::Op(Op::And, items),
    }
}

fn pattern(a: &Expr, letters: &[u8]) -> Expr {
    let first_of = |letter| letters.iter().position(|l| *l == letter).unwrap_or(0);
    let bound = |op, place: usize| compared(op, a, |a| Expr::At(place as u8 + 1, a));
    let tests = letters.iter().enumerate().map(|(place, &letter)| {
        let first = first_of(letter);
        if letter == b'X' {
            return Expr::Bool(true);
        }
        let same = bound(Op::Eq, first);
        if first != place {
            return same;
        }
        // The first repetition binds the letter here: its value differs from those bound before.
        let others = (0..place)
            .filter(|&other| letters[other] != b'X' && first_of(letters[other]) == other)
            .map(|other| bound(Op::Ne, other))
            .collect();
        Expr::Op(Op::Default, vec![same, all(others)])
    });
    by_position(tests.collect())
}

fn motif(a: &Expr, letters: &[u8]) -> Expr {
    let tests = letters.iter().enumerate().map(|(place, &letter)| {
        if letter == b'X' {
            return Expr::Bool(true);
        }
        let tests = (0..place).filter(|&other| letters[other] != b'X').map(|other| {
            let op = if letters[other] == letter { Op::Eq } else { Op::Ne };
            compared(op, a, |a| Expr::Was((place - other) as u8, a))
        });
        all(tests.collect())
    });
    by_position(tests.collect())
}

/// Inputs of an expression.
#[derive(Clone, Copy, Default)]
pub(super) struct Inputs {
    /// The value depends on the card at this position.
    pub card: bool,
    /// The value depends on earlier cards.
    pub past: bool,
}

/// Returns the inputs that an expression reads.
pub(super) fn inputs(expr: &Expr) -> Inputs {
    match expr {
        Expr::Attr(_) => Inputs { card: true, past: false },
        Expr::Cycle(_) => Inputs { card: true, past: true },
        Expr::Among(_, a) => Inputs { card: inputs(a).card, past: true },
        Expr::Aggregate(what, a, _) | Expr::AggregateSince(what, a, _) => {
            Inputs { card: what.reads_card() && inputs(a).card, past: true }
        }
        Expr::Length | Expr::Was(..) | Expr::At(..) | Expr::Latest(..) => {
            Inputs { card: false, past: true }
        }
        other => other.children().into_iter().map(inputs).fold(Inputs::default(), |all, one| {
            Inputs { card: all.card || one.card, past: all.past || one.past }
        }),
    }
}

/// Maximum number of values for which a test with `this` is expanded.
const MAX_VALUES: usize = 64;

/// Returns the rule without `this`. A subexpression about the played card, inside something that
/// looks back, becomes a choice by the value of the card.
///
/// # Errors
/// If the expression in `this` can have too many values.
pub(super) fn expand_this(rule: &Expr) -> Result<Expr, RuleError> {
    expand(rule, 1)
}

/// Expands one test, which was already copied `copies` times.
fn expand(test: &Expr, copies: usize) -> Result<Expr, RuleError> {
    let mut test = test.clone();
    expand_inner_tests(&mut test, copies)?;
    let Some(of) = distant_this(&test).cloned() else { return Ok(without_this(&test)) };
    let values = values(kind(&of)?);
    let copies = copies.saturating_mul(values.len());
    if values.is_empty() || copies > MAX_VALUES {
        let what = format!("`{}` can have too many values here", Expr::This(of.into()));
        return Err(RuleError::Large(format!("{what}: at most {MAX_VALUES} in all")));
    }
    let mut chain = None;
    for value in values.into_iter().rev() {
        let chosen = expand(&replace_this(&test, &of, &value), copies)?;
        chain = Some(match chain {
            None => chosen,
            Some(rest) => {
                let has_it = Expr::Op(Op::Eq, vec![of.clone(), value]);
                Expr::Op(Op::If, vec![expand(&has_it, copies)?, chosen, rest])
            }
        });
    }
    Ok(chain.unwrap_or(test))
}

/// Expands the tests inside an expression that stand at the position of the played card.
fn expand_inner_tests(expr: &mut Expr, copies: usize) -> Result<(), RuleError> {
    let parts = match expr {
        Expr::Op(_, items) => items.iter_mut().collect(),
        Expr::List(_, a, _) => vec![a.as_mut()],
        Expr::Phase(parts) => {
            let tests = parts.iter_mut().filter(|(_, part, _)| *part == PhasePart::Test);
            tests.map(|(_, _, test)| test).collect()
        }
        _ => Vec::new(),
    };
    for part in parts {
        if kind(part)? == Kind::Bool {
            *part = expand(part, copies)?;
        } else {
            expand_inner_tests(part, copies)?;
        }
    }
    Ok(())
}

/// Finds a `this` inside something that looks back, where it refers to another position.
fn distant_this(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::This(a) => distant_this(a),
        Expr::Op(..) | Expr::List(..) => expr.children().into_iter().find_map(distant_this),
        other => other.children().into_iter().find_map(find_this),
    }
}

/// Returns the expression inside the first `this`.
fn find_this(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::This(a) => Some(a),
        other => other.children().into_iter().find_map(find_this),
    }
}

/// Removes `this` at the position of the played card, where it has no effect.
fn without_this(expr: &Expr) -> Expr {
    let mut expr = expr.clone();
    while let Expr::This(a) = expr {
        expr = *a;
    }
    for child in expr.children_mut() {
        *child = without_this(child);
    }
    expr
}

/// Replaces each `this(of)` by `value`.
fn replace_this(expr: &Expr, of: &Expr, value: &Expr) -> Expr {
    if matches!(expr, Expr::This(a) if a.as_ref() == of) {
        return value.clone();
    }
    let mut expr = expr.clone();
    for child in expr.children_mut() {
        *child = replace_this(child, of, value);
    }
    expr
}

/// Returns all values of a kind; empty if there are too many.
fn values(kind: Kind) -> Vec<Expr> {
    match kind {
        _ if kind.values() > MAX_VALUES => Vec::new(),
        Kind::Bool => vec![Expr::Bool(false), Expr::Bool(true)],
        Kind::Color => vec![Expr::Color(Color::Black), Expr::Color(Color::Red)],
        Kind::Suit => Suit::ALL.map(Expr::Suit).into(),
        Kind::Int(low, high) => (low..=high).map(Expr::Num).collect(),
    }
}
