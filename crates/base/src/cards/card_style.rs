//! How cards are written for people.

use super::{Card, Suit};

/// The signs that a screen may show.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CardStyle {
    /// Suits are signs: `7♥`.
    #[default]
    Symbols,
    /// Suits are letters, as in records: `7H`.
    Ascii,
}

impl CardStyle {
    /// The sign of each suit and its letter.
    const SUITS: [(char, char); 4] = [('♠', 'S'), ('♥', 'H'), ('♦', 'D'), ('♣', 'C')];

    /// A suit.
    pub fn suit(self, suit: Suit) -> char {
        let (sign, letter) = CardStyle::SUITS[suit.index()];
        if self == CardStyle::Symbols { sign } else { letter }
    }

    /// A card.
    pub fn card(self, card: Card) -> String {
        card.to_string().chars().take(1).chain([self.suit(card.suit())]).collect()
    }

    /// Cards with blanks between them; `none` where there are none.
    pub fn cards(self, cards: impl IntoIterator<Item = Card>) -> String {
        let all: Vec<String> = cards.into_iter().map(|card| self.card(card)).collect();
        if all.is_empty() { "none".to_owned() } else { all.join(" ") }
    }

    /// A text in which people may have written signs for suits, with letters for them.
    pub fn plain(text: &str) -> String {
        CardStyle::SUITS
            .iter()
            .fold(text.to_owned(), |text, (sign, letter)| text.replace(*sign, &letter.to_string()))
    }
}
