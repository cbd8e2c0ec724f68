//! Perfect-information Monte Carlo: every imagined world is searched as if it were open.

use std::sync::Arc;

use super::walk::{Updates, Walker};
use super::worlds::{AsImagined, Worlds};
use super::{Budget, Findings, Parts, Playout, Thinker};
use crate::chance::Stream;
use crate::game::{Game, Sight, Turn};

/// A search of each imagined world with open cards, each world with one vote for its best move
/// (Levy 1989; Ginsberg 2001, *GIB*; why it can work: Long, Sturtevant, Buro and Furtak 2010).
/// Since cards are drawn during play, the search of a world is MCTS and draws them anew each time.
pub struct Pimc<G: Game> {
    budget: Budget,
    world_iterations: u64,
    playout: Arc<dyn Playout<G>>,
    worlds: Worlds<G>,
    walker: Walker<G>,
    legal: Vec<G::Move>,
}

impl<G: Game> Pimc<G> {
    /// A search that gives each world so many of its iterations. It asks no guide.
    pub fn new(mut parts: Parts<G>, world_iterations: u64) -> Pimc<G> {
        Pimc {
            budget: parts.budget,
            world_iterations,
            playout: Arc::clone(&parts.playout),
            worlds: Worlds::new(parts.model.take()),
            walker: Walker::new(1, parts),
            legal: Vec::new(),
        }
    }
}

impl<G: Game> Thinker<G> for Pimc<G> {
    fn start(&mut self) {}

    fn think(&mut self, game: &G, sight: Sight<'_, G>, chance: &mut Stream) -> Findings<G::Move> {
        game.options(sight.view, &mut self.legal);
        let &[any, _, ..] = &self.legal[..] else {
            return self.legal.first().map_or_else(Findings::default, |&mv| Findings::forced(mv));
        };
        let mut all = Findings::default();
        let mut running = self.budget.start();
        let mut more = running.next();
        while more {
            let world = self.worlds_for(game, sight, all.worlds == 0, chance);
            let Turn::Of(seat) = game.turn(&world) else { break };
            self.walker.clear(any);
            let mut done = 0;
            while more && done < self.world_iterations {
                let mut state = world.clone();
                let playout = &*self.playout;
                self.walker.iterate(
                    (game, &AsImagined),
                    playout,
                    &mut state,
                    (None, Updates::All),
                    chance,
                );
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

impl<G: Game> Pimc<G> {
    /// The next world; the first time the pool is filled.
    fn worlds_for(
        &mut self,
        game: &G,
        sight: Sight<'_, G>,
        is_first: bool,
        chance: &mut Stream,
    ) -> G::State {
        if is_first {
            let any = game.imagine(sight.view, chance);
            if let Turn::Of(seat) = game.turn(&any) {
                self.worlds.look(game, sight, (seat, &AsImagined), chance);
            }
        }
        self.worlds.draw(game, sight, &AsImagined, chance)
    }
}
