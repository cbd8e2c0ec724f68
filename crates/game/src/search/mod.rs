//! Thinking ahead: flat Monte Carlo, perfect-information Monte Carlo, information-set MCTS.
//!
//! Generic over [`Game`]: no game is known here by name. A [`Search`] looks at one position and
//! says what it [found out](SearchResult) about each move; [`SearchBot`] makes a bot of it. What it
//! finds is a function of the observation, its parameters and the stream (and, where it is told to keep
//! its tree between moves, of the moves before in the same hand). Equal values are decided by the
//! order of moves.
//!
//! The memory of a bot is capped by [`SearchParts::node_cap`]: once a tree is full it grows no
//! more and the search goes on sampling with what it has. After the first searches have filled
//! the buffers an iteration allocates nothing.

mod behind;
mod budget;
mod choice;
pub mod ending;
mod findings;
mod guide;
mod maths;
mod monte_carlo;
mod options;
mod pimc;
mod playout;
mod reward;
mod tree;
mod tree_search;
mod walk;
mod worlds;

pub use budget::{Budget, Limit};
pub use choice::{Bandit, Expansion, TreeOptions};
pub use ending::EndgameOptions;
pub use findings::{Decide, Lent, MoveEstimate, SearchResult};
pub use guide::{Guide, GuideOptions};
pub use monte_carlo::MonteCarlo;
pub use options::{
    IsmctsOptions, MctsOptions, MoIsmctsOptions, MonteCarloOptions, Named, PimcOptions,
    SearchConfig,
};
pub use pimc::Pimc;
pub use playout::{
    FirstMoves, Playout, PlayoutOptions, PolicyPlayout, StagedPlayout, StaticPolicy,
};
pub use reward::{CutOff, CutOffOptions, Reward, Rewards};
pub use tree_search::{Observers, TreeSearch};
pub use worlds::{Determinizer, Model, ModelOptions, UniformDeterminizer, analyze_in_parallel};

use std::sync::Arc;

use crate::chance::Stream;
use crate::{Bot, BotError, Game, Observation, Seat};

/// A search.
pub trait Search<G: Game>: Send {
    /// A new hand begins: forget the last one.
    fn start(&mut self);

    /// Looks at a position; the view is of the seat to move. The moves come best first.
    fn analyze(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        chance: &mut Stream,
    ) -> SearchResult<G::Move>;

    /// Looks at a position for the sake of the best move alone, which comes first: a search that
    /// finds the same one sooner may end there. It leaves `chance` as [`think`](Search::analyze)
    /// does.
    fn decide(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        chance: &mut Stream,
    ) -> SearchResult<G::Move> {
        self.analyze(game, observation, chance)
    }
}

/// What a search is made of, whichever it is.
pub struct SearchParts<G: Game> {
    /// How long it thinks.
    pub budget: Budget,
    /// What results are worth.
    pub reward: Reward,
    /// How playouts are played.
    pub playout: Arc<dyn Playout<G>>,
    /// After how many moves a playout is cut off and the position judged.
    pub cut_off: Option<CutOff<G>>,
    /// What the others are thought to play.
    pub model: Option<Model<G>>,
    /// Whose opinion of the candidates it starts from.
    pub guide: Option<Guide<G>>,
    /// How trees are walked; of a search without one only `dedup_moves` counts.
    pub tree: TreeOptions,
    /// All trees together have at most this many nodes.
    pub node_cap: usize,
}

impl<G: Game> SearchParts<G> {
    /// So many playouts, and of all else what a file means that does not say it.
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

    /// With other options for trees, their memory included.
    #[must_use]
    pub fn with_tree(self, tree: TreeOptions) -> SearchParts<G> {
        let node_cap = tree.memory_mb as usize * 1_000_000 / tree::Tree::<G::Move>::NODE_BYTES;
        SearchParts { tree, node_cap, ..self }
    }

    /// Plays a hand on as far as playouts go; what it is then worth.
    fn play_on(&self, game: &G, state: &mut G::State, chance: &mut Stream) -> Rewards {
        let limit = self.cut_off.as_ref().map(|cut_off| cut_off.moves);
        self.playout.run(game, state, limit, chance);
        let judged = self.cut_off.as_ref().and_then(|cut_off| cut_off.judged(game, state));
        judged.unwrap_or_else(|| self.reward.at(game, state))
    }
}

/// A search sitting at a seat.
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
