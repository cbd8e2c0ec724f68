//! What a strategy file can say about a search, whatever the game.
//!
//! `P` is how a policy (for playouts, for a model of the others) is named: a `String` in a file,
//! and whatever a game makes of it once the file is resolved.

mod build;
mod common;
mod faults;
mod file;
mod parts;
mod resolve;
mod tree;

use serde::Serialize;

use super::Decide;
use common::Common;
pub use file::{IsmctsFile, MctsFile, MoIsmctsFile, MonteCarloFile, PimcFile};
pub use parts::{GuideFile, ModelFile, StartFile, Widening};
use tree::Tree;

/// The kinds of search.
pub const KINDS: &[&str] = &["monte-carlo", "pimc", "ismcts", "mo-ismcts", "mcts"];

/// What a file of any kind says.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Search<P> {
    /// Playouts after each candidate.
    MonteCarlo(MonteCarloFile<P>),
    /// Open search of each imagined world.
    Pimc(PimcFile<P>),
    /// One tree of information sets.
    Ismcts(IsmctsFile<P>),
    /// A tree for each seat.
    MoIsmcts(MoIsmctsFile<P>),
    /// A tree of the one world there is.
    Mcts(MctsFile<P>),
}

impl<P> Search<P> {
    /// Whether it goes by the clock.
    pub fn uses_clock(&self) -> bool {
        self.common().budget().uses_clock()
    }

    /// The policy of the playouts, and how often they stray from it.
    pub fn rollout(&self) -> (&P, f64) {
        let common = self.common();
        (common.rollout, common.stray)
    }

    /// Who plays the first moves of a playout.
    pub fn rollout_start(&self) -> Option<&StartFile<P>> {
        self.common().rollout_start
    }

    /// After how many moves a playout is cut off, and who judges then.
    pub fn cut_off(&self) -> (Option<u32>, Option<&P>) {
        let common = self.common();
        (common.cut_off, common.judge)
    }

    /// Whose opinion of the candidates it starts from.
    pub fn guide(&self) -> Option<&GuideFile<P>> {
        match self {
            Search::Ismcts(file) => file.guide.as_ref(),
            Search::MoIsmcts(file) => file.guide.as_ref(),
            Search::Mcts(file) => file.guide.as_ref(),
            Search::MonteCarlo(file) => file.guide.as_ref(),
            Search::Pimc(_) => None,
        }
    }

    /// What the others are thought to play.
    pub fn model(&self) -> Option<&ModelFile<P>> {
        match self {
            Search::MonteCarlo(file) => file.model.as_ref(),
            Search::Pimc(file) => file.model.as_ref(),
            Search::Ismcts(file) => file.model.as_ref(),
            Search::MoIsmcts(file) => file.model.as_ref(),
            Search::Mcts(_) => None,
        }
    }

    /// How findings of several such searches are ranked together: `None` by votes.
    pub fn decide(&self) -> Option<Decide> {
        match self {
            Search::MonteCarlo(_) | Search::Pimc(_) => None,
            Search::Ismcts(file) => Some(file.decide),
            Search::MoIsmcts(file) => Some(file.decide),
            Search::Mcts(file) => Some(file.decide),
        }
    }

    /// The fields that every kind has.
    fn common(&self) -> Common<'_, P> {
        match self {
            Search::MonteCarlo(file) => file.common(),
            Search::Pimc(file) => file.common(),
            Search::Ismcts(file) => file.common(),
            Search::MoIsmcts(file) => file.common(),
            Search::Mcts(file) => file.common(),
        }
    }

    /// The fields of a kind with a tree.
    fn tree(&self) -> Option<Tree> {
        match self {
            Search::MonteCarlo(_) => None,
            Search::Pimc(file) => Some(file.tree()),
            Search::Ismcts(file) => Some(file.tree()),
            Search::MoIsmcts(file) => Some(file.tree()),
            Search::Mcts(file) => Some(file.tree()),
        }
    }
}
