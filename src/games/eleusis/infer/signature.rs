//! Telling rules apart by what they do in fixed situations.

use super::{Combo, Masks};
use crate::cards::Card;
use crate::chance::Seed;
use crate::games::eleusis::rule::Rule;

/// Situations on which rules are told apart.
const SITUATIONS: u64 = 128;

/// What each rule says in each situation.
pub(super) fn on_situations(rules: &[Rule]) -> Vec<Vec<Masks>> {
    let lines: Vec<Vec<Card>> = (0..SITUATIONS)
        .map(|index| {
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
        })
        .collect();
    let each = |line: &Vec<Card>| {
        rules.iter().map(|rule| Masks::of(rule, &rule.after(line))).collect::<Vec<Masks>>()
    };
    lines.iter().map(each).collect()
}

/// A number for what each rule does in all situations; none if it is right too often or too rarely
/// there, or often leaves nothing right.
pub(super) fn signatures(combos: &[Combo], situations: &[Vec<Masks>]) -> Vec<Option<u128>> {
    let mut all = vec![(0u128, 0u32, 0usize); combos.len()];
    // Situation by situation: what the atoms say in one fits the nearest cache.
    for atoms in situations {
        for (combo, (hash, cards, stuck)) in combos.iter().zip(&mut all) {
            let right = combo.right(atoms);
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

/// The number of a rule that is not made of atoms; none if it cannot be played.
pub(super) fn rule_signature(rule: &Rule) -> Option<u128> {
    signatures(&[Combo::One(0)], &on_situations(std::slice::from_ref(rule)))[0]
}
