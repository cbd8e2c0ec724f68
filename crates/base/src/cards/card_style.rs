//! Cards as text for people.

use super::{Card, Suit};

/// The style in which suits are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CardStyle {
    /// Symbols: `7♥`.
    #[default]
    Symbols,
    /// Letters, as in records: `7H`.
    Ascii,
}

impl CardStyle {
    /// The symbol and the letter of each suit.
    const SUITS: [(char, char); 4] = [('♠', 'S'), ('♥', 'H'), ('♦', 'D'), ('♣', 'C')];

    /// Returns a suit as text.
    pub fn suit(self, suit: Suit) -> char {
        let (sign, letter) = CardStyle::SUITS[suit.index()];
        if self == CardStyle::Symbols { sign } else { letter }
    }

    /// Returns a card as text.
    pub fn card(self, card: Card) -> String {
        card.to_string().chars().take(1).chain([self.suit(card.suit())]).collect()
    }

    /// Joins cards with spaces; returns `none` if there are none.
    pub fn cards(self, cards: impl IntoIterator<Item = Card>) -> String {
        let all: Vec<String> = cards.into_iter().map(|card| self.card(card)).collect();
        if all.is_empty() { "none".to_owned() } else { all.join(" ") }
    }

    /// Replaces suit symbols by letters.
    pub fn plain(text: &str) -> String {
        CardStyle::SUITS
            .iter()
            .fold(text.to_owned(), |text, (sign, letter)| text.replace(*sign, &letter.to_string()))
    }
}
