//! Thinking ahead: flat Monte Carlo, perfect-information Monte Carlo, information-set MCTS.
//!
//! Generic over [`Game`]: no game is known here by name. A [`Thinker`] looks at one position and
//! says what it [found out](Findings) about each move; [`Thinking`] makes a bot of it. What it
//! finds is a function of the sight, its parameters and the stream (and, where it is told to keep
//! its tree between moves, of the moves before in the same hand). Equal values are decided by the
//! order of moves.
//!
//! The memory of a bot is capped by [`TreeOptions::node_cap`]: once a tree is full it grows no
//! more and the search goes on sampling with what it has. After the first searches have filled
//! the buffers an iteration allocates nothing.

mod budget;
mod choice;
mod cut_off;
mod findings;
mod guide;
mod maths;
mod monte_carlo;
mod parallel;
pub mod params;
mod pimc;
mod reward;
mod rollout;
mod tree;
mod tree_search;
mod walk;
mod worlds;

pub use budget::Budget;
pub use choice::{Opening, Rule, TreeOptions};
pub use cut_off::CutOff;
pub use findings::{Decide, Finding, Findings, Lent};
pub use guide::Guide;
pub use monte_carlo::{MonteCarlo, MonteCarloParts};
pub use parallel::think_together;
pub use pimc::{Pimc, PimcParts};
pub use reward::{Reward, Rewards};
pub use rollout::{PolicyRollout, RandomRollout, Rollout, StagedRollout};
pub use tree_search::{Observers, TreeSearch, TreeSearchParts};
pub use worlds::{AsImagined, Determinizer, Model};

use crate::chance::Stream;
use crate::game::{Bot, Game, Seat, Sight};

/// A search.
pub trait Thinker<G: Game>: Send {
    /// A new hand begins: forget the last one.
    fn start(&mut self);

    /// Looks at a position; the view is of the seat to move. The moves come best first.
    fn think(&mut self, game: &G, sight: Sight<'_, G>, chance: &mut Stream) -> Findings<G::Move>;
}

/// A search sitting at a seat.
pub struct Thinking<T>(pub T);

impl<G: Game, T: Thinker<G> + ?Sized> Bot<G> for Thinking<Box<T>> {
    fn start(&mut self, _: Seat) {
        self.0.start();
    }

    fn choose(&mut self, game: &G, sight: Sight<'_, G>, chance: &mut Stream) -> G::Move {
        let best = self.0.think(game, sight, chance).best();
        // A search that found nothing has no budget to speak of; any move will do.
        best.unwrap_or_else(|| game.sample_view(sight.view, chance))
    }
}

/// How many bytes a node of a tree takes.
fn node_bytes<G: Game>() -> usize {
    tree::Tree::<G::Move>::NODE_BYTES
}
