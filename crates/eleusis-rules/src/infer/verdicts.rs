//! What tests say of cards along a line, and what hypotheses made of them say.
use std::ops::{BitAnd, BitOr, Not};

use super::set::Set;
use crate::cards::{Card, CardSet};
use crate::{Combination, Join, Memory, Rule, Verdicts, Vocabulary};

/// Some tests along a line of accepted cards: what they remember of it, and say of the next card.
#[derive(Clone, Debug)]
pub(super) struct Followed {
    tests: Vec<&'static Rule>,
    /// The place of each test's memory. Tests that remember the same share one.
    places: Vec<u16>,
    memories: Vec<SharedMemory>,
    pub says: Vec<Verdicts>,
    /// The tests that are still used, and the memories; the others stand still.
    used: Vec<u16>,
    kept: Vec<u16>,
}

/// What some tests remember, by the rule of one of them.
#[derive(Clone, Copy, Debug)]
struct SharedMemory {
    rule: &'static Rule,
    memory: Memory,
    /// Whether the last card changed it. Where it did not, they say what they said.
    changed: bool,
}

impl Followed {
    /// All tests of the vocabulary, on the empty line.
    pub fn all() -> Followed {
        let tests = &Vocabulary::shared().tests;
        let mut memories = Vec::new();
        for test in tests {
            // They are numbered as they come.
            if usize::from(test.memory) == memories.len() {
                let (rule, memory) = (&test.rule, Memory::default());
                memories.push(SharedMemory { rule, memory, changed: false });
            }
        }
        Followed {
            tests: tests.iter().map(|test| &test.rule).collect(),
            places: tests.iter().map(|test| test.memory).collect(),
            says: tests.iter().map(|test| test.first).collect(),
            used: (0..tests.len() as u16).collect(),
            kept: (0..memories.len() as u16).collect(),
            memories,
        }
    }

    /// These tests only, in this order.
    pub fn only(&self, tests: &[u16]) -> Followed {
        let at = |test: &u16| usize::from(*test);
        let mut kept: Vec<u16> = tests.iter().map(|test| self.places[at(test)]).collect();
        kept.sort_unstable();
        kept.dedup();
        let place = |test| kept.binary_search(&self.places[at(test)]).unwrap_or_default() as u16;
        Followed {
            tests: tests.iter().map(|test| self.tests[at(test)]).collect(),
            places: tests.iter().map(place).collect(),
            memories: kept.iter().map(|place| self.memories[at(place)]).collect(),
            says: tests.iter().map(|test| self.says[at(test)]).collect(),
            used: (0..tests.len() as u16).collect(),
            kept: (0..kept.len() as u16).collect(),
        }
    }

    /// Only these of the tests go on being followed.
    pub fn keep(&mut self, is_used: impl Fn(u16) -> bool) {
        self.used.retain(|&test| is_used(test));
        let mut kept = vec![false; self.memories.len()];
        for &test in &self.used {
            kept[usize::from(self.places[usize::from(test)])] = true;
        }
        self.kept.retain(|&place| kept[usize::from(place)]);
    }

    /// A card is accepted.
    pub fn step(&mut self, card: Card) {
        for &place in &self.kept {
            let kept = &mut self.memories[usize::from(place)];
            let next = kept.rule.step(&kept.memory, card);
            kept.changed = next != kept.memory;
            kept.memory = next;
        }
        for &test in &self.used {
            let test = usize::from(test);
            let kept = &self.memories[usize::from(self.places[test])];
            if kept.changed {
                self.says[test] = self.tests[test].verdicts(&kept.memory);
            }
        }
    }

    /// What they say of one card, as sets of tests.
    pub fn heard(&self, card: Card) -> Heard {
        let set = |of: fn(&Verdicts) -> u64| {
            Set::of(self.says.len(), |test| of(&self.says[test]) >> card.index() & 1 == 1)
        };
        Heard { right: set(|says| says.right), yes: set(|says| says.yes) }
    }

    /// What they say of one card.
    pub fn of(&self, card: Card) -> Vec<Bits> {
        let bits = |says: &Verdicts| {
            ((says.right >> card.index() & 1) | (says.yes >> card.index() & 1) << 1) as Bits
        };
        self.says.iter().map(bits).collect()
    }
}

/// What was said of a card: the tests under which it is right, and those that say yes to it.
#[derive(Clone, Debug)]
pub(super) struct Heard {
    pub right: Set,
    pub yes: Set,
}

/// What a test says of one card: bit 0, whether it is right; bit 1, whether it says yes.
pub(super) type Bits = u8;

impl Combination {
    /// What is right under it, given for each test what is right and what it says yes to. Where a
    /// condition is unknown, either side may hold.
    fn judged<W>(self, right: impl Fn(usize) -> W, yes: impl Fn(usize) -> W) -> W
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

    /// The cards that are right, given what each test says.
    pub fn right(self, tests: &[Verdicts]) -> u64 {
        self.judged(|test| tests[test].right, |test| tests[test].yes) & CardSet::FULL.0
    }

    /// Whether a card is right, given for each of its tests whether it is right and whether it says yes.
    pub(super) fn says_of(self, test: impl Fn(u16) -> (bool, bool)) -> bool {
        self.judged(|at| test(at as u16).0, |at| test(at as u16).1)
    }

    /// Whether a card is right, given what each test says of it.
    pub(super) fn says(self, tests: &[Bits]) -> bool {
        self.judged(|test| tests[test], |test| tests[test] >> 1) & 1 == 1
    }
}
