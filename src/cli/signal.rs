//! Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::{Error, Result};

/// A flag that is raised by the first Ctrl-C (or a polite kill); the second ends the program.
///
/// # Errors
/// When the handler cannot be set.
pub(super) fn stop_flag() -> Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        eprintln!("stopping: finished work is saved (again to leave at once)");
    })
    .map_err(|error| Error::failed(format!("cannot listen for Ctrl-C: {error}")))?;
    Ok(flag)
}
