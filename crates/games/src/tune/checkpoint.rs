//! Checkpoints of unfinished tunings: a folder next to the output, with the request and the progress.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::{DirLock, create_dir, parse_json, read_text, remove_dir, write_atomic};

/// The file of the request.
const REQUEST: &str = "request.json";

/// The file of the progress.
const STATE: &str = "state.json";

/// The checkpoint of a tuning. The folder is created by the first save.
#[derive(Debug)]
pub struct Checkpoint {
    folder: PathBuf,
    request: Value,
    /// Held once the folder exists.
    lock: Option<DirLock>,
}

impl Checkpoint {
    /// Opens the checkpoint of the tuning that writes to `out`. `request` holds everything that
    /// determines the result.
    ///
    /// # Errors
    /// Bad input if there is an unfinished tuning with another request, or without `resume`.
    pub fn open(out: &Path, request: Value, resume: bool) -> Result<Checkpoint> {
        let mut name = out.file_name().map_or_else(|| OsString::from("result"), OsString::from);
        name.push(".tuning");
        let folder = out.with_file_name(name);
        let file = folder.join(REQUEST);
        if !file.exists() {
            return Ok(Checkpoint { folder, request, lock: None });
        }
        ensure(resume, || {
            Error::input(format!(
                "{} holds an unfinished tuning: use `--resume`, remove the folder, or choose another \
                 output with `--out`",
                folder.display()
            ))
        })?;
        let lock = Some(DirLock::acquire(&folder)?);
        let place = file.display().to_string();
        let saved: Value = parse_json(&place, &read_text(&file)?)?;
        let mut parts = request.as_object().into_iter().flatten();
        match parts.find(|(name, part)| saved[*name] != **part) {
            None => Ok(Checkpoint { folder, request, lock }),
            Some((name, _)) => Err(Error::input(format!(
                "cannot resume from {place}: it was started with another `{name}`; use the same \
                 options, or remove the folder"
            ))),
        }
    }

    /// Returns `true` if the folder exists, as in a resumed tuning.
    pub fn is_started(&self) -> bool {
        self.lock.is_some()
    }

    /// Creates the folder if it does not exist.
    ///
    /// # Errors
    /// If it cannot be written, or another process uses it.
    pub fn start(&mut self) -> Result<()> {
        if self.lock.is_none() {
            create_dir(&self.folder)?;
            self.lock = Some(DirLock::acquire(&self.folder)?);
            write_atomic(&self.folder.join(REQUEST), self.request.to_string() + "\n")?;
        }
        Ok(())
    }

    /// Loads the progress, or the default if nothing was saved.
    pub(super) fn load<T: DeserializeOwned + Default>(&self) -> Result<T> {
        let file = self.folder.join(STATE);
        match self.is_started() && file.exists() {
            true => parse_json(&file.display().to_string(), &read_text(&file)?),
            false => Ok(T::default()),
        }
    }

    /// Saves the progress.
    pub(super) fn save(&mut self, state: &impl Serialize) -> Result<()> {
        self.start()?;
        write_atomic(&self.folder.join(STATE), json!(state).to_string() + "\n")
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Removes the folder of a finished tuning.
    pub fn remove(self) {
        if self.lock.is_some() {
            drop(self.lock);
            remove_dir(&self.folder);
        }
    }
}
