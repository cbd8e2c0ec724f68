//! A run: plays a plan, in memory or into a folder, and computes its summary.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

use crate::answer::check_question;
use crate::compute::summarize;
use crate::confirm::play_fresh_deals;
use crate::folder::Folder;
use crate::hand_log::{HandLogs, copy_records};
use crate::manifest::timing;
use crate::run_dir::{IfExists, RunDir};
use crate::summary::Summary;
use parlour_arena::{
    DynPlan, Observer, Progress, ProgressHeader, RunOptions, Shard, SilentObserver,
};
use parlour_base::Program;
use parlour_base::error::{Error, Result, ensure};
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
        match self.go_as_far()? {
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
        let Some(file) = self.records_in else { return self.play() };
        ensure(self.if_exists == IfExists::Replace || !file.is_file(), || {
            Error::input(format!(
                "{} already exists; name another file, or overwrite it with `--replace`",
                file.display()
            ))
        })?;
        // Records are assembled in a folder, a temporary one if necessary.
        let temporary = tempfile::tempdir()
            .map_err(|error| Error::failed(format!("cannot create a temporary folder: {error}")))?;
        let (place, folder) = (self.folder, self.folder.unwrap_or(temporary.path()));
        let run = Run { folder: Some(folder), records: true, ..self };
        let (summary, stopped) = run.play()?;
        if stopped.is_none() {
            std::fs::copy(folder.join("records.jsonl"), file)
                .map_err(|e| cannot_write(file, &e))?;
            return Ok((summary, None));
        }
        if place.is_some() {
            return Ok((summary, stopped));
        }
        let name = file.display();
        // An old file stays until a new one is complete.
        let text = match file.is_file() {
            true => format!("{UNSAVED}; {name} is unchanged"),
            false => format!(
                "stopped; {name} has the {} hands so far, but the run cannot be resumed without `--out`",
                copy_records(folder, file)?
            ),
        };
        Ok((summary, Some(Error::stopped(text))))
    }

    /// Plays one shard of the plan into the folder; [`merge`](super::merge()) combines the shards.
    ///
    /// # Errors
    /// As [`go`](Run::go), and bad input without a folder.
    pub fn go_shard(self, shard: Shard) -> Result<()> {
        ensure(self.folder.is_some(), || Error::input("a shard needs a folder"))?;
        let PlayResult { dir, progress, is_complete, .. } =
            self.play_chunks(&self.work(Some(shard)))?;
        ensure(is_complete, || self.stopped(&progress))?;
        dir.map_or(Ok(()), RunDir::finish)
    }

    fn play(&self) -> Result<(Summary, Option<Error>)> {
        let (plan, started, work) = (self.plan, SystemTime::now(), self.work(None));
        let PlayResult { dir, progress, resumed_chunks, is_complete } = self.play_chunks(&work)?;
        if !is_complete {
            let tallies = progress.tallies_so_far();
            ensure(!tallies.is_empty(), || self.stopped(&progress))?;
            return Ok((summarize(plan.info(), &tallies), Some(self.stopped(&progress))));
        }
        let mut summary = summarize(plan.info(), &progress.tallies());
        let path = dir.as_ref().map(|dir| dir.work.as_path());
        if !play_fresh_deals(plan, self.program, &mut summary, path, &work)? {
            return Ok((summary, Some(self.stopped(&progress))));
        }
        if let Some(dir) = dir {
            let path = dir.work.as_path();
            let threads = match self.threads {
                0 => std::thread::available_parallelism().map_or(1, usize::from),
                threads => threads,
            };
            let timing = timing(started, progress.time(), threads, resumed_chunks);
            let parts: Vec<_> = progress.chunks.keys().map(|&chunk| (chunk, path)).collect();
            Folder::new(path).write(plan, self.program, &progress, &summary, &parts, timing)?;
            dir.finish()?;
        }
        Ok((summary, None))
    }

    /// Plays the missing chunks, in the folder if there is one.
    fn play_chunks(&self, work: &RunOptions<'_>) -> Result<PlayResult> {
        let (plan, has_folder) = (self.plan.info(), self.folder.is_some());
        check_question(plan)?;
        let (hands, records) = (has_folder && self.hands, has_folder && self.records);
        let header = ProgressHeader::of(plan, self.program, hands, records, work.shard);
        let run = Some((&header, self.allow_other_build));
        let dir = self.folder.map(|place| RunDir::open(place, self.if_exists, run)).transpose()?;
        let path = dir.as_ref().map(|dir| dir.work.as_path());
        self.plan.prepare(path)?;
        let mut progress = match path.or(self.checkpoint_dir) {
            None => Progress::in_memory(header),
            Some(place) => {
                create_dir(place)?;
                let file = place.join(Progress::FILE);
                match has_folder && self.if_exists != IfExists::Resume {
                    true => Progress::create(&file, header)?,
                    false => Progress::resume(&file, header, plan, self.allow_other_build)?,
                }
            }
        };
        let resumed_chunks = progress.chunks.len();
        let logs = path.map(|path| HandLogs::new(plan, path, &progress.header)).transpose()?;
        let log = logs.as_ref().and_then(HandLogs::enabled);
        let is_complete = work.execute_chunks(self.plan, &mut progress, log)?;
        Ok(PlayResult { dir, progress, resumed_chunks, is_complete })
    }

    fn work(&self, shard: Option<Shard>) -> RunOptions<'_> {
        let (threads, observer, stop) = (self.threads, self.observer, self.stop);
        RunOptions { threads, shard, observer, stop: stop.unwrap_or(&NEVER) }
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

/// The progress of a run that was played or stopped.
struct PlayResult {
    /// The folder, if the run has one.
    dir: Option<RunDir>,
    progress: Progress,
    /// Number of chunks that were finished before.
    resumed_chunks: usize,
    /// `true` if no chunk is missing.
    is_complete: bool,
}

/// A flag that stops no run.
pub(super) static NEVER: AtomicBool = AtomicBool::new(false);

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
