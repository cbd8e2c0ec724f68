//! Hands to learn from, and hands to be measured by.

use parlour::chance::Seed;
use parlour::game::{Game, Policy, Ruled, Turn};
use parlour::games::leopard::bots::{Learnt, Steady};
use parlour::games::leopard::{Leopard, Move};
use rayon::prelude::*;

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

/// A hand of the network against itself, or of steady players.
pub fn play(
    game: &Leopard,
    me: &Learnt,
    by: Option<&Steady>,
    seed: Seed,
    manner: &Manner,
) -> Vec<Lesson> {
    let (mut chance, mut choice) = (seed.child(0).stream(), seed.child(1).stream());
    let mut state = game.deal(&mut chance);
    let mut left: [Vec<Left>; 2] = [Vec::new(), Vec::new()];
    let mut legal = Vec::new();
    while let Turn::Of(seat) = game.turn(&state) {
        let view = game.view(&state, seat);
        let strayed = choice.unit() < manner.stray;
        let (mut mv, logit) = match by {
            Some(steady) => (steady.pick(game, &view, &mut choice), 0.0),
            None => me.best(game.rules(), &view),
        };
        if strayed {
            game.moves(&state, &mut legal);
            game.join_equal(&state, &mut legal);
            mv = legal[choice.below(legal.len() as u32) as usize];
        }
        game.play(&mut state, mv, &mut chance);
        let mut rows = Vec::new();
        if game.turn(&state) != Turn::Over {
            Learnt::rows(game.rules(), &game.view(&state, seat), &mut rows);
        }
        left[seat.index()].push(Left { rows, best: sigmoid(logit), strayed });
    }
    let scores = game.scores(&state).0;
    let lambda = if by.is_some() { 1.0 } else { manner.lambda };
    let mut lessons = Vec::new();
    for (seat, left) in left.into_iter().enumerate() {
        let mut target = 0.5 + 0.5 * (scores[seat] - scores[seat ^ 1]).signum() as f32;
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
    let (mut chance, mut choice) = (seed.child(0).stream(), seed.child(1).stream());
    let mut state = game.deal(&mut chance);
    let mut stray = choice.below(STRAY_BEFORE);
    let mut left: Vec<(usize, Vec<u16>)> = Vec::new();
    let mut legal = Vec::new();
    while let Turn::Of(seat) = game.turn(&state) {
        let view = game.view(&state, seat);
        let mut mv = steady.pick(game, &view, &mut choice);
        if stray == 0 && mv != Move::KNOCK {
            game.moves(&state, &mut legal);
            game.join_equal(&state, &mut legal);
            mv = legal[choice.below(legal.len() as u32) as usize];
            left.clear();
        }
        stray = stray.wrapping_sub(1);
        game.play(&mut state, mv, &mut chance);
        if game.turn(&state) != Turn::Over {
            let mut rows = Vec::new();
            Learnt::rows(game.rules(), &game.view(&state, seat), &mut rows);
            left.push((seat.index(), rows));
        }
    }
    let scores = game.scores(&state).0;
    let result = |seat: usize| 0.5 + 0.5 * (scores[seat] - scores[seat ^ 1]).signum() as f32;
    left.into_iter().map(|(seat, rows)| Lesson { rows, target: result(seat) }).collect()
}

/// The mean score of the first player under both seatings, and half of its 95 % interval.
pub fn score(
    game: &Leopard,
    players: [&dyn Policy<Leopard>; 2],
    seed: Seed,
    deals: u64,
) -> (f64, f64) {
    let deal = |deal: u64, first: usize| {
        let seed = seed.child(deal);
        let (mut chance, mut choice) = (seed.child(0).stream(), seed.child(1).stream());
        let mut state = game.deal(&mut chance);
        while let Turn::Of(seat) = game.turn(&state) {
            let player = players[seat.index() ^ first];
            let mv = player.pick(game, &game.view(&state, seat), &mut choice);
            game.play(&mut state, mv, &mut chance);
        }
        let scores = game.scores(&state).0;
        0.5 + 0.5 * f64::from((scores[first] - scores[first ^ 1]).signum())
    };
    let scores: Vec<f64> =
        (0..deals).into_par_iter().map(|n| 0.5 * (deal(n, 0) + deal(n, 1))).collect();
    let n = deals as f64;
    let mean = scores.iter().sum::<f64>() / n;
    let variance = scores.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, 1.96 * (variance / n).sqrt())
}
