//! The core of the language: phases, patterns and motifs spelled out, remainders of counters
//! taken early.

use super::{Expr, Letters, Listed, Op, Over, Part};

/// The same rule without phases, patterns and motifs.
pub fn desugared(expr: &Expr) -> Expr {
    let mut core = expr.clone();
    desugar(&mut core);
    core
}

fn desugar(expr: &mut Expr) {
    expr.children_mut().into_iter().for_each(desugar);
    *expr = match expr {
        // Whether a counter is even needs its remainder only.
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
        Expr::Letters(Letters::Pattern, a, letters) => pattern(a, letters),
        Expr::Letters(Letters::Motif, a, letters) => motif(a, letters),
        _ => return,
    };
}

fn num_mod(a: Expr, modulus: i32) -> Expr {
    Expr::Op(Op::Mod, vec![a, Expr::Num(modulus)])
}

/// How many cards come before, as a small counter.
fn place_mod(modulus: i32) -> Expr {
    num_mod(Expr::Over(Over::Count, Expr::Bool(true).into(), None), modulus)
}

/// An expression with the same remainder, in which counters without bound stand under `mod`.
fn reduced(expr: &Expr, modulus: i32) -> Expr {
    match expr {
        Expr::Length => place_mod(modulus),
        Expr::Over(Over::Count | Over::Sum, _, None) => num_mod(expr.clone(), modulus),
        Expr::Op(op @ (Op::Add | Op::Sub | Op::Mul), items) => {
            Expr::Op(*op, items.iter().map(|item| reduced(item, modulus)).collect())
        }
        Expr::Among(test, a) => Expr::Among(test.clone(), reduced(a, modulus).into()),
        other => other.clone(),
    }
}

/// `among` drawn in to the parts that look back, which alone it changes.
fn among(test: &Expr, expr: &Expr) -> Expr {
    let inner = |a: &Expr| among(test, a);
    match expr {
        // A remainder of a counter is one part.
        Expr::Op(Op::Mod, items)
            if matches!(items[0], Expr::Over(Over::Count | Over::Sum, _, None)) =>
        {
            Expr::Among(test.clone().into(), expr.clone().into())
        }
        Expr::Op(op, items) => Expr::Op(*op, items.iter().map(inner).collect()),
        Expr::Listed(what, a, list) => Expr::Listed(*what, inner(a).into(), list.clone()),
        other if uses(other).1 => Expr::Among(test.clone().into(), other.clone().into()),
        other => other.clone(),
    }
}

/// By position: the test at each place of a period.
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
        let here = Expr::Listed(Listed::In, position.clone().into(), places);
        chain = Expr::Op(Op::If, vec![here, test, chain]);
    }
    chain
}

/// Whether the value here is, or is not, the one of another place.
fn compared(op: Op, a: &Expr, other: impl Fn(Box<Expr>) -> Expr) -> Expr {
    Expr::Op(op, vec![a.clone(), other(a.clone().into())])
}

fn phase(parts: &[(u8, Part, Expr)]) -> Expr {
    let first = |a| Expr::At(1, a);
    let tests = parts.iter().flat_map(|(count, part, a)| {
        let test = match part {
            Part::Test => a.clone(),
            Part::Same => compared(Op::Eq, a, first),
            Part::Other => compared(Op::Ne, a, first),
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
        // The letter is bound here the first time round: it differs from those bound before.
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

/// Whether the value depends on the card at this place, and on the cards before it.
pub(super) fn uses(expr: &Expr) -> (bool, bool) {
    match expr {
        Expr::Attr(_) => (true, false),
        Expr::Cycle(_) => (true, true),
        Expr::Over(what, a, _) | Expr::OverSince(what, a, _) if what.reads_card() => {
            (uses(a).0, true)
        }
        Expr::Among(_, a) => (uses(a).0, true),
        Expr::Length | Expr::Was(..) | Expr::At(..) | Expr::Latest(..) => (false, true),
        Expr::Over(..) | Expr::OverSince(..) => (false, true),
        other => other
            .children()
            .into_iter()
            .map(uses)
            .fold((false, false), |all, one| (all.0 || one.0, all.1 || one.1)),
    }
}
