//! Exploration of all situations that can arise under a rule, or under two rules at once:
//! comparison of rules, and the check that a rule can be played.

use std::iter::successors;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::compile::Rule;
use super::expr::Expr;
use super::kind::{Result, RuleError};
use super::memory::Memory;
use super::operators::Op;
use parlour_base::cards::{Card, CardSet, spaced};
use parlour_base::chance::{Seed, Stream};

/// Maximum number of situations; beyond it, random lines are sampled.
pub const MAX_SITUATIONS: usize = 400_000;

/// Maximum work in evaluated nodes, about half a second; beyond it, random lines are sampled. No
/// rule of the corpus comes near it.
const MAX_WORK: u64 = 120_000_000;

/// Work to look up a situation, in evaluated nodes.
const LOOKUP_WORK: u64 = 8;

/// Number and length of the sampled lines; expensive rules get fewer.
const SAMPLED_LINES: u64 = 2000;
const SAMPLED_LENGTH: usize = 60;
const SAMPLED_WORK: u64 = 30_000_000;

/// The result of an exploration under one rule or two.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Exploration<const N: usize> {
    /// Nothing was found in all situations that can arise; their number.
    Exhaustive(usize),
    /// Nothing was found in this number of situations and along random lines; there are more
    /// situations.
    Partial(usize),
    /// A line of right cards from the given situation, and the cards that are right after it under
    /// each rule. If the given line was empty, the first card is the starter.
    Found(Vec<Card>, [CardSet; N]),
}

impl<const N: usize> Exploration<N> {
    /// Returns `true` if nothing was found, such as a difference between two rules.
    pub fn is_empty(&self) -> bool {
        !matches!(self, Exploration::Found(..))
    }
}

/// Compares two rules in all situations of a game with any starter. A difference has the shortest
/// possible line.
pub fn compare(a: &Rule, b: &Rule) -> Exploration<2> {
    let pair = Explorer::pair(a, b);
    pair.explore(&pair.starters())
}

/// Compares two rules in all situations that can arise from these memories on.
pub fn compare_from(a: &Rule, b: &Rule, of_a: &Memory, of_b: &Memory) -> Exploration<2> {
    Explorer::pair(a, b).explore(&[([*of_a, *of_b], None)])
}

/// Returns `true` if [`compare_from`] finds no difference. A rule is not compared with itself.
pub fn are_equivalent_from(a: &Rule, b: &Rule, of_a: &Memory, of_b: &Memory) -> bool {
    (a == b && of_a == of_b) || compare_from(a, b, of_a, of_b).is_empty()
}

/// Searches for a situation in which no card is right, from the empty line and every starter on.
pub(super) fn dead_end(rule: &Rule) -> Exploration<1> {
    if rule.right(&Memory::default()).is_empty() {
        return Exploration::Found(Vec::new(), [CardSet::EMPTY]);
    }
    let alone = Explorer { rules: [rule], is_found: |[right]| right.is_empty() };
    alone.explore(&alone.starters())
}

/// An exploration of one rule or two for certain verdicts. A situation consists of their memories.
struct Explorer<'a, const N: usize> {
    rules: [&'a Rule; N],
    is_found: fn([CardSet; N]) -> bool,
}

/// A first situation, with the card that led there.
type Start<const N: usize> = ([Memory; N], Option<Card>);

impl<'a> Explorer<'a, 2> {
    fn pair(a: &'a Rule, b: &'a Rule) -> Explorer<'a, 2> {
        Explorer { rules: [a, b], is_found: |[first, second]| first != second }
    }
}

impl<const N: usize> Explorer<'_, N> {
    fn right(&self, at: &[Memory; N]) -> [CardSet; N] {
        std::array::from_fn(|which| self.rules[which].right(&at[which]))
    }

    /// Returns the work to judge all cards and to accept one.
    fn work(&self) -> (u64, u64) {
        let all = self.rules.iter().map(|rule| rule.work());
        all.fold((1, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    }

    fn step(&self, at: &[Memory; N], card: Card) -> [Memory; N] {
        std::array::from_fn(|which| self.rules[which].step(&at[which], card))
    }

    /// Returns classes of cards that all rules treat alike.
    fn classes(&self) -> Vec<CardSet> {
        self.rules.iter().fold(vec![CardSet::FULL], |classes, rule| {
            let parts = |one: &CardSet| {
                let one = *one;
                rule.classes().iter().map(move |other| CardSet(one.0 & other.0))
            };
            classes.iter().flat_map(parts).filter(|part| !part.is_empty()).collect()
        })
    }

    /// Returns the situations after one starter of each class.
    fn starters(&self) -> Vec<Start<N>> {
        let firsts = self.classes().into_iter().filter_map(|mut class| class.next());
        firsts.map(|card| (self.step(&[Memory::default(); N], card), Some(card))).collect()
    }

    /// Explores breadth first, so that the first finding has the shortest line.
    fn explore(&self, starts: &[Start<N>]) -> Exploration<N> {
        let (classes, (judging, accepting)) = (self.classes(), self.work());
        // The situations in the order of their discovery, and for each the index of its predecessor
        // and the card between them.
        let mut known = IndexMap::<[Memory; N], (usize, Option<Card>), FxBuildHasher>::default();
        for &(at, card) in starts {
            known.entry(at).or_insert((usize::MAX, card));
        }
        let (mut index, mut exact, mut left) = (0, true, MAX_WORK);
        while let Some((&at, _)) = known.get_index(index) {
            let right = self.right(&at);
            if (self.is_found)(right) {
                let before = |(_, (before, _)): &(_, &(usize, _))| known.get_index(*before);
                let steps = successors(known.get_index(index), before);
                let mut line: Vec<Card> = steps.filter_map(|(_, (_, card))| *card).collect();
                line.reverse();
                return Exploration::Found(line, right);
            }
            left = left.saturating_sub(judging);
            // After the limit, only the known situations are examined.
            let nexts = if exact { &classes[..] } else { &[] };
            for class in nexts {
                let Some(card) = CardSet(class.0 & right[0].0).next() else { continue };
                let next = self.step(&at, card);
                left = left.saturating_sub(accepting + LOOKUP_WORK);
                if known.len() < MAX_SITUATIONS {
                    known.entry(next).or_insert((index, Some(card)));
                } else if !known.contains_key(&next) {
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
            return Exploration::Exhaustive(known.len());
        }
        let mut chance = Seed::new(0).named("walk").stream();
        let lines = SAMPLED_WORK / (SAMPLED_LENGTH as u64 * (judging + accepting));
        (0..lines.clamp(50, SAMPLED_LINES))
            .find_map(|_| self.sample(starts, &mut chance))
            .unwrap_or(Exploration::Partial(index))
    }

    fn sample(&self, starts: &[Start<N>], chance: &mut Stream) -> Option<Exploration<N>> {
        let (mut at, card) = *starts.get(chance.below(starts.len().max(1) as u32) as usize)?;
        let mut line: Vec<Card> = card.into_iter().collect();
        for _ in 0..SAMPLED_LENGTH {
            let right = self.right(&at);
            if (self.is_found)(right) {
                return Some(Exploration::Found(line, right));
            }
            let card = right[0].pick(chance)?;
            at = self.step(&at, card);
            line.push(card);
        }
        None
    }
}

/// Minimum and maximum average share of right cards of a playable rule.
pub const RIGHT_SHARE_RANGE: (f64, f64) = (0.05, 0.93);

const LINES: u64 = 200;
const LENGTH: usize = 40;

/// The properties of a playable rule.
#[derive(Clone, PartialEq, Debug)]
pub struct Validity {
    /// The average share of right cards over 200 random lines of 40 right cards. The lines start
    /// from the same random starters for every rule.
    pub share: f64,
    /// Number of explored situations.
    pub situations: usize,
    /// `true` if all situations were explored; otherwise dead ends were searched up to a limit and
    /// along random lines.
    pub is_exact: bool,
}

/// Returns the average share of right cards along random lines of right cards.
pub fn right_share(rule: &Rule) -> f64 {
    let (mut right_cards, mut looks) = (0u64, 0u64);
    for line in 0..LINES {
        let mut chance = Seed::new(line).named("right share").stream();
        let starter = Card::from_index(chance.below(52) as u8);
        let mut memory = rule.step(&Memory::default(), starter);
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

/// Checks that a rule can be played: some card is right in every situation, and neither too few nor
/// too many on average.
///
/// # Errors
/// If no card is right after some line, or if the average share is out of range.
pub fn validate(rule: &Rule) -> Result<Validity> {
    let share = right_share(rule);
    if !(RIGHT_SHARE_RANGE.0..=RIGHT_SHARE_RANGE.1).contains(&share) {
        let (low, high) = RIGHT_SHARE_RANGE;
        let [share, low, high] = [share, low, high].map(|share| share * 100.0);
        return Err(RuleError(format!(
            "`{rule}` accepts {share:.1} % of the cards on average; a rule must accept from {low} % to {high} %"
        )));
    }
    match dead_end(rule) {
        Exploration::Exhaustive(situations) => Ok(Validity { share, situations, is_exact: true }),
        Exploration::Partial(situations) => Ok(Validity { share, situations, is_exact: false }),
        Exploration::Found(line, _) => {
            let after = match line.len() {
                0 => "at the start".to_owned(),
                _ => format!("after {}", spaced(&line)),
            };
            let repaired = Expr::new(Op::Otherwise, [rule.expr().clone(), Expr::truth(true)]);
            Err(RuleError(format!(
                "`{rule}` leaves no card right {after}; some card must always be right, as under \
                 `{repaired}`"
            )))
        }
    }
}
