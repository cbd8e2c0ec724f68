//! One card of a 52-card deck, and cards as text for people.

use std::fmt;
use std::str::FromStr;

/// The four suits, in the order of their index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Suit {
    /// Black.
    Spades,
    /// Red.
    Hearts,
    /// Red.
    Diamonds,
    /// Black.
    Clubs,
}

impl Suit {
    /// All suits, by index.
    pub const ALL: [Suit; 4] = [Suit::Spades, Suit::Hearts, Suit::Diamonds, Suit::Clubs];

    /// Returns 0 for spades, 1 for hearts, 2 for diamonds, 3 for clubs.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns `true` for hearts and diamonds.
    pub const fn is_red(self) -> bool {
        matches!(self, Suit::Hearts | Suit::Diamonds)
    }
}

const RANKS: &[u8; 13] = b"A23456789TJQK";
const SUITS: &[u8; 4] = b"SHDC";

/// A card, written rank then suit: `AS`, `TD`, `KC`.
///
/// The index is `4 × (rank − 1) + suit`, so the four cards of a rank are one nibble of a
/// [`CardSet`](super::CardSet).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// Creates a card from its rank (1 ace … 13 king) and suit.
    ///
    /// # Panics
    /// If the rank is not in 1..=13.
    pub const fn new(rank: u8, suit: Suit) -> Card {
        assert!(rank >= 1 && rank <= 13, "a rank is 1 to 13");
        Card((rank - 1) * 4 + suit as u8)
    }

    /// Returns the card with this index.
    ///
    /// # Panics
    /// If the index is not below 52.
    #[inline]
    pub const fn from_index(index: u8) -> Card {
        assert!(index < 52, "a card index is below 52");
        Card(index)
    }

    /// Returns the card with this index, which must be below 52.
    #[inline]
    pub const fn from_low_bits(index: u8) -> Card {
        debug_assert!(index < 52);
        Card(index)
    }

    /// Returns the index, in 0..52.
    #[inline]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Returns the rank: 1 ace, 2 … 10, 11 jack, 12 queen, 13 king.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 / 4 + 1
    }

    /// Returns the suit.
    #[inline]
    pub const fn suit(self) -> Suit {
        match self.0 % 4 {
            0 => Suit::Spades,
            1 => Suit::Hearts,
            2 => Suit::Diamonds,
            _ => Suit::Clubs,
        }
    }

    /// Returns all 52 cards, in index order.
    pub fn all() -> impl Iterator<Item = Card> {
        (0..52).map(Card)
    }

    /// Returns the card with these letters for rank and suit.
    #[inline]
    pub fn of_letters(rank: u8, suit: u8) -> Option<Card> {
        let rank = RANKS.iter().position(|letter| *letter == rank)?;
        let suit = SUITS.iter().position(|letter| *letter == suit)?;
        Some(Card((4 * rank + suit) as u8))
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = [RANKS[self.0 as usize / 4], SUITS[self.0 as usize % 4]];
        f.pad(std::str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

impl FromStr for Card {
    type Err = String;

    fn from_str(text: &str) -> Result<Card, String> {
        let card = match *text.as_bytes() {
            [rank, suit] => Card::of_letters(rank, suit),
            _ => None,
        };
        card.ok_or_else(|| {
            let shown: String = text.chars().take(20).collect();
            format!(
                "`{shown}` is not a card: write rank (A 2 3 4 5 6 7 8 9 T J Q K) then suit (S H D C), \
                 as in TD"
            )
        })
    }
}

/// Joins cards with spaces: `7H KS`.
pub fn spaced(cards: &[Card]) -> String {
    cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

crate::files::text::as_text!(Card, "^[A2-9TJQK][SHDC]$");

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_index_agree_for_every_card() {
        for card in Card::all() {
            assert_eq!(card.to_string().parse::<Card>(), Ok(card));
            assert_eq!(Card::new(card.rank(), card.suit()), card);
        }
        assert_eq!("TD".parse::<Card>().unwrap().rank(), 10);
        assert_eq!("AS".parse::<Card>().unwrap().index(), 0);
        assert_eq!("KC".parse::<Card>().unwrap().index(), 51);
    }

    #[test]
    fn other_text_is_refused() {
        for text in ["", "A", "1S", "10S", "as", "AX", "ASS", "Ä"] {
            assert!(text.parse::<Card>().is_err(), "{text}");
        }
    }

    #[test]
    fn hearts_and_diamonds_are_red() {
        let red: Vec<bool> = Suit::ALL.iter().map(|s| s.is_red()).collect();
        assert_eq!(red, [false, true, true, false]);
    }
}
