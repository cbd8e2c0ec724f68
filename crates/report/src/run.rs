//! A run: plays a plan, in memory or into a folder, and computes its summary.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

use super::answer::check_question;
use super::compute::summarize;
use super::confirm::play_fresh_deals;
use super::folder::Folder;
use super::hand_log::{HandLogs, copy_records};
use super::manifest::Timing;
use super::run_dir::{IfExists, RunDir};
use super::summary::Summary;
use parlour_arena::{
    DynPlan, Observer, Progress, ProgressHeader, RunOptions, Shard, SilentObserver,
};
use parlour_base::Program;
use parlour_base::error::Error;
use parlour_base::error::Result;
use parlour_base::error::ensure;
use parlour_base::files::{cannot_write, create_dir};

/// A run of a plan. Set the options, then call [`go`](Run::go).
///
/// ```
/// use parlour_arena::{Experiment, Plan};
/// use parlour_leopard::Leopard;
/// use parlour_report::Run;
///
/// let program = parlour_base::Program { version: "1.0", source: "mine", revision: "unknown" };
/// let seats = ["greedy".to_owned(), "random".to_owned()];
/// let experiment = Experiment { deals: 50, ..Experiment::of_match("leopard", "revised", &seats) };
/// let plan = Plan::<Leopard>::resolve("greedy-or-random", &experiment)?;
/// let summary = Run { threads: 2, ..Run::of(&plan, program) }.go()?;
/// println!("{}", summary.variants[0].matchups[0].score.expect("50 deals have a mean"));
/// # Ok::<(), parlour_base::error::Error>(())
/// ```
#[must_use = "call `go` to play the run"]
pub struct Run<'a> {
    /// The plan: a [`Plan`](parlour_arena::Plan) of some game.
    pub plan: &'a dyn DynPlan,
    /// The program that plays and writes.
    pub program: Program,
    /// Number of worker threads; 0 for one per core. Results do not depend on it.
    pub threads: usize,
    /// Folder for tables, page, manifest, and the chunks that a resumed run continues from.
    pub folder: Option<&'a Path>,
    /// Without `folder`: a folder for checkpoints only. A run that is there already is resumed.
    pub checkpoint_dir: Option<&'a Path>,
    /// Writes `hands.csv`, one row per hand.
    pub hands: bool,
    /// Writes `records.jsonl`, one line per hand.
    pub records: bool,
    /// A file for the records of all hands, with or without `folder`.
    pub records_in: Option<&'a Path>,
    /// Action if the folder already holds a run.
    pub if_exists: IfExists,
    /// Resumes a run that a different build started. Both must give identical results.
    pub allow_other_build: bool,
    /// Observer of the hands played.
    pub observer: &'a dyn Observer,
    /// A flag that stops the run when set. The folder keeps all finished work.
    pub stop: Option<&'a AtomicBool>,
}

impl<'a> Run<'a> {
    /// Creates a run on all cores, in memory, without an observer.
    pub fn of(plan: &'a dyn DynPlan, program: Program) -> Self {
        Run {
            plan,
            program,
            threads: 0,
            folder: None,
            checkpoint_dir: None,
            hands: false,
            records: false,
            records_in: None,
            if_exists: IfExists::Fail,
            allow_other_build: false,
            observer: &SilentObserver,
            stop: None,
        }
    }

    /// Plays the whole plan, writes the results if there is a folder, and returns the summary.
    ///
    /// # Errors
    /// Bad input if the folder holds something else; a failure if it cannot be written; stopped.
    pub fn go(self) -> Result<Summary> {
        match self.go_until(false)? {
            (summary, None) => Ok(summary),
            (_, Some(stopped)) => Err(stopped),
        }
    }

    /// Plays the plan as [`go`](Run::go) does. If stopped, returns the summary of the deals so far
    /// together with the error.
    ///
    /// # Errors
    /// As `go`; stopped before the first deal was finished.
    pub fn go_as_far(self) -> Result<(Summary, Option<Error>)> {
        self.go_until(true)
    }

    /// Plays the plan. `partial` requests a summary even if stopped.
    fn go_until(self, partial: bool) -> Result<(Summary, Option<Error>)> {
        let Some(file) = self.records_in else { return self.play(partial) };
        ensure(self.if_exists == IfExists::Replace || !file.is_file(), || {
            Error::input(format!(
                "{} already exists; name another file, or overwrite it with `--replace`",
                file.display()
            ))
        })?;
        // Records are assembled in a folder, a temporary one if necessary.
        let temporary = tempfile::tempdir()
            .map_err(|error| Error::failed(format!("cannot create a temporary folder: {error}")))?;
        let folder = self.folder.unwrap_or(temporary.path());
        let place = self.folder;
        let (summary, stopped) =
            Run { folder: Some(folder), records: true, ..self }.play(partial)?;
        if let Some(stopped) = stopped {
            let stopped = match place {
                Some(_) => stopped,
                // The old file stays until a new one is complete.
                None if file.is_file() => {
                    Error::stopped(format!("{UNSAVED}; {} is unchanged", file.display()))
                }
                None => {
                    let hands = copy_records(folder, file)?;
                    let file = file.display();
                    Error::stopped(format!(
                        "stopped; {file} has the {hands} hands so far, but the run cannot be resumed \
                         without `--out`"
                    ))
                }
            };
            return Ok((summary, Some(stopped)));
        }
        std::fs::copy(folder.join("records.jsonl"), file).map_err(|e| cannot_write(file, &e))?;
        Ok((summary, None))
    }

    /// Plays one shard of the plan into the folder; [`merge`](super::merge()) combines the shards.
    ///
    /// # Errors
    /// As [`go`](Run::go), and bad input without a folder.
    pub fn go_shard(self, shard: Shard) -> Result<()> {
        let missing = || Error::input("a shard needs a folder");
        let folder = self.folder.ok_or_else(missing)?;
        check_question(self.plan.info())?;
        let header = self.header(Some(shard));
        let dir = RunDir::open(folder, self.if_exists, Some((&header, self.allow_other_build)))?;
        let never = AtomicBool::default();
        let (complete, progress, _) =
            self.play_into(&dir.work, header, &self.work(Some(shard), &never))?;
        ensure(complete, || self.stopped(&progress))?;
        dir.finish()
    }

    fn play(&self, partial: bool) -> Result<(Summary, Option<Error>)> {
        check_question(self.plan.info())?;
        let (started, never) = (SystemTime::now(), AtomicBool::default());
        let work = self.work(None, &never);
        let Some(path) = self.folder else {
            let header = ProgressHeader::of(self.plan.info(), self.program, false, false, None);
            self.plan.prepare(None)?;
            let mut progress = match self.checkpoint_dir {
                None => Progress::in_memory(header),
                Some(dir) => {
                    create_dir(dir)?;
                    let file = dir.join(Progress::FILE);
                    Progress::resume(&file, header, self.plan.info(), self.allow_other_build)?
                }
            };
            let complete = work.execute_chunks(self.plan, &mut progress, None)?;
            ensure(complete || partial, || self.stopped(&progress))?;
            return self.summary(complete, &progress, &work, None);
        };
        let header = self.header(None);
        let dir = RunDir::open(path, self.if_exists, Some((&header, self.allow_other_build)))?;
        let path = dir.work.as_path();
        let (complete, progress, resumed_chunks) = self.play_into(path, header, &work)?;
        ensure(complete || partial, || self.stopped(&progress))?;
        let (summary, stopped) = self.summary(complete, &progress, &work, Some(path))?;
        if stopped.is_some() {
            return Ok((summary, stopped));
        }
        let threads = match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let timing = Timing { started, elapsed: progress.time(), threads, resumed_chunks };
        let folders: Vec<_> = progress.chunks.keys().map(|&chunk| (chunk, path)).collect();
        Folder::new(path).write(self.plan, self.program, &progress, &summary, &folders, timing)?;
        dir.finish()?;
        Ok((summary, None))
    }

    fn header(&self, shard: Option<Shard>) -> ProgressHeader {
        ProgressHeader::of(self.plan.info(), self.program, self.hands, self.records, shard)
    }

    /// Plays the missing chunks into an open folder. Returns `true` if none is missing now, all finished
    /// chunks, and the number of chunks that were finished before.
    fn play_into(
        &self,
        path: &Path,
        header: ProgressHeader,
        work: &RunOptions<'_>,
    ) -> Result<(bool, Progress, usize)> {
        let plan = self.plan.info();
        self.plan.prepare(Some(path))?;
        let file = path.join(Progress::FILE);
        let mut progress = match self.if_exists {
            IfExists::Resume => Progress::resume(&file, header, plan, self.allow_other_build)?,
            IfExists::Fail | IfExists::Replace => Progress::create(&file, header)?,
        };
        let resumed = progress.chunks.len();
        let logs = HandLogs::new(plan, path, &progress.header)?;
        let complete = work.execute_chunks(self.plan, &mut progress, logs.enabled())?;
        Ok((complete, progress, resumed))
    }

    /// Computes the summary of all deals, or of those that were played before a stop.
    fn summary(
        &self,
        complete: bool,
        progress: &Progress,
        work: &RunOptions<'_>,
        folder: Option<&Path>,
    ) -> Result<(Summary, Option<Error>)> {
        let plan = self.plan.info();
        if complete {
            let mut summary = summarize(plan, &progress.tallies());
            let confirmed = play_fresh_deals(self.plan, self.program, &mut summary, folder, work)?;
            return Ok((summary, (!confirmed).then(|| self.stopped(progress))));
        }
        let (tallies, stopped) = (progress.tallies_so_far(), self.stopped(progress));
        match tallies.is_empty() {
            true => Err(stopped),
            false => Ok((summarize(plan, &tallies), Some(stopped))),
        }
    }

    fn work<'b>(&'b self, shard: Option<Shard>, never: &'b AtomicBool) -> RunOptions<'b> {
        let stop = self.stop.unwrap_or(never);
        RunOptions { threads: self.threads, shard, observer: self.observer, stop }
    }

    fn stopped(&self, progress: &Progress) -> Error {
        let Some(folder) = self.folder.or(self.checkpoint_dir) else {
            return Error::stopped(UNSAVED);
        };
        let plan = self.plan.info();
        let partial = progress.partial.values().map(|chunk| chunk.hands(plan));
        let deals: u64 = progress.chunks.values().map(|tally| tally.deals).sum();
        let hands = deals * plan.hands_per_deal() + partial.sum::<u64>();
        let (all, place) = (plan.hands(progress.header.shard), folder.display());
        Error::stopped(format!(
            "stopped: {hands} of {all} hands are saved in {place}; use `--resume` to continue"
        ))
    }
}

/// The message of a stopped run without a folder.
const UNSAVED: &str = "stopped; nothing was saved without `--out`";

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use parlour_arena::{BotFactory, Experiment, Plan};
    use parlour_base::chance::Stream;
    use parlour_game::{Bot, BotError, Game, Observation, Policy, Uniform};
    use parlour_leopard::{Leopard, Move};

    const PROGRAM: Program = Program { version: "0", source: "0", revision: "unknown" };

    /// A bot with a custom choice of moves.
    struct FunctionBot(fn(&Leopard, Observation<'_, Leopard>, &mut Stream) -> Move);

    impl Bot<Leopard> for FunctionBot {
        fn choose(
            &mut self,
            game: &Leopard,
            sight: Observation<'_, Leopard>,
            s: &mut Stream,
        ) -> std::result::Result<Move, BotError> {
            Ok((self.0)(game, sight, s))
        }
    }

    /// Panics in one hand out of four.
    fn panics(game: &Leopard, sight: Observation<'_, Leopard>, chance: &mut Stream) -> Move {
        assert!(sight.past.len() > 1 || chance.below(4) > 0, "out of ideas");
        Uniform.pick(game, sight.view, chance)
    }

    /// Chooses a move that is illegal in this hand.
    fn cheats(game: &Leopard, sight: Observation<'_, Leopard>, chance: &mut Stream) -> Move {
        let (mut mine, mut all) = (Vec::new(), Vec::new());
        game.legal_moves_in_view(sight.view, &mut mine);
        for _ in 0..50 {
            game.legal_moves(&game.deal(chance), &mut all);
            if let Some(other) = all.iter().find(|mv| !mine.contains(mv)) {
                return *other;
            }
        }
        mine[0]
    }

    /// Collects failures: strategy and message.
    #[derive(Default)]
    struct Failures(Mutex<Vec<(String, String)>>);

    impl Observer for Failures {
        fn failed(&self, strategy: &str, message: &str) {
            self.0.lock().unwrap().push((strategy.to_owned(), message.to_owned()));
        }
    }

    fn played(
        choose: fn(&Leopard, Observation<'_, Leopard>, &mut Stream) -> Move,
        threads: usize,
    ) -> (Summary, Vec<(String, String)>) {
        let seats = ["mine".to_owned(), "greedy".to_owned()];
        let of_match = Experiment::of_match("leopard", "revised", &seats);
        let experiment = Experiment { deals: 40, ..of_match };
        let mine = BotFactory::custom(move |_| Box::new(FunctionBot(choose)));
        let plan = Plan::resolve_with("x", &experiment, [("mine", mine)]).unwrap();
        let failures = Failures::default();
        let summary = Run { threads, observer: &failures, ..Run::of(&plan, PROGRAM) }.go().unwrap();
        (summary, failures.0.into_inner().unwrap())
    }

    #[test]
    fn a_panicking_bot_loses_the_hand_and_the_run_continues() {
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
    fn an_illegal_move_of_a_custom_bot_loses_the_hand() {
        let (summary, failed) = played(cheats, 1);
        assert_eq!(failed.len(), 80, "every hand");
        assert!(failed.iter().all(|(_, message)| message.starts_with("it chose the illegal move")));
        let row = &summary.variants[0].matchups[0];
        assert_eq!((row.wins, row.draws, row.losses), (0, 0, 80));
        let last = summary.answer.sentences.last().unwrap();
        assert_eq!(last, "Lost by bot failures, not by play: `mine` 80 of 80 hands.");
    }
}
