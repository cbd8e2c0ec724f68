//! Belief, and how it changes.

use std::sync::Arc;

use super::grammar::{Bits, power};
use super::outside::Outside;
use super::sums::Sums;
use super::{Combo, Grammar, Masks, Panel};
use crate::cards::{Card, CardSet};
use crate::games::eleusis::public::{Act, Event};
use crate::games::eleusis::rule::{Memory, Rule};

/// The rule to state.
#[derive(Clone, Debug)]
pub struct Stated {
    /// The rule.
    pub rule: Rule,
    /// The cards that it has right now.
    pub right: CardSet,
    /// The belief in it and in all rules that are expected to judge alike from here on.
    pub belief: f64,
    /// Those rules, itself first.
    pub alike: Vec<Combo>,
}

/// Belief about the secret rule.
///
/// A rule of the grammar either agrees with what was judged or is gone. *None of these* stands for
/// all other rules.
#[derive(Clone, Debug)]
pub struct Learner {
    pub(super) grammar: Arc<Grammar>,
    /// What each atom remembers of the mainline, and says now; those no longer used stand still.
    pub(super) memories: Vec<Memory>,
    pub(super) masks: Vec<Masks>,
    pub(super) used: Vec<u16>,
    /// How many rules were left when `used` was made.
    used_by: usize,
    pub(super) live: Vec<Combo>,
    /// Not scaled: together with `outside` they are `total`.
    pub(super) weights: Vec<f64>,
    pub(super) outside: Outside,
    total: f64,
    pub(super) line: Vec<Card>,
}

impl Learner {
    /// Belief before anything is judged, with the starter on the table.
    pub fn new(grammar: Arc<Grammar>, starter: Card) -> Learner {
        let atoms = grammar.atoms();
        let share = grammar.outside();
        let mut learner = Learner {
            memories: atoms.iter().map(|atom| atom.step(&Memory::default(), starter)).collect(),
            masks: vec![Masks { yes: 0, right: 0 }; atoms.len()],
            used: (0..atoms.len() as u16).collect(),
            used_by: grammar.combos().len(),
            live: grammar.combos().to_vec(),
            weights: grammar.priors().iter().map(|prior| prior * (1.0 - share)).collect(),
            outside: Outside::new(&grammar, share),
            total: 1.0,
            line: vec![starter],
            grammar,
        };
        learner.look();
        learner
    }

    fn look(&mut self) {
        let atoms = self.grammar.atoms();
        for &index in &self.used {
            let index = usize::from(index);
            self.masks[index] = Masks::of(&atoms[index], &self.memories[index]);
        }
    }

    /// Once most rules are gone, atoms that only they used are no longer looked at.
    fn forget(&mut self) {
        if self.live.len() * 2 > self.used_by {
            return;
        }
        let mut wanted = vec![false; self.memories.len()];
        let near = self.outside.near().iter().map(|(combo, _)| *combo);
        for atom in self.live.iter().copied().chain(near).flat_map(Combo::atoms) {
            wanted[usize::from(atom)] = true;
        }
        self.used.retain(|&atom| wanted[usize::from(atom)]);
        self.used_by = self.live.len();
    }

    fn accept(&mut self, card: Card) {
        let atoms = self.grammar.atoms();
        for &index in &self.used {
            let index = usize::from(index);
            self.memories[index] = atoms[index].step(&self.memories[index], card);
        }
        self.line.push(card);
        self.look();
    }

    /// Keeps the rules that pass.
    pub(super) fn keep(&mut self, passes: impl Fn(Combo) -> bool) {
        let (mut kept, mut total) = (0, 0.0);
        for index in 0..self.live.len() {
            let (combo, weight) = (self.live[index], self.weights[index]);
            // Written whether it stays or not: no branch that cannot be foretold.
            self.live[kept] = combo;
            self.weights[kept] = weight;
            let stays = passes(combo);
            kept += usize::from(stays);
            total += if stays { weight } else { 0.0 };
        }
        self.live.truncate(kept);
        self.weights.truncate(kept);
        self.total = total + self.outside.share();
        if self.total < 1e-60 {
            let by = 1.0 / self.total.max(f64::MIN_POSITIVE);
            self.weights.iter_mut().for_each(|weight| *weight *= by);
            self.outside.scale(by);
            self.total = self.weights.iter().sum::<f64>() + self.outside.share();
        }
        self.forget();
    }

    fn bits(&self, card: Card) -> Vec<Bits> {
        self.masks.iter().map(|masks| masks.bits(card.index())).collect()
    }

    /// A single card was judged; a right one is now on the mainline.
    pub fn judged(&mut self, card: Card, right: bool) {
        let bits = self.bits(card);
        self.outside.judged(&bits, right);
        self.keep(|combo| combo.says(&bits) == right);
        if right {
            self.accept(card);
        }
    }

    /// A string was wrong: at least one of its cards, had those before it been right.
    pub fn wrong_string(&mut self, string: &[Card]) {
        if let [card] = string {
            return self.judged(*card, false);
        }
        let length = self.line.len();
        let (memories, masks) = (self.memories.clone(), self.masks.clone());
        let mut said: Vec<Vec<Bits>> = Vec::with_capacity(string.len());
        for &card in string {
            said.push(self.bits(card));
            self.accept(card);
        }
        (self.memories, self.masks) = (memories, masks);
        self.line.truncate(length);
        let wrong = |combo: Combo| said.iter().any(|bits| !combo.says(bits));
        self.outside.see(1.0 - power(0.5, string.len()), wrong);
        self.keep(wrong);
    }

    /// A shown hand was claimed to hold no right card; `forced` is the card put on the mainline if
    /// that was false.
    pub fn claimed(&mut self, hand: CardSet, forced: Option<Card>) {
        match forced {
            None => {
                let masks = std::mem::take(&mut self.masks);
                let none_right = |combo: Combo| combo.right(&masks) & hand.0 == 0;
                // Of rules that accept a third of the cards, so many leave nothing right.
                self.outside.see(power(2.0 / 3.0, hand.len() as usize), none_right);
                self.keep(none_right);
                self.masks = masks;
            }
            Some(card) => self.judged(card, true),
        }
    }

    /// Everything that a turn of the game tells.
    pub fn observe(&mut self, event: &Event) {
        match &event.act {
            Act::Play(cards) if event.right => cards.iter().for_each(|c| self.judged(*c, true)),
            Act::Play(cards) => self.wrong_string(cards),
            Act::NoPlay { hand, forced } => {
                // A false claim that ended the hand before a card was chosen tells little.
                if event.right || forced.is_some() {
                    self.claimed(hand.distinct(), *forced);
                }
            }
        }
    }

    /// How many rules of the grammar still agree.
    pub fn live(&self) -> usize {
        self.live.len()
    }

    /// The share of *none of these*.
    pub fn none_share(&self) -> f64 {
        self.outside.share() / self.total
    }

    /// The accepted cards.
    pub fn line(&self) -> &[Card] {
        &self.line
    }

    /// The chance of each card to be right now.
    pub fn chances(&self) -> [f64; 52] {
        let mut sums = Sums::default();
        // Most rules judge as one of their atoms does here: those are summed by atom first.
        let mut by_atom = vec![0.0; self.masks.len()];
        let full = CardSet::FULL.0;
        for (combo, weight) in self.live.iter().zip(&self.weights) {
            match *combo {
                Combo::One(a) => by_atom[a as usize] += weight,
                Combo::If(c, a, _) if self.masks[c as usize].yes == full => {
                    by_atom[a as usize] += weight;
                }
                Combo::If(c, _, b) if self.masks[c as usize].right == 0 => {
                    by_atom[b as usize] += weight;
                }
                _ => sums.add(combo.right(&self.masks), *weight),
            }
        }
        for (masks, weight) in self.masks.iter().zip(by_atom).filter(|(_, weight)| *weight > 0.0) {
            sums.add(masks.right, weight);
        }
        let mut chances = sums.by_card();
        self.outside.add_chances(&self.masks, &mut chances);
        chances.map(|chance| chance / self.total)
    }

    /// The rules believed most, at most so many, most believed first, with their share of belief.
    pub fn top(&self, most: usize) -> Vec<(Combo, f64)> {
        let mut order: Vec<usize> = (0..self.live.len()).collect();
        let by_weight =
            |a: &usize, b: &usize| self.weights[*b].total_cmp(&self.weights[*a]).then(a.cmp(b));
        if order.len() > most {
            order.select_nth_unstable_by(most.max(1) - 1, by_weight);
            order.truncate(most);
        }
        order.sort_by(by_weight);
        let each = |index| (self.live[index], self.weights[index] / self.total);
        order.into_iter().map(each).collect()
    }

    /// A small picture of the belief: the rules believed most, and of *none of these* the same
    /// number of rules that are nearly right.
    pub fn panel(&self, most: usize) -> Panel {
        let mut near = self.outside.near().to_vec();
        near.sort_by(|a, b| b.1.total_cmp(&a.1));
        near.truncate(most / 4);
        let top = self.top(most);
        let none = self.none_share();
        Panel::new(&self.grammar, &self.memories, &top, &near, none)
    }

    /// The rule to state: the one believed most, with the belief in all rules that judge as it does
    /// from here on, as far as a look ahead at its likely continuations tells them apart.
    pub fn stated(&self) -> Option<Stated> {
        let top = self.top(64);
        let (combo, _) = *top.first()?;
        let here = combo.right(&self.masks);
        let same: Vec<(Combo, f64)> =
            top.into_iter().filter(|(other, _)| other.right(&self.masks) == here).collect();
        let panel = Panel::new(&self.grammar, &self.memories, &same, &[], 0.0);
        let alike = panel.alike_ahead(self.line.len() as u64);
        let belief = alike.iter().map(|&index| same[index].1).sum();
        let alike = alike.into_iter().map(|index| same[index].0).collect();
        let right = CardSet(here);
        Some(Stated { right, rule: self.grammar.rule(combo).ok()?, belief, alike })
    }

    /// A stated rule is not the secret one: it goes, and all that were thought to judge alike.
    pub fn refuted(&mut self, stated: &Stated) {
        self.keep(|combo| !stated.alike.contains(&combo));
    }
}
