//! Thinking ahead: flat Monte Carlo, perfect-information Monte Carlo, information-set MCTS.
//!
//! Generic over [`Game`]: no game is known here by name. A [`Thinker`] looks at one position and
//! says what it [found out](Findings) about each move; [`Thinking`] makes a bot of it. What it
//! finds is a function of the sight, its parameters and the stream (and, where it is told to keep
//! its tree between moves, of the moves before in the same hand). Equal values are decided by the
//! order of moves.
//!
//! The memory of a bot is capped by [`Parts::node_cap`]: once a tree is full it grows no
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
pub use choice::{Bandit, Opening, TreeOptions};
pub use ending::EndingOptions;
pub use findings::{Decide, Finding, Findings, Lent};
pub use guide::{Guide, GuideOptions};
pub use monte_carlo::MonteCarlo;
pub use options::{
    IsmctsOptions, MctsOptions, MoIsmctsOptions, MonteCarloOptions, Named, PimcOptions, Search,
};
pub use pimc::Pimc;
pub use playout::{FirstMoves, Playout, PlayoutOptions, PolicyPlayout, Reflex, StagedPlayout};
pub use reward::{CutOff, CutOffOptions, Reward, Rewards};
pub use tree_search::{Observers, TreeSearch};
pub use worlds::{AsImagined, Determinizer, Model, ModelOptions, think_together};

use std::sync::Arc;

use crate::chance::Stream;
use crate::{Bot, Game, Seat, Sight};

/// A search.
pub trait Thinker<G: Game>: Send {
    /// A new hand begins: forget the last one.
    fn start(&mut self);

    /// Looks at a position; the view is of the seat to move. The moves come best first.
    fn think(&mut self, game: &G, sight: Sight<'_, G>, chance: &mut Stream) -> Findings<G::Move>;

    /// Looks at a position for the sake of the best move alone, which comes first: a search that
    /// finds the same one sooner may end there. It leaves `chance` as [`think`](Thinker::think)
    /// does.
    fn decide(&mut self, game: &G, sight: Sight<'_, G>, chance: &mut Stream) -> Findings<G::Move> {
        self.think(game, sight, chance)
    }
}

/// What a search is made of, whichever it is.
pub struct Parts<G: Game> {
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
    /// How trees are walked; of a search without one only `join_equal` counts.
    pub tree: TreeOptions,
    /// All trees together have at most this many nodes.
    pub node_cap: usize,
}

impl<G: Game> Parts<G> {
    /// So many playouts, and of all else what a file means that does not say it.
    pub fn plain(iterations: u64, playout: Arc<dyn Playout<G>>) -> Parts<G> {
        let parts = Parts {
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
    pub fn with_tree(self, tree: TreeOptions) -> Parts<G> {
        let node_cap = tree.memory_mb as usize * 1_000_000 / tree::Tree::<G::Move>::NODE_BYTES;
        Parts { tree, node_cap, ..self }
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
pub struct Thinking<T>(pub T);

impl<G: Game, T: Thinker<G> + ?Sized> Bot<G> for Thinking<Box<T>> {
    fn start(&mut self, _: Seat) {
        self.0.start();
    }

    fn choose(&mut self, game: &G, sight: Sight<'_, G>, chance: &mut Stream) -> G::Move {
        let best = self.0.decide(game, sight, chance).best();
        // A search that found nothing has no budget to speak of; any move will do.
        best.unwrap_or_else(|| game.sample_view(sight.view, chance))
    }
}
