//! Long computations that can be stopped and resumed.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rayon::{ThreadPool, ThreadPoolBuilder};

use parlour_arena::Observer;
use parlour_base::Program;
use parlour_base::error::{Error, Result};

/// Options of a tuning or a training that do not change its result.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// Overwrites existing files.
    pub replace: bool,
    /// Resumes a stopped job.
    pub resume: bool,
    /// Number of threads; 0 for all cores.
    pub threads: usize,
    /// The program that runs it.
    pub program: Program,
    /// A flag that stops the job when set.
    pub stop: &'a Arc<AtomicBool>,
    /// Receives the number of hands of the job, and of those just played.
    pub observer: &'a dyn Observer,
}

impl Job<'_> {
    /// Starts the threads.
    pub(crate) fn pool(&self) -> Result<ThreadPool> {
        let pool = ThreadPoolBuilder::new().num_threads(self.threads).build();
        pool.map_err(|e| Error::failed(format!("cannot start the threads: {e}")))
    }
}
