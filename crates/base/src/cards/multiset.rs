//! A multiset of cards from any number of decks, and multisets as lists in JSON.

use super::{Card, CardSet};
use crate::chance::Stream;

/// Implements `FromIterator`, `Debug`, serde and JSON Schema for a multiset, as the list of its
/// cards with copies adjacent. The type has `EMPTY`, `cards` and `add`, which returns `false` if
/// there is no room; `$most` describes that limit.
macro_rules! as_list {
    ($type:ident, $schema:literal, $most:literal) => {
        impl FromIterator<Card> for $type {
            fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> $type {
                let mut all = $type::EMPTY;
                cards.into_iter().for_each(|card| _ = all.add(card));
                all
            }
        }

        impl std::fmt::Debug for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_list().entries(self.cards()).finish()
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_seq(self.cards())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                let mut all = $type::EMPTY;
                let over = Vec::<Card>::deserialize(from)?.into_iter().find(|card| !all.add(*card));
                let what = |card| format!(concat!("`{}` is named more than ", $most), card);
                over.map_or(Ok(all), |card| Err(serde::de::Error::custom(what(card))))
            }
        }

        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                $schema.into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                Vec::<Card>::json_schema(generator)
            }
        }
    };
}
pub(super) use as_list;

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
