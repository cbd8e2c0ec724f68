//! Climbs by direct comparison: what moves all weights at once learns about all of them from
//! every deal.
//!
//! Simultaneous perturbation stochastic approximation (Spall, *Multivariate stochastic
//! approximation using a simultaneous perturbation gradient approximation*, 1992), as chess
//! engines are tuned: on each deal the weights with a random step added to every one play the
//! weights with that step taken away, in both seatings. The result times the step is an unbiased
//! look at the slope. What comes out is the mean of the weights over the last third (Polyak and
//! Juditsky, *Acceleration of stochastic approximation by averaging*, 1992), for the last weights
//! still wander. The answer depends on the seed and the number of deals alone.

use std::time::Instant;

use clap::Args;
use parlour::chance::Seed;
use parlour::game::Ruled;
use parlour::games::leopard::{Leopard, Plays};
use rayon::prelude::*;

use crate::table::{Maker, quarters, score_of, sit, variant};
use crate::weights::Kind;

/// Deals between two steps.
const BATCH: u64 = 512;
/// The steps of the comparison, as a share of each weight.
const SHARE: f64 = 0.25;
/// The smallest weight that a share is taken of.
const LEAST: f64 = 0.2;
/// How far a deal moves the weights at first, in steps of the comparison; it falls in a straight
/// line to a tenth of that over the first two thirds.
const RATE: f64 = 0.02;

/// A deal's random step: a sign for each weight that the variant uses.
fn signs(seed: Seed, dimension: usize) -> Vec<f64> {
    let mut chance = seed.stream();
    (0..dimension).map(|_| if chance.unit() < 0.5 { -1.0 } else { 1.0 }).collect()
}

/// What a batch of deals says of the slope, in score for each step, the sum over its deals.
fn slope(game: &Leopard, kind: Kind, middle: &[f64], steps: &[f64], seed: Seed) -> Vec<f64> {
    let looks: Vec<(f64, Vec<f64>)> = (0..BATCH)
        .into_par_iter()
        .map(|deal| {
            let signs = signs(seed.named("signs").child(deal), steps.len());
            let moved = |way: f64| -> Vec<f64> {
                (0..middle.len()).map(|i| middle[i] + way * signs[i] * steps[i]).collect()
            };
            let players =
                kind.player(&moved(1.0)).and_then(|up| Ok((up, kind.player(&moved(-1.0))?)));
            // Weights out of range tell nothing.
            let quarters = players.map_or(2, |(up, down)| {
                let makers: [Maker<'_>; 2] = [&|_: &Leopard| sit(&up), &|_: &Leopard| sit(&down)];
                quarters(game, makers, seed.named("deals").child(deal))
            });
            ((quarters - 2) as f64 / 8.0, signs)
        })
        .collect();
    let mut sum = vec![0.0; steps.len()];
    for (score, signs) in looks {
        for (sum, sign) in sum.iter_mut().zip(signs) {
            *sum += score * sign;
        }
    }
    sum
}

#[derive(Args)]
pub struct Climb {
    /// A strategy file, or a name in strategies/leopard
    #[arg(long, default_value = "steady-plain")]
    from: String,
    #[arg(long, default_value = "strategies/leopard/steady.json")]
    out: String,
    #[arg(long, default_value_t = 2000)]
    deals: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long)]
    variant: String,
}

impl Climb {
    pub fn run(&self) -> anyhow::Result<()> {
        climb(self)
    }
}

/// Climbs from the file's weights under one variant, and measures what came of it.
fn climb(options: &Climb) -> anyhow::Result<()> {
    let began = Instant::now();
    let game = &variant(&options.variant)?;
    let (kind, start) = Kind::read(&options.from)?;
    // The factors of many plays do nothing where there is one play a turn.
    let one = game.rules().plays == Plays::One;
    let used = kind.used(one);
    let steps: Vec<f64> = (0..start.len())
        .map(|i| if used(i) { SHARE * start[i].abs().max(LEAST) } else { 0.0 })
        .collect();
    let root = Seed::new(options.seed).named("climb");
    let batches = options.deals / BATCH;
    let mut middle = start.clone();
    let (mut sum, mut counted) = (vec![0.0; start.len()], 0.0);
    for batch in 0..batches {
        let done = batch as f64 / batches as f64;
        let rate = RATE * (1.0 - 0.9 * (1.5 * done).min(1.0));
        let slope = slope(game, kind, &middle, &steps, root.child(batch));
        for i in 0..middle.len() {
            middle[i] += rate * slope[i] * steps[i];
        }
        if 3 * batch >= 2 * batches {
            sum.iter_mut().zip(&middle).for_each(|(sum, weight)| *sum += weight);
            counted += 1.0;
        }
        if batch % 100 == 99 || batch + 1 == batches {
            let (now, first) = (kind.player(&middle)?, kind.player(&start)?);
            let seed = root.named("look").child(batch);
            let found = score_of(game, [&now, &first], seed, 4 * BATCH);
            eprintln!(
                "{:.0} s, {} deals, rate {rate:.4}: against the start {found:.4}",
                began.elapsed().as_secs_f64(),
                (batch + 1) * BATCH,
            );
            let at: Vec<f64> = if counted > 0.0 {
                sum.iter().map(|sum| sum / counted).collect()
            } else {
                middle.clone()
            };
            kind.write(&options.out, &at)?;
        }
    }
    let best: Vec<f64> = sum.iter().map(|sum| sum / counted.max(1.0)).collect();
    let (last, first) = (kind.player(&best)?, kind.player(&start)?);
    let seed = Seed::new(options.seed).named("confirm");
    let found = score_of(game, [&last, &first], seed, options.deals / 10);
    eprintln!("the mean of the last third against the start, fresh deals: {found:.4}");
    kind.write(&options.out, &best)
}
