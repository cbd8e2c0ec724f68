//! The order in which a random stream draws the cards of two decks.

use super::pile::MANY;
use super::{Card, CardSet, Pile};
use crate::chance::Stream;

/// The number of cards, rounded up to a power of two, so that a masked index needs no check.
const PLACES: usize = 128;

/// All 104 cards of two decks in the order in which [`Pile::draw`] takes them with one stream. The
/// players do not affect it, so hands that start from one stream share a row.
#[derive(Clone, Debug)]
pub struct Row {
    start: Stream,
    /// The card that is drawn when this number of cards is left, including itself.
    cards: [Card; PLACES],
}

impl Row {
    /// Draws all cards.
    fn new(start: &Stream) -> Row {
        let mut row = Row { start: start.clone(), cards: [Card::from_index(0); PLACES] };
        let mut stream = start.clone();
        let mut pile = row.draw_while_many(&mut stream);
        for len in (1..MANY).rev() {
            row.cards[len as usize] = pile.draw_here(len, &mut stream);
        }
        row
    }

    /// Draws as [`Pile::draw`] does while there are at least [`MANY`] cards, from a table instead
    /// of bitboards. Returns the rest.
    fn draw_while_many(&mut self, stream: &mut Stream) -> Pile {
        // The pile's bitboards, a byte per place: single cards, then doubled ones.
        let mut places = BOTH_DECKS;
        // A counted loop with masks: a range and bounds checks would cost time.
        let mut len = 104;
        while len >= MANY {
            let index = try_places(&places, stream);
            // The second of two copies becomes the first.
            places[index] = std::mem::take(&mut places[index + 64]);
            self.cards[len as usize & (PLACES - 1)] = Card::from_low_bits(index as u8);
            len -= 1;
        }
        let (once, twice) = places.split_at(64);
        Pile { once: gather(once), twice: gather(twice) }
    }

    /// Returns the card that is drawn when `len` cards are left, including itself.
    #[inline(always)]
    pub fn card(&self, len: u8) -> Card {
        self.cards[usize::from(len) & (PLACES - 1)]
    }

    /// Returns the last `len` cards.
    #[inline]
    pub fn left(&self, len: u8) -> Pile {
        (1..=len).map(|len| self.card(len)).collect()
    }
}

/// The places of all cards, a byte each.
const BOTH_DECKS: [u8; PLACES] = {
    let mut places = [0; PLACES];
    let mut index = 0;
    while index < PLACES {
        places[index] = (CardSet::FULL.0 >> (index % 64) & 1) as u8;
        index += 1;
    }
    places
};

/// Packs bytes of 0 or 1 into bits.
#[inline(always)]
fn gather(bytes: &[u8]) -> u64 {
    // The product collects the lowest bits of eight bytes in the highest byte.
    let eight =
        |word: &[u8; 8]| u64::from_le_bytes(*word).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    bytes.as_chunks::<8>().0.iter().rev().fold(0, |bits, word| bits << 8 | eight(word))
}

/// Returns the index of the first occupied place that the stream names, by 7 bits each.
#[inline(always)]
fn try_places(places: &[u8; PLACES], stream: &mut Stream) -> usize {
    loop {
        let mut bits = stream.bits();
        for _ in 0..9 {
            let place = bits as usize & (PLACES - 1);
            if places[place] != 0 {
                return place & 63;
            }
            bits >>= 7;
        }
    }
}

/// The number of cached rows: enough for the hands of a usual match.
const KEPT: usize = 8;

/// A cache of the rows drawn last, one per stream.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    rows: Vec<Row>,
    /// The row to replace next.
    oldest: usize,
}

impl Rows {
    /// Returns the row of a stream.
    #[inline]
    pub fn of(&mut self, start: &Stream) -> &Row {
        let found = self.rows.iter().position(|row| row.start == *start);
        let index = found.unwrap_or_else(|| self.draw(start));
        &self.rows[index]
    }

    /// Draws a row, replacing the oldest if the cache is full. Returns its index.
    fn draw(&mut self, start: &Stream) -> usize {
        let row = Row::new(start);
        if self.rows.len() < KEPT {
            self.rows.push(row);
            return self.rows.len() - 1;
        }
        let index = self.oldest;
        self.oldest = (index + 1) % KEPT;
        self.rows[index] = row;
        index
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seed;

    #[test]
    fn rows_match_draws_from_a_pile() {
        let mut rows = Rows::default();
        // Each row is requested again while it is cached, and after it was replaced.
        for number in (0..40).flat_map(|n| [n, n / 2, n % 5]) {
            let start = Seed::new(number).stream();
            let row = rows.of(&start);
            let (mut stream, mut pile) = (start, Pile::TWO_DECKS);
            for len in (1..=104u8).rev() {
                assert_eq!(row.left(len), pile);
                assert_eq!(row.card(len), pile.draw(u32::from(len), &mut stream));
            }
        }
        assert_eq!(rows.rows.len(), KEPT);
    }
}
