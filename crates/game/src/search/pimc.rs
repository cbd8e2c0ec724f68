//! Perfect-information Monte Carlo: every sampled world is searched with open cards.

use super::determinization::{UniformDeterminizer, WorldSampler};
use super::walk::{Updates, Walker};
use super::{Search, SearchParts, SearchResult};
use crate::{Game, Observation, Turn};
use parlour_base::chance::Stream;

/// Perfect-information Monte Carlo. Each world votes for its best move (Levy 1989; Ginsberg 2001,
/// *GIB*; Long, Sturtevant, Buro and Furtak 2010 explain why it can work).
///
/// A world is searched by MCTS, which redraws the cards of the stock in each iteration.
pub struct Pimc<G: Game> {
    world_iterations: u64,
    worlds: WorldSampler<G>,
    walker: Walker<G>,
    legal: Vec<G::Move>,
}

impl<G: Game> Pimc<G> {
    /// Creates a search with `world_iterations` iterations per world. It uses no guide.
    pub fn new(mut parts: SearchParts<G>, world_iterations: u64) -> Pimc<G> {
        let worlds = WorldSampler::new(parts.model.take());
        Pimc { world_iterations, worlds, walker: Walker::new(1, parts), legal: Vec::new() }
    }
}

impl<G: Game> Search<G> for Pimc<G> {
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
        let mut all = SearchResult::default();
        if let Turn::Seat(seat) = game.turn(&game.determinize(observation.view, chance)) {
            self.worlds.prepare(game, observation, (seat, &UniformDeterminizer), chance);
        }
        let mut running = self.walker.parts.budget.limit.start();
        let mut more = running.next();
        while more {
            let world = self.worlds.draw(game, observation, &UniformDeterminizer, chance);
            let Turn::Seat(seat) = game.turn(&world) else { break };
            self.walker.clear(self.legal[0]);
            let mut done = 0;
            while more && done < self.world_iterations {
                let mut state = world.clone();
                let how = (None, Updates::All);
                self.walker.iterate((game, &UniformDeterminizer), &mut state, how, chance);
                done += 1;
                more = running.next();
            }
            let mut here = self.walker.findings(seat, done);
            (here.worlds, here.nodes) = (1, here.nodes.max(all.nodes) - all.nodes);
            for (place, finding) in here.moves.iter_mut().enumerate() {
                finding.worlds = u64::from(place == 0);
            }
            all.merge(&here);
        }
        all.rank_by_votes();
        all
    }
}
