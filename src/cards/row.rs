//! The cards of two decks in the order in which a stream draws them.

use super::{Card, Pile};
use crate::chance::Stream;

/// The number of cards, rounded up to a power of two, so that a masked index needs no check.
const PLACES: usize = 128;

/// All 104 cards of two decks in the order in which [`Pile::draw`] takes them out with one stream,
/// and what is left after each. What the players do has no part in it, so hands that start from
/// one stream share a row.
#[derive(Clone, Debug)]
pub struct Row {
    start: Stream,
    /// The card that is drawn when so many are left, itself counted.
    cards: [Card; PLACES],
    /// The pile when so many are left.
    left: [Pile; PLACES],
}

impl Row {
    /// Draws all cards.
    fn new(start: &Stream) -> Row {
        let (cards, left) = ([Card::from_index(0); PLACES], [Pile::EMPTY; PLACES]);
        let mut row = Row { start: start.clone(), cards, left };
        row.lay();
        row
    }

    /// Draws all cards with the stream `start`.
    fn lay(&mut self) {
        let (mut stream, mut pile) = (self.start.clone(), Pile::TWO_DECKS);
        for len in (1..=104u32).rev() {
            self.left[len as usize] = pile;
            self.cards[len as usize] = pile.draw_here(len, &mut stream);
        }
    }

    /// Takes a card out of a pile of `len` cards, which must be what is left of this row.
    #[inline(always)]
    pub fn draw(&self, pile: &mut Pile, len: u8) -> Card {
        debug_assert_eq!(*pile, self.left[usize::from(len)]);
        let len = usize::from(len);
        *pile = self.left[(len - 1) & (PLACES - 1)];
        self.cards[len & (PLACES - 1)]
    }
}

/// How many rows are kept: as many as the hands of any usual match.
const KEPT: usize = 8;

/// The rows drawn last, one for each stream.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    rows: Vec<Row>,
    /// The row that gives way next.
    oldest: usize,
}

impl Rows {
    /// The row of a stream.
    #[inline]
    pub fn of(&mut self, start: &Stream) -> &Row {
        let found = self.rows.iter().position(|row| row.start == *start);
        let index = found.unwrap_or_else(|| self.draw(start));
        &self.rows[index]
    }

    /// Draws a row, in the place of the oldest when there are many; returns where it is.
    fn draw(&mut self, start: &Stream) -> usize {
        if self.rows.len() < KEPT {
            self.rows.push(Row::new(start));
            return self.rows.len() - 1;
        }
        let index = self.oldest;
        self.oldest = (index + 1) % KEPT;
        self.rows[index].start.clone_from(start);
        self.rows[index].lay();
        index
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seed;

    #[test]
    fn a_row_is_what_the_stream_draws() {
        let mut rows = Rows::default();
        // Each row is asked for again while it is kept, and when others have taken its place.
        for number in (0..40).flat_map(|n| [n, n / 2, n % 5]) {
            let start = Seed::new(number).stream();
            let row = rows.of(&start);
            let (mut stream, mut pile, mut rest) = (start, Pile::TWO_DECKS, Pile::TWO_DECKS);
            for len in (1..=104u8).rev() {
                let card = pile.draw(u32::from(len), &mut stream);
                assert_eq!(row.draw(&mut rest, len), card);
                assert_eq!(rest, pile);
            }
        }
        assert_eq!(rows.rows.len(), KEPT);
    }
}
