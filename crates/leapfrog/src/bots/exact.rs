//! Exact play from a table of solved positions, wherever the board is small enough.

use std::sync::{Arc, Mutex, PoisonError};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lookahead::{LookaheadBot, LookaheadOptions, MOST_CHAINS};
use crate::solve::Solver;
use crate::{Chain, Leapfrog, Move, Phase, Rules, State};
use parlour_base::chance::Stream;
use parlour_base::files::text::constant;
use parlour_game::search::Comparison;
use parlour_game::{Bot, BotError, Observation, Ruled, Seat};

/// Options of [`ExactBot`]: limits of exact play, and the search elsewhere.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExactOptions {
    /// Largest number of cells of a board that is played exactly from the first capture on; five less
    /// for coloured boards. Only with two seats.
    #[serde(default = "constant::<u8, 25>")]
    #[schemars(range(min = 0, max = 36))]
    pub cells: u8,
    /// Number of pieces from which play is exact on larger boards, of up to 40 cells (coloured: 27).
    #[serde(default = "constant::<u8, 16>")]
    #[schemars(range(min = 0, max = 36))]
    pub pieces: u8,
    /// Search depth elsewhere, in chains.
    #[schemars(range(min = 1, max = 100))]
    pub depth: u8,
    /// Maximum number of positions for a choice elsewhere.
    #[serde(default = "constant::<u32, 100_000>")]
    #[schemars(range(min = 1, max = 100_000_000))]
    pub nodes: u32,
    /// Weight of the best chain beyond the search depth elsewhere, in percent of its points.
    #[serde(default = "constant::<u8, 50>")]
    #[schemars(range(min = 0, max = 100))]
    pub tempo: u8,
}

/// Looks up the value of every possible turn and takes the best, with ties at random.
///
/// Alpha-beta with a depth limit plays all other positions.
pub struct ExactBot {
    options: ExactOptions,
    elsewhere: LookaheadBot,
    table: Option<Solver>,
}

impl ExactBot {
    /// Creates a bot with an empty table.
    pub fn new(options: ExactOptions) -> ExactBot {
        let ExactOptions { depth, nodes, tempo, .. } = options;
        let elsewhere = LookaheadBot::new(LookaheadOptions { depth, nodes, tempo });
        ExactBot { options, elsewhere, table: None }
    }

    /// The table, if the position is to be looked up.
    fn table(&mut self, rules: &Rules, state: &State) -> Option<&Solver> {
        if !is_small(rules, state, self.options.cells, self.options.pieces) {
            return None;
        }
        if !self.table.as_ref().is_some_and(|table| table.is_for(rules)) {
            self.table = Solver::for_bot(rules);
        }
        self.table.as_ref()
    }
}

/// Returns `true` if a position is looked up: the board has at most `cells` cells (five less for coloured
/// boards), or at most `pieces` pieces are left.
fn is_small(rules: &Rules, state: &State, cells: u8, pieces: u8) -> bool {
    let cells = if rules.colors().is_some() { cells.saturating_sub(5) } else { cells };
    rules.cells() <= cells.into() || state.board.count() <= pieces.into()
}

/// Points of the seat to move from a turn on minus the other's, with best play afterwards.
fn worth(table: &Solver, game: &Leapfrog, turn: &Chain) -> i32 {
    let after = &turn.after;
    let rest = match after.phase {
        // A lot is worth 0: the value does not depend on the seat to leap.
        Phase::Remove | Phase::Choose => {
            game.chains(after).map(|reply| worth(table, game, &reply)).max()
        }
        _ => Some(table.value(&after.board)),
    };
    let rest = rest.unwrap_or(0);
    turn.points() + if after.seat == turn.before.seat { rest } else { -rest }
}

/// The table of the board that was solved last.
static SOLVED: Mutex<Option<Arc<Solver>>> = Mutex::new(None);

/// Compares the turn played with the best one, if the value of every turn is known. That is so on boards
/// of up to 25 cells (coloured: 20), and from 16 pieces on larger ones.
pub(super) fn solve_turn(
    game: &Leapfrog,
    state: &State,
    played: &str,
) -> Option<(String, Comparison)> {
    let rules = game.rules();
    if !is_small(rules, state, 25, 16) {
        return None;
    }
    let mut solved = SOLVED.lock().unwrap_or_else(PoisonError::into_inner);
    let table = match solved.take().filter(|table| table.is_for(rules)) {
        Some(table) => table,
        None => Arc::new(Solver::for_bot(rules)?),
    };
    *solved = Some(Arc::clone(&table));
    drop(solved);
    let points = |seat: Seat| i32::from(state.points[seat.index()]);
    let lead = points(state.seat) - points(state.seat.other());
    let (mut best, mut made) = (None, None);
    for (count, turn) in game.chains(state).enumerate() {
        if count == MOST_CHAINS {
            return None;
        }
        let worth = worth(&table, game, &turn);
        let text = turn.to_string();
        made = made.or((text == played).then_some(worth));
        if best.as_ref().is_none_or(|(most, _)| worth > *most) {
            best = Some((worth, text));
        }
    }
    let ((most, best), made) = (best?, made?);
    // More points do not change a win, so equal shares make equal moves.
    let share = |worth: i32| 0.5 + 0.5 * f64::from((lead + worth).signum());
    let values = Comparison { best: share(most), played: share(made), half_width: 0.0 };
    Some((if values.loss() > 0.0 { best } else { played.to_owned() }, values))
}

impl Bot<Leapfrog> for ExactBot {
    fn start(&mut self, seat: Seat) {
        self.elsewhere.start(seat);
    }

    fn choose(
        &mut self,
        game: &Leapfrog,
        observation: Observation<'_, Leapfrog>,
        chance: &mut Stream,
    ) -> Result<Move, BotError> {
        let (state, rules) = (&observation.view.state, game.rules());
        if let Some(mv) = self.elsewhere.plan.next(rules, state) {
            return Ok(mv);
        }
        let Some(table) = self.table(rules, state) else {
            return self.elsewhere.choose(game, observation, chance);
        };
        let mut choices: Vec<_> = game.chains(state).take(MOST_CHAINS).collect();
        chance.shuffle(&mut choices);
        let best = choices.iter().max_by_key(|turn| worth(table, game, turn));
        Ok(best.map_or(Move::Stop, |best| self.elsewhere.plan.start(rules, best)))
    }
}
