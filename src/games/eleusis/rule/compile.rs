//! From the tree to a plan.

use super::ast::{Attr, Binary, Expr, Over, Unary};
use super::desugar::{desugared, uses_card, uses_past};
use super::error::RuleError;
use super::kind::{Kind, LINE_MAX, kind};
use super::memory::{Field, Kept, Memory, lay_out};
use super::node::{Ctx, Node, Scalar};
use super::plan::Plan;
use super::register::{Register, Source, What};
use super::verdicts::Verdicts;
use crate::cards::CardSet;

/// A table of verdicts has at most this many rows.
const ROWS: usize = 1024;
/// A connective is tabled as a whole only up to this many rows.
const FEW_ROWS: usize = 64;

/// Makes a rule ready.
///
/// # Errors
/// When it must remember too much.
pub(super) fn compile(rule: &Expr) -> Result<Plan, RuleError> {
    let rule = desugared(rule);
    let mut compiler = Compiler::default();
    let root = compiler.verdicts(&rule)?;
    let Compiler { mut kept, registers, known } = compiler;
    let widths: Vec<u32> = registers.iter().zip(&kept).map(|(r, kept)| r.width(kept)).collect();
    if let Some(index) = widths.iter().position(|w| *w > 64) {
        let what = format!(
            "looking back {} cards on `{}` is too far: {} bits of memory, at most 64",
            registers[index].depth, known[index].1[0], widths[index]
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
    Ok(Plan { kept, registers, root, classes: classes(&rule) })
}

/// A plan in the making.
#[derive(Default)]
struct Compiler {
    kept: Vec<Kept>,
    registers: Vec<Register>,
    /// What each register keeps, and the expressions it keeps it of: those with the same are shared.
    known: Vec<(What, Vec<Expr>)>,
}

impl Compiler {
    fn register(
        &mut self,
        what: What,
        of: &[&Expr],
        sort: Kind,
        depth: i32,
    ) -> Result<usize, RuleError> {
        let known = |(kept, exprs): &(What, Vec<Expr>)| *kept == what && exprs.iter().eq(of.iter().copied());
        if let Some(index) = self.known.iter().position(known) {
            let register = &mut self.registers[index];
            register.depth = register.depth.max(depth);
            return Ok(index);
        }
        if sort.values() > 1 << 16 {
            return Err(RuleError::Large(format!("`{}` has too many values to remember", of[0])));
        }
        let helper = match what {
            What::At(place) => self.register(What::Length, &[], Kind::Bool, place.into())?,
            What::Run | What::Runs => self.register(What::Shift, &[of[0]], sort, 1)?,
            _ => 0,
        };
        let sources = of.iter().map(|e| self.source(e)).collect::<Result<_, _>>()?;
        let size = match what {
            What::Cycle => of.len() as i32,
            _ => sort.values() as i32,
        };
        let code = what.code();
        self.kept.push(Kept { field: Field::default(), code, low: sort.low(), size });
        self.known.push((what.clone(), of.iter().map(|e| (*e).clone()).collect()));
        self.registers.push(Register { what, sources, depth, helper });
        Ok(self.registers.len() - 1)
    }

    fn source(&mut self, expr: &Expr) -> Result<Source, RuleError> {
        if uses_past(expr) {
            return Ok(Source::Node(self.node(expr, &[])?));
        }
        let node = self.node(expr, &[])?;
        let mut values = Box::new([i32::MIN; 52]);
        for (card, value) in (0..).zip(values.iter_mut()) {
            let ctx = Ctx { kept: &self.kept, memory: &Memory::default(), card, slots: &[] };
            *value = node.value(&ctx).unwrap_or(i32::MIN);
        }
        Ok(Source::ByCard(values))
    }

    /// The node that works out an expression; `slots` are given from outside.
    fn node(&mut self, expr: &Expr, slots: &[Expr]) -> Result<Node, RuleError> {
        if let Some(slot) = slots.iter().position(|s| s == expr) {
            return Ok(Node::Slot(slot));
        }
        let sort = |e: &Expr| kind(e).map_err(RuleError::Kind);
        let list = |items: &[Expr]| items.iter().filter_map(Expr::constant).collect::<Vec<_>>();
        Ok(match expr {
            Expr::Num(_) | Expr::Suit(_) | Expr::Color(_) | Expr::Bool(_) => {
                Node::Const(expr.constant())
            }
            Expr::Attr(attr) => Node::Attr(*attr),
            Expr::Length => Node::Read(self.register(What::Length, &[], Kind::Bool, LINE_MAX)?),
            Expr::Was(k, a) => {
                let k = u32::from(*k);
                Node::Shift(self.register(What::Shift, &[a], sort(a)?, k as i32)?, k)
            }
            Expr::At(k, a) => Node::Read(self.register(What::At(*k), &[a], sort(a)?, 0)?),
            Expr::Latest(p, a) => Node::Read(self.register(What::Latest, &[a, p], sort(a)?, 0)?),
            Expr::Unary(op, a) => Node::Unary(*op, self.node(a, slots)?.into()),
            Expr::Binary(Binary::Mod, a, m) => match (a.as_ref(), m.as_ref()) {
                (Expr::Length, Expr::Num(m)) if *m > 0 => {
                    let what = What::Count(Some(*m));
                    Node::Read(self.register(what, &[&Expr::Bool(true)], Kind::Bool, 0)?)
                }
                (Expr::Over(Over::Count, p, None), Expr::Num(m)) if *m > 0 => {
                    Node::Read(self.register(What::Count(Some(*m)), &[p], Kind::Bool, 0)?)
                }
                (Expr::Over(Over::Sum, a, None), Expr::Num(m)) if *m > 0 => {
                    Node::Read(self.register(What::Sum(Some(*m)), &[a], Kind::Bool, 0)?)
                }
                (a, m) => {
                    let (a, m) = (self.node(a, slots)?, self.node(m, slots)?);
                    Node::Binary(Binary::Mod, a.into(), m.into())
                }
            },
            Expr::Binary(op, a, b) => {
                Node::Binary(*op, self.node(a, slots)?.into(), self.node(b, slots)?.into())
            }
            Expr::All(items) => Node::All(self.nodes(items, slots)?),
            Expr::Any(items) => Node::Any(self.nodes(items, slots)?),
            Expr::Holds(items) => Node::Holds(self.nodes(items, slots)?),
            Expr::If(a, b, c) => {
                let mut part = |e| self.node(e, slots).map(Box::new);
                Node::If(part(a)?, part(b)?, part(c)?)
            }
            Expr::In(a, items) => Node::In(self.node(a, slots)?.into(), list(items)),
            Expr::After(a, items) => Node::After(self.node(a, slots)?.into(), list(items)),
            Expr::Place(a, items) => Node::Place(self.node(a, slots)?.into(), list(items)),
            Expr::Over(what, a, window) => self.over(*what, a, *window, slots)?,
            Expr::Since(p) => Node::Read(self.register(What::Since, &[p], Kind::Bool, 0)?),
            Expr::Run(a) => Node::Read(self.register(What::Run, &[a], sort(a)?, 0)?),
            Expr::Runs(a) => Node::Read(self.register(What::Runs, &[a], sort(a)?, 0)?),
            Expr::Cycle(items) => {
                let of: Vec<&Expr> = items.iter().collect();
                let register = self.register(What::Cycle, &of, Kind::Bool, 0)?;
                let tests = items.iter().map(|e| self.verdicts(e)).collect::<Result<_, _>>()?;
                Node::Cycle(register, tests)
            }
            Expr::Phase(_) | Expr::Pattern(..) | Expr::Motif(..) => {
                self.node(&desugared(expr), slots)?
            }
        })
    }

    fn nodes(&mut self, items: &[Expr], slots: &[Expr]) -> Result<Vec<Node>, RuleError> {
        items.iter().map(|item| self.node(item, slots)).collect()
    }

    fn over(
        &mut self,
        what: Over,
        a: &Expr,
        window: Option<u8>,
        slots: &[Expr],
    ) -> Result<Node, RuleError> {
        let sort = kind(a).map_err(RuleError::Kind)?;
        // All of them: none was false or unknown.
        let known = Expr::Binary(Binary::Default, a.clone().into(), Expr::Bool(false).into());
        let a = if what == Over::Every { &known } else { a };
        if let Some(window) = window {
            let register = self.register(What::Shift, &[a], sort, window.into())?;
            return Ok(match what {
                Over::Seen => Node::Seen(self.node(a, slots)?.into(), register, Some(window)),
                _ => Node::Window(what, register, window),
            });
        }
        let whole = |b: &mut Self, what| b.register(what, &[a], sort, 0);
        Ok(match what {
            Over::Count => Node::Read(whole(self, What::Count(None))?),
            Over::Sum => Node::Read(whole(self, What::Sum(None))?),
            Over::Max => Node::Read(whole(self, What::Most(true))?),
            Over::Min => Node::Read(whole(self, What::Most(false))?),
            Over::Distinct => Node::Distinct(whole(self, What::Set)?),
            Over::Seen => {
                let register = whole(self, What::Set)?;
                Node::Seen(self.node(a, slots)?.into(), register, None)
            }
            Over::Some => Node::HasValue(whole(self, What::Set)?, 1),
            Over::Every => {
                let failed = Node::HasValue(whole(self, What::Set)?, 0);
                Node::Unary(Unary::Not, failed.into())
            }
            Over::Product | Over::Majority | Over::Minority => {
                return Err(RuleError::Kind("a window is missing".to_owned()));
            }
        })
    }

    /// The node of a test, made for all cards at once.
    fn verdicts(&mut self, test: &Expr) -> Result<Node, RuleError> {
        if !uses_past(test) {
            let node = self.node(test, &[])?;
            return Ok(Node::Fixed(node.by_card(&self.kept, &Memory::default(), &[])));
        }
        if !uses_card(test) {
            return Ok(Node::Flat(self.node(test, &[])?.into()));
        }
        let connective = matches!(
            test,
            Expr::All(_)
                | Expr::Any(_)
                | Expr::If(..)
                | Expr::Cycle(_)
                | Expr::Unary(Unary::Not, _)
                | Expr::Binary(Binary::Xor | Binary::Default, ..)
        );
        if let Some(table) = self.table(test, if connective { FEW_ROWS } else { ROWS })? {
            return Ok(table);
        }
        let mut each =
            |items: &[Expr]| items.iter().map(|e| self.verdicts(e)).collect::<Result<Vec<_>, _>>();
        Ok(match test {
            Expr::All(items) => Node::All(each(items)?),
            Expr::Any(items) => Node::Any(each(items)?),
            Expr::If(a, b, c) => {
                Node::If(self.verdicts(a)?.into(), self.verdicts(b)?.into(), self.verdicts(c)?.into())
            }
            Expr::Unary(Unary::Not, a) => Node::Unary(Unary::Not, self.verdicts(a)?.into()),
            Expr::Binary(op @ (Binary::Xor | Binary::Default), a, b) => {
                Node::Binary(*op, self.verdicts(a)?.into(), self.verdicts(b)?.into())
            }
            Expr::Cycle(_) => self.node(test, &[])?,
            Expr::Over(Over::Seen, ..) => self.node(test, &[])?,
            other => Node::PerCard(self.node(other, &[])?.into()),
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
            let sort = kind(read).map_err(RuleError::Kind)?;
            size = size.saturating_mul(sort.values() + 1);
            if size > rows {
                return Ok(None);
            }
            let node = self.node(read, &[])?;
            scalars.push(Scalar { node, low: sort.low(), size: sort.values() as i32 });
        }
        let node = self.node(test, &reads)?;
        let mut table: Vec<Verdicts> = Vec::with_capacity(size);
        let mut slots = vec![None; reads.len()];
        for row in 0..size {
            let mut rest = row;
            for (slot, scalar) in slots.iter_mut().zip(&scalars) {
                let code = rest as i32 % (scalar.size + 1);
                rest /= scalar.size as usize + 1;
                *slot = (code > 0).then(|| code - 1 + scalar.low);
            }
            table.push(node.by_card(&self.kept, &Memory::default(), &slots));
        }
        Ok(Some(Node::Table(scalars, table.into())))
    }
}

/// Collects the largest parts that read the past only. False if some part reads the card and the
/// past in a way of its own.
fn past_values(expr: &Expr, out: &mut Vec<Expr>) -> bool {
    if !uses_past(expr) {
        return true;
    }
    if !uses_card(expr) {
        if !out.contains(expr) {
            out.push(expr.clone());
        }
        return true;
    }
    match expr {
        Expr::Cycle(_) | Expr::Over(..) => false,
        other => other.children().into_iter().all(|child| past_values(child, out)),
    }
}

/// Cards grouped by all attributes that the rule mentions.
fn classes(rule: &Expr) -> Vec<CardSet> {
    fn attrs(expr: &Expr, out: &mut Vec<Attr>) {
        if let Expr::Attr(attr) = expr {
            out.push(*attr);
        }
        expr.children().into_iter().for_each(|child| attrs(child, out));
    }
    let mut used = Vec::new();
    attrs(rule, &mut used);
    used.sort();
    used.dedup();
    let mut groups: Vec<(Vec<i32>, CardSet)> = Vec::new();
    for card in CardSet::FULL {
        let values: Vec<i32> = used.iter().map(|attr| attr.of(card)).collect();
        match groups.iter_mut().find(|(known, _)| *known == values) {
            Some((_, cards)) => *cards = cards.with(card),
            None => groups.push((values, CardSet::EMPTY.with(card))),
        }
    }
    groups.into_iter().map(|(_, cards)| cards).collect()
}
