//! The log of every hand: rows of `hands.csv` and lines of `records.jsonl`, or the folders
//! `hands.parquet` and `records.parquet` with a file for each chunk.
//!
//! Each chunk writes parts of a file next to the results; the parts of finished chunks are joined in
//! order at the end. The file of a chunk is complete before its chunk counts as finished. Each part
//! ends with a checksum; a chunk with a damaged part is played again. Parts are text, of which the
//! thread that finishes a chunk makes its Parquet file. A shard may hold a part of a chunk, so its
//! files stay text until they are merged.

use std::fs::{self, File};
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use itertools::Itertools;
use parquet::file::metadata::ParquetMetaDataReader;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::parquet_file::{ParquetFile, inlined_schema, read_csv, read_json};
use super::{CHECKPOINT_DIR, PlanInfo, Progress, ProgressHeader};
use parlour_base::error::{Error, Kind, Result, ensure};
use parlour_base::files::{AtomicFile, cannot_write, copy_sealed, create_dir, remove_dir, rename};
use parlour_game::{Label, Scores, Seat};

/// The lists of all hands in the results: files, or folders of Parquet files.
pub const LISTS: [&str; 4] = ["hands.csv", RECORDS_FILE, "hands.parquet", "records.parquet"];

/// Stem of the chunks' files of rows.
const HANDS: &str = "hands";

/// The file of the records of all hands.
pub const RECORDS_FILE: &str = "records.jsonl";

/// Stem of the chunks' files of records.
const RECORDS: &str = "records";

/// The number of a record in a chunk's file: it depends on the failures in all chunks before.
const UNNUMBERED: u64 = 0;

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
    /// Random seed of the run. R loses digits above 2⁵³; polars reads numbers above 2⁶³ as `Int128`. Unit: number.
    pub seed: u64,
    /// The line of the hand in `records.jsonl`, which `replay --hand` takes, from 1; empty without a
    /// record, as after a failure. Not in `hands.parquet`. Unit: number.
    pub record: Option<u64>,
}

/// The logs of a run: rows, records, both or neither.
pub struct HandLogs {
    /// The maximum number of seats at a table.
    pub seats: usize,
    /// Folder of the chunks' files.
    parts: PathBuf,
    /// The digest of the experiment, which the checksums cover.
    digest: String,
    hands: bool,
    records: bool,
    parquet: bool,
    /// `true` if the chunks' files are Parquet too.
    has_parquet_chunks: bool,
    /// The schema of a record.
    record_schema: fn() -> Value,
}

impl HandLogs {
    /// Prepares the logs of a run in an existing folder.
    ///
    /// # Errors
    /// If the folder of parts cannot be created.
    pub fn new(plan: &PlanInfo, folder: &Path, header: &ProgressHeader) -> Result<HandLogs> {
        let &ProgressHeader { hands, records, parquet, shard, .. } = header;
        let parts = folder.join(CHECKPOINT_DIR);
        if hands || records {
            create_dir(&parts)?;
        }
        let seats = plan.tables.iter().map(|t| t.line_up.len()).max().unwrap_or(0);
        Ok(HandLogs {
            seats,
            parts,
            digest: header.digest.clone(),
            hands,
            records,
            parquet,
            has_parquet_chunks: parquet && shard.is_none(),
            record_schema: plan.record_schema,
        })
    }

    /// The stem of the chunks' files of each log.
    fn stems(&self) -> impl Iterator<Item = &'static str> {
        let hands = self.hands.then_some(HANDS);
        hands.into_iter().chain(self.records.then_some(RECORDS))
    }

    /// Joins the chunks' files. `folders` lists, in the order of the deals, each chunk with the run
    /// directory of its file; a chunk from several shards is listed several times. A log that was
    /// joined before stays. `heads` is the first line of the rows. `hands` are the numbers of
    /// records that the tallies allow; the last is the number of rows.
    ///
    /// # Errors
    /// Bad input if a file is missing or damaged, or has another number of hands than the tallies. A
    /// failure if a log cannot be written.
    pub fn join_chunks(
        &self,
        folder: &Path,
        folders: &[(u64, &Path)],
        heads: &str,
        hands: &RangeInclusive<u64>,
    ) -> Result<()> {
        for stem in self.stems() {
            if self.is_joined(stem, folder) {
                continue;
            }
            let place = folder.join(self.list(stem));
            let first = if stem == HANDS { heads } else { "" };
            let file = |(chunk, folder): &(u64, &Path)| {
                let parts = folder.join(CHECKPOINT_DIR);
                (parts.join(chunk_file(stem, *chunk)), self.identity(stem, *chunk))
            };
            let lines = if self.parquet {
                remove_dir(&place);
                create_dir(&place)?;
                let mut rows = 0;
                for (chunk, pieces) in &folders.iter().chunk_by(|(chunk, _)| *chunk) {
                    let lists = pieces.map(file).collect_vec();
                    rows += self.write_parquet(stem, &place, chunk, &lists)?;
                }
                rows
            } else {
                let lists = folders.iter().map(file);
                join_sealed(AtomicFile::create(&place)?, first, lists, stem == HANDS)?
            };
            let is_complete = hands.contains(&lines) && (stem == RECORDS || lines == *hands.end());
            ensure(is_complete, || {
                Error::input(format!(
                    "{} has {lines} hands, but the tallies have {}; start again with `--replace`",
                    place.display(),
                    hands.end()
                ))
            })?;
        }
        Ok(())
    }

    /// Writes the file of a chunk into a result folder, from its Parquet file or from the texts of
    /// shards. Returns the number of rows.
    fn write_parquet(
        &self,
        stem: &str,
        place: &Path,
        chunk: u64,
        lists: &[(PathBuf, String)],
    ) -> Result<u64> {
        let file = AtomicFile::create(&place.join(format!("{chunk:06}.parquet")))?;
        match lists {
            [(own, identity)] if own.parent() == Some(&self.parts) => {
                let place = file.place.clone();
                join_sealed(file, "", [(own.clone(), identity.clone())].into_iter(), false)?;
                let opened = File::open(&place).map_err(|error| cannot_write(&place, &error))?;
                let read = ParquetMetaDataReader::new().parse_and_finish(&opened);
                let read = read.map_err(|error| cannot_write(&place, &error.into()))?;
                Ok(read.file_metadata().num_rows().cast_unsigned())
            }
            texts => self.convert(stem, file, texts.iter().cloned()),
        }
    }

    /// Writes sealed texts into a Parquet file. Returns the number of rows.
    fn convert(
        &self,
        stem: &str,
        file: AtomicFile,
        texts: impl Iterator<Item = (PathBuf, String)>,
    ) -> Result<u64> {
        let place = file.place.clone();
        let failed = |error: parquet::errors::ParquetError| cannot_write(&place, &error.into());
        let file = match stem == HANDS {
            true => ParquetFile::new(file, &self.hand_schema(), read_csv),
            false => ParquetFile::new(file, &(self.record_schema)(), read_json),
        };
        let mut file = file.map_err(failed)?;
        for (text, identity) in texts {
            copy_part(&text, &identity, &mut file)?;
        }
        let (file, rows) = file.finish().map_err(failed)?;
        file.finish()?;
        Ok(rows)
    }

    /// The schema of a row of CSV, without the number of its record.
    fn hand_schema(&self) -> Value {
        let mut columns = Map::new();
        for (name, field) in
            inlined_schema::<HandRow<'_>>()["properties"].as_object().into_iter().flatten()
        {
            match field["stem"].as_str() {
                Some(stem) => columns.extend(
                    (0..self.seats).map(|seat| (format!("{stem}_{seat}"), field["items"].clone())),
                ),
                None => _ = columns.insert(name.clone(), field.clone()),
            }
        }
        columns.shift_remove("record");
        json!({ "properties": columns })
    }

    /// The name of a log in the results.
    fn list(&self, stem: &str) -> &'static str {
        match (self.parquet, stem == HANDS) {
            (false, true) => LISTS[0],
            (false, false) => RECORDS_FILE,
            (true, true) => LISTS[2],
            (true, false) => LISTS[3],
        }
    }

    /// Returns `true` if the chunks' files of a log were joined and removed.
    fn is_joined(&self, stem: &str, folder: &Path) -> bool {
        folder.join(self.list(stem)).exists() && !self.parts.join(chunk_file(stem, 0)).exists()
    }

    /// Drops the chunks of a run in a folder whose files are missing or damaged, as after a power
    /// cut. They are played again.
    ///
    /// # Errors
    /// If a file cannot be read, or the progress cannot be saved.
    pub fn drop_damaged(&self, folder: &Path, progress: &mut Progress) -> Result<()> {
        for stem in self.stems().filter(|stem| !self.is_joined(stem, folder)) {
            for (chunk, path) in self.saved_files(stem, progress) {
                match copy_sealed(&path, &self.identity(stem, chunk), &mut io::sink()) {
                    Err(error) if error.kind() == Kind::Input => {
                        progress.chunks.remove(&chunk);
                        progress.partial.remove(&chunk);
                    }
                    read => _ = read?,
                }
            }
        }
        progress.save()
    }

    /// The text that the checksum of a chunk's file covers besides its lines.
    fn identity(&self, stem: &str, chunk: u64) -> String {
        format!("{} {}\n", self.digest, chunk_file(stem, chunk))
    }

    /// Opens a part of a chunk's log. An existing part of this number is overwritten.
    pub(super) fn open_part(&self, chunk: u64, number: u64) -> Result<LogPart> {
        let open = |stem: &str| -> Result<AtomicFile> {
            let place = self.parts.join(part_file(stem, chunk, number));
            AtomicFile::sealed(&place, &self.identity(stem, chunk))
        };
        Ok(LogPart {
            seats: self.seats,
            hands: self.hands.then(|| open(HANDS)).transpose()?.map(CsvFile::new),
            records: self.records.then(|| open(RECORDS)).transpose()?,
        })
    }

    /// Concatenates the parts of a chunk's log.
    pub(super) fn concatenate(&self, chunk: u64, parts: u64) -> Result<()> {
        for stem in self.stems() {
            let place = self.parts.join(chunk_file(stem, chunk));
            let part = |part| self.parts.join(part_file(stem, chunk, part));
            if parts == 1 && !self.has_parquet_chunks {
                rename(&part(0), &place)?;
                continue;
            }
            // The parts stay: they are the saved work until the chunk is entered as finished.
            let identity = self.identity(stem, chunk);
            let file = AtomicFile::sealed(&place, &identity)?;
            let parts = (0..parts).map(|number| (part(number), identity.clone()));
            match self.has_parquet_chunks {
                true => self.convert(stem, file, parts)?,
                false => join_sealed(file, "", parts, false)?,
            };
        }
        Ok(())
    }

    /// Removes the parts of a chunk that counts as finished.
    pub(super) fn remove_parts_of(&self, chunk: u64, parts: u64) {
        for (stem, part) in self.stems().cartesian_product(0..parts) {
            _ = fs::remove_file(self.parts.join(part_file(stem, chunk, part)));
        }
    }

    /// Copies the records of all hands so far, in the order of their chunks. Returns their number.
    ///
    /// # Errors
    /// If a part cannot be read, or the file cannot be written.
    pub fn copy_records(&self, place: &Path, progress: &Progress) -> Result<u64> {
        let files = self.saved_files(RECORDS, progress).into_iter();
        let lists = files.map(|(chunk, path)| (path, self.identity(RECORDS, chunk)));
        join_sealed(AtomicFile::create(place)?, "", lists, false)
    }

    /// Lists the files of a log with their chunks: one of each finished chunk, and the parts of each
    /// partial one.
    fn saved_files(&self, stem: &str, progress: &Progress) -> Vec<(u64, PathBuf)> {
        let finished = progress.chunks.keys().map(|&chunk| (chunk, chunk_file(stem, chunk)));
        let parts = progress.partial.iter().flat_map(|(&chunk, partial)| {
            (0..partial.log_parts).map(move |part| (chunk, part_file(stem, chunk, part)))
        });
        let files = finished.chain(parts).map(|(chunk, file)| (chunk, self.parts.join(file)));
        files.sorted_by_key(|(chunk, _)| *chunk).collect()
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
                record: record.as_ref().map(|_| UNNUMBERED),
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
        self.records.map_or(Ok(()), |file| file.finish().map(drop))
    }
}

/// Copies a sealed list, as [`copy_sealed`] does.
fn copy_part(list: &Path, identity: &str, to: &mut dyn Write) -> Result<u64> {
    copy_sealed(list, identity, to).map_err(|error| match error.kind() {
        Kind::Input => error.with_note("; repeat the run of its folder with `--resume`"),
        _ => error,
    })
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
        AtomicFile::create(path).map(CsvFile::new)
    }

    fn new(file: AtomicFile) -> CsvFile {
        let place = file.place.clone();
        CsvFile { writer: csv::WriterBuilder::new().has_headers(false).from_writer(file), place }
    }

    /// Writes a row.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn row(&mut self, row: impl Serialize) -> Result<()> {
        self.writer.serialize(row).map_err(|error| cannot_write(&self.place, &error.into()))
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> Result<()> {
        let file = self.writer.into_inner();
        file.map_err(|error| cannot_write(&self.place, error.error()))?.finish().map(drop)
    }
}

/// Writes a text and then the lines of sealed lists with their identities, perhaps with the numbers of
/// the records in their last column. Returns the number of these lines.
fn join_sealed(
    mut file: AtomicFile,
    text: &str,
    lists: impl Iterator<Item = (PathBuf, String)>,
    numbers_records: bool,
) -> Result<u64> {
    let place = file.place.clone();
    let failed = |error| cannot_write(&place, &error);
    file.write_all(text.as_bytes()).map_err(failed)?;
    let (mut lines, mut records, unnumbered) = (0, 0, format!(",{UNNUMBERED}\n"));
    for (list, identity) in lists {
        let mut rows = Vec::new();
        let to: &mut dyn Write = if numbers_records { &mut rows } else { &mut file };
        lines += copy_part(&list, &identity, to)?;
        for row in rows.split_inclusive(|byte| *byte == b'\n') {
            match row.strip_suffix(unnumbered.as_bytes()) {
                None => file.write_all(row),
                Some(row) => {
                    records += 1;
                    file.write_all(row).and_then(|()| writeln!(file, ",{records}"))
                }
            }
            .map_err(failed)?;
        }
    }
    file.finish()?;
    Ok(lines)
}
