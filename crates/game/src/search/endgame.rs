//! Exact endgame play once nothing is hidden and no chance is left: alpha-beta to the end (Knuth
//! and Moore 1975, *An analysis of alpha-beta pruning*).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::result::{MoveEstimate, SearchResult};
use super::{Reward, Search};
use crate::{Game, Observation, Seat, Turn};
use parlour_base::chance::{Seed, Stream};

/// Options of the endgame solver, which starts where the game
/// [is deterministic](crate::SearchAid::is_deterministic).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EndgameOptions {
    /// Maximum number of positions of a solved endgame. A larger endgame is searched by playouts.
    #[schemars(range(min = 1, max = 100_000_000))]
    pub positions: u64,
}

/// A search with an endgame solver.
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

/// Returns the best move and its value if the endgame is deterministic and small enough. Among
/// equal moves it prefers the better position after the move, then the lower move.
pub fn solve<G: Game>(
    game: &G,
    view: &G::View,
    (options, reward): (EndgameOptions, Reward),
) -> Option<SearchResult<G::Move>> {
    if game.seats() != 2 || !game.search_aid()?.is_deterministic(view) {
        return None;
    }
    // A deterministic view has exactly one world.
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
    /// The evaluation for the seat that moved.
    standing: f32,
    mv: G::Move,
    state: G::State,
}

/// The moves of a position and the positions after them.
struct Lists<G: Game> {
    moves: Vec<G::Move>,
    after: Vec<After<G>>,
}

struct Solver<'a, G: Game> {
    game: &'a G,
    reward: Reward,
    /// The seat whose rewards count; the rewards of both seats sum to 1.
    seat: Seat,
    /// Number of positions that may still be visited.
    left: u64,
    /// Lists for reuse.
    spare: Vec<Lists<G>>,
}

impl<G: Game> Solver<'_, G> {
    /// Returns the value of a state for the seat (exact if it lies between `low` and `high`) and
    /// the best move. Returns `None` if the position limit is reached.
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
        if let Some(aid) = self.game.search_aid() {
            aid.dedup_moves(state, moves);
        }
        after.clear();
        for &mv in &*moves {
            let mut next = state.clone();
            self.game.apply(&mut next, mv, &mut Seed::new(0).stream());
            // Finished hands first, then by evaluation.
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
            // Rewards lie between 0 and 1.
            if low >= high || low >= 1.0 || high <= 0.0 {
                break;
            }
        }
        self.spare.push(lists);
        best
    }
}
