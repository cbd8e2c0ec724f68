//! Bots that look at the points.

use std::ops::ControlFlow;

use super::lookahead::{Choice, Horizon, Lookahead};
use crate::chance::Stream;
use crate::game::{Bot, Game, Policy, Ruled, Seat, Sight};
use crate::games::leapfrog::{Leapfrog, Move, Phase, State, View};

/// Of very many chains only so many are looked at.
const MOST_CHAINS: usize = 20_000;

/// The chain that brings most points now; as a first capture, a piece that is worth most. Of
/// equals one at random.
///
/// Chains are looked at in their order, of one position 20,000 at most.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Policy<Leapfrog> for Greedy {
    fn pick(&self, game: &Leapfrog, view: &View, chance: &mut Stream) -> Move {
        let mut best = Best { gain: 0, count: 0, mv: Move::STOP };
        if view.table.phase() == Phase::Remove {
            let mut moves = Vec::new();
            game.moves(&view.table, &mut moves);
            for mv in moves {
                best.offer(view.table.board().worth(mv.cell()).into(), mv, chance);
            }
            return best.mv;
        }
        let mut left = MOST_CHAINS;
        _ = game.chains(&view.table, |chain| {
            best.offer(chain.points(), chain.moves[0], chance);
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        best.mv
    }
}

/// The best so far, and how many were as good.
struct Best {
    gain: u16,
    count: u32,
    mv: Move,
}

impl Best {
    fn offer(&mut self, gain: u16, mv: Move, chance: &mut Stream) {
        if self.count == 0 || gain > self.gain {
            *self = Best { gain, count: 1, mv };
        } else if gain == self.gain {
            self.count += 1;
            if chance.below(self.count) == 0 {
                self.mv = mv;
            }
        }
    }
}

/// Alpha-beta to a [`Horizon`]; of equals one at random. With more than two seats the others are
/// taken to stand together.
///
/// A first capture before the last one takes a piece that is worth most, as [`Greedy`] does; the
/// last one is searched.
pub struct LookaheadBot {
    search: Lookahead,
    /// The rest of the chain chosen, the next move last: where, and what.
    plan: Vec<(State, Move)>,
}

impl LookaheadBot {
    /// A bot that looks so far.
    pub fn new(horizon: Horizon) -> LookaheadBot {
        LookaheadBot { search: Lookahead::new(horizon), plan: Vec::new() }
    }
}

impl Bot<Leapfrog> for LookaheadBot {
    fn start(&mut self, _: Seat) {
        self.plan.clear();
    }

    fn choose(&mut self, game: &Leapfrog, sight: Sight<'_, Leapfrog>, chance: &mut Stream) -> Move {
        let table = &sight.view.table;
        if let Some((state, mv)) = self.plan.pop()
            && state == *table
        {
            return mv;
        }
        self.plan.clear();
        let mut turns = turns(game, table);
        let last = turns.first().is_some_and(|(_, after)| after.phase() != Phase::Remove);
        if !last {
            return Greedy.pick(game, sight.view, chance);
        }
        chance.shuffle(&mut turns);
        let seat = table.seat();
        let seats = game.rules().seats;
        let next = (turns[0].1.seat().0 + seats - seat.0) % seats;
        let choices: Vec<Choice> = turns
            .iter()
            .map(|(_, after)| Choice {
                gain: i32::from(after.points(seat)) - i32::from(table.points(seat)),
                board: *after.board(),
            })
            .collect();
        let (moves, _) = &turns[self.search.choose(game.rules(), &choices, next)];
        let mut state = *table;
        for &mv in moves {
            self.plan.push((state, mv));
            game.play(&mut state, mv, chance);
        }
        self.plan.reverse();
        self.plan.pop().map_or(Move::STOP, |(_, mv)| mv)
    }
}

/// All ways to end the turn, with the hand after each.
fn turns(game: &Leapfrog, table: &State) -> Vec<(Vec<Move>, State)> {
    let mut turns = Vec::new();
    if table.phase() == Phase::Remove {
        let mut moves = Vec::new();
        game.moves(table, &mut moves);
        // Nothing in Leap Frog draws from this stream.
        let mut chance = crate::chance::Seed::new(0).stream();
        for mv in moves {
            let mut after = *table;
            game.play(&mut after, mv, &mut chance);
            turns.push((vec![mv], after));
        }
        return turns;
    }
    _ = game.chains(table, |chain| {
        turns.push((chain.moves.to_vec(), *chain.after));
        if turns.len() < MOST_CHAINS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    turns
}
