//! `parlour match`.

use std::path::PathBuf;

use clap::Args;

use super::run_args::QuickRun;
use crate::error::Result;
use crate::games::game;
use crate::results::{Matchup, answer_report, pairing_report};
use crate::{Estimate, Experiment};

#[derive(Args, Debug)]
pub(super) struct Match {
    /// The game: leopard, …
    game: String,
    /// The strategies, one for each seat: names or paths
    #[arg(required = true, num_args = 2..)]
    strategies: Vec<String>,
    /// Variant [default: the first in `parlour list variants`]
    #[arg(long)]
    variant: Option<String>,
    /// Number of seats, in a game that leaves a choice; the strategies take the seats in turn
    #[arg(long)]
    seats: Option<u8>,
    /// File for the records, one line per hand
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    #[command(flatten)]
    quick: QuickRun,
}

pub(super) fn run(args: &Match) -> Result<()> {
    let Match { strategies, seats, quick, .. } = args;
    let game = game(&args.game)?;
    let variant = args.variant.as_deref().unwrap_or((game.variants)()[0].0);
    let experiment = Experiment::at_table(game.name, variant.into(), strategies, *seats)?;
    quick.run("match", experiment, *seats, args.records.as_deref(), |summary| {
        let lines = summary.matchups().map(line);
        answer_report(summary).then(pairing_report(summary)).sentences(lines)
    })
}

/// The figures of a match-up beside its score; with more than two seats, the score too.
fn line(row: &Matchup) -> String {
    let show = |e: Option<Estimate>| e.map_or("–".to_owned(), |e| e.to_string());
    let Matchup { strategy, opponent, wins, draws, losses, deals, hands, .. } = row;
    let [score, points, against, margin, turns] =
        [row.score, row.points_for, row.points_against, row.margin, row.turns].map(show);
    let unit = if *deals == 1 { "deal" } else { "deals" };
    let score = match row.pair {
        Some(_) => String::new(),
        None => format!("score {score} ({wins} won, {draws} drawn, {losses} lost), "),
    };
    format!(
        "{strategy} against {opponent}: {score}points {points} to {against}, margin {margin}, {turns} turns a hand; {deals} {unit}, {hands} hands."
    )
}
