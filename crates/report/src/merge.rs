//! Shards joined into one run.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Instant, SystemTime};

use super::ledger::has_pages;
use super::manifest::Timing;
use super::site::{Existing, Site};
use super::{Catalogue, Folder, Summary, confirm};
use crate::arena::{
    DynPlan, PlanInfo, Progress, ProgressHeader, RunOptions, SilentObserver, Tally,
};
use crate::error::collect_results;
use crate::{Error, Program, Result};

/// Joins the shards of one run into the files that the whole run would have written. A run that the
/// folder holds stays or is replaced.
///
/// # Errors
/// Bad input when shards are missing, overlap, or belong to different runs; a failure when the
/// folder cannot be written to.
pub fn merge(
    shards: &[PathBuf],
    out: &Path,
    existing: Existing,
    same_program: bool,
    games: &dyn Catalogue,
) -> Result<Summary> {
    let first = shards.first().ok_or_else(|| Error::input("name the folders of the shards"))?;
    let mut merge = Merge::of(first, same_program, games)?;
    collect_results(shards.iter().map(|folder| merge.take(folder)))?;
    merge.finish(out, existing)
}

/// What was read of the shards of a run, one after another. Of each chunk there is one tally, however
/// many shards its deals are in: the memory does not grow with them.
pub struct Merge {
    began: (SystemTime, Instant),
    program: Program,
    playable: Box<dyn DynPlan>,
    all: Progress,
    same_program: bool,
    /// The folders that were taken.
    folders: Vec<PathBuf>,
    /// By their first deal.
    pieces: BTreeMap<u64, Piece>,
}

/// Deals of a chunk that a folder holds.
struct Piece {
    chunk: u64,
    end: u64,
    /// The number of the folder.
    folder: usize,
}

impl Merge {
    /// A merge of the run that this shard is of; the shard itself is still to be taken. The programs
    /// must be the same, or the caller vouch for it.
    ///
    /// # Errors
    /// Bad input when the shard cannot be read, or is another program's.
    pub fn of(shard: &Path, same_program: bool, games: &dyn Catalogue) -> Result<Merge> {
        let began = (SystemTime::now(), Instant::now());
        let folder = Folder::new(shard);
        let header = folder.header()?;
        let playable = folder.plan(&header, games)?;
        let now = ProgressHeader::of(
            playable.info(),
            games.program(),
            header.hands,
            header.records,
            None,
        );
        let mut all = Progress::in_memory(header);
        all.header.merge(&now, same_program).map_err(|why| refused(shard, &why))?;
        let confirms = playable.info().experiment().confirm;
        // The manifest names what its bots know; where they cannot be made again, it does without.
        let playable = match playable.with_bots() {
            Err(error) if confirms => return Err(error),
            Err(_) => folder.plan(&all.header, games)?,
            Ok(playable) => playable,
        };
        let (folders, pieces) = (Vec::new(), BTreeMap::new());
        let program = games.program();
        Ok(Merge { began, program, playable, all, same_program, folders, pieces })
    }

    fn plan(&self) -> &PlanInfo {
        self.playable.info()
    }

    /// Adds what the folder of a shard holds; one that is refused adds nothing.
    ///
    /// # Errors
    /// Bad input when it is damaged or cut off, belongs to another run, or has deals that another
    /// has too.
    pub fn take(&mut self, folder: &Path) -> Result<()> {
        let shard = Folder::new(folder);
        let mut lines = shard.chunks()?;
        let (header, why) = (&mut self.all.header, |why: String| refused(folder, &why));
        header.merge(&lines.header, self.same_program).map_err(why)?;
        let mut found: Vec<(u64, Range<u64>, Tally)> = Vec::new();
        while let Some((chunk, tally)) = lines.next(&self.plan().empty)? {
            let deals = self.plan().resolved.deals_in(chunk, lines.header.shard);
            if let Some(other) = self.with(&deals) {
                let (what, other) = (self.in_words(chunk, &deals), other.display());
                return Err(refused(folder, &format!("{what} in {other} too")));
            }
            if !has_pages(folder, &lines.header, chunk) {
                let why = "its hands are bound already, as those of a finished run; only the shards of a run are merged";
                return Err(refused(folder, why));
            }
            found.push((chunk, deals, tally));
        }
        shard.no_line_cut(lines.cut_line())?;
        for (chunk, deals, tally) in found {
            self.pieces
                .insert(deals.start, Piece { chunk, end: deals.end, folder: self.folders.len() });
            match self.all.chunks.entry(chunk) {
                Entry::Vacant(place) => _ = place.insert(tally),
                Entry::Occupied(sum) => sum.into_mut().merge(&tally),
            }
        }
        self.folders.push(folder.to_owned());
        Ok(())
    }

    /// How many deals were taken.
    pub fn deals(&self) -> u64 {
        self.all.chunks.values().map(|tally| tally.deals).sum()
    }

    /// The folder that holds one of these deals.
    fn with(&self, deals: &Range<u64>) -> Option<&Path> {
        let (_, last) = self.pieces.range(..deals.end).next_back()?;
        (last.end > deals.start).then(|| self.folders[last.folder].as_path())
    }

    fn in_words(&self, chunk: u64, deals: &Range<u64>) -> String {
        match *deals == self.plan().deals_of(chunk) {
            true => format!("its chunk {chunk} is"),
            false => format!("of its deals {} to {} some are", deals.start, deals.end - 1),
        }
    }

    /// Writes the files that the whole run would have written. A run that the folder holds stays or
    /// is replaced.
    ///
    /// # Errors
    /// Bad input when shards are missing, or the folder holds what must stay; a failure when it cannot
    /// be written to.
    pub fn finish(mut self, out: &Path, existing: Existing) -> Result<Summary> {
        let enough = self.count()?;
        let Merge { began: (started, clock), program, playable, mut all, folders, pieces, .. } =
            self;
        let whole = |folder: &Path| folder.canonicalize().unwrap_or(folder.to_owned());
        let place = whole(out);
        if folders.iter().any(|folder| whole(folder) == place) {
            return Err(Error::input(format!(
                "{} is one of the shards; choose another folder with `--out`",
                out.display()
            )));
        }
        let site = Site::take(out, existing, None)?;
        let out = site.work.as_path();
        all.truncate(enough);
        all.header.shard = None;
        let all = all.at(&out.join(Progress::FILE));
        all.save()?;
        let mut summary = Summary::new(playable.info(), &all.tallies());
        let never = AtomicBool::default();
        let work = RunOptions { threads: 0, shard: None, observer: &SilentObserver, stop: &never };
        confirm::play(&*playable, program, &mut summary, Some(out), &work)?;
        let took = clock.elapsed();
        let timing = Timing { started, took, threads: 1, resumed_chunks: all.chunks.len() };
        // In the order of the deals.
        let counted = pieces.values().filter(|piece| piece.chunk < enough);
        let pages = counted.map(|piece| (piece.chunk, folders[piece.folder].as_path()));
        let pages: Vec<_> = pages.collect();
        Folder::new(out).write(&*playable, program, &all, &summary, &pages, timing)?;
        site.finish()?;
        Ok(summary)
    }

    /// How many chunks count; all of them must be whole.
    fn count(&mut self) -> Result<u64> {
        let plan = self.playable.info();
        let whole = |chunk: u64| plan.deals_of(chunk).end - plan.deals_of(chunk).start;
        self.all.chunks.retain(|&chunk, tally| tally.deals == whole(chunk));
        let enough = plan.stop_decision(&self.all.chunks).chunks;
        let mut missing = Vec::new();
        for chunk in (0..enough).filter(|chunk| !self.all.chunks.contains_key(chunk)) {
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
            return Ok(enough);
        }
        let lost: u64 = missing.iter().map(|(_, deals)| deals.end - deals.start).sum();
        let hint = self.all.header.shard.map_or(String::new(), |shard| {
            format!(" (they belong to shard {})", shard.parts(&plan.resolved, &missing))
        });
        let deals = plan.experiment().deals;
        Err(Error::input(format!(
            "{lost} of {deals} deals are in none of these folders{hint}: name all shards, or finish them with `--resume`"
        )))
    }
}

fn refused(folder: &Path, why: &str) -> Error {
    Error::input(format!("cannot merge {}: {why}", folder.display()))
}
