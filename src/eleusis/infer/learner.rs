//! Belief, and how it changes.

use std::sync::Arc;

use super::{Combo, Grammar, Masks};
use crate::cards::{Card, CardSet};
use crate::eleusis::public::{Act, Event};
use crate::eleusis::rule::{Memory, Rule, compare_from};

/// The rule believed most.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Best {
    /// The rule.
    pub combo: Combo,
    /// Its share of all belief.
    pub belief: f64,
}

/// Belief about the secret rule.
///
/// A rule of the grammar either agrees with what was judged or is gone. *None of these* stands for
/// all other rules: it gives each verdict a chance of one half, so its share falls while rules of
/// the grammar agree and is all there is when none does.
#[derive(Clone, Debug)]
pub struct Learner {
    grammar: Arc<Grammar>,
    /// What each atom remembers of the mainline, and says now.
    memories: Vec<Memory>,
    pub(super) masks: Vec<Masks>,
    pub(super) live: Vec<Combo>,
    weights: Vec<f64>,
    none: f64,
    pub(super) line: Vec<Card>,
}

/// The share of belief that *none of these* starts with.
pub const NONE_SHARE: f64 = 0.1;

/// How many of the rules believed most are looked at for those that judge alike from here on.
pub const LOOKED_AT: usize = 64;

impl Learner {
    /// Belief before anything is judged, with the starter on the table.
    pub fn new(grammar: Arc<Grammar>, starter: Card) -> Learner {
        let memories: Vec<Memory> =
            grammar.atoms().iter().map(|atom| atom.step(&Memory::default(), starter)).collect();
        let mut learner = Learner {
            live: grammar.combos().to_vec(),
            weights: grammar.priors().iter().map(|prior| prior * (1.0 - NONE_SHARE)).collect(),
            none: NONE_SHARE,
            masks: Vec::new(),
            line: vec![starter],
            memories,
            grammar,
        };
        learner.look();
        learner
    }

    fn look(&mut self) {
        let each = self.grammar.atoms().iter().zip(&self.memories);
        self.masks.clear();
        self.masks.extend(each.map(|(atom, memory)| Masks::of(atom, memory)));
    }

    fn accept(&mut self, card: Card) {
        for (atom, memory) in self.grammar.atoms().iter().zip(&mut self.memories) {
            *memory = atom.step(memory, card);
        }
        self.line.push(card);
        self.look();
    }

    /// Keeps the rules whose right cards pass; `surprise` is the chance that *none of these* gave
    /// to what was seen.
    fn keep(&mut self, surprise: f64, passes: impl Fn(u64) -> bool) {
        let masks = &self.masks;
        let mut kept = 0;
        for index in 0..self.live.len() {
            let combo = self.live[index];
            if passes(combo.right(masks)) {
                self.live[kept] = combo;
                self.weights[kept] = self.weights[index];
                kept += 1;
            }
        }
        self.live.truncate(kept);
        self.weights.truncate(kept);
        self.none *= surprise;
        self.normalize();
    }

    fn normalize(&mut self) {
        let total = self.none + self.weights.iter().sum::<f64>();
        if total > 0.0 && total < 1e-200 || !total.is_normal() {
            // Only *none of these* is left, and it was scaled away.
            self.none = 1.0;
            return;
        }
        self.none /= total;
        self.weights.iter_mut().for_each(|weight| *weight /= total);
    }

    /// A single card was judged; a right one is now on the mainline.
    pub fn judged(&mut self, card: Card, right: bool) {
        self.keep(0.5, |mask| (mask >> card.index() & 1 == 1) == right);
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
        let mut all_right = vec![true; self.live.len()];
        let (memories, masks) = (self.memories.clone(), self.masks.clone());
        for &card in string {
            for (still, combo) in all_right.iter_mut().zip(&self.live) {
                *still &= combo.right(&self.masks) >> card.index() & 1 == 1;
            }
            self.accept(card);
        }
        (self.memories, self.masks) = (memories, masks);
        self.line.truncate(length);
        let mut gone = all_right.iter();
        self.live.retain(|_| !gone.next().copied().unwrap_or(false));
        let mut gone = all_right.iter();
        self.weights.retain(|_| !gone.next().copied().unwrap_or(false));
        self.none *= 1.0 - 0.5f64.powi(string.len() as i32);
        self.normalize();
    }

    /// A shown hand was claimed to hold no right card; `forced` is the card put on the mainline if
    /// that was false.
    pub fn claimed(&mut self, hand: CardSet, forced: Option<Card>) {
        match forced {
            None => {
                let surprise = 0.5f64.powi(hand.len() as i32).max(1e-3);
                self.keep(surprise, |mask| mask & hand.0 == 0);
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
        self.none
    }

    /// The chance of each card to be right now. What *none of these* adds is one half.
    pub fn chances(&self) -> [f64; 52] {
        let mut chances = [self.none / 2.0; 52];
        for (combo, weight) in self.live.iter().zip(&self.weights) {
            for card in CardSet(combo.right(&self.masks)) {
                chances[card.index() as usize] += weight;
            }
        }
        chances
    }

    /// The rule believed most, if any is left.
    pub fn best(&self) -> Option<Best> {
        let heaviest = self.weights.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
        heaviest.map(|(index, belief)| Best { combo: self.live[index], belief: *belief })
    }

    /// The rule to state: the one believed most, with the belief in all rules that judge as it does
    /// from here on, as far as they are among the [`LOOKED_AT`] believed most.
    pub fn stated(&self) -> Option<(Rule, f64)> {
        let mut order: Vec<usize> = (0..self.live.len()).collect();
        let by_weight = |a: &usize, b: &usize| self.weights[*b].total_cmp(&self.weights[*a]);
        if order.len() > LOOKED_AT {
            order.select_nth_unstable_by(LOOKED_AT - 1, by_weight);
            order.truncate(LOOKED_AT);
        }
        order.sort_by(by_weight);
        let (first, rest) = order.split_first()?;
        let combo = self.live[*first];
        let rule = self.grammar.rule(combo).ok()?;
        let memory = rule.after(&self.line);
        let mut belief = self.weights[*first];
        for &index in rest {
            let other = self.live[index];
            if other.right(&self.masks) != combo.right(&self.masks) {
                continue;
            }
            let Ok(other) = self.grammar.rule(other) else { continue };
            if compare_from(&rule, &other, &memory, &other.after(&self.line)).alike() {
                belief += self.weights[index];
            }
        }
        Some((rule, belief))
    }
}
