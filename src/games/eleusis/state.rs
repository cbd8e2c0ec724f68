//! The truth of one hand.

use std::sync::Arc;

use super::{Memory, Public, Rule};
use crate::cards::{Card, CardSet, Counts};
use crate::chance::Stream;
use crate::game::{MAX_SEATS, Seat};

/// The whole truth of one hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// What everyone sees.
    pub public: Public,
    pub(super) hands: [Counts; MAX_SEATS],
    /// The undrawn part of each pool.
    pub(super) undrawn: Vec<Counts>,
    /// The secret rule.
    pub rule: Rule,
    /// What the rule remembers of the mainline.
    pub(super) memory: Memory,
}

impl State {
    /// The cards of a seat.
    pub fn hand(&self, seat: Seat) -> &Counts {
        &self.hands[seat.index()]
    }

    /// The cards that are right now.
    pub fn right(&self) -> CardSet {
        self.rule.right(&self.memory)
    }

    pub(super) fn accept(&mut self, card: Card) {
        self.memory = self.rule.step(&self.memory, card);
        Arc::make_mut(&mut self.public.mainline).push(card);
    }

    /// Whether what is to be judged is right: the string, or the claim that no shown card is.
    pub fn on_the_table_is_right(&self) -> bool {
        match self.public.shown {
            Some(hand) => (self.right() & hand.distinct()).is_empty(),
            None => self.rule.accepts(&self.memory, &self.public.string).is_some(),
        }
    }
}

/// Where drawn cards come from.
pub(super) trait Deck {
    /// Takes one card out of a set that is not empty, for a seat; none for the starter.
    fn draw(&mut self, seat: Option<Seat>, from: &mut Counts) -> Option<Card>;
}

impl Deck for Stream {
    fn draw(&mut self, _: Option<Seat>, from: &mut Counts) -> Option<Card> {
        from.draw(self)
    }
}
