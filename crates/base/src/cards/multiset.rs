//! A multiset of cards from any number of decks.

use super::list::as_list;
use super::{Card, CardSet};
use crate::chance::Stream;

/// A multiset of cards from any number of decks, as the number of copies of each card; see
/// [`Pile`](super::Pile) for two decks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CardMultiset([u8; 52]);

impl Default for CardMultiset {
    fn default() -> CardMultiset {
        CardMultiset::EMPTY
    }
}

impl CardMultiset {
    /// The empty multiset.
    pub const EMPTY: CardMultiset = CardMultiset([0; 52]);

    /// Returns whole decks.
    pub const fn decks(decks: u8) -> CardMultiset {
        CardMultiset([decks; 52])
    }

    /// Returns the number of copies of a card.
    pub const fn count(&self, card: Card) -> u8 {
        self.0[card.index() as usize]
    }

    /// Returns the number of cards.
    pub fn len(&self) -> usize {
        self.0.iter().map(|copies| usize::from(*copies)).sum()
    }

    /// Returns `true` if there are no cards.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 52]
    }

    /// Returns the distinct cards.
    pub fn distinct(&self) -> CardSet {
        Card::all().filter(|card| self.count(*card) > 0).collect()
    }

    /// Adds a card. Returns `false` if there was no room.
    pub fn add(&mut self, card: Card) -> bool {
        let copies = &mut self.0[card.index() as usize];
        let more = copies.checked_add(1);
        *copies = more.unwrap_or(*copies);
        more.is_some()
    }

    /// Removes a card. Returns `false` if it was not there.
    pub fn remove(&mut self, card: Card) -> bool {
        let copies = &mut self.0[card.index() as usize];
        let fewer = copies.checked_sub(1);
        *copies = fewer.unwrap_or(0);
        fewer.is_some()
    }

    /// Adds all cards of another multiset.
    pub fn add_all(&mut self, other: &CardMultiset) {
        self.0.iter_mut().zip(other.0).for_each(|(own, more)| *own = own.saturating_add(more));
    }

    /// Returns the difference, by copies.
    #[must_use]
    pub fn minus(&self, other: &CardMultiset) -> CardMultiset {
        CardMultiset(std::array::from_fn(|index| self.0[index].saturating_sub(other.0[index])))
    }

    /// Draws a uniformly random card; `None` if there is none.
    pub fn draw(&mut self, chance: &mut Stream) -> Option<Card> {
        let k = (!self.is_empty()).then(|| chance.below(self.len() as u32))?;
        let card = self.cards().nth(k as usize)?;
        self.remove(card);
        Some(card)
    }

    /// Returns the cards in index order, copies adjacent.
    pub fn cards(&self) -> impl Iterator<Item = Card> + '_ {
        Card::all().flat_map(|card| std::iter::repeat_n(card, self.count(card).into()))
    }
}

as_list!(CardMultiset, "Cards", "255 times");
