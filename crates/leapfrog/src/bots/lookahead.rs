//! Alpha-beta over whole chains, to a horizon.

use std::ops::ControlFlow;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::greedy::{Greedy, MOST_CHAINS};
use super::search_board::{ChainStack, SearchBoard};
use crate::chance::Stream;
use crate::game::{Bot, BotError, Game, Observation, Policy, Ruled, Seat};
use crate::{Leapfrog, Move, Phase, Rules, State};

/// How far to look.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LookaheadOptions {
    /// How many chains ahead, the one to be chosen included; the best single chain after them is
    /// looked at too.
    #[schemars(range(min = 1, max = 100))]
    pub depth: u8,
    /// How many positions at most for one choice.
    #[serde(default = "default_nodes")]
    #[schemars(range(min = 1, max = 100_000_000))]
    pub nodes: u32,
    /// How much the best chain beyond the horizon counts, in hundredths of its points.
    #[serde(default = "default_tempo")]
    #[schemars(range(min = 0, max = 100))]
    pub tempo: u8,
}

fn default_nodes() -> u32 {
    100_000
}

fn default_tempo() -> u8 {
    50
}

/// Points are counted in hundredths inside a search.
const POINT: i32 = 100;
const INFINITE: i32 = 1 << 20;

/// Leaps tried while the chains of one position are listed.
const PATIENCE: u32 = 4000;

/// A depth that says: to the end of the hand.
const TO_THE_END: u8 = u8::MAX;

#[derive(Clone, Copy, Default)]
struct Transposition {
    key: u64,
    value: i32,
    /// The hash of the best child.
    best: u64,
    /// How deep it was searched.
    depth: u8,
    /// Whether the value is at least, at most, or both.
    low: bool,
    high: bool,
}

/// Alpha-beta to a [`LookaheadOptions`]; of equals one at random. With more than two seats the others are
/// taken to stand together.
///
/// A first capture before the last one takes a piece that is worth most, as [`Greedy`] does; the
/// last one is searched. Buffers are kept, what a search writes into them is forgotten with every
/// choice.
pub struct LookaheadBot {
    horizon: LookaheadOptions,
    entries: Vec<Transposition>,
    ways: ChainStack,
    nodes: u32,
    stopped: bool,
    /// Whether any line was cut off by the horizon.
    cut: bool,
    seats: u8,
    /// The rest of the chain chosen, the next move last: where, and what.
    plan: Vec<(State, Move)>,
}

/// One way to end the turn: its moves, what they bring, and the hand after them.
pub(super) struct Choice {
    pub moves: Vec<Move>,
    pub gain: i32,
    pub after: State,
}

/// The values that make a difference: below the first, above the second they make none.
type Window = (i32, i32);

impl LookaheadBot {
    /// A bot that looks so far.
    pub fn new(horizon: LookaheadOptions) -> LookaheadBot {
        LookaheadBot {
            horizon,
            entries: Vec::new(),
            ways: ChainStack::default(),
            nodes: 0,
            stopped: false,
            cut: false,
            seats: 2,
            plan: Vec::new(),
        }
    }

    /// The best of some options, by index, by deepening until the depth, the budget or the end of
    /// the hand is reached. Of equals the first in the order given, so whoever gives them decides.
    ///
    /// `next` says how many places after the one that chooses the next seat to leap sits.
    fn best(&mut self, rules: &Rules, options: &[Choice], next: u8) -> usize {
        let entries = self.horizon.nodes.clamp(1 << 10, 1 << 18).next_power_of_two();
        self.entries.clear();
        self.entries.resize(entries as usize, Transposition::default());
        (self.nodes, self.stopped, self.seats) = (0, false, rules.seats);
        // A shallow search asks the table too seldom to pay for images.
        let images = self.horizon.depth > 3;
        let board = |option: &Choice| SearchBoard::new(rules, option.after.board(), images);
        let boards: Vec<SearchBoard> = options.iter().map(board).collect();
        let mut order: Vec<usize> = (0..options.len()).collect();
        order.sort_by_key(|&index| -options[index].gain);
        let sign = if next == 0 { 1 } else { -1 };
        for depth in 0..self.horizon.depth {
            self.cut = false;
            let mut best = -INFINITE;
            let mut chosen = order[0];
            for &index in &order {
                let gain = options[index].gain * POINT;
                // The window in which it would be better than the best so far.
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
            // A depth that was broken off still counts if the best of the last one was looked at:
            // what is found better than that is better.
            let front = order.iter().position(|&index| index == chosen).unwrap_or(0);
            order[..=front].rotate_right(1);
            if self.stopped || !self.cut {
                break;
            }
        }
        order[0]
    }

    /// The value for the side to move, `seat` places after the one that chooses. The others stand
    /// together against the one that chooses.
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
        if self.nodes > self.horizon.nodes {
            self.stopped = true;
            return 0;
        }
        if depth == 0 {
            self.cut = true;
            let weight = i32::from(self.horizon.tempo);
            // Beyond `high` it does not matter by how much.
            let enough = if weight > 0 { (high / weight).saturating_add(1).max(1) } else { 1 };
            return weight * board.best_gain(rules, enough, PATIENCE);
        }
        // With two seats a position is worth the same to whoever is to move.
        let key = board.key() ^ if self.seats > 2 { u64::from(seat) << 60 } else { 0 };
        let slot = key as usize & (self.entries.len() - 1);
        let known = self.entries[slot];
        let hit = known.key == key;
        let settles = (known.low && known.value >= high)
            || (known.high && known.value <= low)
            || (known.low && known.high);
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
            // What is beyond the horizon never brings the other less than nothing.
            if depth == 1 && !same_side && gain <= best.max(low) {
                best = best.max(gain);
                self.cut = true;
                if index > first {
                    break;
                }
                continue;
            }
            // At the horizon the table is not asked.
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
            let (is_low, is_high) = (best > asked, best < high);
            self.entries[slot] = Transposition {
                key,
                value: best,
                best: best_hash,
                depth,
                low: is_low,
                high: is_high,
            };
        }
        self.cut |= cut_before;
        best
    }
}

impl LookaheadBot {
    pub(super) fn choose_move(
        &mut self,
        game: &Leapfrog,
        observation: Observation<'_, Leapfrog>,
        chance: &mut Stream,
    ) -> Move {
        let table = &observation.view.table;
        if let Some((state, mv)) = self.plan.pop()
            && state == *table
        {
            return mv;
        }
        self.plan.clear();
        let mut choices = choices(game, table);
        let last = choices.first().is_some_and(|choice| choice.after.phase() != Phase::Remove);
        if !last {
            return Greedy.pick(game, observation.view, chance);
        }
        chance.shuffle(&mut choices);
        let seats = game.rules().seats;
        let next = (choices[0].after.seat().0 + seats - table.seat().0) % seats;
        let chosen = self.best(game.rules(), &choices, next);
        let mut state = *table;
        for &mv in &choices[chosen].moves {
            self.plan.push((state, mv));
            game.apply(&mut state, mv, chance);
        }
        self.plan.reverse();
        self.plan.pop().map_or(Move::Stop, |(_, mv)| mv)
    }
}

impl Bot<Leapfrog> for LookaheadBot {
    fn start(&mut self, _: Seat) {
        self.plan.clear();
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

/// All ways to end the turn.
pub(super) fn choices(game: &Leapfrog, table: &State) -> Vec<Choice> {
    let mut choices = Vec::new();
    _ = game.chains(table, |chain| {
        let (moves, gain) = (chain.moves.to_vec(), chain.points().into());
        choices.push(Choice { moves, gain, after: *chain.after });
        if choices.len() < MOST_CHAINS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    choices
}
