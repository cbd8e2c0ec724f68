//! The best of many measured again: the winner of a run owes part of its lead to luck, and only
//! deals that had no part in choosing it can tell which.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use super::Summary;
use super::matchups::{Matchup, matchups};
use super::merge::read;
use crate::arena::{NoLedger, Observer, Plan, Progress, ProgressHeader, RunOptions, Tally, run};
use crate::chance::Seed;
use crate::error::{Error, Result};
use crate::stats::Estimate;
use crate::strategy::Strategic;

/// The folder, within a result folder, of the deals that confirm it.
pub(super) const FOLDER: &str = "confirm";

/// A pairing of a variant's best strategy, on the deals that chose it and on fresh ones.
#[derive(Clone, Debug)]
pub struct Confirmed {
    /// The variant's name.
    pub variant: String,
    /// The strategy with the best rating.
    pub strategy: String,
    /// The other; with more seats all others, joined by `+`.
    pub opponent: String,
    /// The score in the run that chose it.
    pub chosen: Option<Estimate>,
    /// Fresh deals.
    pub deals: u64,
    /// The score on them.
    pub score: Option<Estimate>,
}

/// The plan of the fresh deals: every table at which a variant's best strategy met another, as
/// often as in the run; none where no strategy met another.
fn fresh<G: Strategic>(plan: &Plan<G>, summary: &Summary) -> Result<Option<Plan<G>>> {
    let mut portable = plan.portable();
    let best = |variant: &str| {
        let first = summary.standings.iter().find(|s| s.variant == variant && s.rank == 1)?;
        plan.strategies.iter().position(|s| s.name == first.strategy)
    };
    let winners: Vec<Option<usize>> = plan.variants.iter().map(|v| best(&v.name)).collect();
    portable.tables.retain(|(variant, line_up)| {
        let met = winners[*variant].is_some_and(|winner| line_up.contains(&winner));
        met && line_up.iter().any(|s| s != &line_up[0])
    });
    if portable.tables.is_empty() {
        return Ok(None);
    }
    portable.name += "-confirm";
    portable.seed = Seed::new(plan.seed).named(FOLDER).stream().bits();
    portable.deals = summary.variants.first().map_or(plan.deals, |v| v.deals);
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
) -> Result<Option<Vec<Confirmed>>> {
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
) -> Result<Vec<Confirmed>> {
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

fn compare<G: Strategic>(fresh: &Plan<G>, summary: &Summary, tallies: &[Tally]) -> Vec<Confirmed> {
    let mut total = fresh.layout.empty();
    tallies.iter().for_each(|tally| total.merge(tally));
    let decision = fresh.decision(&(0..).zip(tallies.iter().cloned()).collect());
    let best = |variant: &str| {
        summary.standings.iter().find(|s| s.variant == variant && s.rank == 1).map(|s| &s.strategy)
    };
    let turned = |row: Matchup| -> Matchup {
        let two = row.by_deal.is_some();
        if !two || Some(&row.strategy) == best(&row.variant) {
            return row;
        }
        let score = row.score.map(|score| score.scaled(-1.0).shifted(1.0));
        Matchup { strategy: row.opponent, opponent: row.strategy, score, ..row }
    };
    matchups(fresh, &total, tallies, &decision)
        .into_iter()
        .map(turned)
        .filter(|row| Some(&row.strategy) == best(&row.variant))
        .map(|row| Confirmed {
            chosen: summary.score(&row.variant, &row.strategy, &row.opponent),
            variant: row.variant,
            strategy: row.strategy,
            opponent: row.opponent,
            deals: row.deals,
            score: row.score,
        })
        .collect()
}
