//! Some hundred thousand rules, made of some hundred tests.

use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};

use super::atoms::{Role, VERSION, atoms};
use crate::cards::{Card, CardSet};
use crate::chance::Seed;
use crate::eleusis::rule::{Binary, Expr, Memory, Rule, RuleError};

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

/// The rules that a learner knows, each with its prior.
#[derive(Debug)]
pub struct Grammar {
    atoms: Vec<Rule>,
    combos: Vec<Combo>,
    /// The prior of each, all together 1.
    priors: Vec<f64>,
    /// How many combinations there were before those that behave alike were joined.
    combined: usize,
}

/// Situations on which rules are told apart.
const SITUATIONS: u64 = 128;

/// Of all belief: rules of one atom, of two, and with a condition.
const SHARES: [f64; 3] = [0.5, 0.2, 0.3];

impl Grammar {
    /// The grammar of this version.
    ///
    /// Rules that judge alike in 128 fixed situations (lines of 1 to 12 random cards, half of them
    /// with few suits or ranks) are one rule, under the shortest text, with the priors of all.
    /// Combinations that are right too often or too rarely there, or often leave nothing right, are
    /// left out. The prior falls by half for every two parts of the text.
    ///
    /// # Errors
    /// Never with the built-in atoms; a test says so.
    pub fn new() -> Result<Grammar, RuleError> {
        let mut roles = Vec::new();
        let mut rules: Vec<Rule> = Vec::new();
        for (role, text) in atoms() {
            rules.push(text.parse()?);
            roles.push(role);
        }
        let masks = on_situations(&rules);
        let mut grammar = Grammar { atoms: rules, combos: vec![], priors: vec![], combined: 0 };
        grammar.combine(&roles, &masks);
        Ok(grammar)
    }

    fn combine(&mut self, roles: &[Role], masks: &[Vec<Masks>]) {
        let with = |role: Role| {
            let all = (0u16..).zip(roles).filter(move |(_, r)| **r == role);
            all.map(|(index, _)| index).collect::<Vec<u16>>()
        };
        let (conditions, simple) = (with(Role::Condition), with(Role::Simple));
        let mut all: Vec<(usize, Combo)> = Vec::new();
        for (index, role) in (0u16..).zip(roles) {
            if *role != Role::Condition {
                all.push((0, Combo::One(index)));
            }
        }
        for (at, &a) in simple.iter().enumerate() {
            for &b in &simple[at + 1..] {
                all.extend([Combo::And(a, b), Combo::Or(a, b), Combo::Xor(a, b)].map(|c| (1, c)));
            }
        }
        let pairs: Vec<(u16, u16)> = simple
            .iter()
            .flat_map(|&a| simple.iter().map(move |&b| (a, b)))
            .filter(|(a, b)| a != b)
            .collect();
        for &c in &conditions {
            all.extend(pairs.iter().map(|&(a, b)| (2, Combo::If(c, a, b))));
        }
        self.combined = all.len();
        let sizes: Vec<f64> = self.atoms.iter().map(|rule| rule.expr().size() as f64).collect();
        let size = |combo: Combo| {
            let at = |index: u16| sizes[index as usize];
            match combo {
                Combo::One(a) => at(a),
                Combo::And(a, b) | Combo::Or(a, b) | Combo::Xor(a, b) => 1.0 + at(a) + at(b),
                Combo::If(c, a, b) => 1.0 + at(c) + at(a) + at(b),
            }
        };
        let weights: Vec<f64> = all.iter().map(|(_, combo)| (-size(*combo) / 2.0).exp2()).collect();
        let mut totals = [0.0; 3];
        for ((family, _), weight) in all.iter().zip(&weights) {
            totals[*family] += weight;
        }
        let mut known: FxHashMap<u128, usize> = FxHashMap::default();
        for ((family, combo), weight) in all.into_iter().zip(weights) {
            let Some(signature) = signature(combo, masks) else { continue };
            let prior = weight / totals[family] * SHARES[family];
            let next = self.combos.len();
            match *known.entry(signature).or_insert(next) {
                index if index == next => {
                    self.combos.push(combo);
                    self.priors.push(prior);
                }
                index => {
                    self.priors[index] += prior;
                    if size(combo) < size(self.combos[index]) {
                        self.combos[index] = combo;
                    }
                }
            }
        }
        let total: f64 = self.priors.iter().sum();
        self.priors.iter_mut().for_each(|prior| *prior /= total);
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

/// What each rule says in each situation.
fn on_situations(rules: &[Rule]) -> Vec<Vec<Masks>> {
    let lines: Vec<Vec<Card>> = (0..SITUATIONS)
        .map(|index| {
            let mut chance = Seed::new(index).named("situations").stream();
            let few = index % 2 == 1;
            let length = 1 + chance.below(12);
            let draw = |_| {
                let (rank, suit) = (chance.below(13), chance.below(4));
                let keep = few && chance.below(3) > 0;
                let (rank, suit) = if keep { (rank % 3 * 5, suit % 2) } else { (rank, suit) };
                Card::from_index((4 * rank + suit) as u8)
            };
            (0..length).map(draw).collect()
        })
        .collect();
    let each = |line: &Vec<Card>| {
        rules.iter().map(|rule| Masks::of(rule, &rule.after(line))).collect::<Vec<Masks>>()
    };
    lines.iter().map(each).collect()
}

/// A number for what the rule does in all situations; none if it cannot be played.
fn signature(combo: Combo, masks: &[Vec<Masks>]) -> Option<u128> {
    let (mut hash, mut cards, mut stuck) = (0u128, 0, 0);
    for atoms in masks {
        let right = combo.right(atoms);
        // The lines are random: some could not have come about under the rule.
        stuck += usize::from(right == 0);
        cards += right.count_ones();
        // Multiplication by an odd constant and a turn (as in FxHash, on twice the width).
        hash = (hash.rotate_left(23) ^ u128::from(right))
            .wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645);
    }
    let share = f64::from(cards) / (52.0 * masks.len() as f64);
    ((0.04..0.95).contains(&share) && stuck <= masks.len() / 4).then_some(hash)
}
