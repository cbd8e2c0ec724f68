//! A rule made ready to judge cards.
//!
//! Everything that looks back becomes a *register*: a few bits of the [`Memory`] that are updated
//! card by card. A test that reads nothing but the card has the same verdicts always; one that reads
//! a few small values of the past besides is a table of verdicts, looked up by those values;
//! connectives work on the verdicts of all cards at once. What is left is tried card by card.

use super::memory::{Kept, Memory};
use super::node::Node;
use super::register::Register;
use super::verdicts::Verdicts;
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
}

impl Plan {
    #[inline]
    pub(super) fn verdicts(&self, memory: &Memory) -> Verdicts {
        self.root.verdicts(&self.kept, memory)
    }

    /// The memory after one more accepted card.
    #[inline]
    pub(super) fn step(&self, memory: &Memory, card: u8) -> Memory {
        let mut next = *memory;
        for (index, (kept, register)) in self.kept.iter().zip(&self.registers).enumerate() {
            kept.field.set(&mut next, register.updated(index, &self.kept, memory, card));
        }
        next
    }
}
