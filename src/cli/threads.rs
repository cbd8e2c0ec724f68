//! `--threads`, the same for every command that has it.

use clap::{Args, value_parser};

/// How many threads a command may use.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct Threads {
    /// How many threads, 1 to 1024 [default: one for each core]
    // No machine is the faster for more, and a system that refuses to start them says so badly.
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    /// The number as a pool of threads takes it: 0 for one on each core.
    pub fn for_pool(self) -> usize {
        self.threads.map_or(0, usize::from)
    }
}
