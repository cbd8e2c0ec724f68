//! Shards joined into one run.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Instant, SystemTime};

use super::ledger::Ledgers;
use super::manifest::Timing;
use super::{Folder, Summary, confirm};
use crate::arena::{Plan, Progress, ProgressHeader, Quiet, Work};
use crate::error::{Error, Result};
use crate::strategy::Strategic;

/// Joins the shards of one run into the files that the whole run would have written.
///
/// # Errors
/// Bad input when shards are missing, overlap, or belong to different runs; a failure when the
/// folder cannot be written to.
pub fn merge<G: Strategic>(
    shards: &[PathBuf],
    out: &Path,
    same_program: bool,
) -> Result<(Plan<G>, Summary)> {
    let (started, clock) = (SystemTime::now(), Instant::now());
    let mut shards = shards.iter();
    let none = || Error::input("name the folders of the shards");
    let first = shards.next().ok_or_else(none)?;
    let mut header = Folder::new(first).header()?;
    let refuse = |folder: &Path, why: String| {
        Error::input(format!("cannot merge {}: {why}", folder.display()))
    };
    let mut plan =
        Plan::<G>::to_report(&header).map_err(|error| refuse(first, error.to_string()))?;
    let now = ProgressHeader::of(&plan, header.hands, header.records, None);
    header.join(&now, same_program).map_err(|why| refuse(first, why))?;
    let mut all = Folder::new(first).progress(&plan.empty)?;
    all.header = header;
    if plan.experiment().confirm {
        plan = plan.with_bots()?;
    }
    let mut folders = vec![None; plan.chunks() as usize];
    let mut place = |chunks: &Progress, folder: &PathBuf| -> Result<()> {
        for &chunk in chunks.chunks.keys() {
            let place: &mut Option<PathBuf> = &mut folders[chunk as usize];
            if let Some(other) = place {
                let why = format!("its chunk {chunk} is in {} too", other.display());
                return Err(refuse(folder, why));
            }
            *place = Some(folder.clone());
        }
        Ok(())
    };
    place(&all, first)?;
    for folder in shards {
        let header = Folder::new(folder).header()?;
        all.header.join(&header, same_program).map_err(|why| refuse(folder, why))?;
        let part = Folder::new(folder).progress(&plan.empty)?;
        place(&part, folder)?;
        all.chunks.extend(part.chunks);
    }
    let enough = plan.decision(&all.chunks).chunks;
    folders.truncate(enough as usize);
    let whole: Option<Vec<PathBuf>> = folders.iter().cloned().collect();
    let Some(folders) = whole else {
        let missing = folders.iter().filter(|f| f.is_none()).count();
        let chunk = folders.iter().position(Option::is_none).unwrap_or(0);
        let hint = all.header.shard.map_or(String::new(), |shard| {
            format!(
                " (chunk {chunk} belongs to shard {}/{})",
                chunk as u64 % shard.of + 1,
                shard.of
            )
        });
        return Err(Error::input(format!(
            "{missing} of {} chunks are in none of these folders{hint}: name all shards, or finish them with `--resume`",
            plan.chunks()
        )));
    };
    let target = Folder::new(out);
    if folders.iter().any(|f| same(f, out)) {
        return Err(Error::input(format!(
            "--out {} is one of the shards; choose another folder",
            out.display()
        )));
    }
    target.prepare(false)?;
    all.cut(enough);
    all.header.shard = None;
    let all = all.at(&out.join(Progress::FILE));
    let ledgers = Ledgers::new(&plan, out, all.header.hands, all.header.records)?;
    let timing =
        Timing { started, took: clock.elapsed(), threads: 1, resumed_chunks: all.chunks.len() };
    all.save()?;
    let mut summary = Summary::new(&plan, &all.tallies());
    let work = Work { threads: 0, shard: None, observer: &Quiet, stop: &AtomicBool::new(false) };
    let confirmed = confirm::play(&plan, &summary, Some(out), &work)?;
    summary.confirm(confirmed.unwrap_or_default());
    target.write(&plan, &all, &summary, &ledgers, &folders, timing)?;
    Ok((plan, summary))
}

fn same(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    }
}
