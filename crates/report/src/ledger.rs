//! Every hand of a run, as rows of `hands.csv` and lines of `records.jsonl`.
//!
//! Each chunk writes a page of its own beside the results, piece by piece; when all are there they
//! are put together in order. A page is whole before its chunk counts as finished.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use super::rows::Hand;
use super::table::{CsvFile, Table};
use crate::arena::{CHECKPOINT_DIR, HandLog, HandLogPart, PlanInfo, PlayedHand, ProgressHeader};
use crate::files::{AtomicFile, cannot_read, cannot_write, create_dir, remove_dir};
use crate::{Error, Result, Seat};

/// The two books of a run, or neither.
pub struct Ledgers<'p> {
    plan: &'p PlanInfo,
    pages: PathBuf,
    hands: bool,
    records: bool,
}

impl<'p> Ledgers<'p> {
    /// The books of a run in a result folder, which is there.
    ///
    /// # Errors
    /// When the folder of pages cannot be made.
    pub fn new(plan: &'p PlanInfo, folder: &Path, header: &ProgressHeader) -> Result<Self> {
        let &ProgressHeader { hands, records, .. } = header;
        let pages = folder.join(CHECKPOINT_DIR);
        if hands || records {
            create_dir(&pages)?;
        }
        Ok(Ledgers { plan, pages, hands, records })
    }

    /// Itself where a book is kept: without one, no hand is shown to it.
    pub fn kept(&self) -> Option<&dyn HandLog> {
        (self.hands || self.records).then_some(self)
    }

    /// The most seats at any table: so many columns a seat's name, score and value have.
    fn seats(&self) -> usize {
        self.plan.tables.iter().map(|t| t.line_up.len()).max().unwrap_or(0)
    }

    /// The books that are kept: the page's stem, the finished file, and its first line.
    fn books(&self) -> impl Iterator<Item = (&'static str, &'static str, String)> {
        let hands = Table::empty::<Hand<'_>>("hands", self.seats());
        let header = hands.heads().collect::<Vec<_>>().join(",") + "\n";
        let hands = self.hands.then_some(("hands", "hands.csv", header));
        let records = self.records.then_some(("records", "records.jsonl", String::new()));
        hands.into_iter().chain(records)
    }

    /// Puts the pages together; `folders` holds, in the order of the deals, the chunks, each with the
    /// result folder that has its page; a chunk whose deals are in several has several. A book that is
    /// whole already, its pages gone, stays.
    ///
    /// # Errors
    /// When a page is missing, or a book cannot be written.
    pub fn bind(&self, folder: &Path, folders: &[(u64, &Path)]) -> Result<()> {
        for (stem, name, first) in self.books() {
            let place = folder.join(name);
            if place.exists() && !self.pages.join(page(stem, 0)).exists() {
                continue;
            }
            let mut book = AtomicFile::create(&place)?;
            book.write_all(first.as_bytes()).map_err(|e| cannot_write(&place, &e))?;
            for &(chunk, folder) in folders {
                let path = folder.join(CHECKPOINT_DIR).join(page(stem, chunk));
                copy(&path, &mut book, &place)?;
            }
            book.finish()?;
        }
        Ok(())
    }

    /// Removes the pages, which are in the books now.
    pub fn tidy(&self) {
        // All of them or none: half of the pages could not be put together again.
        remove_dir(&self.pages);
    }
}

/// Whether a folder still has the pages of a chunk: a finished run has bound them.
pub(super) fn has_pages(folder: &Path, header: &ProgressHeader, chunk: u64) -> bool {
    let there = |stem: &str| folder.join(CHECKPOINT_DIR).join(page(stem, chunk)).exists();
    (!header.hands || there("hands")) && (!header.records || there("records"))
}

fn page(stem: &str, chunk: u64) -> String {
    format!("{stem}-{chunk:06}")
}

fn piece(stem: &str, chunk: u64, number: u64) -> String {
    format!("{}.{number}", page(stem, chunk))
}

/// Puts the records of the hands that a run in this folder has played so far into a file, in the order
/// of their chunks; returns how many there are.
///
/// # Errors
/// When the file cannot be written.
pub(super) fn records_so_far(folder: &Path, place: &Path) -> Result<u64> {
    // By chunk and piece; a page that is whole stands before its pieces, and in their place.
    let mut pages: BTreeMap<(u64, Option<u64>), PathBuf> = BTreeMap::new();
    for entry in std::fs::read_dir(folder.join(CHECKPOINT_DIR)).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(numbers) = name.strip_prefix("records-") else { continue };
        let (chunk, piece) = numbers.split_once('.').map_or((numbers, None), |(c, p)| (c, Some(p)));
        if let (Ok(chunk), Ok(piece)) = (chunk.parse(), piece.map(str::parse).transpose()) {
            pages.insert((chunk, piece), entry.path());
        }
    }
    let whole: BTreeSet<u64> =
        pages.keys().filter(|(_, piece)| piece.is_none()).map(|(chunk, _)| *chunk).collect();
    pages.retain(|(chunk, piece), _| piece.is_none() || !whole.contains(chunk));
    let mut file = AtomicFile::create(place)?;
    let mut hands = 0;
    for path in pages.values() {
        let lines = BufReader::new(File::open(path).map_err(|e| cannot_read(path, &e))?).lines();
        for line in lines {
            let line = line.map_err(|error| cannot_read(path, &error))?;
            writeln!(file, "{line}").map_err(|error| cannot_write(place, &error))?;
            hands += 1;
        }
    }
    file.finish()?;
    Ok(hands)
}

/// A page of a piece of a chunk in each book.
struct HandPage {
    seats: usize,
    hands: Option<CsvFile>,
    records: Option<AtomicFile>,
}

impl HandLog for Ledgers<'_> {
    fn open_part(&self, chunk: u64, number: u64) -> Result<Box<dyn HandLogPart + '_>> {
        let place = |stem: &str| self.pages.join(piece(stem, chunk, number));
        Ok(Box::new(HandPage {
            seats: self.seats(),
            hands: self.hands.then(|| CsvFile::create(&place("hands"))).transpose()?,
            records: self.records.then(|| AtomicFile::create(&place("records"))).transpose()?,
        }))
    }

    fn concatenate(&self, chunk: u64, pieces: u64) -> Result<()> {
        for (stem, ..) in self.books() {
            let place = self.pages.join(page(stem, chunk));
            let pieces: Vec<PathBuf> =
                (0..pieces).map(|number| self.pages.join(piece(stem, chunk, number))).collect();
            if let [only] = &pieces[..] {
                std::fs::rename(only, &place).map_err(|error| cannot_write(&place, &error))?;
                continue;
            }
            let mut book = AtomicFile::create(&place)?;
            pieces.iter().try_for_each(|piece| copy(piece, &mut book, &place))?;
            // The pieces stay: until the chunk is entered as finished, they are what is saved of it.
            book.finish()?;
        }
        Ok(())
    }
}

/// Adds a file to a book.
fn copy(from: &Path, book: &mut AtomicFile, place: &Path) -> Result<()> {
    let mut page = File::open(from).map_err(|error| cannot_read(from, &error))?;
    io::copy(&mut page, book).map_err(|error| cannot_write(place, &error))?;
    Ok(())
}

/// So many entries, the last of them none.
fn wide<T: Clone>(list: impl IntoIterator<Item = T>, seats: usize) -> Vec<Option<T>> {
    list.into_iter().map(Some).chain(std::iter::repeat(None)).take(seats).collect()
}

impl HandLogPart for HandPage {
    fn with_records(&self) -> bool {
        self.records.is_some()
    }

    fn add(&mut self, hand: &PlayedHand) -> Result<()> {
        let PlayedHand { label, values, scores, .. } = hand;
        if let Some(file) = &mut self.hands {
            file.row(Hand {
                variant: &label.variant,
                deal: label.deal,
                hand: label.hand,
                rotation: label.rotation,
                seat: wide(label.seats.iter().map(String::as_str), self.seats),
                score: wide(scores.0.iter().copied(), self.seats),
                value: wide(values.iter().copied(), self.seats),
                winner: scores.winner().map(Seat::index),
                turns: hand.turns,
                ended: hand.ended,
                seed: label.seed,
            })?;
        }
        if let (Some(file), Some(record)) = (&mut self.records, &hand.record) {
            let failed = |e| Error::failed(format!("cannot write records: {e}"));
            writeln!(file, "{record}").map_err(failed)?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.hands.map_or(Ok(()), CsvFile::finish)?;
        self.records.map_or(Ok(()), AtomicFile::finish)
    }
}
