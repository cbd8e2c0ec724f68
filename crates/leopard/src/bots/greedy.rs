//! The cheapest players that use knocks: random, greedy, and the best of a few random moves.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cells::{CardKind, Cell, JACKS, QUEENS};
use crate::gains::SquareGains;
use crate::{Leopard, Move, Rules, Side, View};
use parlour_base::cards::CardSet;
use parlour_base::chance::Stream;
use parlour_game::{Game, Policy, Ruled};

/// Chooses uniformly among the legal moves, but knocks when it can.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomKnocker;

impl Policy<Leopard> for RandomKnocker {
    #[inline]
    fn pick(&self, game: &Leopard, view: &View, chance: &mut Stream) -> Move {
        if view.may_knock(game.rules()) {
            return Move::Knock;
        }
        game.sample_view(view, chance)
    }
}

/// Chooses the move with the largest change of (own value − other value), the lowest of equals. It
/// knocks if its score would be higher. With many plays a turn it goes on while a play gains.
///
/// It lists no moves: the changes by every card on every cell come from a few table lookups. A move
/// that changes nothing is searched only if none gains.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Policy<Leopard> for Greedy {
    #[inline]
    fn pick(&self, game: &Leopard, view: &View, _: &mut Stream) -> Move {
        let rules = game.rules();
        if view.knock_wins(rules) {
            return Move::Knock;
        }
        let hand = view.hand.distinct();
        if hand.is_empty() {
            return Move::End;
        }
        let own = SquareGains::new(view.square(Side::Own), rules);
        match gaining(view, rules, hand, &own) {
            Some(mv) => mv,
            None if view.played => Move::End,
            None => changing_nothing(view, rules, hand, &own),
        }
    }
}

/// The best of the moves that gain.
#[inline]
fn gaining(view: &View, rules: &Rules, hand: CardSet, own: &SquareGains) -> Option<Move> {
    let mut best = (0, None);
    // Only a better move replaces the best so far.
    let mut offer = |gain, side, card, cell| {
        if gain > best.0 {
            best = (gain, Some(Move::lay(side, card, cell)));
        }
    };
    own.each_gain(hand, |gain, card, cell| offer(gain, Side::Own, card, cell));
    let jack = (hand & JACKS).next().filter(|_| rules.jacks_on.includes(Side::Other));
    let queen = (hand & QUEENS).next().filter(|_| rules.queens_on.includes(Side::Other));
    if view.value(Side::Other) > 0
        && let Some(card) = jack.or(queen)
    {
        for (cell, harm) in SquareGains::new(view.square(Side::Other), rules).losses {
            offer(harm, Side::Other, card, cell);
        }
    }
    best.1
}

/// The lowest move that changes neither value, if no move gains and a card must be used. One always
/// exists: a discard.
fn changing_nothing(view: &View, rules: &Rules, hand: CardSet, own: &SquareGains) -> Move {
    // Nothing gains, so any play on an open cell of the own square changes nothing.
    if let Some(card) = (hand & own.square.open().cards()).next() {
        return Move::lay(Side::Own, card, Cell::of_number(card));
    }
    let other = SquareGains::new(view.square(Side::Other), rules);
    for (side, now) in Side::BOTH.into_iter().zip([own, &other]) {
        for card in hand {
            let kind = CardKind::of(card);
            for cell in rules.cells(kind, now.square, side) {
                let gain = if kind.is_face_down() { 0 } else { now.gain(card, cell) };
                if gain == now.losses.at(cell) {
                    return Move::lay(side, card, cell);
                }
            }
        }
    }
    { hand }.next().map_or(Move::End, Move::Discard)
}

/// Draws legal moves at random and makes the one with the largest change of (own value − other
/// value), the first of equals. It knocks if it draws a winning knock. One try is random play; many
/// tries come close to [`Greedy`](super::Greedy).
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BestOf {
    /// Number of moves drawn.
    #[schemars(range(min = 1, max = 1000))]
    pub tries: u32,
}

impl Policy<Leopard> for BestOf {
    fn pick(&self, game: &Leopard, view: &View, chance: &mut Stream) -> Move {
        let draws = (0..self.tries.max(1)).map(|_| game.sample_view(view, chance));
        let valued = draws.map(|mv| (gain_of(game, view, mv), mv));
        let best = valued.reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.map_or(Move::End, |(_, mv)| mv)
    }
}

/// The change by a move, in points. A winning knock is above all plays, any other knock below.
fn gain_of(game: &Leopard, view: &View, mv: Move) -> i32 {
    let rules = game.rules();
    if mv == Move::Knock {
        return if view.knock_wins(rules) { i32::MAX } else { i32::MIN };
    }
    let Some((side, card, cell)) = mv.laid() else { return 0 };
    let mut square = view.square(side);
    square.put(card, cell);
    let change = square.value(rules) as i32 - i32::from(view.value(side));
    if side == Side::Own { change } else { -change }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_base::chance::Seed;
    use parlour_game::Turn;

    #[test]
    fn more_tries_gain_more() {
        let game = Leopard::new(&Leopard::preset("revised").unwrap()).unwrap();
        let mut sums = [0i64; 3];
        for deal in 0..50 {
            let (mut chance, mut choice) = (Seed::new(deal).stream(), Seed::new(77).stream());
            let mut state = game.deal(&mut chance);
            while let Turn::Seat(seat) = game.turn(&state) {
                let view = game.view(&state, seat);
                for (sum, tries) in sums.iter_mut().zip([1, 4, 16]) {
                    let mv = BestOf { tries }.pick(&game, &view, &mut choice);
                    *sum += i64::from(gain_of(&game, &view, mv).clamp(-9, 9));
                }
                let mv = BestOf { tries: 2 }.pick(&game, &view, &mut choice);
                game.apply(&mut state, mv, &mut chance);
            }
        }
        assert!(sums[0] < sums[1] && sums[1] < sums[2], "{sums:?}");
    }
}
