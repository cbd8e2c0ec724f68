//! Searches: flat Monte Carlo, perfect-information Monte Carlo and information-set MCTS.
//!
//! All methods are generic over [`Game`]. A [`Search`] analyzes one position and returns a
//! [`SearchResult`]; it is also a [`Bot`]. The result depends only on the observation, the options
//! and the random stream. With tree reuse it also depends on the earlier moves of the same hand.
//! Ties are broken by the order of moves.
//!
//! [`SearchParts::node_cap`] limits the memory. A full tree stops growing while sampling continues.
//! Once the buffers have grown, an iteration allocates nothing.

mod budget;
mod comparison;
mod determinization;
pub mod endgame;
mod guide;
mod monte_carlo;
mod options;
mod playout;
mod result;
mod reward;
mod root;
mod selection;
mod tree;
mod tree_search;
mod walk;

pub use budget::Budget;
pub use comparison::Comparison;
pub use determinization::{Determinizer, Model, ModelOptions, UniformDeterminizer};
pub use endgame::EndgameOptions;
pub use guide::{Guide, GuideOptions};
pub use options::{
    EVALUATOR, IsmctsOptions, MctsOptions, MoIsmctsOptions, MonteCarloOptions, PimcOptions,
    SearchConfig,
};
pub use playout::{
    FirstMoves, Playout, PlayoutOptions, PolicyPlayout, StagedPlayout, StaticPolicy,
};
pub use result::{Decide, MoveEstimate, Prior, SearchResult};
pub use reward::{CutOff, CutOffOptions, Reward, Rewards};
pub use selection::{Bandit, Expansion, TreeOptions};

use std::sync::Arc;

use rayon::prelude::*;

use crate::{Bot, BotError, Game, Observation, Seat, Turn};
use determinization::{Root, WorldSampler};
use parlour_base::chance::{Seed, Stream};
use parlour_base::threads::has_shared_threads;
use root::RootMove;
use selection::Chooser;
use tree::{PathStep, Tree};

/// The algorithm of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Flat Monte Carlo with successive halving (Karnin, Koren and Somekh 2013, *Almost optimal
    /// exploration in multi-armed bandits*).
    ///
    /// All candidates are played out in the same worlds with the same random numbers. Each round
    /// gets an equal part of the budget, after which the worse half is dropped.
    MonteCarlo,
    /// Perfect-information Monte Carlo. Each world votes for its best move (Levy 1989; Ginsberg
    /// 2001, *GIB*; Long, Sturtevant, Buro and Furtak 2010 explain why it can work).
    ///
    /// A world is searched by MCTS, which redraws the cards of the stock in each iteration.
    Pimc {
        /// Number of iterations per world.
        world_iterations: u64,
    },
    /// A search with trees.
    Tree {
        /// The observers whose knowledge the trees represent.
        observers: Observers,
        /// Keep the tree for the next move of the same hand if no hidden information was revealed
        /// in between.
        reuse: bool,
        /// Make the n-th playout of every candidate in the same world with the same random numbers,
        /// so that all candidates share their luck. Only with [`Observers::Single`].
        paired: bool,
    },
}

impl From<Observers> for Method {
    fn from(observers: Observers) -> Method {
        Method::Tree { observers, reuse: false, paired: false }
    }
}

/// The observers whose knowledge the trees represent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Observers {
    /// One tree of the searching seat's information sets, with a new determinization in each
    /// iteration: SO-ISMCTS (Cowling, Powley and Whitehouse 2012, *Information Set Monte Carlo Tree
    /// Search*).
    Single,
    /// One tree per seat: MO-ISMCTS (same paper). Where every move is public, all trees are alike,
    /// and so are the selections.
    Multiple,
    /// One tree per seat, trained on worlds sampled from that seat's view (after Goodman 2019,
    /// *Re-determinizing MCTS in Hanabi*). Iterations take turns over the seats. In those of
    /// another seat, the world is sampled again from its view when it is first to move, and only
    /// its tree learns. So the opponents' models do not know our hand.
    Redeterminizing,
    /// One tree over one world: MCTS for perfect information (Kocsis and Szepesvári 2006). Chance
    /// during play is drawn in each iteration (open loop).
    Perfect,
}

/// The parts of a search.
pub struct SearchParts<G: Game> {
    /// The algorithm.
    pub method: Method,
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
    /// Endgame solver.
    pub endgame: Option<EndgameOptions>,
    /// Tree options. Flat Monte Carlo uses only `dedup_moves`.
    pub tree: TreeOptions,
    /// Maximum number of nodes of all trees together; by default it follows from the memory limit
    /// of the tree options.
    pub node_cap: Option<usize>,
}

impl<G: Game> SearchParts<G> {
    /// Default parts with a budget of `iterations` playouts.
    pub fn plain(
        method: impl Into<Method>,
        iterations: u64,
        playout: Arc<dyn Playout<G>>,
    ) -> SearchParts<G> {
        SearchParts {
            method: method.into(),
            budget: Budget::iterations(iterations),
            reward: Reward::default(),
            playout,
            cut_off: None,
            model: None,
            guide: None,
            endgame: None,
            tree: TreeOptions::default(),
            node_cap: None,
        }
    }

    /// Plays a hand out and returns its rewards.
    fn play_on(&self, game: &G, state: &mut G::State, chance: &mut Stream) -> Rewards {
        let limit = self.cut_off.as_ref().map(|cut_off| cut_off.moves);
        self.playout.run(game, state, limit, chance);
        let evaluate = self.cut_off.as_ref().and_then(|cut_off| cut_off.evaluate(game, state));
        evaluate.unwrap_or_else(|| self.reward.at(game, state))
    }

    /// Removes equivalent moves, if the options say so.
    fn dedup(&self, game: &G, state: &G::State, moves: &mut Vec<G::Move>) {
        if self.tree.dedup_moves
            && let Some(aid) = game.search_aid()
        {
            aid.dedup_moves(state, moves);
        }
    }
}

/// A search with its memory.
pub struct Search<G: Game> {
    parts: SearchParts<G>,
    worlds: WorldSampler<G>,
    /// The candidates, in order.
    root_moves: Vec<RootMove<G::Move>>,
    /// The weight of the guide's priors in playouts; 0 without priors.
    prior_visits: f64,
    trees: Vec<Tree<G::Move>>,
    chooser: Chooser,
    path: Vec<PathStep>,
    legal: Vec<G::Move>,
    /// Number of moves at the last use of the tree, and a world of that time.
    last: Option<(usize, G::State)>,
}

impl<G: Game> Search<G> {
    /// Creates a search.
    pub fn new(parts: SearchParts<G>) -> Search<G> {
        Search {
            chooser: Chooser::new(parts.tree),
            parts,
            worlds: WorldSampler::new(),
            root_moves: Vec::new(),
            prior_visits: 0.0,
            trees: Vec::new(),
            path: Vec::new(),
            legal: Vec::new(),
            last: None,
        }
    }

    /// Analyzes a position with the whole budget. The view is of the seat to move. The best move
    /// comes first.
    pub fn analyze(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        chance: &mut Stream,
    ) -> SearchResult<G::Move> {
        self.search(game, observation, &UniformDeterminizer, false, chance)
    }

    /// Finds the best move, which comes first, over the worlds of a determinizer. May stop early if
    /// the result cannot change. Leaves `chance` in the same state as [`analyze`](Search::analyze).
    pub fn decide(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        determinizer: &dyn Determinizer<G>,
        chance: &mut Stream,
    ) -> SearchResult<G::Move> {
        self.search(game, observation, determinizer, true, chance)
    }

    fn search(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        determinizer: &dyn Determinizer<G>,
        may_stop: bool,
        chance: &mut Stream,
    ) -> SearchResult<G::Move> {
        if let Some(options) = self.parts.endgame
            && let Some(solved) = endgame::solve(game, observation.view, options, self.parts.reward)
        {
            return solved;
        }
        game.legal_moves_in_view(observation.view, &mut self.legal);
        if self.legal.len() < 2 {
            return SearchResult::untried(&self.legal);
        }
        let first = determinizer.draw(game, observation.view, chance);
        let Turn::Seat(seat) = game.turn(&first) else { return SearchResult::default() };
        let root = Root { game, observation, seat, determinizer };
        self.list_root_moves(&root, &first);
        if !self.can_reuse(&root, chance) {
            self.clear_trees(game);
        }
        self.worlds.prepare(self.parts.model.as_ref(), &root, chance);
        match self.parts.method {
            Method::MonteCarlo => self.halve(&root, chance),
            Method::Pimc { world_iterations } => self.vote(&root, world_iterations, chance),
            Method::Tree { observers, reuse, paired } => {
                let paired = paired && observers == Observers::Single;
                let may_stop = may_stop && paired && !reuse;
                let result = self.grow(&root, &first, (observers, paired), may_stop, chance);
                self.last = reuse.then_some((observation.past.len(), first));
                result
            }
        }
    }

    /// Lists the candidates and asks the guide, if there is one, for their priors. The legal moves
    /// must be listed.
    fn list_root_moves(&mut self, root: &Root<'_, G>, world: &G::State) {
        self.parts.dedup(root.game, world, &mut self.legal);
        let guided = self.parts.guide.as_ref().and_then(|guide| {
            let priors = guide.priors(root.game, root.observation, &self.legal)?;
            Some((guide.options.visits, priors))
        });
        let equal = || (0.0, self.legal.iter().map(|&mv| (mv, 0.0)).collect());
        let (visits, priors) = guided.unwrap_or_else(equal);
        self.prior_visits = visits;
        self.root_moves.clear();
        self.root_moves.extend(priors.into_iter().map(|(mv, prior)| RootMove::new(mv, prior)));
    }
}

impl<G: Game> Bot<G> for Search<G> {
    fn start(&mut self, _: Seat) {
        self.last = None;
    }

    fn choose(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        rng: &mut Stream,
    ) -> Result<G::Move, BotError> {
        let best = self.decide(game, observation, &UniformDeterminizer, rng).best();
        // A search without a result had no budget to speak of; any move will do.
        Ok(best.unwrap_or_else(|| game.sample_view(observation.view, rng)))
    }
}

/// Searches a position with several searches in parallel, each with its own random stream, and
/// merges their results in order (root parallelism: Chaslot, Winands and van den Herik 2008). The
/// result depends on the number of searches, not on that of threads. `None` without searches.
pub fn analyze_in_parallel<G: Game>(
    game: &G,
    observation: Observation<'_, G>,
    seed: Seed,
    mut searches: Vec<Search<G>>,
) -> Option<SearchResult<G::Move>> {
    let Observation { view, past } = observation;
    let workers = (0..).zip(&mut searches).map(|(worker, search)| (worker, search, view.clone()));
    let analyze = |(worker, search, view): (u64, &mut Search<G>, G::View)| {
        let mut chance = seed.child(worker).stream();
        search.analyze(game, Observation { view: &view, past }, &mut chance)
    };
    let results: Vec<_> = match has_shared_threads() {
        true => workers.collect::<Vec<_>>().into_par_iter().map(analyze).collect(),
        false => workers.map(analyze).collect(),
    };
    let mut all = SearchResult::default();
    results.iter().for_each(|result| all.merge(result));
    match searches.first()?.parts {
        SearchParts { method: Method::Tree { .. }, tree, .. } => all.rank(tree.decide),
        _ => all.rank_by_votes(),
    }
    Some(all)
}
