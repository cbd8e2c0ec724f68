//! Executing the chunks of a plan on all cores, with early stopping.
//!
//! The decision to stop is made at the ends of chunks, in order: after chunk `k` it depends only on chunks
//! `0..=k`. So it is the same for any number of threads and shards. Chunks after the deciding one
//! are not counted, even if they were played.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

use super::{
    Chunk, DynPlan, HandLogs, Observer, PartialChunk, PlanInfo, PlannedTable, Progress, Shard,
    StopCondition, TableTally, Tally, UNIT, VariantTally,
};
use parlour_base::error::{Error, Result};
use parlour_base::threads::run_on;
use parlour_stats::{Estimate, Moments, Sprt, Verdict, score_after};

/// Options of a run that do not change its results.
pub struct RunOptions<'a> {
    /// The number of threads; 0 for one per core.
    pub threads: usize,
    /// Plays only a part of the deals.
    pub shard: Option<Shard>,
    /// Receives progress reports.
    pub observer: &'a dyn Observer,
    /// Stops the run if set: after the current deals, or at once if a deal takes long.
    pub stop: &'a AtomicBool,
}

impl RunOptions<'_> {
    /// Plays all missing chunks of this shard, resuming partial ones. Returns `false` if stopped
    /// early.
    ///
    /// # Errors
    /// Bad input if the plan has no players; a failure if the chunks cannot be saved.
    pub fn execute_chunks(
        &self,
        plan: &dyn DynPlan,
        progress: &mut Progress,
        log: Option<&HandLogs>,
    ) -> Result<bool> {
        let info = plan.info();
        let deals_in = |chunk: u64| info.resolved.deals_in(chunk, self.shard);
        let is_wanted = |chunk: &u64| !deals_in(*chunk).is_empty();
        self.report_resumed(info, progress);
        // A shard cannot see the other shards: it plays all its chunks, and the merge decides.
        let needed_chunks = |progress: &Progress| match self.shard {
            None => info.stop_decision(&progress.chunks).chunks,
            Some(_) => info.resolved.chunks(),
        };
        let needed = AtomicU64::new(needed_chunks(progress));
        let is_pending = |chunk: &u64| is_wanted(chunk) && !progress.chunks.contains_key(chunk);
        let pending: Vec<u64> = (0..info.resolved.chunks()).filter(is_pending).collect();
        let shared = Mutex::new(&mut *progress);
        let lock = || shared.lock().unwrap_or_else(|poison| poison.into_inner());
        let execute = |number: u64| -> Result<()> {
            let &RunOptions { observer, stop, .. } = self;
            if number >= needed.load(Ordering::Relaxed) || stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let partial = lock().partial.remove(&number);
            let save = |partial: &PartialChunk| lock().save_checkpoint(number, partial);
            let deals = deals_in(number);
            let (save, range) = (&save, deals.clone());
            let chunk = Chunk { number, deals: range, partial, log, observer, stop, save };
            // The other threads save what they have.
            let played = plan.execute_chunk(chunk);
            let played = played.inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
            if played.next_deal(&deals).is_none() {
                let mut progress = lock();
                progress.add(number, played.tally)?;
                needed.fetch_min(needed_chunks(&progress), Ordering::Relaxed);
                drop(progress);
                log.inspect(|log| log.remove_parts_of(number, played.log_parts));
            } else if !played.is_empty() {
                save(&played)?;
                lock().partial.insert(number, played);
            }
            Ok(())
        };
        let outcome = run_on(self.threads, || match info.experiment().until {
            // In order, so that few chunks are played after the deciding one.
            Some(_) => pending.into_iter().par_bridge().try_for_each(execute),
            None => pending.into_par_iter().with_max_len(1).try_for_each(execute),
        });
        let needed = needed.load(Ordering::Relaxed);
        outcome??;
        let is_complete = (0..needed).filter(is_wanted).all(|c| progress.chunks.contains_key(&c));
        if is_complete {
            progress.truncate(needed);
            progress.save()?;
        }
        Ok(is_complete)
    }

    /// Reports to the observer what was played before.
    fn report_resumed(&self, plan: &PlanInfo, progress: &Progress) {
        let partial = progress.partial.values();
        self.observer.resumed(partial.clone().map(|partial| partial.current.hands).sum());
        for tally in progress.chunks.values().chain(partial.map(|partial| &partial.tally)) {
            self.observer.resumed(tally.deals * plan.hands_per_deal());
            let won = |v: &VariantTally| v.standings.iter().map(|won| won.sum).collect();
            let won: Vec<Vec<i64>> = tally.variants.iter().map(won).collect();
            self.observer.dealt(tally.deals, &won);
        }
    }
}

/// The minimum number of chunks of a run that stops early: fewer give poor intervals.
const MIN_CHUNKS: usize = 20;

/// The result of a sequential test at a table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SprtResult {
    /// The accepted hypothesis.
    pub verdict: Verdict,
    /// The log-likelihood ratio at the decision, or after all deals.
    pub llr: f64,
    /// The score at the decision, corrected for the bias of stopping.
    pub score: Option<Estimate>,
}

/// The outcome of a stop condition.
#[derive(Clone, PartialEq, Debug)]
pub struct StopDecision {
    /// The number of chunks that count.
    pub chunks: u64,
    /// The result of the sequential test at each table; empty without such a test.
    pub tests: Vec<SprtResult>,
    /// `true` if the run stopped before its last deal.
    pub early: bool,
}

impl StopCondition {
    /// Checks that the condition can be met.
    ///
    /// # Errors
    /// Bad input with all faults.
    pub(super) fn check(&self, tables: &[PlannedTable]) -> Result<()> {
        let what = match self {
            StopCondition::HalfWidth(half) if *half > 0.0 && *half < 0.5 => return Ok(()),
            StopCondition::HalfWidth(half) => {
                format!("`half_width` is {half}; it must be above 0 and below 0.5")
            }
            StopCondition::Sprt(test) => {
                let mut faults = test.faults();
                if !tables.iter().all(|t| t.line_up.len() == 2 && !t.is_mirror()) {
                    faults.push("it needs pairings of two different strategies".to_owned());
                }
                if faults.is_empty() {
                    return Ok(());
                }
                format!("`sprt`: {}", faults.join("; "))
            }
        };
        Err(Error::input(format!("`until`: {what}")))
    }
}

impl PlanInfo {
    /// Returns how many of these chunks count: all without a stop condition.
    pub fn stop_decision(&self, chunks: &BTreeMap<u64, Tally>) -> StopDecision {
        let until = self.experiment().until;
        let count = match until {
            Some(StopCondition::Sprt(_)) => self.tables.len(),
            _ => 0,
        };
        let undecided = SprtResult { verdict: Verdict::Undecided, llr: 0.0, score: None };
        let mut tests = vec![undecided; count];
        let min = MIN_CHUNKS.min(self.resolved.chunks() as usize);
        let last = until.and_then(|until| {
            let mut total = self.empty.clone();
            // In order, up to the first that is missing.
            (0..).map_while(|chunk| chunks.get(&chunk)).zip(1..).position(|(tally, count)| {
                total.merge(tally);
                // The first look sees all deals at once.
                let step = if count == min { total.deals } else { tally.deals };
                count >= min
                    && match &until {
                        StopCondition::Sprt(sprt) => all_decided(sprt, &mut tests, &total, step),
                        StopCondition::HalfWidth(half) => self.is_precise(&total, *half),
                    }
            })
        });
        let chunks = last.map_or(self.resolved.chunks(), |last| last as u64 + 1);
        StopDecision { chunks, tests, early: chunks < self.resolved.chunks() }
    }

    /// Returns `true` if all intervals have at most this half-width.
    fn is_precise(&self, total: &Tally, half_width: f64) -> bool {
        // `max` is the maximum score per deal, in wins.
        let is_narrow = |won: &Moments, max: u64| {
            let score = won.score(1.0 / (max as f64 * UNIT as f64));
            score.and_then(|s| s.half_width()).is_some_and(|half| half <= half_width)
        };
        let pairing = |(table, counted): (&PlannedTable, &TableTally)| {
            let seats = table.line_up.len() as u64;
            table.is_mirror() || counted.slots.iter().all(|slot| is_narrow(&slot.score, seats))
        };
        let first_seat = |(variant, counted): (usize, &VariantTally)| {
            is_narrow(&counted.first_seat, self.hands_of_variant(variant))
        };
        self.tables.iter().zip(&total.tables).all(pairing)
            && total.variants.iter().enumerate().all(first_seat)
    }
}

/// Updates the tests after `step` more deals. Returns `true` if all are decided.
fn all_decided(sprt: &Sprt, tests: &mut [SprtResult], total: &Tally, step: u64) -> bool {
    for (test, table) in tests.iter_mut().zip(&total.tables) {
        // The first decision of a sequential test is final.
        if test.verdict == Verdict::Undecided {
            let deals = &table.pentanomial;
            let verdict = sprt.verdict(deals);
            let score = score_after(sprt, verdict, deals, step);
            *test = SprtResult { verdict, llr: sprt.llr(deals), score };
        }
    }
    tests.iter().all(|test| test.verdict != Verdict::Undecided)
}
