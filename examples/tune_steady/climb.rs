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

use rayon::prelude::*;

use super::{Kind, Leopard, Options, course, make, measure, play_deal, read, write};
use parlour::chance::Seed;
use parlour::game::Ruled;

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
                make(kind, &moved(1.0)).and_then(|up| Ok((up, make(kind, &moved(-1.0))?)));
            // Weights out of range tell nothing.
            let score = players.map_or(0.5, |(up, down)| {
                play_deal(game, [up.as_ref(), down.as_ref()], seed.named("deals"), deal)
            });
            ((2.0 * score - 1.0) / 4.0, signs)
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

/// Climbs from the file's weights under one variant, and measures what came of it.
pub fn climb(options: &Options) -> anyhow::Result<()> {
    let began = Instant::now();
    let course = course(options.variant.as_deref());
    let [(game, _)] = &course[..] else { anyhow::bail!("climb wants one --variant") };
    let file = read(&options.from)?;
    let kind = Kind::of(&file)?;
    let start = kind.numbers(file)?;
    // The factors of many plays do nothing where there is one play a turn.
    let one = game.rules().plays == parlour::games::leopard::Plays::One;
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
            let (now, first) = (make(kind, &middle)?, make(kind, &start)?);
            let seed = root.named("look").child(batch);
            let (mean, half) = measure(game, [now.as_ref(), first.as_ref()], seed, 4 * BATCH);
            eprintln!(
                "{:.0} s, {} deals, rate {rate:.4}: against the start {mean:.4} ± {half:.4}",
                began.elapsed().as_secs_f64(),
                (batch + 1) * BATCH,
            );
            let at: Vec<f64> = if counted > 0.0 {
                sum.iter().map(|sum| sum / counted).collect()
            } else {
                middle.clone()
            };
            write(&options.out, kind, &at)?;
        }
    }
    let best: Vec<f64> = sum.iter().map(|sum| sum / counted.max(1.0)).collect();
    let (last, first) = (make(kind, &best)?, make(kind, &start)?);
    let seed = Seed::new(options.seed).named("confirm");
    let (mean, half) = measure(game, [last.as_ref(), first.as_ref()], seed, options.deals / 10);
    eprintln!("the mean of the last third against the start, fresh deals: {mean:.4} ± {half:.4}");
    write(&options.out, kind, &best)
}
