//! Searches that keep a tree: information-set MCTS, one tree or one for each seat, and MCTS.

use super::behind::EVERY;
use super::budget::Limit;
use super::walk::{Updates, Walker};
use super::worlds::{Determinizer, UniformDeterminizer, WorldSampler};
use super::{Search, SearchParts, SearchResult};
use crate::chance::{Seed, Stream};
use crate::{Game, Observation, Seat, Turn};

/// Whose knowledge the trees stand for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Observers {
    /// One tree, of the information sets of the seat that thinks, over a new imagined world each
    /// iteration: SO-ISMCTS (Cowling, Powley and Whitehouse 2012, *Information Set Monte Carlo
    /// Tree Search*).
    Single,
    /// A tree for each seat: MO-ISMCTS (the same paper). Where every move is public the trees
    /// are alike, and so are the choices.
    Multiple,
    /// A tree for each seat, which learns from worlds that its own seat imagines (after Goodman
    /// 2019, *Re-determinizing MCTS in Hanabi*): iterations go round the seats; in those of
    /// another seat the world is imagined afresh from that seat's view when it is first to move,
    /// and its tree alone learns. So the model of the other does not know our hand.
    Redeterminizing,
    /// One tree over the one world there is: MCTS for perfect information (Kocsis and Szepesvári
    /// 2006). Chance in play is drawn anew each time (open loop).
    Perfect,
}

/// When a search ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    /// When its budget is spent.
    Spent,
    /// When what is left of the budget cannot change the move.
    Settled,
}

/// A search that keeps a tree.
pub struct TreeSearch<G: Game> {
    observers: Observers,
    reuse: bool,
    paired: bool,
    worlds: WorldSampler<G>,
    walker: Walker<G>,
    /// How many moves had been made when the tree was last used, and a world of that time.
    last: Option<(usize, G::State)>,
    legal: Vec<G::Move>,
}

impl<G: Game> TreeSearch<G> {
    /// A search for a game of so many seats.
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

    /// Whether the tree is kept for the next move of the same hand where nothing hidden came to
    /// light in between.
    #[must_use]
    pub fn reuse(self, reuse: bool) -> TreeSearch<G> {
        TreeSearch { reuse, ..self }
    }

    /// Whether the first, second, … playout of every candidate is made in the same world with the
    /// same chance, so that luck that favours one favours all (common random numbers). Only with
    /// [`Observers::Single`].
    #[must_use]
    pub fn paired(self, paired: bool) -> TreeSearch<G> {
        TreeSearch { paired: paired && self.observers == Observers::Single, ..self }
    }

    /// Whether the tree of the last move still stands for what is known: the moves made since lead
    /// from a world of that time to this very view, whatever chance does.
    fn goes_on(
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
        same && self.walker.climb(since.iter().map(|&(_, mv)| mv))
    }

    /// [Thinks](Search::analyze) over worlds from a determinizer.
    pub fn analyze_with(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        from: &impl Determinizer<G>,
        chance: &mut Stream,
    ) -> SearchResult<G::Move> {
        self.search(game, observation, from, Until::Spent, chance)
    }

    fn search(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        from: &impl Determinizer<G>,
        until: Until,
        chance: &mut Stream,
    ) -> SearchResult<G::Move> {
        game.legal_moves_in_view(observation.view, &mut self.legal);
        if self.legal.len() < 2 {
            return SearchResult::untried(&self.legal);
        }
        let first = from.draw(game, observation.view, chance);
        let Turn::Seat(seat) = game.turn(&first) else { return SearchResult::default() };
        if !(self.reuse && self.goes_on(game, observation, seat, chance)) {
            self.walker.clear(self.legal[0]);
        }
        self.walker.ask(game, observation, &first, &self.legal);
        self.worlds.look(game, observation, (seat, from), chance);
        let seats = game.seats() as u64;
        let budget = self.walker.parts.budget;
        let mut running = budget.limit.start();
        let mut world = first.clone();
        let common = Seed::new(chance.bits());
        // Playouts that are paired have their chance from `common`, so it does not show in `chance`
        // how many there were.
        let may_settle = until == Until::Settled && self.paired && !self.reuse;
        if may_settle && let Some(only) = self.walker.only_candidate() {
            return SearchResult::untried(&[only]);
        }
        while running.next() {
            if may_settle
                && (running.done - 1).is_multiple_of(EVERY)
                && let Some(left) = running.left()
                && self.walker.is_settled(seat, left + 1)
            {
                running.done -= 1;
                break;
            }
            if let Some(errors) = budget.ahead
                && running.done.is_multiple_of(EVERY)
            {
                let left = self.walker.drop_behind(seat, errors, self.paired);
                // What is left has its share of the playouts; what the dropped leave is not spent.
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
            // The thinking seat learns first; then the others in turn.
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
        self.search(game, observation, &UniformDeterminizer, Until::Settled, chance)
    }
}
