//! The file of finished chunks, from which a run is resumed and shards are merged.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::begun::Parts;
use super::chunk_lines::sealed_chunk;
use super::sealed::seal;
use super::{Begun, ChunkLines, Outline, ProgressHeader, Resolved, Tally};
use crate::error::{Error, Kind, Result};
use crate::files::{AtomicFile, cannot_write};

/// The finished chunks of a run, and the file that holds them.
#[derive(Debug)]
pub struct Progress {
    /// What they belong to.
    pub header: ProgressHeader,
    /// The tallies by chunk.
    pub chunks: BTreeMap<u64, Tally>,
    /// What was played of others.
    pub begun: BTreeMap<u64, Begun>,
    /// Whether the last line of the file that was read was cut off while it was written. The chunk
    /// on it is not among these.
    pub cut: bool,
    path: Option<PathBuf>,
    parts: Arc<Parts>,
}

/// Writes down what was played of chunks that are not finished.
pub(super) struct Keeper {
    parts: Arc<Parts>,
    digest: String,
}

impl Keeper {
    /// Writes down what was played of a chunk.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&self, chunk: u64, begun: &Begun) -> Result<()> {
        self.parts.write(&self.digest, chunk, begun)?;
        self.parts.note_time()
    }
}

impl Progress {
    /// The file's name in a result folder.
    pub const FILE: &'static str = "progress.jsonl";

    /// Begins a file with no chunk.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create(path: &Path, header: ProgressHeader) -> Result<Progress> {
        let progress = Progress::in_memory(header).at(path);
        progress.save()?;
        Ok(progress)
    }

    /// Begins a file, or goes on with the one that is there, of a run of as many deals or of fewer.
    ///
    /// # Errors
    /// Bad input when the file holds another run; a failure when it cannot be written.
    pub fn resume(
        path: &Path,
        header: ProgressHeader,
        plan: &Outline,
        same_program: bool,
    ) -> Result<Progress> {
        if !path.exists() {
            return Progress::create(path, header);
        }
        let was = ProgressHeader::read(path)?;
        let mut is = was.clone();
        is.go_on(&header, same_program)
            .map_err(|why| Error::input(format!("cannot resume from {}: {why}", path.display())))?;
        let mut progress = Progress { header: is, ..Progress::read(path, &plan.empty)? };
        if was.digest == progress.header.digest {
            let missing = (0..plan.chunks()).filter(|chunk| !progress.chunks.contains_key(chunk));
            for chunk in missing {
                let deals = plan.resolved.deals_in(chunk, header.shard);
                let begun = progress.parts.read(plan, &was.digest, chunk, deals)?;
                progress.begun.extend(begun.map(|begun| (chunk, begun)));
            }
        } else {
            progress.lay_out(&was.experiment, plan);
            // First the parts: until the header is the new one, they are not looked at.
            let keeper = progress.keeper();
            progress.begun.iter().try_for_each(|(&chunk, begun)| keeper.keep(chunk, begun))?;
        }
        // Rewritten whole, so that whatever a cut-off line left behind is gone.
        progress.save()?;
        Ok(progress)
    }

    /// Divides the deals of a run of fewer deals into the chunks of this one. What lies across a
    /// border is lost.
    fn lay_out(&mut self, was: &Resolved, plan: &Outline) {
        let old = std::mem::take(&mut self.chunks);
        let shard = self.header.shard;
        let old = old.into_iter().map(|(chunk, tally)| (was.deals_in(chunk, shard), tally));
        let mut old = old.peekable();
        for chunk in 0..plan.chunks() {
            let deals = plan.resolved.deals_in(chunk, shard);
            if deals.is_empty() {
                continue;
            }
            let mut begun = Begun::nothing(&plan.empty);
            while let Some((piece, tally)) = old.next_if(|(piece, _)| piece.end <= deals.end) {
                if piece.start >= deals.start {
                    begun.tally.merge(&tally);
                    begun.enter(piece);
                }
            }
            if begun.tally.deals == deals.end - deals.start {
                self.chunks.insert(chunk, begun.tally);
            } else if !begun.is_nothing() {
                self.begun.insert(chunk, begun);
            }
        }
    }

    /// What writes down chunks that are not finished.
    pub(super) fn keeper(&self) -> Keeper {
        Keeper { parts: Arc::clone(&self.parts), digest: self.header.digest.clone() }
    }

    /// How long the run has taken, in all its legs.
    pub fn time(&self) -> Duration {
        self.parts.time()
    }

    /// Notes that the run is finished: nothing is left of the parts of its chunks.
    pub fn tidy(&self) {
        self.parts.tidy();
    }

    /// Finished chunks that no file holds.
    pub fn in_memory(header: ProgressHeader) -> Progress {
        let parts = Arc::new(Parts::beside(None));
        let (chunks, begun) = (BTreeMap::new(), BTreeMap::new());
        Progress { header, chunks, begun, cut: false, path: None, parts }
    }

    /// Reads a file, given the plan's tally of no deals.
    ///
    /// # Errors
    /// Bad input when the file cannot be read, or a line is not what was written: the line is
    /// named.
    pub fn read(path: &Path, empty: &Tally) -> Result<Progress> {
        let mut lines = ChunkLines::open(path)?;
        let mut chunks = BTreeMap::new();
        while let Some((chunk, tally)) = lines.next(empty)? {
            chunks.insert(chunk, tally);
        }
        let cut = lines.cut().is_some();
        let progress = Progress { chunks, cut, ..Progress::in_memory(lines.header) }.at(path);
        Ok(progress)
    }

    /// Adds a finished chunk, in the file too.
    ///
    /// # Errors
    /// When it cannot be written; the file then ends with the last whole line.
    pub fn add(&mut self, chunk: u64, tally: Tally) -> Result<()> {
        if let Some(path) = &self.path {
            append(path, &sealed_chunk(chunk, &tally)).map_err(|e| cannot_write(path, &e))?;
        }
        self.chunks.insert(chunk, tally);
        self.parts.remove(chunk);
        self.parts.note_time()
    }

    /// An error of the run, with what a resumption can go on from.
    pub(super) fn after(&self, error: Error) -> Error {
        let Some(path) = self.path.as_ref().filter(|_| error.kind() == Kind::Failed) else {
            return error;
        };
        match self.chunks.len() {
            _ if !path.exists() => {
                error.with_note("; the folder was removed, nothing is left of the run")
            }
            0 => error.with_note("; `--resume` goes on from what was written before"),
            kept => error.with_note(&format!(
                "; {kept} finished chunks are kept, `--resume` goes on from there"
            )),
        }
    }

    /// Writes the file anew with its chunks in order, so that its bytes do not tell in which order
    /// they were finished. Chunks in memory have no file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self) -> Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        let chunks = self.chunks.iter().map(|(&chunk, tally)| sealed_chunk(chunk, tally));
        let mut file = AtomicFile::create(path)?;
        for line in std::iter::once(seal(&self.header)).chain(chunks) {
            file.write_all(line.as_bytes()).map_err(|error| cannot_write(path, &error))?;
        }
        file.finish()
    }

    /// The tallies in order of their chunks.
    pub fn tallies(&self) -> Vec<Tally> {
        self.chunks.values().cloned().collect()
    }

    /// The tallies of all deals that were played, those of unfinished chunks included.
    pub fn tallies_so_far(&self) -> Vec<Tally> {
        let begun = self.begun.values().map(|begun| &begun.tally);
        self.chunks.values().chain(begun).filter(|tally| tally.deals > 0).cloned().collect()
    }

    /// Forgets the chunks from this one on.
    pub fn cut(&mut self, chunks: u64) {
        self.chunks.retain(|chunk, _| *chunk < chunks);
        self.begun.clear();
    }

    /// The same chunks as a file elsewhere.
    #[must_use]
    pub fn at(self, path: &Path) -> Progress {
        Progress { path: Some(path.to_owned()), parts: Arc::new(Parts::beside(Some(path))), ..self }
    }
}

fn append(path: &Path, line: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().append(true).open(path)?;
    let end = file.seek(SeekFrom::End(0))?;
    file.write_all(line.as_bytes()).inspect_err(|_| {
        // What is left of the line would be dropped on reading; this only tidies up.
        let _ = file.set_len(end);
    })
}

#[cfg(test)]
mod tests {
    use super::super::header::FORMAT;
    use super::super::{Experiment, Inputs, Resolved, TableTally};
    use super::*;

    fn header() -> ProgressHeader {
        ProgressHeader {
            format: FORMAT,
            experiment: Resolved {
                name: "x".to_owned(),
                experiment: Experiment { deals: 12, ..Experiment::new("leopard") },
                tables: Vec::new(),
                judge: None,
                swept: Default::default(),
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

    fn empty() -> Tally {
        Tally { tables: vec![TableTally::default()], ..Tally::default() }
    }

    fn written() -> (tempfile::TempDir, PathBuf) {
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
    fn what_was_written_is_read() {
        let (_folder, path) = written();
        let progress = Progress::read(&path, &empty()).unwrap();
        assert!(!progress.cut);
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
            let progress = Progress::read(&path, &empty()).unwrap();
            assert_eq!(progress.chunks.len(), 1);
            assert_eq!(progress.cut, end > last);
        }
    }

    #[test]
    fn an_edited_line_is_named() {
        let (_folder, path) = written();
        let text =
            std::fs::read_to_string(&path).unwrap().replace("\"lead\":[-7]", "\"lead\":[-6]");
        std::fs::write(&path, text).unwrap();
        let said = Progress::read(&path, &empty()).unwrap_err().to_string();
        assert!(said.contains("line 2: its checksum does not fit"), "{said}");
    }
}
