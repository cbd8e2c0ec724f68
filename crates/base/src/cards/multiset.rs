//! A multiset of cards from any number of decks.

use super::list::as_list;
use super::{Card, CardSet};
use crate::chance::Stream;

/// A multiset of cards from any number of decks; see [`Pile`](super::Pile) for two.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CardMultiset {
    of: [u8; 52],
    total: u16,
}

impl Default for CardMultiset {
    fn default() -> CardMultiset {
        CardMultiset::EMPTY
    }
}

impl CardMultiset {
    /// The empty multiset.
    pub const EMPTY: CardMultiset = CardMultiset { of: [0; 52], total: 0 };

    /// Returns whole decks.
    pub const fn decks(decks: u8) -> CardMultiset {
        CardMultiset { of: [decks; 52], total: decks as u16 * 52 }
    }

    /// Returns the number of copies of a card.
    pub const fn count(&self, card: Card) -> u8 {
        self.of[card.index() as usize]
    }

    /// Returns the number of cards.
    pub const fn len(&self) -> usize {
        self.total as usize
    }

    /// Returns `true` if there are no cards.
    pub const fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// Returns the distinct cards.
    pub fn distinct(&self) -> CardSet {
        (0..52u8).filter(|i| self.of[*i as usize] > 0).map(Card::from_index).collect()
    }

    /// Adds a card. Returns `false` if there was no room.
    pub fn add(&mut self, card: Card) -> bool {
        let of = &mut self.of[card.index() as usize];
        let room = *of < u8::MAX;
        *of += u8::from(room);
        self.total += u16::from(room);
        room
    }

    /// Removes a card. Returns `false` if it was not there.
    pub fn remove(&mut self, card: Card) -> bool {
        let of = &mut self.of[card.index() as usize];
        let there = *of > 0;
        *of -= u8::from(there);
        self.total -= u16::from(there);
        there
    }

    /// Adds all cards of another multiset.
    pub fn add_all(&mut self, other: &CardMultiset) {
        for card in other.cards() {
            self.add(card);
        }
    }

    /// Returns the difference, by copies.
    #[must_use]
    pub fn minus(&self, other: &CardMultiset) -> CardMultiset {
        let mut left = *self;
        for card in other.cards() {
            left.remove(card);
        }
        left
    }

    /// Draws a uniformly random card; `None` if there is none.
    pub fn draw(&mut self, chance: &mut Stream) -> Option<Card> {
        let k = (!self.is_empty()).then(|| chance.below(self.total.into()))?;
        let card = self.cards().nth(k as usize)?;
        self.remove(card);
        Some(card)
    }

    /// Returns the cards in index order, copies adjacent.
    pub fn cards(&self) -> impl Iterator<Item = Card> + '_ {
        (0..52u8).flat_map(|index| {
            std::iter::repeat_n(Card::from_index(index), self.of[index as usize].into())
        })
    }
}

as_list!(CardMultiset, "Cards", "255 times");
