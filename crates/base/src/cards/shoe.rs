//! A pile in a layout for fast draws.

use super::set::{BYTES, NTH_IN_BYTE, bits_up_to_byte};
use super::{Card, Pile};

/// The cards of a pile in a list, in no particular order. A draw costs a few instructions, whereas
/// [`Pile::draw`] must search for a bit, but the list is slow to copy and to compare. It is for a
/// series of draws.
#[derive(Clone)]
pub struct Shoe {
    /// Card indices. The length is a power of two, so that a masked index needs no check.
    cards: [u8; 128],
}

impl Shoe {
    /// Lays out a pile.
    #[inline]
    pub fn of(pile: Pile) -> Shoe {
        let mut shoe = Shoe { cards: [0; 128] };
        let mut from = 0;
        for plane in [pile.once, pile.twice] {
            // A byte of the bitboard becomes up to eight cards at once. Entries beyond its last
            // card are overwritten by the next byte, or lie beyond the end.
            let up_to = bits_up_to_byte(plane);
            let mut next = from;
            for place in (0..56).step_by(8) {
                let byte = (plane >> place) as usize & 0xFF;
                let cards = u64::from_le_bytes(NTH_IN_BYTE[byte]) + place * BYTES;
                if let Some(places) = shoe.cards[next..].first_chunk_mut() {
                    *places = cards.to_le_bytes();
                }
                next = from + (up_to >> place & 0xFF) as usize;
            }
            from = next;
        }
        shoe
    }

    /// Removes and returns the card at `k`, which must be below `len`, the number of cards left.
    #[inline]
    pub fn take(&mut self, k: u32, len: u32) -> Card {
        let k = k as usize & 127;
        let card = self.cards[k];
        self.cards[k] = self.cards[(len - 1) as usize & 127];
        Card::from_low_bits(card)
    }

    /// Returns the `len` cards left.
    #[inline]
    pub fn rest(&self, len: u32) -> Pile {
        self.cards.iter().take(len as usize).map(|&card| Card::from_low_bits(card)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seed;

    #[test]
    fn drawn_and_remaining_cards_make_the_pile() {
        let mut chance = Seed::new(3).stream();
        let mut shoe = Shoe::of(Pile::TWO_DECKS);
        let mut drawn = Pile::EMPTY;
        for len in (0..104).rev() {
            assert!(drawn.add(shoe.take(chance.below(len + 1), len + 1)));
            assert_eq!(drawn.plus(shoe.rest(len)), Pile::TWO_DECKS);
        }
        assert_eq!(drawn, Pile::TWO_DECKS);
    }
}
