//! Searches: flat Monte Carlo, perfect-information Monte Carlo and information-set MCTS.
//!
//! All searches are generic over [`Game`]. A [`Search`] analyzes one position and returns a
//! [`SearchResult`]; [`SearchBot`] makes a bot of it. The result depends only on the observation,
//! the options and the random stream. With tree reuse it also depends on the earlier moves of the
//! same hand. Ties are broken by the order of moves.
//!
//! [`SearchParts::node_cap`] limits the memory. A full tree stops growing while sampling continues.
//! Once the buffers have grown, an iteration allocates nothing.

mod budget;
mod determinization;
pub mod endgame;
mod guide;
mod maths;
mod monte_carlo;
mod options;
mod pimc;
mod playout;
mod pruning;
mod result;
mod reward;
mod selection;
mod tree;
mod tree_search;
mod walk;

pub use budget::{Budget, Limit};
pub use determinization::{Determinizer, Model, ModelOptions, UniformDeterminizer};
pub use endgame::EndgameOptions;
pub use guide::{Guide, GuideOptions};
pub use monte_carlo::MonteCarlo;
pub use options::{
    IsmctsOptions, MctsOptions, MoIsmctsOptions, MonteCarloOptions, NamedStrategy, PimcOptions,
    SearchConfig,
};
pub use pimc::Pimc;
pub use playout::{
    FirstMoves, Playout, PlayoutOptions, PolicyPlayout, StagedPlayout, StaticPolicy,
};
pub use result::{Decide, MoveEstimate, Prior, SearchResult};
pub use reward::{CutOff, CutOffOptions, Reward, Rewards};
pub use selection::{Bandit, Expansion, TreeOptions};
pub use tree_search::{Observers, TreeSearch};

use std::sync::Arc;

use rayon::prelude::*;

use crate::{Bot, BotError, Game, Observation, Seat};
use parlour_base::chance::{Seed, Stream};

/// A search.
pub trait Search<G: Game>: Send {
    /// Starts a new hand and forgets the last one.
    fn start(&mut self);

    /// Analyzes a position with the whole budget. The view is of the seat to move. The best move
    /// comes first.
    fn analyze(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        chance: &mut Stream,
    ) -> SearchResult<G::Move>;

    /// Finds the best move, which comes first. May stop early if the result cannot change. Leaves
    /// `rng` in the same state as [`analyze`](Search::analyze).
    fn decide(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        chance: &mut Stream,
    ) -> SearchResult<G::Move> {
        self.analyze(game, observation, chance)
    }
}

/// The parts that all searches have in common.
pub struct SearchParts<G: Game> {
    /// Budget per move.
    pub budget: Budget,
    /// Value of results.
    pub reward: Reward,
    /// Playout policy.
    pub playout: Arc<dyn Playout<G>>,
    /// Length limit of playouts with a leaf evaluation.
    pub cut_off: Option<CutOff<G>>,
    /// Opponent model.
    pub model: Option<Model<G>>,
    /// Prior of the candidates.
    pub guide: Option<Guide<G>>,
    /// Tree options. Searches without a tree use only `dedup_moves`.
    pub tree: TreeOptions,
    /// Maximum number of nodes of all trees together.
    pub node_cap: usize,
}

impl<G: Game> SearchParts<G> {
    /// Default parts with a budget of `iterations` playouts.
    pub fn plain(iterations: u64, playout: Arc<dyn Playout<G>>) -> SearchParts<G> {
        let parts = SearchParts {
            budget: Budget::iterations(iterations),
            reward: Reward::default(),
            playout,
            cut_off: None,
            model: None,
            guide: None,
            tree: TreeOptions::default(),
            node_cap: 0,
        };
        parts.with_tree(TreeOptions::default())
    }

    /// Replaces the tree options, including their memory limit.
    #[must_use]
    pub fn with_tree(self, tree: TreeOptions) -> SearchParts<G> {
        let node_cap = tree.memory_mb as usize * 1_000_000 / tree::Tree::<G::Move>::NODE_BYTES;
        SearchParts { tree, node_cap, ..self }
    }

    /// Plays a hand out and returns its rewards.
    fn play_on(&self, game: &G, state: &mut G::State, chance: &mut Stream) -> Rewards {
        let limit = self.cut_off.as_ref().map(|cut_off| cut_off.moves);
        self.playout.run(game, state, limit, chance);
        let evaluate = self.cut_off.as_ref().and_then(|cut_off| cut_off.evaluate(game, state));
        evaluate.unwrap_or_else(|| self.reward.at(game, state))
    }
}

/// A search at a seat.
pub struct SearchBot<T>(pub T);

impl<G: Game, T: Search<G> + ?Sized> Bot<G> for SearchBot<Box<T>> {
    fn start(&mut self, _: Seat) {
        self.0.start();
    }

    fn choose(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        rng: &mut Stream,
    ) -> Result<G::Move, BotError> {
        let best = self.0.decide(game, observation, rng).best();
        // A search without a result had no budget to speak of; any move will do.
        Ok(best.unwrap_or_else(|| game.sample_view(observation.view, rng)))
    }
}

/// Searches a position with a fixed number of workers, each with its own search and random stream,
/// and merges their results in order (root parallelism: Chaslot, Winands and van den Herik 2008).
/// The result depends on the number of workers, not on that of threads.
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
