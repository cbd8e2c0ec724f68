//! Playing cards: cards, sets of cards, and multisets of mixed decks.

mod card;
mod multiset;
mod pile;
mod row;
mod set;
mod shoe;

pub use card::{Card, CardStyle, Suit, spaced};
pub use multiset::CardMultiset;
pub use pile::Pile;
pub use row::{Row, Rows};
pub use set::CardSet;
pub use set::{BYTES, NTH_IN_BYTE};
pub use shoe::Shoe;
