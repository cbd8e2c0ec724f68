//! `parlour run`.

use std::path::PathBuf;

use clap::Args;

use super::play_plan::{name_folder, parse_shard, play, usual_folder};
use super::say;
use super::threads::Threads;
use crate::arena::{Head, Overrides, Plan, RunOptions, Shard};
use crate::error::Result;
use crate::files::{Found, Shelf, parse_json};
use crate::games::with_game;
use crate::results::{Conduct, rating_table, variant_table};
use crate::strategy::Strategic;

#[derive(Args, Debug)]
pub(super) struct Run {
    /// An experiment file, or the name of one that comes with the program
    experiment: String,
    /// Where the results go [default: results/<experiment>]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Another number of deals than the file's
    #[arg(long)]
    deals: Option<u64>,
    /// Another seed than the file's
    #[arg(long)]
    seed: Option<u64>,
    #[command(flatten)]
    threads: Threads,
    /// Go on with an unfinished run
    #[arg(long)]
    resume: bool,
    /// Only part I of N, to be joined by `merge`
    #[arg(long, value_name = "I/N", value_parser = parse_shard)]
    shard: Option<Shard>,
    /// Write records.jsonl, a line a hand
    #[arg(long)]
    records: bool,
    /// Write hands.csv, a row a hand
    #[arg(long)]
    hands: bool,
    /// No progress bar and no tables
    #[arg(long)]
    quiet: bool,
}

impl Run {
    pub fn run(self) -> Result<()> {
        let found = Shelf::experiments().find(&self.experiment)?;
        let head: Head = parse_json(&found.place(), &found.text)?;
        let place = found.place();
        with_game!(head.game.as_str(), G => run::<G>(self, &found))
            .map_err(|error| error.in_field("game").in_file(&place))?
    }
}

fn run<G: Strategic>(run: Run, found: &Found) -> Result<()> {
    let overrides = Overrides { deals: run.deals, seed: run.seed };
    let plan = Plan::<G>::from_file(found, overrides)?;
    let out = run.out.unwrap_or_else(|| usual_folder(&plan.name));
    let options =
        RunOptions { threads: run.threads.for_pool(), resume: run.resume, shard: run.shard };
    let conduct = Conduct { options, hands: run.hands, records: run.records };
    let summary = play(&plan, conduct, Some(&out), run.quiet)?;
    match (summary, run.shard) {
        (Some(summary), _) if !run.quiet => {
            if !plan.about.is_empty() {
                say(format!("{}\n", plan.about))?;
            }
            say(format!("Ratings\n{}\n", rating_table(&summary)))?;
            say(format!("Variants\n{}\n", variant_table(&summary)))?;
            say(format!(
                "± is half a 95 % interval, from the variance between {} deals.{}",
                summary.deals,
                if summary.early { " The run ended early, as `until` says." } else { "" },
            ))?;
            name_folder(&out)
        }
        (None, Some(shard)) if !run.quiet => say(format!(
            "Shard {}/{}: {}\nJoin all shards with `parlour merge DIR... --out DIR`.",
            shard.part,
            shard.of,
            out.display()
        )),
        _ => Ok(()),
    }
}
