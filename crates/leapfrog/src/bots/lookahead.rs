//! Greedy play, and alpha-beta search over whole chains with a depth limit.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::search_board::SearchBoard;
use crate::{Chain, Leapfrog, Move, Phase, Rules, State, View};
use parlour_base::chance::Stream;
use parlour_base::files::text::constant;
use parlour_game::{Bot, BotError, Observation, Policy, Ruled, Seat};

/// Maximum number of chains of a position that are examined.
pub(super) const MOST_CHAINS: usize = 20_000;

/// Takes the chain with the most points now, or the first capture of highest worth; ties at random.
///
/// It examines at most the first 20,000 chains of a position, and chooses to leap first itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Policy<Leapfrog> for Greedy {
    fn pick(&self, game: &Leapfrog, view: &View, chance: &mut Stream) -> Move {
        if view.state.phase == Phase::Choose {
            return Move::First(view.seat);
        }
        let (mut best, mut gain, mut ties) = (Move::Stop, -1, 0);
        for chain in game.chains(&view.state).take(MOST_CHAINS) {
            let points = chain.points();
            if points > gain {
                (best, gain, ties) = (chain.moves[0], points, 1);
            } else if points == gain {
                ties += 1;
                best = if chance.below(ties) == 0 { chain.moves[0] } else { best };
            }
        }
        best
    }
}

/// Options of [`LookaheadBot`].
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LookaheadOptions {
    /// Search depth in chains, including the chosen one. The best single chain after them counts with
    /// the weight `tempo`.
    #[schemars(range(min = 1, max = 100))]
    pub depth: u8,
    /// Maximum number of positions for a choice.
    #[serde(default = "constant::<u32, 100_000>")]
    #[schemars(range(min = 1, max = 100_000_000))]
    pub nodes: u32,
    /// Weight of the best chain beyond the search depth, in percent of its points.
    #[serde(default = "constant::<u8, 50>")]
    #[schemars(range(min = 0, max = 100))]
    pub tempo: u8,
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
/// With more than two seats it assumes that all others play against its own seat. It searches a first
/// capture only if the next leap is known to follow, and otherwise takes a piece of the highest worth,
/// as [`Greedy`] does. Nothing is remembered between choices.
pub struct LookaheadBot {
    options: LookaheadOptions,
    entries: Vec<Transposition>,
    nodes: u32,
    stopped: bool,
    /// The depth limit has cut off a line.
    cut: bool,
    pub(super) plan: ChainPlan,
}

impl LookaheadBot {
    /// Creates a bot.
    pub fn new(options: LookaheadOptions) -> LookaheadBot {
        let plan = ChainPlan::default();
        LookaheadBot { options, entries: Vec::new(), nodes: 0, stopped: false, cut: false, plan }
    }

    /// Returns the index of the best option; the first one of equals, so callers shuffle them.
    ///
    /// It deepens until the depth limit, the budget or the end of the hand.
    fn best(&mut self, rules: &Rules, options: &[Chain]) -> usize {
        let entries = self.options.nodes.clamp(1 << 10, 1 << 18).next_power_of_two();
        self.entries = vec![Transposition::default(); entries as usize];
        (self.nodes, self.stopped) = (0, false);
        // Shallow searches use the table too seldom to benefit from symmetry.
        let images = self.options.depth > 3;
        let root = |(index, option): (usize, &Chain)| {
            // The distance from the choosing seat to the next one.
            let next = (option.after.seat.0 + rules.seats - option.before.seat.0) % rules.seats;
            let board = SearchBoard::new(rules, &option.after.board, images);
            (index, option.points() * POINT, next, board)
        };
        let mut roots: Vec<_> = options.iter().enumerate().map(root).collect();
        roots.sort_by_key(|&(_, gain, ..)| -gain);
        for depth in 0..self.options.depth {
            self.cut = false;
            let (mut best, mut front) = (-INFINITE, 0);
            for (place, (_, gain, next, board)) in roots.iter().enumerate() {
                // The values better than the best so far.
                let (sign, window) = match next {
                    0 => (1, (best - gain, INFINITE)),
                    _ => (-1, (-INFINITE, gain - best)),
                };
                let value = gain + sign * self.search(board, *next, depth, window);
                if self.stopped {
                    break;
                }
                if value > best {
                    (best, front) = (value, place);
                }
            }
            // The partial result of a stopped depth is valid, because the previous best comes first.
            roots[..=front].rotate_right(1);
            if self.stopped || !self.cut {
                break;
            }
        }
        roots[0].0
    }

    /// The value for the side to move, `seat` places after the choosing seat, in a window.
    ///
    /// All other seats form one side.
    fn search(&mut self, board: &SearchBoard, seat: u8, depth: u8, window: (i32, i32)) -> i32 {
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
            return weight * board.best_gain(enough, PATIENCE);
        }
        // With two seats the value does not depend on the seat to move.
        let key = board.key() ^ if board.rules.seats > 2 { u64::from(seat) << 60 } else { 0 };
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
        let mut chains = board.chains(PATIENCE);
        if chains.is_empty() {
            return 0;
        }
        if let Some(at) = chains.iter().position(|chain| chain.hash == hint) {
            chains[..=at].rotate_right(1);
        }
        let cut_before = std::mem::replace(&mut self.cut, false);
        let asked = low;
        let (mut best, mut best_hash) = (-INFINITE, 0);
        let next = (seat + 1) % board.rules.seats;
        let same_side = (seat == 0) == (next == 0);
        for (index, chain) in chains.iter().enumerate() {
            let gain = chain.gain * POINT;
            // Beyond the depth limit the other side never gets less than 0.
            if depth == 1 && !same_side && gain <= best.max(low) {
                best = best.max(gain);
                self.cut = true;
                if index > 0 {
                    break;
                }
                continue;
            }
            let after = board.after(chain);
            let (sign, window) = match same_side {
                true => (1, (low - gain, high - gain)),
                false => (-1, (gain - high, gain - low)),
            };
            let value = gain + sign * self.search(&after, next, depth - 1, window);
            if self.stopped {
                break;
            }
            if value > best {
                (best, best_hash) = (value, chain.hash);
                low = low.max(best);
            }
            if best >= high {
                break;
            }
        }
        if !self.stopped {
            let depth = if self.cut { depth } else { TO_THE_END };
            let (is_lower, is_upper) = (best > asked, best < high);
            self.entries[slot] =
                Transposition { key, value: best, best: best_hash, depth, is_lower, is_upper };
        }
        self.cut |= cut_before;
        best
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
        let (state, rules) = (&observation.view.state, game.rules());
        if let Some(mv) = self.plan.next(rules, state) {
            return Ok(mv);
        }
        let mut choices: Vec<_> = game.chains(state).take(MOST_CHAINS).collect();
        // The next seat is unknown before a lot.
        let is_early = |choice: &Chain| matches!(choice.after.phase, Phase::Remove | Phase::Choose);
        if choices.first().is_none_or(is_early) {
            return Ok(Greedy.pick(game, observation.view, chance));
        }
        chance.shuffle(&mut choices);
        let chosen = self.best(rules, &choices);
        Ok(self.plan.start(rules, &choices[chosen]))
    }
}

/// The rest of a chosen chain.
#[derive(Default)]
pub(super) struct ChainPlan {
    /// The state in which the next move is planned.
    state: State,
    /// The moves, the next one last.
    moves: Vec<Move>,
}

impl ChainPlan {
    /// Returns the planned move, if the plan has reached this state.
    pub fn next(&mut self, rules: &Rules, state: &State) -> Option<Move> {
        let mv = self.moves.pop_if(|_| self.state == *state)?;
        self.state.play(rules, mv);
        Some(mv)
    }

    /// Plans a chain and returns its first move.
    pub fn start(&mut self, rules: &Rules, chain: &Chain) -> Move {
        *self = ChainPlan { state: *chain.before, moves: chain.moves.clone() };
        self.moves.reverse();
        self.next(rules, chain.before).unwrap_or(Move::Stop)
    }
}
