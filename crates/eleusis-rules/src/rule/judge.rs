//! Rules that judge cards, and what a test says of all cards.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::Arc;

use super::compile::{Plan, compile};
use super::node::Ctx;
use super::register::What;
use super::{Expr, Kind, Memory, RuleError, kind, parse};
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
    pub fn right(&self, memory: &Memory) -> CardSet {
        CardSet(self.verdicts(memory).right)
    }

    /// What the rule says of each card; unknown is right.
    pub fn verdicts(&self, memory: &Memory) -> Verdicts {
        let plan = &self.0.1;
        let Plan { kept, classes, .. } = plan;
        plan.root.verdicts(&Ctx { kept, classes, memory, card: 0, slots: &[] })
    }

    /// The memory after one more accepted card; an empty line's memory is the default one.
    pub fn step(&self, memory: &Memory, card: Card) -> Memory {
        let plan = &self.0.1;
        let Plan { kept, classes, .. } = plan;
        let ctx = Ctx { kept, classes, memory, card: card.index(), slots: &[] };
        let mut next = *memory;
        for (index, (kept, register)) in plan.kept.iter().zip(&plan.registers).enumerate() {
            kept.field.set(&mut next, register.updated(index, &ctx));
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

    /// What it takes to judge all cards, and to accept one, in parts of the rule worked out.
    pub(super) fn work(&self) -> (u64, u64) {
        let plan = &self.0.1;
        (plan.judging, plan.accepting)
    }

    /// Cards that the rule cannot tell apart, whatever happened.
    pub fn classes(&self) -> &[CardSet] {
        &self.0.1.classes
    }
}

/// What a rule remembers: two rules are equal in this where every line leaves them the same memory.
#[derive(Clone, Debug)]
pub struct Remembered(pub Rule);

impl Remembered {
    fn parts(&self) -> impl Iterator<Item = (&What, &[Expr], &[Expr], i32)> {
        let registers = self.0.0.1.registers.iter();
        registers.map(|kept| (&kept.what, &kept.of[..], &kept.within[..], kept.depth))
    }
}

impl PartialEq for Remembered {
    fn eq(&self, other: &Remembered) -> bool {
        self.parts().eq(other.parts())
    }
}

impl Eq for Remembered {}

impl Hash for Remembered {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parts().for_each(|part| part.hash(state));
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

const ALL: u64 = CardSet::FULL.0;

/// For which cards a test says yes, and for which it is right: yes or unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdicts {
    /// Yes.
    pub yes: u64,
    /// Yes or unknown.
    pub right: u64,
}

impl Verdicts {
    /// Yes for every card.
    pub const YES: Verdicts = Verdicts { yes: ALL, right: ALL };
    /// No for every card.
    pub const NO: Verdicts = Verdicts { yes: 0, right: 0 };
    /// Unknown for every card.
    pub const UNKNOWN: Verdicts = Verdicts { yes: 0, right: ALL };

    /// The same for every card: 0 is no, any other value yes.
    pub(super) const fn flat(value: Option<i32>) -> Verdicts {
        match value {
            Some(0) => Verdicts::NO,
            Some(_) => Verdicts::YES,
            None => Verdicts::UNKNOWN,
        }
    }

    /// Asks one card of each class.
    pub(super) fn by_class(classes: &[CardSet], value: impl Fn(u8) -> Option<i32>) -> Verdicts {
        let mut verdicts = Verdicts::NO;
        for class in classes {
            let one = Verdicts::flat(value(class.0.trailing_zeros() as u8));
            verdicts.yes |= one.yes & class.0;
            verdicts.right |= one.right & class.0;
        }
        verdicts
    }

    /// What is said of one card: 1 for yes, 0 for no.
    pub(super) const fn of(self, card: u8) -> Option<i32> {
        match (self.yes >> card & 1, self.right >> card & 1) {
            (1, _) => Some(1),
            (_, 0) => Some(0),
            _ => None,
        }
    }
    pub(super) const fn not(self) -> Verdicts {
        Verdicts { yes: ALL & !self.right, right: ALL & !self.yes }
    }
    pub(super) const fn and(self, b: Verdicts) -> Verdicts {
        Verdicts { yes: self.yes & b.yes, right: self.right & b.right }
    }
    pub(super) const fn or(self, b: Verdicts) -> Verdicts {
        Verdicts { yes: self.yes | b.yes, right: self.right | b.right }
    }
    pub(super) const fn xor(self, b: Verdicts) -> Verdicts {
        self.and(b.not()).or(self.not().and(b))
    }

    /// These where the test says yes, `no` where it says no; where it is unknown, what both say.
    pub(super) const fn choose(test: Verdicts, yes: Verdicts, no: Verdicts) -> Verdicts {
        let unknown = test.right & !test.yes;
        let (a, b) = (test.yes, ALL & !test.right);
        Verdicts {
            yes: a & yes.yes | b & no.yes | unknown & yes.yes & no.yes,
            right: a & yes.right | b & no.right | unknown & (yes.right | no.right),
        }
    }

    /// These where they are known, else `other`.
    pub(super) const fn or_else(self, other: Verdicts) -> Verdicts {
        let unknown = self.right & !self.yes;
        Verdicts { yes: self.yes | unknown & other.yes, right: self.yes | unknown & other.right }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connectives_agree_with_what_is_known_of_each_card() {
        let values = [Some(0), Some(1), None];
        for a in values {
            for b in values {
                let (x, y) = (Verdicts::flat(a), Verdicts::flat(b));
                let both = |decisive: i32| match (a, b) {
                    (Some(v), _) | (_, Some(v)) if v == decisive => Some(decisive),
                    (Some(_), Some(_)) => Some(1 - decisive),
                    _ => None,
                };
                assert_eq!(x.and(y).of(7), both(0), "{a:?} and {b:?}");
                assert_eq!(x.or(y).of(7), both(1), "{a:?} or {b:?}");
                assert_eq!(x.xor(y).of(7), a.zip(b).map(|(a, b)| a ^ b), "{a:?} xor {b:?}");
                assert_eq!(x.or_else(y).of(7), a.or(b), "{a:?} ?? {b:?}");
                assert_eq!(x.not().of(7), a.map(|a| 1 - a), "not {a:?}");
                for test in values {
                    let expected = match test {
                        Some(1) => a,
                        Some(_) => b,
                        None => a.filter(|_| a == b),
                    };
                    let chosen = Verdicts::choose(Verdicts::flat(test), x, y);
                    assert_eq!(chosen.of(7), expected, "if {test:?} then {a:?} else {b:?}");
                }
            }
        }
    }
}
