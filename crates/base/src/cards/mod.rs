//! Playing cards: one card, a set of cards, and the multisets that mixed decks make.

mod card;
mod counts;
mod letters;
mod list;
mod pile;
mod row;
mod set;
mod shoe;

pub use card::{Card, Suit, spaced};
pub use counts::Counts;
pub use letters::Letters;
pub use pile::Pile;
pub use row::{Row, Rows};
pub use set::CardSet;
pub use set::{BYTES, NTH_IN_BYTE};
pub use shoe::Shoe;
