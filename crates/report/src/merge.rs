//! Combination of the shards of a run.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use crate::compute::summarize;
use crate::confirm::play_fresh_deals;
use crate::folder::Folder;
use crate::hand_log::has_parts;
use crate::manifest::timing;
use crate::run::NEVER;
use crate::run_dir::{IfExists, RunDir};
use crate::summary::Summary;
use parlour_arena::{
    Catalogue, DynPlan, PlanInfo, Progress, ProgressHeader, RunOptions, SilentObserver,
};
use parlour_base::Program;
use parlour_base::error::{Error, Result, collect_results, ensure};

/// Combines the shards of one run into the files of the whole run.
///
/// # Errors
/// Bad input if shards are missing, overlap, or belong to different runs; a failure if the
/// folder cannot be written.
pub fn merge(
    shards: &[PathBuf],
    out: &Path,
    if_exists: IfExists,
    allow_other_build: bool,
    games: &dyn Catalogue,
) -> Result<Summary> {
    let first = shards.first().ok_or_else(|| Error::input("name the folders of the shards"))?;
    let mut merge = Merge::of(first, allow_other_build, games)?;
    collect_results(shards.iter().map(|folder| merge.add(folder)))?;
    merge.finish(out, if_exists)
}

/// The shards of a run, read one by one. There is one tally per chunk, so memory does not grow with the
/// number of shards.
pub struct Merge {
    started: (SystemTime, Instant),
    program: Program,
    playable: Box<dyn DynPlan>,
    all: Progress,
    allow_other_build: bool,
    /// The folders that were added.
    folders: Vec<PathBuf>,
    /// Deals that were added, by their first deal.
    pieces: BTreeMap<u64, Piece>,
}

/// Deals of a chunk in a folder.
struct Piece {
    chunk: u64,
    end: u64,
    /// Index of the folder.
    folder: usize,
}

impl Merge {
    /// Starts a merge of the run of this shard, without adding the shard. `allow_other_build` accepts
    /// shards from other builds, which must give identical results.
    ///
    /// # Errors
    /// Bad input if the shard cannot be read, or is from another build.
    pub fn of(shard: &Path, allow_other_build: bool, games: &dyn Catalogue) -> Result<Merge> {
        let started = (SystemTime::now(), Instant::now());
        let (folder, program) = (Folder::new(shard), games.program());
        let header = folder.header()?;
        let playable = folder.plan(&header, games)?;
        let (hands, records) = (header.hands, header.records);
        let now = ProgressHeader::of(playable.info(), program, hands, records, None);
        let mut all = Progress::in_memory(header);
        all.header.merge(&now, allow_other_build).map_err(|why| refused(shard, &why))?;
        let confirms = playable.info().experiment().confirm;
        // The manifest lists the resources of bots, unless they cannot be created again.
        let playable = match playable.with_bots() {
            Err(error) if confirms => return Err(error),
            Err(_) => folder.plan(&all.header, games)?,
            Ok(playable) => playable,
        };
        let (folders, pieces) = (Vec::new(), BTreeMap::new());
        Ok(Merge { started, program, playable, all, allow_other_build, folders, pieces })
    }

    fn plan(&self) -> &PlanInfo {
        self.playable.info()
    }

    /// Adds the folder of a shard. A refused shard adds nothing.
    ///
    /// # Errors
    /// Bad input if it is damaged or cut off, belongs to another run, or repeats deals.
    pub fn add(&mut self, folder: &Path) -> Result<()> {
        let shard = Folder::new(folder);
        let header = shard.header()?;
        let why = |why: String| refused(folder, &why);
        self.all.header.merge(&header, self.allow_other_build).map_err(why)?;
        let progress = shard.progress(&self.plan().empty)?;
        let resolved = self.plan().resolved.clone();
        let deals_in = |chunk| resolved.deals_in(chunk, header.shard);
        for &chunk in progress.chunks.keys() {
            let deals = deals_in(chunk);
            let other = self.folder_with(&deals);
            ensure(other.is_none(), || {
                let other = other.unwrap_or(folder).display();
                why(format!("deals {} to {} are also in {other}", deals.start, deals.end - 1))
            })?;
            ensure(has_parts(folder, &header, chunk), || {
                why("it is a finished run, whose hands are already joined; only shards can be merged".to_owned())
            })?;
        }
        for (chunk, tally) in progress.chunks {
            let Range { start, end } = deals_in(chunk);
            self.pieces.insert(start, Piece { chunk, end, folder: self.folders.len() });
            match self.all.chunks.entry(chunk) {
                Entry::Vacant(place) => _ = place.insert(tally),
                Entry::Occupied(sum) => sum.into_mut().merge(&tally),
            }
        }
        self.folders.push(folder.to_owned());
        Ok(())
    }

    /// Number of deals that were added.
    pub fn deals(&self) -> u64 {
        self.all.chunks.values().map(|tally| tally.deals).sum()
    }

    /// Returns a folder that contains one of these deals.
    fn folder_with(&self, deals: &Range<u64>) -> Option<&Path> {
        let (_, last) = self.pieces.range(..deals.end).next_back()?;
        (last.end > deals.start).then(|| self.folders[last.folder].as_path())
    }

    /// Writes the files of the whole run.
    ///
    /// # Errors
    /// Bad input if shards are missing, or the folder holds a run that must stay; a failure if it cannot
    /// be written.
    pub fn finish(mut self, out: &Path, if_exists: IfExists) -> Result<Summary> {
        let chunks = self.check_complete()?;
        let Merge {
            started: (started, clock), program, playable, mut all, folders, pieces, ..
        } = self;
        let real = |folder: &Path| folder.canonicalize().unwrap_or(folder.to_owned());
        let place = real(out);
        ensure(folders.iter().all(|folder| real(folder) != place), || {
            let out = out.display();
            Error::input(format!("{out} is one of the shards; choose another folder with `--out`"))
        })?;
        let dir = RunDir::open(out, if_exists, None)?;
        let out = dir.work.as_path();
        all.truncate(chunks);
        all.header.shard = None;
        let all = all.at(&out.join(Progress::FILE));
        all.save()?;
        let mut summary = summarize(playable.info(), &all.tallies());
        let work = RunOptions { threads: 0, shard: None, observer: &SilentObserver, stop: &NEVER };
        play_fresh_deals(&*playable, program, &mut summary, Some(out), &work)?;
        let timing = timing(started, clock.elapsed(), 1, all.chunks.len());
        let counted = pieces.values().filter(|piece| piece.chunk < chunks);
        let parts = counted.map(|piece| (piece.chunk, folders[piece.folder].as_path()));
        let parts: Vec<_> = parts.collect();
        Folder::new(out).write(&*playable, program, &all, &summary, &parts, timing)?;
        dir.finish()?;
        Ok(summary)
    }

    /// Returns the number of chunks that count, if all of them are complete.
    fn check_complete(&mut self) -> Result<u64> {
        let plan = self.playable.info();
        let deals_in = |chunk: u64| plan.deals_of(chunk).end - plan.deals_of(chunk).start;
        self.all.chunks.retain(|&chunk, tally| tally.deals == deals_in(chunk));
        let count = plan.stop_decision(&self.all.chunks).chunks;
        let mut missing = Vec::new();
        for chunk in (0..count).filter(|chunk| !self.all.chunks.contains_key(chunk)) {
            let deals = plan.deals_of(chunk);
            let mut from = deals.start;
            for (&start, piece) in self.pieces.range(deals.clone()) {
                missing.push((chunk, from..start));
                from = piece.end;
            }
            missing.push((chunk, from..deals.end));
        }
        missing.retain(|(_, deals)| !deals.is_empty());
        if missing.is_empty() {
            return Ok(count);
        }
        let lost: u64 = missing.iter().map(|(_, deals)| deals.end - deals.start).sum();
        let hint = self.all.header.shard.map_or(String::new(), |shard| {
            format!(" (they belong to shard {})", shard.parts(&plan.resolved, &missing))
        });
        let deals = plan.experiment().deals;
        Err(Error::input(format!(
            "{lost} of {deals} deals are missing from these folders{hint}; name all shards, or finish them with `--resume`"
        )))
    }
}

fn refused(folder: &Path, why: &str) -> Error {
    Error::input(format!("cannot merge {}: {why}", folder.display()))
}
