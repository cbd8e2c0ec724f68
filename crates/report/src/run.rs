//! A run: a plan is played, in memory or into a folder, and its numbers made.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

use super::ledger::{Ledgers, records_so_far};
use super::manifest::Timing;
use super::site::{Existing, Site};
use super::{Asked, Folder, Summary, confirm};
use crate::arena::{
    DynPlan, Observer, Progress, ProgressHeader, RunOptions, Shard, SilentObserver,
};
use crate::error::ensure;
use crate::files::{cannot_write, create_dir};
use crate::{Error, Program, Result};

/// A run of a plan: what to do, then [`go`](Run::go).
///
/// ```
/// use parlour_arena::{Experiment, Plan};
/// use parlour_leopard::Leopard;
/// use parlour_report::Run;
///
/// let seats = ["greedy".to_owned(), "random".to_owned()];
/// let experiment = Experiment { deals: 50, ..Experiment::of_match("leopard", "revised", &seats) };
/// let program = parlour_base::Program { version: "1.0", source: "mine", revision: "unknown" };
/// let plan = Plan::<Leopard>::resolve("greedy-or-random", &experiment)?;
/// let summary = Run { threads: 2, ..Run::of(&plan, program) }.go()?;
/// println!("{}", summary.variants[0].matchups[0].score.expect("50 deals have a mean"));
/// # Ok::<(), parlour_base::error::Error>(())
/// ```
#[must_use = "a run is played by `go`"]
pub struct Run<'a> {
    /// What is played: a [`Plan`](crate::Plan) of some game.
    pub plan: &'a dyn DynPlan,
    /// The program that plays and writes.
    pub program: Program,
    /// On so many threads; 0 for one on each core. Results do not depend on it.
    pub threads: usize,
    /// Where tables, page, manifest, and the chunks from which it can be resumed go.
    pub folder: Option<&'a Path>,
    /// Without a folder for results, one that keeps how far the run is and nothing else: a run that
    /// is there already is gone on with.
    pub kept: Option<&'a Path>,
    /// Whether the folder gets `hands.csv`, a row a hand.
    pub hands: bool,
    /// Whether the folder gets `records.jsonl`, a line a hand.
    pub records: bool,
    /// A file for the records of all hands, with a folder or without one.
    pub records_in: Option<&'a Path>,
    /// What shall become of a run that the folder holds.
    pub existing: Existing,
    /// Whether a run that another program began is gone on with, because the caller knows that
    /// both play and count the same.
    pub same_program: bool,
    /// Who hears of the hands played.
    pub observer: &'a dyn Observer,
    /// A flag that stops the run when it is raised: chunks under way are dropped, finished ones
    /// are kept in the folder.
    pub stop: Option<&'a AtomicBool>,
}

impl<'a> Run<'a> {
    /// A run of a plan on all cores, in memory, with nobody who listens.
    pub fn of(plan: &'a dyn DynPlan, program: Program) -> Self {
        Run {
            plan,
            program,
            threads: 0,
            folder: None,
            kept: None,
            hands: false,
            records: false,
            records_in: None,
            existing: Existing::Keep,
            same_program: false,
            observer: &SilentObserver,
            stop: None,
        }
    }

    /// Plays all of the plan, writes the results where there is a folder, and returns the numbers.
    ///
    /// # Errors
    /// Bad input when the folder holds something else; a failure when it cannot be written to;
    /// that it was stopped.
    pub fn go(self) -> Result<Summary> {
        match self.go_until(false)? {
            (summary, None) => Ok(summary),
            (_, Some(stopped)) => Err(stopped),
        }
    }

    /// Plays the plan as [`go`](Run::go) does, or as far as it comes until it is stopped: then the
    /// numbers are those of the deals that were played, which nothing but the folder keeps, and the
    /// error says so.
    ///
    /// # Errors
    /// As `go`; that it was stopped before a deal was played.
    pub fn go_as_far(self) -> Result<(Summary, Option<Error>)> {
        self.go_until(true)
    }

    /// Plays the plan; `counted` says whether numbers are wanted where it is stopped.
    fn go_until(self, counted: bool) -> Result<(Summary, Option<Error>)> {
        let Some(file) = self.records_in else { return self.play(counted) };
        ensure(self.existing == Existing::Replace || !file.is_file(), || {
            Error::input(format!(
                "{} is there already; name another file, or let `--replace` write it anew",
                file.display()
            ))
        })?;
        // Records are put together in a folder; without one of the caller's it is a passing one.
        let passing = tempfile::tempdir();
        let passing = passing.map_err(|e| Error::failed(format!("no folder for a while: {e}")))?;
        let folder = self.folder.unwrap_or(passing.path());
        let place = self.folder;
        let (summary, stopped) =
            Run { folder: Some(folder), records: true, ..self }.play(counted)?;
        if let Some(stopped) = stopped {
            let stopped = match place {
                Some(_) => stopped,
                // What is to be replaced stays until another is whole.
                None if file.is_file() => {
                    Error::stopped(format!("{UNSAVED}; {} is as it was", file.display()))
                }
                None => {
                    let hands = records_so_far(folder, file)?;
                    let file = file.display();
                    Error::stopped(format!(
                        "stopped; {file} has the {hands} hands so far, and nothing can go on from \
                         them without `--out`"
                    ))
                }
            };
            return Ok((summary, Some(stopped)));
        }
        std::fs::copy(folder.join("records.jsonl"), file).map_err(|e| cannot_write(file, &e))?;
        Ok((summary, None))
    }

    /// Plays one part of the plan into the folder; [`merge`](super::merge) joins the parts and
    /// makes their numbers.
    ///
    /// # Errors
    /// As [`go`](Run::go), and bad input without a folder.
    pub fn go_shard(self, shard: Shard) -> Result<()> {
        let missing = || Error::input("a shard needs a folder, from which it is merged");
        let folder = self.folder.ok_or_else(missing)?;
        Asked::of(self.plan.info())?;
        let header = self.header(Some(shard));
        let site = Site::take(folder, self.existing, Some((&header, self.same_program)))?;
        let never = AtomicBool::default();
        let (complete, progress, _) =
            self.play_into(&site.work, header, &self.work(Some(shard), &never))?;
        ensure(complete, || self.stopped(&progress))?;
        site.finish()
    }

    fn play(&self, counted: bool) -> Result<(Summary, Option<Error>)> {
        Asked::of(self.plan.info())?;
        let (started, never) = (SystemTime::now(), AtomicBool::default());
        let work = self.work(None, &never);
        let Some(path) = self.folder else {
            let header = ProgressHeader::of(self.plan.info(), self.program, false, false, None);
            self.plan.prepare(None)?;
            let mut progress = match self.kept {
                None => Progress::in_memory(header),
                Some(kept) => {
                    create_dir(kept)?;
                    let file = kept.join(Progress::FILE);
                    Progress::resume(&file, header, self.plan.info(), self.same_program)?
                }
            };
            let complete = work.execute_chunks(self.plan, &mut progress, None)?;
            ensure(complete || counted, || self.stopped(&progress))?;
            return self.numbers(complete, &progress, &work, None);
        };
        let header = self.header(None);
        let site = Site::take(path, self.existing, Some((&header, self.same_program)))?;
        let path = site.work.as_path();
        let (complete, progress, resumed_chunks) = self.play_into(path, header, &work)?;
        ensure(complete || counted, || self.stopped(&progress))?;
        let (summary, stopped) = self.numbers(complete, &progress, &work, Some(path))?;
        if stopped.is_some() {
            return Ok((summary, stopped));
        }
        let threads = match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let timing = Timing { started, took: progress.time(), threads, resumed_chunks };
        let folders: Vec<_> = progress.chunks.keys().map(|&chunk| (chunk, path)).collect();
        Folder::new(path).write(self.plan, self.program, &progress, &summary, &folders, timing)?;
        site.finish()?;
        Ok((summary, None))
    }

    fn header(&self, shard: Option<Shard>) -> ProgressHeader {
        ProgressHeader::of(self.plan.info(), self.program, self.hands, self.records, shard)
    }

    /// Plays the chunks that are wanted and not yet in the folder, which is ready. Says whether that
    /// was all, and returns all that are there, and how many were there before.
    fn play_into(
        &self,
        path: &Path,
        header: ProgressHeader,
        work: &RunOptions<'_>,
    ) -> Result<(bool, Progress, usize)> {
        let plan = self.plan.info();
        self.plan.prepare(Some(path))?;
        let file = path.join(Progress::FILE);
        let mut progress = match self.existing {
            Existing::Resume => Progress::resume(&file, header, plan, self.same_program)?,
            Existing::Keep | Existing::Replace => Progress::create(&file, header)?,
        };
        let resumed = progress.chunks.len();
        let ledgers = Ledgers::new(plan, path, &progress.header)?;
        let complete = work.execute_chunks(self.plan, &mut progress, ledgers.kept())?;
        Ok((complete, progress, resumed))
    }

    /// The numbers of all deals, or of those that were played until a stop.
    fn numbers(
        &self,
        complete: bool,
        progress: &Progress,
        work: &RunOptions<'_>,
        folder: Option<&Path>,
    ) -> Result<(Summary, Option<Error>)> {
        let plan = self.plan.info();
        if complete {
            let mut summary = Summary::new(plan, &progress.tallies());
            let confirmed = confirm::play(self.plan, self.program, &mut summary, folder, work)?;
            return Ok((summary, (!confirmed).then(|| self.stopped(progress))));
        }
        let (tallies, stopped) = (progress.tallies_so_far(), self.stopped(progress));
        match tallies.is_empty() {
            true => Err(stopped),
            false => Ok((Summary::new(plan, &tallies), Some(stopped))),
        }
    }

    fn work<'b>(&'b self, shard: Option<Shard>, never: &'b AtomicBool) -> RunOptions<'b> {
        let stop = self.stop.unwrap_or(never);
        RunOptions { threads: self.threads, shard, observer: self.observer, stop }
    }

    fn stopped(&self, progress: &Progress) -> Error {
        let Some(folder) = self.folder.or(self.kept) else { return Error::stopped(UNSAVED) };
        let plan = self.plan.info();
        let begun = progress.partial.values().map(|begun| begun.hands(plan));
        let deals: u64 = progress.chunks.values().map(|tally| tally.deals).sum();
        let hands = deals * plan.hands_per_deal() + begun.sum::<u64>();
        let (all, place) = (plan.hands(progress.header.shard), folder.display());
        Error::stopped(format!(
            "stopped: {hands} of {all} hands are saved in {place}; `--resume` goes on"
        ))
    }
}

/// What is said of a run that was stopped and has no folder.
const UNSAVED: &str = "stopped; nothing was saved without `--out`";

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::arena::{BotFactory, Experiment, Plan};
    use parlour_base::chance::Stream;

    const PROGRAM: Program = Program { version: "0", source: "0", revision: "unknown" };
    use crate::game::{Bot, BotError, Game, Observation, Policy, Uniform};
    use parlour_leopard::{Leopard, Move};

    /// Random moves, until something goes wrong in some hands.
    struct Fragile(fn(&Leopard, Observation<'_, Leopard>, &mut Stream) -> Move);

    impl Bot<Leopard> for Fragile {
        fn choose(
            &mut self,
            game: &Leopard,
            observation: Observation<'_, Leopard>,
            s: &mut Stream,
        ) -> std::result::Result<Move, BotError> {
            Ok((self.0)(game, observation, s))
        }
    }

    /// In one hand of four it panics.
    fn panics(game: &Leopard, observation: Observation<'_, Leopard>, chance: &mut Stream) -> Move {
        assert!(observation.past.len() > 1 || chance.below(4) > 0, "out of ideas");
        Uniform.pick(game, observation.view, chance)
    }

    /// It always makes the last move that any hand could have, legal or not.
    fn cheats(game: &Leopard, observation: Observation<'_, Leopard>, chance: &mut Stream) -> Move {
        let (mut mine, mut all) = (Vec::new(), Vec::new());
        game.legal_moves_in_view(observation.view, &mut mine);
        for _ in 0..50 {
            game.legal_moves(&game.deal(chance), &mut all);
            if let Some(other) = all.iter().find(|mv| !mine.contains(mv)) {
                return *other;
            }
        }
        mine[0]
    }

    /// Hears which strategies failed, and what they said.
    #[derive(Default)]
    struct Ears(Mutex<Vec<(String, String)>>);

    impl Observer for Ears {
        fn failed(&self, strategy: &str, said: &str) {
            self.0.lock().unwrap().push((strategy.to_owned(), said.to_owned()));
        }
    }

    fn played(
        choose: fn(&Leopard, Observation<'_, Leopard>, &mut Stream) -> Move,
        threads: usize,
    ) -> (Summary, Vec<(String, String)>) {
        let seats = ["mine".to_owned(), "greedy".to_owned()];
        let of_match = Experiment::of_match("leopard", "revised", &seats);
        let experiment = Experiment { deals: 40, ..of_match };
        let mine = BotFactory::custom(move |_| Box::new(Fragile(choose)));
        let plan = Plan::resolve_with("x", &experiment, [("mine", mine)]).unwrap();
        let ears = Ears::default();
        let summary = Run { threads, observer: &ears, ..Run::of(&plan, PROGRAM) }.go().unwrap();
        (summary, ears.0.into_inner().unwrap())
    }

    #[test]
    fn a_bot_that_panics_loses_the_hand_and_the_run_goes_on() {
        let (one, failed) = played(panics, 1);
        assert!((5..40).contains(&failed.len()), "{} of 80 hands", failed.len());
        assert!(failed.iter().all(|f| *f == ("mine".to_owned(), "out of ideas".to_owned())));
        let row = &one.variants[0].matchups[0];
        assert_eq!((row.strategy.as_str(), row.deals), ("mine", 40));
        assert!(row.losses >= failed.len() as u64);
        let faults = |strategy: &str| {
            one.variants[0].standings.iter().find(|s| s.strategy == strategy).unwrap().faults
        };
        assert_eq!((faults("mine"), faults("greedy")), (failed.len() as u64, 0));
        let (two, _) = played(panics, 2);
        assert_eq!(serde_json::to_string(&one).unwrap(), serde_json::to_string(&two).unwrap());
    }

    #[test]
    fn an_illegal_move_of_a_bot_brought_along_loses_the_hand() {
        let (summary, failed) = played(cheats, 1);
        assert_eq!(failed.len(), 80, "every hand");
        assert!(failed.iter().all(|(_, said)| said.starts_with("it chose the illegal move")));
        let row = &summary.variants[0].matchups[0];
        assert_eq!((row.wins, row.draws, row.losses), (0, 0, 80));
        let last = summary.answer.sentences.last().unwrap();
        assert_eq!(last, "Lost because a player failed, not by its play: `mine` 80 of 80 hands.");
    }
}
