//! Checkpoints: the finished deals of chunks that are still being played.
//!
//! A killed run loses at most the last few seconds, and a longer run reuses the deals of a shorter
//! one. Each chunk in progress has one file in `.checkpoints/`, rewritten atomically every few
//! seconds and removed when the chunk is complete.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::progress_line::EncodedTally;
use super::{PlanInfo, Tally};
use parlour_base::error::{Result, ensure};
use parlour_base::files::{
    ChecksummedLine, cannot_write, checksummed_line, open_own, read_text, write_atomic,
};

/// The folder next to the progress file for everything that only an unfinished run needs.
pub const CHECKPOINT_DIR: &str = ".checkpoints";

/// The file of the time that an unfinished run has taken so far, in seconds.
pub(super) const TIME_FILE: &str = "seconds";

/// A chunk that is only partly played.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartialChunk {
    /// The deals that are complete at every table. They grow upwards to the end of the chunk, then
    /// downwards: a chunk of a shorter run may begin within this one.
    pub completed: Range<u64>,
    /// The tally of the completed deals.
    #[serde(skip)]
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
        let (tally, current) = (empty.clone(), DealInProgress::default());
        PartialChunk { completed: 0..0, tally, current, log_parts: 0 }
    }

    /// Returns `true` if no hand was played.
    pub fn is_empty(&self) -> bool {
        self.completed.is_empty() && self.current.hands == 0
    }

    /// Returns the next deal to play, which may be in progress. `deals` are those of the chunk.
    pub fn next_deal(&self, deals: &Range<u64>) -> Option<u64> {
        let Range { start, end } = self.completed;
        match self.completed.is_empty() {
            true => deals.clone().next(),
            false if end < deals.end => Some(end),
            false => (deals.start..start).next_back(),
        }
    }

    /// Marks deals as completed. Returns `false` if they do not continue the completed deals.
    pub fn mark_completed(&mut self, deals: Range<u64>) -> bool {
        let Range { start, end } = self.completed;
        self.completed = match self.completed.is_empty() {
            true => deals,
            false if deals.start == end => start..deals.end,
            false if deals.end == start => deals.start..end,
            false => return false,
        };
        true
    }

    /// Returns the number of hands played.
    pub fn hands(&self, plan: &PlanInfo) -> u64 {
        self.tally.deals * plan.hands_per_deal() + self.current.hands
    }

    /// Returns `true` if this is a part of `deals` of a chunk of the plan.
    fn is_resumable_for(&self, plan: &PlanInfo, deals: &Range<u64>) -> bool {
        let DealInProgress { hands, points, first_seat, luck, .. } = &self.current;
        let has_all_values = points.len() == plan.points_per_deal()
            && first_seat.len() == plan.variants.len()
            && luck.len() == plan.empty.luck.values_per_deal();
        let Range { start, end } = self.completed;
        (self.completed.is_empty() || deals.start <= start && end <= deals.end)
            && (*hands == 0 || has_all_values && *hands < plan.hands_per_deal())
            && self.next_deal(deals).is_some()
    }
}

/// The file form of a partial chunk.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckpointLine {
    chunk: u64,
    /// The digest of the run's experiment.
    digest: String,
    partial: PartialChunk,
    sums: EncodedTally,
    current_sums: Option<EncodedTally>,
}

/// Saves how many seconds a run has taken before, in the result folder `folder`. The folder must
/// exist: a user may have removed it.
///
/// # Errors
/// If the file cannot be written.
pub fn save_time(folder: &Path, seconds: f64) -> Result<()> {
    let dir = folder.join(CHECKPOINT_DIR);
    match std::fs::create_dir(&dir) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            return Err(cannot_write(&dir, &error));
        }
        _ => {}
    }
    // Not synced: it is written often, and only shown.
    let file = dir.join(TIME_FILE);
    let opened = open_own(&file, File::options().write(true).create(true).truncate(true));
    let written = opened.and_then(|mut file| writeln!(file, "{seconds:.3}"));
    written.map_err(|error| cannot_write(&file, &error))
}

/// Returns the time that earlier parts of a run took.
pub(super) fn read_time(progress_file: &Path) -> Duration {
    let text = read_text(&progress_file.with_file_name(CHECKPOINT_DIR).join(TIME_FILE));
    let seconds = text.ok().and_then(|text| text.trim().parse().ok());
    seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or_default()
}

/// Saves a partial chunk. `digest` is that of the run's experiment.
pub(super) fn save_checkpoint(
    file: &Path,
    chunk: u64,
    digest: &str,
    partial: &PartialChunk,
) -> Result<()> {
    let current_tally = partial.current.tally.as_ref().filter(|_| partial.current.hands > 0);
    let line = CheckpointLine {
        chunk,
        digest: digest.to_owned(),
        partial: partial.clone(),
        sums: EncodedTally::encode(&partial.tally),
        current_sums: current_tally.map(EncodedTally::encode),
    };
    write_atomic(file, checksummed_line(&line))
}

/// Loads the checkpoint of these deals of a chunk. Returns `None` if it belongs to another
/// experiment.
///
/// # Errors
/// If the file cannot be read or was edited.
pub(super) fn load_checkpoint(
    path: &Path,
    plan: &PlanInfo,
    digest: &str,
    chunk: u64,
    deals: &Range<u64>,
) -> Result<Option<PartialChunk>> {
    let (file, text) = (path.display().to_string(), read_text(path)?);
    let line = ChecksummedLine { file: &file, number: 1, text: text.trim_end() };
    let saved: CheckpointLine = line.parse()?;
    if saved.digest != digest {
        return Ok(None);
    }
    let decode = |sums: &EncodedTally, deals: Range<u64>| {
        sums.decode(deals.count() as u64, &plan.empty).map_err(|what| line.error(what))
    };
    let mut partial = saved.partial;
    partial.tally = decode(&saved.sums, partial.completed.clone())?;
    let current = saved.current_sums.as_ref();
    partial.current.tally = current.map(|sums| decode(sums, 0..0)).transpose()?;
    ensure(saved.chunk == chunk && partial.is_resumable_for(plan, deals), || {
        let what = format!("the checkpoint does not match chunk {chunk}");
        line.error(what + "; delete the file to replay it")
    })?;
    Ok(Some(partial))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_deal_is_played_once() {
        let deals = 10..15;
        for start in deals.clone() {
            for end in start..=deals.end {
                let mut partial = PartialChunk::new(&Tally::default());
                assert!(partial.mark_completed(start..end));
                let mut played: Vec<u64> = (start..end).collect();
                while let Some(deal) = partial.next_deal(&deals) {
                    played.push(deal);
                    assert!(partial.mark_completed(deal..deal + 1));
                }
                played.sort_unstable();
                assert_eq!(played, deals.clone().collect::<Vec<u64>>());
                assert_eq!(partial.completed, deals);
            }
        }
        let mut partial = PartialChunk::new(&Tally::default());
        assert!(partial.mark_completed(10..12) && !partial.mark_completed(13..14));
    }
}
