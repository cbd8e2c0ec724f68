//! The worlds that a search imagines.

use std::sync::Arc;

use crate::chance::Stream;
use crate::game::{Game, Policy, Seat, Sight};

/// Where the worlds of a search come from (its determinizations), and which moves it tries in them.
pub trait Determinizer<G: Game>: Sync {
    /// A world that the view allows.
    fn draw(&self, game: &G, view: &G::View, chance: &mut Stream) -> G::State;

    /// Takes out of the legal `moves` those that the search need not try; at least one stays.
    #[inline]
    fn prune(&self, _state: &G::State, _moves: &mut Vec<G::Move>) {}
}

/// The worlds that the game [imagines](Game::imagine), and every legal move.
pub struct AsImagined;

impl<G: Game> Determinizer<G> for AsImagined {
    #[inline]
    fn draw(&self, game: &G, view: &G::View, chance: &mut Stream) -> G::State {
        game.imagine(view, chance)
    }
}

/// How the others are thought to choose, so that their moves say something about what they hold.
pub struct Model<G: Game> {
    /// What they are thought to play.
    pub policy: Arc<dyn Policy<G>>,
    /// The chance that they play any move whatever, from 0 to 1. At 1 nothing is inferred.
    pub doubt: f64,
    /// How many of their latest moves are looked at.
    pub moves: usize,
    /// How many worlds are imagined and weighed before a search begins.
    pub pool: usize,
}

impl<G: Game> Clone for Model<G> {
    fn clone(&self) -> Self {
        Model { policy: Arc::clone(&self.policy), ..*self }
    }
}

/// Draws worlds: uniformly from what the view allows, or from a pool in which each is weighted by
/// how likely the others' latest moves were in it under a [`Model`] (likelihood weighting and
/// resampling, as in Buro, Long, Furtak and Sturtevant 2009, *Improving state evaluation,
/// inference, and search in trick-based card games*).
pub(super) struct Worlds<G: Game> {
    model: Option<Model<G>>,
    /// The worlds of the pool, each with the sum of the weights up to its own.
    pool: Vec<(G::State, f64)>,
    options: Vec<G::Move>,
}

impl<G: Game> Worlds<G> {
    pub fn new(model: Option<Model<G>>) -> Worlds<G> {
        Worlds { model, pool: Vec::new(), options: Vec::new() }
    }

    /// Makes ready for a position.
    pub fn look(
        &mut self,
        game: &G,
        sight: Sight<'_, G>,
        (seat, from): (Seat, &impl Determinizer<G>),
        chance: &mut Stream,
    ) {
        self.pool.clear();
        let Some(model) = &self.model else { return };
        let others = sight.past.iter().enumerate().rev().filter(|(_, (mover, _))| *mover != seat);
        let at: Vec<usize> = others.take(model.moves).map(|(index, _)| index).collect();
        if at.is_empty() {
            return;
        }
        let mut sum = 0.0;
        for _ in 0..model.pool {
            let world = from.draw(game, sight.view, chance);
            let mut weight = 1.0;
            for &index in &at {
                let Some(view) = game.recall(&world, sight.past, index, chance) else { break };
                game.options(&view, &mut self.options);
                let mut any = model.doubt / self.options.len().max(1) as f64;
                if model.policy.pick(game, &view, chance) == sight.past[index].1 {
                    any += 1.0 - model.doubt;
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
        sight: Sight<'_, G>,
        from: &impl Determinizer<G>,
        chance: &mut Stream,
    ) -> G::State {
        let Some((last, sum)) = self.pool.last() else {
            return from.draw(game, sight.view, chance);
        };
        let wanted = chance.unit() * sum;
        let at = self.pool.partition_point(|(_, up_to)| *up_to <= wanted);
        self.pool.get(at).map_or(last, |(world, _)| world).clone()
    }
}
