//! Rewriting to the core language: `this`, phases, patterns and motifs are expanded, and remainders
//! of counters are taken early.

use itertools::Itertools;

use super::expr::{Constant, Expr, Head, PatternKind, PhasePart, Sort, Span, compared};
use super::kind::{Result, RuleError, kind};
use super::operators::Aggregate::{Count, Sum};
use super::operators::{ListOp, Op};

/// Returns the rule without phases, patterns and motifs.
pub(crate) fn desugar(expr: &Expr) -> Expr {
    let mut core = expr.clone();
    desugar_in_place(&mut core);
    core
}

fn desugar_in_place(expr: &mut Expr) {
    expr.parts.iter_mut().for_each(desugar_in_place);
    let parts = &expr.parts;
    *expr = match &expr.head {
        // The parity of a counter needs only its remainder.
        Head::Op(op @ (Op::Even | Op::Odd)) => {
            let parity = num_mod(reduced(&parts[0], 2), 2);
            Expr::new(Op::Eq, [parity, Expr::number((*op == Op::Odd).into())])
        }
        Head::Op(Op::Mod) => match parts[1].head {
            Head::Const(modulus) => num_mod(reduced(&parts[0], modulus.value), modulus.value),
            _ => return,
        },
        Head::Among => among(&parts[0], &parts[1]),
        Head::Phase(list) => phase(list, parts),
        Head::Pattern(PatternKind::Pattern, letters) => pattern(&parts[0], letters),
        Head::Pattern(PatternKind::Motif, letters) => motif(&parts[0], letters),
        _ => return,
    };
}

fn num_mod(a: Expr, modulus: i32) -> Expr {
    Expr::new(Op::Mod, [a, Expr::number(modulus)])
}

/// The number of earlier cards, as a small counter.
fn place_mod(modulus: i32) -> Expr {
    num_mod(Expr::new(Head::Aggregate(Count, Span::Line), [Expr::truth(true)]), modulus)
}

impl Expr {
    /// Returns the same node with other parts.
    fn with_parts(&self, part: impl FnMut(&Expr) -> Expr) -> Expr {
        Expr { head: self.head.clone(), parts: self.parts.iter().map(part).collect() }
    }
}

/// Returns an expression with the same remainder, in which unbounded counters stand under `mod`.
fn reduced(expr: &Expr, modulus: i32) -> Expr {
    match &expr.head {
        Head::Length => place_mod(modulus),
        Head::Aggregate(Count | Sum, Span::Line) => num_mod(expr.clone(), modulus),
        Head::Op(Op::Add | Op::Sub | Op::Mul) => expr.with_parts(|part| reduced(part, modulus)),
        Head::Among => {
            Expr::new(Head::Among, [expr.parts[0].clone(), reduced(&expr.parts[1], modulus)])
        }
        _ => expr.clone(),
    }
}

/// Moves `among` inwards to the subexpressions that look back; it changes only those.
fn among(test: &Expr, expr: &Expr) -> Expr {
    let is_remainder = matches!(expr.head, Head::Op(Op::Mod))
        && matches!(expr.parts[0].head, Head::Aggregate(Count | Sum, Span::Line));
    match expr.head {
        // The remainder of a counter stays together.
        Head::Op(_) | Head::List(..) if !is_remainder => expr.with_parts(|part| among(test, part)),
        _ if inputs(expr).past => Expr::new(Head::Among, [test.clone(), expr.clone()]),
        _ => expr.clone(),
    }
}

/// Selects a test by position in the period.
fn by_position(tests: impl Iterator<Item = Expr>) -> Expr {
    let tests: Vec<Expr> = tests.collect();
    let position = place_mod(tests.len() as i32);
    let mut groups: Vec<(Expr, Vec<Constant>)> = Vec::new();
    for (value, test) in (0..).zip(tests) {
        let place = Constant { sort: Sort::Number, value };
        match groups.iter_mut().find(|(known, _)| *known == test) {
            Some((_, places)) => places.push(place),
            None => groups.push((test, vec![place])),
        }
    }
    let (last, _) = groups.pop().unwrap_or((Expr::truth(true), Vec::new()));
    groups.into_iter().rev().fold(last, |chain, (test, places)| {
        let here = Expr::new(Head::List(ListOp::In, places), [position.clone()]);
        Expr::new(Op::If, [here, test, chain])
    })
}

fn phase(list: &[(u8, PhasePart)], parts: &[Expr]) -> Expr {
    by_position(list.iter().zip(parts).flat_map(|((count, part), a)| {
        let test = match part {
            PhasePart::Test => a.clone(),
            PhasePart::Same => compared(Op::Eq, a, Head::At(1)),
            PhasePart::Other => compared(Op::Ne, a, Head::At(1)),
        };
        std::iter::repeat_n(test, (*count).into())
    }))
}

fn all(mut items: Vec<Expr>) -> Expr {
    match items.len() {
        0 => Expr::truth(true),
        1 => items.swap_remove(0),
        _ => Expr::new(Op::And, items),
    }
}

fn pattern(a: &Expr, letters: &[u8]) -> Expr {
    let bound = |op, place: usize| compared(op, a, Head::At(place as u8 + 1));
    by_position(letters.iter().enumerate().map(|(place, &letter)| {
        let first = letters.iter().position(|l| *l == letter).unwrap_or(0);
        if letter == b'X' {
            return Expr::truth(true);
        }
        let same = bound(Op::Eq, first);
        if first != place {
            return same;
        }
        // The first repetition binds the letter here: its value differs from those bound before.
        let others = letters[..place].iter().enumerate().unique_by(|(_, letter)| **letter);
        let others = others.filter(|(_, letter)| **letter != b'X');
        let others = others.map(|(other, _)| bound(Op::Ne, other)).collect();
        Expr::new(Op::Default, [same, all(others)])
    }))
}

fn motif(a: &Expr, letters: &[u8]) -> Expr {
    by_position(letters.iter().enumerate().map(|(place, &letter)| {
        let others = letters[..place].iter().enumerate();
        let tests =
            others.filter(|(_, other)| letter != b'X' && **other != b'X').map(|(at, other)| {
                let op = if *other == letter { Op::Eq } else { Op::Ne };
                compared(op, a, Head::Was((place - at) as u8))
            });
        all(tests.collect())
    }))
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
    let card = match &expr.head {
        Head::Attr(_) => return Inputs { card: true, past: false },
        Head::Cycle => true,
        Head::Among => inputs(&expr.parts[1]).card,
        Head::Aggregate(what, _) => what.reads_card() && inputs(&expr.parts[0]).card,
        Head::Length | Head::Was(_) | Head::At(_) | Head::Latest => false,
        _ => {
            return expr.parts.iter().map(inputs).fold(Inputs::default(), |all, one| Inputs {
                card: all.card || one.card,
                past: all.past || one.past,
            });
        }
    };
    Inputs { card, past: true }
}

/// Maximum number of values for which a test with `this` is expanded.
const MAX_VALUES: usize = 64;

/// Returns the rule without `this`. A subexpression about the played card, inside something that
/// looks back, becomes a choice by the value of the card.
///
/// # Errors
/// If the expression in `this` can have too many values.
pub(super) fn expand_this(rule: &Expr) -> Result<Expr> {
    expand(rule, 1)
}

/// Expands one test, which was already copied `copies` times.
fn expand(test: &Expr, copies: usize) -> Result<Expr> {
    let mut test = test.clone();
    expand_inner_tests(&mut test, copies)?;
    let Some(of) = distant_this(&test).cloned() else { return Ok(without_this(&test)) };
    let kind = kind(&of)?;
    let copies = copies.saturating_mul(kind.values());
    if copies > MAX_VALUES {
        let this = Expr::new(Head::This, [of]);
        return Err(RuleError(format!(
            "`{this}` can have too many values here: at most {MAX_VALUES} in all"
        )));
    }
    let mut chain = None;
    for value in (kind.low..=kind.high).rev().map(|value| Expr::constant(kind.sort, value)) {
        let chosen = expand(&replace_this(&test, &of, &value), copies)?;
        chain = Some(match chain {
            None => chosen,
            Some(rest) => {
                let has_it = Expr::new(Op::Eq, [of.clone(), value]);
                Expr::new(Op::If, [expand(&has_it, copies)?, chosen, rest])
            }
        });
    }
    Ok(chain.unwrap_or(test))
}

/// Expands the tests inside an expression that stand at the position of the played card.
fn expand_inner_tests(expr: &mut Expr, copies: usize) -> Result<()> {
    let stands_here = |at: usize| match &expr.head {
        Head::Op(_) | Head::List(..) => true,
        Head::Phase(list) => list[at].1 == PhasePart::Test,
        _ => false,
    };
    for (_, part) in expr.parts.iter_mut().enumerate().filter(|(at, _)| stands_here(*at)) {
        if kind(part)?.sort == Sort::Test {
            *part = expand(part, copies)?;
        } else {
            expand_inner_tests(part, copies)?;
        }
    }
    Ok(())
}

/// Finds a `this` inside something that looks back, where it refers to another position.
fn distant_this(expr: &Expr) -> Option<&Expr> {
    match expr.head {
        Head::This | Head::Op(_) | Head::List(..) => expr.parts.iter().find_map(distant_this),
        _ => expr.parts.iter().find_map(find_this),
    }
}

/// Returns the expression inside the first `this`.
fn find_this(expr: &Expr) -> Option<&Expr> {
    match expr.head {
        Head::This => expr.parts.first(),
        _ => expr.parts.iter().find_map(find_this),
    }
}

/// Removes `this` at the position of the played card, where it has no effect.
fn without_this(expr: &Expr) -> Expr {
    match expr.head {
        Head::This => without_this(&expr.parts[0]),
        _ => expr.with_parts(without_this),
    }
}

/// Replaces each `this(of)` by `value`.
fn replace_this(expr: &Expr, of: &Expr, value: &Expr) -> Expr {
    match expr.head {
        Head::This if expr.parts[0] == *of => value.clone(),
        _ => expr.with_parts(|part| replace_this(part, of, value)),
    }
}
