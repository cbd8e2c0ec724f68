//! Random, but for the knock.

use crate::chance::Stream;
use crate::game::{Game, Policy, Ruled};
use crate::games::leopard::{Leopard, Move, View};

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
