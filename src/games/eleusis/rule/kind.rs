//! What kind of value an expression has, and between which bounds.

use super::ast::{Attr, Binary, Expr, Over, Part, Unary};

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

fn int(values: impl IntoIterator<Item = i64>) -> Result<Kind, String> {
    let (mut low, mut high) = (i64::MAX, i64::MIN);
    for value in values {
        (low, high) = (low.min(value), high.max(value));
    }
    if low < -INT_MAX || high > INT_MAX {
        return Err("the numbers can grow too large here".to_owned());
    }
    Ok(Kind::Int(low as i32, high as i32))
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

/// The kind of an expression, or what does not fit together in it.
pub fn kind(expr: &Expr) -> Result<Kind, String> {
    let kinds = expr.children().into_iter().map(kind).collect::<Result<Vec<_>, _>>()?;
    kind_of(expr, &kinds)
}

/// The kind of an expression whose [children](Expr::children) are of these kinds.
fn kind_of(expr: &Expr, kinds: &[Kind]) -> Result<Kind, String> {
    let parts: Vec<Typed<'_>> = expr.children().into_iter().zip(kinds.iter().copied()).collect();
    let tests = || parts.iter().try_for_each(|part| test(*part));
    Ok(match expr {
        Expr::Num(value) => Kind::Int(*value, *value),
        Expr::Suit(_) | Expr::Attr(Attr::Suit) => Kind::Suit,
        Expr::Color(_) | Expr::Attr(Attr::Color) => Kind::Color,
        Expr::Attr(Attr::Rank) => Kind::Int(1, 13),
        Expr::Bool(_) | Expr::Attr(_) => Kind::Bool,
        Expr::Length => Kind::Int(0, LINE_MAX),
        Expr::Was(k, _) | Expr::At(k, _) if !(1..=64).contains(k) => {
            return Err(format!("a card is at place 1 to 64, not {k}"));
        }
        Expr::Was(..) | Expr::At(..) => kinds[0],
        Expr::Latest(..) => {
            test(parts[0])?;
            kinds[1]
        }
        Expr::Unary(op, _) => unary(*op, parts[0])?,
        Expr::Binary(op, ..) => binary(*op, parts[0], parts[1])?,
        Expr::Cycle(items) if !(1..=32).contains(&items.len()) => {
            return Err("a cycle has 1 to 32 tests".to_owned());
        }
        Expr::All(_) | Expr::Any(_) | Expr::Cycle(_) => {
            tests()?;
            Kind::Bool
        }
        Expr::Holds(items) => {
            tests()?;
            Kind::Int(0, items.len() as i32)
        }
        Expr::If(..) => {
            test(parts[0])?;
            let (yes, no) = (kinds[1], kinds[2]);
            if !yes.same_sort(no) {
                let (yes, no) = (yes.word(), no.word());
                return Err(format!("`then` gives {yes} but `else` gives {no}"));
            }
            yes.join(no)
        }
        Expr::In(_, list) => {
            listed(parts[0], list)?;
            Kind::Bool
        }
        Expr::After(_, list) => listed(parts[0], list)?,
        Expr::Place(_, list) => {
            listed(parts[0], list)?;
            Kind::Int(0, list.len() as i32 - 1)
        }
        Expr::Over(what, _, window) => over(*what, parts[0], *window)?,
        Expr::Since(_) => {
            test(parts[0])?;
            Kind::Int(0, LINE_MAX)
        }
        Expr::Run(_) | Expr::Runs(_) => Kind::Int(0, LINE_MAX),
        Expr::Phase(list) => {
            for ((_, part), typed) in list.iter().zip(&parts) {
                if let Part::Test(_) = part {
                    test(*typed)?;
                }
            }
            let period: usize = list.iter().map(|(count, _)| usize::from(*count)).sum();
            if !(1..=64).contains(&period) {
                return Err(format!("a phase has 1 to 64 cards, not {period}"));
            }
            Kind::Bool
        }
        Expr::Pattern(_, letters) | Expr::Motif(_, letters) => {
            if !(1..=16).contains(&letters.len()) {
                return Err("a pattern has 1 to 16 letters".to_owned());
            }
            Kind::Bool
        }
    })
}

/// The kind and the depth of an expression, found once from below; or what does not fit together,
/// and the place of it. `places` are those of all parts, each after its own parts.
pub(super) fn checked(
    expr: &Expr,
    places: &mut impl Iterator<Item = usize>,
) -> Result<(Kind, usize), (usize, String)> {
    let (mut kinds, mut depth) = (Vec::new(), 1);
    for child in expr.children() {
        let (kind, below) = checked(child, places)?;
        kinds.push(kind);
        depth = depth.max(1 + below);
    }
    let at = places.next().unwrap_or_default();
    if depth > MAX_DEPTH {
        return Err((at, TOO_DEEP.to_owned()));
    }
    let kind = kind_of(expr, &kinds).map_err(|what| (at, what))?;
    Ok((kind, depth))
}

fn unary(op: Unary, a: Typed<'_>) -> Result<Kind, String> {
    match op {
        Unary::Not => test(a).map(|()| Kind::Bool),
        Unary::Neg => number(a).and_then(|(low, high)| int([-low, -high])),
        Unary::Abs => number(a).and_then(|(low, high)| {
            let least = if low <= 0 && high >= 0 { 0 } else { low.abs().min(high.abs()) };
            int([least, low.abs().max(high.abs())])
        }),
        Unary::Even | Unary::Odd | Unary::Prime => number(a).map(|_| Kind::Bool),
    }
}

fn binary(op: Binary, a: Typed<'_>, b: Typed<'_>) -> Result<Kind, String> {
    match op {
        Binary::Xor => test(a).and_then(|()| test(b)).map(|()| Kind::Bool),
        Binary::Eq | Binary::Ne | Binary::Default => {
            let ((a, left), (b, right)) = (a, b);
            if !left.same_sort(right) {
                let (left, right) = (left.word(), right.word());
                return Err(format!("`{a}` is {left} but `{b}` is {right}: they cannot be equal"));
            }
            Ok(if op == Binary::Default { left.join(right) } else { Kind::Bool })
        }
        _ => {
            let ((al, ah), (bl, bh)) = (number(a)?, number(b)?);
            match op {
                Binary::Add => int([al + bl, ah + bh]),
                Binary::Sub => int([al - bh, ah - bl]),
                Binary::Mul => int([al * bl, al * bh, ah * bl, ah * bh]),
                Binary::Div | Binary::Mod if bl <= 0 && bh >= 0 => {
                    Err(format!("division by zero: `{}` can be 0", b.0))
                }
                Binary::Div => {
                    let most = al.abs().max(ah.abs()) + 1;
                    int([-most, most])
                }
                Binary::Mod => int([0, bl.abs().max(bh.abs()) - 1]),
                Binary::Larger => int([al.max(bl), ah.max(bh)]),
                Binary::Smaller => int([al.min(bl), ah.min(bh)]),
                _ => Ok(Kind::Bool),
            }
        }
    }
}

fn listed((a, sort): Typed<'_>, list: &[Expr]) -> Result<Kind, String> {
    if list.is_empty() {
        return Err("the list is empty".to_owned());
    }
    let mut joined = None::<Kind>;
    for item in list {
        let item_kind = kind(item)?;
        if !item_kind.same_sort(sort) || item.constant().is_none() {
            return Err(format!("`{a}` is {}; `{item}` in the list is not", sort.word()));
        }
        joined = Some(joined.map_or(item_kind, |k| k.join(item_kind)));
    }
    Ok(joined.unwrap_or(sort))
}

fn over(what: Over, a: Typed<'_>, window: Option<u8>) -> Result<Kind, String> {
    if window.is_some_and(|w| !(1..=32).contains(&w)) {
        return Err("a window is 1 to 32 cards".to_owned());
    }
    let most = window.map_or(LINE_MAX, i32::from);
    match what {
        Over::Count => test(a).map(|()| Kind::Int(0, most)),
        Over::Some | Over::Every => test(a).map(|()| Kind::Bool),
        Over::Sum => {
            let (low, high) = number(a)?;
            match window {
                Some(w) => int([low * i64::from(w), high * i64::from(w)]),
                None => Ok(Kind::Int(-SUM_MAX, SUM_MAX)),
            }
        }
        Over::Product => {
            let (low, high) = number(a)?;
            let Some(w) = window else {
                return Err("`product` needs a window, as in `product(rank, 3)`".to_owned());
            };
            let most = low.abs().max(high.abs()).saturating_pow(w.into());
            int([if low < 0 { -most } else { low.saturating_pow(w.into()) }, most])
        }
        Over::Max | Over::Min => number(a).and_then(|(low, high)| int([low, high])),
        Over::Majority | Over::Minority => {
            if window.is_none() {
                return Err("`majority` and `minority` need a window, as in `majority(color, 3)`"
                    .to_owned());
            }
            small(a)
        }
        Over::Distinct => small(a).map(|k| Kind::Int(0, k.values() as i32)),
        Over::Seen => small(a).map(|_| Kind::Bool),
    }
}

/// A kind with few enough values to keep a set of them.
fn small((a, sort): Typed<'_>) -> Result<Kind, String> {
    if sort.values() > 52 {
        return Err(format!("`{a}` can have more than 52 values; too many to keep a set of them"));
    }
    Ok(sort)
}
