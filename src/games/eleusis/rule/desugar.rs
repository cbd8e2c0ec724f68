//! The core of the language: phases, patterns and motifs spelled out, remainders of counters
//! taken early.

use super::ast::{Binary, Expr, Over, Part, Unary};

/// The same rule without phases, patterns and motifs.
pub(super) fn desugared(expr: &Expr) -> Expr {
    let mut core = expr.clone();
    desugar(&mut core);
    core
}

fn desugar(expr: &mut Expr) {
    expr.children_mut().into_iter().for_each(desugar);
    *expr = match expr {
        // Whether a counter is even needs its remainder only.
        Expr::Unary(op @ (Unary::Even | Unary::Odd), a) => {
            let parity = num_mod(reduced(a, 2), 2);
            equal(Binary::Eq, parity, Expr::Num(i32::from(*op == Unary::Odd)))
        }
        Expr::Binary(Binary::Mod, a, m) if matches!(**m, Expr::Num(_)) => {
            let modulus = m.constant().unwrap_or_default();
            num_mod(reduced(a, modulus), modulus)
        }
        Expr::Phase(parts) => phase(parts),
        Expr::Pattern(a, letters) => pattern(a, letters),
        Expr::Motif(a, letters) => motif(a, letters),
        _ => return,
    };
}

fn equal(op: Binary, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, a.into(), b.into())
}

fn num_mod(a: Expr, modulus: i32) -> Expr {
    equal(Binary::Mod, a, Expr::Num(modulus))
}

/// An expression with the same remainder, in which counters without bound stand under `mod`.
fn reduced(expr: &Expr, modulus: i32) -> Expr {
    match expr {
        Expr::Length | Expr::Over(Over::Count | Over::Sum, _, None) => {
            num_mod(expr.clone(), modulus)
        }
        Expr::Binary(op @ (Binary::Add | Binary::Sub | Binary::Mul), a, b) => {
            equal(*op, reduced(a, modulus), reduced(b, modulus))
        }
        other => other.clone(),
    }
}

/// By position: the test at each place of a period.
fn by_position(tests: Vec<Expr>) -> Expr {
    let position = num_mod(Expr::Length, tests.len() as i32);
    let mut groups: Vec<(Expr, Vec<Expr>)> = Vec::new();
    for (index, test) in (0..).zip(tests) {
        match groups.iter_mut().find(|(known, _)| *known == test) {
            Some((_, places)) => places.push(Expr::Num(index)),
            None => groups.push((test, vec![Expr::Num(index)])),
        }
    }
    let (mut chain, _) = groups.pop().unwrap_or((Expr::Bool(true), Vec::new()));
    while let Some((test, places)) = groups.pop() {
        let here = Expr::In(position.clone().into(), places);
        chain = Expr::If(here.into(), test.into(), chain.into());
    }
    chain
}

fn phase(parts: &[(u8, Part)]) -> Expr {
    let mut tests = Vec::new();
    for (count, part) in parts {
        let test = match part {
            Part::Test(test) => test.clone(),
            Part::Same(a) => equal(Binary::Eq, a.clone(), Expr::At(1, a.clone().into())),
            Part::Other(a) => equal(Binary::Ne, a.clone(), Expr::At(1, a.clone().into())),
        };
        tests.extend(std::iter::repeat_n(test, (*count).into()));
    }
    by_position(tests)
}

/// The first place of the letter.
fn first_of(letters: &[u8], letter: u8) -> usize {
    letters.iter().position(|l| *l == letter).unwrap_or(0)
}

fn all(mut items: Vec<Expr>) -> Expr {
    match items.len() {
        0 => Expr::Bool(true),
        1 => items.swap_remove(0),
        _ => Expr::All(items),
    }
}

fn pattern(a: &Expr, letters: &[u8]) -> Expr {
    let bound = |place: usize| Expr::At(place as u8 + 1, a.clone().into());
    let tests = letters.iter().enumerate().map(|(place, &letter)| {
        let first = first_of(letters, letter);
        if letter == b'X' {
            return Expr::Bool(true);
        }
        let same = equal(Binary::Eq, a.clone(), bound(first));
        if first != place {
            return same;
        }
        // The letter is bound here the first time round: it differs from those bound before.
        let others = (0..place)
            .filter(|&other| letters[other] != b'X' && first_of(letters, letters[other]) == other)
            .map(|other| equal(Binary::Ne, a.clone(), bound(other)))
            .collect();
        equal(Binary::Default, same, all(others))
    });
    by_position(tests.collect())
}

fn motif(a: &Expr, letters: &[u8]) -> Expr {
    let tests = letters.iter().enumerate().map(|(place, &letter)| {
        if letter == b'X' {
            return Expr::Bool(true);
        }
        let tests = (0..place).filter(|&other| letters[other] != b'X').map(|other| {
            let op = if letters[other] == letter { Binary::Eq } else { Binary::Ne };
            equal(op, a.clone(), Expr::Was((place - other) as u8, a.clone().into()))
        });
        all(tests.collect())
    });
    by_position(tests.collect())
}

/// Whether the value depends on the card at this place.
pub(super) fn uses_card(expr: &Expr) -> bool {
    match expr {
        Expr::Attr(_) | Expr::Cycle(_) => true,
        Expr::Over(what, a, _) => *what == Over::Seen && uses_card(a),
        Expr::Was(..)
        | Expr::At(..)
        | Expr::Latest(..)
        | Expr::Since(_)
        | Expr::Run(_)
        | Expr::Runs(_) => false,
        other => other.children().into_iter().any(uses_card),
    }
}

/// Whether the value depends on the cards before this place.
pub(super) fn uses_past(expr: &Expr) -> bool {
    match expr {
        Expr::Length
        | Expr::Was(..)
        | Expr::At(..)
        | Expr::Latest(..)
        | Expr::Since(_)
        | Expr::Run(_)
        | Expr::Runs(_)
        | Expr::Over(..)
        | Expr::Cycle(_) => true,
        other => other.children().into_iter().any(uses_past),
    }
}
