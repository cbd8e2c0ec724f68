//! Rules that leave nothing right: they cannot be anybody's secret.

use super::{Combo, Masks};
use crate::cards::Card;
use crate::chance::Seed;
use crate::games::eleusis::rule::{Memory, Rule};

/// How many lines of two cards are looked at, beside all of one.
const PAIRS: u64 = 96;

/// Which of these combinations leave no card right after a line of one or two cards that are right
/// under them, as far as looked at.
pub(super) fn stuck(combos: &[Combo], atoms: &[Rule]) -> Vec<bool> {
    let after = |line: &[Card]| -> Vec<Masks> {
        atoms.iter().map(|rule| Masks::of(rule, &rule.after(line))).collect()
    };
    let empty: Vec<Masks> = atoms.iter().map(|a| Masks::of(a, &Memory::default())).collect();
    let first: Vec<Vec<Masks>> = Card::all().map(|card| after(&[card])).collect();
    let has = |set: u64, card: Card| set >> card.index() & 1 == 1;
    let mut stuck = vec![false; combos.len()];
    for (card, masks) in Card::all().zip(&first) {
        for (combo, stuck) in combos.iter().zip(&mut stuck) {
            *stuck |= combo.right(masks) == 0 && has(combo.right(&empty), card);
        }
    }
    for pair in 0..PAIRS {
        let mut chance = Seed::new(pair).named("pairs").stream();
        let mut draw = || Card::from_index(chance.below(52) as u8);
        let (a, b) = (draw(), draw());
        let masks = after(&[a, b]);
        for (combo, stuck) in combos.iter().zip(&mut stuck) {
            *stuck |= combo.right(&masks) == 0
                && has(combo.right(&empty), a)
                && has(combo.right(&first[usize::from(a.index())]), b);
        }
    }
    stuck
}
