//! How a hand is played on below the tree.

use std::sync::Arc;

use crate::chance::Stream;
use crate::game::{Game, Policy, Turn};

/// Plays a hand on. The loop over the moves lies behind the call, so a playout costs one call
/// through a table and none a move.
pub trait Rollout<G: Game + ?Sized>: Send + Sync {
    /// Plays to the end, or for `limit` moves when there is a limit.
    fn run(&self, game: &G, state: &mut G::State, limit: Option<u32>, chance: &mut Stream);

    /// What it would play here; the hand is not over. `None` when every move is alike to it.
    fn suggest(&self, game: &G, state: &G::State, chance: &mut Stream) -> Option<G::Move>;
}

/// Uniformly random moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomRollout;

impl<G: Game + ?Sized> Rollout<G> for RandomRollout {
    fn run(&self, game: &G, state: &mut G::State, limit: Option<u32>, chance: &mut Stream) {
        let Some(limit) = limit else {
            game.playout(state, chance);
            return;
        };
        for _ in 0..limit {
            if game.turn(state) == Turn::Over {
                return;
            }
            let mv = game.sample(state, chance);
            game.play(state, mv, chance);
        }
    }

    fn suggest(&self, _: &G, _: &G::State, _: &mut Stream) -> Option<G::Move> {
        None
    }
}

/// The moves of a policy, each seat seeing its own view; now and then a random one.
#[derive(Clone, Copy, Debug)]
pub struct PolicyRollout<P> {
    policy: P,
    /// Chance of a random move, of 2³².
    stray: u32,
}

impl<P> PolicyRollout<P> {
    /// A policy that makes a random move with chance `stray` (0 to 1) instead of its own.
    pub fn new(policy: P, stray: f64) -> PolicyRollout<P> {
        PolicyRollout { policy, stray: (stray.clamp(0.0, 1.0) * f64::from(u32::MAX)) as u32 }
    }

    #[inline]
    fn pick<G: Game + ?Sized>(
        &self,
        game: &G,
        state: &G::State,
        chance: &mut Stream,
    ) -> Option<G::Move>
    where
        P: Policy<G>,
    {
        let Turn::Of(seat) = game.turn(state) else { return None };
        if self.stray > 0 && ((chance.bits() >> 32) as u32) < self.stray {
            return Some(game.sample(state, chance));
        }
        Some(self.policy.pick(game, &game.view(state, seat), chance))
    }
}

impl<G: Game + ?Sized, P: Policy<G>> Rollout<G> for PolicyRollout<P> {
    fn run(&self, game: &G, state: &mut G::State, limit: Option<u32>, chance: &mut Stream) {
        for _ in 0..limit.unwrap_or(u32::MAX) {
            let Some(mv) = self.pick(game, state, chance) else { return };
            game.play(state, mv, chance);
        }
    }

    fn suggest(&self, game: &G, state: &G::State, chance: &mut Stream) -> Option<G::Move> {
        let Turn::Of(seat) = game.turn(state) else { return None };
        Some(self.policy.pick(game, &game.view(state, seat), chance))
    }
}

/// One way to play for the first moves, another after them.
pub struct StagedRollout<G: Game + ?Sized> {
    /// How the first moves are made.
    pub first: Arc<dyn Rollout<G>>,
    /// How many they are.
    pub moves: u32,
    /// How it goes on.
    pub then: Arc<dyn Rollout<G>>,
}

impl<G: Game + ?Sized> Rollout<G> for StagedRollout<G> {
    fn run(&self, game: &G, state: &mut G::State, limit: Option<u32>, chance: &mut Stream) {
        let moves = limit.map_or(self.moves, |limit| limit.min(self.moves));
        self.first.run(game, state, Some(moves), chance);
        self.then.run(game, state, limit.map(|limit| limit - moves), chance);
    }

    fn suggest(&self, game: &G, state: &G::State, chance: &mut Stream) -> Option<G::Move> {
        self.first.suggest(game, state, chance)
    }
}
