//! The nodes of a plan, worked out for one card or for all at once.

use super::register::Kept;
use super::{Attr, Listed, Memory, Op, Over, Verdicts};
use crate::cards::{Card, CardSet};

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
    /// Something made of all values, or of the last few, that a register keeps; the node is the
    /// value of the card played.
    Over(Over, usize, Option<u8>, Box<Node>),
    Op(Op, Vec<Node>),
    Listed(Listed, Box<Node>, Vec<i32>),
    Cycle(usize, Vec<Node>),
    /// A test as a table of verdicts; the row is chosen by some values of the past.
    Table(Vec<Scalar>, Box<[Verdicts]>),
}

/// Where a node is worked out.
#[derive(Clone, Copy)]
pub(super) struct Ctx<'a> {
    pub(super) kept: &'a [Kept],
    /// Cards that the rule cannot tell apart.
    pub(super) classes: &'a [CardSet],
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
            Node::Shift(index, back) => kept(*index).decode(kept(*index).slot(ctx.memory, *back)),
            Node::Over(over, index, Some(window), here) => {
                window_value(*over, kept(*index), *window, here, ctx)
            }
            Node::Over(over, index, None, here) => {
                // For some the register has the set of the values, or how often each came.
                let set = kept(*index).field.get(ctx.memory);
                match over {
                    Over::Distinct => Some(set.count_ones() as i32),
                    Over::Some => Some((set >> 1 & 1) as i32),
                    Over::Every => Some(1 - (set & 1) as i32),
                    Over::Seen => {
                        let place = (here.value(ctx)? - kept(*index).low).clamp(0, 63);
                        (set != 0).then_some((set >> place & 1) as i32)
                    }
                    Over::Times => {
                        let kept = kept(*index);
                        let value = (here.value(ctx)? - kept.low).clamp(0, kept.size - 1);
                        let (place, most) = kept.counted(value as u32);
                        Some((set >> place & most) as i32)
                    }
                    Over::Commonest | Over::Rarest => {
                        let kept = kept(*index);
                        let each = (0..kept.size as u32).map(|value| {
                            let (place, most) = kept.counted(value);
                            set >> place & most
                        });
                        let place = (here.value(ctx)? - kept.low).clamp(0, kept.size - 1);
                        ranked(*over, each, place as usize)
                    }
                    _ => kept(*index).read(ctx.memory),
                }
            }
            Node::Op(Op::Otherwise, _) | Node::Cycle(..) | Node::Table(..) => {
                self.verdicts(ctx).of(ctx.card)
            }
            Node::Op(op, items) => operation(*op, items, ctx),
            Node::Listed(what, a, list) => {
                let value = a.value(ctx)?;
                let place = list.iter().position(|item| *item == value);
                match what {
                    Listed::In => Some(place.is_some().into()),
                    Listed::After => place.map(|place| list[(place + 1) % list.len()]),
                    Listed::Place => place.map(|place| place as i32),
                }
            }
        }
    }

    /// How many nodes are worked out, at most, for the value of one card; there are so many classes of
    /// cards.
    pub(super) fn work(&self, kept: &[Kept], classes: u64) -> u64 {
        1 + match self {
            Node::Const(_) | Node::Attr(_) | Node::Slot(_) | Node::Read(_) | Node::Shift(..) => 0,
            Node::Over(over, index, window, here) => {
                use Over::{Commonest, Majority, Minority, Rarest};
                let all = if matches!(over, Majority | Minority | Commonest | Rarest) {
                    kept[*index].size as u64
                } else {
                    0
                };
                here.work(kept, classes) + window.map_or(0, |window| u64::from(window) + all)
            }
            Node::Op(Op::Otherwise, _) => self.work_of_all(kept, classes),
            Node::Op(_, items) => items.iter().map(|item| item.work(kept, classes)).sum(),
            Node::Listed(_, a, list) => a.work(kept, classes) + list.len() as u64 / 4,
            Node::Cycle(..) | Node::Table(..) => self.work_of_all(kept, classes),
        }
    }

    /// The same for the [verdicts](Node::verdicts) of all cards.
    pub(super) fn work_of_all(&self, kept: &[Kept], classes: u64) -> u64 {
        match self {
            Node::Table(scalars, _) => {
                1 + scalars.iter().map(|scalar| scalar.node.work(kept, classes)).sum::<u64>()
            }
            Node::Op(
                Op::And | Op::Or | Op::Not | Op::If | Op::Xor | Op::Default | Op::Otherwise,
                items,
            )
            | Node::Cycle(_, items) => {
                1 + items.iter().map(|item| item.work_of_all(kept, classes)).sum::<u64>()
            }
            other => classes * other.work(kept, classes),
        }
    }

    /// The verdicts of a test, tried class by class.
    pub(super) fn by_class(&self, ctx: &Ctx<'_>) -> Verdicts {
        Verdicts::by_class(ctx.classes, |card| self.value(&Ctx { card, ..*ctx }))
    }

    /// The verdicts of a test; what it reads but for the card is as given.
    pub(super) fn verdicts(&self, ctx: &Ctx<'_>) -> Verdicts {
        let of = |node: &Node| node.verdicts(ctx);
        match self {
            Node::Table(scalars, table) => {
                let (mut row, mut step) = (0, 1);
                for scalar in scalars {
                    let code = scalar.node.value(ctx).map_or(0, |value| {
                        (value - scalar.low).clamp(0, scalar.size - 1) as usize + 1
                    });
                    row += code * step;
                    step *= scalar.size as usize + 1;
                }
                table[row]
            }
            Node::Op(op, items) => match (op, &items[..]) {
                (Op::And, _) => items.iter().fold(Verdicts::YES, |all, item| all.and(of(item))),
                (Op::Or, _) => items.iter().fold(Verdicts::NO, |any, item| any.or(of(item))),
                (Op::Not, [a]) => of(a).not(),
                (Op::Otherwise, [a, b]) => {
                    let first = of(a);
                    if first.right == 0 { of(b) } else { first }
                }
                (Op::If, [test, yes, no]) => match of(test) {
                    Verdicts::YES => of(yes),
                    Verdicts::NO => of(no),
                    test => Verdicts::choose(test, of(yes), of(no)),
                },
                (Op::Xor, [a, b]) => of(a).xor(of(b)),
                (Op::Default, [a, b]) => of(a).or_else(of(b)),
                _ => self.by_class(ctx),
            },
            Node::Cycle(index, tests) => {
                let field = ctx.kept[*index].field;
                let raw = field.get(ctx.memory);
                let live = if raw == 0 { field.mask() } else { raw };
                let tests = tests.iter().enumerate().filter(|(place, _)| live >> place & 1 == 1);
                let right = tests.fold(0, |any, (_, test)| any | of(test).right);
                Verdicts { yes: right, right }
            }
            other => other.by_class(ctx),
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

fn operation(op: Op, items: &[Node], ctx: &Ctx<'_>) -> Option<i32> {
    match (op, items) {
        (Op::And, _) => return known(items, ctx, 0),
        (Op::Or, _) => return known(items, ctx, 1),
        (Op::Holds, _) => return items.iter().map(|item| item.value(ctx)).sum(),
        (Op::Default, [a, b]) => return a.value(ctx).or_else(|| b.value(ctx)),
        (Op::If, [test, yes, no]) => {
            return match test.value(ctx) {
                Some(0) => no.value(ctx),
                Some(_) => yes.value(ctx),
                None => yes.value(ctx).filter(|value| no.value(ctx) == Some(*value)),
            };
        }
        _ => {}
    }
    let a = items[0].value(ctx)?;
    let b = items.get(1).map_or(Some(0), |b| b.value(ctx))?;
    Some(match op {
        Op::Not => 1 - a,
        Op::Neg => -a,
        Op::Abs => a.abs(),
        Op::Even => (a.rem_euclid(2) == 0).into(),
        Op::Odd => (a.rem_euclid(2) == 1).into(),
        Op::Prime => is_prime(a).into(),
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul => a * b,
        Op::Div => a.checked_div_euclid(b)?,
        Op::Mod => a.checked_rem_euclid(b)?,
        Op::Gcd => gcd(a, b),
        Op::Larger => a.max(b),
        Op::Smaller => a.min(b),
        Op::Eq => (a == b).into(),
        Op::Ne => (a != b).into(),
        Op::Lt => (a < b).into(),
        Op::Le => (a <= b).into(),
        Op::Gt => (a > b).into(),
        Op::Ge => (a >= b).into(),
        Op::Xor => a ^ b,
        Op::And | Op::Or | Op::Holds | Op::Default | Op::If | Op::Otherwise => return None,
    })
}

fn gcd(a: i32, b: i32) -> i32 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

fn is_prime(a: i32) -> bool {
    a >= 2 && (2..).take_while(|d| i64::from(*d) * i64::from(*d) <= a.into()).all(|d| a % d != 0)
}

/// Whether none of these counts is above, or below, the one at a place.
fn ranked(what: Over, counts: impl Iterator<Item = u64> + Clone, place: usize) -> Option<i32> {
    let own = counts.clone().nth(place)?;
    let best = if what == Over::Commonest { counts.max() } else { counts.min() };
    Some((best == Some(own)).into())
}

fn window_value(what: Over, kept: &Kept, window: u8, here: &Node, ctx: &Ctx<'_>) -> Option<i32> {
    let values = || (1..=u32::from(window)).map(|back| kept.decode(kept.slot(ctx.memory, back)));
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
            let mut counts = [0u8; 64];
            for value in known() {
                counts[(value - kept.low) as usize & 63] += 1;
            }
            let came = counts.iter().zip(kept.low..kept.low + kept.size);
            let came = came.filter(|(count, _)| **count > 0 || two);
            let best = match what {
                Over::Majority => came.clone().max_by_key(|(count, _)| **count),
                _ => came.clone().min_by_key(|(count, _)| **count),
            };
            let (count, value) = best?;
            let alone = came.filter(|(c, _)| *c == count).count() == 1;
            alone.then_some(value)
        }
        Over::Distinct => {
            let mut set = 0u64;
            known().for_each(|v| set |= 1 << (v - kept.low));
            Some(set.count_ones() as i32)
        }
        Over::Seen => {
            let here = here.value(ctx)?;
            known().map(|value| (value == here).into()).max()
        }
        Over::Times => Some(occurs(here.value(ctx)?) as i32),
        Over::Commonest | Over::Rarest => {
            let place = here.value(ctx)? - kept.low;
            let each = (kept.low..kept.low + kept.size).map(|value| occurs(value) as u64);
            ranked(what, each, place.clamp(0, kept.size - 1) as usize)
        }
        Over::Since | Over::Run | Over::Runs => None,
    }
}
