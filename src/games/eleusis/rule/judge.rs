//! Rules that judge cards.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::compile::{Plan, compile};
use super::node::Ctx;
use super::{Expr, Kind, Memory, RuleError, Verdicts, kind, parse};
use crate::cards::{Card, CardSet};

/// A rule made ready to judge cards. Clones share what was made.
#[derive(Clone)]
pub struct Rule(Arc<(Expr, Plan)>);

impl Rule {
    /// The rule of a tree.
    ///
    /// # Errors
    /// When its parts do not fit together, it is no test, or it must remember too much.
    pub fn new(expr: Expr) -> Result<Rule, RuleError> {
        let kind = kind(&expr)?;
        if kind != Kind::Bool {
            return Err(RuleError::Kind(format!("`{expr}` is {}; a rule is a test", kind.word())));
        }
        let plan = compile(&expr)?;
        Ok(Rule(Arc::new((expr, plan))))
    }

    /// The tree.
    pub fn expr(&self) -> &Expr {
        &self.0.0
    }

    /// The cards that are right after the cards that the memory is of.
    #[inline]
    pub fn right(&self, memory: &Memory) -> CardSet {
        CardSet(self.verdicts(memory).right)
    }

    /// What the rule says of each card; unknown is right.
    #[inline]
    pub fn verdicts(&self, memory: &Memory) -> Verdicts {
        let plan = &self.0.1;
        plan.root.verdicts(&Ctx { kept: &plan.kept, memory, card: 0, slots: &[] })
    }

    /// The memory after one more accepted card; an empty line's memory is the default one.
    #[inline]
    pub fn step(&self, memory: &Memory, card: Card) -> Memory {
        let plan = &self.0.1;
        let mut next = *memory;
        for (index, (kept, register)) in plan.kept.iter().zip(&plan.registers).enumerate() {
            kept.field.set(&mut next, register.updated(index, &plan.kept, memory, card.index()));
        }
        next
    }

    /// The memory after a line of cards.
    pub fn after(&self, line: &[Card]) -> Memory {
        line.iter().fold(Memory::default(), |memory, &card| self.step(&memory, card))
    }

    /// The memory after these cards, if each of them is right in turn.
    pub fn accepts(&self, memory: &Memory, cards: &[Card]) -> Option<Memory> {
        cards.iter().try_fold(*memory, |memory, &card| {
            self.right(&memory).has(card).then(|| self.step(&memory, card))
        })
    }

    /// Cards that the rule cannot tell apart, whatever happened.
    pub fn classes(&self) -> &[CardSet] {
        &self.0.1.classes
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Rule) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.expr() == other.expr()
    }
}

impl Eq for Rule {}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.expr().fmt(f)
    }
}

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Rule, RuleError> {
        Rule::new(parse(text)?)
    }
}

crate::files::text::as_text!(Rule, ".+");
