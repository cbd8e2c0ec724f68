//! Exact play where nothing is hidden any more and no chance is left: alpha-beta to the end
//! (Knuth and Moore 1975, *An analysis of alpha-beta pruning*).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::findings::{MoveEstimate, SearchResult};
use super::{Reward, Search};
use crate::chance::{Seed, Stream};
use crate::{Game, Observation, Seat, Turn};

/// How endings are played in which [all is known](Game::is_deterministic).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EndgameOptions {
    /// How many positions an ending may take to be searched to its end; one that takes more is
    /// searched by playouts, as all else is.
    #[schemars(range(min = 1, max = 100_000_000))]
    pub positions: u64,
}

/// A search that plays endings exactly.
pub(super) struct WithEndgame<T> {
    pub search: T,
    pub options: EndgameOptions,
    pub reward: Reward,
}

impl<G: Game, T: Search<G>> Search<G> for WithEndgame<T> {
    fn start(&mut self) {
        self.search.start();
    }

    fn analyze(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        chance: &mut Stream,
    ) -> SearchResult<G::Move> {
        let solved = solve(game, observation.view, (self.options, self.reward));
        solved.unwrap_or_else(|| self.search.analyze(game, observation, chance))
    }

    fn decide(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        chance: &mut Stream,
    ) -> SearchResult<G::Move> {
        let solved = solve(game, observation.view, (self.options, self.reward));
        solved.unwrap_or_else(|| self.search.decide(game, observation, chance))
    }
}

/// The best move and what it is worth, if all is known and the ending is not too long. Of equal
/// moves the one after which the seat stands better at once, then the lower one.
pub fn solve<G: Game>(
    game: &G,
    view: &G::View,
    (options, reward): (EndgameOptions, Reward),
) -> Option<SearchResult<G::Move>> {
    if game.seats() != 2 || !game.is_deterministic(view) {
        return None;
    }
    // There is one such world, whatever chance says.
    let world = game.determinize(view, &mut Seed::new(0).stream());
    let Turn::Seat(seat) = game.turn(&world) else { return None };
    let mut solver = Solver { game, reward, seat, left: options.positions, spare: Vec::new() };
    let (value, best) = solver.best(&world, -1.0, 2.0)?;
    let spent = options.positions - solver.left;
    let (visits, worth) = (spent.max(2), f64::from(value));
    let total = visits as f64 * worth;
    let found =
        MoveEstimate { visits, total, squares: total * worth, ..MoveEstimate::fresh(best?) };
    Some(SearchResult { moves: vec![found], iterations: spent, ..SearchResult::default() })
}

/// A position after a move.
struct After<G: Game> {
    /// How the seat that made the move stands there.
    standing: f32,
    mv: G::Move,
    state: G::State,
}

/// The moves of a position, and what they lead to.
struct Lists<G: Game> {
    moves: Vec<G::Move>,
    after: Vec<After<G>>,
}

struct Solver<'a, G: Game> {
    game: &'a G,
    reward: Reward,
    /// Whose rewards are counted; those of both seats add up to 1.
    seat: Seat,
    /// How many more positions may be looked at.
    left: u64,
    /// Lists to be used again.
    spare: Vec<Lists<G>>,
}

impl<G: Game> Solver<'_, G> {
    /// What a state is worth to the seat, exactly if it lies between these, and the move that
    /// makes it so; `None` if that takes too many positions.
    fn best(
        &mut self,
        state: &G::State,
        mut low: f32,
        mut high: f32,
    ) -> Option<(f32, Option<G::Move>)> {
        self.left = self.left.checked_sub(1)?;
        let Turn::Seat(mover) = self.game.turn(state) else {
            return Some((self.reward.at(self.game, state)[self.seat.index()], None));
        };
        let new = || Lists { moves: Vec::new(), after: Vec::new() };
        let mut lists = self.spare.pop().unwrap_or_else(new);
        let Lists { moves, after } = &mut lists;
        self.game.legal_moves(state, moves);
        self.game.dedup_moves(state, moves);
        after.clear();
        for &mv in &*moves {
            let mut next = state.clone();
            self.game.apply(&mut next, mv, &mut Seed::new(0).stream());
            // A result first, then by how the seat would stand.
            let standing = match self.game.turn(&next) {
                Turn::Over => 1e6 * (self.reward.at(self.game, &next)[mover.index()] - 0.5),
                Turn::Seat(_) => self.game.evaluate(&next, mover),
            };
            after.push(After { standing, mv, state: next });
        }
        after.sort_by(|a, b| b.standing.total_cmp(&a.standing).then(a.mv.cmp(&b.mv)));
        let is_ours = mover == self.seat;
        let mut best: Option<(f32, Option<G::Move>)> = None;
        for After { mv, state, .. } in &*after {
            let (value, _) = self.best(state, low, high)?;
            if best.is_none_or(|(best, _)| if is_ours { value > best } else { value < best }) {
                best = Some((value, Some(*mv)));
            }
            match is_ours {
                true => low = low.max(value),
                false => high = high.min(value),
            }
            // No reward is above 1 or below 0.
            if low >= high || low >= 1.0 || high <= 0.0 {
                break;
            }
        }
        self.spare.push(lists);
        best
    }
}
