//! Shards joined into one run.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Instant, SystemTime};

use super::folder::{ReadPlan, reporting};
use super::manifest::Timing;
use super::site::{Existing, Site};
use super::{Folder, Summary, confirm};
use crate::arena::{Outline, Progress, ProgressHeader, Quiet, Work};
use crate::error::gather;
use crate::{Error, Result, Strategic};

/// Joins the shards of one run into the files that the whole run would have written. A run that the
/// folder holds stays or is replaced.
///
/// # Errors
/// Bad input when shards are missing, overlap, or belong to different runs; a failure when the
/// folder cannot be written to.
pub fn merge<G: Strategic>(
    shards: &[PathBuf],
    out: &Path,
    existing: Existing,
    same_program: bool,
) -> Result<Summary> {
    merge_by(reporting::<G>, shards, out, existing, same_program)
}

fn merge_by(
    read: ReadPlan,
    shards: &[PathBuf],
    out: &Path,
    existing: Existing,
    same_program: bool,
) -> Result<Summary> {
    let (started, clock) = (SystemTime::now(), Instant::now());
    let first = shards.first().ok_or_else(|| Error::input("name the folders of the shards"))?;
    let header = Folder::new(first).header()?;
    let playable = read(&header).map_err(|error| Folder::new(first).in_header(error))?;
    let now = ProgressHeader::of(playable.outline(), header.hands, header.records, None);
    let mut all = Progress::in_memory(header);
    all.header.join(&now, same_program).map_err(|why| refused(first, &why))?;
    let confirms = playable.outline().experiment().confirm;
    // The manifest names what its bots know; where they cannot be made again, it does without.
    let playable = match playable.with_bots() {
        Err(error) if confirms => return Err(error),
        Err(_) => read(&all.header)?,
        Ok(playable) => playable,
    };
    let plan = playable.outline();
    let mut joined = Joined { all, plan, same_program, pieces: BTreeMap::new() };
    gather(shards.iter().map(|folder| joined.take(folder)))?;
    let (mut all, pieces) = joined.whole()?;
    let whole = |folder: &Path| folder.canonicalize().unwrap_or(folder.to_owned());
    let place = whole(out);
    if shards.iter().any(|folder| whole(folder) == place) {
        return Err(Error::input(format!(
            "--out {} is one of the shards; choose another folder",
            out.display()
        )));
    }
    let site = Site::take(out, existing, None)?;
    let out = site.work.as_path();
    all.header.shard = None;
    let all = all.at(&out.join(Progress::FILE));
    all.save()?;
    let mut summary = Summary::new(plan, &all.tallies());
    let never = AtomicBool::default();
    let work = Work { threads: 0, shard: None, observer: &Quiet, stop: &never };
    confirm::play(&*playable, &mut summary, Some(out), &work)?;
    let took = clock.elapsed();
    let timing = Timing { started, took, threads: 1, resumed_chunks: all.chunks.len() };
    Folder::new(out).write(&*playable, &all, &summary, &pieces, timing)?;
    site.finish()?;
    Ok(summary)
}

fn refused(folder: &Path, why: &str) -> Error {
    Error::input(format!("cannot merge {}: {why}", folder.display()))
}

/// Deals of a chunk that a folder holds.
struct Piece<'a> {
    chunk: u64,
    end: u64,
    folder: &'a Path,
}

/// What was read of the shards of a run. Of each chunk there is one tally, however many shards its
/// deals are in.
struct Joined<'a> {
    all: Progress,
    plan: &'a Outline,
    same_program: bool,
    /// By their first deal.
    pieces: BTreeMap<u64, Piece<'a>>,
}

impl<'a> Joined<'a> {
    /// Adds what a folder holds, of which one line is in memory at a time.
    fn take(&mut self, folder: &'a Path) -> Result<()> {
        let shard = Folder::new(folder);
        let mut lines = shard.chunks()?;
        let header = &mut self.all.header;
        header.join(&lines.header, self.same_program).map_err(|why| refused(folder, &why))?;
        while let Some((chunk, tally)) = lines.next(&self.plan.empty)? {
            let deals = self.plan.resolved.deals_in(chunk, lines.header.shard);
            if let Some(other) = self.with(&deals) {
                let (what, other) = (self.in_words(chunk, &deals), other.display());
                return Err(refused(folder, &format!("{what} in {other} too")));
            }
            self.pieces.insert(deals.start, Piece { chunk, end: deals.end, folder });
            match self.all.chunks.entry(chunk) {
                Entry::Vacant(place) => _ = place.insert(tally),
                Entry::Occupied(sum) => sum.into_mut().merge(&tally),
            }
        }
        shard.no_line_cut(lines.cut())
    }

    /// The folder that holds one of these deals.
    fn with(&self, deals: &Range<u64>) -> Option<&'a Path> {
        let (_, last) = self.pieces.range(..deals.end).next_back()?;
        (last.end > deals.start).then_some(last.folder)
    }

    fn in_words(&self, chunk: u64, deals: &Range<u64>) -> String {
        match *deals == self.plan.deals_of(chunk) {
            true => format!("its chunk {chunk} is"),
            false => format!("of its deals {} to {} some are", deals.start, deals.end - 1),
        }
    }

    /// The chunks that count, all of them whole, and in the order of the deals the folders that have
    /// their pages.
    fn whole(self) -> Result<(Progress, Vec<(u64, &'a Path)>)> {
        let Joined { mut all, plan, pieces, .. } = self;
        let whole = |chunk: u64| plan.deals_of(chunk).end - plan.deals_of(chunk).start;
        all.chunks.retain(|&chunk, tally| tally.deals == whole(chunk));
        let enough = plan.decision(&all.chunks).chunks;
        let mut missing = Vec::new();
        for chunk in (0..enough).filter(|chunk| !all.chunks.contains_key(chunk)) {
            let deals = plan.deals_of(chunk);
            let mut from = deals.start;
            for (&start, piece) in pieces.range(deals.clone()) {
                missing.push((chunk, from..start));
                from = piece.end;
            }
            missing.push((chunk, from..deals.end));
        }
        missing.retain(|(_, deals)| !deals.is_empty());
        if !missing.is_empty() {
            let lost: u64 = missing.iter().map(|(_, deals)| deals.end - deals.start).sum();
            let hint = all.header.shard.map_or(String::new(), |shard| {
                format!(" (they belong to shard {})", shard.parts(&plan.resolved, &missing))
            });
            let deals = plan.experiment().deals;
            return Err(Error::input(format!(
                "{lost} of {deals} deals are in none of these folders{hint}: name all shards, or finish them with `--resume`"
            )));
        }
        all.cut(enough);
        let counted = pieces.into_values().filter(|piece| piece.chunk < enough);
        let folders = counted.map(|piece| (piece.chunk, piece.folder)).collect();
        Ok((all, folders))
    }
}
