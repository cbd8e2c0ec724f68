//! `parlour bench`.

use std::time::Duration;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::output::{Output, print};
use super::watch::Watch;
use crate::arena::Observer;
use crate::error::{Error, Result, ensure};
use crate::games::{ALL, AnyGame, PLAYOUT, Speed, game, signature};
use crate::results::{TextReport, TextTable};

#[derive(Args, Debug)]
pub(super) struct Bench {
    /// Only this game
    game: Option<String>,
    /// Only this variant
    #[arg(long, requires = "game")]
    variant: Option<String>,
    #[command(flatten)]
    output: Output,
    /// Print the behaviour signature instead
    #[arg(long)]
    signature: bool,
    /// Milliseconds per measurement
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=3_600_000))]
    time: u64,
}

/// A speed on one core.
#[derive(Serialize, JsonSchema)]
pub(super) struct SpeedRow {
    /// The game.
    game: &'static str,
    /// The variant.
    variant: String,
    /// A strategy's name (against itself, in the arena), `playout` for bare random playouts, or
    /// `ismcts iteration` for a search of openings with such playouts; its hands are iterations.
    strategy: String,
    /// Hands per second.
    hands_per_second: f64,
    /// Turns per second.
    turns_per_second: f64,
    /// Time per turn.
    nanoseconds_per_turn: f64,
    /// Time per turn as a multiple of the bare random playout's.
    ratio: f64,
    /// Time per hand, or per iteration, as a multiple of the bare random playout's.
    hand_ratio: f64,
}

pub(super) fn run(args: &Bench) -> Result<()> {
    if args.signature {
        return print(signature()?);
    }
    let games: Vec<&AnyGame> = match &args.game {
        Some(name) => vec![game(name)?],
        None => ALL.iter().collect(),
    };
    let mut all = 0;
    for game in &games {
        (game.benchmarks)(args.variant.as_deref(), &mut |_, _, _| all += 1)?;
    }
    let (watch, mut rows) = (Watch::of(all as u64, "lines", false)?, Vec::new());
    let mut playout = None;
    for game in games {
        (game.benchmarks)(args.variant.as_deref(), &mut |variant, strategy, measure| {
            if watch.is_stopped() {
                return;
            }
            let speed = measure(Duration::from_millis(args.time));
            let bare = match strategy == PLAYOUT {
                true => *playout.insert(speed),
                false => *playout.get_or_insert(speed),
            };
            let turns = |speed: Speed| speed.turns_per_hand.or(bare.turns_per_hand).unwrap_or(1.0);
            let turns_per_second = speed.hands_per_second * turns(speed);
            rows.push(SpeedRow {
                game: game.name,
                variant: variant.to_owned(),
                strategy: strategy.to_owned(),
                hands_per_second: speed.hands_per_second,
                turns_per_second,
                nanoseconds_per_turn: 1e9 / turns_per_second,
                ratio: bare.hands_per_second * turns(bare) / turns_per_second,
                hand_ratio: bare.hands_per_second / speed.hands_per_second,
            });
            watch.played(1);
        })?;
    }
    let is_stopped = watch.is_stopped();
    drop(watch);
    args.output.give(&rows, || report(&rows))?;
    ensure(!is_stopped || rows.len() == all, || {
        Error::stopped(format!("stopped after {} of {all} lines", rows.len()))
    })
}

fn report(rows: &[SpeedRow]) -> TextReport {
    let row = |row: &SpeedRow| {
        [
            row.game.to_owned(),
            row.variant.clone(),
            row.strategy.clone(),
            format!("{:.0}", row.hands_per_second),
            format!("{:.0}", row.turns_per_second),
            format!("{:.1}", row.nanoseconds_per_turn),
            format!("{:.2}", row.ratio),
            format!("{:.2}", row.hand_ratio),
        ]
    };
    let heads = "game|variant|strategy|hands/s|turns/s|ns/turn|× playout's turn|× playout";
    TextReport::default().table(TextTable::of(3, heads.split('|'), rows.iter().map(row))).paragraph(
        "One core. A strategy plays itself in the arena's loop. `playout` is the bare random playout; \
         `ismcts iteration` is one iteration of a search from openings with such playouts.",
    )
}
