//! Flat Monte Carlo: playouts after each candidate move, without a tree.

use super::budget::Limit;
use super::determinization::{UniformDeterminizer, WorldSampler};
use super::result::{MoveEstimate, Prior, SearchResult};
use super::{Search, SearchParts};
use crate::{Game, Observation, Turn};
use parlour_base::chance::{Seed, Stream};

/// Flat Monte Carlo with successive halving (Karnin, Koren and Somekh 2013, *Almost optimal
/// exploration in multi-armed bandits*).
///
/// All candidates are played out in the same worlds with the same random numbers. Each round gets
/// an equal part of the budget, after which the worse half is dropped.
pub struct MonteCarlo<G: Game> {
    parts: SearchParts<G>,
    worlds: WorldSampler<G>,
    legal: Vec<G::Move>,
    /// The guide's priors of the candidates, in order.
    priors: Vec<(G::Move, f32)>,
}

impl<G: Game> MonteCarlo<G> {
    /// Creates the search.
    pub fn new(mut parts: SearchParts<G>) -> MonteCarlo<G> {
        let worlds = WorldSampler::new(parts.model.take());
        MonteCarlo { worlds, parts, legal: Vec::new(), priors: Vec::new() }
    }

    /// Plays one world out after each candidate until the budget stops it.
    fn try_all(
        &self,
        game: &G,
        world: &G::State,
        candidates: &mut [MoveEstimate<G::Move>],
        mut more: impl FnMut() -> bool,
        chance: &mut Stream,
    ) {
        let Turn::Seat(seat) = game.turn(world) else { return };
        let start = Seed::new(chance.bits()).stream();
        for candidate in candidates {
            if !more() {
                return;
            }
            let (mut state, mut chance) = (world.clone(), start.clone());
            game.apply(&mut state, candidate.mv, &mut chance);
            let rewards = self.parts.play_on(game, &mut state, &mut chance);
            let reward = f64::from(rewards[seat.index()]);
            candidate.visits += 1;
            candidate.total += reward;
            candidate.squares += reward * reward;
            candidate.worlds += 1;
        }
    }
}

impl<G: Game> Search<G> for MonteCarlo<G> {
    fn start(&mut self) {}

    fn analyze(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        chance: &mut Stream,
    ) -> SearchResult<G::Move> {
        game.legal_moves_in_view(observation.view, &mut self.legal);
        if self.legal.len() < 2 {
            return SearchResult::untried(&self.legal);
        }
        let world = game.determinize(observation.view, chance);
        let Turn::Seat(seat) = game.turn(&world) else { return SearchResult::default() };
        if self.parts.tree.dedup_moves
            && let Some(aid) = game.search_aid()
        {
            aid.dedup_moves(&world, &mut self.legal);
        }
        let mut alive: Vec<_> = self.legal.iter().map(|&mv| MoveEstimate::fresh(mv)).collect();
        if let Some(guide) = &self.parts.guide {
            let visits = guide.options.visits;
            guide.priors(game, observation, &self.legal, &mut self.priors);
            if !self.priors.is_empty() {
                let guided = self.priors.iter().map(|&(mv, prior)| {
                    let lent = Prior { visits, total: visits * f64::from(prior) };
                    MoveEstimate { prior: lent, ..MoveEstimate::fresh(mv) }
                });
                alive = guided.collect();
            }
        }
        self.worlds.prepare(game, observation, (seat, &UniformDeterminizer), chance);
        let mut dropped = Vec::new();
        let mut worlds = 0;
        // A budget below one playout per candidate goes to a random subset.
        if let Limit::Iterations(all) = self.parts.budget.limit
            && all < alive.len() as u64
        {
            chance.shuffle(&mut alive);
            dropped = alive.split_off(all as usize);
        }
        let rounds = alive.len().next_power_of_two().trailing_zeros().max(1);
        let mut spent = 0;
        for round in 0..rounds {
            let share = match self.parts.budget.limit {
                // The remainder goes to the last rounds.
                Limit::Iterations(all) => {
                    let part = (all - spent) / u64::from(rounds - round);
                    let whole = part / alive.len() as u64 * alive.len() as u64;
                    let last = round + 1 == rounds;
                    Limit::Iterations(if last { all - spent } else { whole })
                }
                Limit::Milliseconds(all) => Limit::Milliseconds(all / u64::from(rounds)),
            };
            let mut running = share.start();
            while !running.is_spent() {
                let before = running.done;
                let world = self.worlds.draw(game, observation, &UniformDeterminizer, chance);
                self.try_all(game, &world, &mut alive, || running.next(), chance);
                worlds += 1;
                if running.done - before < alive.len() as u64 {
                    break;
                }
            }
            spent += running.done;
            alive.sort_by(|a, b| {
                b.value_with_prior().total_cmp(&a.value_with_prior()).then(a.mv.cmp(&b.mv))
            });
            if round + 1 < rounds && alive.len() > 1 {
                let half = alive.split_off(alive.len().div_ceil(2));
                dropped.splice(0..0, half);
            }
        }
        // Candidates that survived longest come first, ordered by value.
        alive.append(&mut dropped);
        // So far priors were relative to 0, which is the same for candidates with equal visits.
        let total: f64 = alive.iter().map(|candidate| candidate.total).sum();
        let usual = total / spent.max(1) as f64;
        for candidate in &mut alive {
            candidate.prior.total += candidate.prior.visits * usual;
        }
        SearchResult { moves: alive, iterations: spent, worlds, nodes: 0 }
    }
}
