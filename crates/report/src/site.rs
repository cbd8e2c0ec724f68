//! Where a run may be written: a folder that holds something is left as it is, unless the caller
//! says what shall become of it.
//!
//! What is to take the place of a finished run is played beside it, in `FOLDER.unfinished`, and the
//! two folders are exchanged when it is finished. Between the two renamings the old one is called
//! `FOLDER.replaced`; whoever comes next sets right what a kill left in between.

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Display, Path, PathBuf};
use std::time::SystemTime;

use serde_json::Value;

use super::RESULT_FILES;
use crate::arena::{CHECKPOINT_DIR, Progress, ProgressHeader, save_time};
use crate::error::ensure;
use crate::external::STDERR;
use crate::files::{AtomicFile, DirLock, cannot_read, cannot_write, create_dir, read_text};
use crate::{Error, Result};

const MANIFEST: &str = "manifest.json";

/// What else than files of a run this program may have put into a folder of results.
const OTHERS: [&str; 6] =
    ["science.csv", "science_summary.csv", "confirm", STDERR, CHECKPOINT_DIR, ".running"];

/// What is in a folder.
enum Holds {
    /// No file that a run would write.
    Nothing,
    /// A finished run, in words.
    Finished(String),
    /// The beginning of a run.
    Unfinished,
    /// A file of this name that a run would write over, and that no run wrote.
    Foreign(&'static str),
}

impl Holds {
    fn of(folder: &Path) -> Holds {
        let manifest = folder.join(MANIFEST);
        if manifest.exists() {
            let json = read_text(&manifest).ok().and_then(|text| serde_json::from_str(&text).ok());
            return match json {
                Some(json) if is_ours(&json) => Holds::Finished(in_words(&json)),
                _ => Holds::Foreign(MANIFEST),
            };
        }
        let progress = folder.join(Progress::FILE);
        if progress.exists() {
            return match begins_with(&progress, b"{\"body\":") {
                true => Holds::Unfinished,
                false => Holds::Foreign(Progress::FILE),
            };
        }
        let there = RESULT_FILES.into_iter().find(|name| folder.join(name).exists());
        there.map_or(Holds::Nothing, Holds::Foreign)
    }
}

fn is_ours(manifest: &Value) -> bool {
    manifest["program"]["name"] == "parlour" && manifest["files"].is_object()
}

fn begins_with(file: &Path, bytes: &[u8]) -> bool {
    let mut first = Vec::new();
    let read = fs::File::open(file).map(|file| file.take(bytes.len() as u64));
    let line = read.and_then(|part| BufReader::new(part).read_until(b'\n', &mut first));
    // A run that was killed at once has written nothing of it yet.
    line.is_ok() && bytes.starts_with(&first)
}

/// What a folder holds, in words, where that is what a [`Protocol`](super::Protocol) found.
pub(super) fn of_protocol(folder: &Path) -> Option<String> {
    let text = read_text(&folder.join(MANIFEST)).ok()?;
    let manifest: Value = serde_json::from_str(&text).ok()?;
    (is_ours(&manifest) && manifest["protocol"].is_string()).then(|| in_words(&manifest))
}

/// What a manifest is of, how much of it there is, and how old it is.
fn in_words(manifest: &Value) -> String {
    let what = match (manifest["experiment"]["name"].as_str(), manifest["protocol"].as_str()) {
        (Some(name), _) => format!("a finished run of `{name}`"),
        (None, Some(protocol)) => format!("what `{protocol}` found"),
        (None, None) => "finished results".to_owned(),
    };
    let counts = &manifest["counts"];
    let counted = |name: &str| {
        let count = counts[format!("{name}s")].as_u64()?;
        Some(format!(", {count} {name}{}", if count == 1 { "" } else { "s" }))
    };
    let many = counted("deal").or_else(|| counted("case")).unwrap_or_default();
    let seconds = |field: &str| manifest["timing"][field].as_f64();
    let ended = seconds("finished_unix")
        .or_else(|| Some(seconds("started_unix")? + seconds("seconds").unwrap_or(0.0)));
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let when = ended.map_or(String::new(), |at| format!(", from {}", ago(now.as_secs_f64() - at)));
    format!("{what}{many}{when}")
}

/// A time that has passed, in its largest unit.
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

/// Whether a folder can be written to, as far as its runs go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contents {
    /// It holds no run.
    Free,
    /// It holds an unfinished run, or one is on the way to it.
    Begun,
    /// It holds a finished run.
    Finished,
}

impl Contents {
    /// Of a folder, which need not be there.
    pub fn of(folder: &Path) -> Contents {
        match Holds::of(folder) {
            _ if is_begun(&beside(&real(folder), "unfinished")) => Contents::Begun,
            Holds::Finished(_) => Contents::Finished,
            Holds::Unfinished => Contents::Begun,
            Holds::Nothing | Holds::Foreign(_) => Contents::Free,
        }
    }
}

/// What shall become of a run that is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Existing {
    /// It stays, and the new one is refused.
    #[default]
    Keep,
    /// It is gone on with: an unfinished one to its end, a finished one to more deals.
    Resume,
    /// The new one takes its place when it is finished.
    Replace,
}

impl Existing {
    /// Refuses a folder that a run may not be written to, and leaves all as it is: for whoever has
    /// much to do before the folder is taken.
    ///
    /// # Errors
    /// Bad input when it holds what must stay, or is no folder.
    pub fn check(self, place: &Path) -> Result<()> {
        let (name, place) = (place.display(), real(place));
        ensure(place.is_dir() || !place.exists(), || {
            Error::input(format!("{name} is no folder; choose another with `--out`"))
        })?;
        self.refuse(name, &place, &Holds::of(&place), &beside(&place, "unfinished"))
    }

    /// Refuses what must stay: of a folder, under its name, what it holds and the folder beside it.
    fn refuse(self, name: Display<'_>, place: &Path, there: &Holds, beside: &Path) -> Result<()> {
        let why = match (self, there) {
            (_, Holds::Foreign(file)) => format!(
                "{name} is no folder of results: it has a {file} that this program did not write; choose another folder with `--out`"
            ),
            (Existing::Resume, _) => return Ok(()),
            _ if is_begun(beside) => format!(
                "{} holds an unfinished run that is to take the place of {name}: go on with `--resume`, or remove it, or choose another folder with `--out`",
                beside.display()
            ),
            (Existing::Keep, Holds::Finished(what)) => format!(
                "{name} holds {what}. `--out OTHER` writes to another folder, and `--replace` plays anew and puts the new results in its place when they are finished; what `parlour run` made goes on with `--resume` and more `--deals`"
            ),
            (Existing::Keep, Holds::Unfinished) => format!(
                "{name} holds an unfinished run, or a shard of one: go on with `--resume`, or choose another folder with `--out`, or let a new run take its place with `--replace`"
            ),
            (Existing::Replace, Holds::Nothing) if !others(place).is_empty() => format!(
                "{name} holds no results of this program, so `--replace` leaves it as it is; choose another folder with `--out`"
            ),
            _ => return Ok(()),
        };
        Err(Error::input(why))
    }
}

/// The folder in which a run is played, and the one that it is to end in.
#[derive(Debug)]
pub(super) struct Site {
    /// Where it is played.
    pub work: PathBuf,
    /// Where it is to end; the same where nothing has to be kept meanwhile.
    place: PathBuf,
    working: Option<DirLock>,
    held: DirLock,
}

impl Site {
    /// Makes the folder if it is not there, and takes it for this process alone. What is there is
    /// treated as the caller says; `run` is what is to be played, and whether the caller says that
    /// another program played it the same.
    ///
    /// # Errors
    /// Bad input when the folder holds what must stay, or is in use.
    pub fn take(
        place: &Path,
        existing: Existing,
        run: Option<(&ProgressHeader, bool)>,
    ) -> Result<Site> {
        let name = place.display();
        let place = real(place);
        set_right(&place)?;
        create_dir(&place)?;
        let held = DirLock::acquire(&place)?;
        let beside = beside(&place, "unfinished");
        let is_begun = is_begun(&beside);
        let there = Holds::of(&place);
        let into = |work: PathBuf| {
            create_dir(&work)?;
            let working = if work == place { None } else { Some(DirLock::acquire(&work)?) };
            Ok(Site { work, place: place.clone(), working, held })
        };
        existing.refuse(name, &place, &there, &beside)?;
        match existing {
            Existing::Resume if is_begun => into(beside),
            Existing::Resume => match (&there, run) {
                (Holds::Finished(_), Some((header, same_program)))
                    if wants_more(&place, header, same_program)? =>
                {
                    copy_progress(&place, &beside)?;
                    into(beside)
                }
                (Holds::Finished(_), _) => {
                    seconds_of(&place).map_or(Ok(()), |seconds| save_time(&place, seconds))?;
                    into(place.clone())
                }
                _ => into(place.clone()),
            },
            Existing::Keep => into(place.clone()),
            Existing::Replace => match there {
                Holds::Nothing => into(place.clone()),
                _ => into(beside),
            },
        }
    }

    /// Puts what was played where it is to end. What else lay there, and no run wrote, stays there.
    ///
    /// # Errors
    /// When a folder cannot be renamed.
    pub fn finish(self) -> Result<()> {
        let Site { work, place, working, held } = self;
        drop(working);
        if work != place {
            let replaced = beside(&place, "replaced");
            rename(&place, &replaced)?;
            rename(&work, &place)?;
            clear(&replaced, &place);
        }
        drop(held);
        Ok(())
    }
}

/// Whether a folder that is to take the place of another has anything in it.
fn is_begun(beside: &Path) -> bool {
    !matches!(Holds::of(beside), Holds::Nothing)
}

/// The folder that a name leads to, under a name that can be changed.
fn real(place: &Path) -> PathBuf {
    let plain = place.file_name().is_some() && !place.is_symlink();
    let real = || place.canonicalize().ok();
    if plain { None } else { real() }.unwrap_or_else(|| place.to_owned())
}

/// The folder beside another, for what is on its way to it or from it.
fn beside(place: &Path, what: &str) -> PathBuf {
    let mut name = place.file_name().map_or_else(|| OsString::from("results"), OsString::from);
    name.push(format!(".{what}"));
    place.with_file_name(name)
}

fn rename(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).map_err(|error| {
        let (from, to) = (from.display(), to.display());
        Error::failed(format!("cannot rename {from} to {to}: {error}"))
    })
}

/// Ends what a process that was killed left half exchanged.
fn set_right(place: &Path) -> Result<()> {
    let [unfinished, replaced] = ["unfinished", "replaced"].map(|what| beside(place, what));
    if !replaced.exists() {
        return Ok(());
    }
    // Whoever is at work on it has its lock.
    let held = DirLock::acquire(&replaced)?;
    if !place.exists() {
        if !unfinished.join(MANIFEST).exists() {
            drop(held);
            return rename(&replaced, place);
        }
        rename(&unfinished, place)?;
    }
    clear(&replaced, place);
    Ok(())
}

/// The entries of a folder that this program did not put there.
fn others(folder: &Path) -> Vec<OsString> {
    let ours = |name: &OsString| {
        let known = RESULT_FILES.iter().chain(&OTHERS);
        name.to_str().is_some_and(|name| known.clone().any(|known| *known == name))
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name()).filter(|name| !ours(name)).collect()
}

/// Removes a run that another took the place of. What is not the run's goes to the other; where it
/// cannot, the folder stays.
fn clear(replaced: &Path, place: &Path) {
    for name in others(replaced) {
        let to = place.join(&name);
        if !to.exists() {
            _ = fs::rename(replaced.join(&name), to);
        }
    }
    if others(replaced).is_empty() {
        _ = fs::remove_dir_all(replaced);
    }
}

/// Whether a finished run in a folder is to have more deals.
fn wants_more(folder: &Path, header: &ProgressHeader, same_program: bool) -> Result<bool> {
    let path = folder.join(Progress::FILE);
    if !path.exists() {
        return Ok(false);
    }
    let mut was = ProgressHeader::read(&path)?;
    let before = was.digest.clone();
    was.resume_with(header, same_program)
        .map_err(|why| Error::input(format!("cannot resume from {}: {why}", path.display())))?;
    Ok(was.digest != before)
}

/// Copies what more deals go on from: the finished chunks, those of the deals that confirm the run
/// included, and how long it took.
fn copy_progress(from: &Path, to: &Path) -> Result<()> {
    create_dir(to)?;
    let confirm = Path::new(super::confirm::FOLDER).join(Progress::FILE);
    if from.join(&confirm).exists() {
        copy(&from.join(&confirm), &to.join(&confirm))?;
    }
    if let Some(seconds) = seconds_of(from) {
        save_time(to, seconds)?;
    }
    // Last of all: with it there is a run to go on with.
    copy(&from.join(Progress::FILE), &to.join(Progress::FILE))
}

/// How long the finished run in a folder took, as its manifest says.
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
