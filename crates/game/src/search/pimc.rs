//! Perfect-information Monte Carlo: every imagined world is searched as if it were open.

use super::walk::{Updates, Walker};
use super::worlds::{AsImagined, Worlds};
use super::{Findings, Parts, Thinker};
use crate::chance::Stream;
use crate::{Game, Sight, Turn};

/// A search of each imagined world with open cards, each world with one vote for its best move
/// (Levy 1989; Ginsberg 2001, *GIB*; why it can work: Long, Sturtevant, Buro and Furtak 2010).
/// Since cards are drawn during play, the search of a world is MCTS and draws them anew each time.
pub struct Pimc<G: Game> {
    world_iterations: u64,
    worlds: Worlds<G>,
    walker: Walker<G>,
    legal: Vec<G::Move>,
}

impl<G: Game> Pimc<G> {
    /// A search that gives each world so many of its iterations. It asks no guide.
    pub fn new(mut parts: Parts<G>, world_iterations: u64) -> Pimc<G> {
        let worlds = Worlds::new(parts.model.take());
        Pimc { world_iterations, worlds, walker: Walker::new(1, parts), legal: Vec::new() }
    }
}

impl<G: Game> Thinker<G> for Pimc<G> {
    fn start(&mut self) {}

    fn think(&mut self, game: &G, sight: Sight<'_, G>, chance: &mut Stream) -> Findings<G::Move> {
        game.options(sight.view, &mut self.legal);
        if self.legal.len() < 2 {
            return Findings::untried(&self.legal);
        }
        let mut all = Findings::default();
        if let Turn::Of(seat) = game.turn(&game.imagine(sight.view, chance)) {
            self.worlds.look(game, sight, (seat, &AsImagined), chance);
        }
        let mut running = self.walker.parts.budget.limit.start();
        let mut more = running.next();
        while more {
            let world = self.worlds.draw(game, sight, &AsImagined, chance);
            let Turn::Of(seat) = game.turn(&world) else { break };
            self.walker.clear(self.legal[0]);
            let mut done = 0;
            while more && done < self.world_iterations {
                let mut state = world.clone();
                let how = (None, Updates::All);
                self.walker.iterate((game, &AsImagined), &mut state, how, chance);
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
