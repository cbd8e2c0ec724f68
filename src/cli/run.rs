//! `parlour run`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::output::Output;
use super::print::{print, warn};
use super::run_args::{IfExistsArgs, Threads, print_folder, warn_of_own_files};
use super::watch::Watch;
use crate::arena::{DynPlan, Overrides, Shard};
use crate::error::{Error, Result};
use crate::files::Library;
use crate::games::Games;
use crate::results::{self, IfExists, RunStatus, plan_from_source, report, run_report};

#[derive(Args, Debug)]
pub(super) struct Run {
    /// An experiment file, the name of a built-in experiment, or the manifest of a run to repeat
    experiment: String,
    /// Folder for the results [default: results/EXPERIMENT, or the next free of
    /// results/EXPERIMENT-2, -3, …]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Number of deals, in place of the file's
    #[arg(long, allow_negative_numbers = true)]
    deals: Option<u64>,
    /// Random seed, in place of the file's
    #[arg(long, allow_negative_numbers = true)]
    seed: Option<u64>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    if_exists: IfExistsArgs,
    /// Resume a run started by a different build (only if both give identical results)
    #[arg(long, requires = "resume")]
    allow_other_build: bool,
    /// Play shard I of N; combine shards with `parlour merge`
    #[arg(long, value_name = "I/N", value_parser = parse_shard, conflicts_with_all = ["json", "export_markdown"])]
    shard: Option<Shard>,
    /// Write records.jsonl, one line per hand
    #[arg(long)]
    records: bool,
    /// Write hands.csv, one row per hand
    #[arg(long)]
    hands: bool,
    /// Print only the folder of the results
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(args: &Run) -> Result<()> {
    args.output.check()?;
    let source = Library::experiments().find(&args.experiment)?;
    let &Run { deals, seed, .. } = args;
    let (name, plan) =
        plan_from_source(&source, Overrides { deals, seed }, &(), &Games(crate::PROGRAM))?;
    play(args, &name, &*plan)
}

fn play(args: &Run, name: &str, plan: &dyn DynPlan) -> Result<()> {
    let &Run { shard, hands, records, allow_other_build, quiet, .. } = args;
    let existing = args.if_exists.into();
    let out = args.out.clone().map_or_else(|| default_folder(name, shard, existing), Ok)?;
    warn_of_own_files(plan.info());
    let watch = Watch::run(plan.info(), shard, quiet, true)?;
    let (folder, watched) = (Some(out.as_path()), watch.over(plan, args.threads.for_pool()));
    let run =
        results::Run { folder, hands, records, if_exists: existing, allow_other_build, ..watched };
    if let Some(shard) = shard {
        run.go_shard(shard)?;
        drop(watch);
        if quiet {
            return print_folder(&out);
        }
        let (Shard { part, of }, folder) = (shard, out.display());
        let hint = "Combine all shards with `parlour merge DIR... --out DIR`.";
        return print(format!("Shard {part}/{of}: {folder}\n{hint}"));
    }
    let summary = run.go()?;
    drop(watch);
    let index = report::write_index(&out)?;
    let early = if summary.early { " The run ended early because of `until`." } else { "" };
    let deals = summary.deals;
    let sampled = summary.analyzed_deals().map_or(String::new(), |sampled| {
        format!(" Decision figures use {sampled} of these deals.")
    });
    args.output.give_unless(quiet, &summary, || {
        let note = "± is half a 95 % interval, from the variance between";
        run_report(&summary).paragraph(format!("{note} {deals} deals.{sampled}{early}"))
    })?;
    if args.output.json {
        return Ok(());
    }
    print_folder(&out)?;
    match index {
        Some(index) if !quiet => print(format!("All runs: {}", index.display())),
        _ => Ok(()),
    }
}

/// The folder for results without `--out`: the experiment's, or the next free one after a finished
/// run. With `--replace`, the run to be replaced must be clear.
fn default_folder(name: &str, shard: Option<Shard>, existing: IfExists) -> Result<PathBuf> {
    let results = Path::new("results");
    if let Some(Shard { part, of }) = shard {
        return Ok(results.join(format!("{name}-shard-{part}-of-{of}")));
    }
    let first = results.join(name);
    let others = (2..).map(|number| results.join(format!("{name}-{number}")));
    let mut folders = std::iter::once(first.clone()).chain(others);
    let is_finished = |folder: &PathBuf| RunStatus::of(folder) == RunStatus::Finished;
    if existing == IfExists::Replace {
        let second = folders.nth(1).filter(is_finished);
        return second.map_or(Ok(first.clone()), |second| {
            let (first, second) = (first.display(), second.display());
            Err(Error::input(format!(
                "{first} and {second} are both finished; name the one to replace with `--out`"
            )))
        });
    }
    let finished: Vec<PathBuf> = folders.by_ref().take_while(is_finished).collect();
    let Some(last) = finished.last() else { return Ok(first) };
    let next = results.join(format!("{name}-{}", finished.len() + 1));
    if existing == IfExists::Resume && RunStatus::of(&next) == RunStatus::Absent {
        return Ok(last.clone());
    }
    let (first, folder) = (first.display(), next.display());
    warn(format_args!("{first} has a finished run; this run goes to {folder}"));
    Ok(next)
}

/// Reads `I/N`.
fn parse_shard(text: &str) -> std::result::Result<Shard, String> {
    let fault = || format!("`{text}` is not a shard: write I/N with 1 ≤ I ≤ N, as in 2/5");
    let (part, of) = text.split_once('/').ok_or_else(fault)?;
    let number = |text: &str| text.parse::<u64>().map_err(|_| fault());
    Shard::new(number(part)?, number(of)?)
}
