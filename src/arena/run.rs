//! Playing the chunks of a plan on all cores.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::chunk::{Ledger, play_chunk};
use super::progress::{Progress, ProgressHeader};
use super::{Plan, Referee, Tally};
use crate::error::{Error, Kind, Result};
use crate::strategy::Strategic;

/// One of several parts of a run: the chunks whose number leaves `part − 1` when divided by `of`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// Which part, from 1.
    pub part: u64,
    /// Of how many.
    pub of: u64,
}

impl Shard {
    /// Whether a chunk is in this part.
    pub fn has(self, chunk: u64) -> bool {
        chunk % self.of == self.part - 1
    }
}

/// Hears of what has been played; called from many threads.
pub trait Observer: Sync {
    /// So many hands more have been played.
    fn played(&self, _hands: u64) {}
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Observer for Quiet {}

/// How a run is done; none of this changes a result.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunOptions {
    /// How many threads; 0 for one on each core.
    pub threads: usize,
    /// Go on with what the folder holds.
    pub resume: bool,
    /// Only a part of the chunks.
    pub shard: Option<Shard>,
}

/// What a run left behind.
#[derive(Debug)]
pub struct Finished {
    /// All finished chunks.
    pub progress: Progress,
    /// Whether the wanted chunks are all there; they are not after a stop.
    pub complete: bool,
    /// How many chunks were there before.
    pub resumed: usize,
}

impl Finished {
    /// The tallies in order of their chunks.
    pub fn tallies(&self) -> Vec<Tally> {
        self.progress.chunks.values().cloned().collect()
    }
}

/// Plays every wanted chunk that the folder does not hold yet. With no folder nothing is saved.
/// When `stop` is raised, chunks under way are dropped and finished ones kept.
///
/// # Errors
/// Bad input when the folder holds something that does not fit; a failure when it cannot be
/// written to.
pub fn run<G: Strategic, L: Ledger<G>>(
    plan: &Plan<G>,
    header: ProgressHeader,
    folder: Option<&Path>,
    options: RunOptions,
    ledger: &L,
    observer: &impl Observer,
    stop: &AtomicBool,
) -> Result<Finished> {
    let mut progress = match folder {
        None => Progress::in_memory(header),
        Some(folder) => open(&folder.join(Progress::FILE), header, options.resume)?,
    };
    let resumed = progress.chunks.len();
    let wanted = |chunk: &u64| options.shard.is_none_or(|shard| shard.has(*chunk));
    let pending: Vec<u64> = (0..plan.chunks())
        .filter(wanted)
        .filter(|chunk| !progress.chunks.contains_key(chunk))
        .collect();
    for chunk in progress.chunks.keys() {
        let deals = plan.deals_of(*chunk);
        observer.played((deals.end - deals.start) * plan.hands_per_deal());
    }
    // A shard cannot see what the others found: it plays all its chunks, and the merge decides.
    let mut referee = Referee::new(plan);
    let mut look = |progress: &Progress| match options.shard {
        None => referee.look(&progress.chunks).unwrap_or(plan.chunks()),
        Some(_) => plan.chunks(),
    };
    let enough = AtomicU64::new(look(&progress));
    let shared = Mutex::new((&mut progress, &mut look));
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()
        .map_err(|error| Error::failed(format!("cannot start the threads: {error}")))?;
    let one = |chunk: u64| -> Result<()> {
        if chunk >= enough.load(Ordering::Relaxed) {
            return Ok(());
        }
        if let Some(tally) = play_chunk(plan, chunk, ledger, observer, stop)? {
            let mut shared = shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let (progress, look) = &mut *shared;
            progress.add(chunk, tally)?;
            enough.fetch_min(look(progress), Ordering::Relaxed);
        }
        Ok(())
    };
    let outcome = pool.install(|| match plan.until {
        // In order, so that little is played beyond the end.
        Some(_) => pending.into_iter().par_bridge().try_for_each(one),
        None => pending.into_par_iter().with_max_len(1).try_for_each(one),
    });
    let enough = enough.load(Ordering::Relaxed);
    if let Err(error) = outcome {
        stop.store(true, Ordering::Relaxed);
        let kept = progress.chunks.len();
        let going_on = if folder.is_some() && kept > 0 {
            format!("; {kept} finished chunks are kept, `--resume` goes on from there")
        } else {
            String::new()
        };
        return Err(match error.kind() {
            Kind::Failed => error.adding(&going_on),
            _ => error,
        });
    }
    let complete = (0..enough).filter(wanted).all(|c| progress.chunks.contains_key(&c));
    if complete {
        progress.cut(enough);
    }
    if complete && folder.is_some() {
        progress.save()?;
    }
    Ok(Finished { progress, complete, resumed })
}

fn open(path: &Path, header: ProgressHeader, resume: bool) -> Result<Progress> {
    if !(resume && path.exists()) {
        return Progress::create(path, header);
    }
    let (mut progress, _cut) = Progress::read(path)?;
    let fits = progress.header.check_same_run(&header).and_then(|()| {
        if progress.header.shard == header.shard {
            Ok(())
        } else {
            Err("it holds another shard of the run".to_owned())
        }
    });
    fits.map_err(|why| Error::input(format!("cannot resume from {}: {why}", path.display())))?;
    progress.reopen()?;
    Ok(progress)
}
