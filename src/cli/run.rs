//! `parlour run`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::play_plan::{Watch, name_folder, say_json, say_tables};
use super::say;
use super::threads::Threads;
use crate::arena::{Head, Overrides, Plan, Shard};
use crate::error::Result;
use crate::files::{Found, Shelf, parse_json};
use crate::games::with_game;
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
    /// Go on though another program began: you are sure that both play and count the same
    #[arg(long, requires = "resume")]
    same_program: bool,
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
    /// Print the numbers as JSON, by the names of the CSV columns
    #[arg(long, conflicts_with = "shard")]
    json: bool,
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
    let out = run.out.unwrap_or_else(|| Path::new("results").join(&found.name));
    let watch = Watch::new(&plan, run.shard, run.quiet)?;
    let work = watch.over(&plan, run.threads).folder(out.as_path());
    let work = work.hands(run.hands).records(run.records);
    let work = work.resume(run.resume).same_program(run.same_program);
    if let Some(shard) = run.shard {
        work.go_shard(shard)?;
        drop(watch);
        if run.quiet {
            return Ok(());
        }
        let (Shard { part, of }, out) = (shard, out.display());
        return say(format!(
            "Shard {part}/{of}: {out}\nJoin all shards with `parlour merge DIR... --out DIR`."
        ));
    }
    let summary = work.go()?;
    drop(watch);
    if run.json {
        return say_json(&summary);
    }
    if run.quiet {
        return Ok(());
    }
    let about = &plan.experiment().about;
    if !about.is_empty() {
        say(format!("{about}\n"))?;
    }
    say_tables(&summary)?;
    say(format!(
        "± is half a 95 % interval, from the variance between {} deals.{}",
        summary.deals,
        if summary.early { " The run ended early, as `until` says." } else { "" },
    ))?;
    name_folder(&out)
}

/// Reads `I/N`.
fn parse_shard(text: &str) -> std::result::Result<Shard, String> {
    let usual = || format!("`{text}` is not a shard: write I/N with 1 ≤ I ≤ N, as in 2/5");
    let (part, of) = text.split_once('/').ok_or_else(usual)?;
    let number = |text: &str| text.parse::<u64>().map_err(|_| usual());
    let shard = Shard { part: number(part)?, of: number(of)? };
    if (1..=shard.of).contains(&shard.part) { Ok(shard) } else { Err(usual()) }
}
