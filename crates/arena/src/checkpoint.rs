//! Checkpoints: the finished deals of chunks that are still being played.
//!
//! A killed run loses at most the last few seconds, and a longer run reuses the deals of a shorter
//! one. Each chunk in progress has one file in `.checkpoints/`, rewritten atomically every few
//! seconds and removed when the chunk is complete.

use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::checksummed_line::{Line, checksummed_line};
use super::encoded_tally::EncodedTally;
use super::{PlanInfo, Tally};
use parlour_base::error::Result;
use parlour_base::files::{cannot_write, read_text, remove_dir, write_atomic};

/// The folder next to the progress file for everything that only an unfinished run needs.
pub const CHECKPOINT_DIR: &str = ".checkpoints";

/// The file of the time that an unfinished run has taken so far, in seconds.
const TIME_FILE: &str = "seconds";

/// A chunk that is only partly played.
#[derive(Clone, PartialEq, Debug)]
pub struct PartialChunk {
    /// Deals that are complete at every table: ascending, disjoint, non-adjacent ranges.
    pub completed: Vec<Range<u64>>,
    /// The tally of the completed deals.
    pub tally: Tally,
    /// The deal in progress.
    pub current: DealInProgress,
    /// The number of hand-log parts written so far; 0 if hands are not logged.
    pub log_parts: u64,
}

/// A deal that is only partly played.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DealInProgress {
    /// The number of finished hands, in the order of tables, rotations and hands of a match.
    pub hands: u64,
    /// Points so far by table, rotation and place in the line-up.
    pub points: Vec<i64>,
    /// Units won by the first seats so far, by variant.
    pub first_seat: Vec<i64>,
    /// Luck of the first place of each table, then of the first seats of each variant; empty if
    /// luck is not judged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub luck: Vec<i64>,
    /// The tally of its hands. `None` if they go straight into the chunk's tally.
    #[serde(skip)]
    pub tally: Option<Tally>,
}

impl PartialChunk {
    /// Creates a chunk with no completed deals. `empty` is the plan's tally of no deals.
    pub fn new(empty: &Tally) -> Self {
        PartialChunk {
            completed: Vec::new(),
            tally: empty.clone(),
            current: DealInProgress::default(),
            log_parts: 0,
        }
    }

    /// Returns `true` if no hand was played.
    pub fn is_empty(&self) -> bool {
        self.completed.is_empty() && self.current.hands == 0
    }

    /// Returns the deals that are missing, ascending; the first of them may be in progress.
    pub fn missing(&self, deals: &Range<u64>) -> Vec<Range<u64>> {
        let (mut gaps, mut from) = (Vec::new(), deals.start);
        for completed in &self.completed {
            gaps.push(from..completed.start);
            from = completed.end;
        }
        gaps.push(from..deals.end);
        gaps.retain(|gap| !gap.is_empty());
        gaps
    }

    /// Marks deals as completed. They must not be completed already.
    pub fn mark_completed(&mut self, deals: Range<u64>) {
        if let Some(last) = self.completed.last_mut()
            && last.end == deals.start
        {
            // The usual case: one deal after the other.
            last.end = deals.end;
            return;
        }
        let at = self.completed.partition_point(|range| range.end < deals.start);
        match self.completed.get_mut(at) {
            Some(range) if range.end == deals.start => range.end = deals.end,
            _ => self.completed.insert(at, deals),
        }
        if let Some(next) = self.completed.get(at + 1).cloned()
            && next.start == self.completed[at].end
        {
            self.completed[at].end = next.end;
            self.completed.remove(at + 1);
        }
    }

    /// Returns the number of hands played.
    pub fn hands(&self, plan: &PlanInfo) -> u64 {
        self.tally.deals * plan.hands_per_deal() + self.current.hands
    }

    /// Returns `true` if this is a part of `deals` of a chunk of the plan.
    fn is_resumable_for(&self, plan: &PlanInfo, deals: &Range<u64>) -> bool {
        let mut from = deals.start;
        let is_ordered = self.completed.iter().all(|range| {
            let fits = from <= range.start && range.start < range.end && range.end <= deals.end;
            from = range.end + 1;
            fits
        });
        let DealInProgress { hands, points, first_seat, luck, .. } = &self.current;
        let has_all_values = points.len() == plan.points_per_deal()
            && first_seat.len() == plan.variants.len()
            && luck.len() == plan.empty.luck.values_per_deal();
        let count: u64 = self.completed.iter().map(|range| range.end - range.start).sum();
        is_ordered
            && (*hands == 0 || has_all_values && *hands < plan.hands_per_deal())
            && self.tally.deals == count
            && count < deals.end - deals.start
    }
}

/// The file form of a partial chunk.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckpointLine {
    chunk: u64,
    /// The digest of the run's experiment.
    digest: String,
    deals: u64,
    completed: Vec<Range<u64>>,
    log_parts: u64,
    sums: EncodedTally,
    current: DealInProgress,
    current_sums: Option<EncodedTally>,
}

/// Reads and writes checkpoints and the time taken. Does nothing if the run has no folder.
#[derive(Debug)]
pub(super) struct CheckpointStore {
    dir: Option<PathBuf>,
    /// The time that earlier parts of the run took.
    earlier: Duration,
    start: Instant,
    time_saved: Mutex<Instant>,
}

/// Saves how many seconds a run has taken before, in the result folder `folder`.
///
/// # Errors
/// If the file cannot be written.
pub fn save_time(folder: &Path, seconds: f64) -> Result<()> {
    let dir = folder.join(CHECKPOINT_DIR);
    make_checkpoint_dir(&dir)?;
    write_atomic(&dir.join(TIME_FILE), format!("{seconds:.3}\n"))
}

/// Creates the checkpoint folder, but not the result folder: a user may have removed it.
fn make_checkpoint_dir(dir: &Path) -> Result<()> {
    match std::fs::create_dir(dir) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(cannot_write(dir, &error)),
        _ => Ok(()),
    }
}

impl CheckpointStore {
    /// Opens the store next to the progress file.
    pub fn open(progress_file: Option<&Path>) -> Self {
        let dir = progress_file.map(|path| path.with_file_name(CHECKPOINT_DIR));
        let text = dir.as_ref().and_then(|dir| read_text(&dir.join(TIME_FILE)).ok());
        let seconds = text.and_then(|text| text.trim().parse::<f64>().ok());
        let earlier = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok()).unwrap_or_default();
        let start = Instant::now();
        CheckpointStore { dir, earlier, start, time_saved: Mutex::new(start) }
    }

    /// Returns the time that all parts of the run took.
    pub fn time(&self) -> Duration {
        self.earlier + self.start.elapsed()
    }

    /// Saves the time taken, at most once a second.
    pub fn save_time(&self) -> Result<()> {
        let Some(dir) = &self.dir else { return Ok(()) };
        {
            let mut saved = self.time_saved.lock().unwrap_or_else(|poison| poison.into_inner());
            if saved.elapsed() < Duration::from_secs(1) {
                return Ok(());
            }
            *saved = Instant::now();
        }
        save_time(dir.parent().unwrap_or(Path::new(".")), self.time().as_secs_f64())
    }

    /// Saves a partial chunk and the time taken. `digest` is that of the run's experiment.
    pub fn save(&self, digest: &str, chunk: u64, partial: &PartialChunk) -> Result<()> {
        let Some(dir) = &self.dir else { return Ok(()) };
        let PartialChunk { completed, tally, current, log_parts } = partial;
        let current_tally = current.tally.as_ref().filter(|_| current.hands > 0);
        let line = checksummed_line(&CheckpointLine {
            chunk,
            digest: digest.to_owned(),
            deals: tally.deals,
            completed: completed.clone(),
            log_parts: *log_parts,
            sums: EncodedTally::encode(tally),
            current: current.clone(),
            current_sums: current_tally.map(EncodedTally::encode),
        });
        make_checkpoint_dir(dir)?;
        write_atomic(&dir.join(file_name(chunk)), line)?;
        self.save_time()
    }

    /// Loads the checkpoint of these deals of a chunk. Returns `None` if there is none or if it
    /// belongs to another experiment.
    ///
    /// # Errors
    /// If the file cannot be read or was edited.
    pub fn load(
        &self,
        plan: &PlanInfo,
        digest: &str,
        chunk: u64,
        deals: Range<u64>,
    ) -> Result<Option<PartialChunk>> {
        let Some(dir) = &self.dir else { return Ok(None) };
        let path = dir.join(file_name(chunk));
        if !path.exists() {
            return Ok(None);
        }
        let (file, text) = (path.display().to_string(), read_text(&path)?);
        let line = Line { file: &file, number: 1, text: text.trim_end() };
        let saved: CheckpointLine = line.parse()?;
        if saved.digest != digest {
            return Ok(None);
        }
        let decode = |sums: &EncodedTally, deals| {
            sums.decode(deals, &plan.empty).map_err(|what| line.error(what))
        };
        let current_tally = saved.current_sums.as_ref().map(|sums| decode(sums, 0)).transpose()?;
        let partial = PartialChunk {
            tally: decode(&saved.sums, saved.deals)?,
            completed: saved.completed,
            current: DealInProgress { tally: current_tally, ..saved.current },
            log_parts: saved.log_parts,
        };
        match saved.chunk == chunk && partial.is_resumable_for(plan, &deals) {
            true => Ok(Some(partial)),
            false => Err(line.error(format!(
                "the checkpoint does not match chunk {chunk}; delete the file to replay it"
            ))),
        }
    }

    /// Removes the checkpoint of a chunk that is complete.
    pub fn remove(&self, chunk: u64) {
        if let Some(dir) = &self.dir {
            _ = std::fs::remove_file(dir.join(file_name(chunk)));
        }
    }

    /// Removes the folder if it holds nothing but the time.
    pub fn remove_if_empty(&self) {
        let Some(dir) = &self.dir else { return };
        let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
        if entries.filter(|entry| entry.file_name() != TIME_FILE).count() == 0 {
            remove_dir(dir);
        }
    }
}

fn file_name(chunk: u64) -> String {
    format!("{chunk:06}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completed_ranges_match_a_reference_set() {
        let mut chance = parlour_base::chance::Seed::new(5).stream();
        for _ in 0..200 {
            let mut partial = PartialChunk::new(&Tally::default());
            let mut reference = [false; 12];
            for _ in 0..chance.below(12) {
                let deal = chance.below(12) as usize;
                if !std::mem::replace(&mut reference[deal], true) {
                    let deal = 10 + deal as u64;
                    partial.mark_completed(deal..deal + 1);
                }
            }
            let missing: Vec<u64> = partial.missing(&(10..22)).into_iter().flatten().collect();
            let expected = (10..22).filter(|deal| !reference[*deal as usize - 10]);
            assert_eq!(missing, expected.collect::<Vec<u64>>());
            let touching = partial.completed.windows(2).any(|two| two[0].end >= two[1].start);
            assert!(!touching, "{:?}", partial.completed);
        }
    }
}
