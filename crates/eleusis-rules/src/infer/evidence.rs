//! What was judged, and the tests that still agree with it at each place of a rule.
//!
//! A rule *if c then a else b* agrees with a verdict if a does where c holds and b does where it does
//! not. Conditions that held alike so far share the tests that are left for either side. What a product
//! of two lists cannot say is a [`Clause`].

use std::sync::Arc;

use super::Grammar;
use super::grammar::FEW;
use super::left::{Left, Pool};
use super::set::Set;
use super::verdicts::Heard;
use crate::{Combination, Vocabulary};

/// Something that two tests must not do together, unless one of them does not on some card of
/// `either`.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    /// The place of the single card that it is of, and whichever test comes first; none of a string.
    pub card: Option<usize>,
    /// The tests that do so as the first, and as the second.
    pub tests: [Set; 2],
    /// Tests that do not, of which the rule must have two on one card; mostly none.
    pub either: Vec<Set>,
}

/// Conditions that held alike so far.
#[derive(Clone, Debug)]
pub(super) struct Alike {
    pub conditions: Vec<u16>,
    /// The tests that agree with what was judged where the conditions held, and where they did not.
    pub sides: [Arc<Left>; 2],
    /// The tests that do so joined to them by *exactly one*.
    pub others: Arc<Left>,
}

/// Everything that was judged.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    count: usize,
    /// What each test said of each card that bears on something.
    heard: Vec<Heard>,
    /// Single verdicts: the place among those, and whether it was right.
    single: Vec<(usize, bool)>,
    /// Wrong strings: the places of their cards.
    strings: Vec<Vec<usize>>,
    /// The tests that agree with everything alone.
    pub alone: Left,
    /// Those that do as a part of *both*: right on every right card.
    pub both: Left,
    /// Those that do as a part of *either*: wrong on every wrong card.
    pub either: Left,
    pub alike: Vec<Alike>,
}

impl Evidence {
    /// Nothing was judged.
    pub fn new(grammar: &Grammar) -> Evidence {
        let count = Vocabulary::shared().tests.len();
        let all = Left::of(Set::all(count));
        let with = |place: usize| grammar.standing[place].clone();
        let (mut conditions, mut sides) = (with(3), with(4));
        conditions.join(&with(FEW[0]));
        sides.join(&with(FEW[1]));
        let sides = Arc::new(Left::of(sides));
        // Those of one level only: what they say on the empty line bears on the starter.
        let mut alike: Vec<Alike> = Vec::new();
        let mut levels: Vec<u8> = Vec::new();
        for condition in conditions.iter() {
            let level = grammar.level(condition);
            match levels.iter().position(|known| *known == level) {
                Some(at) => alike[at].conditions.push(condition),
                None => {
                    levels.push(level);
                    let sides_left = [sides.clone(), sides.clone()];
                    let (conditions, others) = (vec![condition], sides.clone());
                    alike.push(Alike { conditions, sides: sides_left, others });
                }
            }
        }
        Evidence {
            count,
            heard: Vec::new(),
            single: Vec::new(),
            strings: Vec::new(),
            alone: Left::of(with(0)),
            both: all.clone(),
            either: all,
            alike,
        }
    }

    /// The same, for another grammar.
    pub fn by_another(&self) -> Evidence {
        let mut evidence = self.clone();
        let mut pool = Pool::default();
        for Alike { sides, others, .. } in &mut evidence.alike {
            sides.iter_mut().chain([others]).for_each(|left| *left = pool.of(left.tests().clone()));
        }
        let alone = [&mut evidence.alone, &mut evidence.both, &mut evidence.either];
        alone.into_iter().for_each(Left::forget);
        evidence
    }

    /// A card was judged.
    pub fn judged(&mut self, heard: Heard, right: bool) {
        self.alone.agree(&heard.right, right);
        let both_or_either = if right { &mut self.both } else { &mut self.either };
        both_or_either.agree(&heard.right, right);
        self.split(&heard);
        let mut pool = Pool::default();
        for alike in &mut self.alike {
            let Alike { sides: [first, second], others, .. } = alike;
            match held(&heard, alike.conditions[0]) {
                Some(true) => {
                    pool.agree(first, &heard.right, right);
                    pool.agree(others, &heard.yes, !right);
                }
                Some(false) => {
                    pool.agree(second, &heard.right, right);
                    pool.agree(others, &heard.right, right);
                }
                // One of two contrary tests is right, and of two sides at least one where it was.
                None if right => {}
                None => {
                    pool.agree(first, &heard.right, false);
                    pool.agree(second, &heard.right, false);
                    *others = pool.of(Set::none(self.count));
                }
            }
        }
        self.forget();
        self.single.push((self.heard.len(), right));
        self.heard.push(heard);
    }

    /// A string of several cards was wrong: at least one of them, had those before it been right.
    pub fn wrong_string(&mut self, string: Vec<Heard>) {
        let first = self.heard.len();
        let all_right = self.right_on(&string);
        self.alone.agree(&all_right, false);
        string.iter().for_each(|heard| self.split(heard));
        let mut alike = std::mem::take(&mut self.alike);
        let mut pool = Pool::default();
        for alike in &mut alike {
            let condition = alike.conditions[0];
            let [yes, no] = self.by_side(condition, &string);
            let unknown = string.iter().any(|heard| held(heard, condition).is_none());
            let is_one_sided =
                |side: bool| string.iter().all(|heard| held(heard, condition) == Some(side));
            if !unknown && is_one_sided(true) {
                pool.agree(&mut alike.sides[0], &yes, false);
            } else if !unknown && is_one_sided(false) {
                pool.agree(&mut alike.sides[1], &no, false);
            }
            let mut judged = Set::all(self.count);
            for heard in &string {
                match held(heard, condition) {
                    Some(true) => judged.drop(&heard.yes),
                    Some(false) => judged.keep(&heard.right),
                    None => false,
                };
            }
            pool.agree(&mut alike.others, &judged, false);
        }
        self.alike = alike;
        self.forget();
        self.strings.push((first..first + string.len()).collect());
        self.heard.extend(string);
    }

    /// Conditions that hold here part from those that do not.
    fn split(&mut self, heard: &Heard) {
        let mut split = Vec::with_capacity(self.alike.len());
        for mut alike in self.alike.drain(..) {
            let mut parts: [Vec<u16>; 3] = Default::default();
            for condition in std::mem::take(&mut alike.conditions) {
                let part = held(heard, condition).map_or(2, usize::from);
                parts[part].push(condition);
            }
            let parts = parts.into_iter().filter(|part| !part.is_empty());
            split.extend(parts.map(|conditions| Alike { conditions, ..alike.clone() }));
        }
        self.alike = split;
    }

    /// Conditions with which nothing agrees go.
    fn forget(&mut self) {
        let left = |alike: &Alike| {
            !alike.sides.iter().any(|side| side.is_empty()) || !alike.others.is_empty()
        };
        self.alike.retain(left);
    }

    /// The tests that are right on all of these.
    fn right_on<'a>(&self, heard: impl IntoIterator<Item = &'a Heard>) -> Set {
        let mut all = Set::all(self.count);
        for heard in heard {
            all.keep(&heard.right);
        }
        all
    }

    fn not(&self, set: &Set) -> Set {
        let mut not = Set::all(self.count);
        not.drop(set);
        not
    }

    /// The tests that are right on all cards of a string where the condition held, and where it did
    /// not.
    fn by_side<'a>(
        &self,
        condition: u16,
        string: impl IntoIterator<Item = &'a Heard> + Clone,
    ) -> [Set; 2] {
        [true, false].map(|side| {
            let there = string.clone().into_iter();
            let there = there.filter(|heard| held(heard, condition) == Some(side));
            self.right_on(there)
        })
    }

    fn string(&self, places: &[usize]) -> Vec<&Heard> {
        places.iter().map(|&place| &self.heard[place]).collect()
    }

    /// What two tests of *both* must not do together.
    pub fn clauses_of_both(&self) -> Vec<Clause> {
        let wrong = self.single.iter().filter(|(_, right)| !right).map(|(at, _)| vec![*at]);
        let clause = |places: Vec<usize>| {
            let set = self.right_on(self.string(&places));
            Clause { card: None, tests: [set.clone(), set], either: Vec::new() }
        };
        wrong.chain(self.strings.iter().cloned()).map(clause).collect()
    }

    /// What two tests of *either* must not do together.
    pub fn clauses_of_either(&self) -> Vec<Clause> {
        let right = self.single.iter().filter(|(_, right)| *right);
        let single = right.map(|(at, _)| self.both_wrong(*at));
        let all = Set::all(self.count);
        let strings = self.strings.iter().map(|places| Clause {
            card: None,
            tests: [all.clone(), all.clone()],
            either: places.iter().map(|&at| self.not(&self.heard[at].right)).collect(),
        });
        single.chain(strings).collect()
    }

    fn both_wrong(&self, at: usize) -> Clause {
        let wrong = self.not(&self.heard[at].right);
        Clause { card: Some(at), tests: [wrong.clone(), wrong], either: Vec::new() }
    }

    /// What the two sides of an *if* with these conditions must not do together.
    pub fn clauses_of(&self, alike: &Alike) -> Vec<Clause> {
        let condition = alike.conditions[0];
        let right = self.single.iter().filter(|(_, right)| *right).map(|(at, _)| *at);
        let unknown = right.filter(|at| held(&self.heard[*at], condition).is_none());
        let mut clauses: Vec<Clause> = unknown.map(|at| self.both_wrong(at)).collect();
        for places in &self.strings {
            let string = self.string(places);
            let unknown = string.iter().filter(|heard| held(heard, condition).is_none());
            let either = unknown.map(|heard| self.not(&heard.right)).collect();
            let tests = self.by_side(condition, string.iter().copied());
            clauses.push(Clause { card: None, tests, either });
        }
        clauses
    }

    /// The places of the single cards that were judged, the right ones first.
    pub fn singles(&self) -> Vec<usize> {
        let of = |verdict: bool| self.single.iter().filter(move |(_, right)| *right == verdict);
        of(true).chain(of(false)).map(|(at, _)| *at).collect()
    }

    /// A bit for each of these places whose card a test says yes to, and that is right under it.
    pub fn said(&self, test: u16, places: &[usize]) -> (u128, u128) {
        places.iter().rev().fold((0, 0), |(yes, right), &at| {
            let heard = &self.heard[at];
            (
                yes << 1 | u128::from(heard.yes.has(test)),
                right << 1 | u128::from(heard.right.has(test)),
            )
        })
    }

    /// Whether a rule agrees with everything.
    pub fn agrees(&self, rule: Combination) -> bool {
        let says = |at: usize| {
            let heard = &self.heard[at];
            rule.says_of(|test| (heard.right.has(test), heard.yes.has(test)))
        };
        self.single.iter().all(|(at, right)| says(*at) == *right)
            && self.strings.iter().all(|places| places.iter().any(|at| !says(*at)))
    }

    /// The tests that are still used.
    pub fn used(&self) -> Set {
        let mut used = self.alone.tests().clone();
        used.join(self.both.tests());
        used.join(self.either.tests());
        let mut conditions = vec![false; self.count];
        for alike in &self.alike {
            let left = alike.sides.iter().chain([&alike.others]);
            left.for_each(|left| used.join(left.tests()));
            alike.conditions.iter().for_each(|&test| conditions[usize::from(test)] = true);
        }
        used.join(&Set::of(self.count, |test| conditions[test]));
        used
    }
}

/// Whether a condition held; none if that is unknown.
fn held(heard: &Heard, condition: u16) -> Option<bool> {
    match (heard.yes.has(condition), heard.right.has(condition)) {
        (true, _) => Some(true),
        (_, false) => Some(false),
        _ => None,
    }
}
