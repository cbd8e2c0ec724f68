//! A small picture of belief, for looking ahead.

use super::grammar::power;
use super::{Combo, Grammar, Masks};
use crate::cards::{Card, CardSet};
use crate::chance::Seed;
use crate::games::eleusis::rule::{Memory, Rule};

/// How many continuations are looked at to tell rules apart, and how long they are.
const LOOKS: u64 = 6;
const LOOK_LENGTH: usize = 6;

/// A rule that is nearly right says so of so many cards.
const NEARLY_RIGHT: f64 = 0.8;

/// Some rules with their shares of belief, and what they say after some cards that may come.
#[derive(Clone)]
pub struct Panel {
    atoms: Vec<Rule>,
    memories: Vec<Memory>,
    masks: Vec<Masks>,
    rules: Vec<(Combo, f64)>,
    near: Vec<(Combo, f64)>,
    none: f64,
}

impl Panel {
    /// These rules, made of the grammar's atoms with these memories; `near` shares `none`.
    pub(super) fn new(
        grammar: &Grammar,
        memories: &[Memory],
        rules: &[(Combo, f64)],
        near: &[(Combo, f64)],
        none: f64,
    ) -> Panel {
        let all = rules.iter().chain(near);
        let mut used: Vec<u16> = all.flat_map(|(combo, _)| combo.atoms()).collect();
        used.sort_unstable();
        used.dedup();
        let number = |atom: u16| used.binary_search(&atom).unwrap_or_default() as u16;
        let renumbered = |rules: &[(Combo, f64)]| -> Vec<(Combo, f64)> {
            rules.iter().map(|(combo, weight)| (combo.renumbered(number), *weight)).collect()
        };
        let mut panel = Panel {
            atoms: used.iter().map(|&atom| grammar.atoms()[usize::from(atom)].clone()).collect(),
            memories: used.iter().map(|&atom| memories[usize::from(atom)]).collect(),
            masks: Vec::new(),
            rules: renumbered(rules),
            near: renumbered(near),
            none,
        };
        // What is left out counts for as much as what is there.
        let held: f64 = panel.rules.iter().map(|(_, weight)| weight).sum();
        let wanted = 1.0 - none;
        if held > 0.0 && !panel.near.is_empty() {
            panel.rules.iter_mut().for_each(|(_, weight)| *weight *= wanted / held);
        }
        let held: f64 = panel.near.iter().map(|(_, weight)| weight).sum();
        if held > 0.0 {
            panel.near.iter_mut().for_each(|(_, weight)| *weight *= none / held);
        }
        panel.look();
        panel
    }

    fn look(&mut self) {
        let each = self.atoms.iter().zip(&self.memories);
        self.masks.clear();
        self.masks.extend(each.map(|(atom, memory)| Masks::of(atom, memory)));
    }

    /// Everything that is believed, right now: a share of belief for each set of right cards. For
    /// rules that are nearly right the set is what they say.
    fn says(&self) -> impl Iterator<Item = (u64, f64, bool)> + '_ {
        let rules = self.rules.iter().map(|(combo, weight)| (combo, weight, false));
        let near = self.near.iter().map(|(combo, weight)| (combo, weight, true));
        rules.chain(near).map(|(combo, weight, near)| (combo.right(&self.masks), *weight, near))
    }

    /// The share of belief that is left.
    pub fn total(&self) -> f64 {
        self.rules.iter().chain(&self.near).map(|(_, weight)| weight).sum()
    }

    /// The belief that each card is right, as a part of [`total`](Panel::total).
    pub fn chances(&self) -> [f64; 52] {
        let mut chances = [0.0; 52];
        for (mask, weight, near) in self.says() {
            let (yes, no) = if near { (NEARLY_RIGHT, 1.0 - NEARLY_RIGHT) } else { (1.0, 0.0) };
            for (index, chance) in chances.iter_mut().enumerate() {
                *chance += weight * if mask >> index & 1 == 1 { yes } else { no };
            }
        }
        chances
    }

    /// The belief that none of these cards is right, as a part of [`total`](Panel::total).
    pub fn none_right(&self, hand: CardSet) -> f64 {
        self.says()
            .map(|(mask, weight, near)| {
                let right = (mask & hand.0).count_ones() as usize;
                let wrong = hand.len() as usize - right;
                match near {
                    true => weight * power(1.0 - NEARLY_RIGHT, right) * power(NEARLY_RIGHT, wrong),
                    false if right == 0 => weight,
                    false => 0.0,
                }
            })
            .sum()
    }

    /// The belief that has this card right goes on, with the card on the mainline; the rest is
    /// gone.
    pub fn accept(&mut self, card: Card) {
        let masks = &self.masks;
        let says = |combo: &Combo| combo.right(masks) >> card.index() & 1 == 1;
        self.rules.retain(|(combo, _)| says(combo));
        for (combo, weight) in &mut self.near {
            *weight *= if says(combo) { NEARLY_RIGHT } else { 1.0 - NEARLY_RIGHT };
        }
        for (atom, memory) in self.atoms.iter().zip(&mut self.memories) {
            *memory = atom.step(memory, card);
        }
        self.look();
    }

    /// The belief that has this card wrong goes on; the rest is gone.
    pub fn refuse(&mut self, card: Card) {
        let masks = &self.masks;
        let says = |combo: &Combo| combo.right(masks) >> card.index() & 1 == 1;
        self.rules.retain(|(combo, _)| !says(combo));
        for (combo, weight) in &mut self.near {
            *weight *= if says(combo) { 1.0 - NEARLY_RIGHT } else { NEARLY_RIGHT };
        }
    }

    /// The places of the first rule and of all that judge as it does along some of its lines.
    pub(super) fn alike_ahead(mut self, seed: u64) -> Vec<usize> {
        let mut alike: Vec<usize> = (0..self.rules.len()).collect();
        let Some((first, _)) = self.rules.first().copied() else { return alike };
        let (memories, masks) = (self.memories.clone(), self.masks.clone());
        for look in 0..LOOKS {
            let mut chance = Seed::new(seed).child(look).named("alike").stream();
            self.memories.clone_from(&memories);
            self.masks.clone_from(&masks);
            for _ in 0..LOOK_LENGTH {
                let right = first.right(&self.masks);
                alike.retain(|&index| self.rules[index].0.right(&self.masks) == right);
                let mut right = CardSet(right);
                let Some(card) = right.nth(chance.below(right.len().max(1)) as usize) else {
                    break;
                };
                for (atom, memory) in self.atoms.iter().zip(&mut self.memories) {
                    *memory = atom.step(memory, card);
                }
                self.look();
            }
            if alike.len() == 1 {
                break;
            }
        }
        alike
    }

    /// The share of *none of these* at the start.
    pub fn none(&self) -> f64 {
        self.none
    }
}
