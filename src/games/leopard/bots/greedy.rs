//! The best change at once.

use super::change::{ByCell, gains, losses};
use crate::cards::{Card, CardSet};
use crate::chance::Stream;
use crate::game::{Policy, Ruled};
use crate::games::leopard::{Covers, Leopard, Move, Rules, Square, View};

/// The move with the best change of (own value − other's value), the lowest of equals; knocks when
/// its score would then be the higher one. With many plays a turn it goes on while a play gains.
///
/// It lists no moves: what every card would change on every cell comes from a few table lookups,
/// and a move that changes nothing is only looked for when none gains.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

/// The first index of the tens, jacks, queens and kings.
pub(super) const TEN: u32 = 36;
pub(super) const JACK: u32 = 40;
pub(super) const KING: u32 = 48;

/// The cards of one rank, or of jacks and queens together, by their first index.
#[inline]
pub(super) fn four(hand: u64, first: u32) -> CardSet {
    CardSet(hand & 0xF << first)
}

/// The cards of a hand whose rank is the number of one of these cells.
#[inline]
pub(super) fn numbers(hand: u64, cells: u32) -> CardSet {
    CardSet(hand & look_nibbles(cells))
}

/// For each set of cells: a full nibble for each cell.
const NIBBLES: [u64; 512] = {
    let mut table = [0; 512];
    let mut cells = 0;
    while cells < 512 {
        let mut cell = 0;
        while cell < 9 {
            if cells >> cell & 1 == 1 {
                table[cells] |= 0xF << (4 * cell);
            }
            cell += 1;
        }
        cells += 1;
    }
    table
};

#[inline]
fn look_nibbles(cells: u32) -> u64 {
    NIBBLES[cells as usize & 511]
}

/// The best move so far; only a better one takes its place.
struct Best {
    gain: i32,
    mv: Move,
}

impl Best {
    #[inline]
    fn offer(&mut self, gain: i32, mv: impl FnOnce() -> Move) {
        if gain > self.gain {
            self.gain = gain;
            self.mv = mv();
        }
    }
}

impl Policy<Leopard> for Greedy {
    #[inline]
    fn pick(&self, game: &Leopard, view: &View, _: &mut Stream) -> Move {
        let rules = game.rules();
        if view.may_knock(rules) {
            let (own, other) = view.knock_scores(rules);
            if own > other {
                return Move::KNOCK;
            }
        }
        let hand = view.hand.distinct().0;
        if hand == 0 {
            return Move::END;
        }
        let own_gains = gains(view.own(), rules);
        let best = gaining(view, rules, hand, &own_gains);
        if best.gain > 0 {
            best.mv
        } else if view.played {
            Move::END
        } else {
            changing_nothing(view, rules, hand, &own_gains)
        }
    }
}

/// The best of the moves that gain; a gain of 0 when there is none.
#[inline]
fn gaining(view: &View, rules: &Rules, hand: u64, own_gains: &[ByCell; 4]) -> Best {
    let own = view.own();
    let open = own.open();
    let mut best = Best { gain: 0, mv: Move::END };
    if own_gains.iter().any(|gains| !gains.is_nothing()) {
        for card in numbers(hand, open) {
            let (index, cell) = (card.index(), u32::from(card.index() / 4));
            let gain = own_gains[card.suit().index()].at(cell);
            best.offer(gain, || Move::own(index, cell as u8));
        }
        for card in four(hand, TEN) {
            for (cell, gain) in own_gains[card.suit().index()].within(open) {
                best.offer(gain, || Move::own(card.index(), cell as u8));
            }
        }
        let kings = four(hand, KING);
        if !kings.is_empty() {
            let lost = losses(own, own_gains);
            for card in kings {
                for (cell, gain) in own_gains[card.suit().index()] {
                    best.offer(gain - lost.at(cell), || Move::own(card.index(), cell as u8));
                }
            }
        }
    }
    if view.other_value() > 0
        && let Some(jack) = four(hand, JACK).next()
    {
        let other = view.other();
        for (cell, harm) in losses(other, &gains(other, rules)) {
            best.offer(harm, || Move::other(jack.index(), cell as u8));
        }
    }
    best
}

/// The lowest move that changes neither value, when no move gains and a card must be used. There
/// is one always: a discard.
fn changing_nothing(view: &View, rules: &Rules, hand: u64, own_gains: &[ByCell; 4]) -> Move {
    let own = view.own();
    let open = own.open();
    // Nothing gains, so whatever can be laid on an open cell of the own square changes nothing.
    if let Some(card) = numbers(hand, open).next() {
        return Move::own(card.index(), card.index() / 4);
    }
    if open != 0
        && let Some(card) = four(hand, TEN).next()
    {
        return Move::own(card.index(), open.trailing_zeros() as u8);
    }
    let lost = losses(own, own_gains);
    let harmless = |square: Square, lost: ByCell| {
        let cells = match rules.face_down_covers {
            Covers::FaceUp => square.face_up(),
            Covers::Any => 0x1FF,
        };
        (0..9u32).find(|&cell| cells >> cell & 1 == 1 && lost.at(cell) == 0)
    };
    if let Some(card) = CardSet(hand & 0xFF << JACK).next()
        && let Some(cell) = harmless(own, lost)
    {
        return Move::own(card.index(), cell as u8);
    }
    for card in four(hand, KING) {
        let gains = own_gains[card.suit().index()];
        if let Some(cell) = (0..9).find(|&cell| gains.at(cell) == lost.at(cell)) {
            return Move::own(card.index(), cell as u8);
        }
    }
    let other = view.other();
    let other_gains = gains(other, rules);
    let useless = |card: &Card| other_gains[card.suit().index()].at(card.index() as u32 / 4) == 0;
    if let Some(card) = numbers(hand, other.open()).find(useless) {
        return Move::other(card.index(), card.index() / 4);
    }
    if let Some(card) = four(hand, JACK).next()
        && let Some(cell) = harmless(other, losses(other, &other_gains))
    {
        return Move::other(card.index(), cell as u8);
    }
    Move::discard(hand.trailing_zeros() as u8)
}
