//! Tunes the weights of the steady or the brisk player of Leopard by self-play.
//!
//! The search is a (μ/μ, λ) evolution strategy with mirrored steps, weighted recombination and a
//! step size for every weight, adapted as the diagonal in the separable form of CMA-ES (Ros and
//! Hansen, *A simple modification in CMA-ES achieving linear time and space complexity*, 2008),
//! without its evolution paths: the overall step shrinks by a schedule instead. Each generation
//! plays fresh deals, the same for every candidate, each in both seatings; the opponents are
//! greedy, the plain steady weights, and twice the weights that lead so far. A new leader must beat
//! the old one on deals of its own. What is tried depends on the seed alone; where it stops depends
//! on the clock.

use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use parlour::chance::{Seed, Stream};
use parlour::game::Game;
use parlour::games::leopard::Leopard;
use parlour::games::leopard::bots::{Greedy, Weights};
use rayon::prelude::*;

use crate::table::{Shared, score_of, variant};
use crate::weights::Kind;

#[derive(Args)]
pub struct Tune {
    /// A strategy file, or a name in strategies/leopard
    #[arg(long, default_value = "steady-plain")]
    from: String,
    #[arg(long, default_value = "strategies/leopard/steady.json")]
    out: String,
    #[arg(long, default_value_t = 3.0)]
    minutes: f64,
    /// Deals that judge a candidate
    #[arg(long, default_value_t = 2000)]
    deals: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only these variants, with commas between them
    #[arg(long, value_delimiter = ',')]
    variant: Vec<String>,
}

impl Tune {
    pub fn run(&self) -> anyhow::Result<()> {
        tune(self)
    }
}

/// The variants a candidate is judged by, with their shares.
fn course(only: &[String]) -> anyhow::Result<Vec<(Leopard, f64)>> {
    let shares = [
        ("revised", 0.4),
        ("original", 0.15),
        ("running-revised", 0.15),
        ("running-original", 0.1),
        ("denexa", 0.1),
        ("original-bonus", 0.1),
    ];
    let wanted =
        shares.iter().filter(|(name, _)| only.is_empty() || only.iter().any(|n| n == name));
    let total: f64 = wanted.clone().map(|(_, share)| share).sum();
    wanted.map(|(name, share)| Ok((variant(name)?, share / total))).collect()
}

/// A normal number (Box and Muller 1958).
fn normal(chance: &mut Stream) -> f64 {
    let radius = (-2.0 * (1.0 - chance.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * chance.unit()).cos()
}

/// The mean score over the course, each variant's deals in proportion to its share, against all
/// opponents by turns.
fn fitness(
    course: &[(Leopard, f64)],
    me: &Shared,
    against: &[&Shared],
    seed: Seed,
    deals: u64,
) -> f64 {
    let mut sum = 0.0;
    for (game, share) in course {
        let each = (deals as f64 * share / against.len() as f64 / f64::from(game.hands_per_match()))
            .ceil() as u64;
        for (index, opponent) in against.iter().enumerate() {
            let seed = seed.child(index as u64);
            let found = score_of(game, [me, opponent], seed, each);
            sum += share * found.value / against.len() as f64;
        }
    }
    sum
}

fn tune(options: &Tune) -> anyhow::Result<()> {
    let began = Instant::now();
    let course = course(&options.variant)?;
    let (kind, mut mean) = Kind::read(&options.from)?;
    let mut leader = mean.clone();
    let dimension = mean.len();
    let mut scale: Vec<f64> = mean.iter().map(|w| 0.25 * w.abs().max(0.2)).collect();
    let mut sigma = 1.0;
    let (lambda, mu) = (24, 12);
    // Log weights of the μ best, as in CMA-ES.
    let raw: Vec<f64> = (1..=mu).map(|i| (mu as f64 + 0.5).ln() - (i as f64).ln()).collect();
    let shares: Vec<f64> = raw.iter().map(|r| r / raw.iter().sum::<f64>()).collect();
    let effective = 1.0 / shares.iter().map(|s| s * s).sum::<f64>();
    let n = dimension as f64;
    let learn = (effective / (n + 2.0 * effective)).min(0.3);
    let greedy: Shared = Arc::new(Greedy);
    let plain = Kind::Steady.player(&Weights::default().to_vec())?;
    let root = Seed::new(options.seed).named("tune");
    let mut chance = root.named("candidates").stream();
    for generation in 0.. {
        if began.elapsed().as_secs_f64() > options.minutes * 60.0 {
            break;
        }
        let seed = root.named("deals").child(generation);
        let champion = kind.player(&leader)?;
        let against = [&greedy, &plain, &champion, &champion];
        let steps: Vec<Vec<f64>> =
            (0..lambda).map(|_| (0..dimension).map(|_| normal(&mut chance)).collect()).collect();
        let at = |step: &[f64], sigma: f64, scale: &[f64]| -> Vec<f64> {
            (0..dimension).map(|i| mean[i] + sigma * scale[i] * step[i]).collect()
        };
        let mut judged: Vec<(f64, usize)> = (0..lambda)
            .into_par_iter()
            .map(|index| {
                // Weights out of range lose.
                let me = kind.player(&at(&steps[index], sigma, &scale));
                let score = |me: Shared| fitness(&course, &me, &against, seed, options.deals);
                (me.map_or(0.0, score), index)
            })
            .collect();
        judged.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut next = mean.clone();
        for (share, (_, index)) in shares.iter().zip(&judged) {
            for i in 0..dimension {
                next[i] += share * sigma * scale[i] * steps[*index][i];
            }
        }
        for i in 0..dimension {
            let spread: f64 = shares
                .iter()
                .zip(&judged)
                .map(|(share, (_, index))| share * steps[*index][i].powi(2))
                .sum();
            scale[i] *= ((1.0 - learn) + learn * spread).sqrt().clamp(0.8, 1.2);
        }
        mean = next;
        sigma = (sigma * 0.985f64).max(0.25);
        // The middle of the cloud is the candidate to lead.
        let middle = &mean;
        let (best, _) = judged[0];
        let average = judged.iter().map(|j| j.0).sum::<f64>() / lambda as f64;
        if generation % 5 == 4 {
            let me = kind.player(middle)?;
            let trial = fitness(
                &course,
                &me,
                &[&champion],
                root.named("trial").child(generation),
                6 * options.deals,
            );
            if trial > 0.5 {
                leader.clone_from(middle);
                kind.write(&options.out, &leader)?;
            }
            eprintln!(
                "{generation}: best {best:.4} average {average:.4}, middle against leader {trial:.4}"
            );
        } else {
            eprintln!("{generation}: best {best:.4} average {average:.4}");
        }
    }
    kind.write(&options.out, &leader)
}
