//! Run directories: which folders a run may be written to, and how a finished run is replaced.
//!
//! A run that replaces a finished one is played in `FOLDER.new`. When it is finished, the old folder is
//! renamed to `FOLDER.old`, the new one takes its name, and the old one is removed. A swap that was
//! interrupted is completed by the next command that uses the folder.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Display, Path, PathBuf};

use serde_json::Value;

use crate::manifest::{self, MANIFEST, OF_SEARCH};
use crate::table::Table;
use parlour_arena::{CHECKPOINT_DIR, LISTS, Progress, ProgressHeader, save_time};
use parlour_base::Program;
use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::{
    DirLock, cannot_read, copy_atomic, create_dir, is_special, keep_private, remove_dir, rename,
    write_atomic,
};
use parlour_game::external::STDERR;

/// Name of the page of a run.
pub const REPORT_PAGE: &str = "report.html";

/// Name of the page with selected hands.
pub const HANDS_PAGE: &str = "hands.html";

/// The folder, within a run directory, of the deals that confirm the run.
pub(super) const CONFIRM_DIR: &str = "confirm";

/// All files that a run may write, the manifest last.
pub(super) const RESULT_FILES: [&str; 20] = [
    "answer.csv",
    "ladder.csv",
    "matchups.csv",
    "strategies.csv",
    "variants.csv",
    "differences.csv",
    "populations.csv",
    "confirmed.csv",
    "confirm/progress.jsonl",
    "hands.csv",
    "records.jsonl",
    "hands.parquet",
    "records.parquet",
    "progress.jsonl",
    OF_SEARCH[0],
    OF_SEARCH[1],
    "map.html",
    HANDS_PAGE,
    REPORT_PAGE,
    MANIFEST,
];

/// Other files that this program may write into a run directory.
const OTHER_FILES: [&str; 6] =
    ["science.csv", "science_summary.csv", CONFIRM_DIR, STDERR, CHECKPOINT_DIR, DirLock::FILE];

/// The file, in the checkpoint directory, that marks the unfinished work of a command without
/// `--resume`, such as a merge: the next such command starts over.
const STARTS_OVER: &str = "starts-over";

/// Suffix of a run that will replace a finished one.
const NEW: &str = "new";

/// Suffix of a run that was replaced.
const OLD: &str = "old";

/// The run in a folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunStatus {
    /// No file that a run would write.
    Absent,
    /// An unfinished run.
    Unfinished,
    /// A finished run.
    Finished,
    /// A file that a run would overwrite but did not write.
    Foreign(&'static str),
}

impl RunStatus {
    /// Returns the status of a folder, which need not exist. A run in `FOLDER.new` counts.
    pub fn of(folder: &Path) -> RunStatus {
        match has_run(&sibling(&resolve_link(folder), NEW)) {
            true => RunStatus::Unfinished,
            false => RunStatus::within(folder),
        }
    }

    /// Returns the status of a folder by its own files.
    fn within(folder: &Path) -> RunStatus {
        if let Some(name) = special_file(folder) {
            return RunStatus::Foreign(name);
        }
        if folder.join(MANIFEST).exists() {
            let manifest = manifest::read(folder);
            return manifest.map_or(RunStatus::Foreign(MANIFEST), |_| RunStatus::Finished);
        }
        if let Ok(progress) = File::open(folder.join(Progress::FILE)) {
            let (start, mut found) = (b"{\"body\":", Vec::new());
            let read = progress.take(start.len() as u64).read_to_end(&mut found);
            // A run that was killed at once has written only a part.
            return match read.is_ok() && start.starts_with(&found) {
                true => RunStatus::Unfinished,
                false => RunStatus::Foreign(Progress::FILE),
            };
        }
        let found = RESULT_FILES.into_iter().find(|name| folder.join(name).exists());
        found.map_or(RunStatus::Absent, RunStatus::Foreign)
    }
}

/// Action if a folder already holds a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum IfExists {
    /// Refuse to run.
    #[default]
    Fail,
    /// Resume an unfinished run, or extend a finished one to more deals.
    Resume,
    /// Replace the run when the new one is finished.
    Replace,
}

impl IfExists {
    /// Returns the action of `--resume`, of `--replace`, or of neither.
    pub fn from_options(resume: bool, replace: bool) -> IfExists {
        match (resume, replace) {
            (true, _) => IfExists::Resume,
            (_, true) => IfExists::Replace,
            _ => IfExists::Fail,
        }
    }

    /// Checks that a merge may be written to a folder, without changing anything.
    ///
    /// # Errors
    /// Bad input if the folder holds a run that must stay, or is not a folder.
    pub fn check(self, place: &Path) -> Result<()> {
        let (name, place) = (place.display(), resolve_link(place));
        ensure(place.is_dir() || !place.exists(), || {
            Error::input(format!("{name} is not a folder; choose another with `--out`"))
        })?;
        let new = sibling(&place, NEW);
        let status =
            if starts_over(&place) { RunStatus::Absent } else { RunStatus::within(&place) };
        self.refuse(name, &place, status, has_run(&new) && !can_be_redone(&new), false)
    }

    /// Refuses to overwrite what must stay. `has_new` is `true` if an unfinished run will replace this
    /// one. Only some commands have `--resume`.
    fn refuse(
        self,
        name: Display<'_>,
        place: &Path,
        status: RunStatus,
        has_new: bool,
        can_resume: bool,
    ) -> Result<()> {
        let resume = |way: &'static str| if can_resume { way } else { "" };
        let why = match (self, status) {
            (_, RunStatus::Foreign(file)) => format!(
                "{name} is not a results folder: this program did not write its {file}; choose another folder with `--out`"
            ),
            (IfExists::Resume, _) => return Ok(()),
            _ if has_new => format!(
                "{} holds an unfinished run that will replace {name}; {}remove it, or choose another folder with `--out`",
                sibling(place, NEW).display(),
                resume("use `--resume`, ")
            ),
            (IfExists::Fail, RunStatus::Finished) => format!(
                "{name} already contains {}. Use `--out DIR`, or `--replace` to rerun{}",
                manifest::read(place).map_or(String::new(), |found| manifest::description(&found)),
                resume("; `--resume` with more `--deals` extends it")
            ),
            (IfExists::Fail, RunStatus::Unfinished) => format!(
                "{name} contains an unfinished run or shard. Use {}`--out DIR`, or `--replace` to start again",
                resume("`--resume` to continue it, ")
            ),
            (IfExists::Replace, RunStatus::Absent) if !foreign_entries(place)?.is_empty() => {
                format!(
                    "{name} contains no results of this program, so `--replace` does not touch it; choose another folder with `--out`"
                )
            }
            _ => return Ok(()),
        };
        Err(Error::input(why))
    }
}

/// A locked folder in which a run or a study is played, and its final folder.
#[derive(Debug)]
pub struct RunDir {
    /// The folder in which the run is played.
    pub work: PathBuf,
    /// The final folder; the same unless a finished run is kept meanwhile.
    place: PathBuf,
    work_lock: Option<DirLock>,
    lock: DirLock,
}

impl RunDir {
    /// Creates and locks a folder for a run. `run` is the header of the run, and `true` to accept
    /// another build of the program.
    ///
    /// # Errors
    /// Bad input if the folder holds a run that must stay, or is in use.
    pub fn open(
        place: &Path,
        if_exists: IfExists,
        run: Option<(&ProgressHeader, bool)>,
    ) -> Result<RunDir> {
        let name = place.display();
        let place = resolve_link(place);
        recover_swap(&place)?;
        create_dir(&place)?;
        let lock = DirLock::acquire(&place)?;
        let new = sibling(&place, NEW);
        if run.is_none() && can_be_redone(&new) {
            remove_dir(&new);
        }
        if run.is_none() && starts_over(&place) {
            for own in RESULT_FILES.into_iter().chain([CONFIRM_DIR, STDERR, CHECKPOINT_DIR]) {
                let own = place.join(own);
                _ = fs::remove_file(&own).or_else(|_| fs::remove_dir_all(&own));
            }
        }
        let has_new = has_run(&new);
        let status = RunStatus::within(&place);
        if_exists.refuse(name, &place, status, has_new, run.is_some())?;
        let is_finished = status == RunStatus::Finished;
        let is_extended = if_exists == IfExists::Resume
            && !has_new
            && is_finished
            && wants_more_deals(&place, run)?;
        let work = match if_exists {
            IfExists::Resume if has_new || is_extended => new,
            IfExists::Replace if status != RunStatus::Absent => new,
            _ => place.clone(),
        };
        if work != place {
            ensure(!is_mount_point(&place), || {
                let name = place.display();
                Error::input(format!(
                    "{name} is a mount point, which cannot be replaced as a whole; choose a folder in it with `--out`"
                ))
            })?;
            create_dir(&work)?;
            // As private as the old folder, where folders have modes.
            _ = fs::metadata(&place).and_then(|old| fs::set_permissions(&work, old.permissions()));
        } else if is_finished {
            let is_list = |name: &str| LISTS.iter().any(|list| name.starts_with(list));
            manifest::check_files(&place, is_list)?;
            keep_time(&place, &place)?;
        }
        if is_extended {
            copy_progress(&place, &work)?;
        }
        let work_lock = if work == place { None } else { Some(DirLock::acquire(&work)?) };
        if run.is_none() {
            create_dir(&work.join(CHECKPOINT_DIR))?;
            write_atomic(&work.join(CHECKPOINT_DIR).join(STARTS_OVER), "")?;
        }
        Ok(RunDir { work, place, work_lock, lock })
    }

    /// Writes and finishes the results of a study, which are not those of a run: tables, page and
    /// manifest. `contents` and `timing` are objects of the manifest. Everything but timing, and times
    /// in tables, must be a function of `contents` and the program.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write_study(
        self,
        program: Program,
        contents: Value,
        tables: &[Table],
        page: String,
        timing: Value,
    ) -> Result<()> {
        tables.iter().try_for_each(|table| table.write(&self.work))?;
        write_atomic(&self.work.join(REPORT_PAGE), page)?;
        let files = tables.iter().map(Table::file).chain([REPORT_PAGE.to_owned()]);
        manifest::write(&self.work, program, contents, files, timing)?;
        remove_dir(&self.work.join(CHECKPOINT_DIR));
        self.finish()
    }

    /// Moves the run to its final folder. Foreign files of a replaced folder are kept there.
    ///
    /// # Errors
    /// If a folder cannot be renamed.
    pub fn finish(self) -> Result<()> {
        let RunDir { work, place, work_lock, lock: _lock } = self;
        drop(work_lock);
        if work != place {
            for name in RESULT_FILES.iter().chain(&OTHER_FILES) {
                let new = File::open(work.join(name));
                _ = new.map(|new| keep_private(&new, &place.join(name)));
            }
            let old = sibling(&place, OLD);
            rename(&place, &old)?;
            rename(&work, &place)?;
            remove_old(&old, &place);
        }
        Ok(())
    }
}

/// Returns `true` if a folder holds the unfinished work of a command without `--resume`.
fn starts_over(folder: &Path) -> bool {
    folder.join(CHECKPOINT_DIR).join(STARTS_OVER).exists() && !folder.join(MANIFEST).exists()
}

/// Returns `true` if a folder that was to replace another holds nothing to keep: unfinished work of a
/// command without `--resume`, or finished results that such a command makes again.
fn can_be_redone(new: &Path) -> bool {
    starts_over(new) || new.join(MANIFEST).exists()
}

/// Returns the name of a result file that is a device or a FIFO, which could be read for ever.
pub(super) fn special_file(folder: &Path) -> Option<&'static str> {
    RESULT_FILES.into_iter().find(|name| is_special(&folder.join(name)))
}

/// Returns `true` if a file system, or a part of one, is mounted at a folder. Linux lists its mounts;
/// blanks in their names are written as `\040`.
fn is_mount_point(folder: &Path) -> bool {
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    let real = folder.canonicalize().unwrap_or_default();
    let name = real.to_string_lossy().replace(' ', "\\040");
    mounts.lines().any(|line| line.split(' ').nth(4) == Some(&name))
}

fn has_run(folder: &Path) -> bool {
    RunStatus::within(folder) != RunStatus::Absent
}

/// Returns the folder under a name that can be renamed: a link is resolved.
fn resolve_link(place: &Path) -> PathBuf {
    let is_plain = place.file_name().is_some() && !place.is_symlink();
    let real = || place.canonicalize().ok();
    if is_plain { None } else { real() }.unwrap_or_else(|| place.to_owned())
}

/// Returns `FOLDER.suffix`.
fn sibling(place: &Path, suffix: &str) -> PathBuf {
    let mut name = place.file_name().map_or_else(|| OsString::from("results"), OsString::from);
    name.push(format!(".{suffix}"));
    place.with_file_name(name)
}

/// Completes a swap of folders that was interrupted.
fn recover_swap(place: &Path) -> Result<()> {
    let [new, old] = [NEW, OLD].map(|suffix| sibling(place, suffix));
    if !old.exists() {
        return Ok(());
    }
    // A process that still works on the swap has this lock.
    let lock = DirLock::acquire(&old)?;
    if !place.exists() {
        if !new.join(MANIFEST).exists() {
            drop(lock);
            return rename(&old, place);
        }
        rename(&new, place)?;
    }
    remove_old(&old, place);
    Ok(())
}

/// Returns the entries of a folder that this program did not write.
fn foreign_entries(folder: &Path) -> Result<Vec<OsString>> {
    let names = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.file_name())).collect::<io::Result<_>>());
    let mut names: Vec<OsString> = names.map_err(|error| cannot_read(folder, &error))?;
    names.retain(|name| RESULT_FILES.iter().chain(&OTHER_FILES).all(|own| name != own));
    Ok(names)
}

/// Removes a replaced run after moving its foreign files to the new one. If one cannot be moved, the
/// old folder stays.
fn remove_old(old: &Path, place: &Path) {
    for name in foreign_entries(old).into_iter().flatten() {
        let to = place.join(&name);
        if !to.exists() {
            _ = fs::rename(old.join(&name), to);
        }
    }
    if foreign_entries(old).is_ok_and(|names| names.is_empty()) {
        _ = fs::remove_dir_all(old);
    }
}

/// Returns `true` if a run extends the finished one in a folder.
fn wants_more_deals(folder: &Path, run: Option<(&ProgressHeader, bool)>) -> Result<bool> {
    let path = folder.join(Progress::FILE);
    let Some((header, allow_other_build)) = run.filter(|_| path.exists()) else {
        return Ok(false);
    };
    let mut old = ProgressHeader::read(&path)?;
    let before = old.digest.clone();
    old.resume_with(header, allow_other_build)
        .map_err(|why| Error::input(format!("cannot resume from {}: {why}", path.display())))?;
    Ok(old.digest != before)
}

/// Copies what an extended run resumes from: finished chunks, confirming deals, and elapsed time.
fn copy_progress(from: &Path, to: &Path) -> Result<()> {
    let confirm = Path::new(CONFIRM_DIR).join(Progress::FILE);
    create_dir(to)?;
    if from.join(&confirm).exists() {
        create_dir(&to.join(CONFIRM_DIR))?;
        copy_atomic(&from.join(&confirm), &to.join(&confirm))?;
    }
    keep_time(from, to)?;
    // Last: this file makes the folder a run.
    copy_atomic(&from.join(Progress::FILE), &to.join(Progress::FILE))
}

/// Copies the elapsed time of a finished run from its manifest.
fn keep_time(from: &Path, to: &Path) -> Result<()> {
    let seconds = manifest::read(from).and_then(|json| json["timing"]["seconds"].as_f64());
    seconds.map_or(Ok(()), |seconds| save_time(to, seconds))
}
