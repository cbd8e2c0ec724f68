//! Features of every cell, line and card by itself, and of the players.
//!
//! [`state_features`](super::state_features) are the same for positions that differ only by a turn of
//! the squares or an exchange of suits. These features are not, so training maps each position by one
//! of its 64 symmetries.

use super::state_features::STATE_FEATURES;
use crate::State;
use crate::cells::LINE_CELLS;
use parlour_base::cards::Pile;

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

/// Calls `add` with each of these features of a position, from the side of the seat to move.
pub(super) fn detailed_features(state: &State, players: SeatPlayers, add: &mut impl FnMut(usize)) {
    for (side, seat) in [state.seat, state.seat.other()].into_iter().enumerate() {
        let mut contents = [0; 9];
        for (suit, cells) in state.square(seat).suits().into_iter().enumerate() {
            cells.for_each(|cell| contents[cell.index()] = 1 + suit);
        }
        for (cell, content) in contents.into_iter().enumerate() {
            add(CELL + (9 * side + cell) * CONTENTS + content);
        }
        for (line, cells) in LINE_CELLS.into_iter().enumerate() {
            let code =
                cells.into_iter().rev().fold(0, |code, cell| code * CONTENTS + contents[cell]);
            if code > 0 {
                add(LINE + side * LINES + line * CONTENTS.pow(3) + code);
            }
        }
        card_features(HELD + side * CARDS, state.hand(seat), add);
        if let Some(player) = players[seat.side()].filter(|player| *player < KNOWN_PLAYERS) {
            add(PLAYER + side * KNOWN_PLAYERS + player);
        }
    }
    card_features(STOCK, state.stock, add);
}

fn card_features(start: usize, cards: Pile, add: &mut impl FnMut(usize)) {
    for (start, cards) in [(start, cards.distinct()), (start + 52, cards.doubled())] {
        cards.into_iter().for_each(|card| add(start + usize::from(card.index())));
    }
}
