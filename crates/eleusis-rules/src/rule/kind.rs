//! What kind of value an expression has, and between which bounds.

use super::{Attr, Expr, Listed, Op, Over, Part, RuleError};

/// The kind of an expression's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Yes or no.
    Bool,
    /// A number between two bounds, both included.
    Int(i32, i32),
    /// A suit.
    Suit,
    /// A colour.
    Color,
}

/// Counters go no further: no mainline is longer.
pub const LINE_MAX: i32 = 511;

/// Running sums stay between minus this and this.
pub const SUM_MAX: i32 = 9999;

/// No rule is nested deeper, in its text or in its tree.
pub const MAX_DEPTH: usize = 64;
pub(super) const TOO_DEEP: &str = "nested too deeply: at most 64 levels";

const INT_MAX: i64 = 1_000_000_000;

impl Kind {
    /// The smallest value, as a number.
    pub const fn low(self) -> i32 {
        match self {
            Kind::Int(low, _) => low,
            _ => 0,
        }
    }

    /// How many values there are.
    pub const fn values(self) -> usize {
        match self {
            Kind::Bool | Kind::Color => 2,
            Kind::Suit => 4,
            Kind::Int(low, high) => (high as i64 - low as i64 + 1) as usize,
        }
    }

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Bool => "a test",
            Kind::Int(..) => "a number",
            Kind::Suit => "a suit",
            Kind::Color => "a color",
        }
    }

    fn same_sort(self, other: Kind) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }

    fn join(self, other: Kind) -> Kind {
        match (self, other) {
            (Kind::Int(a, b), Kind::Int(c, d)) => Kind::Int(a.min(c), b.max(d)),
            _ => self,
        }
    }
}

fn int<const N: usize>(values: [i64; N]) -> Result<Kind, String> {
    match values.into_iter().min().zip(values.into_iter().max()) {
        Some((low, high)) if -INT_MAX <= low && high <= INT_MAX => {
            Ok(Kind::Int(low as i32, high as i32))
        }
        _ => Err("the numbers can grow too large here".to_owned()),
    }
}

/// A part of an expression: itself and its kind.
type Typed<'a> = (&'a Expr, Kind);

fn number((expr, sort): Typed<'_>) -> Result<(i64, i64), String> {
    match sort {
        Kind::Int(low, high) => Ok((low.into(), high.into())),
        other => Err(format!("`{expr}` is {}; a number was expected here", other.word())),
    }
}

fn test((expr, sort): Typed<'_>) -> Result<(), String> {
    match sort {
        Kind::Bool => Ok(()),
        other => Err(format!("`{expr}` is {}; a test (yes or no) was expected here", other.word())),
    }
}

fn within(what: &str, number: usize, most: usize) -> Result<(), String> {
    match number {
        n if (1..=most).contains(&n) => Ok(()),
        _ => Err(format!("{what} 1 to {most}, not {number}")),
    }
}

/// The kind of an expression.
///
/// # Errors
/// What does not fit together in it.
pub fn kind(expr: &Expr) -> Result<Kind, RuleError> {
    match checked(expr, &mut std::iter::empty()) {
        Ok((kind, _)) => Ok(kind),
        Err((_, what)) => Err(RuleError::Kind(what)),
    }
}

/// The kind and the depth of an expression, found once from below; or what does not fit together,
/// and the place of it. `places` are those of all parts, each after its own parts.
pub(super) fn checked(
    expr: &Expr,
    places: &mut impl Iterator<Item = usize>,
) -> Result<(Kind, usize), (usize, String)> {
    let (mut parts, mut depth) = (Vec::new(), 1);
    for child in expr.children() {
        let (kind, below) = checked(child, places)?;
        parts.push((child, kind));
        depth = depth.max(1 + below);
    }
    let at = places.next().unwrap_or_default();
    if depth > MAX_DEPTH {
        return Err((at, TOO_DEEP.to_owned()));
    }
    let kind = kind_of(expr, &parts).map_err(|what| (at, what))?;
    Ok((kind, depth))
}

/// The kind of an expression with these [children](Expr::children).
fn kind_of(expr: &Expr, parts: &[Typed<'_>]) -> Result<Kind, String> {
    Ok(match expr {
        Expr::Num(value) => Kind::Int(*value, *value),
        Expr::Suit(_) | Expr::Attr(Attr::SUIT) => Kind::Suit,
        Expr::Color(_) | Expr::Attr(Attr::COLOR) => Kind::Color,
        Expr::Attr(Attr::RANK) => Kind::Int(1, 13),
        Expr::Bool(_) | Expr::Attr(_) => Kind::Bool,
        Expr::Length => Kind::Int(0, LINE_MAX),
        Expr::Was(k, _) | Expr::At(k, _) => {
            within("a card is at place", (*k).into(), 64)?;
            parts[0].1
        }
        Expr::This(_) => parts[0].1,
        Expr::Latest(..) | Expr::Among(..) => {
            test(parts[0])?;
            parts[1].1
        }
        Expr::Op(op, _) => operation(*op, parts)?,
        Expr::Listed(what, _, list) => {
            let listed = listed(parts[0], list)?;
            match what {
                Listed::In => Kind::Bool,
                Listed::After => listed,
                Listed::Place => Kind::Int(0, list.len() as i32 - 1),
            }
        }
        Expr::Over(what, _, window) => over(*what, parts[0], *window)?,
        Expr::OverSince(what, ..) => {
            test(parts[1])?;
            if !what.may_have_window() {
                return Err(NO_WINDOW.to_owned());
            }
            over(*what, parts[0], None)?
        }
        Expr::Phase(list) => {
            let tests = list.iter().zip(parts).filter(|((_, part, _), _)| *part == Part::Test);
            tests.map(|(_, typed)| *typed).try_for_each(test)?;
            let period = list.iter().map(|(count, ..)| usize::from(*count)).sum();
            within("the cards of a phase are", period, 64)?;
            Kind::Bool
        }
        Expr::Cycle(items) => {
            within("the tests of a cycle are", items.len(), 32)?;
            parts.iter().copied().try_for_each(test)?;
            Kind::Bool
        }
        Expr::Letters(_, _, letters) => {
            within("the letters of a pattern are", letters.len(), 16)?;
            Kind::Bool
        }
    })
}

fn operation(op: Op, parts: &[Typed<'_>]) -> Result<Kind, String> {
    if op.arity().is_some_and(|arity| arity != parts.len()) {
        return Err(format!("{op:?} cannot have {} parts", parts.len()));
    }
    match op {
        Op::Not | Op::And | Op::Or | Op::Xor | Op::Otherwise | Op::Holds => {
            parts.iter().copied().try_for_each(test)?;
            Ok(if op == Op::Holds { Kind::Int(0, parts.len() as i32) } else { Kind::Bool })
        }
        Op::If => {
            test(parts[0])?;
            let (yes, no) = (parts[1].1, parts[2].1);
            if !yes.same_sort(no) {
                let (yes, no) = (yes.word(), no.word());
                return Err(format!("`then` gives {yes} but `else` gives {no}"));
            }
            Ok(yes.join(no))
        }
        Op::Eq | Op::Ne | Op::Default => {
            let ((a, left), (b, right)) = (parts[0], parts[1]);
            if !left.same_sort(right) {
                let (left, right) = (left.word(), right.word());
                return Err(format!("`{a}` is {left} but `{b}` is {right}: they cannot be equal"));
            }
            Ok(if op == Op::Default { left.join(right) } else { Kind::Bool })
        }
        _ => arithmetic(op, parts),
    }
}

/// The bounds of what is made of numbers between theirs.
fn arithmetic(op: Op, parts: &[Typed<'_>]) -> Result<Kind, String> {
    let (al, ah) = number(parts[0])?;
    let (bl, bh) = parts.get(1).map_or(Ok((0, 0)), |part| number(*part))?;
    match op {
        Op::Neg => int([-al, -ah]),
        Op::Abs => {
            let least = if al <= 0 && ah >= 0 { 0 } else { al.abs().min(ah.abs()) };
            int([least, al.abs().max(ah.abs())])
        }
        Op::Add => int([al + bl, ah + bh]),
        Op::Sub => int([al - bh, ah - bl]),
        Op::Mul => int([al * bl, al * bh, ah * bl, ah * bh]),
        Op::Div | Op::Mod if bl <= 0 && bh >= 0 => {
            Err(format!("division by zero: `{}` can be 0", parts[1].0))
        }
        Op::Div => {
            let most = al.abs().max(ah.abs()) + 1;
            int([-most, most])
        }
        Op::Mod => int([0, bl.abs().max(bh.abs()) - 1]),
        Op::Gcd => int([0, al.abs().max(ah.abs()).max(bl.abs()).max(bh.abs())]),
        Op::Larger => int([al.max(bl), ah.max(bh)]),
        Op::Smaller => int([al.min(bl), ah.min(bh)]),
        _ => Ok(Kind::Bool),
    }
}

fn listed((a, sort): Typed<'_>, list: &[Expr]) -> Result<Kind, String> {
    let fits = |item: &Expr, kind: &Kind| item.constant().is_some() && kind.same_sort(sort);
    let each = list.iter().map(|item| {
        let kind = kind(item).ok().filter(|kind| fits(item, kind));
        kind.ok_or_else(|| format!("`{a}` is {}; `{item}` in the list is not", sort.word()))
    });
    let joined = each.reduce(|all, kind| Ok(all?.join(kind?)));
    joined.unwrap_or_else(|| Err("the list is empty".to_owned()))
}

/// Each value of an expression with so many is counted in so many bits, where there is no window.
pub(super) const fn bits_of_each(values: u32) -> u32 {
    let bits = 64 / values;
    if bits < 9 { bits } else { 9 }
}

const NO_WINDOW: &str = "a window is 1 to 32 cards; `since` and runs have none";

fn over(what: Over, a: Typed<'_>, window: Option<u8>) -> Result<Kind, String> {
    if window.is_some_and(|w| !(1..=32).contains(&w) || !what.may_have_window()) {
        return Err(NO_WINDOW.to_owned());
    }
    let most = window.map_or(LINE_MAX, i32::from);
    match what {
        Over::Count | Over::Since => test(a).map(|()| Kind::Int(0, most)),
        Over::Some | Over::Every => test(a).map(|()| Kind::Bool),
        Over::Run | Over::Runs => Ok(Kind::Int(0, LINE_MAX)),
        Over::Sum | Over::Product | Over::Max | Over::Min => {
            let (low, high) = number(a)?;
            match (what, window) {
                (Over::Sum, Some(w)) => int([low * i64::from(w), high * i64::from(w)]),
                (Over::Sum, None) => Ok(Kind::Int(-SUM_MAX, SUM_MAX)),
                (Over::Product, Some(w)) => {
                    let most = low.abs().max(high.abs()).saturating_pow(w.into());
                    int([if low < 0 { -most } else { low.saturating_pow(w.into()) }, most])
                }
                (Over::Product, None) => {
                    Err("`product` needs a window, as in `product(rank, 3)`".to_owned())
                }
                _ => int([low, high]),
            }
        }
        Over::Majority | Over::Minority if window.is_none() => {
            Err("`majority` and `minority` need a window, as in `majority(color, 3)`".to_owned())
        }
        _ => {
            let (a, sort) = a;
            let counted = matches!(what, Over::Times | Over::Commonest | Over::Rarest);
            match (sort.values(), what) {
                (53.., _) => Err(format!(
                    "`{a}` can have more than 52 values; too many to keep a set of them"
                )),
                (17.., _) if counted && window.is_none() => Err(format!(
                    "`{a}` can have more than 16 values; too many to count each without a window"
                )),
                (values, Over::Times) => {
                    let counted = (1 << bits_of_each(values as u32)) - 1;
                    Ok(Kind::Int(0, window.map_or(counted, i32::from)))
                }
                (values, Over::Distinct) => Ok(Kind::Int(0, values as i32)),
                (_, Over::Seen | Over::Commonest | Over::Rarest) => Ok(Kind::Bool),
                _ => Ok(sort),
            }
        }
    }
}
