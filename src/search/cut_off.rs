//! Playouts that end early.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::reward::Rewards;
use crate::game::{Game, Policy, Seat, Turn};

/// After how many moves a playout is cut off, and who judges the position then (leaf evaluation).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CutOffOptions {
    /// How many moves.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub moves: u32,
    /// A strategy that estimates chances to win. Left out, the game evaluates the position.
    pub judge: Option<String>,
}

/// A cut-off whose judge is known.
pub struct CutOff<G: Game> {
    /// After how many moves.
    pub moves: u32,
    /// A policy that [judges](Policy::judge) positions; without one, or where it says nothing, the
    /// game [evaluates](Game::evaluate) them.
    pub judge: Option<Arc<dyn Policy<G>>>,
}

impl<G: Game> CutOff<G> {
    /// What the judge says of a state that is not over: of two seats the one that is not to move
    /// is asked, and the other has the rest.
    pub(super) fn judged(&self, game: &G, state: &G::State) -> Option<Rewards> {
        let (Turn::Of(Seat(seat)), 2) = (game.turn(state), game.seats()) else { return None };
        let waiting = Seat(seat ^ 1);
        let chance = self.judge.as_ref()?.judge(game, &game.view(state, waiting))?;
        let mut rewards: Rewards = [1.0 - chance; 2].into_iter().collect();
        rewards[waiting.index()] = chance;
        Some(rewards)
    }
}
