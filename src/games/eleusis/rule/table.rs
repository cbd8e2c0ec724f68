//! Tests made ready for whole masks, as tables where what they read of the past is little.

use super::builder::Builder;
use super::core::{uses_card, uses_past};
use super::node::{Masks, Node, Scalar};
use super::{Binary, Expr, Memory, Over, RuleError, Unary, kind};

/// A table of masks has at most this many rows.
const ROWS: usize = 1024;
/// A connective is tabled as a whole only up to this many rows.
const FEW_ROWS: usize = 64;

impl Builder {
    /// The node of a test, made for whole masks.
    pub(super) fn masks(&mut self, test: &Expr) -> Result<Node, RuleError> {
        if !uses_past(test) {
            let node = self.node(test, &[])?;
            return Ok(Node::Fixed(node.by_card(&self.plan, &Memory::default(), &[])));
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
            |items: &[Expr]| items.iter().map(|e| self.masks(e)).collect::<Result<Vec<_>, _>>();
        Ok(match test {
            Expr::All(items) => Node::All(each(items)?),
            Expr::Any(items) => Node::Any(each(items)?),
            Expr::If(a, b, c) => {
                Node::If(self.masks(a)?.into(), self.masks(b)?.into(), self.masks(c)?.into())
            }
            Expr::Unary(Unary::Not, a) => Node::Unary(Unary::Not, self.masks(a)?.into()),
            Expr::Binary(op @ (Binary::Xor | Binary::Default), a, b) => {
                Node::Binary(*op, self.masks(a)?.into(), self.masks(b)?.into())
            }
            Expr::Cycle(_) => self.node(test, &[])?,
            Expr::Over(Over::Seen, ..) => self.node(test, &[])?,
            other => Node::PerCard(self.node(other, &[])?.into()),
        })
    }

    /// The test as a table of masks over the few values of the past that it reads, if they are
    /// few enough.
    pub(super) fn table(&mut self, test: &Expr, rows: usize) -> Result<Option<Node>, RuleError> {
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
        let mut table: Vec<Masks> = Vec::with_capacity(size);
        let mut slots = vec![None; reads.len()];
        for row in 0..size {
            let mut rest = row;
            for (slot, scalar) in slots.iter_mut().zip(&scalars) {
                let code = rest as i32 % (scalar.size + 1);
                rest /= scalar.size as usize + 1;
                *slot = (code > 0).then(|| code - 1 + scalar.low);
            }
            table.push(node.by_card(&self.plan, &Memory::default(), &slots));
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
