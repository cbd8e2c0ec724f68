//! Tests tracked along a line of accepted cards, and their verdicts on single cards.

use super::test_lists::TestSet;
use super::transcript::Responses;
use crate::rule::{Memory, Rule, Verdicts};
use crate::vocabulary::{Combination, Vocabulary};
use parlour_base::cards::Card;

/// Tests along a line of accepted cards, with their memories and their verdicts on the next card.
#[derive(Clone, Debug)]
pub(super) struct TrackedTests {
    /// The tests with the indices of their memories. Tests with equal registers share a memory.
    tests: Vec<(&'static Rule, u16)>,
    memories: Vec<SharedMemory>,
    pub verdicts: Vec<Verdicts>,
    /// The tests that are still updated.
    active_tests: Vec<u16>,
    /// The memories that are still updated.
    active_memories: Vec<u16>,
}

/// The memory of some tests, and the rule of one of them.
#[derive(Clone, Copy, Debug)]
struct SharedMemory {
    rule: &'static Rule,
    memory: Memory,
    /// `true` if the last card changed the memory; otherwise the verdicts are unchanged, too.
    changed: bool,
}

impl TrackedTests {
    /// Tracks all tests of the vocabulary from the empty line.
    pub fn all() -> TrackedTests {
        let tests = &Vocabulary::shared().tests;
        let mut memories = Vec::new();
        for test in tests {
            // Memories are numbered in the order of the tests.
            if usize::from(test.memory) == memories.len() {
                let (rule, memory) = (&test.rule, Memory::default());
                memories.push(SharedMemory { rule, memory, changed: false });
            }
        }
        TrackedTests {
            tests: tests.iter().map(|test| (&test.rule, test.memory)).collect(),
            verdicts: tests.iter().map(|test| test.first).collect(),
            active_tests: (0..tests.len() as u16).collect(),
            active_memories: (0..memories.len() as u16).collect(),
            memories,
        }
    }

    /// Returns the tests of some rules only, and the rules with the new numbers of these tests.
    pub fn of_rules(
        &self,
        rules: impl Iterator<Item = Combination> + Clone,
    ) -> (TrackedTests, Vec<Combination>) {
        let memory_of = |test: &u16| self.tests[usize::from(*test)].1;
        let mut tests: Vec<u16> = rules.clone().flat_map(|rule| rule.tests().to_vec()).collect();
        let mut memories: Vec<u16> = tests.iter().map(memory_of).collect();
        for used in [&mut tests, &mut memories] {
            used.sort_unstable();
            used.dedup();
        }
        let number = |used: &[u16], old| used.binary_search(&old).unwrap_or_default() as u16;
        let tracked_test = |test: &u16| {
            let (rule, memory) = self.tests[usize::from(*test)];
            (rule, number(&memories, memory))
        };
        let tracked = TrackedTests {
            tests: tests.iter().map(tracked_test).collect(),
            memories: memories.iter().map(|index| self.memories[usize::from(*index)]).collect(),
            verdicts: tests.iter().map(|test| self.verdicts[usize::from(*test)]).collect(),
            active_tests: (0..tests.len() as u16).collect(),
            active_memories: (0..memories.len() as u16).collect(),
        };
        (tracked, rules.map(|rule| rule.renumbered(|test| number(&tests, test))).collect())
    }

    /// Stops updating the tests that are not used.
    pub fn retain(&mut self, is_used: impl Fn(u16) -> bool) {
        self.active_tests.retain(|&test| is_used(test));
        let mut is_kept = vec![false; self.memories.len()];
        for &test in &self.active_tests {
            is_kept[usize::from(self.tests[usize::from(test)].1)] = true;
        }
        self.active_memories.retain(|&index| is_kept[usize::from(index)]);
    }

    /// Updates the memories and the verdicts after an accepted card.
    pub fn step(&mut self, card: Card) {
        for &index in &self.active_memories {
            let shared = &mut self.memories[usize::from(index)];
            let next = shared.rule.step(&shared.memory, card);
            shared.changed = next != shared.memory;
            shared.memory = next;
        }
        for &test in &self.active_tests {
            let (rule, memory) = self.tests[usize::from(test)];
            let shared = &self.memories[usize::from(memory)];
            if shared.changed {
                self.verdicts[usize::from(test)] = rule.verdicts(&shared.memory);
            }
        }
    }

    /// Returns the verdicts on one card.
    pub fn on(&self, card: Card) -> CardVerdicts {
        let set = |of: fn(&Verdicts) -> u64| {
            let has = |test: usize| of(&self.verdicts[test]) >> card.index() & 1 == 1;
            TestSet::of(self.verdicts.len(), has)
        };
        CardVerdicts { right: set(|one| one.right), yes: set(|one| one.yes) }
    }
}

/// The verdicts of all tests on one card.
#[derive(Clone, Debug)]
pub(super) struct CardVerdicts {
    /// Tests that the card does not fail.
    pub right: TestSet,
    /// Tests that the card satisfies.
    pub yes: TestSet,
}

impl CardVerdicts {
    /// Returns `true` if the card is right under a combination.
    pub fn accepts(&self, rule: Combination) -> bool {
        rule.combine(|test| self.right.has(test as u16), |test| self.yes.has(test as u16))
    }

    /// Returns the responses of a test to these cards, a bit for each of them.
    pub fn responses(cards: &[&CardVerdicts], test: u16) -> Responses {
        let bits = |of: fn(&CardVerdicts) -> &TestSet| {
            let bits = cards.iter().rev().map(|card| u128::from(of(card).has(test)));
            bits.fold(0, |bits, bit| bits << 1 | bit)
        };
        Responses { yes: bits(|card| &card.yes), right: bits(|card| &card.right) }
    }

    /// Returns the answer of a test, or `None` if it is unknown.
    pub fn answer(&self, test: u16) -> Option<bool> {
        match (self.yes.has(test), self.right.has(test)) {
            (true, _) => Some(true),
            (_, false) => Some(false),
            _ => None,
        }
    }
}
