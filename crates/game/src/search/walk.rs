//! One iteration of a tree search: selection, expansion, playout and backpropagation.

use super::Search;
use super::determinization::Root;
use super::result::{MoveEstimate, Prior, SearchResult};
use super::reward::Rewards;
use super::root::{find, is_pruned};
use super::selection::{Bandit, Chooser, Step};
use super::tree::{OUTSIDE, PathStep, ROOT, Tree};
use crate::{Game, MAX_SEATS, Seat, Turn};
use parlour_base::chance::Stream;

impl<G: Game> Search<G> {
    /// The tree in which a seat's moves are selected.
    fn tree_of(&self, seat: Seat) -> usize {
        seat.index().min(self.trees.len() - 1)
    }

    /// Returns `true` if a tree learns from an iteration: all do, or only that of the `learner`.
    fn learns(&self, tree: usize, learner: Option<Seat>) -> bool {
        learner.is_none_or(|seat| self.tree_of(seat) == tree)
    }

    /// Replaces `legal` by the legal moves without equivalent ones.
    fn list(&mut self, root: &Root<'_, G>, state: &G::State) {
        root.game.legal_moves(state, &mut self.legal);
        root.determinizer.prune(state, &mut self.legal);
        self.parts.dedup(root.game, state, &mut self.legal);
    }

    /// Selects a move at a node of a tree. At its root the guide takes part if the tree learns. The
    /// moves must be [listed](Search::list).
    fn select(
        &mut self,
        game: &G,
        state: &G::State,
        (tree, at): (usize, u32),
        learns: bool,
        chance: &mut Stream,
    ) -> Step<G::Move> {
        if at == ROOT && learns && self.prior_visits > 0.0 {
            let weight = self.prior_visits as f32;
            return self.chooser.guided_step(&self.trees[tree], &self.root_moves, weight);
        }
        if at == ROOT {
            self.legal.retain(|mv| !is_pruned(&self.root_moves, mv));
        }
        let suggest = |chance: &mut Stream| self.parts.playout.suggest(game, state, chance);
        self.chooser.step(&mut self.trees[tree], at, &self.legal, learns, chance, suggest)
    }

    /// Selects the first move of an iteration, which is legal in all worlds. Returns also the
    /// number of its earlier playouts. Only for one tree.
    pub(super) fn open(
        &mut self,
        root: &Root<'_, G>,
        world: &G::State,
        chance: &mut Stream,
    ) -> (Step<G::Move>, u64) {
        self.list(root, world);
        let step = self.select(root.game, world, (0, ROOT), true, chance);
        let tried = step.child.map_or(0, |child| u64::from(self.trees[0].node(child).visits));
        (step, tried)
    }

    /// Runs one iteration from this world, which is consumed. `first` is the first move if it was
    /// [selected](Search::open) already. Only the tree of `learner` learns, if there is one; when
    /// this seat is first to move, the world is sampled again from its view, unless it is the
    /// searching seat.
    pub(super) fn iterate(
        &mut self,
        root: &Root<'_, G>,
        state: &mut G::State,
        (mut first, learner): (Option<Step<G::Move>>, Option<Seat>),
        chance: &mut Stream,
    ) {
        self.path.clear();
        let Root { game, determinizer, .. } = root;
        let trees = self.trees.len();
        let depth = self.parts.tree.depth.map_or(usize::MAX, |depth| depth as usize);
        let mut here = [ROOT; MAX_SEATS];
        // The world is already sampled from the view of the searching seat.
        let mut resampling = learner.filter(|seat| *seat != root.seat && trees > 1);
        let mut running = true;
        while running && let Turn::Seat(seat) = game.turn(state) {
            if resampling == Some(seat) {
                *state = determinizer.draw(game, &game.view(state, seat), chance);
                resampling = None;
            }
            let own = self.tree_of(seat);
            let follows = self.parts.tree.opponents_use_playout_policy
                && self.path.first().is_some_and(|first| first.seat != seat);
            let step = if let Some(first) = first.take() {
                first
            } else if here[own] == OUTSIDE || follows {
                let hint = self.parts.playout.suggest(game, state, chance);
                Step::new(hint.unwrap_or_else(|| game.sample(state, chance)))
            } else {
                self.list(root, state);
                let learns = self.learns(own, learner);
                self.select(game, state, (own, here[own]), learns, chance)
            };
            let probability = step.probability;
            let mut taken = PathStep { nodes: [OUTSIDE; MAX_SEATS], seat, probability };
            for (index, at) in
                here[..trees].iter_mut().enumerate().filter(|(_, at)| **at != OUTSIDE)
            {
                let learns = self.learns(index, learner);
                let tree = &mut self.trees[index];
                let known =
                    step.child.filter(|_| index == own).or_else(|| tree.child(*at, step.mv));
                // A learning tree grows by one node per iteration; then the playout starts.
                running &= known.is_some() || !learns;
                *at = match known {
                    Some(child) => child,
                    None if learns => tree.add(*at, step.mv).unwrap_or(OUTSIDE),
                    None => OUTSIDE,
                };
                if learns {
                    taken.nodes[index] = *at;
                }
            }
            self.path.push(taken);
            running &= here[..trees].iter().any(|&at| at != OUTSIDE) && self.path.len() < depth;
            game.apply(state, step.mv, chance);
        }
        let rewards = self.parts.play_on(game, state, chance);
        self.learn(&rewards, learner);
    }

    /// Adds the rewards along the path.
    fn learn(&mut self, rewards: &Rewards, learner: Option<Seat>) {
        let Some(first) = self.path.first() else { return };
        let (reward, own) = (rewards[first.seat.index()], self.tree_of(first.seat));
        if self.parts.budget.prune_after_se.is_some()
            && first.nodes[own] != OUTSIDE
            && let Some(at) = find(&self.root_moves, &self.trees[own].node(first.nodes[own]).mv)
        {
            self.root_moves[at].rewards.push(reward);
        }
        for index in 0..self.trees.len() {
            if !self.learns(index, learner) {
                continue;
            }
            let tree = &mut self.trees[index];
            let root = tree.node_mut(ROOT);
            root.visits += 1;
            root.total += f64::from(reward);
            for taken in self.path.iter().filter(|taken| taken.nodes[index] != OUTSIDE) {
                let node = tree.node_mut(taken.nodes[index]);
                self.chooser.reward(node, rewards[taken.seat.index()], taken.probability);
            }
        }
    }

    /// Returns the statistics of the root moves in the tree of a seat.
    pub(super) fn findings(&self, seat: Seat, iterations: u64) -> SearchResult<G::Move> {
        let tree = &self.trees[self.tree_of(seat)];
        let usual = f64::from(Chooser::usual(tree.node(ROOT)));
        let visits = f64::from(self.prior_visits as f32);
        let moves = tree.children(ROOT).map(|child| {
            let node = tree.node(child);
            let prior = find(&self.root_moves, &node.mv).map_or(Prior::default(), |at| {
                let prior = f64::from(self.root_moves[at].prior);
                Prior { visits, total: visits * (usual + prior) }
            });
            // Rewards lie in 0..=1, so the sum of their squares is at most their sum.
            let is_exp3 = self.parts.tree.bandit == Bandit::Exp3;
            MoveEstimate {
                mv: node.mv,
                visits: u64::from(node.visits),
                total: node.total,
                squares: if is_exp3 { node.total } else { node.squares },
                worlds: u64::from(node.visits),
                prior,
            }
        });
        let mut findings = SearchResult {
            moves: moves.collect(),
            iterations,
            worlds: iterations,
            nodes: self.trees.iter().map(Tree::len).sum(),
        };
        findings.rank(self.parts.tree.decide);
        // A pruned move stays behind, whatever came after.
        findings.moves.sort_by_key(|finding| is_pruned(&self.root_moves, &finding.mv));
        findings
    }
}
