//! `parlour match`.

use std::path::PathBuf;

use clap::Args;

use super::play_plan::{Quick, name_folder, play};
use super::say;
use crate::arena::{Experiment, Plan, Schedule, VariantSpec};
use crate::error::{Error, Result};
use crate::games::with_game;
use crate::results::{Conduct, Matchup};
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
    let variant = this.variant.unwrap_or_else(|| G::presets()[0].name.to_owned());
    // A strategy may be named twice: against itself. It is loaded once.
    let mut strategies = this.strategies.clone();
    strategies.sort();
    strategies.dedup();
    let name = |path: &String| {
        let stem = std::path::Path::new(path).file_stem();
        stem.map_or_else(|| path.clone(), |s| s.to_string_lossy().into_owned())
    };
    let experiment = Experiment::<G::Patch> {
        about: String::new(),
        game: G::NAME.to_owned(),
        variants: Some(vec![VariantSpec::Named(variant)]),
        strategies: strategies.into_iter().map(Into::into).collect(),
        schedule: Schedule::LineUp,
        champion: None,
        line_ups: Some(vec![this.strategies.iter().map(name).collect()]),
        mirror: false,
        deals: this.quick.deals,
        seed: this.quick.seed,
        allow_clock: true,
        until: None,
        confirm: false,
        control: false,
    };
    let plan = Plan::<G>::resolve("match", &experiment)?;
    let records = this.records.is_some();
    let options = this.quick.options();
    let conduct = Conduct { options, hands: false, records };
    // Records need a folder to be put together in; without one of the user's it is a passing one.
    let passing = match (&this.quick.out, records) {
        (None, true) => Some(
            tempfile::tempdir()
                .map_err(|e| Error::failed(format!("no folder for a while: {e}")))?,
        ),
        _ => None,
    };
    let folder = this.quick.out.as_deref().or(passing.as_ref().map(tempfile::TempDir::path));
    let summary = play(&plan, conduct, folder, this.quick.quiet)?;
    if let (Some(file), Some(folder)) = (&this.records, folder) {
        let copied = std::fs::copy(folder.join("records.jsonl"), file);
        copied.map_err(|e| Error::failed(format!("cannot write {}: {e}", file.display())))?;
    }
    for row in summary.iter().flat_map(|s| &s.variants).flat_map(|v| &v.matchups) {
        say(line(row))?;
    }
    this.quick.out.as_deref().map_or(Ok(()), name_folder)
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
