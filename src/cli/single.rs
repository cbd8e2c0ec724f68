//! `parlour match`.

use super::{Args, Estimate, Experiment, PathBuf, Quick, Result};
use crate::games::game;
use crate::results::{Matchup, answer_sheet, pairing_sheet};

#[derive(Args, Debug)]
pub(super) struct Match {
    /// leopard, …
    game: String,
    /// The strategies, one a seat: names or paths
    #[arg(required = true, num_args = 2..)]
    strategies: Vec<String>,
    /// A variant [default: the first that `list variants` names]
    #[arg(long)]
    variant: Option<String>,
    /// How many seats the table has, in a game for several numbers; the strategies sit down in turn
    /// until all seats are taken
    #[arg(long)]
    seats: Option<u8>,
    /// A file for the records, a line a hand
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    #[command(flatten)]
    quick: Quick,
}

pub(super) fn run(given: &Match) -> Result<()> {
    let game = game(&given.game)?;
    let Match { variant, strategies, seats, .. } = given;
    let variant = variant.as_deref().unwrap_or(game.variants()[0].0);
    let experiment = Experiment::at_table(game.name(), variant.into(), strategies, *seats)?;
    let plan = given.quick.plan(game, "match", experiment, *seats)?;
    given.quick.play(&*plan, given.records.as_deref(), |summary| {
        let lines = summary.matchups().map(line);
        answer_sheet(summary).then(pairing_sheet(summary)).listing(lines)
    })
}

/// What a match had beside its score; where more than two sit at a table, the score too.
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
