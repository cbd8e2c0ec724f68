//! Determinizations: sampled hidden states.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Game, Observation, Policy, Seat};
use parlour_base::chance::Stream;
use parlour_base::files::text::constant;

/// A source of determinizations, and a filter of the moves to search.
pub trait Determinizer<G: Game> {
    /// Samples a state that is consistent with the view.
    fn draw(&self, game: &G, view: &G::View, chance: &mut Stream) -> G::State;

    /// Removes legal moves that need not be searched; at least one must stay.
    fn prune(&self, _state: &G::State, _moves: &mut Vec<G::Move>) {}
}

/// The game's own [determinizations](Game::determinize) and all legal moves.
pub struct UniformDeterminizer;

impl<G: Game> Determinizer<G> for UniformDeterminizer {
    fn draw(&self, game: &G, view: &G::View, chance: &mut Stream) -> G::State {
        game.determinize(view, chance)
    }
}

/// Options of the opponent model, which weights sampled worlds by the opponents' latest moves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelOptions {
    /// Memoryless strategy that the opponents are assumed to play.
    pub by: String,
    /// Model error: the probability of a uniformly random move. At 1 nothing is inferred.
    #[serde(default = "default_error")]
    #[schemars(range(min = 1e-6, max = 1))]
    pub error: f64,
    /// Number of the opponents' latest moves to use.
    #[serde(default = "constant::<u32, 3>")]
    #[schemars(range(min = 1, max = 100))]
    pub moves: u32,
    /// Number of worlds to weight before a search.
    #[serde(default = "constant::<u32, 400>")]
    #[schemars(range(min = 1, max = 100_000))]
    pub worlds: u32,
}

fn default_error() -> f64 {
    0.3
}

/// An opponent model with its policy.
pub struct Model<G: Game> {
    /// The assumed policy of the opponents.
    pub policy: Arc<dyn Policy<G>>,
    /// The options.
    pub options: ModelOptions,
}

/// The position of a search.
pub(super) struct Root<'a, G: Game> {
    pub game: &'a G,
    pub observation: Observation<'a, G>,
    /// The seat to move.
    pub seat: Seat,
    pub determinizer: &'a dyn Determinizer<G>,
}

/// Samples worlds: uniformly, or from a pool weighted by the likelihood of the opponents' latest
/// moves under a [`Model`].
///
/// This is likelihood weighting with resampling, as in Buro, Long, Furtak and Sturtevant 2009
/// (*Improving state evaluation, inference, and search in trick-based card games*).
pub(super) struct WorldSampler<G: Game> {
    /// The worlds of the pool with the cumulative weights.
    pool: Vec<(G::State, f64)>,
}

impl<G: Game> WorldSampler<G> {
    pub fn new() -> WorldSampler<G> {
        WorldSampler { pool: Vec::new() }
    }

    /// Prepares the pool for a position.
    pub fn prepare(&mut self, model: Option<&Model<G>>, root: &Root<'_, G>, chance: &mut Stream) {
        self.pool.clear();
        let &Root { game, observation: Observation { view, past }, seat, determinizer } = root;
        let (Some(Model { policy, options }), Some(aid)) = (model, game.search_aid()) else {
            return;
        };
        let others = past.iter().enumerate().rev().filter(|(_, (mover, _))| *mover != seat);
        let others: Vec<_> = others.take(options.moves as usize).collect();
        if others.is_empty() {
            return;
        }
        let (mut sum, mut legal) = (0.0, Vec::new());
        for _ in 0..options.worlds {
            let world = determinizer.draw(game, view, chance);
            let mut weight = 1.0;
            for &(at, (_, mv)) in &others {
                let Some(view) = aid.view_at(&world, past, at, chance) else { break };
                game.legal_moves_in_view(&view, &mut legal);
                let mut likelihood = options.error / legal.len().max(1) as f64;
                if policy.pick(game, &view, chance) == *mv {
                    likelihood += 1.0 - options.error;
                }
                weight *= likelihood;
            }
            sum += weight;
            self.pool.push((world, sum));
        }
        if sum.is_nan() || sum <= 0.0 {
            self.pool.clear();
        }
    }

    /// Samples a world.
    pub fn draw(&self, root: &Root<'_, G>, chance: &mut Stream) -> G::State {
        let Some((last, sum)) = self.pool.last() else {
            return root.determinizer.draw(root.game, root.observation.view, chance);
        };
        let wanted = chance.unit() * sum;
        let at = self.pool.partition_point(|(_, up_to)| *up_to <= wanted);
        self.pool.get(at).map_or(last, |(world, _)| world).clone()
    }
}
