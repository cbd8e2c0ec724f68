//! The log of every hand: rows of `hands.csv` and lines of `records.jsonl`.
//!
//! Each chunk writes parts of a file next to the results; the parts of finished chunks are joined in
//! order at the end. The file of a chunk is complete before its chunk counts as finished.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Serialize;

use super::{CHECKPOINT_DIR, PlanInfo, ProgressHeader};
use parlour_base::error::{Error, Result};
use parlour_base::files::{AtomicFile, cannot_read, cannot_write, create_dir, remove_dir};
use parlour_game::{Label, Scores, Seat};

/// Stem of the chunks' files of rows.
const HANDS: &str = "hands";

/// Stem of the chunks' files of records.
const RECORDS: &str = "records";

/// One row per hand, with `--hands`. Numbered columns exist once per seat.
#[derive(Serialize, JsonSchema)]
pub struct HandRow<'a> {
    /// The variant.
    pub variant: &'a str,
    /// The deal, from 0. Unit: number.
    pub deal: u64,
    /// The hand within its match, from 0. Unit: number.
    pub hand: u32,
    /// Rotation of the strategies over the seats. Unit: number.
    pub rotation: u32,
    /// The strategy at the seat.
    #[schemars(extend("stem" = "strategy"))]
    pub strategies: Vec<Option<&'a str>>,
    /// Points of the seat. Unit: points.
    #[schemars(extend("stem" = "score"))]
    pub scores: Vec<Option<i32>>,
    /// Square value, captured pieces or held cards of the seat. Unit: depends on the game.
    #[schemars(extend("stem" = "value"))]
    pub values: Vec<Option<i64>>,
    /// The seat that won alone; empty for a shared win. Unit: seat.
    pub winner: Option<usize>,
    /// Turns of all seats. Unit: turns.
    pub turns: u32,
    /// The reason why the hand ended, one word; `fault` if a bot failed.
    pub end_reason: &'a str,
    /// Random seed of the run. Unit: number.
    pub seed: u64,
}

/// The logs of a run: rows, records, both or neither.
pub struct HandLogs {
    /// The maximum number of seats at a table.
    pub seats: usize,
    /// Folder of the chunks' files.
    parts: PathBuf,
    hands: bool,
    records: bool,
}

impl HandLogs {
    /// Prepares the logs of a run in an existing folder.
    ///
    /// # Errors
    /// If the folder of parts cannot be created.
    pub fn new(plan: &PlanInfo, folder: &Path, header: &ProgressHeader) -> Result<HandLogs> {
        let &ProgressHeader { hands, records, .. } = header;
        let parts = folder.join(CHECKPOINT_DIR);
        if hands || records {
            create_dir(&parts)?;
        }
        let seats = plan.tables.iter().map(|t| t.line_up.len()).max().unwrap_or(0);
        Ok(HandLogs { seats, parts, hands, records })
    }

    /// The stem of the chunks' files of each log.
    fn stems(&self) -> impl Iterator<Item = &'static str> {
        let hands = self.hands.then_some(HANDS);
        hands.into_iter().chain(self.records.then_some(RECORDS))
    }

    /// Joins the chunks' files. `folders` lists, in the order of the deals, each chunk with the run
    /// directory of its file; a chunk from several shards is listed several times. A log that was
    /// joined before stays. `heads` is the first line of the rows.
    ///
    /// # Errors
    /// If a file is missing, or a log cannot be written.
    pub fn join_chunks(&self, folder: &Path, folders: &[(u64, &Path)], heads: &str) -> Result<()> {
        for stem in self.stems() {
            let (name, first) =
                if stem == HANDS { ("hands.csv", heads) } else { ("records.jsonl", "") };
            let place = folder.join(name);
            if place.exists() && !self.parts.join(chunk_file(stem, 0)).exists() {
                continue;
            }
            let file = |(chunk, folder): &(u64, &Path)| {
                folder.join(CHECKPOINT_DIR).join(chunk_file(stem, *chunk))
            };
            join_files(&place, first, folders.iter().map(file))?;
        }
        Ok(())
    }

    /// Opens a part of a chunk's log. An existing part of this number is overwritten.
    pub(super) fn open_part(&self, chunk: u64, number: u64) -> Result<LogPart> {
        let place = |stem: &str| self.parts.join(part_file(stem, chunk, number));
        Ok(LogPart {
            seats: self.seats,
            hands: self.hands.then(|| CsvFile::create(&place(HANDS))).transpose()?,
            records: self.records.then(|| AtomicFile::create(&place(RECORDS))).transpose()?,
        })
    }

    /// Concatenates the parts of a chunk's log.
    pub(super) fn concatenate(&self, chunk: u64, parts: u64) -> Result<()> {
        for stem in self.stems() {
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

    /// Removes the chunks' files, all or none: half of them could not be joined again.
    pub fn remove_parts(&self) {
        remove_dir(&self.parts);
    }
}

/// Returns `true` if a folder still has the files of a chunk. A finished run has joined them.
pub fn has_parts(folder: &Path, header: &ProgressHeader, chunk: u64) -> bool {
    let exists = |stem: &str| folder.join(CHECKPOINT_DIR).join(chunk_file(stem, chunk)).exists();
    (!header.hands || exists(HANDS)) && (!header.records || exists(RECORDS))
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
pub fn copy_records(folder: &Path, place: &Path) -> Result<u64> {
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

/// A part of a chunk's file in each log.
pub(super) struct LogPart {
    seats: usize,
    hands: Option<CsvFile>,
    pub records: Option<AtomicFile>,
}

impl LogPart {
    /// Adds a hand with the game's values by seat, and its record if no bot failed. The reason for the end
    /// is one word.
    pub fn add(
        &mut self,
        label: &Label,
        values: Vec<i64>,
        scores: &Scores,
        turns: u32,
        end_reason: &str,
        record: Option<String>,
    ) -> Result<()> {
        /// Pads a list to the number of seats.
        fn padded<T: Clone>(list: impl IntoIterator<Item = T>, seats: usize) -> Vec<Option<T>> {
            list.into_iter().map(Some).chain(std::iter::repeat(None)).take(seats).collect()
        }
        if let Some(file) = &mut self.hands {
            file.row(HandRow {
                variant: &label.variant,
                deal: label.deal,
                hand: label.hand,
                rotation: label.rotation,
                strategies: padded(label.seats.iter().map(String::as_str), self.seats),
                scores: padded(scores.0.iter().copied(), self.seats),
                values: padded(values, self.seats),
                winner: scores.winner().map(Seat::index),
                turns,
                end_reason,
                seed: label.seed,
            })?;
        }
        if let (Some(file), Some(record)) = (&mut self.records, record) {
            let failed = |e| Error::failed(format!("cannot write records: {e}"));
            writeln!(file, "{record}").map_err(failed)?;
        }
        Ok(())
    }

    /// Completes the part.
    pub fn finish(self) -> Result<()> {
        self.hands.map_or(Ok(()), CsvFile::finish)?;
        self.records.map_or(Ok(()), AtomicFile::finish)
    }
}

/// A CSV file that is written row by row and appears under its name only when it is complete.
pub struct CsvFile {
    writer: csv::Writer<AtomicFile>,
    place: PathBuf,
}

impl CsvFile {
    /// Creates a file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn create(path: &Path) -> Result<CsvFile> {
        let file = AtomicFile::create(path)?;
        let writer = csv::WriterBuilder::new().has_headers(false).from_writer(file);
        Ok(CsvFile { writer, place: path.to_owned() })
    }

    /// Writes a row.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn row(&mut self, row: impl Serialize) -> Result<()> {
        self.writer.serialize(row).map_err(|error| cannot_write(&self.place, &error))
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> Result<()> {
        let file = self.writer.into_inner();
        file.map_err(|error| cannot_write(&self.place, error.error()))?.finish()
    }
}

/// Writes a file atomically: a text, then the contents of other files.
///
/// # Errors
/// If a file cannot be read or written.
pub fn join_files(path: &Path, text: &str, parts: impl IntoIterator<Item = PathBuf>) -> Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(text.as_bytes()).map_err(|error| cannot_write(path, &error))?;
    for part in parts {
        let mut part_file = File::open(&part).map_err(|error| cannot_read(&part, &error))?;
        io::copy(&mut part_file, &mut file).map_err(|error| cannot_write(path, &error))?;
    }
    file.finish()
}
