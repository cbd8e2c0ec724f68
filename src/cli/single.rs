//! `parlour match`.

use super::{Args, Estimate, Experiment, PathBuf, Quick, Result, Strategic, say, with_game};
use crate::results::Matchup;

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
    /// A file for the records, a line a hand
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    #[command(flatten)]
    quick: Quick,
}

pub(super) fn run(given: &Match) -> Result<()> {
    with_game!(given.game.as_str(), G => play_match::<G>(given))?
}

fn play_match<G: Strategic>(given: &Match) -> Result<()> {
    let variant = given.variant.as_deref().unwrap_or(G::presets()[0].name);
    let experiment = Experiment::of_match(G::NAME, variant, &given.strategies);
    given.quick.play::<G>("match", experiment, given.records.as_deref(), |_, summary| {
        summary.matchups().try_for_each(|row| say(line(row)))
    })
}

fn line(row: &Matchup) -> String {
    let show = |e: Option<Estimate>| e.map_or("–".to_owned(), |e| e.to_string());
    let Matchup { strategy, opponent, variant, wins, draws, losses, deals, hands, .. } = row;
    let [score, points, against, margin, turns] =
        [row.score, row.points_for, row.points_against, row.margin, row.turns].map(show);
    let unit = if *deals == 1 { "deal" } else { "deals" };
    format!(
        "{strategy} against {opponent} under {variant}: score {score} ({wins} won, {draws} drawn, {losses} lost), points {points} to {against}, margin {margin}, {turns} turns a hand; {deals} {unit}, {hands} hands"
    )
}
