//! The vocabulary of players: some thousands of short tests of the rule language, and the rules that
//! they combine to; the rules that may be stated in a hand, by number.

mod ideas;
mod making;
mod statements;

use std::fmt;
use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::{Expr, Op, Rule, RuleError, Verdicts};
use crate::cards::CardSet;
use making::Made;

pub use ideas::{GROUPS, Idea, PLACE_LETTERS, PLACES};
pub use statements::Statements;

/// The ideas, a line each, as they stand in `strategies/eleusis/rules/`. The order counts: tests and
/// combinations are spoken of by their places.
const TEXT: &str = include_str!("../../../../strategies/eleusis/rules/vocabulary.txt");

/// The version of the file and of the combinations; any change of them changes it.
pub const VERSION: u32 = 5;

/// One test.
#[derive(Debug)]
pub struct Test {
    /// The place of its idea among all.
    pub idea: u16,
    /// How many texts of its idea are written as it is: it counts for so many.
    pub times: u16,
    /// The test as a rule.
    pub rule: Rule,
    /// The number of what it remembers of a line; tests that remember the same have the same one.
    pub memory: u16,
    /// What it says on the empty line.
    pub first: Verdicts,
    /// What it says after each card.
    after: Box<[Verdicts; 52]>,
    /// Whether it can be a rule alone, as far as looked at: it leaves something right after each
    /// starter.
    pub alone: bool,
}

/// How the tests of a rule are joined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Join {
    /// A test alone.
    One,
    /// Both.
    And,
    /// Either.
    Or,
    /// Exactly one.
    Xor,
    /// If the first, then the second, else the third.
    If,
}

/// A rule made of up to three tests.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Combination {
    /// How they are joined.
    pub join: Join,
    /// Their places in the vocabulary; the last one fills up what the join does not use.
    pub(super) tests: [u16; 3],
}

impl Combination {
    /// Tests joined; a join has as many as it needs. What says the same in another order, or with
    /// fewer tests, is written in one way.
    pub fn of(join: Join, tests: &[u16]) -> Combination {
        let given = |at: usize| tests[at.min(tests.len() - 1)];
        let (a, b, c) = (given(0), given(1), given(2));
        let (join, tests) = match join {
            Join::And | Join::Or if a == b => (Join::One, [a; 3]),
            Join::If if b == c => (Join::One, [b; 3]),
            Join::And | Join::Or | Join::Xor => (join, [a.min(b), a.max(b), a.max(b)]),
            Join::One | Join::If => (join, [a, b, c]),
        };
        Combination { join, tests }
    }

    /// The tests that it is made of.
    pub fn tests(&self) -> &[u16] {
        match self.join {
            Join::One => &self.tests[..1],
            Join::And | Join::Or | Join::Xor => &self.tests[..2],
            Join::If => &self.tests,
        }
    }

    /// It as a rule.
    ///
    /// # Errors
    /// When the rule must remember too much.
    pub fn rule(self) -> Result<Rule, RuleError> {
        Rule::new(self.expr())
    }

    /// It as a tree.
    pub fn expr(self) -> Expr {
        let tests = &Vocabulary::shared().tests;
        let expr = |&test: &u16| tests[usize::from(test)].rule.expr().clone();
        let mut parts: Vec<Expr> = self.tests().iter().map(expr).collect();
        let op = match self.join {
            Join::One => return parts.swap_remove(0),
            Join::And => Op::And,
            Join::Or => Op::Or,
            Join::Xor => Op::Xor,
            Join::If => Op::If,
        };
        Expr::Op(op, parts)
    }

    /// Whether it can be a rule, as far as looked at: what it has right after each starter.
    pub fn is_playable(self) -> bool {
        let tests = &Vocabulary::shared().tests;
        let [a, b, c] = self.tests.map(|test| &tests[usize::from(test)]);
        let first = self.right_of([a.first, b.first, c.first]);
        is_playable(first, |card| self.right_of([a.after[card], b.after[card], c.after[card]]))
    }

    /// The cards that are right, given what its tests say.
    fn right_of(self, [a, b, c]: [Verdicts; 3]) -> u64 {
        CardSet::FULL.0
            & match self.join {
                Join::One => a.right,
                Join::And => a.right & b.right,
                Join::Or => a.right | b.right,
                Join::Xor => !(a.yes & b.yes) & (a.right | b.right),
                Join::If => a.right & b.right | !a.yes & c.right,
            }
    }

    /// The same combination of tests with other numbers.
    #[must_use]
    pub fn renumbered(self, number: impl Fn(u16) -> u16) -> Combination {
        Combination { tests: self.tests.map(number), ..self }
    }
}

/// `And(3, 17)`: the digest of the grammar is of this form.
impl fmt::Debug for Combination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tuple = f.debug_tuple(&format!("{:?}", self.join));
        self.tests().iter().for_each(|test| {
            tuple.field(test);
        });
        tuple.finish()
    }
}

/// The tests, and the ideas that they come from.
#[derive(Debug)]
pub struct Vocabulary {
    /// The ideas.
    pub ideas: Vec<Idea>,
    /// The tests, each unlike all others in what it says.
    pub tests: Vec<Test>,
    /// The places of all tests.
    all: Vec<u16>,
    /// Those of the tests that may be conditions.
    conditions: Vec<u16>,
    /// Those of the tests that may be sides of an *if*.
    sides: Vec<u16>,
    places: FxHashMap<Expr, u16>,
}

impl Vocabulary {
    /// The vocabulary, made when it is first asked for.
    ///
    /// # Panics
    /// Never: a test reads the embedded file.
    #[expect(clippy::panic, reason = "the lines stand in this program")]
    pub fn shared() -> &'static Vocabulary {
        static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
            let ideas = ideas::read(TEXT).unwrap_or_else(|fault| panic!("the vocabulary: {fault}"));
            Vocabulary::of(ideas)
        });
        &VOCABULARY
    }

    #[expect(clippy::panic, reason = "the lines stand in this program")]
    fn of(ideas: Vec<Idea>) -> Vocabulary {
        let mut made = Made::default();
        for (idea, line) in (0..).zip(&ideas) {
            for text in &line.texts {
                made.add(idea, text.parse().unwrap_or_else(|fault| panic!("{text}: {fault}")));
            }
        }
        for (idea, line) in (0..).zip(&ideas).filter(|(_, line)| line.pairs > 0) {
            made.add_pairs(idea, line, &ideas);
        }
        let Made { tests, places, .. } = made;
        let with = |letters: [char; 2]| {
            let stands = |test: &Test| {
                let weights = PLACE_LETTERS.iter().zip(ideas[usize::from(test.idea)].weights);
                weights.into_iter().any(|(letter, weight)| weight > 0.0 && letters.contains(letter))
            };
            let all = (0u16..).zip(&tests).filter(|(_, test)| stands(test));
            all.map(|(place, _)| place).collect::<Vec<u16>>()
        };
        let (all, conditions, sides) =
            ((0..tests.len() as u16).collect(), with(['c', 'k']), with(['s', 't']));
        Vocabulary { ideas, tests, all, conditions, sides, places }
    }

    /// The idea of a test.
    pub fn idea(&self, test: u16) -> &Idea {
        &self.ideas[usize::from(self.tests[usize::from(test)].idea)]
    }

    /// The combination that is written as this rule is.
    pub fn find(&self, rule: &Rule) -> Option<Combination> {
        self.find_tree(rule.expr())
    }

    /// The place of the test that is written so.
    pub fn place_of(&self, test: &Expr) -> Option<u16> {
        self.places.get(test).copied()
    }

    /// The combination that is written as this tree is.
    pub fn find_tree(&self, expr: &Expr) -> Option<Combination> {
        if let Some(test) = self.place_of(expr) {
            return Some(Combination::of(Join::One, &[test]));
        }
        let Expr::Op(op, parts) = expr else { return None };
        let join = match (op, parts.len()) {
            (Op::And, 2) => Join::And,
            (Op::Or, 2) => Join::Or,
            (Op::Xor, _) => Join::Xor,
            (Op::If, _) => Join::If,
            _ => return None,
        };
        let tests = parts.iter().map(|part| self.place_of(part));
        Some(Combination::of(join, &tests.collect::<Option<Vec<u16>>>()?))
    }
}

/// Whether something is right on the empty line, and after each card that is right there; on the whole
/// not too little. (What is right too often is refuted by the first wrong card.)
fn is_playable(first: u64, after: impl Fn(usize) -> u64) -> bool {
    let mut right = 0;
    for card in CardSet(first) {
        let after = after(card.index().into());
        if after == 0 {
            return false;
        }
        right += after.count_ones();
    }
    let share = f64::from(right) / 52.0 / f64::from(first.count_ones().max(1));
    first != 0 && share >= 0.04
}

#[cfg(test)]
mod tests {
    use super::making::lines;
    use super::*;
    use crate::Memory;
    use crate::chance::Seed;

    #[test]
    fn tests_with_one_number_remember_the_same_of_every_line() {
        let tests = &Vocabulary::shared().tests;
        for line in lines() {
            let mut after: FxHashMap<u16, Memory> = FxHashMap::default();
            for Test { rule, memory, .. } in tests {
                let own = rule.after(&line);
                assert_eq!(*after.entry(*memory).or_insert(own), own, "{rule}");
            }
            assert!(after.len() < tests.len(), "none is shared");
        }
    }

    #[test]
    fn a_combination_is_found_again_by_its_text() {
        let vocabulary = Vocabulary::shared();
        let count = vocabulary.tests.len() as u32;
        assert!((1500..6000).contains(&count), "{count} tests");
        let mut chance = Seed::new(1).stream();
        for join in [Join::One, Join::And, Join::Or, Join::Xor, Join::If].repeat(40) {
            let tests = [0; 3].map(|_| chance.below(count) as u16);
            let Ok(rule) = Combination::of(join, &tests).rule() else { continue };
            let text = rule.to_string();
            let read: Rule = text.parse().unwrap();
            let found = vocabulary.find(&read).unwrap_or_else(|| panic!("{text} is not found"));
            let found = found.rule().unwrap();
            let line = ["5H", "7C", "KD", "2S"].map(|card| card.parse().unwrap());
            assert_eq!(found.right(&found.after(&line)), rule.right(&rule.after(&line)), "{text}");
        }
        assert_eq!(vocabulary.find(&"rank mod 11 == 3 and red and even".parse().unwrap()), None);
    }
}
