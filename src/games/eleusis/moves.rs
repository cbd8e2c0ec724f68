//! The choices of a hand.

use crate::cards::Card;

/// One choice of one seat. A string of cards is laid card by card and then submitted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// Lays a card of the hand down as the next of the string. Where only one card may be played
    /// at a time, it is submitted at once.
    Lay(Card),
    /// Asks for the verdict on the string.
    Submit,
    /// Shows the hand and claims that no card of it is right.
    NoPlay,
    /// The prophet's verdict on the play or claim: right or wrong.
    Judge(bool),
    /// The dealer puts this right card of the shown hand on the mainline.
    Force(Card),
    /// After the own turn: does nothing more.
    Pass,
    /// Becomes prophet.
    Prophesy,
    /// Express: states a rule by its number in the game's [statements](super::Statements).
    Guess(u32),
}
