//! Shards joined into one run.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Instant, SystemTime};

use super::folder::{ReadPlan, reporting};
use super::manifest::Timing;
use super::site::{Existing, Site};
use super::{Folder, Summary, confirm};
use crate::arena::{Progress, ProgressHeader, Quiet, Work};
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
    let refuse = |folder: &Path, why: &str| {
        Error::input(format!("cannot merge {}: {why}", folder.display()))
    };
    let first = shards.first().ok_or_else(|| Error::input("name the folders of the shards"))?;
    let header = Folder::new(first).header()?;
    let playable = read(&header).map_err(|error| Folder::new(first).in_header(error))?;
    let now = ProgressHeader::of(playable.outline(), header.hands, header.records, None);
    let mut all = Progress::in_memory(header);
    all.header.join(&now, same_program).map_err(|why| refuse(first, &why))?;
    let confirms = playable.outline().experiment().confirm;
    // The manifest names what its bots know; where they cannot be made again, it does without.
    let playable = match playable.with_bots() {
        Err(error) if confirms => return Err(error),
        Err(_) => read(&all.header)?,
        Ok(playable) => playable,
    };
    let plan = playable.outline();
    let mut folders: Vec<Option<PathBuf>> = vec![None; plan.chunks() as usize];
    for folder in shards {
        let shard = Folder::new(folder);
        all.header.join(&shard.header()?, same_program).map_err(|why| refuse(folder, &why))?;
        for (chunk, tally) in shard.progress(&plan.empty)?.chunks {
            if let Some(other) = folders[chunk as usize].replace(folder.clone()) {
                let why = format!("its chunk {chunk} is in {} too", other.display());
                return Err(refuse(folder, &why));
            }
            all.chunks.insert(chunk, tally);
        }
    }
    let enough = plan.decision(&all.chunks).chunks;
    folders.truncate(enough as usize);
    if let Some(chunk) = folders.iter().position(Option::is_none) {
        let missing = folders.iter().filter(|folder| folder.is_none()).count();
        let hint = all.header.shard.map_or(String::new(), |shard| {
            let part = chunk as u64 % shard.of + 1;
            format!(" (chunk {chunk} belongs to shard {part}/{})", shard.of)
        });
        return Err(Error::input(format!(
            "{missing} of {} chunks are in none of these folders{hint}: name all shards, or finish them with `--resume`",
            plan.chunks()
        )));
    }
    let folders: Vec<PathBuf> = folders.into_iter().flatten().collect();
    let whole = |folder: &Path| folder.canonicalize().unwrap_or(folder.to_owned());
    if folders.iter().any(|folder| whole(folder) == whole(out)) {
        return Err(Error::input(format!(
            "--out {} is one of the shards; choose another folder",
            out.display()
        )));
    }
    let site = Site::take(out, existing, None)?;
    let out = site.work.as_path();
    all.cut(enough);
    all.header.shard = None;
    let all = all.at(&out.join(Progress::FILE));
    all.save()?;
    let mut summary = Summary::new(plan, &all.tallies());
    let never = AtomicBool::default();
    let work = Work { threads: 0, shard: None, observer: &Quiet, stop: &never };
    confirm::play(&*playable, &mut summary, Some(out), &work)?;
    let took = clock.elapsed();
    let timing = Timing { started, took, threads: 1, resumed_chunks: all.chunks.len() };
    Folder::new(out).write(&*playable, &all, &summary, &folders, timing)?;
    site.finish()?;
    Ok(summary)
}
