//! Progress files: the finished chunks of a run, from which it is resumed and shards are merged.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::checkpoint::CheckpointStore;
use super::checksummed_line::{Line, checksummed_line};
use super::encoded_tally::EncodedTally;
use super::progress_header::FORMAT;
use super::{PartialChunk, PlanInfo, ProgressHeader, Resolved, Shard, Tally};
use parlour_base::error::{Error, Kind, Result};
use parlour_base::files::{AtomicFile, Lines, TextLine, cannot_write};

/// The maximum length of a line in megabytes: 20,000 tables of some 1,500 bytes, and reserves.
const MAX_LINE_MB: u64 = 256;

/// A finished chunk, as a line of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChunkLine {
    chunk: u64,
    deals: u64,
    sums: EncodedTally,
}

fn chunk_line(chunk: u64, tally: &Tally) -> String {
    let sums = EncodedTally::encode(tally);
    checksummed_line(&ChunkLine { chunk, deals: tally.deals, sums })
}

impl ProgressHeader {
    /// Reads the header of a progress file.
    ///
    /// # Errors
    /// Bad input if the file cannot be read or its first line was cut or edited.
    pub fn read(path: &Path) -> Result<ProgressHeader> {
        ProgressReader::open(path).map(|reader| reader.header)
    }
}

/// Reads the finished chunks of a file one by one.
pub struct ProgressReader {
    /// The header of the file.
    pub header: ProgressHeader,
    file: String,
    lines: Lines,
    seen: BTreeSet<u64>,
    cut: Option<usize>,
}

impl ProgressReader {
    /// Opens a file and reads its header.
    ///
    /// # Errors
    /// Bad input if the file cannot be read or its first line was cut or edited.
    pub fn open(path: &Path) -> Result<ProgressReader> {
        let file = path.display().to_string();
        let mut lines = Lines::open(path, MAX_LINE_MB, "line of a progress file")?;
        let Some(line) = lines.next().transpose()?.filter(|line| line.ended) else {
            let what = "the header is incomplete; start the run again";
            return Err(Error::input(what).on_line(&file, 1));
        };
        let header = read_header(&Line { file: &file, number: 1, text: &line.text })?;
        Ok(ProgressReader { header, file, lines, seen: BTreeSet::new(), cut: None })
    }

    /// Reads the next chunk, given the plan's tally of no deals. Returns `None` at the end.
    ///
    /// # Errors
    /// Bad input with the line number if the file cannot be read or the line was edited.
    pub fn next(&mut self, empty: &Tally) -> Result<Option<(u64, Tally)>> {
        let Some(TextLine { number, text, ended }) = self.lines.next().transpose()? else {
            return Ok(None);
        };
        if !ended {
            self.cut = Some(number);
            return Ok(None);
        }
        let line = Line { file: &self.file, number, text: &text };
        let ChunkLine { chunk, deals, sums } = line.parse()?;
        let resolved = &self.header.resolved;
        let is_expected = || {
            let expected = resolved.deals_in(chunk, self.header.shard);
            deals == expected.end - expected.start
        };
        if chunk >= resolved.chunks() || !is_expected() {
            return Err(line.error("the chunk does not belong to this experiment"));
        }
        let tally = sums.decode(deals, empty).map_err(|what| line.error(what))?;
        match self.seen.insert(chunk) {
            true => Ok(Some((chunk, tally))),
            false => Err(line.error(format!("chunk {chunk} is duplicated"))),
        }
    }

    /// Returns the number of the last line if it was cut off while it was written. Its chunk was not
    /// returned.
    pub fn cut_line(&self) -> Option<usize> {
        self.cut
    }
}

fn read_header(line: &Line<'_>) -> Result<ProgressHeader> {
    let peek: Value = serde_json::from_str(line.text).unwrap_or_default();
    let (format, program) = (&peek["body"]["format"], &peek["body"]["program"]);
    if let Some(format) = format.as_u64().filter(|format| *format != FORMAT) {
        return Err(line.error(format!(
            "format {format} of {} is not supported (this program reads {FORMAT}); {}",
            program.as_str().unwrap_or_default(),
            match format > FORMAT {
                true => "use a later program",
                false => "run the experiment again",
            }
        )));
    }
    let header: ProgressHeader = line.parse()?;
    if let Some(Shard { part, of }) = header.shard {
        Shard::new(part, of).map_err(|what| line.error(what))?;
    }
    Ok(header)
}

/// The finished chunks of a run, and the file that holds them.
#[derive(Debug)]
pub struct Progress {
    /// The header of the file.
    pub header: ProgressHeader,
    /// The tallies by chunk.
    pub chunks: BTreeMap<u64, Tally>,
    /// Chunks that are only partly played.
    pub partial: BTreeMap<u64, PartialChunk>,
    /// `true` if the last line of the file was cut off while it was written. Its chunk is dropped.
    pub is_cut: bool,
    path: Option<PathBuf>,
    pub(super) checkpoints: Arc<CheckpointStore>,
}

impl Progress {
    /// The file's name in a result folder.
    pub const FILE: &'static str = "progress.jsonl";

    /// Creates the progress of a run without a file.
    pub fn in_memory(header: ProgressHeader) -> Progress {
        let checkpoints = Arc::new(CheckpointStore::open(None));
        let (chunks, partial) = (BTreeMap::new(), BTreeMap::new());
        Progress { header, chunks, partial, is_cut: false, path: None, checkpoints }
    }

    /// Moves the progress to a file, which is not yet written.
    #[must_use]
    pub fn at(self, path: &Path) -> Progress {
        let checkpoints = Arc::new(CheckpointStore::open(Some(path)));
        Progress { path: Some(path.to_owned()), checkpoints, ..self }
    }

    /// Creates a file without chunks.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn create(path: &Path, header: ProgressHeader) -> Result<Progress> {
        let progress = Progress::in_memory(header).at(path);
        progress.save()?;
        Ok(progress)
    }

    /// Reads a file, given the plan's tally of no deals.
    ///
    /// # Errors
    /// Bad input with the line number if the file cannot be read or a line was edited.
    pub fn read(path: &Path, empty: &Tally) -> Result<Progress> {
        let mut reader = ProgressReader::open(path)?;
        let mut chunks = BTreeMap::new();
        while let Some((chunk, tally)) = reader.next(empty)? {
            chunks.insert(chunk, tally);
        }
        let is_cut = reader.cut_line().is_some();
        Ok(Progress { chunks, is_cut, ..Progress::in_memory(reader.header) }.at(path))
    }

    /// Resumes the run of a file, which may have fewer deals, or creates the file.
    ///
    /// # Errors
    /// Bad input if the file holds another run; a failure if it cannot be written.
    pub fn resume(
        path: &Path,
        header: ProgressHeader,
        plan: &PlanInfo,
        allow_other_build: bool,
    ) -> Result<Progress> {
        if !path.exists() {
            return Progress::create(path, header);
        }
        // The header first: the chunks of another experiment cannot be read.
        let (old, shard) = (ProgressHeader::read(path)?, header.shard);
        let mut new = old.clone();
        new.resume_with(&header, allow_other_build)
            .map_err(|why| Error::input(format!("cannot resume from {}: {why}", path.display())))?;
        let mut progress = Progress { header: new, ..Progress::read(path, &plan.empty)? };
        if old.digest == progress.header.digest {
            let missing = (0..plan.chunks()).filter(|chunk| !progress.chunks.contains_key(chunk));
            for chunk in missing {
                let deals = plan.resolved.deals_in(chunk, shard);
                let partial = progress.checkpoints.load(plan, &old.digest, chunk, deals)?;
                progress.partial.extend(partial.map(|partial| (chunk, partial)));
            }
        } else {
            progress.divide_again(&old.resolved, plan);
            // Checkpoints first: until the header names the new experiment, they are ignored.
            let digest = &progress.header.digest;
            let mut partial = progress.partial.iter();
            partial.try_for_each(|(&chunk, it)| progress.checkpoints.save(digest, chunk, it))?;
        }
        // The rewritten file has no cut line.
        progress.save()?;
        Ok(progress)
    }

    /// Divides the deals of a shorter run into the chunks of this one. Old chunks that cross a new
    /// border are lost.
    fn divide_again(&mut self, old: &Resolved, plan: &PlanInfo) {
        let shard = self.header.shard;
        let chunks = std::mem::take(&mut self.chunks).into_iter();
        let mut pieces =
            chunks.map(|(chunk, tally)| (old.deals_in(chunk, shard), tally)).peekable();
        for chunk in 0..plan.chunks() {
            let deals = plan.resolved.deals_in(chunk, shard);
            if deals.is_empty() {
                continue;
            }
            let mut partial = PartialChunk::new(&plan.empty);
            while let Some((piece, tally)) = pieces.next_if(|(piece, _)| piece.end <= deals.end) {
                if piece.start >= deals.start {
                    partial.tally.merge(&tally);
                    partial.mark_completed(piece);
                }
            }
            if partial.tally.deals == deals.end - deals.start {
                self.chunks.insert(chunk, partial.tally);
            } else if !partial.is_empty() {
                self.partial.insert(chunk, partial);
            }
        }
    }

    /// Adds a finished chunk, also to the file.
    ///
    /// # Errors
    /// If it cannot be written; the file then ends with the last complete line.
    pub fn add(&mut self, chunk: u64, tally: Tally) -> Result<()> {
        if let Some(path) = &self.path {
            append(path, &chunk_line(chunk, &tally)).map_err(|e| cannot_write(path, &e))?;
        }
        self.chunks.insert(chunk, tally);
        self.checkpoints.remove(chunk);
        self.checkpoints.save_time()
    }

    /// Rewrites the file with its chunks in order, so that its bytes do not depend on the order in
    /// which they were finished.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self) -> Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        let chunks = self.chunks.iter().map(|(&chunk, tally)| chunk_line(chunk, tally));
        let mut file = AtomicFile::create(path)?;
        for line in std::iter::once(checksummed_line(&self.header)).chain(chunks) {
            file.write_all(line.as_bytes()).map_err(|error| cannot_write(path, &error))?;
        }
        file.finish()
    }

    /// Adds to a failure of the run from where it can be resumed.
    pub(super) fn explain(&self, error: Error) -> Error {
        let Some(path) = self.path.as_ref().filter(|_| error.kind() == Kind::Failed) else {
            return error;
        };
        match self.chunks.len() {
            _ if !path.exists() => {
                error.with_note("; the folder was removed, nothing is left of the run")
            }
            0 => error.with_note("; `--resume` continues from what was saved"),
            saved => error.with_note(&format!(
                "; {saved} finished chunks are saved, `--resume` continues from there"
            )),
        }
    }

    /// Returns the tallies in chunk order.
    pub fn tallies(&self) -> Vec<Tally> {
        self.chunks.values().cloned().collect()
    }

    /// Returns the tallies of all deals played, including those of unfinished chunks.
    pub fn tallies_so_far(&self) -> Vec<Tally> {
        let partial = self.partial.values().map(|partial| &partial.tally);
        self.chunks.values().chain(partial).filter(|tally| tally.deals > 0).cloned().collect()
    }

    /// Drops the chunks from number `chunks` on.
    pub fn truncate(&mut self, chunks: u64) {
        self.chunks.retain(|chunk, _| *chunk < chunks);
        self.partial.clear();
    }

    /// Returns the time that all parts of the run took.
    pub fn time(&self) -> Duration {
        self.checkpoints.time()
    }

    /// Removes the checkpoints of a finished run.
    pub fn remove_checkpoints(&self) {
        self.checkpoints.remove_if_empty();
    }
}

fn append(path: &Path, line: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().append(true).open(path)?;
    let end = file.seek(SeekFrom::End(0))?;
    file.write_all(line.as_bytes()).inspect_err(|_| {
        // A cut line would be dropped on reading; this only tidies up.
        let _ = file.set_len(end);
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Experiment, Inputs, Resolved, TableTally};
    use super::*;

    fn header() -> ProgressHeader {
        ProgressHeader {
            format: FORMAT,
            resolved: Resolved {
                name: "x".to_owned(),
                experiment: Experiment { deals: 12, ..Experiment::new("leopard") },
                tables: Vec::new(),
                judge: None,
                swept: Default::default(),
            },
            digest: "0123456789abcdef".to_owned(),
            inputs: Inputs::default(),
            program: "p".to_owned(),
            accepted_programs: Vec::new(),
            hands: false,
            records: false,
            shard: None,
        }
    }

    fn empty() -> Tally {
        Tally { tables: vec![TableTally::default()], ..Tally::default() }
    }

    fn saved() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(Progress::FILE);
        let mut progress = Progress::create(&path, header()).unwrap();
        for chunk in [2, 0] {
            let table = TableTally { matches: chunk, lead: -7, ..TableTally::default() };
            progress
                .add(chunk, Tally { deals: 1, tables: vec![table], ..Tally::default() })
                .unwrap();
        }
        (folder, path)
    }

    #[test]
    fn a_progress_file_round_trips() {
        let (_folder, path) = saved();
        let progress = Progress::read(&path, &empty()).unwrap();
        assert!(!progress.is_cut);
        assert_eq!(progress.header, header());
        assert_eq!(progress.chunks.keys().copied().collect::<Vec<_>>(), [0, 2]);
        assert_eq!(progress.chunks[&2].tables[0].matches, 2);
        assert_eq!(progress.chunks[&2].tables[0].lead, -7);
    }

    #[test]
    fn a_cut_line_loses_only_its_own_chunk() {
        let (_folder, path) = saved();
        let whole = std::fs::read(&path).unwrap();
        let last = whole[..whole.len() - 1].iter().rposition(|&b| b == b'\n').unwrap() + 1;
        for end in last..whole.len() {
            std::fs::write(&path, &whole[..end]).unwrap();
            let progress = Progress::read(&path, &empty()).unwrap();
            assert_eq!(progress.chunks.len(), 1);
            assert_eq!(progress.is_cut, end > last);
        }
    }

    #[test]
    fn an_edited_line_is_an_error() {
        let (_folder, path) = saved();
        let text =
            std::fs::read_to_string(&path).unwrap().replace("\"lead\":[-7]", "\"lead\":[-6]");
        std::fs::write(&path, text).unwrap();
        let message = Progress::read(&path, &empty()).unwrap_err().to_string();
        assert!(message.contains("line 2: the checksum does not match"), "{message}");
    }
}
