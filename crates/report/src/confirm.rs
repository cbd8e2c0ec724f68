//! The best of many measured again: the winner of a run owes part of its lead to luck, and only
//! deals that had no part in choosing it can tell which.

use std::path::Path;

use super::matchups::matchups;
use super::rows::{Confirmed, Matchup};
use super::summary::{Summary, VariantSummary};
use crate::arena::{
    DynPlan, PlanInfo, PlannedTable, Progress, ProgressHeader, RunOptions, TableSpec,
};
use crate::files::create_dir;
use crate::{Program, Result, Seed};

/// The folder, within a result folder, of the deals that confirm it.
pub(super) const FOLDER: &str = "confirm";

/// The plan of the fresh deals: every table at which a variant's best strategy met another, as
/// often as in the run; none where no strategy met another, or nothing is to be confirmed.
pub(super) fn fresh(playable: &dyn DynPlan, summary: &Summary) -> Result<Option<Box<dyn DynPlan>>> {
    let plan = playable.info();
    let winners: Vec<Option<usize>> = summary.variants.iter().map(best).collect();
    let met =
        |table: &PlannedTable| winners[table.variant].is_some_and(|w| table.line_up.contains(&w));
    let tables = plan.resolved.tables.iter().zip(&plan.tables);
    let tables = tables.filter(|(_, table)| met(table) && !table.is_mirror());
    let tables: Vec<TableSpec> = tables.map(|(seating, _)| seating.clone()).collect();
    if tables.is_empty() || !plan.experiment().confirm {
        return Ok(None);
    }
    let fresh = playable.with(&mut |resolved| {
        resolved.name += "-confirm";
        resolved.tables.clone_from(&tables);
        let experiment = &mut resolved.experiment;
        experiment.seed = Seed::new(experiment.seed).named(FOLDER).stream().bits();
        experiment.deals = summary.deals;
        experiment.until = None;
        experiment.confirm = false;
    });
    fresh.map(Some)
}

/// Plays the fresh deals, or goes on with them, in a folder within the run's where it has one, and
/// adds what they say. False after a stop.
pub(super) fn play(
    plan: &dyn DynPlan,
    program: Program,
    summary: &mut Summary,
    folder: Option<&Path>,
    work: &RunOptions<'_>,
) -> Result<bool> {
    let Some(fresh) = fresh(plan, summary)? else { return Ok(true) };
    let outline = fresh.info();
    let header = ProgressHeader::of(outline, program, false, false, None);
    let mut progress = match folder.map(|folder| folder.join(FOLDER)) {
        None => Progress::in_memory(header),
        Some(folder) => {
            create_dir(&folder)?;
            // The run that it confirms has been checked. With more deals another may be the best.
            let path = folder.join(Progress::FILE);
            match path.exists() && ProgressHeader::read(&path)?.resume_with(&header, true).is_ok() {
                true => Progress::resume(&path, header, outline, true)?,
                false => Progress::create(&path, header)?,
            }
        }
    };
    let complete = work.execute_chunks(&*fresh, &mut progress, None)?;
    if complete {
        progress.remove_checkpoints();
        confirm(summary, outline, &progress);
    }
    Ok(complete)
}

/// The number of a variant's best rated strategy.
fn best(variant: &VariantSummary) -> Option<usize> {
    variant.standings.first().map(|first| first.number)
}

/// Adds what the fresh deals say of each variant's best strategy.
pub(super) fn confirm(summary: &mut Summary, fresh: &PlanInfo, played: &Progress) {
    let (tallies, mut total) = (played.tallies(), fresh.empty.clone());
    tallies.iter().for_each(|tally| total.merge(tally));
    let rows = matchups(fresh, &total, &tallies, &[]);
    for (variant, rows) in summary.variants.iter_mut().zip(rows) {
        let Some(best) = best(variant) else { continue };
        let row = |row: Matchup| {
            let row = if row.pair.is_some_and(|(_, b)| b == best) { row.turned() } else { row };
            (row.strategy == fresh.name_of(best)).then(|| Confirmed {
                chosen_score: row.pair.and_then(|(a, b)| variant.scores[a][b]),
                variant: row.variant,
                strategy: row.strategy,
                opponent: row.opponent,
                deals: row.deals,
                score: row.score,
            })
        };
        variant.confirmed = rows.into_iter().filter_map(row).collect();
    }
}
