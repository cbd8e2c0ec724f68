//! Shared parts of the programs for Leopard: players, inspected hands, and matches played by the
//! arena's own loop.

use anyhow::{anyhow, bail};
use parlour::arena::{SeatedBot, play_hand, seat_of, slot_of};
use parlour::chance::{Seed, Stream};
use parlour::game::{Bot, Game, MoveHistory, Policy, Ruled, SearchAid, Seat, Turn};
use parlour::games::leopard::bots::{Steady, Weights};
use parlour::games::leopard::{Leopard, Move, State};
use parlour::stats::{Estimate, Moments};
use rayon::prelude::*;

/// Creates a bot for each deal.
pub type Maker<'a> = &'a (dyn Fn(&Leopard) -> Box<dyn Bot<Leopard>> + Sync);

/// A named variant.
pub fn variant(name: &str) -> anyhow::Result<Leopard> {
    let Some(rules) = Leopard::preset(name) else { bail!("Leopard has no variant `{name}`") };
    Leopard::new(&rules).map_err(|faults| anyhow!("{faults:?}"))
}

/// The committed `steady`.
pub fn steady() -> anyhow::Result<Steady> {
    let text = std::fs::read_to_string("strategies/leopard/steady.json")?;
    let mut file: serde_json::Value = serde_json::from_str(&text)?;
    let weights: Weights = serde_json::from_value(file["weights"].take())?;
    Steady::new(weights).map_err(|faults| anyhow!("{faults:?}"))
}

/// The quarters of a deal's score that the first player wins: both seatings, two for each win.
pub fn quarters(game: &Leopard, makers: [Maker<'_>; 2], seed: Seed) -> i64 {
    let mut history = MoveHistory::default();
    let mut quarters = 0;
    for rotation in 0..2 {
        let mut totals = [0; 2];
        for hand in 0..game.hands_per_match() {
            let seed = seed.child(hand.into());
            let mut players: Vec<SeatedBot<Leopard>> = (1..=2u64)
                .zip(makers)
                .map(|(stream, make)| SeatedBot::new(make(game), seed.child(stream).stream()))
                .collect();
            let slot_at = |seat| slot_of(seat, rotation, hand, 2);
            let start = seed.child(0).stream();
            let played = play_hand(game, start, &mut players, slot_at, &mut history);
            let (end, _) = played.expect("a strategy plays");
            let scores = game.scores(&end).0;
            for (slot, total) in totals.iter_mut().enumerate() {
                *total += scores[seat_of(slot, rotation, hand, 2)];
            }
        }
        quarters += 1 + i64::from((totals[0] - totals[1]).signum());
    }
    quarters
}

/// The score of the first player over a number of deals.
pub fn score(game: &Leopard, makers: [Maker<'_>; 2], seed: Seed, deals: u64) -> Estimate {
    let deal = |deal: u64| quarters(game, makers, seed.child(deal));
    let add = |mut sum: Moments, quarters: i64| {
        sum.add(quarters);
        sum
    };
    let merge = |mut sum: Moments, other: Moments| {
        sum.merge(&other);
        sum
    };
    let moments = (0..deals).into_par_iter().map(deal).fold(Moments::default, add);
    moments.reduce(Moments::default, merge).score(0.25).unwrap_or(Estimate::bare(0.5))
}

/// Plays an inspected hand. `at` gets each position with the moves before it, and returns the move,
/// or `None` to stop. Returns the last state.
pub fn walk(
    game: &Leopard,
    mut chance: Stream,
    mut at: impl FnMut(&State, &[(Seat, Move)], Seat) -> Option<Move>,
) -> State {
    let mut state = game.deal(&mut chance);
    let mut past = Vec::new();
    while let Turn::Seat(seat) = game.turn(&state) {
        let Some(mv) = at(&state, &past, seat) else { break };
        game.apply(&mut state, mv, &mut chance);
        past.push((seat, mv));
    }
    state
}

/// Returns 1 for a seat that won, ½ for a draw.
pub fn result(game: &Leopard, end: &State, seat: usize) -> f64 {
    let scores = game.scores(end).0;
    0.5 + 0.5 * f64::from((scores[seat] - scores[seat ^ 1]).signum())
}

/// The legal moves, without equivalent ones.
pub fn different(game: &Leopard, state: &State) -> Vec<Move> {
    let mut legal = Vec::new();
    game.legal_moves(state, &mut legal);
    game.dedup_moves(state, &mut legal);
    legal
}

/// The moves that `steady` values most, best first, without equivalent ones.
pub fn liked(game: &Leopard, steady: &Steady, state: &State, seat: Seat, most: usize) -> Vec<Move> {
    let legal = different(game, state);
    let mut worth = Vec::new();
    steady.score_moves(game, &game.view(state, seat), &legal, &mut worth);
    let mut liked: Vec<(f32, Move)> = worth.into_iter().zip(legal).collect();
    liked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    liked.truncate(most);
    liked.into_iter().map(|(_, mv)| mv).collect()
}

/// The number of playouts between steady players that the seat wins after each candidate, in the
/// same worlds with the same draws.
pub fn wins(
    game: &Leopard,
    steady: &Steady,
    candidates: &[Move],
    seat: Seat,
    playouts: u64,
    chance: &mut Stream,
    mut world: impl FnMut(&mut Stream) -> State,
) -> Vec<f64> {
    let mut won = vec![0.0; candidates.len()];
    for _ in 0..playouts {
        let mut common = Seed::new(chance.bits()).stream();
        let world = world(&mut common);
        for (won, mv) in won.iter_mut().zip(candidates) {
            let (mut state, mut chance) = (world, common.clone());
            game.apply(&mut state, *mv, &mut chance);
            while let Turn::Seat(mover) = game.turn(&state) {
                let mv = steady.pick(game, &game.view(&state, mover), &mut chance);
                game.apply(&mut state, mv, &mut chance);
            }
            *won += result(game, &state, seat.index());
        }
    }
    won
}
