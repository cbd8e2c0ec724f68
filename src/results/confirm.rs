//! The best of many measured again: the winner of a run owes part of its lead to luck, and only
//! deals that had no part in choosing it can tell which.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::matchups::matchups;
use super::merge::read;
use super::rows::{Confirmed, Matchup};
use super::summary::{Summary, VariantSummary};
use crate::arena::{NoLedger, Observer, Plan, Progress, ProgressHeader, RunOptions, Tally, run};
use crate::chance::Seed;
use crate::error::{Error, Result};
use crate::strategy::Strategic;

/// The folder, within a result folder, of the deals that confirm it.
pub(super) const FOLDER: &str = "confirm";

/// The plan of the fresh deals: every table at which a variant's best strategy met another, as
/// often as in the run; none where no strategy met another.
fn fresh<G: Strategic>(plan: &Plan<G>, summary: &Summary) -> Result<Option<Plan<G>>> {
    let mut portable = plan.portable();
    let winners: Vec<Option<usize>> = summary.variants.iter().map(best).collect();
    portable.tables.retain(|(variant, line_up)| {
        let met = winners[*variant].is_some_and(|winner| line_up.contains(&winner));
        met && line_up.iter().any(|s| s != &line_up[0])
    });
    if portable.tables.is_empty() {
        return Ok(None);
    }
    portable.name += "-confirm";
    portable.seed = Seed::new(plan.seed).named(FOLDER).stream().bits();
    portable.deals = summary.deals;
    portable.until = None;
    portable.confirm = false;
    Plan::from_portable(FOLDER, &portable).map(Some)
}

/// Plays the fresh deals, or goes on with them. `None` when `stop` was raised first.
pub(super) fn play<G: Strategic>(
    plan: &Plan<G>,
    summary: &Summary,
    folder: &Path,
    threads: usize,
    observer: &impl Observer,
    stop: &AtomicBool,
) -> Result<Option<Vec<Vec<Confirmed>>>> {
    let Some(fresh) = fresh(plan, summary)?.filter(|_| plan.confirm) else {
        return Ok(Some(Vec::new()));
    };
    let folder = folder.join(FOLDER);
    std::fs::create_dir_all(&folder)
        .map_err(|e| Error::failed(format!("cannot make the folder {}: {e}", folder.display())))?;
    let header = ProgressHeader::of(&fresh, false, false, None);
    let options = RunOptions { threads, resume: true, shard: None };
    let finished = run(&fresh, header, Some(&folder), options, &NoLedger, observer, stop)?;
    Ok(finished.complete.then(|| compare(&fresh, summary, &finished.tallies())))
}

/// Reads the fresh deals of a finished run.
pub(super) fn reread<G: Strategic>(
    plan: &Plan<G>,
    summary: &Summary,
    folder: &Path,
) -> Result<Vec<Vec<Confirmed>>> {
    let Some(fresh) = fresh(plan, summary)?.filter(|_| plan.confirm) else {
        return Ok(Vec::new());
    };
    let folder = folder.join(FOLDER);
    let progress: Progress = read(&folder)?;
    if progress.header.digest != fresh.digest() || (progress.chunks.len() as u64) < fresh.chunks() {
        return Err(Error::input(format!(
            "{}: it does not hold the fresh deals of this run; finish the run with `--resume`",
            folder.join(Progress::FILE).display()
        )));
    }
    let tallies: Vec<Tally> = progress.chunks.into_values().collect();
    Ok(compare(&fresh, summary, &tallies))
}

/// The number of a variant's best rated strategy.
fn best(variant: &VariantSummary) -> Option<usize> {
    variant.standings.first().map(|first| first.number)
}

/// The fresh deals' pairings of each variant's best strategy.
fn compare<G: Strategic>(
    fresh: &Plan<G>,
    summary: &Summary,
    tallies: &[Tally],
) -> Vec<Vec<Confirmed>> {
    let mut total = fresh.layout.empty();
    tallies.iter().for_each(|tally| total.merge(tally));
    let of_variant = |(chosen, rows): (&VariantSummary, Vec<Matchup>)| {
        let Some(best) = best(chosen) else { return Vec::new() };
        let row = |row: Matchup| {
            let row = if row.pair.is_some_and(|(_, b)| b == best) { row.turned() } else { row };
            (row.strategy == fresh.strategies[best].name).then(|| Confirmed {
                chosen_score: row.pair.and_then(|(a, b)| chosen.scores[a][b]),
                variant: row.variant,
                strategy: row.strategy,
                opponent: row.opponent,
                deals: row.deals,
                score: row.score,
            })
        };
        rows.into_iter().filter_map(row).collect()
    };
    let rows = matchups(fresh, &total, tallies, &[]);
    summary.variants.iter().zip(rows).map(of_variant).collect()
}
