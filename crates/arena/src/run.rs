//! Executing the chunks of a plan on all cores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

use super::{
    Chunk, DynPlan, HandLog, Observer, PartialChunk, PlanInfo, Progress, Shard, VariantTally,
};
use parlour_base::error::{Error, Result};

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
        log: Option<&dyn HandLog>,
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
            let played = plan.execute_chunk(chunk)?;
            if played.next_deal(&deals).is_none() {
                let mut progress = lock();
                progress.add(number, played.tally)?;
                needed.fetch_min(needed_chunks(&progress), Ordering::Relaxed);
            } else if !played.is_empty() {
                save(&played)?;
                lock().partial.insert(number, played);
            }
            Ok(())
        };
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .build()
            .map_err(|error| Error::failed(format!("cannot start the threads: {error}")))?;
        let outcome = pool.install(|| match info.experiment().until {
            // In order, so that few chunks are played after the deciding one.
            Some(_) => pending.into_iter().par_bridge().try_for_each(execute),
            None => pending.into_par_iter().with_max_len(1).try_for_each(execute),
        });
        let needed = needed.load(Ordering::Relaxed);
        if let Err(error) = outcome {
            self.stop.store(true, Ordering::Relaxed);
            return Err(progress.explain(error));
        }
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
