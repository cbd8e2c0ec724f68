//! Greedy play: the most points now.

use crate::{Leapfrog, Move, View};
use parlour_base::chance::Stream;
use parlour_game::Policy;

/// Maximum number of chains of a position that are examined.
pub(super) const MOST_CHAINS: usize = 20_000;

/// Takes the chain with the most points now, or the first capture of highest worth; ties at random.
///
/// It examines at most the first 20,000 chains of a position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Policy<Leapfrog> for Greedy {
    fn pick(&self, game: &Leapfrog, view: &View, chance: &mut Stream) -> Move {
        let (mut best, mut gain, mut ties) = (Move::Stop, -1, 0);
        for chain in game.chains(&view.state).take(MOST_CHAINS) {
            let points = chain.points();
            if points > gain {
                (best, gain, ties) = (chain.moves[0], points, 1);
            } else if points == gain {
                ties += 1;
                best = if chance.below(ties) == 0 { chain.moves[0] } else { best };
            }
        }
        best
    }
}
