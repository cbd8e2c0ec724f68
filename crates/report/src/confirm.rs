//! Confirmation of the best strategy: the winner of a run owes part of its lead to luck, so it is
//! measured again on fresh deals.

use std::path::Path;

use super::rows::{Confirmation, Matchup};
use super::run_dir::CONFIRM_DIR;
use super::sample::Sample;
use super::summary::{Summary, VariantSummary};
use crate::strategies::matchups;
use parlour_arena::{
    DynPlan, PlanInfo, PlannedTable, Progress, ProgressHeader, Resolved, RunOptions, TableSpec,
};
use parlour_base::Program;
use parlour_base::chance::Seed;
use parlour_base::error::Result;
use parlour_base::files::create_dir;

/// Returns the plan of the fresh deals: every table at which a variant's best strategy met another,
/// with the deals of the run. `None` without such tables, or if the experiment does not ask for it.
pub(super) fn fresh_plan(run: &dyn DynPlan, summary: &Summary) -> Result<Option<Box<dyn DynPlan>>> {
    let plan = run.info();
    let winners: Vec<Option<usize>> = summary.variants.iter().map(best).collect();
    let has_winner =
        |table: &PlannedTable| winners[table.variant].is_some_and(|w| table.line_up.contains(&w));
    let tables = plan.resolved.tables.iter().zip(&plan.tables);
    let tables = tables.filter(|(_, table)| has_winner(table) && !table.is_mirror());
    let tables: Vec<TableSpec> = tables.map(|(seating, _)| seating.clone()).collect();
    if tables.is_empty() || !plan.experiment().confirm {
        return Ok(None);
    }
    let fresh = run.with(&mut |resolved| {
        resolved.name += "-confirm";
        resolved.tables.clone_from(&tables);
        set_fresh_deals(resolved, CONFIRM_DIR, summary.deals);
    });
    fresh.map(Some)
}

/// Gives a plan this number of deals that no other run with its seed has; all are played.
pub(super) fn set_fresh_deals(resolved: &mut Resolved, name: &str, deals: u64) {
    let experiment = &mut resolved.experiment;
    experiment.seed = Seed::new(experiment.seed).named(name).stream().bits();
    experiment.deals = deals;
    experiment.until = None;
    experiment.confirm = false;
}

/// Plays or resumes the fresh deals, in a folder within the run's if it has one, and adds their results.
/// Returns `false` if stopped early.
pub(super) fn play_fresh_deals(
    plan: &dyn DynPlan,
    program: Program,
    summary: &mut Summary,
    folder: Option<&Path>,
    work: &RunOptions<'_>,
) -> Result<bool> {
    let Some(fresh) = fresh_plan(plan, summary)? else { return Ok(true) };
    let outline = fresh.info();
    let header = ProgressHeader::of(outline, program, false, false, None);
    let mut progress = match folder.map(|folder| folder.join(CONFIRM_DIR)) {
        None => Progress::in_memory(header),
        Some(folder) => {
            create_dir(&folder)?;
            // The main run has been checked already. With more deals another strategy may be the best.
            let path = folder.join(Progress::FILE);
            match path.exists() && ProgressHeader::read(&path)?.resume_with(&header, true).is_ok() {
                true => Progress::resume(&path, header, outline, true)?,
                false => Progress::create(&path, header)?,
            }
        }
    };
    let complete = work.execute_chunks(&*fresh, &mut progress, None);
    let complete = complete.map_err(|error| progress.explain(error))?;
    if complete {
        progress.remove_checkpoints();
        add_confirmations(summary, outline, &progress);
    }
    Ok(complete)
}

/// Returns the best rated strategy of a variant.
fn best(variant: &VariantSummary) -> Option<usize> {
    variant.standings.first().map(|first| first.number)
}

/// Adds the results of each variant's best strategy on the fresh deals.
pub(super) fn add_confirmations(summary: &mut Summary, fresh: &PlanInfo, played: &Progress) {
    let tallies = played.tallies();
    let rows = matchups(&Sample::new(fresh, &tallies), &[]);
    for (variant, rows) in summary.variants.iter_mut().zip(rows) {
        let Some(best) = best(variant) else { continue };
        let row = |row: Matchup| {
            let row = if row.pair.is_some_and(|(_, b)| b == best) { row.swapped() } else { row };
            (row.strategy == fresh.name_of(best)).then(|| Confirmation {
                selection_score: row.pair.and_then(|(a, b)| variant.scores[a][b]),
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
