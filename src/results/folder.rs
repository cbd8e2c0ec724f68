//! A result folder: begun, gone on with, finished.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Instant, SystemTime};

use super::ledger::Ledgers;
use super::manifest::Timing;
use super::report::{self, Story};
use super::{Summary, confirm, manifest};
use crate::arena::{Finished, Observer, Plan, Progress, ProgressHeader, RunOptions, run};
use crate::error::{Error, Result};
use crate::files::write_whole;
use crate::strategy::Strategic;

/// All files that a run may leave behind, the manifest last.
pub const RESULT_FILES: [&str; 12] = [
    "matchups.csv",
    "strategies.csv",
    "variants.csv",
    "differences.csv",
    "populations.csv",
    "confirmed.csv",
    "confirm/progress.jsonl",
    "hands.csv",
    "records.jsonl",
    "progress.jsonl",
    report::FILE,
    "manifest.json",
];

/// How a run is done and what it writes down.
#[derive(Clone, Copy, Debug, Default)]
pub struct Conduct {
    /// How it is played.
    pub options: RunOptions,
    /// Whether every hand is listed.
    pub hands: bool,
    /// Whether every hand is recorded.
    pub records: bool,
}

/// A folder for the results of one run.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// The folder at a path; it need not be there yet.
    pub fn new(path: &Path) -> Folder {
        Folder { path: path.to_owned() }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Plays a plan (or goes on with it) and writes its results. The summary is there when the
    /// whole run is done: not after a stop, and not for a shard.
    ///
    /// # Errors
    /// Bad input when the folder holds something else; a failure when it cannot be written to.
    pub fn conduct<G: Strategic>(
        &self,
        plan: &Plan<G>,
        conduct: Conduct,
        observer: &impl Observer,
        stop: &AtomicBool,
    ) -> Result<(Finished, Option<Summary>)> {
        let (started, clock) = (SystemTime::now(), Instant::now());
        self.prepare(conduct.options.resume)?;
        let shard = conduct.options.shard;
        let header = ProgressHeader::of(plan, conduct.hands, conduct.records, shard);
        let ledgers = Ledgers::new(plan, &self.path, conduct.hands, conduct.records)?;
        let finished =
            run(plan, header, Some(&self.path), conduct.options, &ledgers, observer, stop)?;
        if !finished.complete || shard.is_some() {
            return Ok((finished, None));
        }
        let mut summary = Summary::new(plan, &finished.tallies());
        let threads = conduct.options.threads;
        match confirm::play(plan, &summary, &self.path, threads, observer, stop)? {
            Some(confirmed) => summary.confirm(confirmed),
            None => return Ok((Finished { complete: false, ..finished }, None)),
        }
        let folders = vec![self.path.clone(); finished.progress.chunks.len()];
        let timing = Timing {
            started,
            took: clock.elapsed(),
            threads: match conduct.options.threads {
                0 => std::thread::available_parallelism().map_or(1, usize::from),
                threads => threads,
            },
            resumed_chunks: finished.resumed,
        };
        self.write(plan, &finished.progress, &summary, &ledgers, &folders, timing)?;
        Ok((finished, Some(summary)))
    }

    /// Writes all that follows from the finished chunks.
    pub(super) fn write<G: Strategic>(
        &self,
        plan: &Plan<G>,
        progress: &Progress,
        summary: &Summary,
        ledgers: &Ledgers<'_, G>,
        folders: &[PathBuf],
        timing: Timing,
    ) -> Result<()> {
        ledgers.bind(&self.path, folders)?;
        summary.tables().iter().try_for_each(|table| table.write(&self.path))?;
        self.write_report(plan, summary, &crate::program())?;
        // The page may be written again by a later program; the manifest speaks of what lasts.
        let lasting: Vec<&str> = RESULT_FILES
            .into_iter()
            .filter(|name| ![report::FILE, "manifest.json"].contains(name))
            .collect();
        manifest::write(&self.path, plan, progress, &lasting, timing)?;
        ledgers.tidy();
        Ok(())
    }

    /// Writes the page for people about what a program (its version and sources) has played.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_report<G: Strategic>(
        &self,
        plan: &Plan<G>,
        summary: &Summary,
        program: &str,
    ) -> Result<()> {
        write_whole(&self.path.join(report::FILE), report::page(&Story::of(plan, program), summary))
    }

    /// Makes the folder if it is not there. An unfinished run in it is kept: it must be resumed or
    /// removed. The files of a finished one make room for the new.
    pub(super) fn prepare(&self, resume: bool) -> Result<()> {
        let place = self.path.display();
        std::fs::create_dir_all(&self.path)
            .map_err(|error| Error::failed(format!("cannot make the folder {place}: {error}")))?;
        if resume {
            return Ok(());
        }
        let finished = self.path.join("manifest.json").exists();
        if !finished && self.path.join(Progress::FILE).exists() {
            return Err(Error::input(format!(
                "{place} holds an unfinished run: go on with `--resume`, or remove it, or choose another folder with `--out`"
            )));
        }
        // The manifest goes first: without it the rest does not count as finished.
        for name in RESULT_FILES.iter().rev() {
            match std::fs::remove_file(self.path.join(name)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(Error::failed(format!("cannot replace {place}/{name}: {error}")));
                }
                _ => {}
            }
        }
        Ok(())
    }
}
