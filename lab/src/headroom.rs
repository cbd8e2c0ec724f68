//! Measures how much playouts could improve `steady`: players that choose by playouts between
//! steady players, in sampled worlds or in the true one, against `steady`.

use clap::{Args, ValueEnum};
use parlour::chance::{Seed, Stream};
use parlour::game::{Game, Policy, Seat};
use parlour::games::leopard::bots::Steady;
use parlour::games::leopard::{Leopard, Move, State};
use parlour::stats::Moments;
use rayon::prelude::*;

use crate::table::{liked, result, steady, variant, walk, wins};

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Worlds {
    /// The true hands. Not a fair player: it shows the limit when nothing about the other hand is
    /// unknown.
    True,
    /// Hands sampled from the player's view
    Imagined,
}

#[derive(Args)]
pub struct Headroom {
    /// Worlds in which playouts are played
    worlds: Worlds,
    #[arg(long, default_value_t = 50)]
    deals: u64,
    /// Playouts of each candidate
    #[arg(long, default_value_t = 200)]
    playouts: u64,
    /// Number of candidates: the moves that `steady` values most
    #[arg(long, default_value_t = 8)]
    keep: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Headroom {
    pub fn run(&self) -> anyhow::Result<()> {
        let (game, steady) = (variant("revised")?, steady()?);
        let root = Seed::new(self.seed).named("headroom");
        let deal = |deal: u64| {
            let hand = |first: usize| {
                let seed = root.child(deal);
                let mut choice = seed.child(1).stream();
                let end = walk(&game, seed.child(0).stream(), |state, _, seat| {
                    Some(if seat.index() == first {
                        self.choose(&game, &steady, state, seat, &mut choice)
                    } else {
                        steady.pick(&game, &game.view(state, seat), &mut choice)
                    })
                });
                2.0 * result(&game, &end, first)
            };
            let quarters = hand(0) + hand(1);
            eprintln!("{}", quarters / 4.0);
            quarters as i64
        };
        let quarters: Vec<i64> = (0..self.deals).into_par_iter().map(deal).collect();
        let moments: Moments = quarters.into_iter().collect();
        if let Some(score) = moments.score(0.25) {
            println!("{score:.3} over {} deals", self.deals);
        }
        Ok(())
    }

    /// The candidate that wins most playouts.
    fn choose(
        &self,
        game: &Leopard,
        steady: &Steady,
        state: &State,
        seat: Seat,
        chance: &mut Stream,
    ) -> Move {
        let candidates = liked(game, steady, state, seat, self.keep);
        if let [only] = candidates[..] {
            return only;
        }
        let view = game.view(state, seat);
        let won = wins(game, steady, &candidates, seat, self.playouts, chance, |common| match self
            .worlds
        {
            Worlds::True => *state,
            Worlds::Imagined => game.determinize(&view, common),
        });
        let best = (0..won.len()).reduce(|a, b| if won[b] > won[a] { b } else { a });
        candidates[best.unwrap_or(0)]
    }
}
