//! Options of long computations that can be resumed.

use clap::Args;

use super::run::Threads;
use super::watch::Watch;
use crate::games::Job;

/// Options of a tuning or a training that do not change its result.
#[derive(Args, Debug)]
pub(super) struct JobOptions {
    /// Overwrite existing files
    #[arg(long)]
    pub replace: bool,
    /// Resume what was stopped
    #[arg(long)]
    pub resume: bool,
    #[command(flatten)]
    pub threads: Threads,
    /// No progress bar
    #[arg(long)]
    pub quiet: bool,
}

impl JobOptions {
    /// Runs it under this watch.
    pub fn run<'a>(&self, watch: &'a Watch) -> Job<'a> {
        let (replace, resume, threads) = (self.replace, self.resume, self.threads.for_pool());
        let (program, stop) = (crate::PROGRAM, watch.stop());
        Job { replace, resume, threads, program, stop, observer: watch }
    }
}
