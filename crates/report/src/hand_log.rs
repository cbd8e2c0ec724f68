//! The log of every hand: rows of `hands.csv` and lines of `records.jsonl`.
//!
//! Each chunk writes parts of a file next to the results; the parts of finished chunks are joined in
//! order at the end. The file of a chunk is complete before its chunk counts as finished.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use crate::rows::HandRow;
use crate::run_dir::join_files;
use crate::table::{CsvFile, Table};
use parlour_arena::{CHECKPOINT_DIR, HandLog, HandLogPart, PlanInfo, PlayedHand, ProgressHeader};
use parlour_base::error::{Error, Result};
use parlour_base::files::{AtomicFile, cannot_read, cannot_write, create_dir, remove_dir};
use parlour_game::Seat;

/// The logs of a run: rows, records, both or neither.
pub struct HandLogs<'p> {
    plan: &'p PlanInfo,
    /// Folder of the chunks' files.
    parts: PathBuf,
    hands: bool,
    records: bool,
}

impl<'p> HandLogs<'p> {
    /// Prepares the logs of a run in an existing folder.
    ///
    /// # Errors
    /// If the folder of parts cannot be created.
    pub fn new(plan: &'p PlanInfo, folder: &Path, header: &ProgressHeader) -> Result<Self> {
        let &ProgressHeader { hands, records, .. } = header;
        let parts = folder.join(CHECKPOINT_DIR);
        if hands || records {
            create_dir(&parts)?;
        }
        Ok(HandLogs { plan, parts, hands, records })
    }

    /// Returns the logs, unless there are none.
    pub fn enabled(&self) -> Option<&dyn HandLog> {
        (self.hands || self.records).then_some(self)
    }

    /// The maximum number of seats at a table.
    fn seats(&self) -> usize {
        self.plan.tables.iter().map(|t| t.line_up.len()).max().unwrap_or(0)
    }

    /// Each log: stem of the chunks' files, name of the joined file, and its first line.
    fn logs(&self) -> impl Iterator<Item = (&'static str, &'static str, String)> {
        let hands = Table::empty::<HandRow<'_>>("hands", self.seats());
        let header = hands.heads().collect::<Vec<_>>().join(",") + "\n";
        let hands = self.hands.then_some(("hands", "hands.csv", header));
        let records = self.records.then_some(("records", "records.jsonl", String::new()));
        hands.into_iter().chain(records)
    }

    /// Joins the chunks' files. `folders` lists, in the order of the deals, each chunk with the run
    /// directory of its file; a chunk from several shards is listed several times. A log that was
    /// joined before stays.
    ///
    /// # Errors
    /// If a file is missing, or a log cannot be written.
    pub fn join_chunks(&self, folder: &Path, folders: &[(u64, &Path)]) -> Result<()> {
        for (stem, name, first) in self.logs() {
            let place = folder.join(name);
            if place.exists() && !self.parts.join(chunk_file(stem, 0)).exists() {
                continue;
            }
            let file = |(chunk, folder): &(u64, &Path)| {
                folder.join(CHECKPOINT_DIR).join(chunk_file(stem, *chunk))
            };
            join_files(&place, &first, folders.iter().map(file))?;
        }
        Ok(())
    }

    /// Removes the chunks' files, all or none: half of them could not be joined again.
    pub fn remove_parts(&self) {
        remove_dir(&self.parts);
    }
}

/// Returns `true` if a folder still has the files of a chunk. A finished run has joined them.
pub(super) fn has_parts(folder: &Path, header: &ProgressHeader, chunk: u64) -> bool {
    let exists = |stem: &str| folder.join(CHECKPOINT_DIR).join(chunk_file(stem, chunk)).exists();
    (!header.hands || exists("hands")) && (!header.records || exists("records"))
}

fn chunk_file(stem: &str, chunk: u64) -> String {
    format!("{stem}-{chunk:06}")
}

fn part_file(stem: &str, chunk: u64, part: u64) -> String {
    format!("{}.{part}", chunk_file(stem, chunk))
}

/// Copies the records of all hands so far, in the order of their chunks. Returns their number.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn copy_records(folder: &Path, place: &Path) -> Result<u64> {
    let entries = std::fs::read_dir(folder.join(CHECKPOINT_DIR)).into_iter().flatten().flatten();
    let numbered = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let numbers = name.strip_prefix("records-")?;
        let (chunk, part) = numbers.split_once('.').map_or((numbers, None), |(c, p)| (c, Some(p)));
        let part = part.map(str::parse::<u64>).transpose().ok()?;
        Some((chunk.parse::<u64>().ok()?, part, entry.path()))
    });
    let mut files: Vec<_> = numbered.collect();
    files.sort();
    // The file of a whole chunk precedes and replaces its parts.
    let chunks = files.chunk_by(|a, b| a.0 == b.0);
    let files = chunks.flat_map(|parts| if parts[0].1.is_none() { &parts[..1] } else { parts });
    join_files(place, "", files.map(|(.., path)| path.clone()))?;
    let file = File::open(place).map_err(|error| cannot_read(place, &error))?;
    Ok(BufReader::new(file).lines().count() as u64)
}

impl HandLog for HandLogs<'_> {
    fn open_part(&self, chunk: u64, number: u64) -> Result<Box<dyn HandLogPart + '_>> {
        let place = |stem: &str| self.parts.join(part_file(stem, chunk, number));
        Ok(Box::new(LogPart {
            seats: self.seats(),
            hands: self.hands.then(|| CsvFile::create(&place("hands"))).transpose()?,
            records: self.records.then(|| AtomicFile::create(&place("records"))).transpose()?,
        }))
    }

    fn concatenate(&self, chunk: u64, parts: u64) -> Result<()> {
        for (stem, ..) in self.logs() {
            let place = self.parts.join(chunk_file(stem, chunk));
            let parts: Vec<PathBuf> =
                (0..parts).map(|part| self.parts.join(part_file(stem, chunk, part))).collect();
            if let [only] = &parts[..] {
                std::fs::rename(only, &place).map_err(|error| cannot_write(&place, &error))?;
                continue;
            }
            // The parts stay: they are the saved work until the chunk is entered as finished.
            join_files(&place, "", parts)?;
        }
        Ok(())
    }
}

/// A part of a chunk's file in each log.
struct LogPart {
    seats: usize,
    hands: Option<CsvFile>,
    records: Option<AtomicFile>,
}

impl HandLogPart for LogPart {
    fn with_records(&self) -> bool {
        self.records.is_some()
    }

    fn add(&mut self, hand: &PlayedHand) -> Result<()> {
        /// Pads a list to the number of seats.
        fn padded<T: Clone>(list: impl IntoIterator<Item = T>, seats: usize) -> Vec<Option<T>> {
            list.into_iter().map(Some).chain(std::iter::repeat(None)).take(seats).collect()
        }
        let PlayedHand { label, values, scores, .. } = hand;
        if let Some(file) = &mut self.hands {
            file.row(HandRow {
                variant: &label.variant,
                deal: label.deal,
                hand: label.hand,
                rotation: label.rotation,
                strategies: padded(label.seats.iter().map(String::as_str), self.seats),
                scores: padded(scores.0.iter().copied(), self.seats),
                values: padded(values.iter().copied(), self.seats),
                winner: scores.winner().map(Seat::index),
                turns: hand.turns,
                end_reason: hand.ended,
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
