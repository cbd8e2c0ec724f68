//! Walking the situations that can arise under a rule, or under two side by side.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::judge::Rule;
use super::memory::Memory;
use crate::cards::{Card, CardSet};
use crate::chance::{Seed, Stream};

/// A walk that meets more situations than this goes on by sampling.
pub const WALK_LIMIT: usize = 400_000;

/// Lines sampled, and their length, when the situations are too many to walk.
const SAMPLED_LINES: u64 = 2000;
const SAMPLED_LENGTH: usize = 60;

/// How two rules compare.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// The same verdicts in every situation that can arise: all of them were walked.
    Equivalent {
        /// How many situations there were.
        situations: usize,
    },
    /// The rules differ.
    Different(Difference),
    /// No difference found, but the situations were too many to walk them all: those within the
    /// limit and some long random lines were looked at.
    Unsettled {
        /// How many situations were looked at.
        situations: usize,
    },
}

impl Comparison {
    /// Whether no difference was found.
    pub fn alike(&self) -> bool {
        !matches!(self, Comparison::Different(_))
    }
}

/// A line of accepted cards after which the rules disagree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Cards that both rules accept one after another, from the given situation on; the first is
    /// the starter if the line was empty.
    pub line: Vec<Card>,
    /// The cards that the first rule accepts next.
    pub first: CardSet,
    /// The cards that the second rule accepts next.
    pub second: CardSet,
}

impl Difference {
    /// The lowest card on which they disagree.
    pub fn card(&self) -> Card {
        CardSet(self.first.0 ^ self.second.0).next().unwrap_or(Card::from_index(0))
    }
}

/// Compares two rules in everything that can arise in a game: any card may be the starter. The
/// difference shown has the shortest line there is.
pub fn compare(a: &Rule, b: &Rule) -> Comparison {
    let pair = Pair { a, b };
    let empty = (Memory::default(), Memory::default());
    walk(&pair, &pair.starters(empty))
}

/// Compares two rules in everything that can arise from here on, given what each remembers.
pub fn compare_from(a: &Rule, b: &Rule, of_a: &Memory, of_b: &Memory) -> Comparison {
    walk(&Pair { a, b }, &[((*of_a, *of_b), None)])
}

/// Whether [`compare_from`] finds no difference; one rule beside itself is not walked.
pub fn alike_from(a: &Rule, b: &Rule, of_a: &Memory, of_b: &Memory) -> bool {
    (a == b && of_a == of_b) || compare_from(a, b, of_a, of_b).alike()
}

/// Whether two rules give the same verdicts in everything that can arise in a game; see
/// [`compare`].
pub fn equivalent(a: &Rule, b: &Rule) -> bool {
    compare(a, b).alike()
}

/// What a walk over one rule found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reach {
    /// How many situations were met.
    pub situations: usize,
    /// Whether these are all there are.
    pub exact: bool,
    /// The shortest line met after which no card is right.
    pub stuck: Option<Vec<Card>>,
}

/// Walks the situations of a rule from every starter; also looks at the empty line.
pub fn reach(rule: &Rule) -> Reach {
    let empty = Memory::default();
    if rule.right(&empty).is_empty() {
        return Reach { situations: 1, exact: true, stuck: Some(Vec::new()) };
    }
    // A rule beside itself differs from nothing: the walk only looks for dead ends.
    let pair = DeadEnds(rule);
    match walk(&pair, &pair.starters(empty)) {
        Comparison::Equivalent { situations } => Reach { situations, exact: true, stuck: None },
        Comparison::Unsettled { situations } => Reach { situations, exact: false, stuck: None },
        Comparison::Different(found) => {
            Reach { situations: 0, exact: false, stuck: Some(found.line) }
        }
    }
}

/// Something that is walked: a situation, what the cards do in it, and when to stop.
trait Walked {
    type At: Copy + Eq + std::hash::Hash;
    /// The verdicts of the first and the second rule.
    fn verdicts(&self, at: Self::At) -> (CardSet, CardSet);
    /// Whether these verdicts are what is looked for.
    fn found(&self, verdicts: (CardSet, CardSet)) -> bool;
    fn step(&self, at: Self::At, card: Card) -> Self::At;
    /// Sets of cards that lead on alike, as far as they are right.
    fn classes(&self) -> Vec<CardSet>;

    fn starters(&self, empty: Self::At) -> Vec<(Self::At, Option<Card>)> {
        let firsts = self.classes().into_iter().filter_map(|mut class| class.next());
        firsts.map(|card| (self.step(empty, card), Some(card))).collect()
    }
}

struct Pair<'a> {
    a: &'a Rule,
    b: &'a Rule,
}

impl Walked for Pair<'_> {
    type At = (Memory, Memory);

    fn verdicts(&self, at: Self::At) -> (CardSet, CardSet) {
        (self.a.right(&at.0), self.b.right(&at.1))
    }

    fn found(&self, (first, second): (CardSet, CardSet)) -> bool {
        first != second
    }

    fn step(&self, at: Self::At, card: Card) -> Self::At {
        (self.a.step(&at.0, card), self.b.step(&at.1, card))
    }

    fn classes(&self) -> Vec<CardSet> {
        let mut out = Vec::new();
        for one in self.a.classes() {
            let parts = self.b.classes().iter().map(|other| CardSet(one.0 & other.0));
            out.extend(parts.filter(|part| !part.is_empty()));
        }
        out
    }
}

struct DeadEnds<'a>(&'a Rule);

impl Walked for DeadEnds<'_> {
    type At = Memory;

    fn verdicts(&self, at: Memory) -> (CardSet, CardSet) {
        let right = self.0.right(&at);
        (right, right)
    }

    fn found(&self, (right, _): (CardSet, CardSet)) -> bool {
        right.is_empty()
    }

    fn step(&self, at: Memory, card: Card) -> Memory {
        self.0.step(&at, card)
    }

    fn classes(&self) -> Vec<CardSet> {
        self.0.classes().to_vec()
    }
}

/// Breadth first, so that what is found has the shortest line.
fn walk<W: Walked>(walked: &W, starts: &[(W::At, Option<Card>)]) -> Comparison {
    let classes = walked.classes();
    // Where each situation was come to from: the index of the one before, and the card.
    let mut order: Vec<(W::At, usize, Option<Card>)> = Vec::new();
    let mut known: FxHashMap<W::At, ()> = FxHashMap::default();
    let mut queue = VecDeque::new();
    for &(at, card) in starts {
        if known.insert(at, ()).is_none() {
            queue.push_back(order.len());
            order.push((at, usize::MAX, card));
        }
    }
    let mut exact = true;
    while let Some(index) = queue.pop_front() {
        let at = order[index].0;
        let verdicts = walked.verdicts(at);
        if walked.found(verdicts) {
            return different(trace(&order, index), verdicts);
        }
        for class in &classes {
            let Some(card) = CardSet(class.0 & verdicts.0.0).next() else { continue };
            let next = walked.step(at, card);
            if known.contains_key(&next) {
                continue;
            }
            if known.len() >= WALK_LIMIT {
                exact = false;
                break;
            }
            known.insert(next, ());
            queue.push_back(order.len());
            order.push((next, index, Some(card)));
        }
    }
    let situations = order.len();
    if exact {
        return Comparison::Equivalent { situations };
    }
    let mut chance = Seed::new(0).named("walk").stream();
    for _ in 0..SAMPLED_LINES {
        if let Some((line, verdicts)) = sample(walked, starts, &mut chance) {
            return different(line, verdicts);
        }
    }
    Comparison::Unsettled { situations }
}

fn different(line: Vec<Card>, (first, second): (CardSet, CardSet)) -> Comparison {
    Comparison::Different(Difference { line, first, second })
}

fn trace<S>(order: &[(S, usize, Option<Card>)], mut index: usize) -> Vec<Card> {
    let mut line = Vec::new();
    while let Some((_, before, card)) = order.get(index) {
        line.extend(*card);
        index = *before;
    }
    line.reverse();
    line
}

type Found = Option<(Vec<Card>, (CardSet, CardSet))>;

fn sample<W: Walked>(walked: &W, starts: &[(W::At, Option<Card>)], chance: &mut Stream) -> Found {
    let (mut at, card) = *starts.get(chance.below(starts.len().max(1) as u32) as usize)?;
    let mut line: Vec<Card> = card.into_iter().collect();
    for _ in 0..SAMPLED_LENGTH {
        let verdicts = walked.verdicts(at);
        if walked.found(verdicts) {
            return Some((line, verdicts));
        }
        let mut right = verdicts.0;
        let card = right.nth(chance.below(right.len().max(1)) as usize)?;
        at = walked.step(at, card);
        line.push(card);
    }
    None
}
