//! The verdicts so far, and the tests that still agree with them at each place of a rule.
//!
//! A rule *if c then a else b* agrees with a verdict if a does where c holds and b does where it
//! does not. Conditions with the same answers so far share the surviving tests of either side.
//! Constraints on pairs of tests are kept as [`Clause`]s.

use std::sync::Arc;

use indexmap::IndexMap;

use super::grammar::Grammar;
use super::prior::COMMON;
use super::surviving_tests::{Clause, Interner, SurvivingTests};
use super::test_lists::TestSet;
use super::tracked_tests::CardVerdicts;
use crate::vocabulary::{Combination, Vocabulary};

/// Conditions that gave the same answers on all judged cards.
#[derive(Clone, Debug)]
pub(super) struct ConditionClass {
    pub conditions: Vec<u16>,
    /// The tests that agree with the verdicts where the conditions held, and where they did not.
    pub sides: [Arc<SurvivingTests>; 2],
    /// The tests that agree when joined to the conditions by *exactly one*.
    pub others: Arc<SurvivingTests>,
}

/// All verdicts so far.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    count: usize,
    /// The verdicts of all tests on each judged card.
    cards: Vec<CardVerdicts>,
    /// Single verdicts: the index of the card and the verdict.
    singles: Vec<(usize, bool)>,
    /// Wrong strings: the indices of their cards.
    strings: Vec<Vec<usize>>,
    /// The tests that agree as single tests.
    pub single: SurvivingTests,
    /// The tests that agree as parts of *both*: right on every right card.
    pub both: SurvivingTests,
    /// The tests that agree as parts of *either*: wrong on every wrong card.
    pub either: SurvivingTests,
    pub classes: Vec<ConditionClass>,
}

impl Evidence {
    /// Creates evidence without verdicts.
    pub fn new(grammar: &Grammar) -> Evidence {
        let count = Vocabulary::shared().tests.len();
        let all = SurvivingTests::of(TestSet::all(count));
        let allowed = |place: usize| grammar.allowed[place].clone();
        let (mut conditions, mut sides) = (allowed(3), allowed(4));
        conditions.extend(&allowed(COMMON[0]));
        sides.extend(&allowed(COMMON[1]));
        let sides = Arc::new(SurvivingTests::of(sides));
        // A class has one level only: the verdicts on the empty line affect the starter.
        let mut by_level: IndexMap<usize, Vec<u16>> = IndexMap::new();
        for condition in conditions.iter() {
            by_level.entry(grammar.class(condition).level()).or_default().push(condition);
        }
        let class = |conditions| ConditionClass {
            conditions,
            sides: [sides.clone(), sides.clone()],
            others: sides.clone(),
        };
        Evidence {
            count,
            cards: Vec::new(),
            singles: Vec::new(),
            strings: Vec::new(),
            single: SurvivingTests::of(allowed(0)),
            both: all.clone(),
            either: all,
            classes: by_level.into_values().map(class).collect(),
        }
    }

    /// Returns the same evidence for another grammar with the same tests.
    pub fn for_another_grammar(&self) -> Evidence {
        let mut evidence = self.clone();
        let mut interner = Interner::default();
        for ConditionClass { sides, others, .. } in &mut evidence.classes {
            let all = sides.iter_mut().chain([others]);
            all.for_each(|tests| *tests = interner.of(tests.tests().clone()));
        }
        let others = [&mut evidence.single, &mut evidence.both, &mut evidence.either];
        others.into_iter().for_each(SurvivingTests::clear_lists);
        evidence
    }

    /// Adds a verdict on a card.
    pub fn observe(&mut self, card: CardVerdicts, right: bool) {
        self.single.retain(&card.right, right);
        let both_or_either = if right { &mut self.both } else { &mut self.either };
        both_or_either.retain(&card.right, right);
        self.split(&card);
        let mut interner = Interner::default();
        for ConditionClass { conditions, sides: [first, second], others } in &mut self.classes {
            match card.answer(conditions[0]) {
                Some(true) => {
                    interner.retain(first, &card.right, right);
                    interner.retain(others, &card.yes, !right);
                }
                Some(false) => {
                    interner.retain(second, &card.right, right);
                    interner.retain(others, &card.right, right);
                }
                // A right card needs one right side, which is a clause.
                None if right => {}
                None => {
                    interner.retain(first, &card.right, false);
                    interner.retain(second, &card.right, false);
                    *others = interner.of(TestSet::none(self.count));
                }
            }
        }
        self.drop_refuted_conditions();
        self.singles.push((self.cards.len(), right));
        self.cards.push(card);
    }

    /// Adds a wrong string: at least one of its cards is wrong if those before it are right.
    pub fn observe_wrong_string(&mut self, string: Vec<CardVerdicts>) {
        let first = self.cards.len();
        self.single.retain(&self.right_on(&string), false);
        string.iter().for_each(|card| self.split(card));
        let mut classes = std::mem::take(&mut self.classes);
        let mut interner = Interner::default();
        for ConditionClass { conditions, sides, others } in &mut classes {
            let condition = conditions[0];
            let right = self.right_by_side(condition, &string);
            for ((surviving, right), side) in sides.iter_mut().zip(&right).zip([true, false]) {
                if string.iter().all(|card| card.answer(condition) == Some(side)) {
                    interner.retain(surviving, right, false);
                }
            }
            let mut all_right = TestSet::all(self.count);
            for card in &string {
                match card.answer(condition) {
                    Some(true) => all_right.retain(&card.yes, false),
                    Some(false) => all_right.retain(&card.right, true),
                    None => false,
                };
            }
            interner.retain(others, &all_right, false);
        }
        self.classes = classes;
        self.drop_refuted_conditions();
        self.strings.push((first..first + string.len()).collect());
        self.cards.extend(string);
    }

    /// Splits the classes by the answers of their conditions on a card.
    fn split(&mut self, card: &CardVerdicts) {
        let mut split = Vec::with_capacity(self.classes.len());
        for mut class in self.classes.drain(..) {
            let mut parts: [Vec<u16>; 3] = Default::default();
            for condition in std::mem::take(&mut class.conditions) {
                parts[card.answer(condition).map_or(2, usize::from)].push(condition);
            }
            let parts = parts.into_iter().filter(|part| !part.is_empty());
            split.extend(parts.map(|conditions| ConditionClass { conditions, ..class.clone() }));
        }
        self.classes = split;
    }

    /// Drops the conditions without any surviving rule.
    fn drop_refuted_conditions(&mut self) {
        self.classes.retain(|class| {
            !class.sides.iter().any(|side| side.is_empty()) || !class.others.is_empty()
        });
    }

    /// Returns the tests that are right on all of these cards.
    fn right_on<'a>(&self, cards: impl IntoIterator<Item = &'a CardVerdicts>) -> TestSet {
        let mut all = TestSet::all(self.count);
        for card in cards {
            all.retain(&card.right, true);
        }
        all
    }

    fn wrong_on(&self, card: &CardVerdicts) -> TestSet {
        let mut wrong = TestSet::all(self.count);
        wrong.retain(&card.right, false);
        wrong
    }

    /// Returns the tests that are right on all cards of a string where the condition held, and
    /// where it did not.
    fn right_by_side<'a>(
        &self,
        condition: u16,
        string: impl IntoIterator<Item = &'a CardVerdicts> + Clone,
    ) -> [TestSet; 2] {
        [true, false].map(|side| {
            let cards = string.clone().into_iter();
            self.right_on(cards.filter(|card| card.answer(condition) == Some(side)))
        })
    }

    fn string(&self, cards: &[usize]) -> Vec<&CardVerdicts> {
        cards.iter().map(|&card| &self.cards[card]).collect()
    }

    fn right_cards(&self) -> impl Iterator<Item = usize> {
        self.singles.iter().filter(|(_, right)| *right).map(|(at, _)| *at)
    }

    /// Returns the constraints on two tests of *both*.
    pub fn clauses_of_both(&self) -> Vec<Clause> {
        let wrong = self.singles.iter().filter(|(_, right)| !right).map(|(at, _)| vec![*at]);
        let clause = |cards: Vec<usize>| {
            let set = self.right_on(self.string(&cards));
            Clause { card: None, tests: [set.clone(), set], exceptions: Vec::new() }
        };
        wrong.chain(self.strings.iter().cloned()).map(clause).collect()
    }

    /// Returns the constraints on two tests of *either*.
    pub fn clauses_of_either(&self) -> Vec<Clause> {
        let singles = self.right_cards().map(|at| self.not_both_wrong(at));
        let all = TestSet::all(self.count);
        let strings = self.strings.iter().map(|cards| Clause {
            card: None,
            tests: [all.clone(), all.clone()],
            exceptions: cards.iter().map(|&at| self.wrong_on(&self.cards[at])).collect(),
        });
        singles.chain(strings).collect()
    }

    fn not_both_wrong(&self, at: usize) -> Clause {
        let wrong = self.wrong_on(&self.cards[at]);
        Clause { card: Some(at), tests: [wrong.clone(), wrong], exceptions: Vec::new() }
    }

    /// Returns the constraints on the two sides of an *if* with these conditions.
    pub fn clauses_of(&self, class: &ConditionClass) -> Vec<Clause> {
        let condition = class.conditions[0];
        let is_unknown = |card: &CardVerdicts| card.answer(condition).is_none();
        let unknown = self.right_cards().filter(|at| is_unknown(&self.cards[*at]));
        let mut clauses: Vec<Clause> = unknown.map(|at| self.not_both_wrong(at)).collect();
        for cards in &self.strings {
            let string = self.string(cards);
            let unknown = string.iter().filter(|card| is_unknown(card));
            let exceptions = unknown.map(|card| self.wrong_on(card)).collect();
            let tests = self.right_by_side(condition, string.iter().copied());
            clauses.push(Clause { card: None, tests, exceptions });
        }
        clauses
    }

    /// Returns the indices of the single cards that were judged, the right ones first.
    pub fn singles(&self) -> Vec<usize> {
        let of = |verdict: bool| self.singles.iter().filter(move |(_, right)| *right == verdict);
        of(true).chain(of(false)).map(|(at, _)| *at).collect()
    }

    /// Returns a bit for each of these cards that satisfies a test, and for each that does not fail
    /// it.
    pub fn responses(&self, test: u16, cards: &[usize]) -> (u128, u128) {
        cards.iter().rev().fold((0, 0), |(yes, right), &at| {
            let card = &self.cards[at];
            let bit = |set: &TestSet| u128::from(set.has(test));
            (yes << 1 | bit(&card.yes), right << 1 | bit(&card.right))
        })
    }

    /// Returns `true` if a rule agrees with all verdicts.
    pub fn agrees(&self, rule: Combination) -> bool {
        let accepts = |at: usize| self.cards[at].accepts(rule);
        self.singles.iter().all(|(at, right)| accepts(*at) == *right)
            && self.strings.iter().all(|cards| cards.iter().any(|at| !accepts(*at)))
    }

    /// Returns the tests of surviving rules.
    pub fn used(&self) -> TestSet {
        let mut used = self.single.tests().clone();
        used.extend(self.both.tests());
        used.extend(self.either.tests());
        let mut conditions = vec![false; self.count];
        for class in &self.classes {
            let tests = class.sides.iter().chain([&class.others]);
            tests.for_each(|tests| used.extend(tests.tests()));
            class.conditions.iter().for_each(|&test| conditions[usize::from(test)] = true);
        }
        used.extend(&TestSet::of(self.count, |test| conditions[test]));
        used
    }
}
