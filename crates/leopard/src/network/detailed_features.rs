//! Features of every cell, line and card by itself, and of the players.
//!
//! [`state_features`](super::state_features) are the same for positions that differ only by a turn of
//! the squares or an exchange of suits. These features are not, so training shows each position as one
//! of its 64 symmetries ([`Symmetry`]).

use super::state_features::STATE_FEATURES;
use crate::State;
use crate::cards::Pile;
use crate::cells::LINE_CELLS;

/// Contents of a cell: open, or a card of one of four suits.
const CONTENTS: usize = 5;

// Groups of features, each for the seat to move and then for the other seat; the stock and the
// players follow.
const CELL: usize = STATE_FEATURES;
const LINE: usize = CELL + 2 * 9 * CONTENTS;
const LINES: usize = 8 * CONTENTS.pow(3);
const HELD: usize = LINE + 2 * LINES;
/// Features of cards: each at least once, each twice.
const CARDS: usize = 2 * 52;
const STOCK: usize = HELD + 2 * CARDS;
const PLAYER: usize = STOCK + CARDS;

/// Number of players that a network can tell apart.
pub const KNOWN_PLAYERS: usize = 2;

/// Number of features, those of the state included.
pub(super) const DETAILED_FEATURES: usize = PLAYER + 2 * KNOWN_PLAYERS;

/// The index of each seat's player among those that the network knows.
pub type SeatPlayers = [Option<usize>; 2];

/// One of the 64 symmetries of a position: a turn or reflection of both squares with their number
/// cards, and an exchange of suits that keeps colours together.
#[derive(Clone, Debug)]
pub struct Symmetry {
    /// The new place of each cell.
    cells: [usize; 9],
    /// The new suit of each suit.
    suits: [usize; 4],
    /// The new line of each line, and the place of each of its cells there.
    lines: [(usize, [usize; 3]); 8],
}

impl Symmetry {
    /// The symmetry that changes nothing.
    pub const IDENTITY: Symmetry = Symmetry::number(0);

    /// All symmetries, the identity first.
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
        let mut pair = 0;
        while pair < 64 {
            let (line, other) = (pair / 8, pair % 8);
            let (mut places, mut found, mut at) = ([0; 3], 0, 0);
            while at < 9 {
                let (from, to) = (at / 3, at % 3);
                if LINE_CELLS[other][to] == cells[LINE_CELLS[line][from]] {
                    places[from] = to;
                    found += 1;
                }
                at += 1;
            }
            if found == 3 {
                lines[line] = (other, places);
            }
            pair += 1;
        }
        Symmetry { cells, suits, lines }
    }

    /// The new card of a card, by index.
    pub(in super::super) fn card(&self, index: usize) -> usize {
        let (rank, suit) = (index / 4, index % 4);
        4 * self.cells.get(rank).unwrap_or(&rank) + self.suits[suit]
    }
}

/// Calls `add` with each of these features of a position, from the side of the seat to move.
pub(super) fn detailed_features(
    state: &State,
    players: SeatPlayers,
    symmetry: &Symmetry,
    add: &mut impl FnMut(usize),
) {
    for (side, seat) in [state.seat, state.seat.other()].into_iter().enumerate() {
        let mut contents = [0; 9];
        for (suit, cells) in state.square(seat).suits().into_iter().enumerate() {
            cells.for_each(|cell| contents[cell.index()] = 1 + symmetry.suits[suit]);
        }
        for (cell, content) in contents.into_iter().enumerate() {
            add(CELL + (9 * side + symmetry.cells[cell]) * CONTENTS + content);
        }
        for (cells, (line, places)) in LINE_CELLS.into_iter().zip(symmetry.lines) {
            let mut code = 0;
            for (cell, place) in cells.into_iter().zip(places) {
                code += contents[cell] * CONTENTS.pow(place as u32);
            }
            if code > 0 {
                add(LINE + side * LINES + line * CONTENTS.pow(3) + code);
            }
        }
        card_features(HELD + side * CARDS, state.hand(seat), symmetry, add);
        if let Some(player) = players[seat.side()].filter(|player| *player < KNOWN_PLAYERS) {
            add(PLAYER + side * KNOWN_PLAYERS + player);
        }
    }
    card_features(STOCK, state.stock, symmetry, add);
}

fn card_features(start: usize, cards: Pile, symmetry: &Symmetry, add: &mut impl FnMut(usize)) {
    for (start, cards) in [(start, cards.distinct()), (start + 52, cards.doubled())] {
        cards.into_iter().for_each(|card| add(start + symmetry.card(card.index().into())));
    }
}
