//! Runs: a plan is played, in memory or into a folder, whole or in shards, which are merged.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::answer::check_question;
use crate::compute::summarize;
use crate::confirm::play_fresh_deals;
use crate::folder::Folder;
use crate::manifest::timing;
use crate::run_dir::{IfExists, RunDir};
use crate::summary::Summary;
use parlour_arena::{
    Catalogue, DynPlan, HandLogs, Observer, Progress, ProgressHeader, RECORDS_FILE, RunOptions,
    Shard, SilentObserver, has_parts,
};
use parlour_base::Program;
use parlour_base::error::{Error, Result, collect_results, ensure};
use parlour_base::files::{AtomicFile, DirLock, copy_atomic, create_dir, is_special};
use parlour_base::time::{Instant, SystemTime};

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
    /// Writes the folders `hands.parquet` and `records.parquet` instead.
    pub parquet: bool,
    /// Further files of the folder: those of a search that the run confirms.
    pub more_files: Option<MoreFiles<'a>>,
    /// A file for the records of all hands, with or without `folder`.
    pub records_in: Option<&'a Path>,
    /// Action if the folder already holds a run.
    pub if_exists: IfExists,
    /// Resumes a run that a different build started. Both must give identical results.
    pub allow_other_build: bool,
    /// Observer of the hands played.
    pub observer: &'a dyn Observer,
    /// A flag that stops the run when set. The folder keeps all finished work.
    pub stop: Arc<AtomicBool>,
}

/// Writes further files of a run into its folder.
pub type MoreFiles<'a> = &'a (dyn Fn(&Summary, &Path) -> Result<()> + Sync);

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
            parquet: false,
            more_files: None,
            records_in: None,
            if_exists: IfExists::Fail,
            allow_other_build: false,
            observer: &SilentObserver,
            stop: Arc::default(),
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
        let Some(file) = self.records_in else { return self.play(true) };
        ensure(self.if_exists == IfExists::Replace || !file.is_file(), || {
            Error::input(format!(
                "{} already exists; name another file, or overwrite it with `--replace`",
                file.display()
            ))
        })?;
        let _lock = check_records_file(file, self.folder)?;
        // Records are assembled in a folder, a temporary one if necessary.
        let temporary = tempfile::tempdir()
            .map_err(|error| Error::failed(format!("cannot create a temporary folder: {error}")))?;
        let (place, folder) = (self.folder, self.folder.unwrap_or(temporary.path()));
        let (plan, run) =
            (self.plan, Run { folder: Some(folder), records: true, parquet: false, ..self });
        let (summary, stopped) = run.play(place.is_some())?;
        if stopped.is_none() {
            copy_atomic(&folder.join(RECORDS_FILE), file)?;
            return Ok((summary, None));
        }
        if place.is_some() {
            return Ok((summary, stopped));
        }
        let name = file.display();
        // An old file stays until a new one is complete.
        let text = if file.is_file() {
            format!("{UNSAVED}; {name} is unchanged")
        } else {
            let (plan, path) = (plan.info(), folder.join(Progress::FILE));
            let progress = Progress::resume(&path, ProgressHeader::read(&path)?, plan, true)?;
            let logs = HandLogs::new(plan, folder, &progress.header)?;
            let hands = logs.copy_records(file, &progress)?;
            format!(
                "stopped; {name} has the {hands} hands so far, but the run cannot be resumed without `--out`"
            )
        };
        Ok((summary, Some(Error::stopped(text))))
    }

    /// Plays one shard of the plan into the folder; [`merge`] combines the shards.
    ///
    /// # Errors
    /// As [`go`](Run::go), and bad input without a folder.
    pub fn go_shard(self, shard: Shard) -> Result<()> {
        ensure(self.folder.is_some(), || Error::input("a shard needs a folder"))?;
        let PlayResult { dir, progress, is_complete, .. } =
            self.play_chunks(&self.work(Some(shard)), true)?;
        ensure(is_complete, || self.stopped(&progress))?;
        dir.map_or(Ok(()), RunDir::finish)
    }

    /// Plays the plan. `is_kept` is `false` if the folder is a temporary one.
    fn play(&self, is_kept: bool) -> Result<(Summary, Option<Error>)> {
        let (plan, started, work) = (self.plan, SystemTime::now(), self.work(None));
        let played = self.play_chunks(&work, is_kept)?;
        let PlayResult { dir, progress, resumed_chunks, is_complete } = played;
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
            self.more_files.map_or(Ok(()), |write| write(&summary, path))?;
            let parts: Vec<_> = progress.chunks.keys().map(|&chunk| (chunk, path)).collect();
            Folder::new(path).write(plan, self.program, &progress, &summary, &parts, timing)?;
            dir.finish()?;
        }
        Ok((summary, None))
    }

    /// Plays the missing chunks, in the folder if there is one.
    pub(super) fn play_chunks(&self, work: &RunOptions<'_>, is_kept: bool) -> Result<PlayResult> {
        let (plan, has_folder) = (self.plan.info(), self.folder.is_some());
        check_question(plan)?;
        let (hands, records) = (has_folder && self.hands, has_folder && self.records);
        let mut header = ProgressHeader::of(plan, self.program, hands, records, work.shard);
        header.parquet = self.parquet && (hands || records);
        let run = Some((&header, self.allow_other_build));
        let dir = self.folder.map(|place| RunDir::open(place, self.if_exists, run)).transpose()?;
        let path = dir.as_ref().map(|dir| dir.work.as_path());
        let versions = self.plan.prepare(path, &self.stop)?;
        for (input, version) in header.inputs.strategies.iter_mut().zip(versions) {
            input.version = version;
        }
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
        let logs = path.map(|path| HandLogs::new(plan, path, &progress.header)).transpose()?;
        let log = logs.as_ref().filter(|_| progress.header.hands || progress.header.records);
        if let Some((path, log)) = path.zip(log) {
            log.drop_damaged(path, &mut progress)?;
        }
        self.plan.resume_faults(&progress.tallies_so_far());
        let resumed_chunks = progress.chunks.len();
        let is_complete = work.execute_chunks(self.plan, &mut progress, log);
        let explain = |error| if is_kept { progress.explain(error) } else { error };
        let is_complete = is_complete.map_err(explain)?;
        Ok(PlayResult { dir, progress, resumed_chunks, is_complete })
    }

    pub(super) fn work(&self, shard: Option<Shard>) -> RunOptions<'_> {
        let &Run { threads, observer, ref stop, .. } = self;
        RunOptions { threads, shard, observer, stop }
    }

    pub(super) fn stopped(&self, progress: &Progress) -> Error {
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
pub(super) struct PlayResult {
    /// The folder, if the run has one.
    pub dir: Option<RunDir>,
    pub progress: Progress,
    /// Number of chunks that were finished before.
    pub resumed_chunks: usize,
    /// `true` if no chunk is missing.
    pub is_complete: bool,
}

/// Refuses a file for records that could not be written, or that the results would overwrite, before
/// anything is played. Returns the lock of the file.
fn check_records_file(file: &Path, folder: Option<&Path>) -> Result<Option<DirLock>> {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_default();
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| absolute(path));
    let overlaps = folder.is_some_and(|folder| {
        let folder = real(folder);
        absolute(file).ancestors().any(|part| real(part) == folder)
    });
    ensure(!overlaps, || {
        let file = file.display();
        Error::input(format!(
            "`--records` {file} is in the folder of `--out`, whose files the run writes; name a file elsewhere"
        ))
    })?;
    if is_special(file) {
        return Ok(None);
    }
    AtomicFile::create(file)?;
    DirLock::of_file(file).map(Some)
}

/// The message of a stopped run without a folder.
const UNSAVED: &str = "stopped; nothing was saved without `--out`";

/// Combines the shards of one run into the files of the whole run.
///
/// # Errors
/// Bad input if shards are missing, overlap, or belong to different runs; a failure if the
/// folder cannot be written.
pub fn merge(
    shards: &[PathBuf],
    out: &Path,
    if_exists: IfExists,
    allow_other_build: bool,
    games: &dyn Catalogue,
) -> Result<Summary> {
    let first = shards.first().ok_or_else(|| Error::input("name the folders of the shards"))?;
    let mut merge = Merge::of(first, allow_other_build, games)?;
    collect_results(shards.iter().map(|folder| merge.add(folder)))?;
    merge.finish(out, if_exists, None)
}

/// The shards of a run, read one by one. There is one tally per chunk, so memory does not grow with the
/// number of shards.
pub struct Merge {
    started: (SystemTime, Instant),
    program: Program,
    playable: Box<dyn DynPlan>,
    all: Progress,
    allow_other_build: bool,
    /// The folders that were added.
    folders: Vec<PathBuf>,
    /// Deals that were added, by their first deal.
    pieces: BTreeMap<u64, Piece>,
}

/// Deals of a chunk in a folder.
struct Piece {
    chunk: u64,
    end: u64,
    /// Index of the folder.
    folder: usize,
}

impl Merge {
    /// Starts a merge of the run of this shard, without adding the shard. `allow_other_build` accepts
    /// shards from other builds, which must give identical results.
    ///
    /// # Errors
    /// Bad input if the shard cannot be read, or is from another build.
    pub fn of(shard: &Path, allow_other_build: bool, games: &dyn Catalogue) -> Result<Merge> {
        let started = (SystemTime::now(), Instant::now());
        let (folder, program) = (Folder::new(shard), games.program());
        let header = folder.header()?;
        let playable = folder.plan(&header, games)?;
        let (hands, records, parquet) = (header.hands, header.records, header.parquet);
        let now = ProgressHeader::of(playable.info(), program, hands, records, None);
        let now = ProgressHeader { parquet, ..now };
        let mut all = Progress::in_memory(header);
        all.header.merge(&now, allow_other_build).map_err(|why| refused(shard, &why))?;
        let confirms = playable.info().experiment().confirm;
        // The manifest lists the resources of bots, unless they cannot be created again.
        let playable = match playable.with_bots() {
            Err(error) if confirms => return Err(error),
            Err(_) => folder.plan(&all.header, games)?,
            Ok(playable) => playable,
        };
        let (folders, pieces) = (Vec::new(), BTreeMap::new());
        Ok(Merge { started, program, playable, all, allow_other_build, folders, pieces })
    }

    /// Adds the folder of a shard. A refused shard adds nothing.
    ///
    /// # Errors
    /// Bad input if it is damaged or cut off, belongs to another run, or repeats deals.
    pub fn add(&mut self, folder: &Path) -> Result<()> {
        let shard = Folder::new(folder);
        let header = shard.header()?;
        let why = |why: String| refused(folder, &why);
        self.all.header.merge(&header, self.allow_other_build).map_err(why)?;
        let plan = self.playable.info();
        let progress = shard.progress(&plan.empty)?;
        let deals_in = |chunk| plan.resolved.deals_in(chunk, header.shard);
        for &chunk in progress.chunks.keys() {
            let deals = deals_in(chunk);
            let other = self.folder_with(&deals);
            ensure(other.is_none(), || {
                let other = other.unwrap_or(folder).display();
                why(format!("deals {} to {} are also in {other}", deals.start, deals.end - 1))
            })?;
            ensure(has_parts(folder, &header, chunk), || {
                why("it is a finished run, whose hands are already joined; only shards can be merged".to_owned())
            })?;
        }
        for (chunk, tally) in progress.chunks {
            let Range { start, end } = deals_in(chunk);
            self.pieces.insert(start, Piece { chunk, end, folder: self.folders.len() });
            match self.all.chunks.entry(chunk) {
                Entry::Vacant(place) => _ = place.insert(tally),
                Entry::Occupied(sum) => sum.into_mut().merge(&tally),
            }
        }
        self.folders.push(folder.to_owned());
        Ok(())
    }

    /// Number of deals that were added.
    pub fn deals(&self) -> u64 {
        self.all.chunks.values().map(|tally| tally.deals).sum()
    }

    /// Returns a folder that contains one of these deals.
    fn folder_with(&self, deals: &Range<u64>) -> Option<&Path> {
        let (_, last) = self.pieces.range(..deals.end).next_back()?;
        (last.end > deals.start).then(|| self.folders[last.folder].as_path())
    }

    /// Writes the files of the whole run, and further ones.
    ///
    /// # Errors
    /// Bad input if shards are missing, or the folder holds a run that must stay; a failure if it cannot
    /// be written.
    pub fn finish(
        mut self,
        out: &Path,
        if_exists: IfExists,
        more_files: Option<MoreFiles<'_>>,
    ) -> Result<Summary> {
        let chunks = self.check_complete()?;
        let Merge {
            started: (started, clock), program, playable, mut all, folders, pieces, ..
        } = self;
        let real = |folder: &Path| folder.canonicalize().unwrap_or(folder.to_owned());
        let place = real(out);
        ensure(folders.iter().all(|folder| real(folder) != place), || {
            let out = out.display();
            Error::input(format!("{out} is one of the shards; choose another folder with `--out`"))
        })?;
        let dir = RunDir::open(out, if_exists, None)?;
        let out = dir.work.as_path();
        all.truncate(chunks);
        all.header.shard = None;
        let all = all.at(&out.join(Progress::FILE));
        all.save()?;
        let mut summary = summarize(playable.info(), &all.tallies());
        let stop = &AtomicBool::new(false);
        let work = RunOptions { threads: 0, shard: None, observer: &SilentObserver, stop };
        play_fresh_deals(&*playable, program, &mut summary, Some(out), &work)?;
        let timing = timing(started, clock.elapsed(), 1, all.chunks.len());
        more_files.map_or(Ok(()), |write| write(&summary, out))?;
        let counted = pieces.values().filter(|piece| piece.chunk < chunks);
        let parts = counted.map(|piece| (piece.chunk, folders[piece.folder].as_path()));
        let parts: Vec<_> = parts.collect();
        Folder::new(out).write(&*playable, program, &all, &summary, &parts, timing)?;
        dir.finish()?;
        Ok(summary)
    }

    /// Returns the number of chunks that count, if all of them are complete.
    fn check_complete(&mut self) -> Result<u64> {
        let plan = self.playable.info();
        let deals_in =
            |chunk: u64| plan.resolved.deals_of(chunk).end - plan.resolved.deals_of(chunk).start;
        self.all.chunks.retain(|&chunk, tally| tally.deals == deals_in(chunk));
        let count = plan.stop_decision(&self.all.chunks).chunks;
        let mut missing = Vec::new();
        for chunk in (0..count).filter(|chunk| !self.all.chunks.contains_key(chunk)) {
            let deals = plan.resolved.deals_of(chunk);
            let mut from = deals.start;
            for (&start, piece) in self.pieces.range(deals.clone()) {
                missing.push((chunk, from..start));
                from = piece.end;
            }
            missing.push((chunk, from..deals.end));
        }
        missing.retain(|(_, deals)| !deals.is_empty());
        if missing.is_empty() {
            return Ok(count);
        }
        let lost: u64 = missing.iter().map(|(_, deals)| deals.end - deals.start).sum();
        let hint = self.all.header.shard.map_or(String::new(), |shard| {
            format!(" (they belong to shard {})", shard.parts(&plan.resolved, &missing))
        });
        let deals = plan.experiment().deals;
        Err(Error::input(format!(
            "{lost} of {deals} deals are missing from these folders{hint}; name all shards, or finish them with `--resume`"
        )))
    }
}

fn refused(folder: &Path, why: &str) -> Error {
    Error::input(format!("cannot merge {}: {why}", folder.display()))
}

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
