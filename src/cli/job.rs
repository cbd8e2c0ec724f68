//! Options of long computations that can be resumed.

use clap::{Args, value_parser};

use super::watch::Watch;
use crate::games::Job;

/// The largest number of threads. More are never faster, and systems report badly that they cannot
/// start them.
pub(super) const MAX_THREADS: usize = 1024;

/// The number of worker threads.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(super) struct Threads {
    /// Number of worker threads, 1 to 1024 [default: all cores]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: Option<u16>,
}

impl Threads {
    /// The size of a thread pool: 0 for all cores.
    pub fn for_pool(self) -> usize {
        self.threads.map_or(0, usize::from)
    }
}

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
