//! What `run`, `match` and `compare` share: playing a plan and showing what came of it.

use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use clap::Args;

use super::progress_bar::Bar;
use super::say;
use super::signal::stop_flag;
use super::threads::Threads;
use crate::arena::{NoLedger, Plan, ProgressHeader, RunOptions, Shard, run};
use crate::error::{Error, Result};
use crate::results::{Conduct, Folder, Summary};
use crate::strategy::Strategic;

/// What a run without an experiment file can be told.
#[derive(Args, Debug)]
pub(super) struct Quick {
    /// How many deals
    #[arg(long, default_value_t = 1000)]
    pub deals: u64,
    /// What all chance grows from
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub threads: Threads,
    /// Where the results go; nowhere when left out
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// No progress bar
    #[arg(long)]
    pub quiet: bool,
}

impl Quick {
    /// How it is played.
    pub fn options(&self) -> RunOptions {
        RunOptions { threads: self.threads.for_pool(), ..RunOptions::default() }
    }
}

/// Plays a plan into a folder, or nowhere. The summary is there unless this was a shard.
pub(super) fn play<G: Strategic>(
    plan: &Plan<G>,
    conduct: Conduct,
    out: Option<&Path>,
    quiet: bool,
) -> Result<Option<Summary>> {
    let stop = stop_flag()?;
    let chunks = (0..plan.chunks()).filter(|c| conduct.options.shard.is_none_or(|s| s.has(*c)));
    let deals: u64 = chunks.map(|c| plan.deals_of(c)).map(|d| d.end - d.start).sum();
    let bar = Bar::new(deals * plan.hands_per_deal(), quiet);
    let Some(out) = out else {
        let header = ProgressHeader::of(plan, false, false, None);
        let finished = run(plan, header, None, conduct.options, &NoLedger, &bar, &stop)?;
        bar.finish();
        if !finished.complete {
            return Err(Error::stopped("stopped; nothing was saved without `--out`"));
        }
        return Ok(Some(Summary::new(plan, &finished.tallies())));
    };
    let outcome = Folder::new(out).conduct(plan, conduct, &bar, &stop);
    bar.finish();
    let (finished, summary) = outcome?;
    if !finished.complete {
        let (kept, place) = (finished.progress.chunks.len(), out.display());
        debug_assert!(stop.load(Ordering::Relaxed));
        return Err(Error::stopped(format!(
            "stopped: {kept} of {} chunks are saved in {place}; the same command with `--resume` goes on",
            plan.chunks()
        )));
    }
    Ok(summary)
}

/// Says where the results are.
pub(super) fn name_folder(out: &Path) -> Result<()> {
    say(format!("Results: {}", out.display()))
}

/// Reads `I/N`.
pub(super) fn parse_shard(text: &str) -> std::result::Result<Shard, String> {
    let usual = || format!("`{text}` is not a shard: write I/N with 1 ≤ I ≤ N, as in 2/5");
    let (part, of) = text.split_once('/').ok_or_else(usual)?;
    let number = |text: &str| text.parse::<u64>().map_err(|_| usual());
    let shard = Shard { part: number(part)?, of: number(of)? };
    if (1..=shard.of).contains(&shard.part) { Ok(shard) } else { Err(usual()) }
}

/// A folder for results under `results/`.
pub(super) fn usual_folder(name: &str) -> PathBuf {
    Path::new("results").join(name)
}
