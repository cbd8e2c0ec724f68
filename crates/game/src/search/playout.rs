//! Playouts below the tree.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::reward::CutOffOptions;
use crate::{Bot, Game, Policy, PolicyBot, Turn, Uniform};
use parlour_base::chance::Stream;

parlour_base::files::text::defaults! {
    /// Options of playouts.
    pub struct PlayoutOptions {
        /// Memoryless strategy that plays, by name or path.
        pub by: String = "random".to_owned(),
        /// Another strategy for the first moves. It also suggests the first new moves in a tree.
        pub first: Option<FirstMoves> = None,
        /// Probability of a random move instead (ε-greedy).
        #[schemars(range(min = 0, max = 1))]
        pub epsilon: f64 = 0.0,
        /// Length limit with an evaluation of the position. By default playouts go to the end.
        pub cut_off: Option<CutOffOptions> = None,
    }
}

/// A strategy for the first moves of a playout.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FirstMoves {
    /// Memoryless strategy that plays them.
    pub by: String,
    /// Number of moves.
    #[schemars(range(min = 1, max = 1000))]
    pub moves: u32,
}

/// A memoryless policy that can be a bot and a playout. In both forms its calls are compiled
/// directly.
pub trait StaticPolicy<G: Game>: Policy<G> {
    /// As a bot.
    fn bot(&self) -> Box<dyn Bot<G>>;

    /// As playouts, with probability `epsilon` of a random move.
    fn playout(&self, epsilon: f64) -> Arc<dyn Playout<G>>;
}

impl<G: Game, P: Policy<G> + Clone + 'static> StaticPolicy<G> for P {
    fn bot(&self) -> Box<dyn Bot<G>> {
        Box::new(PolicyBot(self.clone()))
    }

    fn playout(&self, epsilon: f64) -> Arc<dyn Playout<G>> {
        Arc::new(PolicyPlayout::new(self.clone(), epsilon))
    }
}

/// Plays hands out. The loop over the moves is behind the call: one virtual call per playout and
/// none per move.
pub trait Playout<G: Game>: Send + Sync {
    /// Plays to the end, or for at most `limit` moves.
    fn run(&self, game: &G, state: &mut G::State, limit: Option<u32>, chance: &mut Stream);

    /// The policy's move in a hand that is not over; `None` if all moves are equal to it.
    fn suggest(&self, game: &G, state: &G::State, chance: &mut Stream) -> Option<G::Move>;
}

/// Playouts by a policy that sees each seat's own view, with occasional random moves.
#[derive(Clone, Copy, Debug)]
pub struct PolicyPlayout<P> {
    policy: P,
    /// Probability of a random move in units of 2⁻³².
    epsilon: u32,
}

impl PolicyPlayout<Uniform> {
    /// Uniformly random playouts.
    pub fn random() -> PolicyPlayout<Uniform> {
        PolicyPlayout::new(Uniform, 0.0)
    }
}

impl<P> PolicyPlayout<P> {
    /// A policy that makes a random move with probability `epsilon` (0 to 1).
    pub fn new(policy: P, epsilon: f64) -> PolicyPlayout<P> {
        PolicyPlayout { policy, epsilon: (epsilon.clamp(0.0, 1.0) * f64::from(u32::MAX)) as u32 }
    }
}

impl<G: Game, P: Policy<G>> Playout<G> for PolicyPlayout<P> {
    fn run(&self, game: &G, state: &mut G::State, limit: Option<u32>, chance: &mut Stream) {
        if self.policy.is_uniform() && limit.is_none() {
            game.playout(state, chance);
            return;
        }
        for _ in 0..limit.unwrap_or(u32::MAX) {
            let Turn::Seat(seat) = game.turn(state) else { return };
            let mut strays = || self.epsilon > 0 && ((chance.bits() >> 32) as u32) < self.epsilon;
            let mv = match self.policy.is_uniform() || strays() {
                true => game.sample(state, chance),
                false => self.policy.pick(game, &game.view(state, seat), chance),
            };
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

/// One playout policy for the first moves and another one after them.
pub struct StagedPlayout<G: Game> {
    /// The first policy.
    pub first: Arc<dyn Playout<G>>,
    /// Number of its moves.
    pub moves: u32,
    /// The policy after them.
    pub then: Arc<dyn Playout<G>>,
}

impl<G: Game> Playout<G> for StagedPlayout<G> {
    fn run(&self, game: &G, state: &mut G::State, limit: Option<u32>, chance: &mut Stream) {
        let moves = limit.map_or(self.moves, |limit| limit.min(self.moves));
        self.first.run(game, state, Some(moves), chance);
        self.then.run(game, state, limit.map(|limit| limit - moves), chance);
    }

    fn suggest(&self, game: &G, state: &G::State, chance: &mut Stream) -> Option<G::Move> {
        self.first.suggest(game, state, chance)
    }
}
