//! Between random and greedy: the best of a few random moves.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::chance::Stream;
use crate::game::{Game, Policy, Ruled};
use crate::games::leopard::{Leopard, Move, Side, View};

/// Draws legal moves at random and makes the one with the best change of (own value − other's
/// value), the first of equals; knocks when it draws a knock that wins. With one try it is random,
/// with many it comes close to [`Greedy`](super::Greedy): a scale of strengths.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BestOf {
    /// How many moves are drawn.
    #[schemars(range(min = 1, max = 1000))]
    pub tries: u32,
}

impl Policy<Leopard> for BestOf {
    fn pick(&self, game: &Leopard, view: &View, chance: &mut Stream) -> Move {
        let first = game.sample_view(view, chance);
        let mut best = (worth(game, view, first), first);
        for _ in 1..self.tries {
            let mv = game.sample_view(view, chance);
            let worth = worth(game, view, mv);
            if worth > best.0 {
                best = (worth, mv);
            }
        }
        best.1
    }
}

/// What a move changes, in points; a knock is worth more than any play, or less.
fn worth(game: &Leopard, view: &View, mv: Move) -> i32 {
    let rules = game.rules();
    if mv == Move::KNOCK {
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
    use crate::chance::Seed;
    use crate::game::Turn;

    #[test]
    fn more_tries_make_moves_that_are_worth_more() {
        let game = Leopard::new(&Leopard::preset("revised").unwrap()).unwrap();
        let mut sums = [0i64; 3];
        for deal in 0..50 {
            let (mut chance, mut choice) = (Seed::new(deal).stream(), Seed::new(77).stream());
            let mut state = game.deal(&mut chance);
            while let Turn::Of(seat) = game.turn(&state) {
                let view = game.view(&state, seat);
                for (sum, tries) in sums.iter_mut().zip([1, 4, 16]) {
                    let mv = BestOf { tries }.pick(&game, &view, &mut choice);
                    *sum += i64::from(worth(&game, &view, mv).clamp(-9, 9));
                }
                let mv = BestOf { tries: 2 }.pick(&game, &view, &mut choice);
                game.play(&mut state, mv, &mut chance);
            }
        }
        assert!(sums[0] < sums[1] && sums[1] < sums[2], "{sums:?}");
    }
}
