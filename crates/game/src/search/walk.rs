//! One iteration of a tree search: selection, expansion, playout and backpropagation.

use arrayvec::ArrayVec;

use super::determinization::Determinizer;
use super::pruning::RewardLog;
use super::result::{MoveEstimate, Prior, SearchResult};
use super::reward::Rewards;
use super::selection::{Chooser, Step};
use super::tree::{ROOT, Tree};
use super::{Bandit, SearchParts, TreeOptions};
use crate::{Game, MAX_SEATS, Observation, Seat, Turn};
use parlour_base::chance::Stream;

/// Marks that the hand has left the tree.
const OUTSIDE: u32 = u32::MAX;

/// The trees that learn from an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Updates {
    /// Every tree.
    All,
    /// Only the tree of this seat. When it is first to move, the world is sampled again from its
    /// view, unless it is the searching seat.
    Only(Seat),
}

impl Updates {
    #[inline]
    fn has(self, tree: usize, trees: usize) -> bool {
        match self {
            Updates::All => true,
            Updates::Only(seat) => trees == 1 || seat.index() == tree,
        }
    }
}

/// A step of the path: the nodes in each tree, the seat that moved, and the probability of its
/// selection.
struct PathStep {
    nodes: [u32; MAX_SEATS],
    seat: Seat,
    chance: f32,
}

/// The trees and the walk through them.
pub(super) struct Walker<G: Game> {
    pub parts: SearchParts<G>,
    trees: Vec<Tree<G::Move>>,
    chooser: Chooser,
    path: Vec<PathStep>,
    legal: Vec<G::Move>,
    /// The guide's priors of the root moves, in order; empty without a guide.
    priors: Vec<(G::Move, f32)>,
    /// The priors of the moves that are not pruned.
    tried: Vec<(G::Move, f32)>,
    /// Number of moves at the root.
    pub candidates: usize,
    /// The pruned moves at the root.
    dropped: Vec<G::Move>,
    /// The rewards of the root moves, needed for pruning.
    reward_log: RewardLog<G::Move>,
}

impl<G: Game> Walker<G> {
    /// Creates a walker with `trees` trees: one, or one per seat.
    pub fn new(trees: usize, parts: SearchParts<G>) -> Self {
        let cap = (parts.node_cap / trees.max(1)).max(1);
        Walker {
            trees: (0..trees).map(|_| Tree::new(cap)).collect(),
            chooser: Chooser::new(parts.tree),
            parts,
            path: Vec::new(),
            legal: Vec::new(),
            priors: Vec::new(),
            tried: Vec::new(),
            candidates: 0,
            dropped: Vec::new(),
            reward_log: RewardLog::new(),
        }
    }

    /// Prunes the root moves that are behind by `errors` standard errors. Returns the number of
    /// remaining moves.
    pub fn prune(&mut self, seat: Seat, errors: f64, paired: bool) -> usize {
        let mut findings = self.findings(seat, 0);
        findings.moves.retain(|finding| !self.dropped.contains(&finding.mv));
        self.dropped.extend(self.reward_log.dominated(&findings, errors, paired));
        let dropped = &self.dropped;
        self.tried.retain(|(mv, _)| !dropped.contains(mv));
        self.candidates - self.dropped.len()
    }

    /// Returns the root move if there is only one.
    pub fn only_candidate(&self) -> Option<G::Move> {
        let guided = self.priors.first().map(|(mv, _)| *mv);
        guided.or(self.legal.first().copied()).filter(|_| self.candidates == 1)
    }

    /// Returns `true` if `left` more playouts of the remaining moves can change neither the best
    /// root move nor the use of random numbers.
    pub fn is_settled(&self, seat: Seat, left: u64) -> bool {
        let TreeOptions { bandit, decide, .. } = self.parts.tree;
        let mut findings = self.findings(seat, 0);
        findings.moves.retain(|finding| !self.dropped.contains(&finding.mv));
        let alone = self.candidates == self.dropped.len() + 1;
        // An untried move may be the best, and is drawn at random.
        let tried = findings.moves.len() + self.dropped.len() == self.candidates;
        bandit != Bandit::Exp3 && tried && (alone || findings.is_settled(decide, left))
    }

    /// Number of playouts of the pruned moves.
    pub fn spent_on_dropped(&self) -> u64 {
        self.dropped.iter().map(|mv| self.reward_log.tried(*mv)).sum()
    }

    /// Asks the guide, if there is one, for priors of the root moves, which were listed from the
    /// view.
    pub fn ask(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        world: &G::State,
        legal: &[G::Move],
    ) {
        self.legal.clear();
        self.legal.extend_from_slice(legal);
        if self.parts.tree.dedup_moves
            && let Some(aid) = game.search_aid()
        {
            aid.dedup_moves(world, &mut self.legal);
        }
        self.candidates = self.legal.len();
        let Some(guide) = &self.parts.guide else { return };
        guide.priors(game, observation, &self.legal, &mut self.priors);
        if !self.priors.is_empty() {
            self.candidates = self.priors.len();
        }
        self.tried.clone_from(&self.priors);
    }

    /// Clears the trees.
    pub fn clear(&mut self, any: G::Move) {
        self.trees.iter_mut().for_each(|tree| tree.clear(any));
        self.reward_log.clear();
        self.dropped.clear();
    }

    /// Makes the node after these moves the root. Returns `false` if there is no such node; the
    /// trees are then empty.
    pub fn reroot(&mut self, moves: impl Iterator<Item = G::Move> + Clone) -> bool {
        let mut places = ArrayVec::<u32, MAX_SEATS>::new();
        for tree in &self.trees {
            let start = if tree.is_empty() { None } else { Some(ROOT) };
            match moves.clone().try_fold(start, |at, mv| at.map(|at| tree.child(at, mv))) {
                Some(Some(place)) => places.push(place),
                _ => return false,
            }
        }
        for (tree, place) in self.trees.iter_mut().zip(places) {
            tree.reroot(place);
        }
        true
    }

    /// Replaces `legal` by the legal moves without equivalent ones.
    #[inline]
    fn list(&mut self, game: &G, from: &impl Determinizer<G>, state: &G::State) {
        game.legal_moves(state, &mut self.legal);
        from.prune(state, &mut self.legal);
        if self.parts.tree.dedup_moves
            && let Some(aid) = game.search_aid()
        {
            aid.dedup_moves(state, &mut self.legal);
        }
    }

    /// Selects a move at a node of a tree. At its root the guide takes part if the tree learns. The
    /// moves must be [listed](Walker::list).
    fn choose(
        &mut self,
        game: &G,
        state: &G::State,
        (tree, at): (usize, u32),
        learns: bool,
        chance: &mut Stream,
    ) -> Step<G::Move> {
        let guide = self.parts.guide.as_ref().filter(|_| at == ROOT && learns);
        if at == ROOT && !self.dropped.is_empty() {
            let dropped = &self.dropped;
            self.legal.retain(|mv| !dropped.contains(mv));
        }
        let tree = &mut self.trees[tree];
        if let Some(guide) = guide.filter(|_| !self.priors.is_empty()) {
            return self.chooser.guided_step(tree, &self.tried, guide.options.visits as f32);
        }
        let suggest = |chance: &mut Stream| self.parts.playout.suggest(game, state, chance);
        self.chooser.step(tree, at, &self.legal, learns, chance, suggest)
    }

    /// Selects the first move of an iteration, which is legal in all worlds. Returns also the
    /// number of its earlier playouts. Only for one tree.
    pub fn open(
        &mut self,
        (game, from): (&G, &impl Determinizer<G>),
        world: &G::State,
        chance: &mut Stream,
    ) -> (Step<G::Move>, u64) {
        if self.priors.is_empty() {
            self.list(game, from, world);
        }
        let step = self.choose(game, world, (0, ROOT), true, chance);
        let tried = match step {
            Step::Known(child, _) => u64::from(self.trees[0].node(child).visits),
            Step::New(_) => 0,
        };
        (step, tried)
    }

    /// Runs one iteration from this world, which is consumed. `first` is the first move if it was
    /// [selected](Walker::open) already.
    pub fn iterate(
        &mut self,
        (game, from): (&G, &impl Determinizer<G>),
        state: &mut G::State,
        (mut first, updates): (Option<Step<G::Move>>, Updates),
        chance: &mut Stream,
    ) {
        self.path.clear();
        let trees = self.trees.len();
        let depth = self.parts.tree.depth.map_or(usize::MAX, |depth| depth as usize);
        let mut here = [ROOT; MAX_SEATS];
        // The searching seat's own world is already sampled from its view; only another tree's
        // update samples again.
        let mut imagined = match (updates, game.turn(state)) {
            (Updates::Only(who), Turn::Seat(seat)) => who == seat || trees == 1,
            _ => true,
        };
        let mut running = true;
        while running && let Turn::Seat(seat) = game.turn(state) {
            if !imagined && updates == Updates::Only(seat) {
                *state = from.draw(game, &game.view(state, seat), chance);
                imagined = true;
            }
            if first.is_none() {
                self.list(game, from, state);
            }
            let own = seat.index().min(trees - 1);
            let follows = self.parts.tree.opponents_use_playout_policy
                && self.path.first().is_some_and(|first| first.seat != seat);
            let step = if here[own] == OUTSIDE || follows {
                let hint = self.parts.playout.suggest(game, state, chance);
                Step::New(hint.unwrap_or_else(|| game.sample(state, chance)))
            } else {
                let learns = updates.has(own, trees);
                first
                    .take()
                    .unwrap_or_else(|| self.choose(game, state, (own, here[own]), learns, chance))
            };
            let (mv, chosen, chance_of_it) = match step {
                Step::Known(child, its_chance) => {
                    (self.trees[own].node(child).mv, Some(child), its_chance)
                }
                Step::New(mv) => (mv, None, 1.0),
            };
            let mut taken = PathStep { nodes: [OUTSIDE; MAX_SEATS], seat, chance: chance_of_it };
            for (index, (tree, at)) in self.trees.iter_mut().zip(&mut here).enumerate() {
                if *at == OUTSIDE {
                    continue;
                }
                let learns = updates.has(index, trees);
                let known = chosen.filter(|_| index == own).or_else(|| tree.child(*at, mv));
                // A learning tree grows by one node per iteration; then the playout starts.
                running &= known.is_some() || !learns;
                *at = match known {
                    Some(child) => child,
                    None if learns => tree.add(*at, mv).unwrap_or(OUTSIDE),
                    None => OUTSIDE,
                };
                if learns {
                    taken.nodes[index] = *at;
                }
            }
            self.path.push(taken);
            running &= here[..trees].iter().any(|&at| at != OUTSIDE) && self.path.len() < depth;
            game.apply(state, mv, chance);
        }
        let rewards = self.parts.play_on(game, state, chance);
        self.enter(&rewards, updates);
    }

    /// Adds the rewards along the path.
    fn enter(&mut self, rewards: &Rewards, updates: Updates) {
        let trees = self.trees.len();
        if self.parts.budget.prune_after_se.is_some()
            && let Some(first) = self.path.first()
        {
            let own = first.seat.index().min(trees - 1);
            if updates.has(own, trees) && first.nodes[own] != OUTSIDE {
                let mv = self.trees[own].node(first.nodes[own]).mv;
                self.reward_log.add(mv, rewards[first.seat.index()]);
            }
        }
        for (index, tree) in self.trees.iter_mut().enumerate() {
            if updates.has(index, trees) {
                let root = tree.node_mut(ROOT);
                root.visits += 1;
                if let Some(first) = self.path.first() {
                    root.total += f64::from(rewards[first.seat.index()]);
                }
                for taken in self.path.iter().filter(|taken| taken.nodes[index] != OUTSIDE) {
                    let node = tree.node_mut(taken.nodes[index]);
                    self.chooser.reward(node, rewards[taken.seat.index()], taken.chance);
                }
            }
        }
    }

    /// Returns the statistics of the root moves in the tree of a seat.
    pub fn findings(&self, seat: Seat, iterations: u64) -> SearchResult<G::Move> {
        let tree = &self.trees[seat.index().min(self.trees.len() - 1)];
        let (_, children) = tree.children(ROOT);
        let is_exp3 = self.parts.tree.bandit == Bandit::Exp3;
        let usual = f64::from(Chooser::usual(tree.node(ROOT)));
        let visits =
            self.parts.guide.as_ref().map_or(0.0, |it| f64::from(it.options.visits as f32));
        let lent = |mv: &G::Move| match self.priors.binary_search_by(|(own, _)| own.cmp(mv)) {
            Ok(at) => Prior { visits, total: visits * (usual + f64::from(self.priors[at].1)) },
            Err(_) => Prior::default(),
        };
        let moves = children.iter().map(|child| MoveEstimate {
            mv: child.mv,
            visits: u64::from(child.visits),
            total: child.total,
            // Rewards lie in 0..=1, so the sum of their squares is at most their sum.
            squares: if is_exp3 { child.total } else { child.squares },
            worlds: u64::from(child.visits),
            prior: lent(&child.mv),
        });
        let mut findings = SearchResult {
            moves: moves.collect(),
            iterations,
            worlds: iterations,
            nodes: self.trees.iter().map(Tree::len).sum(),
        };
        findings.rank(self.parts.tree.decide);
        // A pruned move stays behind, whatever came after.
        findings.moves.sort_by_key(|finding| self.dropped.contains(&finding.mv));
        findings
    }
}
