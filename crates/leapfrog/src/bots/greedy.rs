//! Greedy play: the most points now.

use std::cmp::Ordering;
use std::ops::ControlFlow;

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
        let (mut best, mut gain, mut ties, mut left) = (Move::Stop, -1, 0, MOST_CHAINS);
        _ = game.chains(&view.state, |chain| {
            let points = i32::from(chain.points());
            ties = match points.cmp(&gain) {
                Ordering::Less => ties,
                Ordering::Equal => ties + 1,
                Ordering::Greater => 1,
            };
            if points > gain || points == gain && chance.below(ties) == 0 {
                (best, gain) = (chain.moves[0], points);
            }
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        best
    }
}
