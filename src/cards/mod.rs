//! Playing cards: one card, a set of cards, and the multiset that two mixed decks make.

mod card;
mod pile;
mod set;

pub use card::{Card, ParseCardError, Suit};
pub use pile::Pile;
pub use set::CardSet;
