//! A multiset of the cards of several decks.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Card, CardSet};
use crate::chance::Stream;

/// How many of each card; more than two decks may be in play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Counts {
    of: [u8; 52],
    total: u16,
}

impl Counts {
    /// No card.
    pub const EMPTY: Counts = Counts { of: [0; 52], total: 0 };

    /// So many whole decks.
    pub const fn decks(decks: u8) -> Counts {
        Counts { of: [decks; 52], total: decks as u16 * 52 }
    }

    /// How many of a card.
    pub const fn count(&self, card: Card) -> u8 {
        self.of[card.index() as usize]
    }

    /// How many cards.
    pub const fn len(&self) -> usize {
        self.total as usize
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// The distinct cards.
    pub fn distinct(&self) -> CardSet {
        (0..52u8).filter(|i| self.of[*i as usize] > 0).map(Card::from_index).collect()
    }

    /// Adds a card.
    pub fn add(&mut self, card: Card) {
        self.of[card.index() as usize] += 1;
        self.total += 1;
    }

    /// Takes a card out; says whether it was there.
    pub fn remove(&mut self, card: Card) -> bool {
        let of = &mut self.of[card.index() as usize];
        let there = *of > 0;
        *of -= u8::from(there);
        self.total -= u16::from(there);
        there
    }

    /// Adds all cards of another.
    pub fn add_all(&mut self, other: &Counts) {
        other.cards().for_each(|card| self.add(card));
    }

    /// The cards that another has not: copies counted.
    #[must_use]
    pub fn minus(&self, other: &Counts) -> Counts {
        let mut left = *self;
        other.cards().for_each(|card| {
            left.remove(card);
        });
        left
    }

    /// Takes out one card drawn uniformly; none if empty.
    pub fn draw(&mut self, chance: &mut Stream) -> Option<Card> {
        if self.total == 0 {
            return None;
        }
        let mut k = chance.below(self.total.into());
        for index in 0..52u8 {
            let here = u32::from(self.of[index as usize]);
            if k < here {
                let card = Card::from_index(index);
                self.remove(card);
                return Some(card);
            }
            k -= here;
        }
        None
    }

    /// The cards in index order, copies side by side.
    pub fn cards(&self) -> impl Iterator<Item = Card> + '_ {
        (0..52u8).flat_map(|index| {
            std::iter::repeat_n(Card::from_index(index), self.of[index as usize].into())
        })
    }
}

impl Default for Counts {
    fn default() -> Counts {
        Counts::EMPTY
    }
}

impl FromIterator<Card> for Counts {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Counts {
        let mut counts = Counts::EMPTY;
        cards.into_iter().for_each(|card| counts.add(card));
        counts
    }
}

impl fmt::Debug for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.cards()).finish()
    }
}

/// A list of the cards, copies side by side.
impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.cards())
    }
}

impl<'de> Deserialize<'de> for Counts {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Counts, D::Error> {
        let mut counts = Counts::EMPTY;
        for card in Vec::<Card>::deserialize(from)? {
            if counts.count(card) == u8::MAX {
                let what = format!("`{card}` is named more than {} times", u8::MAX);
                return Err(serde::de::Error::custom(what));
            }
            counts.add(card);
        }
        Ok(counts)
    }
}

impl schemars::JsonSchema for Counts {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Cards".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<Card>::json_schema(generator)
    }
}
