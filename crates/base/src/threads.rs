//! Threads of parallel work. In a browser tab, which has none, the parallel parts run one after another.

use std::error::Error as _;
use std::sync::OnceLock;

use rayon::ThreadPoolBuilder;

use crate::error::{Error, Result};

/// `true` if this platform has only the current thread. Without a pool, `rayon` uses that thread.
const IS_SINGLE: bool = cfg!(target_family = "wasm");

/// Runs work whose parallel parts use this number of threads; 0 for one per core.
///
/// # Errors
/// If the system refuses the threads.
pub fn run_on<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T> {
    if IS_SINGLE {
        return Ok(work());
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|e| Error::failed(format!("cannot start the threads: {e}")))?;
    Ok(pool.install(work))
}

/// Starts the shared threads. Returns `false` if the system refuses.
pub fn has_shared_threads() -> bool {
    static STARTED: OnceLock<bool> = OnceLock::new();
    // Without a source, the error is that they run already.
    let start = || match ThreadPoolBuilder::new().build_global() {
        Ok(()) => true,
        Err(error) => error.source().is_none(),
    };
    IS_SINGLE || rayon::current_thread_index().is_some() || *STARTED.get_or_init(start)
}
