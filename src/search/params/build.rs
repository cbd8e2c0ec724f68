//! The search that a resolved file describes.

use std::sync::Arc;

use super::{Search, StartFile};
use crate::game::{Game, Policy};
use crate::search::{
    CutOff, Guide, Model, MonteCarlo, MonteCarloParts, Observers, Pimc, PimcParts, Rollout,
    StagedRollout, Thinker, TreeSearch, TreeSearchParts,
};

impl<P> Search<P> {
    /// The search for a game, with the policies that its files name.
    pub fn thinker<G: Game + 'static>(
        &self,
        game: &G,
        rollout: impl Fn(&P, f64) -> Arc<dyn Rollout<G>>,
        policy: impl Fn(&P) -> Arc<dyn Policy<G>>,
    ) -> Box<dyn Thinker<G>> {
        let common = self.common();
        let (budget, reward) = (common.budget(), common.reward());
        let mut then = rollout(common.rollout, common.stray);
        if let Some(StartFile { strategy, moves }) = common.rollout_start {
            let first = rollout(strategy, common.stray);
            then = Arc::new(StagedRollout { first, moves: *moves, then });
        }
        let rollout = then;
        let judge = |moves| CutOff { moves, judge: common.judge.map(&policy) };
        let cut_off = common.cut_off.map(judge);
        let guide = self.guide().map(|file| Guide {
            policy: policy(&file.strategy),
            visits: file.visits,
            reward: file.reward,
            keep: file.keep.map_or(usize::MAX, |keep| keep as usize),
        });
        let model = self.model().map(|file| Model {
            policy: policy(&file.strategy),
            doubt: file.doubt,
            moves: file.moves as usize,
            pool: file.pool as usize,
        });
        let (observers, tree, decide, reuse, paired) = match self {
            Search::MonteCarlo(file) => {
                let join_equal = file.join_equal;
                let parts =
                    MonteCarloParts { budget, reward, cut_off, rollout, model, guide, join_equal };
                return Box::new(MonteCarlo::new(parts));
            }
            Search::Pimc(file) => {
                let (tree, decide) = (file.tree().options::<G>(), file.decide);
                return Box::new(Pimc::new(PimcParts {
                    budget,
                    world_iterations: file.world_iterations,
                    tree,
                    reward,
                    cut_off,
                    rollout,
                    model,
                    decide,
                }));
            }
            Search::Ismcts(file) => {
                (Observers::Single, file.tree(), file.decide, file.reuse, file.paired)
            }
            Search::MoIsmcts(file) => {
                let observers = match file.redeterminize {
                    true => Observers::Redeterminizing,
                    false => Observers::Multiple,
                };
                (observers, file.tree(), file.decide, file.reuse, false)
            }
            Search::Mcts(file) => (Observers::Perfect, file.tree(), file.decide, file.reuse, false),
        };
        let tree = tree.options::<G>();
        let parts = TreeSearchParts {
            observers,
            budget,
            tree,
            reward,
            cut_off,
            rollout,
            model,
            guide,
            decide,
            reuse,
            paired,
        };
        Box::new(TreeSearch::new(game.seats(), parts))
    }
}
