//! Hands to learn from.

use parlour::chance::{Seed, Stream};
use parlour::game::{Game, Policy, Ruled, Seat};
use parlour::games::leopard::bots::{Learnt, Steady};
use parlour::games::leopard::{Leopard, Move, State};

use crate::table::{different, result, walk};

/// The random move of a hand that is watched is one of the first so many.
const STRAY_BEFORE: u32 = 48;

/// How games are played and believed.
pub struct Manner {
    /// How much of what followed counts, beside the value of the next best move.
    pub lambda: f32,
    /// The chance of a random move.
    pub stray: f64,
}

/// A position that a move left behind, by its rows, and what it came to.
pub struct Lesson {
    pub rows: Vec<u16>,
    pub target: f32,
}

/// A decision: what the move left behind (nothing at the end of a hand), the value of the best
/// one, and whether another was made.
struct Left {
    rows: Vec<u16>,
    best: f32,
    strayed: bool,
}

pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// One of the moves that differ, by chance.
fn random(game: &Leopard, state: &State, choice: &mut Stream) -> Move {
    let moves = different(game, state);
    moves[choice.below(moves.len() as u32) as usize]
}

/// The position that a seat's move left behind, as the network reads it.
fn rows(game: &Leopard, state: &State, seat: Seat) -> Vec<u16> {
    let mut rows = Vec::new();
    Learnt::rows(game.rules(), &game.view(state, seat), &mut |row| rows.push(row as u16));
    rows
}

/// A hand of the network against itself, or of steady players.
pub fn play(
    game: &Leopard,
    me: &Learnt,
    by: Option<&Steady>,
    seed: Seed,
    manner: &Manner,
) -> Vec<Lesson> {
    let mut choice = seed.child(1).stream();
    let mut left: [Vec<Left>; 2] = [Vec::new(), Vec::new()];
    let end = walk(game, seed.child(0).stream(), |state, past, seat| {
        if let Some((mover, _)) = past.last()
            && let Some(left) = left[mover.index()].last_mut()
        {
            left.rows = rows(game, state, *mover);
        }
        let view = game.view(state, seat);
        let strayed = choice.unit() < manner.stray;
        let (mv, logit) = match by {
            Some(steady) => (steady.pick(game, &view, &mut choice), 0.0),
            None => me.best(game.rules(), &view),
        };
        left[seat.index()].push(Left { rows: Vec::new(), best: sigmoid(logit), strayed });
        Some(if strayed { random(game, state, &mut choice) } else { mv })
    });
    let lambda = if by.is_some() { 1.0 } else { manner.lambda };
    let mut lessons = Vec::new();
    for (seat, left) in left.into_iter().enumerate() {
        let mut target = result(game, &end, seat) as f32;
        for Left { rows, best, strayed } in left.into_iter().rev() {
            if !rows.is_empty() {
                lessons.push(Lesson { rows, target });
            }
            if by.is_none() {
                target = if strayed { best } else { best + lambda * (target - best) };
            }
        }
    }
    lessons
}

/// The positions of a hand of steady players after one random move, each with the result: what a
/// position comes to in their hands.
pub fn watch(game: &Leopard, steady: &Steady, seed: Seed) -> Vec<Lesson> {
    let mut choice = seed.child(1).stream();
    let mut stray = choice.below(STRAY_BEFORE);
    let mut left: Vec<(usize, Vec<u16>)> = Vec::new();
    let end = walk(game, seed.child(0).stream(), |state, past, seat| {
        if let Some((mover, _)) = past.last() {
            left.push((mover.index(), rows(game, state, *mover)));
        }
        let mut mv = steady.pick(game, &game.view(state, seat), &mut choice);
        if stray == 0 && mv != Move::KNOCK {
            mv = random(game, state, &mut choice);
            left.clear();
        }
        stray = stray.wrapping_sub(1);
        Some(mv)
    });
    let target = |seat: usize| result(game, &end, seat) as f32;
    left.into_iter().map(|(seat, rows)| Lesson { rows, target: target(seat) }).collect()
}
