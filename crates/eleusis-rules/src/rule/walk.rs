//! Walking the situations that can arise under a rule, or under two side by side; whether a
//! rule can be played.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::compile::Rule;
use super::expr::Expr;
use super::kind::RuleError;
use super::memory::Memory;
use super::operators::Op;
use crate::cards::{Card, CardSet, spaced};
use crate::chance::{Seed, Stream};

/// A walk that meets more situations than this goes on by sampling.
pub const WALK_LIMIT: usize = 400_000;

/// So does one that has worked out so many parts of the rules: half a second of a processor. No rule of
/// the bank comes near it.
const WALK_WORK: u64 = 120_000_000;

/// What it takes to look a situation up among those that are known, in parts of a rule worked out.
const LOOK_UP: u64 = 8;

/// Lines sampled, and their length, when the situations are too many to walk; of rules that take long
/// there are fewer.
const SAMPLED_LINES: u64 = 2000;
const SAMPLED_LENGTH: usize = 60;
const SAMPLED_WORK: u64 = 30_000_000;

/// What a walk under one rule, or under two side by side, came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Walk<const N: usize> {
    /// Nothing was found in so many situations, and these are all that can arise.
    All(usize),
    /// Nothing was found in so many situations and along some long random lines, but there are more
    /// situations than can be walked.
    Part(usize),
    /// A line of cards that are right one after another, from the given situation on (the first is
    /// the starter if the line was empty), and the cards that each rule has right after it.
    Found(Vec<Card>, [CardSet; N]),
}

impl<const N: usize> Walk<N> {
    /// Whether nothing was found: no difference between two rules.
    pub fn found_nothing(&self) -> bool {
        !matches!(self, Walk::Found(..))
    }
}

/// Compares two rules in everything that can arise in a game: any card may be the starter. The
/// difference shown has the shortest line there is.
pub fn compare(a: &Rule, b: &Rule) -> Walk<2> {
    let pair = Walked::pair(a, b);
    pair.walk(&pair.starters())
}

/// Compares two rules in everything that can arise from here on, given what each remembers.
pub fn compare_from(a: &Rule, b: &Rule, of_a: &Memory, of_b: &Memory) -> Walk<2> {
    Walked::pair(a, b).walk(&[([*of_a, *of_b], None)])
}

/// Whether [`compare_from`] finds no difference; one rule beside itself is not walked.
pub fn alike_from(a: &Rule, b: &Rule, of_a: &Memory, of_b: &Memory) -> bool {
    (a == b && of_a == of_b) || compare_from(a, b, of_a, of_b).found_nothing()
}

/// Looks for a situation in which no card is right: on the empty line, then from every starter on.
pub(super) fn dead_end(rule: &Rule) -> Walk<1> {
    if rule.right(&Memory::EMPTY).is_empty() {
        return Walk::Found(Vec::new(), [CardSet::EMPTY]);
    }
    let alone = Walked { rules: [rule], is_found: |[right]| right.is_empty() };
    alone.walk(&alone.starters())
}

/// One rule, or two side by side, and the verdicts that are looked for. A situation is what each of
/// them remembers.
struct Walked<'a, const N: usize> {
    rules: [&'a Rule; N],
    is_found: fn([CardSet; N]) -> bool,
}

/// Where a walk starts, with the card that led there.
type Start<const N: usize> = ([Memory; N], Option<Card>);

impl<'a> Walked<'a, 2> {
    fn pair(a: &'a Rule, b: &'a Rule) -> Walked<'a, 2> {
        Walked { rules: [a, b], is_found: |[first, second]| first != second }
    }
}

impl<const N: usize> Walked<'_, N> {
    fn right(&self, at: &[Memory; N]) -> [CardSet; N] {
        std::array::from_fn(|which| self.rules[which].right(&at[which]))
    }

    /// What it takes to judge all cards, and to accept one.
    fn work(&self) -> (u64, u64) {
        let all = self.rules.iter().map(|rule| rule.work());
        all.fold((1, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    }

    fn step(&self, at: &[Memory; N], card: Card) -> [Memory; N] {
        std::array::from_fn(|which| self.rules[which].step(&at[which], card))
    }

    /// Sets of cards that lead on alike, as far as they are right.
    fn classes(&self) -> Vec<CardSet> {
        self.rules.iter().fold(vec![CardSet::FULL], |classes, rule| {
            let parts = |one: &CardSet| {
                let one = *one;
                rule.classes().iter().map(move |other| CardSet(one.0 & other.0))
            };
            classes.iter().flat_map(parts).filter(|part| !part.is_empty()).collect()
        })
    }

    /// Every starter, one of each class.
    fn starters(&self) -> Vec<Start<N>> {
        let firsts = self.classes().into_iter().filter_map(|mut class| class.next());
        firsts.map(|card| (self.step(&[Memory::EMPTY; N], card), Some(card))).collect()
    }

    /// Breadth first, so that what is found has the shortest line.
    fn walk(&self, starts: &[Start<N>]) -> Walk<N> {
        let (classes, (judging, accepting)) = (self.classes(), self.work());
        // The situations in the order in which they were met, and where each was come to from: the
        // index of the one before, and the card.
        let mut known: IndexSet<[Memory; N], FxBuildHasher> = IndexSet::default();
        let mut ways: Vec<(usize, Option<Card>)> = Vec::new();
        for &(at, card) in starts {
            if known.insert(at) {
                ways.push((usize::MAX, card));
            }
        }
        let (mut index, mut exact, mut left) = (0, true, WALK_WORK);
        while let Some(&at) = known.get_index(index) {
            let right = self.right(&at);
            if (self.is_found)(right) {
                return Walk::Found(trace(&ways, index), right);
            }
            left = left.saturating_sub(judging);
            // Once there are more situations than may be known, the known ones are looked at alone.
            let nexts = if exact { &classes[..] } else { &[] };
            for class in nexts {
                let Some(card) = CardSet(class.0 & right[0].0).next() else { continue };
                let next = self.step(&at, card);
                left = left.saturating_sub(accepting + LOOK_UP);
                if known.len() < WALK_LIMIT {
                    if known.insert(next) {
                        ways.push((index, Some(card)));
                    }
                } else if !known.contains(&next) {
                    exact = false;
                    break;
                }
            }
            index += 1;
            if left == 0 {
                exact = false;
                break;
            }
        }
        if exact {
            return Walk::All(known.len());
        }
        let mut chance = Seed::new(0).named("walk").stream();
        let lines = SAMPLED_WORK / (SAMPLED_LENGTH as u64 * (judging + accepting));
        (0..lines.clamp(50, SAMPLED_LINES))
            .find_map(|_| self.sample(starts, &mut chance))
            .unwrap_or(Walk::Part(index))
    }

    fn sample(&self, starts: &[Start<N>], chance: &mut Stream) -> Option<Walk<N>> {
        let (mut at, card) = *starts.get(chance.below(starts.len().max(1) as u32) as usize)?;
        let mut line: Vec<Card> = card.into_iter().collect();
        for _ in 0..SAMPLED_LENGTH {
            let right = self.right(&at);
            if (self.is_found)(right) {
                return Some(Walk::Found(line, right));
            }
            let card = right[0].pick(chance)?;
            at = self.step(&at, card);
            line.push(card);
        }
        None
    }
}

fn trace(ways: &[(usize, Option<Card>)], mut index: usize) -> Vec<Card> {
    let mut line = Vec::new();
    while let Some((before, card)) = ways.get(index) {
        line.extend(*card);
        index = *before;
    }
    line.reverse();
    line
}

/// The least and the largest share of right cards that a rule may have on average.
pub const SHARE: (f64, f64) = (0.05, 0.93);

const LINES: u64 = 200;
const LENGTH: usize = 40;

/// What was found out about a rule that can be played.
#[derive(Clone, PartialEq, Debug)]
pub struct Validity {
    /// The mean share of the 52 cards that is right: the mean over 200 random lines of 40 right
    /// cards from a random starter, the same lines for every rule.
    pub share: f64,
    /// How many situations can arise, as far as they were walked.
    pub situations: usize,
    /// Whether all of them were walked; otherwise a dead end was looked for within the limit and
    /// along random lines only.
    pub exact: bool,
}

/// The mean share of right cards along random lines of right cards.
pub fn right_share(rule: &Rule) -> f64 {
    let (mut right_cards, mut looks) = (0u64, 0u64);
    for line in 0..LINES {
        let mut chance = Seed::new(line).named("right share").stream();
        let starter = Card::from_index(chance.below(52) as u8);
        let mut memory = rule.step(&Memory::EMPTY, starter);
        for _ in 0..LENGTH {
            let right = rule.right(&memory);
            looks += 1;
            right_cards += u64::from(right.len());
            let Some(card) = right.pick(&mut chance) else { break };
            memory = rule.step(&memory, card);
        }
    }
    right_cards as f64 / (looks * 52) as f64
}

/// Checks that a rule can be played: something is right in every situation that can arise, and
/// neither too little nor too much on average.
///
/// # Errors
/// A line after which nothing is right, or the share that is out of bounds.
pub fn validate(rule: &Rule) -> Result<Validity, RuleError> {
    let share = right_share(rule);
    if !(SHARE.0..=SHARE.1).contains(&share) {
        let what = format!(
            "`{rule}` accepts {:.1} % of the cards on average; a rule must accept from {} % to {} %",
            share * 100.0,
            SHARE.0 * 100.0,
            SHARE.1 * 100.0
        );
        return Err(RuleError::Unusable(what));
    }
    match dead_end(rule) {
        Walk::All(situations) => Ok(Validity { share, situations, exact: true }),
        Walk::Part(situations) => Ok(Validity { share, situations, exact: false }),
        Walk::Found(line, _) => {
            let after = match line.len() {
                0 => "at the start".to_owned(),
                _ => format!("after {}", spaced(&line)),
            };
            let parts = vec![rule.expr().clone(), Expr::Bool(true)];
            let mended = Expr::Op(Op::Otherwise, parts);
            Err(RuleError::Unusable(format!(
                "`{rule}` leaves no card right {after}; something must always be right, as under \
                 `{mended}`"
            )))
        }
    }
}
