//! Playing the chunks of a plan on all cores.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

use super::{Begun, Chunk, Ledger, Outline, Playable, Played, Progress, Shard, VariantTally};
use crate::error::{Error, Result};

/// Hears of what has been played; called from many threads.
pub trait Observer: Sync {
    /// So many hands were played before.
    fn resumed(&self, _hands: u64) {}

    /// So many hands more have been played.
    fn played(&self, _hands: u64) {}

    /// So many deals more are counted: by variant the units that each strategy won in them against
    /// others.
    fn dealt(&self, _deals: u64, _won: &[Vec<i64>]) {}

    /// A bot of this strategy failed in a hand, and said this.
    fn failed(&self, _strategy: &str, _said: &str) {}
}

/// Hears nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quiet;

impl Observer for Quiet {}

/// How the chunks of a plan are played; none of this changes a result.
pub struct Work<'a> {
    /// How many threads; 0 for one on each core.
    pub threads: usize,
    /// Only a part of the deals.
    pub shard: Option<Shard>,
    /// Hears of what has been played.
    pub observer: &'a dyn Observer,
    /// When it is raised, the play ends: at once where a deal takes long, otherwise with the deal.
    pub stop: &'a AtomicBool,
}

impl Work<'_> {
    /// Plays every wanted chunk that is not there yet, as far as its deals are in the wanted part, and
    /// what is missing of those that are begun; a ledger gets every hand of them. Says whether all wanted ones are there in the end: they are
    /// not after a stop.
    ///
    /// # Errors
    /// Bad input when nobody can play the plan; a failure when the chunks cannot be saved.
    pub fn play(
        &self,
        playable: &dyn Playable,
        progress: &mut Progress,
        ledger: Option<&dyn Ledger>,
    ) -> Result<bool> {
        let plan = playable.outline();
        let deals_in = |chunk: u64| plan.resolved.deals_in(chunk, self.shard);
        let wanted = |chunk: &u64| !deals_in(*chunk).is_empty();
        self.tell(plan, progress);
        // A shard cannot see what the others found: it plays all its chunks, and the merge decides.
        let counting = |progress: &Progress| match self.shard {
            None => plan.decision(&progress.chunks).chunks,
            Some(_) => plan.chunks(),
        };
        let enough = AtomicU64::new(counting(progress));
        let missing = |chunk: &u64| wanted(chunk) && !progress.chunks.contains_key(chunk);
        let pending: Vec<u64> = (0..plan.chunks()).filter(missing).collect();
        let keeper = progress.keeper();
        let shared = Mutex::new(&mut *progress);
        let lock = || shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let one = |number: u64| -> Result<()> {
            if number >= enough.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let begun = lock().begun.remove(&number);
            let save = |begun: &Begun| keeper.keep(number, begun);
            let &Work { observer, stop, .. } = self;
            let deals = deals_in(number);
            let chunk = Chunk { number, deals, begun, ledger, observer, stop, save: &save };
            match playable.play_chunk(chunk)? {
                Played::Whole(tally) => {
                    let mut progress = lock();
                    progress.add(number, tally)?;
                    enough.fetch_min(counting(&progress), Ordering::Relaxed);
                }
                Played::Part(begun) if !begun.is_nothing() => {
                    keeper.keep(number, &begun)?;
                    lock().begun.insert(number, begun);
                }
                Played::Part(_) => {}
            }
            Ok(())
        };
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .build()
            .map_err(|error| Error::failed(format!("cannot start the threads: {error}")))?;
        let outcome = pool.install(|| match plan.experiment().until {
            // In order, so that little is played beyond the end.
            Some(_) => pending.into_iter().par_bridge().try_for_each(one),
            None => pending.into_par_iter().with_max_len(1).try_for_each(one),
        });
        let enough = enough.load(Ordering::Relaxed);
        if let Err(error) = outcome {
            self.stop.store(true, Ordering::Relaxed);
            return Err(progress.after(error));
        }
        let complete = (0..enough).filter(wanted).all(|c| progress.chunks.contains_key(&c));
        if complete {
            progress.cut(enough);
            progress.save()?;
        }
        Ok(complete)
    }

    /// Tells the observer what was played before.
    fn tell(&self, plan: &Outline, progress: &Progress) {
        let begun = progress.begun.values();
        self.observer.resumed(begun.clone().map(|begun| begun.open.hands).sum());
        for tally in progress.chunks.values().chain(begun.map(|begun| &begun.tally)) {
            self.observer.resumed(tally.deals * plan.hands_per_deal());
            let won = |v: &VariantTally| v.standings.iter().map(|won| won.sum).collect();
            let won: Vec<Vec<i64>> = tally.variants.iter().map(won).collect();
            self.observer.dealt(tally.deals, &won);
        }
    }
}
