//! A multiset of the cards of two decks.

use super::multiset::as_list;
use super::set::{bits_up_to_byte, nth_bit};
use super::{Card, CardSet};
use crate::chance::Stream;

/// A multiset with at most two of each card, as two bitboards: the cards held at least once, and
/// those held twice. Order is not kept: a card from [`Pile::draw`] is equivalent to the top of a
/// shuffled deck.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Pile {
    pub(super) once: u64,
    pub(super) twice: u64,
}

/// The number of cards from which a draw tries random places.
pub(super) const MANY: u32 = 16;

impl Pile {
    /// The empty pile.
    pub const EMPTY: Pile = Pile { once: 0, twice: 0 };
    /// One deck: 52 cards.
    pub const ONE_DECK: Pile = Pile { once: CardSet::FULL.0, twice: 0 };
    /// Two decks: 104 cards.
    pub const TWO_DECKS: Pile = Pile { once: CardSet::FULL.0, twice: CardSet::FULL.0 };

    /// Returns the distinct cards.
    #[inline]
    pub const fn distinct(self) -> CardSet {
        CardSet(self.once)
    }

    /// Returns the cards held twice.
    #[inline]
    pub const fn doubled(self) -> CardSet {
        CardSet(self.twice)
    }

    /// Returns the number of cards, by copies.
    #[inline]
    pub const fn len(self) -> u32 {
        self.once.count_ones() + self.twice.count_ones()
    }

    /// Returns `true` if there are no cards.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.once == 0
    }

    /// Returns the number of copies of a card: 0, 1 or 2.
    #[inline]
    pub const fn count(self, card: Card) -> u32 {
        ((self.once >> card.index() & 1) + (self.twice >> card.index() & 1)) as u32
    }

    /// Adds a copy. Returns `false` if there were two already.
    #[inline]
    pub const fn add(&mut self, card: Card) -> bool {
        let bit = 1 << card.index();
        let room = self.twice & bit == 0;
        self.twice |= self.once & bit;
        self.once |= bit;
        room
    }

    /// Removes a copy. Returns `false` if there was none.
    #[inline]
    pub const fn remove(&mut self, card: Card) -> bool {
        let bit = 1 << card.index();
        let there = self.once & bit != 0;
        let second = self.twice & bit;
        self.twice ^= second;
        self.once &= !bit | second;
        there
    }

    /// Returns the union of both piles. No card may exceed two copies.
    #[inline]
    pub const fn plus(self, other: Pile) -> Pile {
        Pile {
            once: self.once | other.once,
            twice: self.twice | other.twice | (self.once & other.once),
        }
    }

    /// Returns the pile without the cards of another, which must be contained in it.
    #[inline]
    pub const fn minus(self, other: Pile) -> Pile {
        // Copies left: 2−0, 2−1, 1−0 leave some; only 2−0 leaves two.
        Pile {
            once: (self.once & !other.once) | (self.twice & !other.twice),
            twice: self.twice & !other.once,
        }
    }

    /// Draws a uniformly random card; `len` must be the number of cards and not 0.
    #[inline]
    pub fn draw(&mut self, len: u32, chance: &mut Stream) -> Card {
        self.draw_here(len, chance)
    }

    /// [`draw`](Pile::draw) for a loop of draws, inlined.
    #[inline(always)]
    pub(super) fn draw_here(&mut self, len: u32, chance: &mut Stream) -> Card {
        debug_assert_eq!(len, self.len());
        // In a big pile most places have a card, so trying random places is fastest.
        if len >= MANY {
            loop {
                let mut bits = chance.bits();
                for _ in 0..9 {
                    let (index, second) = (bits as u32 & 63, bits & 64 != 0);
                    let plane = if second { self.twice } else { self.once };
                    if plane >> index & 1 == 1 {
                        return self.take(index, second);
                    }
                    bits >>= 7;
                }
            }
        }
        let k = chance.below(len);
        let up_to = bits_up_to_byte(self.once);
        let distinct = (up_to >> 56) as u32;
        if k < distinct {
            self.take(nth_bit(self.once, up_to, k) & 63, false)
        } else {
            let up_to = bits_up_to_byte(self.twice);
            self.take(nth_bit(self.twice, up_to, k - distinct) & 63, true)
        }
    }

    /// Removes the first or the second copy of a card. If it is the first of two, the second
    /// becomes the first.
    #[inline]
    fn take(&mut self, index: u32, second: bool) -> Card {
        let bit = 1 << index;
        let doubled = self.twice & bit;
        self.twice ^= doubled;
        if !second {
            self.once ^= doubled ^ bit;
        }
        Card::from_low_bits(index as u8)
    }

    /// Returns the cards in index order, copies adjacent.
    pub fn cards(self) -> impl Iterator<Item = Card> {
        self.distinct().flat_map(move |card| std::iter::repeat_n(card, self.count(card) as usize))
    }
}

as_list!(Pile, "Pile", "twice; there are two decks");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::cases::cases;
    use crate::chance::{Seed, Stream};

    fn pile(chance: &mut Stream) -> Pile {
        let (a, b) = (chance.bits(), chance.bits());
        Pile { once: a & CardSet::FULL.0, twice: a & b & CardSet::FULL.0 }
    }

    #[test]
    fn counts_follow_adding_and_removing() {
        for mut chance in cases("counts follow adding and removing", 256) {
            let start = pile(&mut chance);
            let card = Card::from_index(chance.below(52) as u8);
            let mut pile = start;
            let before = pile.count(card);
            assert_eq!(pile.add(card), before < 2);
            assert_eq!(pile.count(card), (before + 1).min(2));
            assert!(pile.remove(card), "{start:?} {card}");
            if before < 2 {
                assert_eq!(pile, start);
            }
            assert_eq!(pile.cards().count() as u32, pile.len());
        }
    }

    #[test]
    fn minus_undoes_plus() {
        for mut chance in cases("minus undoes plus", 256) {
            let part = pile(&mut chance);
            let rest = Pile::TWO_DECKS.minus(part);
            assert_eq!(rest.len() + part.len(), 104);
            assert_eq!(rest.plus(part), Pile::TWO_DECKS);
            assert_eq!(Pile::TWO_DECKS.minus(rest), part);
        }
    }

    #[test]
    fn draws_are_uniform_over_copies() {
        // Two of one card and one of another: two thirds against one third.
        let start: Pile = ["AS", "AS", "KC"].iter().map(|c| c.parse().unwrap()).collect();
        let mut chance = Seed::new(1).stream();
        let aces = (0..30_000).filter(|_| { start }.draw(3, &mut chance).rank() == 1).count();
        assert!((19_600..20_400).contains(&aces), "{aces}");
    }

    #[test]
    fn draws_from_a_big_pile_are_uniform_over_copies() {
        let mut start = Pile::TWO_DECKS;
        (0..26).for_each(|index| _ = start.remove(Card::from_index(index)));
        let mut chance = Seed::new(4).stream();
        let singles = (0..30_000).filter(|_| { start }.draw(78, &mut chance).index() < 26).count();
        assert!((9_700..10_300).contains(&singles), "{singles}");
    }

    #[test]
    fn drawing_everything_gives_two_decks() {
        let mut chance = Seed::new(2).stream();
        let mut pile = Pile::TWO_DECKS;
        let drawn: Pile = (1..=104).rev().map(|n| pile.draw(n, &mut chance)).collect();
        assert_eq!(drawn, Pile::TWO_DECKS);
        assert!(pile.is_empty());
    }
}
