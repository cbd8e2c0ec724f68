//! The order in which a random stream draws the cards of two decks.

use super::{Card, Pile};
use crate::chance::Stream;

/// The number of cards, rounded up to a power of two, so that a masked index needs no check.
const PLACES: usize = 128;

/// The number of cards that are drawn at once.
const BATCH: u8 = 8;

/// The 104 cards of two decks in the order in which [`Pile::draw`] takes them with one stream,
/// drawn as far as they are needed. The players do not affect it, so hands that start from one
/// stream share a row.
#[derive(Clone, Debug)]
pub struct Row {
    start: Stream,
    stream: Stream,
    /// The cards that are not drawn yet, and their number.
    rest: Pile,
    rest_len: u8,
    /// The card that is drawn when this number of cards is left, including itself.
    cards: [Card; PLACES],
}

impl Row {
    fn new(start: &Stream) -> Row {
        let (start, stream) = (start.clone(), start.clone());
        let cards = [Card::from_index(0); PLACES];
        Row { start, stream, rest: Pile::TWO_DECKS, rest_len: 104, cards }
    }

    /// Returns the card that is drawn when `len` cards are left, including itself.
    #[inline(always)]
    pub fn card(&mut self, len: u8) -> Card {
        if len <= self.rest_len {
            self.draw_to(len);
        }
        self.cards[usize::from(len) & (PLACES - 1)]
    }

    /// Draws the card for `len`, and some more.
    #[inline(never)]
    fn draw_to(&mut self, len: u8) {
        let (mut rest, mut stream) = (self.rest, self.stream.clone());
        let rest_len = len.saturating_sub(BATCH);
        for len in (rest_len + 1..=self.rest_len).rev() {
            let card = rest.draw(len.into(), &mut stream);
            self.cards[usize::from(len) & (PLACES - 1)] = card;
        }
        (self.rest, self.stream, self.rest_len) = (rest, stream, rest_len);
    }

    /// Returns the last `len` cards.
    #[inline]
    pub fn left(&self, len: u8) -> Pile {
        let drawn: Pile =
            (self.rest_len + 1..=len).map(|len| self.cards[usize::from(len)]).collect();
        self.rest.plus(drawn)
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
    pub fn of(&mut self, start: &Stream) -> &mut Row {
        let found = self.rows.iter().position(|row| row.start == *start);
        let index = found.unwrap_or_else(|| self.draw(start));
        &mut self.rows[index]
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
                let whole = pile;
                assert_eq!(row.card(len), pile.draw(u32::from(len), &mut stream));
                assert_eq!(row.left(len), whole);
            }
        }
        assert_eq!(rows.rows.len(), KEPT);
    }
}
