//! The nodes of a plan, worked out for one card or for all at once.

use super::ast::{Attr, Binary, Over, Unary};
use super::memory::{Kept, Memory};
use super::verdicts::Verdicts;
use crate::cards::Card;

/// A value of the past that selects the row of a table.
#[derive(Clone, Debug)]
pub(super) struct Scalar {
    pub(super) node: Node,
    pub(super) low: i32,
    pub(super) size: i32,
}

/// A part of a plan. Yes is 1, no is 0, a suit its index, red 1.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Const(Option<i32>),
    Attr(Attr),
    /// A value given from outside.
    Slot(usize),
    /// A kept value.
    Read(usize),
    /// A value so many places back.
    Shift(usize, u32),
    /// Something made of the last values kept.
    Window(Over, usize, u8),
    /// Whether the value occurs among those kept.
    Seen(Box<Node>, usize, Option<u8>),
    /// How many values a set has.
    Distinct(usize),
    /// Whether a set has this value.
    HasValue(usize, i32),
    Unary(Unary, Box<Node>),
    Binary(Binary, Box<Node>, Box<Node>),
    All(Vec<Node>),
    Any(Vec<Node>),
    Holds(Vec<Node>),
    If(Box<Node>, Box<Node>, Box<Node>),
    In(Box<Node>, Vec<i32>),
    After(Box<Node>, Vec<i32>),
    Place(Box<Node>, Vec<i32>),
    Cycle(usize, Vec<Node>),
    // The rest are made for all cards at once only.
    Fixed(Verdicts),
    Flat(Box<Node>),
    Table(Vec<Scalar>, Box<[Verdicts]>),
    PerCard(Box<Node>),
}

/// Where a node is worked out.
pub(super) struct Ctx<'a> {
    pub(super) kept: &'a [Kept],
    pub(super) memory: &'a Memory,
    pub(super) card: u8,
    pub(super) slots: &'a [Option<i32>],
}

impl Node {
    /// The value for one card; none if unknown.
    pub(super) fn value(&self, ctx: &Ctx<'_>) -> Option<i32> {
        let kept = |index: usize| &ctx.kept[index];
        match self {
            Node::Const(value) => *value,
            Node::Attr(attr) => Some(attr.of(Card::from_index(ctx.card))),
            Node::Slot(slot) => ctx.slots[*slot],
            Node::Read(index) => kept(*index).read(ctx.memory),
            Node::Shift(index, back) => {
                kept(*index).decode(kept(*index).slot(ctx.memory, *back))
            }
            Node::Window(what, index, window) => window_value(*what, *index, *window, ctx),
            Node::Seen(inner, index, window) => {
                let value = inner.value(ctx)?;
                let kept = kept(*index);
                match window {
                    None => {
                        let set = kept.field.get(ctx.memory);
                        (set != 0).then(|| (set >> (value - kept.low).clamp(0, 63) & 1) as i32)
                    }
                    Some(window) => {
                        let values = (1..=u32::from(*window))
                            .filter_map(|k| kept.decode(kept.slot(ctx.memory, k)));
                        values.map(|v| i32::from(v == value)).max()
                    }
                }
            }
            Node::Distinct(index) => {
                Some(kept(*index).field.get(ctx.memory).count_ones() as i32)
            }
            Node::HasValue(index, value) => {
                Some((kept(*index).field.get(ctx.memory) >> value & 1) as i32)
            }
            Node::Unary(op, a) => unary(*op, a.value(ctx)?),
            Node::Binary(Binary::Default, a, b) => a.value(ctx).or_else(|| b.value(ctx)),
            Node::Binary(op, a, b) => binary(*op, a.value(ctx)?, b.value(ctx)?),
            Node::All(items) => known(items, ctx, 0),
            Node::Any(items) => known(items, ctx, 1),
            Node::Holds(items) => items.iter().map(|item| item.value(ctx)).sum(),
            Node::If(test, yes, no) => match test.value(ctx) {
                Some(0) => no.value(ctx),
                Some(_) => yes.value(ctx),
                None => yes.value(ctx).filter(|value| no.value(ctx) == Some(*value)),
            },
            Node::In(a, list) => Some(list.contains(&a.value(ctx)?).into()),
            Node::After(a, list) => {
                let value = a.value(ctx)?;
                let place = list.iter().position(|item| *item == value)?;
                Some(list[(place + 1) % list.len()])
            }
            Node::Place(a, list) => {
                let value = a.value(ctx)?;
                list.iter().position(|item| *item == value).map(|place| place as i32)
            }
            Node::Cycle(..)
            | Node::Fixed(_)
            | Node::Flat(_)
            | Node::Table(..)
            | Node::PerCard(_) => {
                self.verdicts(ctx.kept, ctx.memory).of(ctx.card)
            }
        }
    }

    /// The verdicts of a test, tried card by card.
    pub(super) fn by_card(
        &self,
        kept: &[Kept],
        memory: &Memory,
        slots: &[Option<i32>],
    ) -> Verdicts {
        Verdicts::by_card(|card| self.value(&Ctx { kept, memory, card, slots }))
    }

    /// The verdicts of a test.
    pub(super) fn verdicts(&self, kept: &[Kept], memory: &Memory) -> Verdicts {
        let of = |node: &Node| node.verdicts(kept, memory);
        match self {
            Node::Fixed(verdicts) => *verdicts,
            Node::Flat(inner) => {
                Verdicts::flat(inner.value(&Ctx { kept, memory, card: 0, slots: &[] }))
            }
            Node::Table(scalars, table) => {
                let ctx = Ctx { kept, memory, card: 0, slots: &[] };
                let (mut row, mut step) = (0, 1);
                for scalar in scalars {
                    let code = scalar.node.value(&ctx).map_or(0, |value| {
                        (value - scalar.low).clamp(0, scalar.size - 1) as usize + 1
                    });
                    row += code * step;
                    step *= scalar.size as usize + 1;
                }
                table[row]
            }
            Node::All(items) => items.iter().fold(Verdicts::YES, |all, item| all.and(of(item))),
            Node::Any(items) => items.iter().fold(Verdicts::NO, |any, item| any.or(of(item))),
            Node::Unary(Unary::Not, a) => of(a).not(),
            Node::If(test, yes, no) => match of(test) {
                Verdicts::YES => of(yes),
                Verdicts::NO => of(no),
                test => Verdicts::choose(test, of(yes), of(no)),
            },
            Node::Binary(Binary::Xor, a, b) => of(a).xor(of(b)),
            Node::Binary(Binary::Default, a, b) => of(a).or_else(of(b)),
            Node::Cycle(index, tests) => {
                let field = kept[*index].field;
                let raw = field.get(memory);
                let live = if raw == 0 { field.mask() } else { raw };
                let tests = tests.iter().enumerate().filter(|(place, _)| live >> place & 1 == 1);
                let right = tests.fold(0, |any, (_, test)| any | of(test).right);
                Verdicts { yes: right, right }
            }
            Node::PerCard(inner) => inner.by_card(kept, memory, &[]),
            other => other.by_card(kept, memory, &[]),
        }
    }
}

/// The decisive value if any item has it, else the other one, or none if one is unknown.
fn known(items: &[Node], ctx: &Ctx<'_>, decisive: i32) -> Option<i32> {
    let mut known = true;
    for item in items {
        match item.value(ctx) {
            Some(value) if value == decisive => return Some(decisive),
            Some(_) => {}
            None => known = false,
        }
    }
    known.then_some(1 - decisive)
}

fn unary(op: Unary, a: i32) -> Option<i32> {
    Some(match op {
        Unary::Not => 1 - a,
        Unary::Neg => -a,
        Unary::Abs => a.abs(),
        Unary::Even => i32::from(a.rem_euclid(2) == 0),
        Unary::Odd => i32::from(a.rem_euclid(2) == 1),
        Unary::Prime => i32::from(is_prime(a)),
    })
}

fn is_prime(a: i32) -> bool {
    a >= 2 && (2..).take_while(|d| i64::from(*d) * i64::from(*d) <= a.into()).all(|d| a % d != 0)
}

fn binary(op: Binary, a: i32, b: i32) -> Option<i32> {
    Some(match op {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::Div => a.checked_div_euclid(b)?,
        Binary::Mod => a.checked_rem_euclid(b)?,
        Binary::Larger => a.max(b),
        Binary::Smaller => a.min(b),
        Binary::Eq => (a == b).into(),
        Binary::Ne => (a != b).into(),
        Binary::Lt => (a < b).into(),
        Binary::Le => (a <= b).into(),
        Binary::Gt => (a > b).into(),
        Binary::Ge => (a >= b).into(),
        Binary::Xor => a ^ b,
        Binary::Default => a,
    })
}

fn window_value(what: Over, index: usize, window: u8, ctx: &Ctx<'_>) -> Option<i32> {
    let kept = &ctx.kept[index];
    let values =
        || (1..=u32::from(window)).map(|back| kept.decode(kept.slot(ctx.memory, back)));
    let known = || values().flatten();
    let occurs = |value: i32| known().filter(|v| *v == value).count();
    match what {
        Over::Count => Some(occurs(1) as i32),
        Over::Some => Some((occurs(1) > 0).into()),
        // A place before the start of the line looks like an unknown value here; so what is
        // kept for `all` holds no unknown ones.
        Over::Every => Some((known().all(|v| v == 1)).into()),
        Over::Sum => values().sum(),
        Over::Product => values().product(),
        Over::Max => known().max(),
        Over::Min => known().min(),
        Over::Majority | Over::Minority => {
            let two = kept.size == 2;
            let candidates = kept.low..kept.low + kept.size;
            let counts = candidates.map(|v| (occurs(v), v)).filter(|(c, _)| *c > 0 || two);
            let best = if what == Over::Majority {
                counts.clone().max_by_key(|(count, _)| *count)
            } else {
                counts.clone().min_by_key(|(count, _)| *count)
            };
            let (count, value) = best?;
            let alone = counts.filter(|(c, _)| *c == count).count() == 1;
            alone.then_some(value)
        }
        Over::Distinct => {
            let mut set = 0u64;
            known().for_each(|v| set |= 1 << (v - kept.low));
            Some(set.count_ones() as i32)
        }
        Over::Seen => None,
    }
}
