//! Tunes the weights of the steady or the brisk player of Leopard by self-play, and measures
//! strategies.
//!
//! ```text
//! tune_steady tune  [--from FILE] [--out FILE] [--minutes N] [--deals N] [--seed N] [--variant V,V]
//! tune_steady climb [--from FILE] [--out FILE] [--deals N] [--seed N] --variant V
//! tune_steady match A B [--deals N] [--seed N] [--variant V,V]
//! tune_steady plain
//! ```
//! A, B and FILE are strategy files, or names in `strategies/leopard`; `plain` writes the weights
//! set by hand to `strategies/leopard/steady-plain.json`.
//!
//! `climb` tunes for one variant; see `climb.rs`. The search of `tune` is a (μ/μ, λ) evolution strategy with mirrored steps, weighted recombination and a
//! step size for every weight, adapted as the diagonal in the separable form of CMA-ES (Ros and
//! Hansen, *A simple modification in CMA-ES achieving linear time and space complexity*, 2008),
//! without its evolution paths: the overall step shrinks by a schedule instead. Each generation
//! plays fresh deals, the same for every candidate, each in both seatings; the opponents are
//! greedy, the plain steady weights, and twice the weights that lead so far. A new leader must beat the
//! old one on deals of its own. What is tried depends on the seed alone; where it stops depends on
//! the clock.

mod climb;

use std::path::Path;
use std::time::Instant;

use parlour::chance::{Seed, Stream};
use parlour::game::{Game, Policy, Ruled, Seat, Turn, Uniform};
use parlour::games::leopard::Leopard;
use parlour::games::leopard::bots::{Brisk, BriskWeights, Greedy, RandomKnocker, Steady, Weights};
use rayon::prelude::*;

type Player = Box<dyn Policy<Leopard>>;

/// Result of one deal for the first player: the mean over both seatings, 1 for a win.
fn play_deal(game: &Leopard, players: [&dyn Policy<Leopard>; 2], seed: Seed, deal: u64) -> f64 {
    let mut sum = 0.0;
    for rotation in 0..2usize {
        let mut totals = [0; 2];
        for hand in 0..u64::from(game.rules().hands_per_match) {
            let seed = seed.child(deal).child(hand);
            let mut chance = seed.child(0).stream();
            let mut choices: [Stream; 2] = [seed.child(1).stream(), seed.child(2).stream()];
            // The seat of the first player, the deal alternating within a match.
            let first = (rotation + hand as usize) & 1;
            let mut state = game.deal(&mut chance);
            while let Turn::Of(seat) = game.turn(&state) {
                let who = seat.index() ^ first;
                let view = game.view(&state, seat);
                let mv = players[who].pick(game, &view, &mut choices[who]);
                game.play(&mut state, mv, &mut chance);
            }
            let scores = game.scores(&state).0;
            totals[0] += scores[Seat(first as u8).index()];
            totals[1] += scores[first ^ 1];
        }
        sum += match totals[0].cmp(&totals[1]) {
            std::cmp::Ordering::Greater => 0.5,
            std::cmp::Ordering::Equal => 0.25,
            std::cmp::Ordering::Less => 0.0,
        };
    }
    sum
}

/// Mean score of the first player and the half width of its 95 % interval, from the variance
/// between deals.
fn measure(
    game: &Leopard,
    players: [&dyn Policy<Leopard>; 2],
    seed: Seed,
    deals: u64,
) -> (f64, f64) {
    // Quarters, so that the sums are exact in any order.
    let (sum, squares) = (0..deals)
        .into_par_iter()
        .map(|deal| (play_deal(game, players, seed, deal) * 4.0).round() as u64)
        .map(|quarters| (quarters, quarters * quarters))
        .reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    let n = deals as f64;
    let mean = sum as f64 / n;
    let variance = (squares as f64 / n - mean * mean) * n / (n - 1.0).max(1.0);
    (mean / 4.0, 1.96 * (variance / n).sqrt() / 4.0)
}

#[derive(serde::Serialize, serde::Deserialize)]
struct File {
    about: String,
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    weights: Option<serde_json::Value>,
}

/// A kind of strategy that has weights.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Steady,
    Brisk,
}

impl Kind {
    fn of(file: &File) -> anyhow::Result<Kind> {
        match file.kind.as_str() {
            "steady" => Ok(Kind::Steady),
            "brisk" => Ok(Kind::Brisk),
            other => anyhow::bail!("`{other}` has no weights"),
        }
    }

    /// The weights of a file, plain ones where it has none.
    fn numbers(self, file: File) -> anyhow::Result<Vec<f64>> {
        let weights = file.weights;
        Ok(match self {
            Kind::Steady => {
                weights.map_or(Ok(Weights::default()), serde_json::from_value)?.to_vec()
            }
            Kind::Brisk => {
                weights.map_or(Ok(BriskWeights::default()), serde_json::from_value)?.to_vec()
            }
        })
    }

    /// Whether a weight is used, by whether a turn has one play.
    fn used(self, one: bool) -> impl Fn(usize) -> bool {
        move |index| match self {
            Kind::Steady => !one || !Weights::NAMES[index].starts_with("many_"),
            Kind::Brisk => true,
        }
    }

    fn player(self, numbers: &[f64]) -> Result<Player, Vec<String>> {
        Ok(match self {
            Kind::Steady => Box::new(Steady::new(Weights::from_slice(numbers))?),
            Kind::Brisk => Box::new(Brisk::new(BriskWeights::from_slice(numbers))?),
        })
    }
}

fn read(name: &str) -> anyhow::Result<File> {
    let named = format!("strategies/leopard/{name}.json");
    let path = if Path::new(&named).exists() { &named } else { name };
    Ok(serde_json::from_str(&std::fs::read_to_string(path)?)?)
}

fn player(name: &str) -> anyhow::Result<Player> {
    let file = read(name)?;
    Ok(match file.kind.as_str() {
        "random" => Box::new(Uniform),
        "random-knocker" => Box::new(RandomKnocker),
        "greedy" => Box::new(Greedy),
        _ => {
            let kind = Kind::of(&file)?;
            let player = kind.player(&kind.numbers(file)?);
            player.map_err(|faults| anyhow::anyhow!("{name}: {}", faults.join("; ")))?
        }
    })
}

/// The variants a candidate is judged by, with their shares.
fn course(only: Option<&str>) -> Vec<(Leopard, f64)> {
    let shares = [
        ("revised", 0.4),
        ("original", 0.15),
        ("running-revised", 0.15),
        ("running-original", 0.1),
        ("denexa", 0.1),
        ("original-bonus", 0.1),
    ];
    let game = |name: &str| Leopard::new(&Leopard::preset(name).expect("a variant"));
    let wanted = shares
        .into_iter()
        .filter(|(name, _)| only.is_none_or(|only| only.split(',').any(|n| n == *name)));
    let mut course: Vec<(Leopard, f64)> =
        wanted.map(|(name, share)| (game(name).expect("valid rules"), share)).collect();
    let total: f64 = course.iter().map(|(_, share)| share).sum();
    course.iter_mut().for_each(|(_, share)| *share /= total);
    course
}

/// A normal number (Box and Muller 1958).
fn normal(chance: &mut Stream) -> f64 {
    let radius = (-2.0 * (1.0 - chance.unit()).ln()).sqrt();
    radius * (std::f64::consts::TAU * chance.unit()).cos()
}

struct Options {
    from: String,
    out: String,
    minutes: f64,
    deals: u64,
    seed: u64,
    variant: Option<String>,
}

fn make(kind: Kind, numbers: &[f64]) -> anyhow::Result<Player> {
    kind.player(numbers).map_err(|faults| anyhow::anyhow!("{}", faults.join("; ")))
}

/// The mean score over the course, each variant's deals in proportion to its share, against all
/// opponents by turns.
fn fitness(
    course: &[(Leopard, f64)],
    me: &dyn Policy<Leopard>,
    against: &[&Player],
    seed: Seed,
    deals: u64,
) -> f64 {
    let mut sum = 0.0;
    for (game, share) in course {
        let each =
            (deals as f64 * share / against.len() as f64 / game.rules().hands_per_match as f64)
                .ceil() as u64;
        for (index, opponent) in against.iter().enumerate() {
            let (mean, _) = measure(game, [me, opponent.as_ref()], seed.child(index as u64), each);
            sum += share * mean / against.len() as f64;
        }
    }
    sum
}

fn tune(options: &Options) -> anyhow::Result<()> {
    let began = Instant::now();
    let course = course(options.variant.as_deref());
    let file = read(&options.from)?;
    let kind = Kind::of(&file)?;
    let mut mean = kind.numbers(file)?;
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
    let (greedy, plain): (Player, Player) =
        (Box::new(Greedy), make(Kind::Steady, &Weights::default().to_vec())?);
    let root = Seed::new(options.seed).named("tune");
    let mut chance = root.named("candidates").stream();
    for generation in 0.. {
        if began.elapsed().as_secs_f64() > options.minutes * 60.0 {
            break;
        }
        let seed = root.named("deals").child(generation);
        let champion = make(kind, &leader)?;
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
                let score = |me: Player| fitness(&course, &*me, &against, seed, options.deals);
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
            let me = make(kind, middle)?;
            let trial = fitness(
                &course,
                &*me,
                &[&champion],
                root.named("trial").child(generation),
                6 * options.deals,
            );
            if trial > 0.5 {
                leader.clone_from(middle);
                write(&options.out, kind, &leader)?;
            }
            eprintln!(
                "{generation}: best {best:.4} average {average:.4}, middle against leader {trial:.4}"
            );
        } else {
            eprintln!("{generation}: best {best:.4} average {average:.4}");
        }
    }
    write(&options.out, kind, &leader)
}

/// Writes a strategy file, the weights to four places.
fn write(path: &str, kind: Kind, numbers: &[f64]) -> anyhow::Result<()> {
    let numbers: Vec<f64> = numbers.iter().map(|w| (w * 1e4).round() / 1e4).collect();
    let plain = kind == Kind::Steady && numbers == Weights::default().to_vec();
    let (name, weights, about) = match kind {
        Kind::Steady => (
            "steady",
            serde_json::to_value(Weights::from_slice(&numbers))?,
            "A heuristic that weighs lines, harm, kept cards and the knock;",
        ),
        Kind::Brisk => (
            "brisk",
            serde_json::to_value(BriskWeights::from_slice(&numbers))?,
            "A heuristic for playouts: lines begun and blocked, kept cards, the race to a knock;",
        ),
    };
    let by = if plain { "weights set by hand." } else { "weights tuned by self-play." };
    let (about, kind) = (format!("{about} {by}"), name.to_owned());
    let file = File { about, kind, weights: Some(weights) };
    std::fs::write(path, serde_json::to_string_pretty(&file)? + "\n")?;
    Ok(())
}

fn main() -> anyhow::Result<()> {
    let mut options = Options {
        from: "steady-plain".to_owned(),
        out: "strategies/leopard/steady.json".to_owned(),
        minutes: 3.0,
        deals: 2000,
        seed: 1,
        variant: None,
    };
    let mut words = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(word) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| anyhow::anyhow!("{word} wants a value"));
        match word.as_str() {
            "--from" => options.from = value()?,
            "--out" => options.out = value()?,
            "--minutes" => options.minutes = value()?.parse()?,
            "--deals" => options.deals = value()?.parse()?,
            "--seed" => options.seed = value()?.parse()?,
            "--variant" => options.variant = Some(value()?),
            _ => words.push(word),
        }
    }
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["tune"] => tune(&options),
        ["climb"] => climb::climb(&options),
        ["plain"] => {
            let plain = Weights::default().to_vec();
            write("strategies/leopard/steady-plain.json", Kind::Steady, &plain)
        }
        ["match", a, b] => {
            let players = [player(a)?, player(b)?];
            let seed = Seed::new(options.seed).named("match");
            for preset in Leopard::presets() {
                if options
                    .variant
                    .as_ref()
                    .is_some_and(|name| !name.split(',').any(|n| n == preset.name))
                {
                    continue;
                }
                let game = Leopard::new(&preset.rules).expect("a preset is valid");
                let refs = [players[0].as_ref(), players[1].as_ref()];
                let began = Instant::now();
                let (mean, half) = measure(&game, refs, seed, options.deals);
                println!(
                    "{}: {a} against {b}: {mean:.4} ± {half:.4} ({:.1} s)",
                    preset.name,
                    began.elapsed().as_secs_f64()
                );
            }
            Ok(())
        }
        _ => anyhow::bail!("usage: tune_steady tune | climb | plain | match A B, with options"),
    }
}
