//! Greedy play: the most points now.

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
        let mut best = Best { gain: 0, count: 0, mv: Move::Stop };
        let mut left = MOST_CHAINS;
        _ = game.chains(&view.state, |chain| {
            best.offer(chain.points(), chain.moves[0], chance);
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        best.mv
    }
}

/// The best move so far, and the number of ties.
struct Best {
    gain: u16,
    count: u32,
    mv: Move,
}

impl Best {
    fn offer(&mut self, gain: u16, mv: Move, chance: &mut Stream) {
        if self.count == 0 || gain > self.gain {
            *self = Best { gain, count: 1, mv };
        } else if gain == self.gain {
            self.count += 1;
            if chance.below(self.count) == 0 {
                self.mv = mv;
            }
        }
    }
}
