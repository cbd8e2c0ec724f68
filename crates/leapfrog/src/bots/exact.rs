//! Exact play from a table of solved positions, wherever the board is small enough.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::lookahead::{ChainPlan, Choice, LookaheadBot, LookaheadOptions, choices};
use crate::board::cells;
use crate::solve::ValueLookup;
use crate::{Leapfrog, Move, Phase, Rules, State};
use parlour_base::chance::Stream;
use parlour_game::{Bot, BotError, Observation, Ruled, Seat};

/// Options of [`ExactBot`]: limits of exact play, and the search elsewhere.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExactOptions {
    /// Largest number of cells of a board that is played exactly from the first capture on; five less
    /// for coloured boards. Only with two seats.
    #[serde(default = "default_cells")]
    #[schemars(range(min = 0, max = 36))]
    pub cells: u8,
    /// Number of pieces from which play is exact on larger boards, of up to 40 cells (coloured: 27).
    #[serde(default = "default_pieces")]
    #[schemars(range(min = 0, max = 36))]
    pub pieces: u8,
    /// Search depth elsewhere, in chains.
    #[schemars(range(min = 1, max = 100))]
    pub depth: u8,
    /// Maximum number of positions for a choice elsewhere.
    #[serde(default = "super::lookahead::default_nodes")]
    #[schemars(range(min = 1, max = 100_000_000))]
    pub nodes: u32,
    /// Weight of the best chain beyond the search depth elsewhere, in percent of its points.
    #[serde(default = "super::lookahead::default_tempo")]
    #[schemars(range(min = 0, max = 100))]
    pub tempo: u8,
}

fn default_cells() -> u8 {
    25
}

fn default_pieces() -> u8 {
    16
}

/// Looks up the value of every possible turn and takes the best, with ties at random.
///
/// Alpha-beta with a depth limit plays all other positions.
pub struct ExactBot {
    options: ExactOptions,
    elsewhere: LookaheadBot,
    table: Option<ValueLookup>,
    plan: ChainPlan,
}

impl ExactBot {
    /// Creates a bot with an empty table.
    pub fn new(options: ExactOptions) -> ExactBot {
        let ExactOptions { depth, nodes, tempo, .. } = options;
        let elsewhere = LookaheadBot::new(LookaheadOptions { depth, nodes, tempo });
        ExactBot { options, elsewhere, table: None, plan: ChainPlan::default() }
    }

    /// The table, if the position is to be looked up.
    fn table(&mut self, rules: &Rules, state: &State) -> Option<&ValueLookup> {
        let ExactOptions { cells, pieces, .. } = self.options;
        let cells = if rules.colors().is_some() { cells.saturating_sub(5) } else { cells };
        if rules.cells() > cells.into() && state.board().count() > pieces.into() {
            return None;
        }
        if !self.table.as_ref().is_some_and(|table| table.is_for(rules)) {
            self.table = ValueLookup::new(rules);
        }
        self.table.as_ref().filter(|_| rules.seats == 2)
    }
}

/// Points of a seat from a choice on minus the other's, with best play afterwards.
fn worth(table: &ValueLookup, rules: &Rules, choice: &Choice, seat: Seat) -> i32 {
    let rest = |state: &State| {
        let value = table.value(state.board());
        if state.seat() == seat { value } else { -value }
    };
    let after = &choice.after;
    if after.phase() != Phase::Remove {
        return choice.gain + rest(after);
    }
    // The other seat makes a first capture before the first leap.
    let removable = after.board().removable(rules);
    let replies = cells(&removable).map(|cell| {
        let mut end = *after;
        end.remove(rules, cell);
        rest(&end) - i32::from(after.board().worth(cell))
    });
    choice.gain + replies.min().unwrap_or(0)
}

impl ExactBot {
    fn choose_move(
        &mut self,
        game: &Leapfrog,
        observation: Observation<'_, Leapfrog>,
        chance: &mut Stream,
    ) -> Move {
        let state = &observation.view.state;
        if let Some(mv) = self.plan.next(state) {
            return mv;
        }
        let rules = game.rules();
        let Some(table) = self.table(rules, state) else {
            return self.elsewhere.choose_move(game, observation, chance);
        };
        let mut choices = choices(game, state);
        chance.shuffle(&mut choices);
        let worth = |choice: &Choice| worth(table, rules, choice, state.seat());
        let Some(best) = choices.iter().max_by_key(|choice| worth(choice)) else {
            return Move::Stop;
        };
        self.plan.start(rules, state, &best.moves)
    }
}

impl Bot<Leapfrog> for ExactBot {
    fn start(&mut self, seat: Seat) {
        self.plan = ChainPlan::default();
        self.elsewhere.start(seat);
    }

    fn choose(
        &mut self,
        game: &Leapfrog,
        observation: Observation<'_, Leapfrog>,
        chance: &mut Stream,
    ) -> Result<Move, BotError> {
        Ok(self.choose_move(game, observation, chance))
    }
}
