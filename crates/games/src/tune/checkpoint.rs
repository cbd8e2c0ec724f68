//! Checkpoints of unfinished jobs: a folder next to the output, with the request and the progress.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::{
    ChecksummedLine, DirLock, checksummed_line, create_dir, difference, read_text, write_atomic,
};

/// The file of the request.
const REQUEST: &str = "request.json";

/// The file of the progress.
const STATE: &str = "state.json";

/// The locked checkpoint of a tuning or a training. The folder stays if the job is stopped or killed.
#[derive(Debug)]
pub struct Checkpoint {
    folder: PathBuf,
    lock: Option<DirLock>,
    is_resumed: bool,
    /// `true` if the folder is to stay.
    is_kept: bool,
}

impl Checkpoint {
    /// Locks the checkpoint of the job that writes to `out`. `request` holds everything that
    /// determines the result.
    ///
    /// # Errors
    /// Bad input if there is an unfinished job with another request, or without `resume`; if
    /// another process uses the folder. A failure if it cannot be written.
    pub fn open(out: &Path, request: &Value, resume: bool) -> Result<Checkpoint> {
        let mut name = out.file_name().map_or_else(|| OsString::from("result"), OsString::from);
        name.push(".unfinished");
        let folder = out.with_file_name(name);
        create_dir(&folder)?;
        let lock = Some(DirLock::acquire(&folder)?);
        let file = folder.join(REQUEST);
        let is_resumed = file.exists();
        let checkpoint = Checkpoint { folder, lock, is_resumed, is_kept: is_resumed };
        if !is_resumed {
            // A killed process may have left a part of what it removed.
            checkpoint.remove_files();
            write_atomic(&file, checksummed_line(request))?;
            return Ok(checkpoint);
        }
        ensure(resume, || {
            Error::input(format!(
                "{} holds unfinished work: use `--resume`, remove the folder, or choose another \
                 output with `--out`",
                checkpoint.folder.display()
            ))
        })?;
        let saved: Value = load(&file)?;
        difference(&saved, request).map_or(Ok(checkpoint), |difference| {
            Err(Error::input(format!(
                "cannot resume from {}: {difference}; use what it was started with, or remove the folder",
                file.display()
            )))
        })
    }

    /// Returns `true` if the job was started before.
    pub fn is_resumed(&self) -> bool {
        self.is_resumed
    }

    /// Keeps the folder, even if nothing is saved by this type.
    pub fn keep(&mut self) {
        self.is_kept = true;
    }

    /// Loads the progress, or the default if nothing was saved.
    pub(crate) fn load<T: DeserializeOwned + Default>(&self) -> Result<T> {
        let file = self.folder.join(STATE);
        if file.exists() { load(&file) } else { Ok(T::default()) }
    }

    /// Saves the progress.
    pub(crate) fn save(&mut self, state: &impl Serialize) -> Result<()> {
        self.keep();
        write_atomic(&self.folder.join(STATE), checksummed_line(state))
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Removes the folder of a finished job.
    pub fn remove(mut self) {
        self.is_kept = false;
    }

    /// Removes the files except the lock. Without its request, the rest is ignored.
    fn remove_files(&self) {
        _ = fs::remove_file(self.folder.join(REQUEST));
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            if entry.file_name() != DirLock::FILE {
                _ = fs::remove_file(entry.path()).or_else(|_| fs::remove_dir_all(entry.path()));
            }
        }
    }
}

impl Drop for Checkpoint {
    fn drop(&mut self) {
        if !self.is_kept {
            self.remove_files();
            drop(self.lock.take());
            // Another process may hold the lock by now; its folder is not empty.
            _ = fs::remove_dir(&self.folder);
        }
    }
}

fn load<T: DeserializeOwned>(file: &Path) -> Result<T> {
    let (place, text) = (file.display().to_string(), read_text(file)?);
    let text = text.strip_suffix('\n').unwrap_or(&text);
    ChecksummedLine { file: &place, number: 1, text }.parse()
}
