//! From the tree to a plan, which judges cards.
//!
//! Everything that looks back becomes a *register*: a few bits of the [`Memory`] that are updated
//! card by card. A test that reads nothing but the card has the same verdicts always; one that reads
//! a few small values of the past besides is a table of verdicts, looked up by those values;
//! connectives work on the verdicts of all cards at once. What is left is tried card by card.

use std::collections::{BTreeMap, BTreeSet};

use super::bind::bound;
use super::desugar::{desugared, uses};
use super::node::{Ctx, Node, Scalar};
use super::register::{Field, Kept, Register, Source, What, lay_out};
use super::{Attr, Expr, Kind, LINE_MAX, Memory, Op, Over, RuleError, Verdicts, kind};
use crate::cards::CardSet;

/// A rule made ready.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// What is kept of the past, and beside it how each changes.
    pub(super) kept: Vec<Kept>,
    pub(super) registers: Vec<Register>,
    pub(super) root: Node,
    /// Cards that no part of the rule can tell apart.
    pub(super) classes: Vec<CardSet>,
    /// What it takes to judge all cards, in nodes worked out at most.
    pub(super) judging: u64,
    /// The same to accept a card.
    pub(super) accepting: u64,
}

/// No rule takes more to judge all cards and accept one: whether it can be played is looked for in
/// many situations, and nobody waits a second for that.
const MOST_WORK: u64 = 6_000;

/// A table of verdicts has at most this many rows.
const ROWS: usize = 1024;
/// A connective is tabled as a whole only up to this many rows.
const FEW_ROWS: usize = 64;

/// Makes a rule ready.
///
/// # Errors
/// When it must remember too much.
pub(super) fn compile(rule: &Expr) -> Result<Plan, RuleError> {
    let rule = desugared(&bound(rule)?);
    let mut compiler = Compiler { classes: classes(&rule), ..Compiler::default() };
    let root = compiler.verdicts(&rule)?;
    let Compiler { mut kept, registers, classes, .. } = compiler;
    let widths: Vec<u32> = registers.iter().zip(&kept).map(|(r, kept)| r.width(kept)).collect();
    if let Some(index) = widths.iter().position(|w| *w > 64) {
        let what = format!(
            "looking back {} cards on `{}` is too far: {} bits of memory, at most 64",
            registers[index].depth, registers[index].of[0], widths[index]
        );
        return Err(RuleError::Large(what));
    }
    let Some(fields) = lay_out(&widths) else {
        let what = "the rule must remember too much: more than 512 bits";
        return Err(RuleError::Large(what.to_owned()));
    };
    for (kept, field) in kept.iter_mut().zip(fields) {
        kept.field = field;
    }
    let each = classes.len() as u64;
    let accepting = registers.iter().map(|register| register.work(&kept, each)).sum();
    let judging = root.work_of_all(&kept, each);
    if judging + accepting > MOST_WORK {
        let what = format!(
            "the rule takes {} steps to judge the 52 cards, and at most {MOST_WORK} are allowed; leave \
             some of it out",
            judging + accepting
        );
        return Err(RuleError::Large(what));
    }
    Ok(Plan { kept, registers, root, classes, judging, accepting })
}

/// A plan in the making.
#[derive(Default)]
struct Compiler {
    classes: Vec<CardSet>,
    kept: Vec<Kept>,
    registers: Vec<Register>,
    /// Expressions whose values are given from outside.
    slots: Vec<Expr>,
    /// The tests of the `among` that are open, from outside in.
    within: Vec<Expr>,
}

impl Compiler {
    /// The register that keeps something of these expressions; `depth` is what it must hold at
    /// least.
    fn register(&mut self, what: What, of: &[&Expr], depth: i32) -> Result<usize, RuleError> {
        let within = self.within.clone();
        let known = |register: &Register| {
            register.what == what
                && register.of.iter().eq(of.iter().copied())
                && register.within == within
        };
        if let Some(index) = self.registers.iter().position(known) {
            let register = &mut self.registers[index];
            register.depth = register.depth.max(depth);
            return Ok(index);
        }
        let sort = match (&what, of) {
            // A remainder is small, whatever it is of.
            (What::Over(Over::Sum, Some(_)), _) | (_, []) => Kind::Bool,
            (_, of) => kind(of[0])?,
        };
        if sort.values() > 1 << 16 {
            return Err(RuleError::Large(format!("`{}` has too many values to remember", of[0])));
        }
        let helper = match what {
            What::At(place) => self.register(What::Length, &[], place.into())?,
            What::Over(Over::Run | Over::Runs, _) => self.register(What::Shift, &[of[0]], 1)?,
            _ => 0,
        };
        let sources = of.iter().map(|e| self.source(e)).collect::<Result<_, _>>()?;
        let filters = self.filters(&within)?;
        let (code, low) = (what.code(), sort.low());
        let size = if what == What::Cycle { of.len() } else { sort.values() } as i32;
        self.kept.push(Kept { field: Field::default(), code, low, size });
        let of = of.iter().map(|e| (*e).clone()).collect();
        self.registers.push(Register { what, of, sources, within, filters, depth, helper });
        Ok(self.registers.len() - 1)
    }

    /// The tests of the open `among`; each speaks of the cards that satisfy those before it.
    fn filters(&mut self, within: &[Expr]) -> Result<Vec<Source>, RuleError> {
        let mut filters = Vec::new();
        for (index, test) in within.iter().enumerate() {
            self.within.truncate(index);
            filters.push(self.source(test)?);
            self.within.push(test.clone());
        }
        Ok(filters)
    }

    /// A register that is read as it is.
    fn read(&mut self, what: What, of: &[&Expr], depth: i32) -> Result<Node, RuleError> {
        self.register(what, of, depth).map(Node::Read)
    }

    /// Before any card is accepted.
    fn start<'a>(&'a self, slots: &'a [Option<i32>]) -> Ctx<'a> {
        let (kept, classes) = (&self.kept, &self.classes);
        Ctx { kept, classes, memory: &Memory::EMPTY, card: 0, slots }
    }

    fn source(&mut self, expr: &Expr) -> Result<Source, RuleError> {
        let node = self.node(expr)?;
        if uses(expr).1 {
            return Ok(Source::Node(node));
        }
        let ctx = self.start(&[]);
        let value = |card| node.value(&Ctx { card: card as u8, ..ctx });
        Ok(Source::ByCard(Box::new(std::array::from_fn(value))))
    }

    /// The node that works out an expression.
    fn node(&mut self, expr: &Expr) -> Result<Node, RuleError> {
        if let Some(slot) = self.slots.iter().position(|s| s == expr) {
            return Ok(Node::Slot(slot));
        }
        Ok(match expr {
            Expr::Num(_) | Expr::Suit(_) | Expr::Color(_) | Expr::Bool(_) => {
                Node::Const(expr.constant())
            }
            Expr::Attr(attr) => Node::Attr(*attr),
            Expr::Length => self.read(What::Length, &[], LINE_MAX)?,
            Expr::Was(k, a) => {
                Node::Shift(self.register(What::Shift, &[a], (*k).into())?, (*k).into())
            }
            Expr::At(k, a) => self.read(What::At(*k), &[a], 0)?,
            Expr::Latest(p, a) => self.read(What::Latest, &[a, p], 0)?,
            Expr::Op(op, items) => match (op, &items[..]) {
                (
                    Op::Mod,
                    [Expr::Over(over @ (Over::Count | Over::Sum), a, None), Expr::Num(m)],
                ) if *m > 0 => self.read(What::Over(*over, Some(*m)), &[a], 0)?,
                _ => {
                    let items = items.iter().map(|item| self.node(item));
                    Node::Op(*op, items.collect::<Result<_, _>>()?)
                }
            },
            Expr::Listed(what, a, list) => {
                let list = list.iter().filter_map(Expr::constant).collect();
                Node::Listed(*what, self.node(a)?.into(), list)
            }
            Expr::Over(what, a, window) => self.over(*what, a, *window, None)?,
            Expr::OverSince(what, a, p) => self.over(*what, a, None, Some(p))?,
            Expr::Cycle(items) => {
                let of: Vec<&Expr> = items.iter().collect();
                let register = self.register(What::Cycle, &of, 0)?;
                let tests = items.iter().map(|e| self.verdicts(e)).collect::<Result<_, _>>()?;
                Node::Cycle(register, tests)
            }
            Expr::Among(test, a) => {
                self.within.push(test.as_ref().clone());
                let node = self.node(a);
                self.within.pop();
                node?
            }
            Expr::This(_) | Expr::Phase(_) | Expr::Letters(..) => {
                return Err(RuleError::Kind(format!("`{expr}` cannot stand here")));
            }
        })
    }

    fn over(
        &mut self,
        over: Over,
        a: &Expr,
        window: Option<u8>,
        since: Option<&Expr>,
    ) -> Result<Node, RuleError> {
        // All of them: none was false or unknown.
        let known = Expr::Op(Op::Default, vec![a.clone(), Expr::Bool(false)]);
        let a = if over == Over::Every { &known } else { a };
        let (what, depth) = match (window, over) {
            (Some(window), _) => (What::Shift, window.into()),
            // What occurred is known by the set of values.
            (_, Over::Distinct | Over::Seen | Over::Some | Over::Every) => {
                (What::Over(Over::Distinct, None), 0)
            }
            (_, Over::Product | Over::Majority | Over::Minority) => {
                return Err(RuleError::Kind("a window is missing".to_owned()));
            }
            (_, Over::Commonest | Over::Rarest) => (What::Over(Over::Times, None), 0),
            _ => (What::Over(over, None), 0),
        };
        let of: Vec<&Expr> = [Some(a), since].into_iter().flatten().collect();
        let register = self.register(what, &of, depth)?;
        let here = if over.reads_card() { self.node(a)? } else { Node::Const(None) };
        Ok(Node::Over(over, register, window, here.into()))
    }

    /// The node of a test, made for all cards at once.
    fn verdicts(&mut self, test: &Expr) -> Result<Node, RuleError> {
        use Op::{And, Default, If, Not, Or, Otherwise, Xor};
        let connective = matches!(
            test,
            Expr::Cycle(_) | Expr::Op(And | Or | If | Not | Xor | Default | Otherwise, _)
        );
        if let Some(table) = self.table(test, if connective { FEW_ROWS } else { ROWS })? {
            return Ok(table);
        }
        Ok(match test {
            Expr::Op(op, items) if connective => {
                let items = items.iter().map(|item| self.verdicts(item));
                Node::Op(*op, items.collect::<Result<_, _>>()?)
            }
            other => self.node(other)?,
        })
    }

    /// The test as a table of verdicts over the few values of the past that it reads, if they are
    /// few enough.
    fn table(&mut self, test: &Expr, rows: usize) -> Result<Option<Node>, RuleError> {
        let mut reads = Vec::new();
        if !past_values(test, &mut reads) {
            return Ok(None);
        }
        let mut size = 1usize;
        let mut scalars = Vec::new();
        for read in &reads {
            let sort = kind(read)?;
            size = size.saturating_mul(sort.values() + 1);
            if size > rows {
                return Ok(None);
            }
            let node = self.node(read)?;
            scalars.push(Scalar { node, low: sort.low(), size: sort.values() as i32 });
        }
        self.slots = reads;
        let node = self.node(test)?;
        let mut slots = vec![None; std::mem::take(&mut self.slots).len()];
        let mut table: Vec<Verdicts> = Vec::with_capacity(size);
        for row in 0..size {
            let mut rest = row;
            for (slot, scalar) in slots.iter_mut().zip(&scalars) {
                let code = rest as i32 % (scalar.size + 1);
                rest /= scalar.size as usize + 1;
                *slot = (code > 0).then(|| code - 1 + scalar.low);
            }
            table.push(node.by_class(&self.start(&slots)));
        }
        Ok(Some(Node::Table(scalars, table.into())))
    }
}

/// Collects the largest parts that read the past only. False if some part reads the card and the
/// past in a way of its own.
fn past_values(expr: &Expr, out: &mut Vec<Expr>) -> bool {
    match (uses(expr), expr) {
        ((_, false), _) => true,
        ((false, _), _) => {
            if !out.contains(expr) {
                out.push(expr.clone());
            }
            true
        }
        (_, Expr::Cycle(_) | Expr::Over(..) | Expr::OverSince(..) | Expr::Among(..)) => false,
        (_, other) => other.children().into_iter().all(|child| past_values(child, out)),
    }
}

/// Cards grouped by all attributes that the rule mentions, in the order of their first cards.
fn classes(rule: &Expr) -> Vec<CardSet> {
    fn attrs(expr: &Expr) -> BTreeSet<Attr> {
        let own = if let Expr::Attr(attr) = expr { Some(*attr) } else { None };
        expr.children().into_iter().flat_map(attrs).chain(own).collect()
    }
    let used = attrs(rule);
    let mut groups: BTreeMap<Vec<i32>, CardSet> = BTreeMap::new();
    for card in CardSet::FULL {
        let values = used.iter().map(|attr| attr.of(card)).collect();
        let cards = groups.entry(values).or_insert(CardSet::EMPTY);
        *cards = cards.with(card);
    }
    let mut classes: Vec<CardSet> = groups.into_values().collect();
    classes.sort_by_key(|class| class.0.trailing_zeros());
    classes
}
