//! A set of cards as a bitboard.

use std::fmt;
use std::ops::BitAnd;

use super::Card;
use crate::chance::Stream;

/// A set of distinct cards: bit `i` stands for the card with index `i`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct CardSet(pub u64);

impl CardSet {
    /// The empty set.
    pub const EMPTY: CardSet = CardSet(0);
    /// All 52 cards.
    pub const FULL: CardSet = CardSet((1 << 52) - 1);

    /// Returns the four cards of a rank (1 to 13).
    pub const fn rank(rank: u8) -> CardSet {
        CardSet(0xF << (4 * (rank - 1)))
    }

    /// Returns `true` if the card is in the set.
    #[inline]
    pub const fn has(self, card: Card) -> bool {
        self.0 >> card.index() & 1 == 1
    }

    /// Returns the set with a card added.
    #[inline]
    pub const fn with(self, card: Card) -> CardSet {
        CardSet(self.0 | 1 << card.index())
    }

    /// Returns the set with a card removed.
    #[inline]
    pub const fn without(self, card: Card) -> CardSet {
        CardSet(self.0 & !(1 << card.index()))
    }

    /// Returns the number of cards.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns `true` if the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns a uniformly random card.
    #[inline]
    pub fn pick(mut self, chance: &mut Stream) -> Option<Card> {
        self.nth(chance.below(self.len().max(1)) as usize)
    }
}

impl BitAnd for CardSet {
    type Output = CardSet;

    #[inline]
    fn bitand(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }
}

impl Iterator for CardSet {
    type Item = Card;

    /// Removes and returns the card with the lowest index.
    #[inline]
    fn next(&mut self) -> Option<Card> {
        if self.0 == 0 {
            return None;
        }
        let index = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(Card::from_low_bits(index))
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        cards.into_iter().fold(CardSet::EMPTY, CardSet::with)
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(*self).finish()
    }
}

/// The place of the `k`-th set bit of each byte, for each `k` below its bit count.
pub const NTH_IN_BYTE: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut k) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][k] = bit as u8;
                k += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The lowest bit of each byte.
pub const BYTES: u64 = 0x0101_0101_0101_0101;

/// Returns the number of set bits up to and including each byte, in that byte. The top byte is the
/// total.
#[inline]
pub const fn bits_up_to_byte(word: u64) -> u64 {
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0F0F_0F0F_0F0F_0F0F;
    bytes.wrapping_mul(BYTES)
}

/// Returns the place of the `k`-th set bit (from 0) of a word, given its [`bits_up_to_byte`].
///
/// A baseline processor has neither a bit count nor a bit select; this is the SWAR method (Vigna,
/// *Broadword implementation of rank/select queries*, 2008).
#[inline]
pub fn nth_bit(word: u64, up_to: u64, k: u32) -> u32 {
    // The lowest byte whose running count exceeds k: all running counts stay below 128.
    let above = (up_to | (0x80 * BYTES)) - BYTES * (k as u64 + 1);
    let place = (above & (0x80 * BYTES)).trailing_zeros() & 56;
    let before = (up_to << 8) >> place & 0xFF;
    let byte = (word >> place & 0xFF) as usize;
    place + NTH_IN_BYTE[byte][(k as usize - before as usize) & 7] as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::cases::cases;

    #[test]
    fn nth_bit_matches_iteration() {
        for mut chance in cases("the nth bit is the nth bit", 256) {
            let word = chance.bits() & CardSet::FULL.0;
            let up_to = bits_up_to_byte(word);
            assert_eq!((up_to >> 56) as u32, word.count_ones());
            for (k, card) in CardSet(word).enumerate() {
                assert_eq!(nth_bit(word, up_to, k as u32), card.index() as u32, "{word:x}");
            }
        }
    }

    #[test]
    fn rank_sets_hold_four_cards() {
        for rank in 1..=13 {
            assert!(CardSet::rank(rank).all(|card| card.rank() == rank));
            assert_eq!(CardSet::rank(rank).len(), 4);
        }
    }
}
