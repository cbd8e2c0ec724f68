//! The file of finished chunks, from which a run is resumed and shards are merged.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::run::Shard;
use super::sparse::Sparse;
use super::tally::Tally;
use crate::error::{Error, Result};
use crate::files::{digest, parse_json_line, write_whole};
use crate::strategy::Strategic;

use super::{Plan, Portable};

/// The first line: what the chunks belong to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgressHeader {
    /// The version of this format.
    pub format: u32,
    /// The experiment's name.
    pub experiment: String,
    /// The plan, from which a merge builds it again.
    pub plan: Portable,
    /// The digest of the experiment in full.
    pub digest: String,
    /// The program's version and the fingerprint of its sources.
    pub program: String,
    /// How many chunks the whole experiment has.
    pub chunks: u64,
    /// How many integers a tally has.
    pub integers: usize,
    /// The digest of what each of them counts.
    pub counts: String,
    /// Whether every hand is listed.
    pub hands: bool,
    /// Whether every hand is recorded.
    pub records: bool,
    /// Which part of the chunks this is; none for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

impl ProgressHeader {
    /// The header of a run of this plan.
    pub fn of<G: Strategic>(
        plan: &Plan<G>,
        hands: bool,
        records: bool,
        shard: Option<Shard>,
    ) -> Self {
        ProgressHeader {
            format: FORMAT,
            experiment: plan.name.clone(),
            plan: plan.portable(),
            digest: plan.digest(),
            program: crate::program(),
            chunks: plan.chunks(),
            integers: plan.layout.len(),
            counts: digest(format!("{:?} {:?}", G::COUNTERS, plan.layout))[..16].to_owned(),
            hands,
            records,
            shard,
        }
    }

    /// Whether the chunks of the other can stand beside these; if not, why.
    ///
    /// # Errors
    /// The first difference, as a sentence that follows the file's name.
    pub fn check_same_run(&self, other: &ProgressHeader) -> std::result::Result<(), String> {
        let quote =
            |name: &str, was: &str, is: &str| Err(format!("{name} was `{was}`, it is `{is}` now"));
        if self.program != other.program {
            return quote("it was written by another program: it", &self.program, &other.program);
        }
        if self.experiment != other.experiment {
            return quote(
                "it belongs to another experiment: the name",
                &self.experiment,
                &other.experiment,
            );
        }
        if self.digest != other.digest {
            let (was, is) = (&self.digest[..12.min(self.digest.len())], &other.digest[..12]);
            return quote(
                "the experiment has changed (rules, strategies, deals or seed): its digest",
                was,
                is,
            );
        }
        if (self.hands, self.records) != (other.hands, other.records) {
            return Err(
                "it was begun with other `--hands` or `--records`; give the same".to_owned()
            );
        }
        let same = ProgressHeader { shard: self.shard, plan: self.plan.clone(), ..other.clone() };
        if *self != same {
            return Err("its header does not fit this experiment".to_owned());
        }
        Ok(())
    }
}

/// The version of the format; 2 since distributions are counted, 3 since zeros in a row are not
/// listed.
const FORMAT: u32 = 3;

/// What is wrong with a header of another format, which need not fit in any other way.
fn older(header: &str) -> Option<String> {
    let header: serde_json::Value = serde_json::from_str(header).ok()?;
    let format = header["body"]["format"].as_u64()?;
    (format != u64::from(FORMAT)).then(|| {
        let program = header["body"]["program"].as_str().unwrap_or("another program");
        format!("its format is {format}, written by {program}; this program reads {FORMAT}: run the experiment again")
    })
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChunkLine {
    chunk: u64,
    deals: u64,
    sums: Sparse,
}

impl ChunkLine {
    fn of(chunk: u64, tally: &Tally) -> ChunkLine {
        ChunkLine { chunk, deals: tally.deals, sums: Sparse::of(&tally.sums) }
    }
}

/// A line with its checksum: the first 16 digits of the SHA-256 of the body's JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sealed<T> {
    body: T,
    check: String,
}

fn seal<T: Serialize>(body: &T) -> String {
    let body = serde_json::to_string(body).expect("plain data");
    format!("{{\"body\":{body},\"check\":\"{}\"}}\n", &digest(&body)[..16])
}

fn unseal<T: Serialize + for<'de> Deserialize<'de>>(
    place: &str,
    number: usize,
    line: &str,
) -> Result<T> {
    let sealed: Sealed<T> = parse_json_line(place, number, line)?;
    if seal(&sealed.body).trim_end() == line {
        Ok(sealed.body)
    } else {
        let what = "its checksum does not fit: the line was changed";
        Err(Error::input(what).on_line(place, number))
    }
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

    /// Finished chunks that no file holds.
    pub fn in_memory(header: ProgressHeader) -> Progress {
        Progress { header, chunks: BTreeMap::new(), path: PathBuf::new(), file: None }
    }

    /// Reads a file. A last line without an end was cut off while it was written; it is dropped,
    /// and `true` returned beside.
    ///
    /// # Errors
    /// Bad input when the file cannot be read, or a line is not what was written: the line is
    /// named.
    pub fn read(path: &Path) -> Result<(Progress, bool)> {
        let place = path.display().to_string();
        let file =
            File::open(path).map_err(|e| Error::input(format!("cannot read {place}: {e}")))?;
        let mut reader = BufReader::new(file);
        let mut line = String::new();
        let mut header: Option<ProgressHeader> = None;
        let mut chunks = BTreeMap::new();
        let mut cut = false;
        for number in 1.. {
            line.clear();
            let fault = |what: String| Error::input(what).on_line(&place, number);
            let read = reader.read_line(&mut line).map_err(|e| fault(e.to_string()))?;
            if read == 0 {
                break;
            }
            let Some(text) = line.strip_suffix('\n') else {
                cut = header.is_some();
                break;
            };
            let Some(header) = &header else {
                if let Some(old) = older(text) {
                    return Err(fault(old));
                }
                let first: ProgressHeader = unseal(&place, number, text)?;
                header = Some(first);
                continue;
            };
            let chunk: ChunkLine = unseal(&place, number, text)?;
            let sums = chunk.sums.row(header.integers).filter(|_| chunk.chunk < header.chunks);
            let sums = sums
                .ok_or_else(|| fault("the chunk does not belong to this experiment".to_owned()))?;
            let tally = Tally { deals: chunk.deals, sums };
            if chunks.insert(chunk.chunk, tally).is_some() {
                return Err(fault(format!("chunk {} is there twice", chunk.chunk)));
            }
        }
        let header = header.ok_or_else(|| {
            Error::input("there is no whole header; the run must begin again").on_line(&place, 1)
        })?;
        Ok((Progress { header, chunks, path: path.to_owned(), file: None }, cut))
    }

    /// Opens the file to go on, without what a cut-off line left behind.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn reopen(&mut self) -> Result<()> {
        // Rewritten whole, so that whatever a cut-off line left behind is gone.
        self.save()?;
        self.open()
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

    /// Writes the file anew with its chunks in order, so that its bytes do not tell in which order
    /// they were finished.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self) -> Result<()> {
        let mut text = seal(&self.header);
        for (&chunk, tally) in &self.chunks {
            text += &seal(&ChunkLine::of(chunk, tally));
        }
        write_whole(&self.path, text)
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
    use super::*;

    fn header() -> ProgressHeader {
        ProgressHeader {
            format: FORMAT,
            experiment: "x".to_owned(),
            plan: Portable {
                name: "x".to_owned(),
                about: String::new(),
                game: "leopard".to_owned(),
                origin: None,
                digest: None,
                variants: Vec::new(),
                strategies: Vec::new(),
                schedule: super::super::Schedule::RoundRobin,
                tables: Vec::new(),
                deals: 12,
                seed: 1,
                until: None,
                confirm: false,
                control: false,
            },
            digest: "0123456789abcdef".to_owned(),
            program: "p".to_owned(),
            chunks: 4,
            integers: 2,
            counts: "0123456789abcdef".to_owned(),
            hands: false,
            records: false,
            shard: None,
        }
    }

    fn written() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(Progress::FILE);
        let mut progress = Progress::create(&path, header()).unwrap();
        for chunk in [2, 0] {
            progress.add(chunk, Tally { deals: 3, sums: vec![chunk as i64, -7] }).unwrap();
        }
        (folder, path)
    }

    #[test]
    fn what_was_written_is_read() {
        let (_folder, path) = written();
        let (progress, cut) = Progress::read(&path).unwrap();
        assert!(!cut);
        assert_eq!(progress.header, header());
        assert_eq!(progress.chunks.keys().copied().collect::<Vec<_>>(), [0, 2]);
        assert_eq!(progress.chunks[&2].sums, [2, -7]);
    }

    #[test]
    fn a_line_cut_off_at_any_place_costs_only_itself() {
        let (_folder, path) = written();
        let whole = std::fs::read(&path).unwrap();
        let last = whole[..whole.len() - 1].iter().rposition(|&b| b == b'\n').unwrap() + 1;
        for end in last..whole.len() {
            std::fs::write(&path, &whole[..end]).unwrap();
            let (progress, cut) = Progress::read(&path).unwrap();
            assert_eq!(progress.chunks.len(), 1);
            assert_eq!(cut, end > last);
        }
    }

    #[test]
    fn an_edited_line_is_named() {
        let (_folder, path) = written();
        let text = std::fs::read_to_string(&path).unwrap().replace("[2,-7]", "[3,-7]");
        std::fs::write(&path, text).unwrap();
        let said = Progress::read(&path).unwrap_err().to_string();
        assert!(said.contains("line 2: its checksum does not fit"), "{said}");
    }
}
