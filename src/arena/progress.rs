//! The file of finished chunks, from which a run is resumed and shards are merged.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::header::FORMAT;
use super::written::{Sparse, Written};
use super::{Layout, ProgressHeader, Tally, format3, old_progress};
use crate::error::{Error, Kind, Result};
use crate::files::{digest, parse_json_line, write_whole};

/// What every header has, of whatever format.
#[derive(Deserialize)]
struct Peek {
    body: PeekBody,
}

#[derive(Deserialize)]
struct PeekBody {
    format: u32,
    #[serde(default)]
    program: String,
}

fn open(path: &Path) -> Result<BufReader<File>> {
    let file = File::open(path);
    let place = path.display();
    Ok(BufReader::new(file.map_err(|e| Error::input(format!("cannot read {place}: {e}")))?))
}

impl ProgressHeader {
    /// Reads the header of a file.
    ///
    /// # Errors
    /// Bad input when the file cannot be read, or its first line is not what was written.
    pub fn read(path: &Path) -> Result<ProgressHeader> {
        let place = path.display().to_string();
        read_header(&place, &mut open(path)?)
    }
}

/// Reads a header of any format that can still be read.
fn read_header(place: &str, reader: &mut impl BufRead) -> Result<ProgressHeader> {
    let fault = |what: String| Error::input(what).on_line(place, 1);
    let mut line = String::new();
    reader.read_line(&mut line).map_err(|e| fault(e.to_string()))?;
    let none = || fault("there is no whole header; the run must begin again".to_owned());
    let line = line.strip_suffix('\n').ok_or_else(none)?;
    let peek: std::result::Result<Peek, _> = serde_json::from_str(line);
    match peek.map(|peek| peek.body) {
        Ok(PeekBody { format: old_progress::FORMAT, .. }) => {
            Ok(unseal::<old_progress::Header>(place, 1, line)?.into())
        }
        Ok(PeekBody { format, program }) if format != FORMAT => Err(fault(format!(
            "its format is {format}, written by {program}; this program reads {} and {FORMAT}: {}",
            old_progress::FORMAT,
            match format > FORMAT {
                true => "use a later program",
                false => "run the experiment again",
            }
        ))),
        _ => unseal(place, 1, line),
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChunkLine<S> {
    chunk: u64,
    deals: u64,
    sums: S,
}

impl ChunkLine<Written> {
    fn of(chunk: u64, tally: &Tally) -> Self {
        ChunkLine { chunk, deals: tally.deals, sums: Written::of(tally) }
    }
}

/// Reads the line of a chunk.
fn read_chunk(
    place: &str,
    number: usize,
    line: &str,
    format: u32,
    layout: &Layout,
) -> Result<(u64, Tally)> {
    let (chunk, tally) = if format == FORMAT {
        let ChunkLine { chunk, deals, sums } = unseal::<ChunkLine<Written>>(place, number, line)?;
        (chunk, sums.tally(deals, layout))
    } else {
        let ChunkLine { chunk, deals, sums } = unseal::<ChunkLine<Sparse>>(place, number, line)?;
        let tally = format3::tally(&sums, deals, layout);
        (chunk, tally.ok_or_else(|| "the chunk does not belong to this experiment".to_owned()))
    };
    Ok((chunk, tally.map_err(|what| Error::input(what).on_line(place, number))?))
}

/// A line with its checksum: the first 16 digits of the SHA-256 of the body's JSON.
fn seal<T: Serialize>(body: &T) -> String {
    let body = serde_json::to_string(body).expect("plain data");
    format!("{{\"body\":{body},\"check\":\"{}\"}}\n", &digest(&body)[..16])
}

fn unseal<T: DeserializeOwned>(place: &str, number: usize, line: &str) -> Result<T> {
    let fault = |what: &str| Error::input(what).on_line(place, number);
    let inner = line.strip_prefix("{\"body\":").and_then(|rest| rest.strip_suffix("\"}"));
    let parts = inner.and_then(|inner| inner.rsplit_once(",\"check\":\""));
    let (body, check) =
        parts.ok_or_else(|| fault("it is no line of a progress file: it was cut or edited"))?;
    if digest(body)[..16] != *check {
        return Err(fault("its checksum does not fit: the line was changed"));
    }
    parse_json_line(place, number, body)
}

/// The finished chunks of a run, and the file that holds them.
#[derive(Debug)]
pub struct Progress {
    /// What they belong to.
    pub header: ProgressHeader,
    /// The tallies by chunk.
    pub chunks: BTreeMap<u64, Tally>,
    path: PathBuf,
    file: Option<File>,
}

impl Progress {
    /// The file's name in a result folder.
    pub const FILE: &'static str = "progress.jsonl";

    /// Begins a file with no chunk.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create(path: &Path, header: ProgressHeader) -> Result<Progress> {
        write_whole(path, seal(&header))?;
        let mut progress =
            Progress { header, chunks: BTreeMap::new(), path: path.to_owned(), file: None };
        progress.open()?;
        Ok(progress)
    }

    /// Begins a file, or goes on with the one that is there.
    ///
    /// # Errors
    /// Bad input when the file holds another run; a failure when it cannot be written.
    pub fn resume(
        path: &Path,
        header: ProgressHeader,
        layout: &Layout,
        same_program: bool,
    ) -> Result<Progress> {
        if !path.exists() {
            return Progress::create(path, header);
        }
        let mut was = ProgressHeader::read(path)?;
        let fits = was.join(&header, same_program).and_then(|()| match was.shard == header.shard {
            true => Ok(()),
            false => Err("it holds another shard of the run".to_owned()),
        });
        fits.map_err(|why| Error::input(format!("cannot resume from {}: {why}", path.display())))?;
        let (progress, _cut) = Progress::read(path, layout)?;
        let mut progress = Progress { header: was, ..progress };
        // Rewritten whole, so that whatever a cut-off line left behind is gone.
        progress.save()?;
        progress.open()?;
        Ok(progress)
    }

    /// Finished chunks that no file holds.
    pub fn in_memory(header: ProgressHeader) -> Progress {
        Progress { header, chunks: BTreeMap::new(), path: PathBuf::new(), file: None }
    }

    /// Reads a file of tallies of this shape. A last line without an end was cut off while it was
    /// written; it is dropped, and `true` returned beside.
    ///
    /// # Errors
    /// Bad input when the file cannot be read, or a line is not what was written: the line is
    /// named.
    pub fn read(path: &Path, layout: &Layout) -> Result<(Progress, bool)> {
        let place = path.display().to_string();
        let mut reader = open(path)?;
        let header = read_header(&place, &mut reader)?;
        let mut line = String::new();
        let mut chunks = BTreeMap::new();
        let mut cut = false;
        for number in 2.. {
            line.clear();
            let fault = |what: String| Error::input(what).on_line(&place, number);
            let read = reader.read_line(&mut line).map_err(|e| fault(e.to_string()))?;
            if read == 0 {
                break;
            }
            let Some(text) = line.strip_suffix('\n') else {
                cut = true;
                break;
            };
            let (chunk, tally) = read_chunk(&place, number, text, header.format, layout)?;
            if chunk >= header.experiment.chunks() {
                return Err(fault("the chunk does not belong to this experiment".to_owned()));
            }
            if chunks.insert(chunk, tally).is_some() {
                return Err(fault(format!("chunk {chunk} is there twice")));
            }
        }
        Ok((Progress { header, chunks, path: path.to_owned(), file: None }, cut))
    }

    fn open(&mut self) -> Result<()> {
        let file = OpenOptions::new().append(true).open(&self.path);
        self.file = Some(file.map_err(|error| self.failed(&error))?);
        Ok(())
    }

    fn failed(&self, error: &std::io::Error) -> Error {
        Error::failed(format!("cannot write {}: {error}", self.path.display()))
    }

    /// Adds a finished chunk, in the file too.
    ///
    /// # Errors
    /// When it cannot be written; the file then ends with the last whole line.
    pub fn add(&mut self, chunk: u64, tally: Tally) -> Result<()> {
        let line = seal(&ChunkLine::of(chunk, &tally));
        if let Some(mut file) = self.file.as_ref() {
            let end = file.seek(SeekFrom::End(0)).map_err(|error| self.failed(&error))?;
            if let Err(error) = file.write_all(line.as_bytes()) {
                // What is left of the line would be dropped on reading; this only tidies up.
                let _ = file.set_len(end);
                return Err(self.failed(&error));
            }
        }
        self.chunks.insert(chunk, tally);
        Ok(())
    }

    /// An error of the run, with what a resumption can go on from.
    pub(super) fn after(&self, error: Error) -> Error {
        match (error.kind(), self.chunks.len()) {
            (Kind::Failed, kept @ 1..) if self.file.is_some() => error.adding(&format!(
                "; {kept} finished chunks are kept, `--resume` goes on from there"
            )),
            _ => error,
        }
    }

    /// Writes the file anew with its chunks in order, so that its bytes do not tell in which order
    /// they were finished. Chunks in memory have no file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self) -> Result<()> {
        if self.path.as_os_str().is_empty() {
            return Ok(());
        }
        let mut text = seal(&self.header);
        for (&chunk, tally) in &self.chunks {
            text += &seal(&ChunkLine::of(chunk, tally));
        }
        write_whole(&self.path, text)
    }

    /// The tallies in order of their chunks.
    pub fn tallies(&self) -> Vec<Tally> {
        self.chunks.values().cloned().collect()
    }

    /// Forgets the chunks from this one on.
    pub fn cut(&mut self, chunks: u64) {
        self.chunks.retain(|chunk, _| *chunk < chunks);
    }

    /// The same chunks as a file elsewhere.
    #[must_use]
    pub fn at(self, path: &Path) -> Progress {
        Progress { path: path.to_owned(), file: None, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Experiment, Inputs, Resolved, TableTally};
    use super::*;

    fn header() -> ProgressHeader {
        ProgressHeader {
            format: FORMAT,
            experiment: Resolved {
                name: "x".to_owned(),
                experiment: Experiment { deals: 12, ..Experiment::new("leopard") },
                tables: Vec::new(),
            },
            digest: "0123456789abcdef".to_owned(),
            inputs: Inputs::default(),
            program: "p".to_owned(),
            vouched: Vec::new(),
            hands: false,
            records: false,
            shard: None,
        }
    }

    fn layout() -> Layout {
        Layout::of(Tally { tables: vec![TableTally::default()], ..Tally::default() })
    }

    fn written() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(Progress::FILE);
        let mut progress = Progress::create(&path, header()).unwrap();
        for chunk in [2, 0] {
            let table = TableTally { matches: chunk, lead: -7, ..TableTally::default() };
            progress
                .add(chunk, Tally { deals: 3, tables: vec![table], ..Tally::default() })
                .unwrap();
        }
        (folder, path)
    }

    #[test]
    fn what_was_written_is_read() {
        let (_folder, path) = written();
        let (progress, cut) = Progress::read(&path, &layout()).unwrap();
        assert!(!cut);
        assert_eq!(progress.header, header());
        assert_eq!(progress.chunks.keys().copied().collect::<Vec<_>>(), [0, 2]);
        assert_eq!(progress.chunks[&2].tables[0].matches, 2);
        assert_eq!(progress.chunks[&2].tables[0].lead, -7);
    }

    #[test]
    fn a_line_cut_off_at_any_place_costs_only_itself() {
        let (_folder, path) = written();
        let whole = std::fs::read(&path).unwrap();
        let last = whole[..whole.len() - 1].iter().rposition(|&b| b == b'\n').unwrap() + 1;
        for end in last..whole.len() {
            std::fs::write(&path, &whole[..end]).unwrap();
            let (progress, cut) = Progress::read(&path, &layout()).unwrap();
            assert_eq!(progress.chunks.len(), 1);
            assert_eq!(cut, end > last);
        }
    }

    #[test]
    fn an_edited_line_is_named() {
        let (_folder, path) = written();
        let text =
            std::fs::read_to_string(&path).unwrap().replace("\"lead\":[-7]", "\"lead\":[-6]");
        std::fs::write(&path, text).unwrap();
        let said = Progress::read(&path, &layout()).unwrap_err().to_string();
        assert!(said.contains("line 2: its checksum does not fit"), "{said}");
    }
}
