//! More rows, for a judge of certain players: every cell, line and card by itself, and who sits where.
//!
//! [`rows`](super::rows) tells the same of positions that differ only by a turn of the squares or by
//! an exchange of suits; these rows do not, so whoever teaches with them tells each lesson as one of
//! its 64 symmetries ([`Symmetry`]).

use super::rows::{ROWS, TRIPLES};
use crate::State;
use crate::cards::Pile;

/// A cell is open, or a card of one of four suits lies there.
const CONTENTS: usize = 5;

// The groups of rows, each for the seat whose turn it is and then for the other; the stock's and
// those of who sits where follow.
const CELL: usize = ROWS;
const LINE: usize = CELL + 2 * 9 * CONTENTS;
const LINES: usize = 8 * CONTENTS.pow(3);
const HELD: usize = LINE + 2 * LINES;
/// Each card at least once, each card twice.
const CARDS: usize = 2 * 52;
const STOCK: usize = HELD + 2 * CARDS;
const PLAYER: usize = STOCK + CARDS;

/// So many players a judge can tell apart.
pub const PLAYERS: usize = 2;

/// How many rows there are with those of [`rows`](super::rows).
pub const DETAILED: usize = PLAYER + 2 * PLAYERS;

/// Who sits where: for each seat the number of its player among those whom the judge knows.
pub type Sitting = [Option<usize>; 2];

/// One of the 64 ways in which a position is like another: a turn or reflection of both squares
/// with the number cards that go with it, and an exchange of suits that keeps colours together.
#[derive(Clone, Debug)]
pub struct Symmetry {
    /// Where each cell goes.
    cells: [usize; 9],
    /// What each suit becomes.
    suits: [usize; 4],
    /// Which line each becomes, and at which place each of its cells then stands.
    lines: [(usize, [usize; 3]); 8],
}

impl Symmetry {
    /// The position itself.
    pub const SAME: Symmetry = Symmetry::number(0);

    /// All of them, the position itself first.
    pub fn all() -> Vec<Symmetry> {
        (0..64).map(Symmetry::number).collect()
    }

    const fn number(number: usize) -> Symmetry {
        let mut cells = [0; 9];
        let mut cell = 0;
        while cell < 9 {
            let (row, column) = (cell / 3, cell % 3);
            let row = if number & 1 > 0 { 2 - row } else { row };
            let column = if number & 2 > 0 { 2 - column } else { column };
            cells[cell] = if number & 4 > 0 { 3 * column + row } else { 3 * row + column };
            cell += 1;
        }
        // Spades and clubs are black, the outer two of four.
        let mut suits = [0, 1, 2, 3];
        let mut suit = 0;
        while suit < 4 {
            let is_black = suit == 0 || suit == 3;
            let exchanged = if is_black { number & 8 > 0 } else { number & 16 > 0 };
            let own = if exchanged { 3 - suit } else { suit };
            suits[suit] = if number & 32 > 0 { own ^ 1 } else { own };
            suit += 1;
        }
        let mut lines = [(0, [0; 3]); 8];
        let mut line = 0;
        while line < 8 {
            let mut other = 0;
            while other < 8 {
                let (mut places, mut found, mut at) = ([0; 3], 0, 0);
                while at < 3 {
                    let mut place = 0;
                    while place < 3 {
                        if TRIPLES[other][place] == cells[TRIPLES[line][at]] {
                            places[at] = place;
                            found += 1;
                        }
                        place += 1;
                    }
                    at += 1;
                }
                if found == 3 {
                    lines[line] = (other, places);
                }
                other += 1;
            }
            line += 1;
        }
        Symmetry { cells, suits, lines }
    }

    /// What a card becomes, by its index.
    pub(super) fn card(&self, index: usize) -> usize {
        let (rank, suit) = (index / 4, index % 4);
        4 * self.cells.get(rank).unwrap_or(&rank) + self.suits[suit]
    }
}

/// Tells these rows of a position, from the side of the seat whose turn it is.
pub fn detail(state: &State, sitting: Sitting, symmetry: &Symmetry, tell: &mut impl FnMut(usize)) {
    for (side, seat) in [state.seat, state.seat.other()].into_iter().enumerate() {
        let mut contents = [0; 9];
        for (suit, cells) in state.square(seat).suits().into_iter().enumerate() {
            cells.for_each(|cell| contents[cell.index()] = 1 + symmetry.suits[suit]);
        }
        for (cell, content) in contents.into_iter().enumerate() {
            tell(CELL + (9 * side + symmetry.cells[cell]) * CONTENTS + content);
        }
        for (cells, (line, places)) in TRIPLES.into_iter().zip(symmetry.lines) {
            let mut code = 0;
            for (cell, place) in cells.into_iter().zip(places) {
                code += contents[cell] * CONTENTS.pow(place as u32);
            }
            if code > 0 {
                tell(LINE + side * LINES + line * CONTENTS.pow(3) + code);
            }
        }
        let mut held = |start: usize, cards| tell_cards(start, cards, symmetry, tell);
        held(HELD + side * CARDS, state.hand(seat));
        if let Some(player) = sitting[seat.side()].filter(|player| *player < PLAYERS) {
            tell(PLAYER + side * PLAYERS + player);
        }
    }
    tell_cards(STOCK, state.stock, symmetry, tell);
}

fn tell_cards(start: usize, cards: Pile, symmetry: &Symmetry, tell: &mut impl FnMut(usize)) {
    for (start, cards) in [(start, cards.distinct()), (start + 52, cards.doubled())] {
        cards.into_iter().for_each(|card| tell(start + symmetry.card(card.index().into())));
    }
}
