//! The vocabulary of players: thousands of short tests, and the rules that combine them.

mod ideas;
mod statements;

use std::fmt;
use std::ops::{BitAnd, BitOr, Not};
use std::sync::LazyLock;

use itertools::Itertools;
use rustc_hash::FxHashMap;
use strum::{EnumIter, IntoEnumIterator};

use crate::rule::{Expr, Head, Memory, Op, RegisterKey, Rule, RuleError, Verdicts};
use parlour_base::cards::{Card, CardSet};
use parlour_base::chance::Seed;

pub use ideas::{GROUPS, Idea, PLACE_LETTERS, PLACES};
pub use statements::Statements;

/// The list of ideas. Its order matters: tests and combinations are identified by index.
const TEXT: &str = include_str!("../../../../strategies/eleusis/rules/vocabulary.txt");

/// Version of the file and of the combinations; increased by any change of them.
pub const VERSION: u32 = 5;

/// Number and length of the lines along which tests are compared.
const LINES: u64 = 16;
const LENGTH: usize = 12;

/// A test of the vocabulary.
#[derive(Debug)]
pub struct Test {
    /// The index of its idea.
    pub idea: u16,
    /// Number of texts of its idea with this tree; the weight of the test within the idea.
    pub times: u16,
    /// The test as a rule.
    pub rule: Rule,
    /// The number of its memory, shared by tests with equal registers.
    pub memory: u16,
    /// The verdicts on the empty line.
    pub first: Verdicts,
    /// The verdicts after each card.
    after: Box<[Verdicts; 52]>,
    /// `true` if the test can be a rule alone: some card is right after each starter.
    pub can_stand_alone: bool,
}

/// The connective between the tests of a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, EnumIter)]
pub enum Join {
    /// A single test.
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

impl Join {
    /// Returns the [places](PLACES) of the tests.
    pub const fn places(self) -> &'static [usize] {
        match self {
            Join::One => &[0],
            Join::And | Join::Or => &[1, 2],
            Join::Xor => &[3, 4],
            Join::If => &[3, 4, 4],
        }
    }

    /// Returns the operator, or `None` for a single test.
    const fn op(self) -> Option<Op> {
        match self {
            Join::One => None,
            Join::And => Some(Op::And),
            Join::Or => Some(Op::Or),
            Join::Xor => Some(Op::Xor),
            Join::If => Some(Op::If),
        }
    }
}

/// A rule of up to three tests.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Combination {
    /// The connective.
    pub join: Join,
    /// The indices of the tests; the last one is repeated to fill unused entries.
    tests: [u16; 3],
}

impl Combination {
    /// Joins as many tests as the connective needs. Equivalent orders, and rules that need fewer
    /// tests, are written in one canonical way.
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

    /// Returns the indices of the tests.
    pub fn tests(&self) -> &[u16] {
        &self.tests[..self.join.places().len()]
    }

    /// Compiles the combination.
    ///
    /// # Errors
    /// If the rule needs too much memory or work.
    pub fn rule(self) -> Result<Rule, RuleError> {
        Rule::new(self.expr())
    }

    /// Returns the combination as a tree.
    pub fn expr(self) -> Expr {
        let expr = |&test: &u16| Vocabulary::shared().rule(test).expr().clone();
        let mut parts: Vec<Expr> = self.tests().iter().map(expr).collect();
        match self.join.op() {
            Some(op) => Expr::new(op, parts),
            None => parts.swap_remove(0),
        }
    }

    /// Returns `true` if the combination can be a rule: some card is right after each starter, and
    /// not too few on average.
    pub fn is_playable(self) -> bool {
        let test = |at: usize| Vocabulary::shared().test(at as u16);
        let right = |verdicts: &dyn Fn(&Test) -> Verdicts| {
            let right = self.combine(|at| verdicts(test(at)).right, |at| verdicts(test(at)).yes);
            right & CardSet::FULL.0
        };
        is_playable(right(&|test| test.first), |card| right(&|test| test.after[card]))
    }

    /// Combines the verdicts of the tests: `right` and `yes` return the sets of a test. Where a
    /// condition is unknown, either side may hold.
    pub(crate) fn combine<W>(self, right: impl Fn(usize) -> W, yes: impl Fn(usize) -> W) -> W
    where
        W: BitAnd<Output = W> + BitOr<Output = W> + Not<Output = W>,
    {
        let [a, b, c] = self.tests.map(usize::from);
        match self.join {
            Join::One => right(a),
            Join::And => right(a) & right(b),
            Join::Or => right(a) | right(b),
            Join::Xor => !(yes(a) & yes(b)) & (right(a) | right(b)),
            Join::If => right(a) & right(b) | !yes(a) & right(c),
        }
    }

    /// Returns the cards that are right, given the verdicts of all tests.
    pub fn right(self, verdicts: &[Verdicts]) -> u64 {
        self.combine(|test| verdicts[test].right, |test| verdicts[test].yes) & CardSet::FULL.0
    }

    /// Returns the same combination of renumbered tests.
    #[must_use]
    pub fn renumbered(self, number: impl Fn(u16) -> u16) -> Combination {
        Combination { tests: self.tests.map(number), ..self }
    }
}

/// Formats as `And(3, 17)`.
impl fmt::Debug for Combination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}({})", self.join, self.tests().iter().format(", "))
    }
}

/// The tests and the ideas that they come from.
#[derive(Debug)]
pub struct Vocabulary {
    /// The ideas.
    pub ideas: Vec<Idea>,
    /// The tests; no two of them are equivalent.
    pub tests: Vec<Test>,
    /// The indices of all tests.
    all: Vec<u16>,
    /// The indices of the tests that may be conditions.
    conditions: Vec<u16>,
    /// The indices of the tests that may be sides of an *if*.
    sides: Vec<u16>,
    indices: FxHashMap<Expr, u16>,
}

impl Vocabulary {
    /// Returns the vocabulary, which is built at the first call.
    ///
    /// # Panics
    /// Never: a test reads the embedded file.
    #[expect(clippy::panic, reason = "the file is embedded")]
    pub fn shared() -> &'static Vocabulary {
        static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
            let ideas = ideas::read(TEXT).unwrap_or_else(|fault| panic!("the vocabulary: {fault}"));
            Vocabulary::of(ideas)
        });
        &VOCABULARY
    }

    #[expect(clippy::panic, reason = "the file is embedded")]
    fn of(ideas: Vec<Idea>) -> Vocabulary {
        let mut builder = TestBuilder::default();
        for (idea, line) in (0..).zip(&ideas) {
            for text in &line.texts {
                builder.add(idea, text.parse().unwrap_or_else(|fault| panic!("{text}: {fault}")));
            }
        }
        for (idea, line) in (0..).zip(&ideas).filter(|(_, line)| line.pairs > 0) {
            builder.add_pairs(idea, line, &ideas);
        }
        let TestBuilder { tests, indices, .. } = builder;
        let at_places = |places: [usize; 2]| -> Vec<u16> {
            let weights = |test: &Test| ideas[usize::from(test.idea)].weights;
            let is_there = |test: &Test| places.iter().any(|place| weights(test)[*place] > 0.0);
            (0..).zip(&tests).filter(|(_, test)| is_there(test)).map(|(index, _)| index).collect()
        };
        let (conditions, sides) = (at_places([3, 5]), at_places([4, 6]));
        let all = (0..tests.len() as u16).collect();
        Vocabulary { ideas, tests, all, conditions, sides, indices }
    }

    /// Returns the test with an index.
    pub fn test(&self, index: u16) -> &Test {
        &self.tests[usize::from(index)]
    }

    /// Returns the rule of the test with an index.
    pub fn rule(&self, index: u16) -> &Rule {
        &self.test(index).rule
    }

    /// Returns the index of the test with this tree.
    pub fn index_of(&self, test: &Expr) -> Option<u16> {
        self.indices.get(test).copied()
    }

    /// Returns the combination with this tree.
    pub fn find(&self, expr: &Expr) -> Option<Combination> {
        if let Some(test) = self.index_of(expr) {
            return Some(Combination::of(Join::One, &[test]));
        }
        let Head::Op(op) = expr.head else { return None };
        let fits = |join: &Join| join.op() == Some(op) && join.places().len() == expr.parts.len();
        let join = Join::iter().find(fits)?;
        let tests = expr.parts.iter().map(|part| self.index_of(part));
        Some(Combination::of(join, &tests.collect::<Option<Vec<u16>>>()?))
    }
}

/// Returns `true` if some card is right on the empty line and after each of those cards, and not
/// too few on average. (A rule that accepts too many cards is refuted by the first wrong card.)
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

/// Collects tests and merges equivalent ones.
#[derive(Default)]
struct TestBuilder {
    tests: Vec<Test>,
    /// The index of the test for each tree.
    indices: FxHashMap<Expr, u16>,
    signatures: FxHashMap<u128, u16>,
    /// The number of the memory for some registers with their depths.
    memories: FxHashMap<Vec<(RegisterKey, i32)>, u16>,
}

impl TestBuilder {
    fn add(&mut self, idea: u16, rule: Rule) {
        static ALL: LazyLock<Vec<Vec<Card>>> = LazyLock::new(lines);
        let next = self.tests.len() as u16;
        if let Some(&index) = self.indices.get(rule.expr()) {
            let test = &mut self.tests[usize::from(index)];
            test.times += u16::from(test.idea == idea);
            return;
        }
        let index = *self.signatures.entry(signature(&rule, &ALL)).or_insert(next);
        self.indices.insert(rule.expr().clone(), index);
        if index == next {
            let first = rule.verdicts(&Memory::default());
            let card = |card| rule.verdicts(&rule.after(&[Card::from_index(card as u8)]));
            let after: Box<[Verdicts; 52]> = Box::new(std::array::from_fn(card));
            let can_stand_alone = is_playable(first.right, |card| after[card].right);
            let next = self.memories.len() as u16;
            let memory = *self.memories.entry(rule.registers()).or_insert(next);
            self.tests.push(Test { idea, times: 1, rule, memory, first, after, can_stand_alone });
        }
    }

    /// Adds the heaviest pairs of a main part of the idea's group and another part, by the weights
    /// of the file, as *either* and as *both*.
    fn add_pairs(&mut self, idea: u16, line: &Idea, ideas: &[Idea]) {
        let weights = |place: usize| {
            let own = |(at, test): (usize, &Test)| {
                let idea = &ideas[usize::from(test.idea)];
                let share = f64::from(test.times) / idea.texts.len().max(1) as f64;
                (at, idea.group, idea.weights[place] * share)
            };
            let all = self.tests.iter().enumerate().map(own);
            all.filter(|(.., weight)| *weight > 0.0).collect::<Vec<_>>()
        };
        let (main, other) = (weights(1), weights(2));
        let mut pairs: Vec<(f64, [usize; 2])> = Vec::new();
        for &(a, _, weight) in main.iter().filter(|(_, group, _)| *group == line.group) {
            let others = other.iter().filter(|(b, ..)| *b != a);
            pairs.extend(others.map(|&(b, _, share)| (weight * share, [a, b])));
        }
        pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let before = self.tests.len();
        for (_, tests) in pairs {
            for op in [Op::Or, Op::And] {
                let parts = tests.map(|test| self.tests[test].rule.expr().clone());
                let rule = Rule::new(Expr::new(op, parts)).ok();
                let is_possible = |rule: &Rule| !rule.right(&Memory::default()).is_empty();
                rule.filter(is_possible).into_iter().for_each(|rule| self.add(idea, rule));
            }
            if self.tests.len() >= before + line.pairs {
                break;
            }
        }
    }
}

/// Returns lines of random cards; half of them use few suits and ranks.
fn lines() -> Vec<Vec<Card>> {
    let line = |index: u64| {
        let mut chance = Seed::new(index).named("situations").stream();
        let few = index % 2 == 1;
        let draw = |_| {
            let (rank, suit) = (chance.below(13), chance.below(4));
            let keep = few && chance.below(3) > 0;
            let (rank, suit) = if keep { (rank % 3 * 5, suit % 2) } else { (rank, suit) };
            Card::from_index((4 * rank + suit) as u8)
        };
        (0..LENGTH).map(draw).collect()
    };
    (0..LINES).map(line).collect()
}

/// Returns a hash of the verdicts of a test along some lines.
fn signature(rule: &Rule, lines: &[Vec<Card>]) -> u128 {
    let mut hash = 0u128;
    let mut add = |word: u64| {
        // Rotation and multiplication by an odd constant, as in FxHash but 128 bits wide.
        hash = (hash.rotate_left(23) ^ u128::from(word))
            .wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645);
    };
    for line in lines {
        let mut memory = Memory::default();
        for &card in line {
            memory = rule.step(&memory, card);
            let says = rule.verdicts(&memory);
            add(says.right);
            add(says.yes);
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_with_one_number_have_the_same_memory_after_every_line() {
        let tests = &Vocabulary::shared().tests;
        for line in lines() {
            let mut after: FxHashMap<u16, Memory> = FxHashMap::default();
            for Test { rule, memory, .. } in tests {
                let own = rule.after(&line);
                assert_eq!(*after.entry(*memory).or_insert(own), own, "{rule}");
            }
            assert!(after.len() < tests.len(), "no memory is shared");
        }
    }

    #[test]
    fn a_combination_is_found_by_its_text() {
        let vocabulary = Vocabulary::shared();
        let count = vocabulary.tests.len() as u32;
        assert!((1500..6000).contains(&count), "{count} tests");
        let mut chance = Seed::new(1).stream();
        for join in [Join::One, Join::And, Join::Or, Join::Xor, Join::If].repeat(40) {
            let tests = [0; 3].map(|_| chance.below(count) as u16);
            let Ok(rule) = Combination::of(join, &tests).rule() else { continue };
            let text = rule.to_string();
            let read: Rule = text.parse().unwrap();
            let found =
                vocabulary.find(read.expr()).unwrap_or_else(|| panic!("{text} is not found"));
            let found = found.rule().unwrap();
            let line = ["5H", "7C", "KD", "2S"].map(|card| card.parse().unwrap());
            assert_eq!(found.right(&found.after(&line)), rule.right(&rule.after(&line)), "{text}");
        }
        let unknown: Rule = "rank mod 11 == 3 and red and even".parse().unwrap();
        assert_eq!(vocabulary.find(unknown.expr()), None);
    }
}
