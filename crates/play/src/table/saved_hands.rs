//! Files of a table's hands: the records of finished hands, and the unfinished hand.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::participant::Participant;
use super::table::{HandPlace, Table};
use parlour_base::error::{Error, Result, collect_results, ensure};
use parlour_base::files::{
    AtomicFile, cannot_read, cannot_write, compact, is_same_file, parse_json, sync_folder,
    write_locked,
};
use parlour_game::Seat;
use parlour_game::strategy::Strategic;
use parlour_game::variant::{Head, Variant};

/// The version of the file format of unfinished hands.
const FORMAT: u32 = 2;

/// The maximum size of a record, in bytes.
const MAX_RECORD: u64 = 16 << 20;

/// An unfinished hand; the same program can deal it again.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnfinishedHand<R> {
    /// The version of this file format: 2.
    pub unfinished: u32,
    /// The game's name.
    pub game: String,
    /// The variant's name.
    pub variant: String,
    /// Its rules in full, without the secret of a person.
    pub rules: R,
    /// The seed of the hand.
    pub seed: u64,
    /// The place of the hand in its match.
    pub place: HandPlace,
    /// The secret of the person who dealt; `by hand` if that person judges.
    pub secret: Option<String>,
    /// The participants by their seats in the first hand of the match: `person`, or a strategy's name or
    /// path.
    pub seats: Vec<String>,
    /// The moves, in order; null before the deal.
    pub moves: Option<Vec<String>>,
    /// The number of times that moves were taken back.
    pub taken_back: u32,
    /// The seats that got advice.
    pub advised: Vec<Seat>,
}

impl<G: Strategic> Table<G> {
    /// Returns the content of the file of the unfinished hand: between the hands of a match, the next one;
    /// `None` once the match is over.
    pub fn unfinished(&self) -> Option<String> {
        let is_over = !self.asks_dealer && (self.is_finished() && !self.asks_rule());
        if !is_over && !self.notes.resigned {
            return Some(self.saved(&self.place));
        }
        let next = self.next_place();
        let goes_on = next.hand > 0 || self.notes.resigned && self.base.hands_per_match() > 1;
        goes_on.then(|| self.saved(&next))
    }

    /// Returns the saved form of the current hand, or of another one before its deal.
    pub(super) fn saved(&self, place: &HandPlace) -> String {
        let is_dealt = !self.asks_dealer && *place == self.place;
        let moves = self.hand.moves().iter().map(|(_, mv)| self.game.notation(*mv));
        let mut seats: Vec<String> =
            self.participants.iter().map(|who| who.reference.clone()).collect();
        seats.rotate_left(self.place.hand as usize % self.participants.len());
        compact(&UnfinishedHand {
            unfinished: FORMAT,
            game: G::NAME.to_owned(),
            variant: self.variant.clone(),
            rules: self.base.rules(),
            seed: place.seed,
            place: place.clone(),
            secret: self.secret.clone().filter(|_| is_dealt),
            seats,
            moves: is_dealt.then(|| moves.collect()),
            taken_back: if is_dealt { self.notes.taken_back } else { 0 },
            advised: if is_dealt { self.notes.advised.clone() } else { Vec::new() },
        })
    }

    /// Reads a table with an unfinished hand.
    ///
    /// # Errors
    /// The fault of the file, with its place.
    pub fn resume(file: &str, text: &str) -> Result<Table<G>> {
        let read = || {
            // The rules of another game cannot be read, so this error comes first.
            if let Ok(Head { game }) = parse_json::<Head>(file, text) {
                ensure(game == G::NAME, || {
                    let what = format!("this is a hand of `{game}`, not of `{}`", G::NAME);
                    Error::input(what).in_field("game")
                })?;
            }
            let saved: UnfinishedHand<G::Rules> = parse_json(file, text)?;
            ensure(saved.unfinished == FORMAT, || {
                let format = saved.unfinished;
                Error::input(format!(
                    "format {format} is not supported; this program reads format {FORMAT}"
                ))
                .in_field("unfinished")
            })?;
            let named = G::preset(&saved.variant);
            ensure(named.is_none_or(|rules| rules == saved.rules), || {
                let what = format!("these are not the rules of `{}`", saved.variant);
                Error::input(what).in_field("rules")
            })?;
            let game = G::new(&saved.rules).map_err(|error| error.in_field("rules"))?;
            let seats = saved.seats.iter().map(|name| Participant::load(name));
            let participants = collect_results(seats).map_err(|error| error.in_field("seats"))?;
            let place = HandPlace { seed: saved.seed, ..saved.place };
            let hands = game.hands_per_match();
            ensure(place.hand < hands && place.totals.len() == game.seats(), || {
                Error::input(format!(
                    "a match has hands 0 to {} and a total for each seat",
                    hands - 1
                ))
                .in_field("place")
            })?;
            let variant = Variant { name: saved.variant, game };
            let mut table = Table::new(variant, participants, saved.seed)?;
            table.start_at(place);
            if let Some(moves) = saved.moves {
                table.restore(saved.secret, &moves)?;
            }
            table.notes.taken_back = saved.taken_back;
            table.notes.advised = saved.advised;
            Ok(table)
        };
        read().map_err(|error: Error| match error.faults() {
            [fault] if fault.place.file.is_some() => error,
            _ => error.in_file(file),
        })
    }
}

/// The name of the file of the unfinished hand, while it is up to date.
pub type SavedHand = Arc<Mutex<Option<PathBuf>>>;

/// The files in which a table saves its hands. Each table has an unfinished hand of its own, which it
/// locks; several tables may append to one file of records.
pub struct HandFiles {
    /// The file of the records.
    pub records: PathBuf,
    /// The file of the unfinished hand, locked, once there is one.
    unfinished: Option<(PathBuf, File)>,
    /// The content of that file.
    written: Option<String>,
    /// The number of the last hand whose record was written.
    recorded: Option<u64>,
    /// The name of the file of the unfinished hand, which follows later changes.
    pub saved: SavedHand,
}

impl HandFiles {
    /// Checks the file of records, and locks the unfinished hand to `resume`.
    ///
    /// # Errors
    /// If records cannot be appended to the file, or another table uses the unfinished hand.
    pub fn open(records: &Path, resume: Option<&Path>) -> Result<HandFiles> {
        check_records(records)?;
        let unfinished = resume.map(lock_unfinished).transpose()?;
        Ok(HandFiles {
            records: records.to_owned(),
            unfinished,
            // Unknown, but not that of a hand that is over.
            written: resume.map(|_| String::new()),
            recorded: None,
            saved: SavedHand::default(),
        })
    }

    /// Saves the unfinished hand, and appends the record of a finished one. The end of a hand is saved
    /// before its record, so that a killed program loses no record and writes none twice. The table tells or
    /// withdraws a failure.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub(super) fn save<G: Strategic>(&mut self, table: &mut Table<G>) -> Result<()> {
        let result = self.write_all(table);
        let error = result.as_ref().err();
        let unsaved = error.map(|error| format!("the hand is not saved: {error}"));
        if table.unsaved != unsaved {
            table.unsaved = unsaved;
            table.version += 1;
        }
        let place = self.unfinished.as_ref().filter(|_| result.is_ok());
        *self.saved.lock().unwrap_or_else(PoisonError::into_inner) =
            place.map(|(place, _)| place.clone());
        result
    }

    fn write_all<G: Strategic>(&mut self, table: &Table<G>) -> Result<()> {
        let place = &table.place;
        if let Some(line) = table.record().filter(|_| self.recorded != Some(place.number)) {
            self.write(Some(table.saved(place)))?;
            self.append(&line).map_err(|error| cannot_write(&self.records, &error))?;
            self.recorded = Some(place.number);
        }
        self.write(table.unfinished())
    }

    /// Writes the file of the unfinished hand, or removes it.
    pub(super) fn write(&mut self, text: Option<String>) -> Result<()> {
        if text == self.written {
            return Ok(());
        }
        match (&text, &mut self.unfinished) {
            (Some(text), Some((place, lock))) => *lock = write_locked(place, format!("{text}\n"))?,
            (Some(text), none) => {
                let place = claim(&self.records)?;
                let lock = write_locked(&place, format!("{text}\n"));
                *none = Some((place.clone(), lock.inspect_err(|_| _ = fs::remove_file(&place))?));
            }
            // The hand is over. If the file is already gone, nothing is lost.
            (None, some) => _ = some.take().map(|(place, _)| fs::remove_file(place)),
        }
        self.written = text;
        Ok(())
    }

    /// Appends a line to the records, or nothing.
    fn append(&self, line: &str) -> io::Result<()> {
        let mut file = File::options().read(true).append(true).create(true).open(&self.records)?;
        // Other tables lock the file only for a moment.
        let is_locked = |_: &u32| matches!(file.try_lock(), Err(TryLockError::WouldBlock));
        (0..100).take_while(is_locked).for_each(|_| thread::sleep(Duration::from_millis(10)));
        // A killed program may have appended the line.
        if BufReader::new(&file).lines().any(|old| old.is_ok_and(|old| old == line)) {
            return Ok(());
        }
        let end = file.metadata()?.len();
        let mut last = [b'\n'];
        if end > 0 {
            file.seek(SeekFrom::Start(end - 1))?;
            file.read_exact(&mut last)?;
        }
        let separator = if last == [b'\n'] { "" } else { "\n" };
        let written = file.write_all(format!("{separator}{line}\n").as_bytes());
        written.and_then(|()| file.sync_all()).inspect_err(|_| _ = file.set_len(end))?;
        sync_folder(&self.records);
        Ok(())
    }
}

/// Checks that records can be appended to a file.
fn check_records(place: &Path) -> Result<()> {
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
    let why = match folder.filter(|folder| !folder.is_dir()) {
        Some(folder) => format!("there is no folder {}", folder.display()),
        None if !place.exists() => return AtomicFile::create(place).map(drop),
        None if place.is_dir() => "it is a folder".to_owned(),
        None if !place.is_file() => "it is not a regular file".to_owned(),
        None => {
            let file = File::options().read(true).append(true).open(place);
            let file = file.map_err(|error| cannot_write(place, &error))?;
            let mut first = Vec::new();
            _ = BufReader::new(file.take(MAX_RECORD)).read_until(b'\n', &mut first);
            let value = serde_json::from_slice::<serde_json::Value>(&first);
            if first.is_empty() || value.is_ok_and(|value| value.get("format").is_some()) {
                return Ok(());
            }
            "it has other contents than records of hands".to_owned()
        }
    };
    let place = place.display();
    Err(Error::input(format!("cannot save to {place}: {why}; name another file with `--save`")))
}

/// Creates an unused file for the unfinished hand, next to the records.
fn claim(records: &Path) -> Result<PathBuf> {
    let stem = records.file_stem().unwrap_or_default().to_string_lossy();
    let named = |number: u32| {
        let number = if number > 1 { format!("-{number}") } else { String::new() };
        records.with_file_name(format!("{stem}.unfinished{number}.json"))
    };
    for place in (1..10_000).map(named) {
        match File::create_new(&place) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            created => return created.map(|_| place.clone()).map_err(|e| cannot_write(&place, &e)),
        }
    }
    Err(Error::failed("there are too many unfinished hands in this folder"))
}

/// Locks the file of an unfinished hand.
fn lock_unfinished(place: &Path) -> Result<(PathBuf, File)> {
    // The file is replaced later, and a link to it is not.
    let target = if place.is_symlink() { place.canonicalize() } else { Ok(place.to_owned()) };
    let place = target.map_err(|error| cannot_read(place, &error))?;
    loop {
        let found = fs::metadata(&place).map_err(|error| cannot_read(&place, &error))?;
        ensure(found.is_file(), || cannot_read(&place, &"it is not a regular file"))?;
        let file = File::open(&place).map_err(|error| cannot_read(&place, &error))?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            let place = place.display();
            return Err(Error::input(format!(
                "another table plays the hand in {place}; leave that table first"
            )));
        }
        // Another table may have replaced the file before it was locked.
        if fs::metadata(&place).is_ok_and(|now| is_same_file(&now, &found)) {
            return Ok((place, file));
        }
    }
}
