//! Kinds: the sort and the bounds of an expression's value.

use super::expr::{Constant, Expr, Head, PhasePart, Sort, Span};
use super::operators::{Aggregate, ListOp, Op, Signature};

/// An error in the text of a rule, or the reason why a rule cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct RuleError(pub(super) String);

/// The result of reading or compiling a rule.
pub(super) type Result<T, E = RuleError> = std::result::Result<T, E>;

/// The kind of an expression's value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// The sort.
    pub sort: Sort,
    /// The smallest value as a number.
    pub low: i32,
    /// The largest value as a number.
    pub high: i32,
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
    const TEST: Kind = Kind::of(Sort::Test);

    const fn number(low: i32, high: i32) -> Kind {
        Kind { sort: Sort::Number, low, high }
    }

    /// Returns the kind of all values of a sort; numbers are ranks.
    const fn of(sort: Sort) -> Kind {
        let (low, high) = match sort {
            Sort::Test | Sort::Color => (0, 1),
            Sort::Suit => (0, 3),
            Sort::Number => (1, 13),
        };
        Kind { sort, low, high }
    }

    const fn of_constant(constant: Constant) -> Kind {
        match constant.sort {
            Sort::Number => Kind::number(constant.value, constant.value),
            sort => Kind::of(sort),
        }
    }

    /// Returns the number of values.
    pub const fn values(self) -> usize {
        (self.high as i64 - self.low as i64 + 1) as usize
    }

    fn join(self, other: Kind) -> Kind {
        Kind { low: self.low.min(other.low), high: self.high.max(other.high), ..self }
    }
}

fn int<const N: usize>(values: [i64; N]) -> Result<Kind, String> {
    let is_small = values.iter().all(|value| (-INT_MAX..=INT_MAX).contains(value));
    let bounds = values.into_iter().min().zip(values.into_iter().max()).filter(|_| is_small);
    let kind = bounds.map(|(low, high)| Kind::number(low as i32, high as i32));
    kind.ok_or_else(|| "the numbers can grow too large here".to_owned())
}

/// A part of an expression with its kind.
type Typed<'a> = (&'a Expr, Kind);

fn number(part: Typed<'_>) -> Result<(i64, i64), String> {
    expect(part, Sort::Number, "a number").map(|kind| (kind.low.into(), kind.high.into()))
}

fn test(part: Typed<'_>) -> Result<Kind, String> {
    expect(part, Sort::Test, "a test (yes or no)")
}

fn expect((expr, kind): Typed<'_>, sort: Sort, expected: &str) -> Result<Kind, String> {
    if kind.sort == sort {
        return Ok(kind);
    }
    Err(format!("`{expr}` is {}; {expected} was expected here", kind.sort.word()))
}

fn tests(parts: &[Typed<'_>]) -> Result<Kind, String> {
    parts.iter().try_fold(Kind::TEST, |_, part| test(*part))
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
pub fn kind(expr: &Expr) -> Result<Kind> {
    match check(expr, &mut std::iter::empty()) {
        Ok((kind, _)) => Ok(kind),
        Err((_, what)) => Err(RuleError(what)),
    }
}

/// Returns the kind and the depth of an expression, or an error with its place in the text.
/// `places` are the byte offsets of all nodes, each after its own parts.
pub(super) fn check(
    expr: &Expr,
    places: &mut impl Iterator<Item = usize>,
) -> Result<(Kind, usize), (usize, String)> {
    let (mut parts, mut depth) = (Vec::with_capacity(expr.parts.len()), 1);
    for part in &expr.parts {
        let (kind, below) = check(part, places)?;
        parts.push((part, kind));
        depth = depth.max(1 + below);
    }
    let at = places.next().unwrap_or_default();
    if depth > MAX_DEPTH {
        return Err((at, TOO_DEEP.to_owned()));
    }
    let kind = kind_of(&expr.head, &parts).map_err(|what| (at, what))?;
    Ok((kind, depth))
}

/// Returns the number of parts of a node, or `None` if any number is allowed.
fn arity(head: &Head) -> Option<usize> {
    match head {
        Head::Const(_) | Head::Attr(_) | Head::Length => Some(0),
        Head::Latest | Head::Among | Head::Aggregate(_, Span::Since) => Some(2),
        Head::Op(op) => op.spec().arity,
        Head::Phase(list) => Some(list.len()),
        Head::Cycle => None,
        _ => Some(1),
    }
}

/// Returns the kind of a node with these parts.
fn kind_of(head: &Head, parts: &[Typed<'_>]) -> Result<Kind, String> {
    if arity(head).is_some_and(|arity| arity != parts.len()) {
        return Err(format!("{head:?} cannot have {} parts", parts.len()));
    }
    Ok(match head {
        Head::Const(constant) => Kind::of_constant(*constant),
        Head::Attr(attr) => Kind::of(attr.sort()),
        Head::Length => Kind::number(0, LINE_MAX),
        Head::Was(k) | Head::At(k) => {
            within("a card is at place", (*k).into(), 64)?;
            parts[0].1
        }
        Head::This => parts[0].1,
        Head::Latest | Head::Among => {
            test(parts[0])?;
            parts[1].1
        }
        Head::Op(op) => operation(*op, parts)?,
        Head::List(op, list) => {
            let listed = listed(parts[0], list)?;
            match op {
                ListOp::In => Kind::TEST,
                ListOp::After => listed,
                ListOp::Place => Kind::number(0, list.len() as i32 - 1),
            }
        }
        Head::Aggregate(what, span) => {
            tests(&parts[1..])?;
            aggregate(*what, parts[0], *span)?
        }
        Head::Phase(list) => {
            let tests = list.iter().zip(parts).filter(|((_, part), _)| *part == PhasePart::Test);
            tests.map(|(_, part)| *part).try_for_each(|part| test(part).map(drop))?;
            let period = list.iter().map(|(count, _)| usize::from(*count)).sum();
            within("the cards of a phase are", period, 64)?;
            Kind::TEST
        }
        Head::Cycle => {
            within("the tests of a cycle are", parts.len(), 32)?;
            tests(parts)?
        }
        Head::Pattern(_, letters) => {
            within("the letters of a pattern are", letters.len(), 16)?;
            Kind::TEST
        }
    })
}

fn operation(op: Op, operands: &[Typed<'_>]) -> Result<Kind, String> {
    let signature = op.spec().signature;
    match signature {
        Signature::Logic => tests(operands),
        Signature::Tally => tests(operands).map(|_| Kind::number(0, operands.len() as i32)),
        Signature::Choice => {
            test(operands[0])?;
            let (yes, no) = (operands[1].1, operands[2].1);
            if yes.sort != no.sort {
                let (yes, no) = (yes.sort.word(), no.sort.word());
                return Err(format!("`then` gives {yes} but `else` gives {no}"));
            }
            Ok(yes.join(no))
        }
        Signature::Equality | Signature::Same => {
            let ((a, left), (b, right)) = (operands[0], operands[1]);
            if left.sort != right.sort {
                let (left, right) = (left.sort.word(), right.sort.word());
                return Err(format!("`{a}` is {left} but `{b}` is {right}: they cannot be equal"));
            }
            Ok(if signature == Signature::Same { left.join(right) } else { Kind::TEST })
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
        _ => Ok(Kind::TEST),
    }
}

fn listed((a, kind): Typed<'_>, list: &[Constant]) -> Result<Kind, String> {
    if let Some(item) = list.iter().find(|item| item.sort != kind.sort) {
        return Err(format!("`{a}` is {}; `{item}` in the list is not", kind.sort.word()));
    }
    let kinds = list.iter().copied().map(Kind::of_constant);
    kinds.reduce(Kind::join).ok_or_else(|| "the list is empty".to_owned())
}

/// Width in bits of the counter for each value, where an aggregate without a window counts `values`
/// different values.
pub(super) const fn counter_bits(values: u32) -> u32 {
    let bits = 64 / values;
    if bits < 9 { bits } else { 9 }
}

fn aggregate(what: Aggregate, a: Typed<'_>, span: Span) -> Result<Kind, String> {
    use Aggregate::{
        All, Any, Commonest, Count, Distinct, Majority, Max, Min, Minority, Product, Rarest, Run,
        Runs, Seen, Since, Sum, Times,
    };
    if span != Span::Line && !what.can_have_window() || matches!(span, Span::Last(0 | 33..)) {
        return Err("a window is 1 to 32 cards; `since` and runs have none".to_owned());
    }
    let window = if let Span::Last(window) = span { Some(window) } else { None };
    let most = window.map_or(LINE_MAX, i32::from);
    match what {
        Count | Since => test(a).map(|_| Kind::number(0, most)),
        Any | All => test(a),
        Run | Runs => Ok(Kind::number(0, LINE_MAX)),
        Sum | Product | Max | Min => {
            let (low, high) = number(a)?;
            match (what, window) {
                (Sum, Some(w)) => int([low * i64::from(w), high * i64::from(w)]),
                (Sum, None) => Ok(Kind::number(-SUM_MAX, SUM_MAX)),
                (Product, Some(w)) => {
                    let most = low.abs().max(high.abs()).saturating_pow(w.into());
                    int([if low < 0 { -most } else { low.saturating_pow(w.into()) }, most])
                }
                (Product, None) => {
                    Err("`product` needs a window, as in `product(rank, 3)`".to_owned())
                }
                _ => int([low, high]),
            }
        }
        Majority | Minority if window.is_none() => {
            Err("`majority` and `minority` need a window, as in `majority(color, 3)`".to_owned())
        }
        Majority | Minority | Distinct | Seen | Times | Commonest | Rarest => {
            let (a, kind) = a;
            let is_counted = window.is_none() && matches!(what, Times | Commonest | Rarest);
            let fault = |most: usize, job: &str| {
                Err(format!("`{a}` can have more than {most} values; too many to {job}"))
            };
            match (kind.values(), what) {
                (53.., _) => fault(52, "keep a set of them"),
                (17.., _) if is_counted => fault(16, "count each without a window"),
                (values, Times) => {
                    let counted = (1 << counter_bits(values as u32)) - 1;
                    Ok(Kind::number(0, window.map_or(counted, i32::from)))
                }
                (values, Distinct) => Ok(Kind::number(0, values as i32)),
                (_, Majority | Minority) => Ok(kind),
                _ => Ok(Kind::TEST),
            }
        }
    }
}
