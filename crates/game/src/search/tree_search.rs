//! Tree searches: information-set MCTS with one tree or one per seat, MCTS of one world, and
//! perfect-information Monte Carlo.

use super::budget::BudgetClock;
use super::determinization::Root;
use super::result::SearchResult;
use super::root::{CHECK_EVERY, find, is_pruned};
use super::selection::{Bandit, TreeOptions};
use super::tree::{ROOT, Tree};
use super::{Method, Observers, Search};
use crate::{Game, Seat};
use parlour_base::chance::{Seed, Stream};

impl<G: Game> Search<G> {
    /// Clears the trees. The candidates must be listed.
    pub(super) fn clear_trees(&mut self, game: &G) {
        if self.trees.is_empty() {
            let count = match self.parts.method {
                Method::Tree {
                    observers: Observers::Multiple | Observers::Redeterminizing,
                    ..
                } => game.seats(),
                _ => 1,
            };
            let by_memory =
                || self.parts.tree.memory_mb as usize * 1_000_000 / Tree::<G::Move>::NODE_BYTES;
            let cap = (self.parts.node_cap.unwrap_or_else(by_memory) / count).max(1);
            self.trees = (0..count).map(|_| Tree::new(cap)).collect();
        }
        let any = self.root_moves[0].mv;
        self.trees.iter_mut().for_each(|tree| tree.clear(any));
    }

    /// Returns `true` if the last trees are still valid: the moves since then lead from their world
    /// to exactly this view, whatever chance does. Then the node after these moves is the root.
    pub(super) fn can_reuse(&mut self, root: &Root<'_, G>, chance: &mut Stream) -> bool {
        let Some((before, world)) = self.last.take() else { return false };
        let Some(since) = root.observation.past.get(before..) else { return false };
        let is_same = (0..2).all(|_| {
            let mut world = world.clone();
            since.iter().all(|&(_, mv)| root.game.try_apply(&mut world, mv, chance).is_ok())
                && root.game.view(&world, root.seat) == *root.observation.view
        });
        let place =
            |tree: &Tree<G::Move>| since.iter().try_fold(ROOT, |at, &(_, mv)| tree.child(at, mv));
        let places: Option<Vec<u32>> = self.trees.iter().map(place).collect();
        let Some(places) = places.filter(|_| is_same) else { return false };
        self.trees.iter_mut().zip(places).for_each(|(tree, place)| tree.reroot(place));
        true
    }

    /// Searches with trees from the root, of which `first` is a world.
    pub(super) fn grow(
        &mut self,
        root: &Root<'_, G>,
        first: &G::State,
        (observers, paired): (Observers, bool),
        may_stop: bool,
        chance: &mut Stream,
    ) -> SearchResult<G::Move> {
        let seats = root.game.seats() as u64;
        let mut clock = self.parts.budget.start();
        let mut world = first.clone();
        let common = Seed::new(chance.bits());
        if may_stop && let [only] = &self.root_moves[..] {
            return SearchResult::untried(&[only.mv]);
        }
        while clock.next() {
            if (may_stop && self.is_settled(root.seat, &clock))
                || self.prune(root.seat, &clock, paired)
            {
                clock.done -= 1;
                break;
            }
            if paired {
                // These playouts use streams of `common`, so `chance` does not depend on their
                // number.
                let (step, tried) = self.open(root, first, chance);
                let mut chance = common.child(tried).stream();
                world = self.worlds.draw(root, &mut chance);
                self.iterate(root, &mut world, (Some(step), None), &mut chance);
                continue;
            }
            // The searching seat learns first, then the others in turn.
            let turn = (u64::from(root.seat.0) + clock.done - 1) % seats;
            let learner = (observers == Observers::Redeterminizing).then_some(Seat(turn as u8));
            match observers {
                Observers::Perfect => world.clone_from(first),
                _ => world = self.worlds.draw(root, chance),
            }
            self.iterate(root, &mut world, (None, learner), chance);
        }
        self.findings(root.seat, clock.done)
    }

    /// Returns `true` if the remaining playouts of the remaining moves can change neither the best
    /// root move nor the use of random numbers. Looks only now and then.
    fn is_settled(&self, seat: Seat, clock: &BudgetClock) -> bool {
        let Some(all) = clock.all.filter(|_| (clock.done - 1).is_multiple_of(CHECK_EVERY)) else {
            return false;
        };
        let TreeOptions { bandit, decide, .. } = self.parts.tree;
        let (findings, count) = self.findings_of_the_rest(seat);
        // An untried move may be the best, and is drawn at random.
        bandit != Bandit::Exp3
            && findings.moves.len() == count
            && (count == 1 || findings.is_settled(decide, all - clock.done + 1))
    }

    /// Prunes the root moves that are clearly behind, now and then. Returns `true` if the search
    /// ends: only one move remains, or the remaining moves have used up their share of the playouts
    /// (that of pruned moves is not spent).
    fn prune(&mut self, seat: Seat, clock: &BudgetClock, paired: bool) -> bool {
        let Some(errors) = self.parts.budget.prune_after_se else { return false };
        if !clock.done.is_multiple_of(CHECK_EVERY) {
            return false;
        }
        let (findings, _) = self.findings_of_the_rest(seat);
        if let Some((best, rivals)) = findings.moves.split_first()
            && let Some(at) = find(&self.root_moves, &best.mv)
        {
            let rewards = self.root_moves[at].rewards.clone();
            for rival in rivals {
                let lead = best.value_with_prior() - rival.value_with_prior();
                if let Some(at) = find(&self.root_moves, &rival.mv) {
                    let candidate = &mut self.root_moves[at];
                    candidate.is_pruned = candidate.is_dominated(&rewards, lead, errors, paired);
                }
            }
        }
        let pruned = self.root_moves.iter().filter(|candidate| candidate.is_pruned);
        let (count, spent) = pruned.fold((0, 0), |(count, spent), candidate| {
            (count + 1, spent + candidate.rewards.len() as u64)
        });
        let left = self.root_moves.len() - count;
        let share = self
            .parts
            .budget
            .iterations
            .map_or(u64::MAX / 2, |all| all * left as u64 / self.root_moves.len() as u64);
        left < 2 || clock.done > share + spent
    }

    /// Returns the statistics of the root moves that are not pruned, and the number of these moves,
    /// including untried ones.
    fn findings_of_the_rest(&self, seat: Seat) -> (SearchResult<G::Move>, usize) {
        let mut findings = self.findings(seat, 0);
        findings.moves.retain(|finding| !is_pruned(&self.root_moves, &finding.mv));
        (findings, self.root_moves.iter().filter(|candidate| !candidate.is_pruned).count())
    }

    /// Searches one world after another with open cards, each by MCTS. The result needs no ranking.
    pub(super) fn vote(
        &mut self,
        root: &Root<'_, G>,
        world_iterations: u64,
        chance: &mut Stream,
    ) -> SearchResult<G::Move> {
        let mut all = SearchResult::default();
        let mut clock = self.parts.budget.start();
        let mut more = clock.next();
        while more {
            let world = self.worlds.draw(root, chance);
            self.clear_trees(root.game);
            let mut done = 0;
            while more && done < world_iterations {
                self.iterate(root, &mut world.clone(), (None, None), chance);
                done += 1;
                more = clock.next();
            }
            let mut here = self.findings(root.seat, done);
            (here.worlds, here.nodes) = (1, here.nodes.max(all.nodes) - all.nodes);
            for (place, finding) in here.moves.iter_mut().enumerate() {
                finding.worlds = u64::from(place == 0);
            }
            all.merge(&here);
        }
        all.rank_by_votes();
        all
    }
}
