//! Exact endgame play once nothing is hidden and no chance is left: alpha-beta to the end (Knuth
//! and Moore 1975, *An analysis of alpha-beta pruning*).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::result::{MoveEstimate, SearchResult};
use super::reward::Reward;
use crate::{Game, Seat, Turn};
use parlour_base::chance::Seed;

/// Options of the endgame solver, which starts where the game
/// [is deterministic](crate::SearchAid::is_deterministic).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EndgameOptions {
    /// Maximum number of positions of a solved endgame. A larger endgame is searched by playouts.
    #[schemars(range(min = 1, max = 100_000_000))]
    pub positions: u64,
}

/// Returns the best move and its value if the endgame is deterministic and small enough. Among
/// equal moves it prefers the better position after the move, then the lower move.
pub fn solve<G: Game>(
    game: &G,
    view: &G::View,
    options: EndgameOptions,
    reward: Reward,
) -> Option<SearchResult<G::Move>> {
    if game.seats() != 2 || !game.search_aid()?.is_deterministic(view) {
        return None;
    }
    // A deterministic view has exactly one world.
    let world = game.determinize(view, &mut Seed::new(0).stream());
    let Turn::Seat(seat) = game.turn(&world) else { return None };
    let mut solver = Solver { game, reward, seat, left: options.positions };
    let (value, best) = solver.best(&world, -1.0, 2.0)?;
    let spent = options.positions - solver.left;
    let (visits, worth) = (spent.max(2), f64::from(value));
    let total = visits as f64 * worth;
    let found =
        MoveEstimate { visits, total, squares: total * worth, ..MoveEstimate::fresh(best?) };
    Some(SearchResult { moves: vec![found], iterations: spent, ..SearchResult::default() })
}

struct Solver<'a, G: Game> {
    game: &'a G,
    reward: Reward,
    /// The seat whose rewards count; the rewards of both seats sum to 1.
    seat: Seat,
    /// Number of positions that may still be visited.
    left: u64,
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
        let mut moves = Vec::new();
        self.game.legal_moves(state, &mut moves);
        if let Some(aid) = self.game.search_aid() {
            aid.dedup_moves(state, &mut moves);
        }
        let after = |mv| {
            let mut next = state.clone();
            self.game.apply(&mut next, mv, &mut Seed::new(0).stream());
            // Finished hands first, then by evaluation; equal ones in the order of moves.
            let standing = match self.game.turn(&next) {
                Turn::Over => 1e6 * (self.reward.at(self.game, &next)[mover.index()] - 0.5),
                Turn::Seat(_) => self.game.evaluate(&next, mover),
            };
            (standing, mv, next)
        };
        let mut after: Vec<_> = moves.into_iter().map(after).collect();
        after.sort_by(|(a, ..), (b, ..)| b.total_cmp(a));
        let is_ours = mover == self.seat;
        let mut best: Option<(f32, Option<G::Move>)> = None;
        for (_, mv, next) in after {
            let (value, _) = self.best(&next, low, high)?;
            if best.is_none_or(|(best, _)| if is_ours { value > best } else { value < best }) {
                best = Some((value, Some(mv)));
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
        best
    }
}
