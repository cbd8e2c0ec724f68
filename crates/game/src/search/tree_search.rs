//! Tree searches: information-set MCTS with one tree or one per seat, and plain MCTS.

use super::budget::Limit;
use super::determinization::{Determinizer, UniformDeterminizer, WorldSampler};
use super::pruning::CHECK_EVERY;
use super::walk::{Updates, Walker};
use super::{Search, SearchParts, SearchResult};
use crate::{Game, Observation, Seat, Turn};
use parlour_base::chance::{Seed, Stream};

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

/// The condition that ends a search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StopRule {
    /// The budget is spent.
    Spent,
    /// The rest of the budget cannot change the move.
    Settled,
}

/// A search with trees.
pub struct TreeSearch<G: Game> {
    observers: Observers,
    reuse: bool,
    paired: bool,
    worlds: WorldSampler<G>,
    walker: Walker<G>,
    /// Number of moves at the last use of the tree, and a world of that time.
    last: Option<(usize, G::State)>,
    legal: Vec<G::Move>,
}

impl<G: Game> TreeSearch<G> {
    /// Creates a search for a game of `seats` seats.
    pub fn new(seats: usize, observers: Observers, mut parts: SearchParts<G>) -> TreeSearch<G> {
        let trees = match observers {
            Observers::Single | Observers::Perfect => 1,
            Observers::Multiple | Observers::Redeterminizing => seats,
        };
        TreeSearch {
            observers,
            reuse: false,
            paired: false,
            worlds: WorldSampler::new(parts.model.take()),
            walker: Walker::new(trees, parts),
            last: None,
            legal: Vec::new(),
        }
    }

    /// Keeps the tree for the next move of the same hand if no hidden information was revealed in
    /// between.
    #[must_use]
    pub fn reuse(self, reuse: bool) -> TreeSearch<G> {
        TreeSearch { reuse, ..self }
    }

    /// Makes the n-th playout of every candidate in the same world with the same random numbers, so
    /// that all candidates share their luck. Only with [`Observers::Single`].
    #[must_use]
    pub fn paired(self, paired: bool) -> TreeSearch<G> {
        TreeSearch { paired: paired && self.observers == Observers::Single, ..self }
    }

    /// Returns `true` if the last tree is still valid: the moves since then lead from its world to
    /// exactly this view, whatever chance does.
    fn can_reuse(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        seat: Seat,
        chance: &mut Stream,
    ) -> bool {
        let Some((before, world)) = self.last.take() else { return false };
        let Some(since) = observation.past.get(before..) else { return false };
        let same = (0..2).all(|_| {
            let mut world = world.clone();
            since.iter().all(|&(_, mv)| game.try_apply(&mut world, mv, chance).is_ok())
                && game.view(&world, seat) == *observation.view
        });
        same && self.walker.reroot(since.iter().map(|&(_, mv)| mv))
    }

    /// [Analyzes](Search::analyze) a position over the worlds of a determinizer.
    pub fn analyze_with(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        from: &impl Determinizer<G>,
        chance: &mut Stream,
    ) -> SearchResult<G::Move> {
        self.search(game, observation, from, StopRule::Spent, chance)
    }

    fn search(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        from: &impl Determinizer<G>,
        until: StopRule,
        chance: &mut Stream,
    ) -> SearchResult<G::Move> {
        game.legal_moves_in_view(observation.view, &mut self.legal);
        if self.legal.len() < 2 {
            return SearchResult::untried(&self.legal);
        }
        let first = from.draw(game, observation.view, chance);
        let Turn::Seat(seat) = game.turn(&first) else { return SearchResult::default() };
        if !(self.reuse && self.can_reuse(game, observation, seat, chance)) {
            self.walker.clear(self.legal[0]);
        }
        self.walker.ask(game, observation, &first, &self.legal);
        self.worlds.prepare(game, observation, (seat, from), chance);
        let seats = game.seats() as u64;
        let budget = self.walker.parts.budget;
        let mut running = budget.limit.start();
        let mut world = first.clone();
        let common = Seed::new(chance.bits());
        // Paired playouts use streams of `common`, so `chance` does not depend on their number.
        let may_settle = until == StopRule::Settled && self.paired && !self.reuse;
        if may_settle && let Some(only) = self.walker.only_candidate() {
            return SearchResult::untried(&[only]);
        }
        while running.next() {
            if may_settle
                && (running.done - 1).is_multiple_of(CHECK_EVERY)
                && let Some(left) = running.left()
                && self.walker.is_settled(seat, left + 1)
            {
                running.done -= 1;
                break;
            }
            if let Some(errors) = budget.prune_after_se
                && running.done.is_multiple_of(CHECK_EVERY)
            {
                let left = self.walker.prune(seat, errors, self.paired);
                // The remaining moves keep their share of the playouts; that of pruned moves is not
                // spent.
                let share = match budget.limit {
                    Limit::Iterations(all) => {
                        all * left as u64 / self.walker.candidates.max(1) as u64
                    }
                    Limit::Milliseconds(_) => u64::MAX / 2,
                };
                if left < 2 || running.done > share + self.walker.spent_on_dropped() {
                    running.done -= 1;
                    break;
                }
            }
            if self.paired {
                let (step, tried) = self.walker.open((game, from), &first, chance);
                let mut chance = common.child(tried).stream();
                world = self.worlds.draw(game, observation, from, &mut chance);
                let how = (Some(step), Updates::All);
                self.walker.iterate((game, from), &mut world, how, &mut chance);
                continue;
            }
            // The searching seat learns first, then the others in turn.
            let updates = match self.observers {
                Observers::Redeterminizing => {
                    let turn = (running.done - 1) % seats;
                    Updates::Only(Seat(((seat.index() as u64 + turn) % seats) as u8))
                }
                _ => Updates::All,
            };
            match self.observers {
                Observers::Perfect => world.clone_from(&first),
                _ => world = self.worlds.draw(game, observation, from, chance),
            }
            self.walker.iterate((game, from), &mut world, (None, updates), chance);
        }
        if self.reuse {
            self.last = Some((observation.past.len(), first));
        }
        self.walker.findings(seat, running.done)
    }
}

impl<G: Game> Search<G> for TreeSearch<G> {
    fn start(&mut self) {
        self.last = None;
    }

    fn analyze(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        chance: &mut Stream,
    ) -> SearchResult<G::Move> {
        self.analyze_with(game, observation, &UniformDeterminizer, chance)
    }

    fn decide(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        chance: &mut Stream,
    ) -> SearchResult<G::Move> {
        self.search(game, observation, &UniformDeterminizer, StopRule::Settled, chance)
    }
}
