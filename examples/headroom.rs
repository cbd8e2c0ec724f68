//! How much better than `steady` could playouts make it? Measures players that choose by playouts
//! between steady players, in imagined worlds or in the true one, against `steady`.
//!
//! ```text
//! headroom true|imagined [--deals N] [--playouts N] [--keep N] [--seed N]
//! ```
//! `true` deals the playouts the hands that are really held, so it is no fair player: it shows what
//! is left once nothing about the other's hand is unknown.

use parlour::chance::{Seed, Stream};
use parlour::game::{Game, Policy, Ruled, Turn};
use parlour::games::leopard::bots::{Steady, Weights};
use parlour::games::leopard::{Leopard, Move, Rules, State};
use rayon::prelude::*;

struct Options {
    knows: bool,
    deals: u64,
    playouts: u64,
    keep: usize,
    seed: u64,
}

fn steady() -> anyhow::Result<Steady> {
    let text = std::fs::read_to_string("strategies/leopard/steady.json")?;
    let file: serde_json::Value = serde_json::from_str(&text)?;
    let weights: Weights = serde_json::from_value(file["weights"].clone())?;
    Steady::new(weights).map_err(|faults| anyhow::anyhow!("{}", faults.join("; ")))
}

/// Plays a hand on to its end; 1 for a win of this seat, ½ for a draw.
fn play_on(
    game: &Leopard,
    steady: &Steady,
    state: &mut State,
    seat: usize,
    chance: &mut Stream,
) -> f64 {
    while let Turn::Of(mover) = game.turn(state) {
        let mv = steady.pick(game, &game.view(state, mover), chance);
        game.play(state, mv, chance);
    }
    let scores = game.scores(state).0;
    0.5 + 0.5 * f64::from((scores[seat] - scores[seat ^ 1]).signum())
}

/// The candidate that wins most playouts, all candidates over the same worlds and draws.
fn choose(
    game: &Leopard,
    steady: &Steady,
    state: &State,
    options: &Options,
    chance: &mut Stream,
) -> Move {
    let Turn::Of(seat) = game.turn(state) else { return Move::END };
    let view = game.view(state, seat);
    let mut legal = Vec::new();
    game.moves(state, &mut legal);
    game.join_equal(state, &mut legal);
    let mut worth = Vec::new();
    steady.weigh(game, &view, &legal, &mut worth);
    let mut liked: Vec<(f32, Move)> = worth.into_iter().zip(legal).collect();
    liked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    liked.truncate(options.keep);
    if let [(_, only)] = liked[..] {
        return only;
    }
    let mut won = vec![0.0; liked.len()];
    for _ in 0..options.playouts {
        let mut common = Seed::new(chance.bits()).stream();
        let world = if options.knows { *state } else { game.imagine(&view, &mut common) };
        for (won, (_, mv)) in won.iter_mut().zip(&liked) {
            let (mut state, mut chance) = (world, common.clone());
            game.play(&mut state, *mv, &mut chance);
            *won += play_on(game, steady, &mut state, seat.index(), &mut chance);
        }
    }
    let most = won.iter().copied().fold(0.0, f64::max);
    let best = won.iter().position(|won| *won == most).unwrap_or(0);
    liked[best].1
}

fn main() -> anyhow::Result<()> {
    let mut options = Options { knows: false, deals: 50, playouts: 200, keep: 8, seed: 1 };
    let mut arguments = std::env::args().skip(1);
    while let Some(word) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| anyhow::anyhow!("{word} wants a value"));
        match word.as_str() {
            "true" => options.knows = true,
            "imagined" => options.knows = false,
            "--deals" => options.deals = value()?.parse()?,
            "--playouts" => options.playouts = value()?.parse()?,
            "--keep" => options.keep = value()?.parse()?,
            "--seed" => options.seed = value()?.parse()?,
            _ => anyhow::bail!("usage: headroom true|imagined, with options"),
        }
    }
    let steady = steady()?;
    let game = Leopard::new(&Rules::REVISED).map_err(|faults| anyhow::anyhow!("{faults:?}"))?;
    let root = Seed::new(options.seed).named("headroom");
    let scores: Vec<f64> = (0..options.deals)
        .into_par_iter()
        .map(|deal| {
            let hand = |first: usize| {
                let seed = root.child(deal);
                let (mut chance, mut choice) = (seed.child(0).stream(), seed.child(1).stream());
                let mut state = game.deal(&mut chance);
                while let Turn::Of(seat) = game.turn(&state) {
                    let mv = if seat.index() == first {
                        choose(&game, &steady, &state, &options, &mut choice)
                    } else {
                        steady.pick(&game, &game.view(&state, seat), &mut choice)
                    };
                    game.play(&mut state, mv, &mut chance);
                }
                let scores = game.scores(&state).0;
                0.5 + 0.5 * f64::from((scores[first] - scores[first ^ 1]).signum())
            };
            let score = 0.5 * (hand(0) + hand(1));
            eprintln!("{score}");
            score
        })
        .collect();
    let n = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / n;
    let variance = scores.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    println!("{mean:.3} ± {:.3} over {n} deals", 1.96 * (variance / n).sqrt());
    Ok(())
}
