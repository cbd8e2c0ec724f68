//! The steps of a walk over trees of the rule language.

use super::derivations::Derivations;
use super::heads::Spot;
use crate::Expr;
use crate::chance::Stream;
use crate::rule::{Attr, Op};

/// A tree with one change; none where it comes to nothing.
pub(super) fn changed(derivations: &Derivations, expr: &Expr, chance: &mut Stream) -> Option<Expr> {
    let mut new = expr.clone();
    let at = chance.below(count(expr) as u32) as usize;
    match chance.below(20) {
        0..8 => anew(derivations, &mut new, Spot::TOP, &mut { at }, chance)?,
        8..11 => {
            let node = nth(&mut new, &mut { at })?;
            *node = derivations.like(node, chance)?;
        }
        11..14 => shift(nth(&mut new, &mut { at })?, chance)?,
        14..16 => {
            let all: Vec<Attr> = Attr::all().collect();
            let any = |chance: &mut Stream| all[chance.below(all.len() as u32) as usize];
            let (from, to) = (any(chance), any(chance));
            if !rename(&mut new, from, to) || from == to {
                return None;
            }
        }
        16 => new = Expr::Op(Op::Not, vec![new]),
        17..19 => {
            let op = if chance.below(2) == 0 { Op::Or } else { Op::And };
            new = Expr::Op(op, vec![new, Expr::Length]);
            let spot = derivations.spots(&new, Spot::TOP)[1];
            let exception = derivations.draw(spot, chance)?;
            if let Expr::Op(_, items) = &mut new {
                items[1] = exception;
            }
        }
        _ => {
            let node = nth(&mut new, &mut { at })?;
            let parts = node.children().len() as u32;
            if parts == 0 {
                return None;
            }
            let part = node.children()[chance.below(parts) as usize].clone();
            *node = part;
        }
    }
    (new != *expr).then_some(new)
}

fn count(expr: &Expr) -> usize {
    1 + expr.children().into_iter().map(count).sum::<usize>()
}

/// The node at a place, each before its parts.
fn nth<'a>(expr: &'a mut Expr, at: &mut usize) -> Option<&'a mut Expr> {
    if *at == 0 {
        return Some(expr);
    }
    *at -= 1;
    expr.children_mut().into_iter().find_map(|child| {
        let size = count(child);
        if *at < size {
            return nth(child, at);
        }
        *at -= size;
        None
    })
}

/// Derives the part at a place anew.
fn anew(
    derivations: &Derivations,
    expr: &mut Expr,
    spot: Spot,
    at: &mut usize,
    chance: &mut Stream,
) -> Option<()> {
    if *at == 0 {
        *expr = derivations.draw(spot, chance)?;
        return Some(());
    }
    *at -= 1;
    let spots = derivations.spots(expr, spot);
    for (child, spot) in expr.children_mut().into_iter().zip(spots) {
        let size = count(child);
        if *at < size {
            return anew(derivations, child, spot, at, chance);
        }
        *at -= size;
    }
    None
}

/// Shifts a number, a look-back, a window or something in a list.
fn shift(expr: &mut Expr, chance: &mut Stream) -> Option<()> {
    let up = chance.below(2) == 1;
    let look =
        |back: u8| if up { back.checked_add(1) } else { back.checked_sub(1) }.filter(|b| *b > 0);
    match expr {
        Expr::Num(number) => *number += if up { 1 } else { -1 },
        Expr::Was(back, _) | Expr::At(back, _) | Expr::Over(_, _, Some(back)) => {
            *back = look(*back)?
        }
        Expr::Listed(_, _, list) => {
            let place = chance.below(list.len() as u32) as usize;
            match (chance.below(3), list.len()) {
                (0, 2..) => _ = list.remove(place),
                (1, ..6) => {
                    let next = next(&list[place], up)?;
                    list.insert(if up { place + 1 } else { place }, next);
                }
                _ => list[place] = next(&list[place], up)?,
            }
        }
        _ => return None,
    }
    Some(())
}

fn next(constant: &Expr, up: bool) -> Option<Expr> {
    let Expr::Num(number) = constant else { return None };
    Some(Expr::Num(number + if up { 1 } else { -1 }))
}

/// Reads another attribute everywhere; whether there was any.
fn rename(expr: &mut Expr, from: Attr, to: Attr) -> bool {
    if *expr == Expr::Attr(from) {
        *expr = Expr::Attr(to);
        return true;
    }
    let mut any = false;
    for part in expr.children_mut() {
        any |= rename(part, from, to);
    }
    any
}
