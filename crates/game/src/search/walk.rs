//! One iteration of a tree search: down the tree, a playout, and the reward back up.

use arrayvec::ArrayVec;

use super::behind::Rewarded;
use super::choice::{Chooser, Step};
use super::findings::{Lent, MoveEstimate, SearchResult};
use super::reward::Rewards;
use super::tree::{ROOT, Tree};
use super::worlds::Determinizer;
use super::{Bandit, SearchParts, TreeOptions};
use crate::chance::Stream;
use crate::{Game, MAX_SEATS, Observation, Seat, Turn};

/// No node: the hand has left the tree.
const OFF: u32 = u32::MAX;

/// Which trees learn from an iteration, and from where on the world is another's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Updates {
    /// Every tree.
    All,
    /// The tree of this seat alone. When it is first to move, the world is imagined afresh from
    /// what it knows (unless it is the seat whose search this is).
    Only(Seat),
}

/// The seats that learn here.
impl Updates {
    #[inline]
    fn has(self, tree: usize, trees: usize) -> bool {
        match self {
            Updates::All => true,
            Updates::Only(seat) => trees == 1 || seat.index() == tree,
        }
    }
}

/// A step that was taken: the nodes it led to, tree by tree, the seat that took it, and with what
/// chance it was chosen.
struct Taken {
    nodes: [u32; MAX_SEATS],
    seat: Seat,
    chance: f32,
}

/// One tree, or one for each seat, and the way through them.
pub(super) struct Walker<G: Game> {
    pub parts: SearchParts<G>,
    trees: Vec<Tree<G::Move>>,
    chooser: Chooser,
    path: Vec<Taken>,
    legal: Vec<G::Move>,
    /// What the guide thinks of the moves at the root, in order; none without a guide.
    priors: Vec<(G::Move, f32)>,
    /// Those of them that are still tried.
    tried: Vec<(G::Move, f32)>,
    /// How many moves may be made at the root.
    pub candidates: usize,
    /// Those of them that are tried no more.
    dropped: Vec<G::Move>,
    /// What the moves at the root brought, where the search may stop early.
    rewarded: Rewarded<G::Move>,
}

impl<G: Game> Walker<G> {
    /// A walker through `trees` trees: one, or as many as there are seats.
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
            rewarded: Rewarded::new(),
        }
    }

    /// Drops the moves at the root that are behind by so many standard errors; how many are left.
    pub fn drop_behind(&mut self, seat: Seat, errors: f64, paired: bool) -> usize {
        let mut findings = self.findings(seat, 0);
        findings.moves.retain(|finding| !self.dropped.contains(&finding.mv));
        self.dropped.extend(self.rewarded.behind(&findings, errors, paired));
        let dropped = &self.dropped;
        self.tried.retain(|(mv, _)| !dropped.contains(mv));
        self.candidates - self.dropped.len()
    }

    /// The only move that may be made at the root, if there is but one.
    pub fn only_candidate(&self) -> Option<G::Move> {
        let guided = self.priors.first().map(|(mv, _)| *mv);
        guided.or(self.legal.first().copied()).filter(|_| self.candidates == 1)
    }

    /// Whether so many more playouts, each of a move that is still tried, cannot change the best
    /// move at the root, nor what chance chooses there.
    pub fn is_settled(&self, seat: Seat, left: u64) -> bool {
        let TreeOptions { bandit, decide, .. } = self.parts.tree;
        let mut findings = self.findings(seat, 0);
        findings.moves.retain(|finding| !self.dropped.contains(&finding.mv));
        let alone = self.candidates == self.dropped.len() + 1;
        // A move that was never tried may be the best, and is drawn by lot.
        let tried = findings.moves.len() + self.dropped.len() == self.candidates;
        bandit != Bandit::Exp3 && tried && (alone || findings.is_settled(decide, left))
    }

    /// How many playouts the dropped moves had.
    pub fn spent_on_dropped(&self) -> u64 {
        self.dropped.iter().map(|mv| self.rewarded.tried(*mv)).sum()
    }

    /// Asks the guide, if there is one, about the moves at the root, which were listed from the
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
        if self.parts.tree.dedup_moves {
            game.dedup_moves(world, &mut self.legal);
        }
        self.candidates = self.legal.len();
        let Some(guide) = &self.parts.guide else { return };
        guide.priors(game, observation, &self.legal, &mut self.priors);
        if !self.priors.is_empty() {
            self.candidates = self.priors.len();
        }
        self.tried.clone_from(&self.priors);
    }

    /// Forgets the trees.
    pub fn clear(&mut self, any: G::Move) {
        self.trees.iter_mut().for_each(|tree| tree.clear(any));
        self.rewarded.clear();
        self.dropped.clear();
    }

    /// Goes down to the node that these moves lead to and makes it the root. False, and nothing is
    /// left, when there is none.
    pub fn climb(&mut self, moves: impl Iterator<Item = G::Move> + Clone) -> bool {
        let mut places = ArrayVec::<u32, MAX_SEATS>::new();
        for tree in &self.trees {
            let start = if tree.is_empty() { None } else { Some(ROOT) };
            match moves.clone().try_fold(start, |at, mv| at.map(|at| tree.child(at, mv))) {
                Some(Some(place)) => places.push(place),
                _ => return false,
            }
        }
        for (tree, place) in self.trees.iter_mut().zip(places) {
            tree.climb(place);
        }
        true
    }

    /// Replaces `legal` by the moves of the seat to move, those that cannot differ once.
    #[inline]
    fn list(&mut self, game: &G, from: &impl Determinizer<G>, state: &G::State) {
        game.legal_moves(state, &mut self.legal);
        from.prune(state, &mut self.legal);
        if self.parts.tree.dedup_moves {
            game.dedup_moves(state, &mut self.legal);
        }
    }

    /// Chooses at a node of a tree; at its root the guide has a say if the tree learns. The moves
    /// are [listed](Walker::list).
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

    /// Chooses the first move of an iteration, which is legal in this world and in all others;
    /// also how often it was tried. For one tree.
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

    /// One iteration from this world, which is used up; `first` is its first move if that is
    /// [chosen](Walker::open).
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
        // Our own world is known to us as well as can be: only an update of another's tree
        // imagines it afresh.
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
            let step = if here[own] == OFF || follows {
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
            let mut taken = Taken { nodes: [OFF; MAX_SEATS], seat, chance: chance_of_it };
            for (index, (tree, at)) in self.trees.iter_mut().zip(&mut here).enumerate() {
                if *at == OFF {
                    continue;
                }
                let learns = updates.has(index, trees);
                let known = chosen.filter(|_| index == own).or_else(|| tree.child(*at, mv));
                // A learning tree grows by one node an iteration; once it has grown, the playout
                // begins.
                running &= known.is_some() || !learns;
                *at = match known {
                    Some(child) => child,
                    None if learns => tree.add(*at, mv).unwrap_or(OFF),
                    None => OFF,
                };
                if learns {
                    taken.nodes[index] = *at;
                }
            }
            self.path.push(taken);
            running &= here[..trees].iter().any(|&at| at != OFF) && self.path.len() < depth;
            game.apply(state, mv, chance);
        }
        let rewards = self.parts.play_on(game, state, chance);
        self.enter(&rewards, updates);
    }

    /// Enters the rewards along the path.
    fn enter(&mut self, rewards: &Rewards, updates: Updates) {
        let trees = self.trees.len();
        if self.parts.budget.ahead.is_some()
            && let Some(first) = self.path.first()
        {
            let own = first.seat.index().min(trees - 1);
            if updates.has(own, trees) && first.nodes[own] != OFF {
                let mv = self.trees[own].node(first.nodes[own]).mv;
                self.rewarded.enter(mv, rewards[first.seat.index()]);
            }
        }
        for (index, tree) in self.trees.iter_mut().enumerate() {
            if updates.has(index, trees) {
                let root = tree.node_mut(ROOT);
                root.visits += 1;
                if let Some(first) = self.path.first() {
                    root.total += f64::from(rewards[first.seat.index()]);
                }
                for taken in self.path.iter().filter(|taken| taken.nodes[index] != OFF) {
                    let node = tree.node_mut(taken.nodes[index]);
                    self.chooser.reward(node, rewards[taken.seat.index()], taken.chance);
                }
            }
        }
    }

    /// What the tree of a seat says about the moves at its root.
    pub fn findings(&self, seat: Seat, iterations: u64) -> SearchResult<G::Move> {
        let tree = &self.trees[seat.index().min(self.trees.len() - 1)];
        let (_, children) = tree.children(ROOT);
        let is_exp3 = self.parts.tree.bandit == Bandit::Exp3;
        let usual = f64::from(Chooser::usual(tree.node(ROOT)));
        let visits =
            self.parts.guide.as_ref().map_or(0.0, |it| f64::from(it.options.visits as f32));
        let lent = |mv: &G::Move| match self.priors.binary_search_by(|(own, _)| own.cmp(mv)) {
            Ok(at) => Lent { visits, total: visits * (usual + f64::from(self.priors[at].1)) },
            Err(_) => Lent::default(),
        };
        let moves = children.iter().map(|child| MoveEstimate {
            mv: child.mv,
            visits: u64::from(child.visits),
            total: child.total,
            // Rewards lie in 0..=1, so their squares sum to no more than they do.
            squares: if is_exp3 { child.total } else { child.squares },
            worlds: u64::from(child.visits),
            lent: lent(&child.mv),
        });
        let mut findings = SearchResult {
            moves: moves.collect(),
            iterations,
            worlds: iterations,
            nodes: self.trees.iter().map(Tree::len).sum(),
        };
        findings.rank(self.parts.tree.decide);
        // Behind is behind, whatever came after.
        findings.moves.sort_by_key(|finding| self.dropped.contains(&finding.mv));
        findings
    }
}
