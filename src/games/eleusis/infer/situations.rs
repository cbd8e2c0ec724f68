//! Telling rules apart by what they do in fixed situations.

use crate::cards::Card;
use crate::chance::Seed;
use crate::games::eleusis::{Combination, Join, Memory, Rule, Verdicts};

/// Situations on which rules are told apart.
const SITUATIONS: u64 = 128;

/// How many lines of two cards are looked at for dead ends, beside all of one.
const PAIRS: u64 = 96;

fn after(rules: &[Rule], line: &[Card]) -> Vec<Verdicts> {
    rules.iter().map(|rule| rule.verdicts(&rule.after(line))).collect()
}

/// What each rule says in each situation: after lines of 1 to 12 random cards, half of them with
/// few suits or ranks.
pub(super) fn on_situations(rules: &[Rule]) -> Vec<Vec<Verdicts>> {
    let line = |index: u64| -> Vec<Card> {
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
    };
    (0..SITUATIONS).map(|index| after(rules, &line(index))).collect()
}

/// A number for what each rule does in all situations; none if it is right too often or too rarely
/// there, or often leaves nothing right.
pub(super) fn signatures(rules: &[Combination], situations: &[Vec<Verdicts>]) -> Vec<Option<u128>> {
    let mut all = vec![(0u128, 0u32, 0usize); rules.len()];
    // Situation by situation: what the tests say in one fits the nearest cache.
    for tests in situations {
        for (rule, (hash, cards, stuck)) in rules.iter().zip(&mut all) {
            let right = rule.right(tests);
            // The lines are random: some could not have come about under the rule.
            *stuck += usize::from(right == 0);
            *cards += right.count_ones();
            // Multiplication by an odd constant and a turn (as in FxHash, on twice the width).
            *hash = (hash.rotate_left(23) ^ u128::from(right))
                .wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645);
        }
    }
    let playable = |(hash, cards, stuck): (u128, u32, usize)| {
        let share = f64::from(cards) / (52.0 * situations.len() as f64);
        ((0.04..0.95).contains(&share) && stuck <= situations.len() / 4).then_some(hash)
    };
    all.into_iter().map(playable).collect()
}

/// The number of a rule that is not made of tests; none if it cannot be played.
pub(super) fn rule_signature(rule: &Rule) -> Option<u128> {
    signatures(&[Combination::of(Join::One, &[0])], &on_situations(std::slice::from_ref(rule)))[0]
}

/// Which of these rules leave no card right after a line of one or two cards that are right under
/// them, as far as looked at: they cannot be anybody's secret.
pub(super) fn dead_ends(rules: &[Combination], tests: &[Rule]) -> Vec<bool> {
    let empty: Vec<Verdicts> = tests.iter().map(|t| t.verdicts(&Memory::default())).collect();
    let first: Vec<Vec<Verdicts>> = Card::all().map(|card| after(tests, &[card])).collect();
    let has = |set: u64, card: Card| set >> card.index() & 1 == 1;
    let mut stuck = vec![false; rules.len()];
    for (card, verdicts) in Card::all().zip(&first) {
        for (rule, stuck) in rules.iter().zip(&mut stuck) {
            *stuck |= rule.right(verdicts) == 0 && has(rule.right(&empty), card);
        }
    }
    for pair in 0..PAIRS {
        let mut chance = Seed::new(pair).named("pairs").stream();
        let mut draw = || Card::from_index(chance.below(52) as u8);
        let (a, b) = (draw(), draw());
        let verdicts = after(tests, &[a, b]);
        for (rule, stuck) in rules.iter().zip(&mut stuck) {
            *stuck |= rule.right(&verdicts) == 0
                && has(rule.right(&empty), a)
                && has(rule.right(&first[usize::from(a.index())]), b);
        }
    }
    stuck
}
