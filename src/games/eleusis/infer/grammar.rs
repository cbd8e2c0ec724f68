//! Some hundred thousand rules, made of some hundred tests.

use std::sync::{Arc, OnceLock};

use sha2::{Digest, Sha256};

use super::atoms::{VERSION, template};
use super::build::build;
use super::prior::Learning;
use super::signature::rule_signature;
use crate::cards::CardSet;
use crate::games::eleusis::bank::{Half, bank};
use crate::games::eleusis::rule::{Binary, Expr, Memory, Rule, RuleError};

/// What a test says of all cards: those for which it says yes, and those that are right (yes or
/// unknown).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Masks {
    /// Yes.
    pub yes: u64,
    /// Yes or unknown.
    pub right: u64,
}

impl Masks {
    /// What a rule says in a situation.
    #[inline]
    pub fn of(rule: &Rule, memory: &Memory) -> Masks {
        let (yes, no) = rule.yes_and_no(memory);
        Masks { yes: yes.0, right: CardSet::FULL.0 & !no.0 }
    }
}

/// A rule made of up to three atoms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Combo {
    /// An atom alone.
    One(u16),
    /// Both.
    And(u16, u16),
    /// Either.
    Or(u16, u16),
    /// Exactly one.
    Xor(u16, u16),
    /// If the first (it looks back only), then the second, else the third.
    If(u16, u16, u16),
}

impl Combo {
    /// The atoms that it is made of.
    pub fn atoms(self) -> impl Iterator<Item = u16> {
        let (atoms, count) = match self {
            Combo::One(a) => ([a; 3], 1),
            Combo::And(a, b) | Combo::Or(a, b) | Combo::Xor(a, b) => ([a, b, b], 2),
            Combo::If(c, a, b) => ([c, a, b], 3),
        };
        atoms.into_iter().take(count)
    }

    /// The same combination of atoms with other numbers.
    #[must_use]
    pub fn renumbered(self, number: impl Fn(u16) -> u16) -> Combo {
        match self {
            Combo::One(a) => Combo::One(number(a)),
            Combo::And(a, b) => Combo::And(number(a), number(b)),
            Combo::Or(a, b) => Combo::Or(number(a), number(b)),
            Combo::Xor(a, b) => Combo::Xor(number(a), number(b)),
            Combo::If(c, a, b) => Combo::If(number(c), number(a), number(b)),
        }
    }

    /// The cards that are right, given what each atom says.
    #[inline]
    pub fn right(self, atoms: &[Masks]) -> u64 {
        let at = |index: u16| atoms[index as usize];
        match self {
            Combo::One(a) => at(a).right,
            Combo::And(a, b) => at(a).right & at(b).right,
            Combo::Or(a, b) => at(a).right | at(b).right,
            Combo::Xor(a, b) => {
                let (a, b) = (at(a), at(b));
                CardSet::FULL.0 & !(a.yes & b.yes) & (a.right | b.right)
            }
            Combo::If(c, a, b) => {
                let (c, a, b) = (at(c), at(a), at(b));
                // Where the condition is unknown, either may hold.
                c.right & a.right | !c.yes & b.right
            }
        }
    }
}

/// What an atom says of one card: bit 0, whether it is right; bit 1, whether it says yes.
pub(super) type Bits = u8;

impl Masks {
    /// What is said of one card.
    #[inline]
    pub(super) fn bits(self, card: u8) -> Bits {
        ((self.right >> card & 1) | (self.yes >> card & 1) << 1) as u8
    }
}

impl Combo {
    /// Whether a card is right, given what each atom says of it.
    #[inline]
    pub(super) fn says(self, atoms: &[Bits]) -> bool {
        let at = |index: u16| atoms[index as usize];
        let bit = match self {
            Combo::One(a) => at(a),
            Combo::And(a, b) => at(a) & at(b),
            Combo::Or(a, b) => at(a) | at(b),
            Combo::Xor(a, b) => (at(a) | at(b)) & !((at(a) & at(b)) >> 1),
            Combo::If(c, a, b) => (at(c) & at(a)) | (!(at(c) >> 1) & at(b)),
        };
        bit & 1 == 1
    }
}

/// The rules that a learner knows, each with its prior.
#[derive(Debug)]
pub struct Grammar {
    pub(super) atoms: Vec<Rule>,
    pub(super) combos: Vec<Combo>,
    /// The prior of each, all together 1.
    pub(super) priors: Vec<f64>,
    /// The family of each: rules of one template.
    pub(super) families: Vec<u32>,
    /// What each does in the fixed situations, as a number.
    pub(super) signatures: Vec<u128>,
    /// How many combinations there were before those that behave alike were joined.
    pub(super) combined: usize,
    pub(super) outside: f64,
    /// The [`LIKELY`] rules with the largest priors, largest first.
    pub(super) likely: Vec<u32>,
}

/// A power by multiplication: the same on every machine.
pub(super) fn power(base: f64, exponent: usize) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * base)
}

/// How many of the likeliest rules are kept at hand.
pub const LIKELY: usize = 1024;

/// The places of the largest priors, largest first.
pub(super) fn likeliest(priors: &[f64]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..priors.len() as u32).collect();
    order.sort_by(|a, b| priors[*b as usize].total_cmp(&priors[*a as usize]).then(a.cmp(b)));
    order.truncate(LIKELY);
    order
}

impl Grammar {
    /// The grammar of this version.
    ///
    /// Rules that judge alike in 128 fixed situations (lines of 1 to 12 random cards, half of them
    /// with few suits or ranks) are one rule, under the shortest text, with the priors of all.
    /// Combinations that are right too often or too rarely there, or often leave nothing right, are
    /// left out. The prior is learnt from the training half of the rule bank.
    ///
    /// # Errors
    /// Never with the built-in atoms; a test says so.
    pub fn new() -> Result<Grammar, RuleError> {
        let training = bank().iter().filter(|e| e.playable && e.half == Half::Training);
        let rules: Vec<Rule> = training.map(|entry| entry.rule.clone()).collect();
        Grammar::learnt_from(&rules, &Learning::default())
    }

    /// The same with a prior learnt from these rules.
    ///
    /// # Errors
    /// Never with the built-in atoms.
    pub fn learnt_from(training: &[Rule], learning: &Learning) -> Result<Grammar, RuleError> {
        let mut atoms = Vec::new();
        for (role, text) in super::atoms::atoms() {
            atoms.push((role, text.parse()?, template(&text)));
        }
        Ok(build(atoms, training, learning))
    }

    /// The full grammar, made when it is first asked for.
    ///
    /// # Panics
    /// Never: a test makes it.
    pub fn shared() -> Arc<Grammar> {
        static GRAMMAR: OnceLock<Arc<Grammar>> = OnceLock::new();
        let make = || Arc::new(Grammar::new().expect("the built-in atoms are rules"));
        GRAMMAR.get_or_init(make).clone()
    }

    /// The rules of one atom only, made when they are first asked for.
    pub fn simple() -> Arc<Grammar> {
        static SIMPLE: OnceLock<Arc<Grammar>> = OnceLock::new();
        let one = |index: usize, grammar: &Grammar| matches!(grammar.combos[index], Combo::One(_));
        let make = || {
            let all = Grammar::shared();
            Arc::new(all.keeping(|index| one(index, &all)))
        };
        SIMPLE.get_or_init(make).clone()
    }

    /// The grammar without the family of a rule: everything of the same template, and whatever
    /// judges as the rule does. `None` when the rule is not in the grammar.
    pub fn without_family_of(&self, rule: &Rule) -> Option<Grammar> {
        let index = self.class_of(rule)?;
        Some(self.keeping(|other| self.families[other] != self.families[index]))
    }

    /// The place of the rule that judges as this one does in the fixed situations.
    pub fn class_of(&self, rule: &Rule) -> Option<usize> {
        let signature = rule_signature(rule)?;
        self.signatures.iter().position(|known| *known == signature)
    }

    fn keeping(&self, keep: impl Fn(usize) -> bool) -> Grammar {
        let kept: Vec<usize> = (0..self.combos.len()).filter(|&index| keep(index)).collect();
        let total: f64 = kept.iter().map(|&index| self.priors[index]).sum();
        let priors: Vec<f64> = kept.iter().map(|&index| self.priors[index] / total).collect();
        Grammar {
            likely: likeliest(&priors),
            atoms: self.atoms.clone(),
            combos: kept.iter().map(|&index| self.combos[index]).collect(),
            priors,
            families: kept.iter().map(|&index| self.families[index]).collect(),
            signatures: kept.iter().map(|&index| self.signatures[index]).collect(),
            combined: self.combined,
            outside: self.outside,
        }
    }

    /// The share of belief that *none of these* starts with: the share of the training rules that
    /// the grammar does not hold, one added to the missing and two to all (Laplace's rule).
    pub fn outside(&self) -> f64 {
        self.outside
    }

    /// The tests and conditions.
    pub fn atoms(&self) -> &[Rule] {
        &self.atoms
    }

    /// The rules.
    pub fn combos(&self) -> &[Combo] {
        &self.combos
    }

    /// The prior of each rule; together 1.
    pub fn priors(&self) -> &[f64] {
        &self.priors
    }

    /// How many combinations there were before those that behave alike were joined.
    pub fn combined(&self) -> usize {
        self.combined
    }

    /// A combination as a rule.
    ///
    /// # Errors
    /// When it must remember too much.
    pub fn rule(&self, combo: Combo) -> Result<Rule, RuleError> {
        let at = |index: u16| self.atoms[index as usize].expr().clone();
        Rule::new(match combo {
            Combo::One(a) => at(a),
            Combo::And(a, b) => Expr::All(vec![at(a), at(b)]),
            Combo::Or(a, b) => Expr::Any(vec![at(a), at(b)]),
            Combo::Xor(a, b) => Expr::Binary(Binary::Xor, at(a).into(), at(b).into()),
            Combo::If(c, a, b) => Expr::If(at(c).into(), at(a).into(), at(b).into()),
        })
    }

    /// The digest of the version, the atoms, the rules and their priors, as hexadecimal text.
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(VERSION.to_le_bytes());
        for atom in &self.atoms {
            hash.update(atom.to_string());
            hash.update([0]);
        }
        for (combo, prior) in self.combos.iter().zip(&self.priors) {
            hash.update(format!("{combo:?}"));
            hash.update(prior.to_bits().to_le_bytes());
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
