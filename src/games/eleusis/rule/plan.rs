//! From the tree to registers and masks.
//!
//! Everything that looks back becomes a *register*: a few bits of the [`Memory`] that are updated
//! card by card. A test that reads nothing but the card is a constant mask; one that reads a few
//! small values of the past besides is a table of masks, looked up by those values; connectives
//! work on whole masks. What is left is tried card by card.

use super::builder::Builder;
use super::core::core;
use super::memory::lay_out;
use super::node::Node;
use super::register::Register;
use super::{Expr, Memory, RuleError};
use crate::cards::CardSet;

/// A rule made ready.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) registers: Vec<Register>,
    pub(super) root: Node,
    /// Cards that no part of the rule can tell apart.
    pub(super) classes: Vec<CardSet>,
}

impl Plan {
    pub(super) fn new(rule: &Expr) -> Result<Plan, RuleError> {
        let rule = core(rule);
        let empty = Plan { registers: Vec::new(), root: Node::Const(Some(1)), classes: vec![] };
        let mut builder = Builder { plan: empty };
        let root = builder.masks(&rule)?;
        let mut plan = builder.plan;
        let widths: Vec<u32> = plan.registers.iter().map(Register::width).collect();
        if let Some(index) = widths.iter().position(|w| *w > 64) {
            let of = &plan.registers[index].of[0];
            let what = format!(
                "looking back {} cards on `{of}` is too far: {} bits of memory, at most 64",
                plan.registers[index].depth, widths[index]
            );
            return Err(RuleError::Large(what));
        }
        let Some(fields) = lay_out(&widths) else {
            let what = "the rule must remember too much: more than 512 bits";
            return Err(RuleError::Large(what.to_owned()));
        };
        for (register, field) in plan.registers.iter_mut().zip(fields) {
            register.field = field;
        }
        plan.root = root;
        plan.classes = classes(&rule);
        Ok(plan)
    }

    /// The cards that are right now.
    #[inline]
    pub(super) fn verdicts(&self, memory: &Memory) -> CardSet {
        CardSet(CardSet::FULL.0 & !self.root.masks(self, memory).no)
    }

    /// The cards for which the rule says yes, and those for which it says no.
    #[inline]
    pub(super) fn yes_and_no(&self, memory: &Memory) -> (CardSet, CardSet) {
        let masks = self.root.masks(self, memory);
        (CardSet(masks.yes), CardSet(masks.no))
    }

    /// The memory after one more accepted card.
    #[inline]
    pub(super) fn step(&self, memory: &Memory, card: u8) -> Memory {
        let mut next = *memory;
        for register in &self.registers {
            let raw = self.updated(register, memory, card);
            register.field.set(&mut next, raw);
        }
        next
    }
}

/// Cards grouped by all attributes that the rule mentions.
fn classes(rule: &Expr) -> Vec<CardSet> {
    fn attrs(expr: &Expr, out: &mut Vec<super::Attr>) {
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
