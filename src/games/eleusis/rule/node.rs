//! The nodes of a plan, worked out for one card or for all at once.

use super::memory::Memory;
use super::plan::Plan;
use super::{Attr, Binary, Over, Unary};
use crate::cards::{Card, CardSet};

/// For which cards a test holds and for which it does not; in neither it is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Masks {
    pub(super) yes: u64,
    pub(super) no: u64,
}

impl Masks {
    const fn flat(value: Option<i32>) -> Masks {
        match value {
            Some(0) => Masks { yes: 0, no: CardSet::FULL.0 },
            Some(_) => Masks { yes: CardSet::FULL.0, no: 0 },
            None => Masks { yes: 0, no: 0 },
        }
    }

    const fn not(self) -> Masks {
        Masks { yes: self.no, no: self.yes }
    }
}

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
    /// The value of a register.
    Read(usize),
    /// A value so many places back in a register.
    Shift(usize, u32),
    /// Something made of the last values in a register.
    Window(Over, usize, u8),
    /// Whether the value occurs in a register.
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
    // The rest are made for masks only.
    Fixed(Masks),
    Flat(Box<Node>),
    Table(Vec<Scalar>, Box<[Masks]>),
    PerCard(Box<Node>),
}

/// Where a node is worked out.
pub(super) struct Ctx<'a> {
    pub(super) plan: &'a Plan,
    pub(super) memory: &'a Memory,
    pub(super) card: u8,
    pub(super) slots: &'a [Option<i32>],
}

impl Node {
    /// The value for one card; none if unknown.
    pub(super) fn value(&self, ctx: &Ctx<'_>) -> Option<i32> {
        let register = |index: usize| &ctx.plan.registers[index];
        match self {
            Node::Const(value) => *value,
            Node::Attr(attr) => Some(attr.of(Card::from_index(ctx.card))),
            Node::Slot(slot) => ctx.slots[*slot],
            Node::Read(index) => register(*index).read(ctx.memory),
            Node::Shift(index, back) => {
                register(*index).decode(register(*index).slot(ctx.memory, *back))
            }
            Node::Window(what, index, window) => window_value(*what, *index, *window, ctx),
            Node::Seen(inner, index, window) => {
                let value = inner.value(ctx)?;
                let register = register(*index);
                match window {
                    None => {
                        let set = register.field.get(ctx.memory);
                        (set != 0).then(|| (set >> (value - register.low).clamp(0, 63) & 1) as i32)
                    }
                    Some(window) => {
                        let values = (1..=u32::from(*window))
                            .filter_map(|k| register.decode(register.slot(ctx.memory, k)));
                        values.map(|v| i32::from(v == value)).max()
                    }
                }
            }
            Node::Distinct(index) => {
                Some(register(*index).field.get(ctx.memory).count_ones() as i32)
            }
            Node::HasValue(index, value) => {
                Some((register(*index).field.get(ctx.memory) >> value & 1) as i32)
            }
            Node::Unary(op, a) => unary(*op, a.value(ctx)?),
            Node::Binary(Binary::Default, a, b) => a.value(ctx).or_else(|| b.value(ctx)),
            Node::Binary(op, a, b) => binary(*op, a.value(ctx)?, b.value(ctx)?),
            Node::All(items) => items.iter().try_fold_known(ctx, 0),
            Node::Any(items) => items.iter().try_fold_known(ctx, 1),
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
                let masks = self.masks(ctx.plan, ctx.memory);
                match (masks.yes >> ctx.card & 1, masks.no >> ctx.card & 1) {
                    (1, _) => Some(1),
                    (_, 1) => Some(0),
                    _ => None,
                }
            }
        }
    }

    /// The masks of a test, tried card by card.
    pub(super) fn by_card(&self, plan: &Plan, memory: &Memory, slots: &[Option<i32>]) -> Masks {
        let mut masks = Masks { yes: 0, no: 0 };
        for card in 0..52 {
            match self.value(&Ctx { plan, memory, card, slots }) {
                Some(0) => masks.no |= 1 << card,
                Some(_) => masks.yes |= 1 << card,
                None => {}
            }
        }
        masks
    }

    /// The masks of a test.
    pub(super) fn masks(&self, plan: &Plan, memory: &Memory) -> Masks {
        match self {
            Node::Fixed(masks) => *masks,
            Node::Flat(inner) => {
                Masks::flat(inner.value(&Ctx { plan, memory, card: 0, slots: &[] }))
            }
            Node::Table(scalars, table) => {
                let ctx = Ctx { plan, memory, card: 0, slots: &[] };
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
            Node::All(items) => items.iter().fold(Masks::flat(Some(1)), |sum, item| {
                let part = item.masks(plan, memory);
                Masks { yes: sum.yes & part.yes, no: sum.no | part.no }
            }),
            Node::Any(items) => items.iter().fold(Masks::flat(Some(0)), |sum, item| {
                let part = item.masks(plan, memory);
                Masks { yes: sum.yes | part.yes, no: sum.no & part.no }
            }),
            Node::Unary(Unary::Not, a) => a.masks(plan, memory).not(),
            Node::If(test, yes, no) => {
                let test = test.masks(plan, memory);
                if test.no == CardSet::FULL.0 {
                    return no.masks(plan, memory);
                }
                if test.yes == CardSet::FULL.0 {
                    return yes.masks(plan, memory);
                }
                let (a, b) = (yes.masks(plan, memory), no.masks(plan, memory));
                let unknown = !(test.yes | test.no);
                Masks {
                    yes: test.yes & a.yes | test.no & b.yes | unknown & a.yes & b.yes,
                    no: test.yes & a.no | test.no & b.no | unknown & a.no & b.no,
                }
            }
            Node::Binary(Binary::Xor, a, b) => {
                let (a, b) = (a.masks(plan, memory), b.masks(plan, memory));
                Masks { yes: a.yes & b.no | a.no & b.yes, no: a.yes & b.yes | a.no & b.no }
            }
            Node::Binary(Binary::Default, a, b) => {
                let (a, b) = (a.masks(plan, memory), b.masks(plan, memory));
                let unknown = !(a.yes | a.no);
                Masks { yes: a.yes | unknown & b.yes, no: a.no | unknown & b.no }
            }
            Node::Cycle(index, tests) => {
                let field = plan.registers[*index].field;
                let raw = field.get(memory);
                let live = if raw == 0 { field.mask() } else { raw };
                let refused = (tests.iter().enumerate())
                    .filter(|(place, _)| live >> place & 1 == 1)
                    .fold(CardSet::FULL.0, |all, (_, test)| all & test.masks(plan, memory).no);
                Masks { yes: CardSet::FULL.0 & !refused, no: refused }
            }
            Node::PerCard(inner) => inner.by_card(plan, memory, &[]),
            other => other.by_card(plan, memory, &[]),
        }
    }
}

trait FoldKnown {
    /// The decisive value if any item has it, else the other one, or none if one is unknown.
    fn try_fold_known(self, ctx: &Ctx<'_>, decisive: i32) -> Option<i32>;
}

impl<'a, I: Iterator<Item = &'a Node>> FoldKnown for I {
    fn try_fold_known(self, ctx: &Ctx<'_>, decisive: i32) -> Option<i32> {
        let mut known = true;
        for item in self {
            match item.value(ctx) {
                Some(value) if value == decisive => return Some(decisive),
                Some(_) => {}
                None => known = false,
            }
        }
        known.then_some(1 - decisive)
    }
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
    let register = &ctx.plan.registers[index];
    let values =
        || (1..=u32::from(window)).map(|back| register.decode(register.slot(ctx.memory, back)));
    let known = || values().flatten();
    let occurs = |value: i32| known().filter(|v| *v == value).count();
    match what {
        Over::Count => Some(occurs(1) as i32),
        Over::Some => Some((occurs(1) > 0).into()),
        // A place before the start of the line looks like an unknown value here; so the register
        // of `all` holds no unknown ones.
        Over::Every => Some((known().all(|v| v == 1)).into()),
        Over::Sum => values().sum(),
        Over::Product => values().product(),
        Over::Max => known().max(),
        Over::Min => known().min(),
        Over::Majority | Over::Minority => {
            let two = register.size == 2;
            let candidates = register.low..register.low + register.size;
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
            known().for_each(|v| set |= 1 << (v - register.low));
            Some(set.count_ones() as i32)
        }
        Over::Seen => None,
    }
}
