//! How a hand is played on below the tree.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::reward::CutOffOptions;
use crate::chance::Stream;
use crate::{Bot, Game, Policy, PolicyBot, Turn, Uniform};

crate::files::text::defaults! {
    /// How a search's hands are played on, and when they end.
    pub struct PlayoutOptions {
        /// Who plays: a strategy that does not search, by name or path.
        pub by: String = "random".to_owned(),
        /// Another strategy for the first moves, which also suggests the first new moves in a tree.
        pub first: Option<FirstMoves> = None,
        /// The chance of a random move instead (ε-greedy).
        #[schemars(range(min = 0, max = 1))]
        pub epsilon: f64 = 0.0,
        /// When a playout is cut off and the position judged. Left out, it goes on to the end.
        pub cut_off: Option<CutOffOptions> = None,
    }
}

/// Another strategy for the first moves of a playout.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FirstMoves {
    /// Who plays them: a strategy that does not search.
    pub by: String,
    /// How many they are.
    #[schemars(range(min = 1, max = 1000))]
    pub moves: u32,
}

/// A strategy that does not search, in every form that is asked of it.
pub trait StaticPolicy<G: Game>: Send + Sync {
    /// Sitting at a seat.
    fn bot(&self) -> Box<dyn Bot<G>>;

    /// As a policy.
    fn policy(&self) -> Arc<dyn Policy<G>>;

    /// Playing hands on, with the chance `epsilon` of a random move instead of its own.
    fn playout(&self, epsilon: f64) -> Arc<dyn Playout<G>>;

    /// Whether it [estimates](Policy::estimates_wins) chances to win.
    fn estimates_wins(&self) -> bool;
}

impl<G: Game + 'static, P: Policy<G> + Clone + 'static> StaticPolicy<G> for P {
    fn bot(&self) -> Box<dyn Bot<G>> {
        Box::new(PolicyBot(self.clone()))
    }

    fn policy(&self) -> Arc<dyn Policy<G>> {
        Arc::new(self.clone())
    }

    fn playout(&self, epsilon: f64) -> Arc<dyn Playout<G>> {
        Arc::new(PolicyPlayout::new(self.clone(), epsilon))
    }

    fn estimates_wins(&self) -> bool {
        Policy::estimates_wins(self)
    }
}

/// Plays a hand on. The loop over the moves lies behind the call, so a playout costs one call
/// through a table and none a move.
pub trait Playout<G: Game + ?Sized>: Send + Sync {
    /// Plays to the end, or for `limit` moves when there is a limit.
    fn run(&self, game: &G, state: &mut G::State, limit: Option<u32>, chance: &mut Stream);

    /// What it would play here; the hand is not over. `None` when every move is alike to it.
    fn suggest(&self, game: &G, state: &G::State, chance: &mut Stream) -> Option<G::Move>;
}

/// The moves of a policy, each seat seeing its own view; now and then a random one.
#[derive(Clone, Copy, Debug)]
pub struct PolicyPlayout<P> {
    policy: P,
    /// Chance of a random move, of 2³².
    epsilon: u32,
}

impl PolicyPlayout<Uniform> {
    /// Uniformly random moves.
    pub fn random() -> PolicyPlayout<Uniform> {
        PolicyPlayout::new(Uniform, 0.0)
    }
}

impl<P> PolicyPlayout<P> {
    /// A policy that makes a random move with chance `epsilon` (0 to 1) instead of its own.
    pub fn new(policy: P, epsilon: f64) -> PolicyPlayout<P> {
        PolicyPlayout { policy, epsilon: (epsilon.clamp(0.0, 1.0) * f64::from(u32::MAX)) as u32 }
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
        let Turn::Seat(seat) = game.turn(state) else { return None };
        let mut strays = || self.epsilon > 0 && ((chance.bits() >> 32) as u32) < self.epsilon;
        if self.policy.is_uniform() || strays() {
            return Some(game.sample(state, chance));
        }
        Some(self.policy.pick(game, &game.view(state, seat), chance))
    }
}

impl<G: Game + ?Sized, P: Policy<G>> Playout<G> for PolicyPlayout<P> {
    fn run(&self, game: &G, state: &mut G::State, limit: Option<u32>, chance: &mut Stream) {
        if self.policy.is_uniform() && limit.is_none() {
            game.playout(state, chance);
            return;
        }
        for _ in 0..limit.unwrap_or(u32::MAX) {
            let Some(mv) = self.pick(game, state, chance) else { return };
            game.apply(state, mv, chance);
        }
    }

    fn suggest(&self, game: &G, state: &G::State, chance: &mut Stream) -> Option<G::Move> {
        match game.turn(state) {
            Turn::Seat(seat) if !self.policy.is_uniform() => {
                Some(self.policy.pick(game, &game.view(state, seat), chance))
            }
            _ => None,
        }
    }
}

/// One way to play for the first moves, another after them.
pub struct StagedPlayout<G: Game + ?Sized> {
    /// How the first moves are made.
    pub first: Arc<dyn Playout<G>>,
    /// How many they are.
    pub moves: u32,
    /// How it goes on.
    pub then: Arc<dyn Playout<G>>,
}

impl<G: Game + ?Sized> Playout<G> for StagedPlayout<G> {
    fn run(&self, game: &G, state: &mut G::State, limit: Option<u32>, chance: &mut Stream) {
        let moves = limit.map_or(self.moves, |limit| limit.min(self.moves));
        self.first.run(game, state, Some(moves), chance);
        self.then.run(game, state, limit.map(|limit| limit - moves), chance);
    }

    fn suggest(&self, game: &G, state: &G::State, chance: &mut Stream) -> Option<G::Move> {
        self.first.suggest(game, state, chance)
    }
}
