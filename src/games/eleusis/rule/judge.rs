//! Rules that judge cards.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::ast::Expr;
use super::compile::compile;
use super::error::RuleError;
use super::kind::{Kind, MAX_DEPTH, TOO_DEEP, kind};
use super::memory::Memory;
use super::parse::parse;
use super::plan::Plan;
use super::verdicts::Verdicts;
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
        if expr.depth() > MAX_DEPTH {
            return Err(RuleError::Large(TOO_DEEP.to_owned()));
        }
        match kind(&expr).map_err(RuleError::Kind)? {
            Kind::Bool => {}
            other => {
                let what = format!("`{expr}` is {}; a rule is a test", other.word());
                return Err(RuleError::Kind(what));
            }
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
        self.0.1.verdicts(memory)
    }

    /// The memory after one more accepted card; an empty line's memory is the default one.
    #[inline]
    pub fn step(&self, memory: &Memory, card: Card) -> Memory {
        self.0.1.step(memory, card.index())
    }

    /// The memory after a line of cards.
    pub fn after(&self, line: &[Card]) -> Memory {
        line.iter().fold(Memory::default(), |memory, &card| self.step(&memory, card))
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

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rule({})", self.expr())
    }
}

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Rule, RuleError> {
        Rule::new(parse(text)?)
    }
}
