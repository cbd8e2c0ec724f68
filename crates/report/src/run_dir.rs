//! Run directories: which folders a run may be written to, and how a finished run is replaced.
//!
//! A run that replaces a finished one is played in `FOLDER.new`. When it is finished, the old folder is
//! renamed to `FOLDER.old`, the new one takes its name, and the old one is removed. A swap that was
//! interrupted is completed by the next command that uses the folder.

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Display, Path, PathBuf};
use std::time::SystemTime;

use serde_json::Value;

use parlour_arena::{CHECKPOINT_DIR, Progress, ProgressHeader, save_time};
use parlour_base::error::Error;
use parlour_base::error::Result;
use parlour_base::error::ensure;
use parlour_base::files::{AtomicFile, DirLock, cannot_read, cannot_write, create_dir, read_text};
use parlour_game::external::STDERR;

/// Name of the page of a run.
pub const REPORT_PAGE: &str = "report.html";

/// Name of the page with selected hands.
pub const HANDS_PAGE: &str = "hands.html";

/// Name of the manifest, which only a finished run has.
pub(super) const MANIFEST: &str = "manifest.json";

/// The folder, within a run directory, of the deals that confirm the run.
pub(super) const CONFIRM_DIR: &str = "confirm";

/// All files that a run may write, the manifest last.
pub const RESULT_FILES: [&str; 15] = [
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
    "progress.jsonl",
    HANDS_PAGE,
    REPORT_PAGE,
    MANIFEST,
];

/// Other files that this program may write into a run directory.
const OTHER_FILES: [&str; 6] =
    ["science.csv", "science_summary.csv", CONFIRM_DIR, STDERR, CHECKPOINT_DIR, ".running"];

/// Suffix of a run that will replace a finished one.
const NEW: &str = "new";

/// Suffix of a run that was replaced.
const OLD: &str = "old";

/// Contents of a folder.
enum DirState {
    /// No file that a run would write.
    Empty,
    /// A finished run, described in words.
    Finished(String),
    Unfinished,
    /// A file that a run would overwrite but did not write.
    Foreign(&'static str),
}

impl DirState {
    fn of(folder: &Path) -> DirState {
        let manifest = folder.join(MANIFEST);
        if manifest.exists() {
            let json = read_text(&manifest).ok().and_then(|text| serde_json::from_str(&text).ok());
            return match json {
                Some(json) if is_own_manifest(&json) => DirState::Finished(description(&json)),
                _ => DirState::Foreign(MANIFEST),
            };
        }
        let progress = folder.join(Progress::FILE);
        if progress.exists() {
            return match starts_with(&progress, b"{\"body\":") {
                true => DirState::Unfinished,
                false => DirState::Foreign(Progress::FILE),
            };
        }
        let found = RESULT_FILES.into_iter().find(|name| folder.join(name).exists());
        found.map_or(DirState::Empty, DirState::Foreign)
    }
}

fn is_own_manifest(manifest: &Value) -> bool {
    manifest["program"]["name"] == "parlour" && manifest["files"].is_object()
}

fn starts_with(file: &Path, bytes: &[u8]) -> bool {
    let mut first = Vec::new();
    let read = fs::File::open(file).map(|file| file.take(bytes.len() as u64));
    let line = read.and_then(|part| BufReader::new(part).read_until(b'\n', &mut first));
    // A run that was killed at once has written only a part.
    line.is_ok() && bytes.starts_with(&first)
}

/// Describes the results of a study, if the folder holds one.
pub(super) fn study_description(folder: &Path) -> Option<String> {
    let text = read_text(&folder.join(MANIFEST)).ok()?;
    let manifest: Value = serde_json::from_str(&text).ok()?;
    (is_own_manifest(&manifest) && manifest["protocol"].is_string()).then(|| description(&manifest))
}

/// Describes a finished run: name, size and age.
fn description(manifest: &Value) -> String {
    let name = match (manifest["experiment"]["name"].as_str(), manifest["protocol"].as_str()) {
        (Some(name), _) => format!("a finished run of `{name}`"),
        (None, Some(protocol)) => format!("results of `{protocol}`"),
        (None, None) => "finished results".to_owned(),
    };
    let counts = &manifest["counts"];
    let count = |name: &str| {
        let count = counts[format!("{name}s")].as_u64()?;
        Some(format!(", {count} {name}{}", if count == 1 { "" } else { "s" }))
    };
    let size = count("deal").or_else(|| count("case")).unwrap_or_default();
    let seconds = |field: &str| manifest["timing"][field].as_f64();
    let ended = seconds("finished_unix")
        .or_else(|| Some(seconds("started_unix")? + seconds("seconds").unwrap_or(0.0)));
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let age = ended.map_or(String::new(), |at| format!(", from {}", ago(now.as_secs_f64() - at)));
    format!("{name}{size}{age}")
}

/// Formats an age in its largest unit.
fn ago(seconds: f64) -> String {
    let units = [(86_400.0, "day"), (3600.0, "hour"), (60.0, "minute")];
    match units.into_iter().find(|(unit, _)| seconds >= *unit) {
        None => "less than a minute ago".to_owned(),
        Some((unit, name)) => match (seconds / unit).floor() {
            1.0 => format!("1 {name} ago"),
            count => format!("{count} {name}s ago"),
        },
    }
}

/// The run in a folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunStatus {
    /// No run.
    Absent,
    /// An unfinished run, in the folder or in `FOLDER.new`.
    Unfinished,
    /// A finished run.
    Finished,
}

impl RunStatus {
    /// Returns the status of a folder, which need not exist.
    pub fn of(folder: &Path) -> RunStatus {
        match DirState::of(folder) {
            _ if has_run(&sibling(&resolve_link(folder), NEW)) => RunStatus::Unfinished,
            DirState::Finished(_) => RunStatus::Finished,
            DirState::Unfinished => RunStatus::Unfinished,
            DirState::Empty | DirState::Foreign(_) => RunStatus::Absent,
        }
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
    /// Checks that a run may be written to a folder, without changing anything.
    ///
    /// # Errors
    /// Bad input if the folder holds a run that must stay, or is not a folder.
    pub fn check(self, place: &Path) -> Result<()> {
        let (name, place) = (place.display(), resolve_link(place));
        ensure(place.is_dir() || !place.exists(), || {
            Error::input(format!("{name} is not a folder; choose another with `--out`"))
        })?;
        self.refuse(name, &place, &DirState::of(&place), &sibling(&place, NEW))
    }

    /// Refuses to overwrite what must stay. `new` is the folder of a run that will replace this one.
    fn refuse(self, name: Display<'_>, place: &Path, state: &DirState, new: &Path) -> Result<()> {
        let why = match (self, state) {
            (_, DirState::Foreign(file)) => format!(
                "{name} is not a results folder: this program did not write its {file}; choose another folder with `--out`"
            ),
            (IfExists::Resume, _) => return Ok(()),
            _ if has_run(new) => format!(
                "{} holds an unfinished run that will replace {name}; use `--resume`, remove it, or choose another folder with `--out`",
                new.display()
            ),
            (IfExists::Fail, DirState::Finished(what)) => format!(
                "{name} already contains {what}. Use `--out DIR`, `--replace` to rerun, or `--resume` with more `--deals` to extend it"
            ),
            (IfExists::Fail, DirState::Unfinished) => format!(
                "{name} contains an unfinished run or shard. Use `--resume` to continue it, `--out DIR`, or `--replace` to start again"
            ),
            (IfExists::Replace, DirState::Empty) if !foreign_entries(place).is_empty() => format!(
                "{name} contains no results of this program, so `--replace` does not touch it; choose another folder with `--out`"
            ),
            _ => return Ok(()),
        };
        Err(Error::input(why))
    }
}

/// A locked folder in which a run is played, and its final folder.
#[derive(Debug)]
pub(super) struct RunDir {
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
        let has_new = has_run(&new);
        let state = DirState::of(&place);
        if_exists.refuse(name, &place, &state, &new)?;
        let work = match (if_exists, &state) {
            (IfExists::Resume, _) if has_new => new,
            (IfExists::Resume, DirState::Finished(_)) => {
                let more = run.map_or(Ok(false), |(header, allow_other_build)| {
                    wants_more_deals(&place, header, allow_other_build)
                });
                if more? {
                    copy_progress(&place, &new)?;
                    new
                } else {
                    seconds_of(&place).map_or(Ok(()), |seconds| save_time(&place, seconds))?;
                    place.clone()
                }
            }
            (IfExists::Replace, DirState::Empty) | (IfExists::Resume | IfExists::Fail, _) => {
                place.clone()
            }
            (IfExists::Replace, _) => new,
        };
        create_dir(&work)?;
        let work_lock = if work == place { None } else { Some(DirLock::acquire(&work)?) };
        Ok(RunDir { work, place, work_lock, lock })
    }

    /// Moves the run to its final folder. Foreign files of a replaced folder are kept there.
    ///
    /// # Errors
    /// If a folder cannot be renamed.
    pub fn finish(self) -> Result<()> {
        let RunDir { work, place, work_lock, lock } = self;
        drop(work_lock);
        if work != place {
            let old = sibling(&place, OLD);
            rename(&place, &old)?;
            rename(&work, &place)?;
            remove_old(&old, &place);
        }
        drop(lock);
        Ok(())
    }
}

fn has_run(folder: &Path) -> bool {
    !matches!(DirState::of(folder), DirState::Empty)
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

fn rename(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).map_err(|error| {
        let (from, to) = (from.display(), to.display());
        Error::failed(format!("cannot rename {from} to {to}: {error}"))
    })
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
fn foreign_entries(folder: &Path) -> Vec<OsString> {
    let is_own = |name: &OsString| {
        let known = RESULT_FILES.iter().chain(&OTHER_FILES);
        name.to_str().is_some_and(|name| known.clone().any(|known| *known == name))
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name()).filter(|name| !is_own(name)).collect()
}

/// Removes a replaced run after moving its foreign files to the new one. If one cannot be moved, the
/// old folder stays.
fn remove_old(old: &Path, place: &Path) {
    for name in foreign_entries(old) {
        let to = place.join(&name);
        if !to.exists() {
            _ = fs::rename(old.join(&name), to);
        }
    }
    if foreign_entries(old).is_empty() {
        _ = fs::remove_dir_all(old);
    }
}

/// Returns `true` if a finished run is to be extended.
fn wants_more_deals(
    folder: &Path,
    header: &ProgressHeader,
    allow_other_build: bool,
) -> Result<bool> {
    let path = folder.join(Progress::FILE);
    if !path.exists() {
        return Ok(false);
    }
    let mut old = ProgressHeader::read(&path)?;
    let before = old.digest.clone();
    old.resume_with(header, allow_other_build)
        .map_err(|why| Error::input(format!("cannot resume from {}: {why}", path.display())))?;
    Ok(old.digest != before)
}

/// Copies what an extended run resumes from: finished chunks, confirming deals, and elapsed time.
fn copy_progress(from: &Path, to: &Path) -> Result<()> {
    create_dir(to)?;
    let confirm = Path::new(CONFIRM_DIR).join(Progress::FILE);
    if from.join(&confirm).exists() {
        copy(&from.join(&confirm), &to.join(&confirm))?;
    }
    if let Some(seconds) = seconds_of(from) {
        save_time(to, seconds)?;
    }
    // Last: this file makes the folder a run.
    copy(&from.join(Progress::FILE), &to.join(Progress::FILE))
}

/// Returns the elapsed time of a finished run from its manifest.
fn seconds_of(folder: &Path) -> Option<f64> {
    let text = read_text(&folder.join(MANIFEST)).ok()?;
    let manifest: Value = serde_json::from_str(&text).ok()?;
    manifest["timing"]["seconds"].as_f64()
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    create_dir(to.parent().unwrap_or(Path::new(".")))?;
    let mut file = AtomicFile::create(to)?;
    let read = fs::File::open(from).map_err(|error| cannot_read(from, &error))?;
    std::io::copy(&mut BufReader::new(read), &mut file).map_err(|e| cannot_write(to, &e))?;
    file.finish()
}
