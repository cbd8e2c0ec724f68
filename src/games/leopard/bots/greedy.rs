//! The two cheapest ways to choose that know what a knock is.

use super::gains::{ByCell, gains, losses};
use crate::cards::{Card, CardSet};
use crate::chance::Stream;
use crate::game::{Game, Policy, Ruled};
use crate::games::leopard::cells::{Cell, Cells, FACE_DOWN, JACKS, KINGS, Kind, TENS};
use crate::games::leopard::{Leopard, Move, Rules, Side, Square, View};

/// Uniform over the legal moves, but knocks when it can.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomKnocker;

impl Policy<Leopard> for RandomKnocker {
    #[inline]
    fn pick(&self, game: &Leopard, view: &View, chance: &mut Stream) -> Move {
        if view.may_knock(game.rules()) {
            return Move::KNOCK;
        }
        game.sample_view(view, chance)
    }
}

/// The move with the best change of (own value − other's value), the lowest of equals; knocks when
/// its score would then be the higher one. With many plays a turn it goes on while a play gains.
///
/// It lists no moves: what every card would change on every cell comes from a few table lookups,
/// and a move that changes nothing is only looked for when none gains.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

/// The best move so far; only a better one takes its place.
struct Best {
    gain: i32,
    mv: Move,
}

impl Best {
    #[inline]
    fn offer(&mut self, gain: i32, mv: Move) {
        if gain > self.gain {
            *self = Best { gain, mv };
        }
    }
}

impl Policy<Leopard> for Greedy {
    #[inline]
    fn pick(&self, game: &Leopard, view: &View, _: &mut Stream) -> Move {
        let rules = game.rules();
        if view.knock_wins(rules) {
            return Move::KNOCK;
        }
        let hand = view.hand.distinct();
        if hand.is_empty() {
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
fn gaining(view: &View, rules: &Rules, hand: CardSet, own_gains: &[ByCell; 4]) -> Best {
    let own = view.own();
    let open = own.open();
    let of = |card: Card| own_gains[card.suit().index()];
    let mut best = Best { gain: 0, mv: Move::END };
    if own_gains.iter().any(|gains| !gains.is_nothing()) {
        for card in hand & open.cards() {
            let cell = Cell::of_number(card);
            best.offer(of(card).at(cell), Move::own(card, cell));
        }
        for card in hand & TENS {
            for (cell, gain) in of(card).within(open) {
                best.offer(gain, Move::own(card, cell));
            }
        }
        let kings = hand & KINGS;
        if !kings.is_empty() {
            let lost = losses(own, own_gains);
            for card in kings {
                for (cell, gain) in of(card) {
                    best.offer(gain - lost.at(cell), Move::own(card, cell));
                }
            }
        }
    }
    if view.other_value() > 0
        && let Some(jack) = (hand & JACKS).next()
    {
        let other = view.other();
        for (cell, harm) in losses(other, &gains(other, rules)) {
            best.offer(harm, Move::other(jack, cell));
        }
    }
    best
}

/// The lowest move that changes neither value, when no move gains and a card must be used. There
/// is one always: a discard.
fn changing_nothing(view: &View, rules: &Rules, hand: CardSet, own_gains: &[ByCell; 4]) -> Move {
    let own = view.own();
    let mut open = own.open();
    // Nothing gains, so whatever can be laid on an open cell of the own square changes nothing.
    if let Some(card) = (hand & open.cards()).next() {
        return Move::own(card, Cell::of_number(card));
    }
    if let (Some(card), Some(cell)) = ((hand & TENS).next(), open.next()) {
        return Move::own(card, cell);
    }
    let lost = losses(own, own_gains);
    let harmless = |kind, square: Square, side, lost: ByCell| {
        rules.cells(kind, square, side).find(|&cell| lost.at(cell) == 0)
    };
    if let Some(card) = (hand & FACE_DOWN).next()
        && let Some(cell) = harmless(Kind::of(card), own, Side::Own, lost)
    {
        return Move::own(card, cell);
    }
    for card in hand & KINGS {
        let gains = own_gains[card.suit().index()];
        if let Some(cell) = { Cells::ALL }.find(|&cell| gains.at(cell) == lost.at(cell)) {
            return Move::own(card, cell);
        }
    }
    let other = view.other();
    let other_gains = gains(other, rules);
    let useless =
        |card: &Card| other_gains[card.suit().index()].at(Cell::of_number(*card)) == 0;
    if let Some(card) = (hand & other.open().cards()).find(useless) {
        return Move::other(card, Cell::of_number(card));
    }
    if let Some(card) = (hand & JACKS).next()
        && let Some(cell) = harmless(Kind::Jack, other, Side::Other, losses(other, &other_gains))
    {
        return Move::other(card, cell);
    }
    { hand }.next().map_or(Move::END, Move::discard)
}
