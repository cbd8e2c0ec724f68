//! Alpha-beta search over whole chains with a depth limit.

use std::ops::ControlFlow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::greedy::{Greedy, MOST_CHAINS};
use super::search_board::{ChainStack, SearchBoard};
use crate::{Leapfrog, Move, Phase, Rules, State};
use parlour_base::chance::Stream;
use parlour_game::{Bot, BotError, Observation, Policy, Ruled, Seat};

/// Options of [`LookaheadBot`].
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LookaheadOptions {
    /// Search depth in chains, including the chosen one. The best single chain after them counts with
    /// the weight `tempo`.
    #[schemars(range(min = 1, max = 100))]
    pub depth: u8,
    /// Maximum number of positions for a choice.
    #[serde(default = "default_nodes")]
    #[schemars(range(min = 1, max = 100_000_000))]
    pub nodes: u32,
    /// Weight of the best chain beyond the search depth, in percent of its points.
    #[serde(default = "default_tempo")]
    #[schemars(range(min = 0, max = 100))]
    pub tempo: u8,
}

pub(super) fn default_nodes() -> u32 {
    100_000
}

pub(super) fn default_tempo() -> u8 {
    50
}

/// Unit of values inside a search: hundredths of a point.
const POINT: i32 = 100;
const INFINITE: i32 = 1 << 20;

/// Maximum number of leaps tried to list the chains of a position.
const PATIENCE: u32 = 4000;

/// Depth of a value that is exact to the end of the hand.
const TO_THE_END: u8 = u8::MAX;

#[derive(Clone, Copy, Default)]
struct Transposition {
    key: u64,
    value: i32,
    /// Hash of the best child.
    best: u64,
    /// Search depth of the value.
    depth: u8,
    /// The value is a lower bound.
    is_lower: bool,
    /// The value is an upper bound.
    is_upper: bool,
}

/// Alpha-beta with iterative deepening; ties at random.
///
/// With more than two seats it assumes that all others play against its own seat. It searches only the
/// last first capture, and takes a piece of the highest worth before, as [`Greedy`] does. Nothing is
/// remembered between choices.
pub struct LookaheadBot {
    options: LookaheadOptions,
    entries: Vec<Transposition>,
    ways: ChainStack,
    nodes: u32,
    stopped: bool,
    /// The depth limit has cut off a line.
    cut: bool,
    seats: u8,
    plan: ChainPlan,
}

/// A possible turn: its moves, their points and the hand after them.
pub(super) struct Choice {
    pub moves: Vec<Move>,
    pub gain: i32,
    pub after: State,
}

/// The alpha-beta window: lower and upper limit.
type Window = (i32, i32);

impl LookaheadBot {
    /// Creates a bot.
    pub fn new(options: LookaheadOptions) -> LookaheadBot {
        LookaheadBot {
            options,
            entries: Vec::new(),
            ways: ChainStack::default(),
            nodes: 0,
            stopped: false,
            cut: false,
            seats: 2,
            plan: ChainPlan::default(),
        }
    }

    /// Returns the index of the best option; the first one of equals, so callers shuffle them.
    ///
    /// It deepens until the depth limit, the budget or the end of the hand. `next` is the distance from
    /// the choosing seat to the next one.
    fn best(&mut self, rules: &Rules, options: &[Choice], next: u8) -> usize {
        let entries = self.options.nodes.clamp(1 << 10, 1 << 18).next_power_of_two();
        self.entries.clear();
        self.entries.resize(entries as usize, Transposition::default());
        (self.nodes, self.stopped, self.seats) = (0, false, rules.seats);
        // Shallow searches use the table too seldom to benefit from symmetry.
        let images = self.options.depth > 3;
        let board = |option: &Choice| SearchBoard::new(rules, option.after.board(), images);
        let boards: Vec<SearchBoard> = options.iter().map(board).collect();
        let mut order: Vec<usize> = (0..options.len()).collect();
        order.sort_by_key(|&index| -options[index].gain);
        let sign = if next == 0 { 1 } else { -1 };
        for depth in 0..self.options.depth {
            self.cut = false;
            let mut best = -INFINITE;
            let mut chosen = order[0];
            for &index in &order {
                let gain = options[index].gain * POINT;
                // The values better than the best so far.
                let window =
                    if sign == 1 { (best - gain, INFINITE) } else { (-INFINITE, gain - best) };
                let value = self.search(rules, &boards[index], next, depth, window);
                if self.stopped {
                    break;
                }
                if gain + sign * value > best {
                    best = gain + sign * value;
                    chosen = index;
                }
            }
            // The partial result of a stopped depth is valid, because the previous best comes first.
            let front = order.iter().position(|&index| index == chosen).unwrap_or(0);
            order[..=front].rotate_right(1);
            if self.stopped || !self.cut {
                break;
            }
        }
        order[0]
    }

    /// The value for the side to move, `seat` places after the choosing seat.
    ///
    /// All other seats form one side.
    fn search(
        &mut self,
        rules: &Rules,
        board: &SearchBoard,
        seat: u8,
        depth: u8,
        window: Window,
    ) -> i32 {
        let (mut low, high) = window;
        self.nodes += 1;
        if self.nodes > self.options.nodes {
            self.stopped = true;
            return 0;
        }
        if depth == 0 {
            self.cut = true;
            let weight = i32::from(self.options.tempo);
            // Values above `high` need not be exact.
            let enough = if weight > 0 { (high / weight).saturating_add(1).max(1) } else { 1 };
            return weight * board.best_gain(rules, enough, PATIENCE);
        }
        // With two seats the value does not depend on the seat to move.
        let key = board.key() ^ if self.seats > 2 { u64::from(seat) << 60 } else { 0 };
        let slot = key as usize & (self.entries.len() - 1);
        let known = self.entries[slot];
        let hit = known.key == key;
        let settles = (known.is_lower && known.value >= high)
            || (known.is_upper && known.value <= low)
            || (known.is_lower && known.is_upper);
        if hit && known.depth >= depth && settles {
            self.cut |= known.depth != TO_THE_END;
            return known.value;
        }
        let hint = if hit { known.best } else { 0 };
        let mark = self.ways.mark();
        board.list(rules, &mut self.ways, PATIENCE);
        let (first, end) = (mark.0, self.ways.lines.len());
        if first == end {
            return 0;
        }
        if let Some(at) = self.ways.lines[first..].iter().position(|line| line.hash == hint) {
            self.ways.lines[first..=first + at].rotate_right(1);
        }
        let cut_before = std::mem::replace(&mut self.cut, false);
        let asked = low;
        let (mut best, mut best_hash) = (-INFINITE, 0);
        let next = if seat + 1 == self.seats { 0 } else { seat + 1 };
        let same_side = (seat == 0) == (next == 0);
        for index in first..end {
            let line = self.ways.lines[index];
            let gain = line.gain * POINT;
            // Beyond the depth limit the other side never gets less than 0.
            if depth == 1 && !same_side && gain <= best.max(low) {
                best = best.max(gain);
                self.cut = true;
                if index > first {
                    break;
                }
                continue;
            }
            // The table is not used at the depth limit, so the key is not needed.
            let after = board.after(&line, &self.ways, depth > 1);
            let (sign, window) = if same_side {
                (1, (low - gain, high - gain))
            } else {
                (-1, (gain - high, gain - low))
            };
            let value = gain + sign * self.search(rules, &after, next, depth - 1, window);
            if self.stopped {
                break;
            }
            if value > best {
                (best, best_hash) = (value, line.hash);
                low = low.max(best);
            }
            if best >= high {
                break;
            }
        }
        self.ways.back_to(mark);
        if !self.stopped {
            let depth = if self.cut { depth } else { TO_THE_END };
            let (is_lower, is_upper) = (best > asked, best < high);
            self.entries[slot] =
                Transposition { key, value: best, best: best_hash, depth, is_lower, is_upper };
        }
        self.cut |= cut_before;
        best
    }

    pub(super) fn choose_move(
        &mut self,
        game: &Leapfrog,
        observation: Observation<'_, Leapfrog>,
        chance: &mut Stream,
    ) -> Move {
        let state = &observation.view.state;
        if let Some(mv) = self.plan.next(state) {
            return mv;
        }
        let mut choices = choices(game, state);
        let last = choices.first().is_some_and(|choice| choice.after.phase() != Phase::Remove);
        if !last {
            return Greedy.pick(game, observation.view, chance);
        }
        chance.shuffle(&mut choices);
        let seats = game.rules().seats;
        let next = (choices[0].after.seat().0 + seats - state.seat().0) % seats;
        let chosen = self.best(game.rules(), &choices, next);
        self.plan.start(game.rules(), state, &choices[chosen].moves)
    }
}

impl Bot<Leapfrog> for LookaheadBot {
    fn start(&mut self, _: Seat) {
        self.plan = ChainPlan::default();
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

/// The rest of a chosen chain, the next move last: state and move.
#[derive(Default)]
pub(super) struct ChainPlan(Vec<(State, Move)>);

impl ChainPlan {
    /// Returns the planned move, if the plan has reached this state. Otherwise drops the plan.
    pub fn next(&mut self, state: &State) -> Option<Move> {
        let (planned, mv) = self.0.pop()?;
        if planned != *state {
            self.0.clear();
            return None;
        }
        Some(mv)
    }

    /// Plans the moves of a chain and returns the first one.
    pub fn start(&mut self, rules: &Rules, state: &State, moves: &[Move]) -> Move {
        let mut state = *state;
        self.0.clear();
        for &mv in moves {
            self.0.push((state, mv));
            state.play(rules, mv);
        }
        self.0.reverse();
        self.0.pop().map_or(Move::Stop, |(_, mv)| mv)
    }
}

/// All possible turns, up to a limit.
pub(super) fn choices(game: &Leapfrog, state: &State) -> Vec<Choice> {
    let mut choices = Vec::new();
    _ = game.chains(state, |chain| {
        let (moves, gain) = (chain.moves.to_vec(), chain.points().into());
        choices.push(Choice { moves, gain, after: *chain.after });
        if choices.len() < MOST_CHAINS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    choices
}
