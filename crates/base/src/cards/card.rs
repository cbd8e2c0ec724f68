//! One card of a 52-card deck.

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
    /// All suits by index.
    pub const ALL: [Suit; 4] = [Suit::Spades, Suit::Hearts, Suit::Diamonds, Suit::Clubs];

    /// 0 spades, 1 hearts, 2 diamonds, 3 clubs.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Hearts and diamonds are red.
    pub const fn is_red(self) -> bool {
        matches!(self, Suit::Hearts | Suit::Diamonds)
    }
}

const RANKS: &[u8; 13] = b"A23456789TJQK";
const SUITS: &[u8; 4] = b"SHDC";

/// A card, written rank then suit: `AS`, `TD`, `KC`.
///
/// The index is `4 × (rank − 1) + suit`, so that the four cards of a rank are one nibble of a
/// [`CardSet`](super::CardSet).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The card of a rank (1 ace … 13 king) and suit.
    ///
    /// # Panics
    /// When the rank is not in 1..=13.
    pub const fn new(rank: u8, suit: Suit) -> Card {
        assert!(rank >= 1 && rank <= 13, "a rank is 1 to 13");
        Card((rank - 1) * 4 + suit as u8)
    }

    /// The card with this index.
    ///
    /// # Panics
    /// When the index is not below 52.
    #[inline]
    pub const fn from_index(index: u8) -> Card {
        assert!(index < 52, "a card index is below 52");
        Card(index)
    }

    /// The card with this index, which is known to be below 52.
    #[inline]
    pub const fn from_low_bits(index: u8) -> Card {
        debug_assert!(index < 52);
        Card(index)
    }

    /// 0..52.
    #[inline]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// 1 ace, 2 … 10, 11 jack, 12 queen, 13 king.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 / 4 + 1
    }

    /// The suit.
    #[inline]
    pub const fn suit(self) -> Suit {
        match self.0 % 4 {
            0 => Suit::Spades,
            1 => Suit::Hearts,
            2 => Suit::Diamonds,
            _ => Suit::Clubs,
        }
    }

    /// Every card once, in index order.
    pub fn all() -> impl Iterator<Item = Card> {
        (0..52).map(Card)
    }
}

/// For each byte: 1 + its place among these letters, 0 for none. Records are full of cards, and a
/// search would be guessed wrong by the processor each time.
const fn places(letters: &[u8]) -> [u8; 256] {
    let mut places = [0; 256];
    let mut at = 0;
    while at < letters.len() {
        places[letters[at] as usize] = at as u8 + 1;
        at += 1;
    }
    places
}

impl Card {
    /// The card whose rank and suit are written so.
    #[inline]
    pub fn of_letters(rank: u8, suit: u8) -> Option<Card> {
        static RANK: [u8; 256] = places(RANKS);
        static SUIT: [u8; 256] = places(SUITS);
        match (RANK[rank as usize], SUIT[suit as usize]) {
            (0, _) | (_, 0) => None,
            (rank, suit) => Some(Card((rank - 1) * 4 + suit - 1)),
        }
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
            let said: String = text.chars().take(20).collect();
            format!(
                "`{said}` is not a card: write rank (A 2 3 4 5 6 7 8 9 T J Q K) then suit (S H D C), \
                 as in TD"
            )
        })
    }
}

/// Cards as text, with spaces between: `7H KS`.
pub fn spaced(cards: &[Card]) -> String {
    cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

crate::files::text::as_text!(Card, "^[A2-9TJQK][SHDC]$");

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
    fn spades_and_clubs_are_black() {
        let red: Vec<bool> = Suit::ALL.iter().map(|s| s.is_red()).collect();
        assert_eq!(red, [false, true, true, false]);
    }
}
