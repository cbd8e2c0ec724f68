//! What `run`, `match` and `compare` share: playing a plan and showing what came of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;

use super::progress_bar::Bar;
use super::say;
use super::signal::stop_flag;
use super::threads::Threads;
use crate::arena::{Plan, Shard};
use crate::error::Result;
use crate::results::{Run, Summary, rating_table, variant_table};
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
    /// Print the numbers as JSON, by the names of the CSV columns
    #[arg(long)]
    pub json: bool,
}

/// Who watches a run: the bar, and Ctrl-C.
pub(super) struct Watch {
    bar: Bar,
    stop: Arc<AtomicBool>,
}

impl Watch {
    /// Watches a run of a plan, or of a part of it.
    pub fn new<G: Strategic>(plan: &Plan<G>, shard: Option<Shard>, quiet: bool) -> Result<Watch> {
        Ok(Watch { bar: Bar::new(plan.hands(shard), quiet), stop: stop_flag()? })
    }

    /// A run of the plan that is watched.
    pub fn over<'a, G: Strategic>(&'a self, plan: &'a Plan<G>, threads: Threads) -> Run<'a, G> {
        Run::of(plan).threads(threads.for_pool()).observer(&self.bar).stop(&self.stop)
    }
}

/// Says how strong the strategies are and what the variants are like.
pub(super) fn say_tables(summary: &Summary) -> Result<()> {
    say(format!("Ratings\n{}\n", rating_table(summary)))?;
    say(format!("Variants\n{}\n", variant_table(summary)))
}

/// Says all numbers of a run for other programs.
pub(super) fn say_json(summary: &Summary) -> Result<()> {
    say(serde_json::to_string_pretty(summary).expect("plain data"))
}

/// Says where the results are.
pub(super) fn name_folder(out: &Path) -> Result<()> {
    say(format!("Results: {}", out.display()))
}
