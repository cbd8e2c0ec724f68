//! Teaches the network of Leopard's `learnt` player.
//!
//! `watch` learns what positions come to in the hands of steady players, to judge their playouts:
//! in each game one move is random, so that more is seen than steady players come to, and only
//! what follows it counts, with the result (as the value network of Silver et al. 2016, *Mastering
//! the game of Go*, was taught).
//!
//! `play` learns to play, by play against itself. The method is TD(λ) on the positions that moves leave
//! behind (Sutton 1988; Tesauro 1995): what a position came to is the value of the best move at
//! the seat's next decision, mixed by λ with what came of that, and in the end the result. Where
//! chance made another move than the best (`--stray`), nothing beyond is believed. The first
//! `--steady` games are played by `steady`, and only their results count. Every batch of games is
//! played with the network as it stood before. What comes out depends on the options alone, on one
//! kind of machine (the teacher, not the player, uses the platform's exponential).

use std::sync::Arc;

use clap::{Args, ValueEnum};
use parlour::chance::Seed;
use parlour::files::Library;
use parlour::game::Ruled;
use parlour::games::leopard::Leopard;
use parlour::games::leopard::bots::{Kind, Learnt, Net};
use parlour::strategy::Strategy;
use rayon::prelude::*;

use crate::lessons::{Manner, play, watch};
use crate::network::{Floats, Teacher};
use crate::table::{Shared, score_of, steady, variant};

/// Games to a batch, and lessons to a step.
const GAMES: u64 = 128;
const LESSONS: usize = 256;

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Hands {
    /// Hands of steady players; without options they teach the committed network
    Watch,
    /// Hands against itself
    Play,
}

#[derive(Args)]
pub struct Teach {
    /// What it learns from
    from_what: Hands,
    /// A strategy file of kind `learnt` to go on from
    #[arg(long)]
    from: Option<String>,
    #[arg(long, default_value = "strategies/leopard/learnt.json")]
    out: String,
    #[arg(long, default_value_t = 600_000)]
    games: u64,
    /// Only results count in the first so many games of `play`, which `steady` plays
    #[arg(long, default_value_t = 40_000)]
    steady: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The size of a step at first, and at last
    #[arg(long, default_value_t = 2e-3)]
    rate: f32,
    #[arg(long, default_value_t = 1e-5)]
    last_rate: f32,
    /// How much of what followed counts, beside the value of the next best move
    #[arg(long, default_value_t = 0.6)]
    lambda: f32,
    /// The chance of a random move
    #[arg(long, default_value_t = 0.05)]
    stray: f64,
    /// Games between two reports
    #[arg(long, default_value_t = 100_000)]
    report: u64,
    /// Deals against `steady` in each report
    #[arg(long, default_value_t = 300)]
    deals: u64,
}

impl Teach {
    pub fn run(&self) -> anyhow::Result<()> {
        teach(self)
    }
}

fn read(path: &str) -> anyhow::Result<Net> {
    match Strategy::<Leopard>::load(&Library::strategies(Leopard::NAME), path)?.spec.kind {
        Kind::Learnt(network) => Ok(Net::clone(&network.net())),
        _ => anyhow::bail!("{path} is not of kind `learnt`"),
    }
}

/// Writes a strategy file, a line for each row.
fn write(floats: &Floats, watches: bool, path: &str) -> anyhow::Result<()> {
    let about = match watches {
        true => {
            "A trained network that estimates the chance to win. It makes the move with the best estimate, and judges positions for the searches."
        }
        false => {
            "Looks one move ahead with a network that learnt, against itself, to tell the chance to win."
        }
    };
    let mut file = serde_json::json!({ "about": about, "kind": "learnt" });
    let net = serde_json::to_value(floats.net())?;
    let fields = net.as_object().into_iter().flatten();
    fields.for_each(|(name, value)| file[name] = value.clone());
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

fn teach(options: &Teach) -> anyhow::Result<()> {
    let (game, steady) = (variant("revised")?, steady()?);
    let watches = options.from_what == Hands::Watch;
    let manner = Manner { lambda: options.lambda, stray: options.stray };
    let against: Shared = Arc::new(steady.clone());
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
        let lessons = games.map(|n| match watches {
            true => watch(&game, &steady, root.child(n)),
            false => play(&game, &me, by, root.child(n), &manner),
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
            write(&teacher.floats, watches, &options.out)?;
            let me: Shared = Arc::new(Learnt::new(Arc::new(teacher.floats.net())));
            let seed = root.named("report").child(done);
            let found = score_of(&game, [&me, &against], seed, options.deals);
            let error = loss / steps as f32;
            println!("{done} games: mean squared error {error:.5}, against steady {found:.4}");
            (loss, steps) = (0.0, 0);
        }
    }
    Ok(())
}
