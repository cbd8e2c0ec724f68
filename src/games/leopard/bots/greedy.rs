//! The two cheapest ways to choose that know what a knock is.

use super::gains::{ByCell, each_gain, gains, losses};
use crate::cards::CardSet;
use crate::chance::Stream;
use crate::game::{Game, Policy, Ruled};
use crate::games::leopard::cells::{Cell, JACKS, Kind, NUMBERS};
use crate::games::leopard::{Leopard, Move, Rules, Side, View};

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
        let own_gains = gains(view.square(Side::Own), rules);
        match gaining(view, rules, hand, &own_gains) {
            Some(mv) => mv,
            None if view.played => Move::END,
            None => changing_nothing(view, rules, hand, &own_gains),
        }
    }
}

/// The best of the moves that gain.
#[inline]
fn gaining(view: &View, rules: &Rules, hand: CardSet, own_gains: &[ByCell; 4]) -> Option<Move> {
    let own = view.square(Side::Own);
    let mut best = (0, None);
    // Only a better one takes the place of the best so far.
    let mut offer = |gain, side, card, cell| {
        if gain > best.0 {
            best = (gain, Some(Move::lay(side, card, cell)));
        }
    };
    each_gain(
        own,
        own_gains,
        || losses(own, own_gains),
        hand,
        |gain, card, cell| {
            offer(gain, Side::Own, card, cell);
        },
    );
    if view.value(Side::Other) > 0
        && let Some(jack) = (hand & JACKS).next()
    {
        let other = view.square(Side::Other);
        for (cell, harm) in losses(other, &gains(other, rules)) {
            offer(harm, Side::Other, jack, cell);
        }
    }
    best.1
}

/// The lowest move that changes neither value, when no move gains and a card must be used. There
/// is one always: a discard.
fn changing_nothing(view: &View, rules: &Rules, hand: CardSet, own_gains: &[ByCell; 4]) -> Move {
    // Nothing gains, so whatever can be laid on an open cell of the own square changes nothing.
    if let Some(card) = (hand & view.square(Side::Own).open().cards()).next() {
        return Move::lay(Side::Own, card, Cell::of_number(card));
    }
    for side in Side::BOTH {
        let square = view.square(side);
        let gains = if side == Side::Own { own_gains } else { &gains(square, rules) };
        let lost = losses(square, gains);
        // Which cards may change nothing: no number card on the own square, and on the other's
        // none but number cards and jacks.
        let likely = match side {
            Side::Own => CardSet(hand.0 & !NUMBERS.0),
            Side::Other => CardSet(hand.0 & (square.open().cards().0 | JACKS.0)),
        };
        for card in likely {
            let kind = Kind::of(card);
            for cell in rules.cells(kind, square, side) {
                let gain =
                    if kind.is_face_down() { 0 } else { gains[card.suit().index()].at(cell) };
                if gain == lost.at(cell) {
                    return Move::lay(side, card, cell);
                }
            }
        }
    }
    { hand }.next().map_or(Move::END, Move::discard)
}
