//! Teaches the network of Leopard's `learnt` player, and measures it.
//!
//! ```text
//! learn_leopard watch [--from FILE] [--out FILE] [--games N] [--seed N] [--rate X] [--last-rate X]
//!                     [--report N]
//! learn_leopard learn … [--steady N] [--lambda X] [--stray X]
//! learn_leopard score FILE [--deals N] [--seed N]
//! ```
//! FILE is a strategy file of kind `learnt`; `watch` without options makes the committed one.
//!
//! `watch` learns what positions come to in the hands of steady players, to judge their playouts:
//! in each game one move is random, so that more is seen than steady players come to, and only
//! what follows it counts, with the result (as the value network of Silver et al. 2016, *Mastering
//! the game of Go*, was taught).
//!
//! `learn` learns to play, by play against itself. The method is TD(λ) on the positions that moves leave
//! behind (Sutton 1988; Tesauro 1995): what a position came to is the value of the best move at
//! the seat's next decision, mixed by λ with what came of that, and in the end the result. Where
//! chance made another move than the best (`--stray`), nothing beyond is believed. The first
//! `--steady` games are played by `steady`, and only their results count. Every batch of games is
//! played with the network as it stood before. What comes out depends on the options alone, on one
//! kind of machine (the teacher, not the player, uses the platform's exponential).

mod hand;
mod teacher;

use std::sync::Arc;

use hand::{Manner, play, score, watch};
use parlour::chance::Seed;
use parlour::game::Ruled;
use parlour::games::leopard::bots::{Learnt, LearntFile, Steady, Weights};
use parlour::games::leopard::{Leopard, Rules};
use rayon::prelude::*;
use teacher::{Floats, Teacher};

/// Games to a batch, and lessons to a step.
const GAMES: u64 = 128;
const LESSONS: usize = 256;

struct Options {
    from: Option<String>,
    out: String,
    games: u64,
    steady: u64,
    seed: u64,
    rate: f32,
    last_rate: f32,
    manner: Manner,
    report: u64,
    deals: u64,
    watches: bool,
}

fn steady() -> anyhow::Result<Steady> {
    let text = std::fs::read_to_string("strategies/leopard/steady.json")?;
    let file: serde_json::Value = serde_json::from_str(&text)?;
    let weights: Weights = serde_json::from_value(file["weights"].clone())?;
    Steady::new(weights).map_err(|faults| anyhow::anyhow!("{}", faults.join("; ")))
}

fn read(path: &str) -> anyhow::Result<parlour::games::leopard::bots::Net> {
    let file: LearntFile = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    file.net().map_err(|faults| anyhow::anyhow!("{path}: {}", faults.join("; ")))
}

/// Writes a strategy file, a line for each row.
fn write(floats: &Floats, watches: bool, path: &str) -> anyhow::Result<()> {
    let about = match watches {
        true => {
            "A network that learnt from steady players' hands to tell the chance to win; it judges playouts, and plays by looking one move ahead."
        }
        false => {
            "Looks one move ahead with a network that learnt, against itself, to tell the chance to win."
        }
    };
    let file = serde_json::to_value(LearntFile::new(about, &floats.net()))?;
    let fields = file.as_object().into_iter().flatten().map(|(name, value)| {
        let rows = value.as_array().filter(|rows| rows.iter().all(|row| row.is_array()));
        let text = match rows {
            Some(rows) => {
                let lines: Vec<String> = rows.iter().map(|row| format!("    {row}")).collect();
                format!("[\n{}\n  ]", lines.join(",\n"))
            }
            None => value.to_string(),
        };
        format!("  \"{name}\": {text}")
    });
    let fields: Vec<String> = fields.collect();
    Ok(std::fs::write(path, format!("{{\n{}\n}}\n", fields.join(",\n")))?)
}

fn learn(game: &Leopard, options: &Options) -> anyhow::Result<()> {
    let steady = steady()?;
    let root = Seed::new(options.seed).named("learn");
    let start = match &options.from {
        Some(path) => Floats::of(&read(path)?),
        None => Floats::fresh(&mut root.named("start").stream()),
    };
    let mut teacher = Teacher::new(start);
    let mut order = root.named("order").stream();
    let (mut loss, mut steps, mut reported) = (0.0, 0, 0);
    for batch in 0..options.games.div_ceil(GAMES) {
        let first = batch * GAMES;
        let part = first as f32 / options.games as f32;
        let rate = options.rate * (options.last_rate / options.rate).powf(part);
        let me = Learnt::new(Arc::new(teacher.floats.net()));
        let by = (options.from.is_none() && first < options.steady).then_some(&steady);
        let games = (first..first + GAMES).into_par_iter();
        let lessons = games.map(|n| match options.watches {
            true => watch(game, &steady, root.child(n)),
            false => play(game, &me, by, root.child(n), &options.manner),
        });
        let mut lessons: Vec<_> = lessons.collect::<Vec<_>>().into_iter().flatten().collect();
        order.shuffle(&mut lessons);
        for lessons in lessons.chunks(LESSONS) {
            loss += teacher.teach(lessons, rate);
            steps += 1;
        }
        let done = first + GAMES;
        if done / options.report > reported || done >= options.games {
            reported = done / options.report;
            write(&teacher.floats, options.watches, &options.out)?;
            let me = Learnt::new(Arc::new(teacher.floats.net()));
            let seed = root.named("report").child(done);
            let (mean, half) = score(game, [&me, &steady], seed, options.deals);
            println!(
                "{done} games: mean squared error {:.5}, against steady {mean:.4} ± {half:.4}",
                loss / steps as f32
            );
            (loss, steps) = (0.0, 0);
        }
    }
    Ok(())
}

fn main() -> anyhow::Result<()> {
    let mut options = Options {
        from: None,
        out: "strategies/leopard/learnt.json".to_owned(),
        games: 600_000,
        steady: 40_000,
        seed: 1,
        rate: 2e-3,
        last_rate: 1e-5,
        manner: Manner { lambda: 0.6, stray: 0.05 },
        report: 100_000,
        deals: 300,
        watches: false,
    };
    let mut words = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(word) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| anyhow::anyhow!("{word} wants a value"));
        match word.as_str() {
            "--from" => options.from = Some(value()?),
            "--out" => options.out = value()?,
            "--games" => options.games = value()?.parse()?,
            "--steady" => options.steady = value()?.parse()?,
            "--seed" => options.seed = value()?.parse()?,
            "--rate" => options.rate = value()?.parse()?,
            "--last-rate" => options.last_rate = value()?.parse()?,
            "--lambda" => options.manner.lambda = value()?.parse()?,
            "--stray" => options.manner.stray = value()?.parse()?,
            "--report" => options.report = value()?.parse()?,
            "--deals" => options.deals = value()?.parse()?,
            _ => words.push(word),
        }
    }
    let game = Leopard::new(&Rules::REVISED).map_err(|faults| anyhow::anyhow!("{faults:?}"))?;
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["learn"] => learn(&game, &options),
        ["watch"] => learn(&game, &Options { watches: true, ..options }),
        ["score", path] => {
            let me = Learnt::new(Arc::new(read(path)?));
            let seed = Seed::new(options.seed).named("score");
            let (mean, half) = score(&game, [&me, &steady()?], seed, options.deals);
            println!("{path} against steady: {mean:.4} ± {half:.4}");
            Ok(())
        }
        _ => anyhow::bail!("usage: learn_leopard watch | learn | score FILE, with options"),
    }
}
