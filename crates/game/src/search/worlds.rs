//! The worlds that a search imagines, and several searches of one position.

use std::sync::Arc;

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Decide, Search, SearchResult};
use crate::chance::{Seed, Stream};
use crate::{Game, Observation, Policy, Seat};

/// Where the worlds of a search come from (its determinizations), and which moves it tries in them.
pub trait Determinizer<G: Game>: Sync {
    /// A world that the view allows.
    fn draw(&self, game: &G, view: &G::View, chance: &mut Stream) -> G::State;

    /// Takes out of the legal `moves` those that the search need not try; at least one stays.
    #[inline]
    fn prune(&self, _state: &G::State, _moves: &mut Vec<G::Move>) {}
}

/// The worlds that the game [imagines](Game::determinize), and every legal move.
pub struct UniformDeterminizer;

impl<G: Game> Determinizer<G> for UniformDeterminizer {
    #[inline]
    fn draw(&self, game: &G, view: &G::View, chance: &mut Stream) -> G::State {
        game.determinize(view, chance)
    }
}

/// How the others are thought to choose: their latest moves weigh the worlds that are imagined.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelOptions {
    /// What they are thought to play: a strategy that does not search.
    pub by: String,
    /// The model's error: the chance that they play any move whatever. At 1 nothing is inferred.
    #[serde(default = "default_error")]
    #[schemars(range(min = 1e-6, max = 1))]
    pub error: f64,
    /// How many of their latest moves are looked at.
    #[serde(default = "default_moves")]
    #[schemars(range(min = 1, max = 100))]
    pub moves: u32,
    /// How many worlds are weighed before a search begins.
    #[serde(default = "default_worlds")]
    #[schemars(range(min = 1, max = 100_000))]
    pub worlds: u32,
}

fn default_error() -> f64 {
    0.3
}

fn default_moves() -> u32 {
    3
}

fn default_worlds() -> u32 {
    400
}

/// A model whose policy is known.
pub struct Model<G: Game> {
    /// What the others are thought to play.
    pub policy: Arc<dyn Policy<G>>,
    /// How it is used.
    pub options: ModelOptions,
}

/// Draws worlds: uniformly from what the view allows, or from a pool in which each is weighted by
/// how likely the others' latest moves were in it under a [`Model`] (likelihood weighting and
/// resampling, as in Buro, Long, Furtak and Sturtevant 2009, *Improving state evaluation,
/// inference, and search in trick-based card games*).
pub(super) struct WorldSampler<G: Game> {
    model: Option<Model<G>>,
    /// The worlds of the pool, each with the sum of the weights up to its own.
    pool: Vec<(G::State, f64)>,
    options: Vec<G::Move>,
}

impl<G: Game> WorldSampler<G> {
    pub fn new(model: Option<Model<G>>) -> WorldSampler<G> {
        WorldSampler { model, pool: Vec::new(), options: Vec::new() }
    }

    /// Makes ready for a position.
    pub fn look(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        (seat, from): (Seat, &impl Determinizer<G>),
        chance: &mut Stream,
    ) {
        self.pool.clear();
        let Some(Model { policy, options }) = &self.model else { return };
        let others =
            observation.past.iter().enumerate().rev().filter(|(_, (mover, _))| *mover != seat);
        let at: Vec<usize> = others.take(options.moves as usize).map(|(index, _)| index).collect();
        if at.is_empty() {
            return;
        }
        let mut sum = 0.0;
        for _ in 0..options.worlds {
            let world = from.draw(game, observation.view, chance);
            let mut weight = 1.0;
            for &index in &at {
                let Some(view) = game.view_at(&world, observation.past, index, chance) else {
                    break;
                };
                game.legal_moves_in_view(&view, &mut self.options);
                let mut any = options.error / self.options.len().max(1) as f64;
                if policy.pick(game, &view, chance) == observation.past[index].1 {
                    any += 1.0 - options.error;
                }
                weight *= any;
            }
            sum += weight;
            self.pool.push((world, sum));
        }
        if sum.is_nan() || sum <= 0.0 {
            self.pool.clear();
        }
    }

    /// A world.
    pub fn draw(
        &self,
        game: &G,
        observation: Observation<'_, G>,
        from: &impl Determinizer<G>,
        chance: &mut Stream,
    ) -> G::State {
        let Some((last, sum)) = self.pool.last() else {
            return from.draw(game, observation.view, chance);
        };
        let wanted = chance.unit() * sum;
        let at = self.pool.partition_point(|(_, up_to)| *up_to <= wanted);
        self.pool.get(at).map_or(last, |(world, _)| world).clone()
    }
}

/// Searches a position with a fixed number of workers, each with its own thinker and its own
/// stream, and adds what they found in their order (root parallelism: Chaslot, Winands and van den
/// Herik 2008). So the answer depends on the number of workers and not on that of threads.
pub fn analyze_in_parallel<G: Game>(
    game: &G,
    observation: Observation<'_, G>,
    workers: u64,
    decide: Option<Decide>,
    seed: Seed,
    make: impl Fn() -> Box<dyn Search<G>> + Sync,
) -> SearchResult<G::Move> {
    let views: Vec<(u64, G::View)> =
        (0..workers.max(1)).map(|worker| (worker, observation.view.clone())).collect();
    let past = observation.past;
    let found: Vec<SearchResult<G::Move>> = views
        .into_par_iter()
        .map(|(worker, view)| {
            let mut chance: Stream = seed.child(worker).stream();
            make().analyze(game, Observation { view: &view, past }, &mut chance)
        })
        .collect();
    let mut all = SearchResult::default();
    for findings in &found {
        all.merge(findings);
    }
    match decide {
        Some(decide) => all.rank(decide),
        None => all.rank_by_votes(),
    }
    all
}
