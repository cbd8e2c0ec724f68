//! Chunks that are not finished: what was played of each, so that no more than a few seconds are
//! lost to whatever ends a run, and that more deals go on from fewer.
//!
//! Each is a file of its own in the folder `.parts` beside the finished chunks, written whole again
//! and again while the chunk is played and removed when it is finished.

use std::io::ErrorKind;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::sealed::{Line, seal};
use super::written::Written;
use super::{Outline, Tally};
use crate::error::Result;
use crate::files::{cannot_write, read_text, remove_dir, write_atomic};

/// The folder, beside the finished chunks, of all that is needed only until a run is finished.
pub const PARTS: &str = ".parts";

/// A part of a chunk.
#[derive(Clone, PartialEq, Debug)]
pub struct Begun {
    /// The deals that were played at every table: ranges in ascending order, none touching another.
    pub done: Vec<Range<u64>>,
    /// What they came to.
    pub tally: Tally,
    /// The deal that comes next, as far as it was played.
    pub open: Open,
    /// In how many pieces its hands are written down, where they are.
    pub pieces: u64,
}

/// A part of a deal.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Open {
    /// How many of its hands were played, in the order of tables, rotations and hands of a match.
    pub hands: u64,
    /// By table, rotation and place in the line-up the points of its matches so far.
    pub points: Vec<i64>,
    /// By variant the units that its first seats won.
    pub first: Vec<i64>,
    /// Where luck is judged, the luck of the first place of each table, then of the first seats of each
    /// variant.
    pub luck: Vec<i64>,
    /// What its hands came to; none where they are counted with the other deals.
    pub tally: Option<Tally>,
}

impl Begun {
    /// Nothing yet, given the plan's tally of no deals.
    pub fn nothing(empty: &Tally) -> Begun {
        let (tally, open) = (empty.clone(), Open::default());
        Begun { done: Vec::new(), tally, open, pieces: 0 }
    }

    /// Whether nothing was played.
    pub fn is_nothing(&self) -> bool {
        self.done.is_empty() && self.open.hands == 0
    }

    /// The deals of a chunk that are missing, in ascending order; the open one is the first.
    pub fn missing(&self, deals: &Range<u64>) -> Vec<Range<u64>> {
        let (mut gaps, mut from) = (Vec::new(), deals.start);
        for done in &self.done {
            gaps.push(from..done.start);
            from = done.end;
        }
        gaps.push(from..deals.end);
        gaps.retain(|gap| !gap.is_empty());
        gaps
    }

    /// Enters deals, which were missing, as played.
    pub fn enter(&mut self, deals: Range<u64>) {
        if let Some(last) = self.done.last_mut()
            && last.end == deals.start
        {
            // The usual case: one deal after the other.
            last.end = deals.end;
            return;
        }
        let at = self.done.partition_point(|done| done.end < deals.start);
        match self.done.get_mut(at) {
            Some(done) if done.end == deals.start => done.end = deals.end,
            _ => self.done.insert(at, deals),
        }
        if let Some(next) = self.done.get(at + 1).cloned()
            && next.start == self.done[at].end
        {
            self.done[at].end = next.end;
            self.done.remove(at + 1);
        }
    }

    /// How many hands were played.
    pub fn hands(&self, plan: &Outline) -> u64 {
        self.tally.deals * plan.hands_per_deal() + self.open.hands
    }

    /// Whether it can be gone on with to these deals of a chunk of a plan.
    fn fits(&self, plan: &Outline, range: Range<u64>) -> bool {
        let mut from = range.start;
        let in_order = self.done.iter().all(|done| {
            let right = from <= done.start && done.start < done.end && done.end <= range.end;
            from = done.end + 1;
            right
        });
        let Open { hands, points: said, first, luck, .. } = &self.open;
        let whole = said.len() == plan.points_of_deal()
            && first.len() == plan.frames.len()
            && luck.len() == plan.empty.luck.wide();
        let deals: u64 = self.done.iter().map(|done| done.end - done.start).sum();
        let open = *hands == 0 || whole && *hands < plan.hands_per_deal();
        in_order && open && self.tally.deals == deals && deals < range.end - range.start
    }
}

/// How a part of a chunk is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BegunLine {
    chunk: u64,
    digest: String,
    deals: u64,
    done: Vec<(u64, u64)>,
    pieces: u64,
    sums: Written,
    hands: u64,
    points: Vec<i64>,
    first: Vec<i64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    luck: Vec<i64>,
    open: Option<Written>,
}

/// The parts of chunks of a run in a folder, or nowhere.
#[derive(Debug)]
pub(super) struct Parts {
    folder: Option<PathBuf>,
    /// How long the run had taken before.
    before: Duration,
    clock: Instant,
    /// When the time was noted last.
    noted: Mutex<Instant>,
}

/// Makes the folder of parts where it is not there. A result folder that somebody removed does not
/// come again.
fn make_within(folder: &Path) -> Result<()> {
    match std::fs::create_dir(folder) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(cannot_write(folder, &error)),
        _ => Ok(()),
    }
}

/// Notes beside finished chunks how many seconds their run has taken before.
///
/// # Errors
/// When it cannot be written.
pub fn note_time(folder: &Path, seconds: f64) -> Result<()> {
    let folder = folder.join(PARTS);
    make_within(&folder)?;
    write_atomic(&folder.join(TIME), format!("{seconds:.3}\n"))
}

/// The file of the time that an unfinished run has taken so far, in seconds.
const TIME: &str = "seconds";

impl Parts {
    /// Of a run whose finished chunks are in this file, if any.
    pub fn beside(progress: Option<&Path>) -> Parts {
        let folder = progress.map(|path| path.with_file_name(PARTS));
        let said = folder.as_ref().and_then(|folder| read_text(&folder.join(TIME)).ok());
        let seconds = said.and_then(|said| said.trim().parse::<f64>().ok());
        let before = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok()).unwrap_or_default();
        let clock = Instant::now();
        Parts { folder, before, clock, noted: Mutex::new(clock) }
    }

    /// How long the run has taken, in all its legs.
    pub fn time(&self) -> Duration {
        self.before + self.clock.elapsed()
    }

    /// Writes down how long the run has taken, once a second.
    pub fn note_time(&self) -> Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        {
            let mut noted = self.noted.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            if noted.elapsed() < Duration::from_secs(1) {
                return Ok(());
            }
            *noted = Instant::now();
        }
        note_time(folder.parent().unwrap_or(Path::new(".")), self.time().as_secs_f64())
    }

    /// Writes a part down.
    pub fn write(&self, digest: &str, chunk: u64, begun: &Begun) -> Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let Begun { done, tally, open, pieces } = begun;
        let text = seal(&BegunLine {
            chunk,
            digest: digest.to_owned(),
            deals: tally.deals,
            done: done.iter().map(|done| (done.start, done.end)).collect(),
            pieces: *pieces,
            sums: Written::of(tally),
            hands: open.hands,
            points: open.points.clone(),
            first: open.first.clone(),
            luck: open.luck.clone(),
            open: open.tally.as_ref().filter(|_| open.hands > 0).map(Written::of),
        });
        make_within(folder)?;
        write_atomic(&folder.join(file(chunk)), text)
    }

    /// What was written down of these deals of a chunk, if it is of this plan.
    pub fn read(
        &self,
        plan: &Outline,
        digest: &str,
        chunk: u64,
        deals: Range<u64>,
    ) -> Result<Option<Begun>> {
        let Some(folder) = &self.folder else { return Ok(None) };
        let path = folder.join(file(chunk));
        if !path.exists() {
            return Ok(None);
        }
        let (place, text) = (path.display().to_string(), read_text(&path)?);
        let line = Line { place: &place, number: 1, text: text.trim_end() };
        let said: BegunLine = line.unseal()?;
        if said.digest != digest {
            return Ok(None);
        }
        let tally =
            |sums: &Written, deals| sums.tally(deals, &plan.empty).map_err(|what| line.fault(what));
        let open = said.open.as_ref().map(|sums| tally(sums, 0)).transpose()?;
        let begun = Begun {
            done: said.done.iter().map(|&(from, to)| from..to).collect(),
            tally: tally(&said.sums, said.deals)?,
            open: Open {
                hands: said.hands,
                points: said.points,
                first: said.first,
                luck: said.luck,
                tally: open,
            },
            pieces: said.pieces,
        };
        match said.chunk == chunk && begun.fits(plan, deals) {
            true => Ok(Some(begun)),
            false => Err(line.fault("it is no part of this chunk; remove the file")),
        }
    }

    /// Removes the part of a chunk that is finished.
    pub fn remove(&self, chunk: u64) {
        if let Some(folder) = &self.folder {
            _ = std::fs::remove_file(folder.join(file(chunk)));
        }
    }

    /// Removes the folder if all that is left in it is the time.
    pub fn tidy(&self) {
        let Some(folder) = &self.folder else { return };
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        if entries.filter(|entry| entry.file_name() != TIME).count() == 0 {
            remove_dir(folder);
        }
    }
}

fn file(chunk: u64) -> String {
    format!("begun-{chunk:06}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deals_are_entered_and_missing_as_in_a_list_of_them() {
        let mut chance = crate::chance::Seed::new(5).stream();
        for _ in 0..200 {
            let mut begun = Begun::nothing(&Tally::default());
            let mut listed = [false; 12];
            for _ in 0..chance.below(12) {
                let deal = chance.below(12) as usize;
                if !std::mem::replace(&mut listed[deal], true) {
                    let deal = 10 + deal as u64;
                    begun.enter(deal..deal + 1);
                }
            }
            let missing: Vec<u64> = begun.missing(&(10..22)).into_iter().flatten().collect();
            let wanted = (10..22).filter(|deal| !listed[*deal as usize - 10]);
            assert_eq!(missing, wanted.collect::<Vec<u64>>());
            let touching = begun.done.windows(2).any(|two| two[0].end >= two[1].start);
            assert!(!touching, "{:?}", begun.done);
        }
    }
}
