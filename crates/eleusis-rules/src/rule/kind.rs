//! Kinds: the type and the bounds of an expression's value.

use super::expr::{Attr, Expr, PhasePart};
use super::operators::{Aggregate, ListOp, Op, Signature};

/// An error in the text of a rule, or the reason why a rule cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RuleError {
    /// The text is not in the language.
    #[error("line {line}, column {column}: {what}")]
    Text {
        /// Line, counted from 1.
        line: usize,
        /// Column in characters, counted from 1.
        column: usize,
        /// The problem and what was expected.
        what: String,
    },
    /// The text or the tree is too large.
    #[error("{0}")]
    Large(String),
    /// The kinds of the parts do not match.
    #[error("{0}")]
    Kind(String),
    /// The rule can be parsed but not played.
    #[error("{0}")]
    Unusable(String),
}

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

/// Upper limit of counters; no mainline is longer.
pub const LINE_MAX: i32 = 511;

/// Limit of the absolute value of running sums.
pub const SUM_MAX: i32 = 9999;

/// Maximum nesting depth of a rule, in its text and in its tree.
pub const MAX_DEPTH: usize = 64;
pub(super) const TOO_DEEP: &str = "nested too deeply: at most 64 levels";

const INT_MAX: i64 = 1_000_000_000;

impl Kind {
    /// Returns the smallest value as a number.
    pub const fn low(self) -> i32 {
        match self {
            Kind::Int(low, _) => low,
            _ => 0,
        }
    }

    /// Returns the number of values.
    pub const fn values(self) -> usize {
        match self {
            Kind::Bool | Kind::Color => 2,
            Kind::Suit => 4,
            Kind::Int(low, high) => (high as i64 - low as i64 + 1) as usize,
        }
    }

    /// Returns the name of the kind in error messages.
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

/// A child of an expression with its kind.
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

/// Returns the kind of an expression.
///
/// # Errors
/// If the kinds of its parts do not match.
pub fn kind(expr: &Expr) -> Result<Kind, RuleError> {
    match check(expr, &mut std::iter::empty()) {
        Ok((kind, _)) => Ok(kind),
        Err((_, what)) => Err(RuleError::Kind(what)),
    }
}

/// Returns the kind and the depth of an expression, or an error with its place in the text.
/// `places` are the byte offsets of all nodes, each after its own children.
pub(super) fn check(
    expr: &Expr,
    places: &mut impl Iterator<Item = usize>,
) -> Result<(Kind, usize), (usize, String)> {
    let (mut parts, mut depth) = (Vec::new(), 1);
    for child in expr.children() {
        let (kind, below) = check(child, places)?;
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

/// Returns the kind of an expression with these [children](Expr::children).
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
        Expr::List(op, _, list) => {
            let listed = listed(parts[0], list)?;
            match op {
                ListOp::In => Kind::Bool,
                ListOp::After => listed,
                ListOp::Place => Kind::Int(0, list.len() as i32 - 1),
            }
        }
        Expr::Aggregate(what, _, window) => aggregate(*what, parts[0], *window)?,
        Expr::AggregateSince(what, ..) => {
            test(parts[1])?;
            if !what.can_have_window() {
                return Err(NO_WINDOW.to_owned());
            }
            aggregate(*what, parts[0], None)?
        }
        Expr::Phase(list) => {
            let tests = list.iter().zip(parts).filter(|((_, part, _), _)| *part == PhasePart::Test);
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
        Expr::Pattern(_, _, letters) => {
            within("the letters of a pattern are", letters.len(), 16)?;
            Kind::Bool
        }
    })
}

fn operation(op: Op, operands: &[Typed<'_>]) -> Result<Kind, String> {
    if op.arity().is_some_and(|arity| arity != operands.len()) {
        return Err(format!("{op:?} cannot have {} parts", operands.len()));
    }
    match op.signature() {
        Signature::Logic | Signature::Tally => {
            operands.iter().copied().try_for_each(test)?;
            let is_tally = op.signature() == Signature::Tally;
            Ok(if is_tally { Kind::Int(0, operands.len() as i32) } else { Kind::Bool })
        }
        Signature::Choice => {
            test(operands[0])?;
            let (yes, no) = (operands[1].1, operands[2].1);
            if !yes.same_sort(no) {
                let (yes, no) = (yes.word(), no.word());
                return Err(format!("`then` gives {yes} but `else` gives {no}"));
            }
            Ok(yes.join(no))
        }
        Signature::Equality | Signature::Same => {
            let ((a, left), (b, right)) = (operands[0], operands[1]);
            if !left.same_sort(right) {
                let (left, right) = (left.word(), right.word());
                return Err(format!("`{a}` is {left} but `{b}` is {right}: they cannot be equal"));
            }
            Ok(if op.signature() == Signature::Same { left.join(right) } else { Kind::Bool })
        }
        Signature::Arithmetic | Signature::Predicate => arithmetic(op, operands),
    }
}

/// Returns the bounds of an operator's result from the bounds of its operands.
fn arithmetic(op: Op, operands: &[Typed<'_>]) -> Result<Kind, String> {
    let (al, ah) = number(operands[0])?;
    let (bl, bh) = operands.get(1).map_or(Ok((0, 0)), |operand| number(*operand))?;
    let most_a = al.abs().max(ah.abs());
    let most_b = bl.abs().max(bh.abs());
    match op {
        Op::Neg => int([-al, -ah]),
        Op::Abs => int([if al <= 0 && ah >= 0 { 0 } else { al.abs().min(ah.abs()) }, most_a]),
        Op::Add => int([al + bl, ah + bh]),
        Op::Sub => int([al - bh, ah - bl]),
        Op::Mul => int([al * bl, al * bh, ah * bl, ah * bh]),
        Op::Div | Op::Mod if bl <= 0 && bh >= 0 => {
            Err(format!("division by zero: `{}` can be 0", operands[1].0))
        }
        Op::Div => int([-most_a - 1, most_a + 1]),
        Op::Mod => int([0, most_b - 1]),
        Op::Gcd => int([0, most_a.max(most_b)]),
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

/// Width in bits of the counter for each value, where an aggregate without a window counts `values`
/// different values.
pub(super) const fn counter_bits(values: u32) -> u32 {
    let bits = 64 / values;
    if bits < 9 { bits } else { 9 }
}

const NO_WINDOW: &str = "a window is 1 to 32 cards; `since` and runs have none";

fn aggregate(what: Aggregate, a: Typed<'_>, window: Option<u8>) -> Result<Kind, String> {
    if window.is_some_and(|w| !(1..=32).contains(&w) || !what.can_have_window()) {
        return Err(NO_WINDOW.to_owned());
    }
    let most = window.map_or(LINE_MAX, i32::from);
    match what {
        Aggregate::Count | Aggregate::Since => test(a).map(|()| Kind::Int(0, most)),
        Aggregate::Any | Aggregate::All => test(a).map(|()| Kind::Bool),
        Aggregate::Run | Aggregate::Runs => Ok(Kind::Int(0, LINE_MAX)),
        Aggregate::Sum | Aggregate::Product | Aggregate::Max | Aggregate::Min => {
            let (low, high) = number(a)?;
            match (what, window) {
                (Aggregate::Sum, Some(w)) => int([low * i64::from(w), high * i64::from(w)]),
                (Aggregate::Sum, None) => Ok(Kind::Int(-SUM_MAX, SUM_MAX)),
                (Aggregate::Product, Some(w)) => {
                    let most = low.abs().max(high.abs()).saturating_pow(w.into());
                    int([if low < 0 { -most } else { low.saturating_pow(w.into()) }, most])
                }
                (Aggregate::Product, None) => {
                    Err("`product` needs a window, as in `product(rank, 3)`".to_owned())
                }
                _ => int([low, high]),
            }
        }
        Aggregate::Majority | Aggregate::Minority if window.is_none() => {
            Err("`majority` and `minority` need a window, as in `majority(color, 3)`".to_owned())
        }
        _ => {
            let (a, sort) = a;
            let counted =
                matches!(what, Aggregate::Times | Aggregate::Commonest | Aggregate::Rarest);
            match (sort.values(), what) {
                (53.., _) => Err(format!(
                    "`{a}` can have more than 52 values; too many to keep a set of them"
                )),
                (17.., _) if counted && window.is_none() => Err(format!(
                    "`{a}` can have more than 16 values; too many to count each without a window"
                )),
                (values, Aggregate::Times) => {
                    let counted = (1 << counter_bits(values as u32)) - 1;
                    Ok(Kind::Int(0, window.map_or(counted, i32::from)))
                }
                (values, Aggregate::Distinct) => Ok(Kind::Int(0, values as i32)),
                (_, Aggregate::Seen | Aggregate::Commonest | Aggregate::Rarest) => Ok(Kind::Bool),
                _ => Ok(sort),
            }
        }
    }
}
