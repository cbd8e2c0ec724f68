//! The best of many measured again: the winner of a run owes part of its lead to luck, and only
//! deals that had no part in choosing it can tell which.

use std::path::Path;

use super::Folder;
use super::matchups::matchups;
use super::rows::{Confirmed, Matchup};
use super::summary::{Summary, VariantSummary};
use crate::arena::{Plan, Progress, ProgressHeader, Resolved, Seating, Table, Tally, Work};
use crate::chance::Seed;
use crate::error::{Error, Result};
use crate::strategy::Strategic;

/// The folder, within a result folder, of the deals that confirm it.
pub(super) const FOLDER: &str = "confirm";

/// The plan of the fresh deals: every table at which a variant's best strategy met another, as
/// often as in the run; none where no strategy met another, or nothing is to be confirmed.
fn fresh<G: Strategic>(plan: &Plan<G>, summary: &Summary) -> Result<Option<Plan<G>>> {
    let winners: Vec<Option<usize>> = summary.variants.iter().map(best).collect();
    let wanted = |table: &Table| {
        let met = winners[table.variant].is_some_and(|winner| table.line_up.contains(&winner));
        met && !table.is_mirror()
    };
    let tables = plan.resolved.tables.iter().zip(&plan.tables);
    let tables: Vec<Seating> =
        tables.filter(|(_, table)| wanted(table)).map(|(seating, _)| seating.clone()).collect();
    if tables.is_empty() || !plan.experiment().confirm {
        return Ok(None);
    }
    let fresh = plan.with(|resolved| {
        resolved.name += "-confirm";
        resolved.tables = tables;
        let experiment = &mut resolved.experiment;
        experiment.seed = Seed::new(experiment.seed).named(FOLDER).stream().bits();
        experiment.deals = summary.deals;
        experiment.until = None;
        experiment.confirm = false;
    });
    fresh.map(Some)
}

/// Plays the fresh deals, or goes on with them, in a folder within the run's where it has one.
/// `None` after a stop.
pub(super) fn play<G: Strategic>(
    plan: &Plan<G>,
    summary: &Summary,
    folder: Option<&Path>,
    work: &Work<'_>,
) -> Result<Option<Vec<Vec<Confirmed>>>> {
    let Some(fresh) = fresh(plan, summary)? else { return Ok(Some(Vec::new())) };
    let header = ProgressHeader::of(&fresh, false, false, None);
    let mut progress = match folder.map(|folder| folder.join(FOLDER)) {
        None => Progress::in_memory(header),
        Some(folder) => {
            std::fs::create_dir_all(&folder).map_err(|e| {
                Error::failed(format!("cannot make the folder {}: {e}", folder.display()))
            })?;
            // The run that it confirms has been checked.
            Progress::resume(&folder.join(Progress::FILE), header, &fresh.empty, true)?
        }
    };
    let complete = work.play(&fresh, &mut progress, None)?;
    Ok(complete.then(|| compare(&fresh, summary, &progress.tallies())))
}

/// Reads the fresh deals of a finished run.
pub(super) fn reread<G: Strategic>(
    plan: &Plan<G>,
    summary: &Summary,
    folder: &Path,
) -> Result<Vec<Vec<Confirmed>>> {
    let Some(fresh) = fresh(plan, summary)? else { return Ok(Vec::new()) };
    let folder = Folder::new(&folder.join(FOLDER));
    let header = folder.header()?;
    let decisive = |r: &Resolved| (r.experiment.seed, r.experiment.deals, r.tables.clone());
    let same = decisive(&header.experiment) == decisive(&fresh.resolved);
    let progress = match same {
        true => folder.progress(&fresh.empty)?,
        false => Progress::in_memory(header),
    };
    if (progress.chunks.len() as u64) < fresh.chunks() {
        return Err(Error::input(format!(
            "{}: it does not hold the fresh deals of this run; finish the run with `--resume`",
            folder.path().join(Progress::FILE).display()
        )));
    }
    Ok(compare(&fresh, summary, &progress.tallies()))
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
    let mut total = fresh.empty.clone();
    tallies.iter().for_each(|tally| total.merge(tally));
    let of_variant = |(chosen, rows): (&VariantSummary, Vec<Matchup>)| {
        let Some(best) = best(chosen) else { return Vec::new() };
        let row = |row: Matchup| {
            let row = if row.pair.is_some_and(|(_, b)| b == best) { row.turned() } else { row };
            (row.strategy == fresh.name_of(best)).then(|| Confirmed {
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
