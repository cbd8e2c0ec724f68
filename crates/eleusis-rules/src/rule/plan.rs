//! A compiled rule: a tree of nodes that are evaluated for one card or for all cards at once, and
//! the registers that the nodes read.

use super::expr::{Attr, Expr};
use super::kind::{LINE_MAX, SUM_MAX, counter_bits};
use super::memory::{Codes, Field, Memory, bits_for, from_zigzag, to_zigzag};
use super::operators::{Aggregate, ListOp, Op};
use super::verdicts::Verdicts;
use parlour_base::cards::{Card, CardSet};

/// A node of a compiled rule.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Const(Option<i32>),
    Attr(Attr),
    /// A value for each card.
    ByCard(Box<[Option<i32>; 52]>),
    /// An entry of [`EvalContext::slots`].
    Slot(usize),
    /// The value of a register.
    Read(usize),
    /// The value in a shift register a number of positions earlier.
    Shift(usize, u32),
    /// An aggregate of all values in a register, or of the last few; the node is the value of the
    /// played card.
    Aggregate(Aggregate, usize, Option<u8>, Box<Node>),
    Op(Op, Vec<Node>),
    List(ListOp, Box<Node>, Vec<i32>),
    Cycle(usize, Vec<Node>),
    /// A test as a table of verdicts with a row for each combination of some values of the past.
    Table(Vec<(Node, Codes)>, Box<[Verdicts]>),
}

/// The compiled form of a rule.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) expr: Expr,
    pub(super) registers: Vec<Register>,
    pub(super) root: Node,
    /// Classes of cards that all parts of the rule treat alike.
    pub(super) classes: Vec<CardSet>,
}

impl Plan {
    pub(super) fn context<'a>(&'a self, memory: &'a Memory, card: u8) -> EvalContext<'a> {
        EvalContext { registers: &self.registers, classes: &self.classes, memory, card, slots: &[] }
    }
}

/// Input of an evaluation.
#[derive(Clone, Copy)]
pub(super) struct EvalContext<'a> {
    pub(super) registers: &'a [Register],
    pub(super) classes: &'a [CardSet],
    pub(super) memory: &'a Memory,
    pub(super) card: u8,
    pub(super) slots: &'a [Option<i32>],
}

impl Node {
    /// Evaluates the node for one card.
    pub(super) fn value(&self, ctx: &EvalContext<'_>) -> Option<i32> {
        let register = |index: usize| &ctx.registers[index];
        match self {
            Node::Const(value) => *value,
            Node::Attr(attr) => Some(attr.of(Card::from_index(ctx.card))),
            Node::ByCard(values) => values[ctx.card as usize],
            Node::Slot(slot) => ctx.slots[*slot],
            Node::Read(index) => register(*index).read(ctx.memory),
            Node::Shift(index, back) => register(*index).shifted(ctx.memory, *back),
            Node::Aggregate(aggregate, index, Some(window), played) => {
                let register = register(*index);
                // A position before the start of the line reads as unknown, so `all` is kept
                // without unknown values.
                let values = 1..=u32::from(*window);
                let values = values.map(|back| register.shifted(ctx.memory, back));
                let Codes { low, size } = register.codes;
                aggregate.of_window(values, || played.value(ctx), low, size)
            }
            Node::Aggregate(aggregate, index, None, played) => {
                // The register holds the set of the values, or a counter for each value.
                let register @ Register { codes, field, .. } = register(*index);
                let raw = field.get(ctx.memory);
                let played = || played.value(ctx);
                let count = |index: u32| {
                    let (shift, mask) = register.counter(index);
                    raw >> shift & mask
                };
                match aggregate {
                    Aggregate::Distinct => Some(raw.count_ones() as i32),
                    Aggregate::Any => Some((raw >> 1 & 1) as i32),
                    Aggregate::All => Some(1 - (raw & 1) as i32),
                    Aggregate::Seen => {
                        let index = (played()? - codes.low).clamp(0, 63);
                        (raw != 0).then_some((raw >> index & 1) as i32)
                    }
                    Aggregate::Times => Some(count(codes.index(played()?) as u32) as i32),
                    Aggregate::Commonest | Aggregate::Rarest => {
                        let counts = (0..codes.size as u32).map(count);
                        aggregate.ranks(counts, codes.index(played()?) as usize)
                    }
                    _ => register.read(ctx.memory),
                }
            }
            Node::Op(Op::Otherwise, _) | Node::Cycle(..) | Node::Table(..) => {
                self.verdicts(ctx).of(ctx.card)
            }
            Node::Op(op, items) => op.apply(items.len(), |index| items[index].value(ctx)),
            Node::List(op, a, list) => op.apply(a.value(ctx)?, list),
        }
    }

    /// Evaluates the input of a register: mostly a table, which is read without a call.
    #[inline]
    fn input(&self, ctx: &EvalContext<'_>) -> Option<i32> {
        if let Node::ByCard(values) = self { values[ctx.card as usize] } else { self.value(ctx) }
    }

    /// Returns the maximum number of nodes evaluated for one card.
    pub(super) fn work(&self, plan: &Plan) -> u64 {
        1 + match self {
            Node::Const(_) | Node::Attr(_) | Node::ByCard(_) => 0,
            Node::Slot(_) | Node::Read(_) | Node::Shift(..) => 0,
            Node::Aggregate(aggregate, index, window, played) => {
                use Aggregate::{Commonest, Majority, Minority, Rarest};
                let scans = matches!(aggregate, Majority | Minority | Commonest | Rarest);
                let all = if scans { plan.registers[*index].codes.size as u64 } else { 0 };
                played.work(plan) + window.map_or(0, |window| u64::from(window) + all)
            }
            Node::Op(Op::Otherwise, _) | Node::Cycle(..) | Node::Table(..) => {
                self.work_of_all(plan)
            }
            Node::Op(_, items) => items.iter().map(|item| item.work(plan)).sum(),
            Node::List(_, a, list) => a.work(plan) + list.len() as u64 / 4,
        }
    }

    /// Returns the maximum number of nodes evaluated for the [verdicts](Node::verdicts) on all
    /// cards.
    pub(super) fn work_of_all(&self, plan: &Plan) -> u64 {
        let sum = |items: &[Node]| items.iter().map(|item| item.work_of_all(plan)).sum::<u64>();
        match self {
            Node::Table(selectors, _) => {
                1 + selectors.iter().map(|(node, _)| node.work(plan)).sum::<u64>()
            }
            Node::Cycle(_, items) => 1 + sum(items),
            Node::Op(op, items) if op.is_connective() => 1 + sum(items),
            other => plan.classes.len() as u64 * other.work(plan),
        }
    }

    /// Evaluates a test for one card of each class.
    pub(super) fn by_class(&self, ctx: &EvalContext<'_>) -> Verdicts {
        let mut verdicts = Verdicts::NO;
        for class in ctx.classes {
            let card = class.0.trailing_zeros() as u8;
            let one = Verdicts::uniform(self.value(&EvalContext { card, ..*ctx }));
            verdicts.yes |= one.yes & class.0;
            verdicts.right |= one.right & class.0;
        }
        verdicts
    }

    /// Evaluates a test for all cards.
    pub(super) fn verdicts(&self, ctx: &EvalContext<'_>) -> Verdicts {
        let of = |node: &Node| node.verdicts(ctx);
        match self {
            Node::Table(selectors, table) => {
                let (mut row, mut step) = (0, 1);
                for (node, codes) in selectors {
                    row += codes.encode(node.value(ctx)) as usize * step;
                    step *= codes.size as usize + 1;
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
                let field = ctx.registers[*index].field;
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

/// The content of a register.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum RegisterKind {
    /// Number of cards, up to a cap.
    Length,
    /// The latest encoded values, the last one in the lowest bits.
    Shift,
    /// The value at a position of the line.
    At(u8),
    /// The value at the latest card that satisfied the second source.
    Latest,
    /// An aggregate of all values, or of those since the second source last held. `Count` and `Sum`
    /// may keep only a remainder; `Distinct` keeps a set, `Times` a counter for each value.
    Of(Aggregate, Option<i32>),
    /// The positions of the cycle that may come next; 0 for all.
    Cycle,
}

/// The meaning of a register; equal registers are shared.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct RegisterKey {
    pub(super) kind: RegisterKind,
    /// The expressions that the content is made of.
    pub(super) of: Vec<Expr>,
    /// The tests of the enclosing `among`, from outside in. Only cards that satisfy all of them
    /// update the register.
    pub(super) within: Vec<Expr>,
}

/// A register: its content and how an accepted card updates it.
#[derive(Clone, Debug)]
pub(super) struct Register {
    pub(super) key: RegisterKey,
    pub(super) field: Field,
    /// The values that it holds, one or several.
    pub(super) codes: Codes,
    pub(super) sources: Vec<Node>,
    pub(super) filters: Vec<Node>,
    /// For a shift register, the number of values; for a length, its cap.
    pub(super) depth: i32,
    /// Index of another register that the update reads, such as the previous value for a run.
    pub(super) helper: usize,
}

impl Register {
    /// Returns the number of bits.
    pub(super) fn width(&self) -> u32 {
        let (Codes { size, .. }, line) = (self.codes, LINE_MAX as u64);
        match self.key.kind {
            RegisterKind::Length => bits_for(self.depth as u64),
            RegisterKind::Shift => self.codes.bits() * self.depth as u32,
            RegisterKind::At(_) | RegisterKind::Latest => self.codes.bits(),
            RegisterKind::Cycle => size as u32,
            RegisterKind::Of(_, Some(modulus)) => bits_for(modulus as u64 - 1),
            RegisterKind::Of(aggregate, None) => match aggregate {
                Aggregate::Max | Aggregate::Min => self.codes.bits(),
                Aggregate::Distinct => size as u32,
                Aggregate::Times => counter_bits(size as u32) * size as u32,
                Aggregate::Sum => bits_for(2 * SUM_MAX as u64),
                Aggregate::Since => bits_for(line + 1),
                _ => bits_for(line),
            },
        }
    }

    /// Reads a register that holds one value.
    fn read(&self, memory: &Memory) -> Option<i32> {
        use Aggregate::{Max, Min, Since, Sum};
        let raw = self.field.get(memory);
        match self.key.kind {
            RegisterKind::At(_) | RegisterKind::Latest => self.codes.decode(raw),
            RegisterKind::Of(Max | Min | Since, _) => self.codes.decode(raw),
            RegisterKind::Of(Sum, None) => Some(from_zigzag(raw)),
            _ => Some(raw as i32),
        }
    }

    /// For a shift register: returns the code `back` positions earlier, from 1.
    fn slot(&self, memory: &Memory, back: u32) -> u64 {
        let bits = self.codes.bits();
        self.field.get(memory) >> ((back - 1) * bits) & ((1 << bits) - 1)
    }

    /// For a shift register: returns the value `back` positions earlier, from 1.
    fn shifted(&self, memory: &Memory, back: u32) -> Option<i32> {
        self.codes.decode(self.slot(memory, back))
    }

    /// For a register of counters: returns the position and the mask of the counter of one value.
    #[inline]
    const fn counter(&self, index: u32) -> (u32, u64) {
        let bits = counter_bits(self.codes.size as u32);
        (index * bits, (1 << bits) - 1)
    }

    /// Returns the maximum number of nodes evaluated to accept a card.
    pub(super) fn work(&self, plan: &Plan) -> u64 {
        let sources = self.sources.iter().chain(&self.filters);
        1 + sources.map(|source| source.work(plan)).sum::<u64>()
    }

    /// Returns the bits after one more accepted card; `ctx` is the state before it.
    pub(super) fn updated(&self, ctx: &EvalContext<'_>) -> u64 {
        let &Register { field, codes, .. } = self;
        let memory = ctx.memory;
        let helper = || &ctx.registers[self.helper];
        let raw = field.get(memory);
        if !self.filters.iter().all(|test| test.input(ctx) == Some(1)) {
            return raw;
        }
        let value = |which: usize| self.sources[which].input(ctx);
        let line = LINE_MAX as u64;
        use Aggregate::{Count, Distinct, Max, Min, Run, Runs, Since, Sum, Times};
        match self.key.kind {
            RegisterKind::Length => (raw + 1).min(self.depth as u64),
            RegisterKind::Shift => raw << codes.bits() | codes.encode(value(0)),
            RegisterKind::At(place) => {
                let cards = helper().field.get(memory);
                if cards + 1 == u64::from(place) { codes.encode(value(0)) } else { raw }
            }
            RegisterKind::Latest if value(1) == Some(1) => codes.encode(value(0)),
            RegisterKind::Latest => raw,
            RegisterKind::Of(..) if self.sources.len() > 1 && value(1) == Some(1) => 0,
            RegisterKind::Of(Count, modulus) => {
                let next = raw + u64::from(value(0) == Some(1));
                modulus.map_or(next.min(line), |m| next % m as u64)
            }
            RegisterKind::Of(Sum, modulus) => {
                let add = value(0).unwrap_or(0);
                match modulus {
                    Some(m) => (raw as i64 + i64::from(add)).rem_euclid(m.into()) as u64,
                    None => to_zigzag((from_zigzag(raw) + add).clamp(-SUM_MAX, SUM_MAX)),
                }
            }
            RegisterKind::Of(Since, _) => match (raw, value(0) == Some(1)) {
                (_, true) => 1,
                (0, false) => 0,
                (old, false) => (old + 1).min(line + 1),
            },
            RegisterKind::Of(aggregate @ (Run | Runs), _) => {
                let before = helper();
                let is_same = raw > 0 && before.slot(memory, 1) == before.codes.encode(value(0));
                match (aggregate, is_same) {
                    (Run, false) => 1,
                    (Runs, true) => raw,
                    _ => (raw + 1).min(line),
                }
            }
            RegisterKind::Of(aggregate, _) => match (aggregate, codes.encode(value(0))) {
                (_, 0) => raw,
                (Max, new) => raw.max(new),
                (Min, new) if raw == 0 => new,
                (Min, new) => raw.min(new),
                (Distinct, code) => raw | 1 << (code - 1),
                (Times, code) => {
                    let (shift, mask) = self.counter(code as u32 - 1);
                    raw + (u64::from(raw >> shift & mask < mask) << shift)
                }
                // No other aggregate has a register.
                _ => raw,
            },
            RegisterKind::Cycle => {
                let (size, full) = (codes.size as u64, field.mask());
                let live = if raw == 0 { full } else { raw };
                let fits = |at: &u64| live >> at & 1 == 1 && value(*at as usize) != Some(0);
                let next = (0..size).filter(fits).fold(0, |next, at| next | 1 << ((at + 1) % size));
                if next == full { 0 } else { next }
            }
        }
    }
}
