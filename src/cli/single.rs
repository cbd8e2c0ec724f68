//! `parlour match`.

use std::path::PathBuf;

use clap::Args;

use super::play_plan::{Quick, Watch, name_folder, say_json};
use super::say;
use crate::arena::{Experiment, Plan};
use crate::error::Result;
use crate::games::with_game;
use crate::results::Matchup;
use crate::strategy::Strategic;

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

impl Match {
    pub fn run(self) -> Result<()> {
        let game = self.game.clone();
        with_game!(game.as_str(), G => play_match::<G>(self))?
    }
}

fn play_match<G: Strategic>(this: Match) -> Result<()> {
    let quick = this.quick;
    let variant = this.variant.unwrap_or_else(|| G::presets()[0].name.to_owned());
    let experiment = Experiment {
        deals: quick.deals,
        seed: quick.seed,
        ..Experiment::of_match(G::NAME, &variant, &this.strategies)
    };
    let plan = Plan::<G>::resolve("match", &experiment)?;
    let watch = Watch::new(&plan, None, quick.quiet)?;
    let work = watch.over(&plan, quick.threads).folder(quick.out.as_deref());
    let summary = work.records_in(this.records.as_deref()).go()?;
    drop(watch);
    if quick.json {
        return say_json(&summary);
    }
    for row in summary.variants.iter().flat_map(|v| &v.matchups) {
        say(line(row))?;
    }
    quick.out.as_deref().map_or(Ok(()), name_folder)
}

fn line(row: &Matchup) -> String {
    let show = |e: Option<crate::stats::Estimate>| e.map_or("–".to_owned(), |e| e.to_string());
    format!(
        "{} against {} under {}: score {} ({} won, {} drawn, {} lost), points {} to {}, margin {}, {} turns a hand; {} {}, {} hands",
        row.strategy,
        row.opponent,
        row.variant,
        show(row.score),
        row.wins,
        row.draws,
        row.losses,
        show(row.points_for),
        show(row.points_against),
        show(row.margin),
        show(row.turns),
        row.deals,
        if row.deals == 1 { "deal" } else { "deals" },
        row.hands,
    )
}
