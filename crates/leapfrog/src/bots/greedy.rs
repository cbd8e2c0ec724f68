//! The most points now.

use std::ops::ControlFlow;

use crate::chance::Stream;
use crate::game::Policy;
use crate::{Leapfrog, Move, View};

/// Of very many chains only so many are looked at.
pub(super) const MOST_CHAINS: usize = 20_000;

/// The chain that brings most points now; as a first capture, a piece that is worth most. Of
/// equals one at random.
///
/// Chains are looked at in their order, of one position 20,000 at most.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Policy<Leapfrog> for Greedy {
    fn pick(&self, game: &Leapfrog, view: &View, chance: &mut Stream) -> Move {
        let mut best = Best { gain: 0, count: 0, mv: Move::Stop };
        let mut left = MOST_CHAINS;
        _ = game.chains(&view.table, |chain| {
            best.offer(chain.points(), chain.moves[0], chance);
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        best.mv
    }
}

/// The best so far, and how many were as good.
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
