//! Progress files: a header and the finished chunks of a run, from which it is resumed and shards
//! are merged.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::checkpoint::{TIME_FILE, load_checkpoint, read_time, save_checkpoint};
use super::progress_line::EncodedTally;
use super::{
    CHECKPOINT_DIR, Input, Inputs, PartialChunk, PlanInfo, Resolved, Shard, Tally, save_time,
};
use parlour_base::Program;
use parlour_base::error::{Error, Kind, Result, ensure};
use parlour_base::files::{
    AtomicFile, ChecksummedLine, Lines, TextLine, cannot_write, checksummed_line, difference,
    is_special, open_own, remove_dir, sync,
};
use parlour_base::time::Instant;

/// The maximum length of a line in megabytes: 20,000 tables of some 1,500 bytes, and reserves.
const MAX_LINE_MB: u64 = 256;

/// The format of progress files that this program reads and writes.
const FORMAT: u64 = 4;

/// The first line of a progress file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgressHeader {
    /// The version of the file format.
    pub format: u64,
    /// The complete experiment.
    #[serde(rename = "experiment")]
    pub resolved: Resolved,
    /// The digest of the experiment.
    pub digest: String,
    /// The sources of the experiment and its strategies.
    pub inputs: Inputs,
    /// The program that started the run: its version and the fingerprint of its sources.
    pub program: String,
    /// Other programs that continued the run; the user has confirmed that their results are the
    /// same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepted_programs: Vec<String>,
    /// `true` if every hand is listed.
    pub hands: bool,
    /// `true` if every hand is recorded.
    pub records: bool,
    /// `true` if these lists are Parquet files.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub parquet: bool,
    /// The shard; `None` for the whole run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

impl ProgressHeader {
    /// Creates the header of a run of this plan.
    pub fn of(
        plan: &PlanInfo,
        program: Program,
        hands: bool,
        records: bool,
        shard: Option<Shard>,
    ) -> Self {
        ProgressHeader {
            format: FORMAT,
            resolved: plan.resolved.clone(),
            digest: plan.digest.clone(),
            inputs: plan.inputs.clone(),
            program: program.to_string(),
            accepted_programs: Vec::new(),
            hands,
            records,
            parquet: false,
            shard,
        }
    }

    /// Reads the header of a progress file.
    ///
    /// # Errors
    /// Bad input if the file cannot be read or its first line was cut or edited.
    pub fn read(path: &Path) -> Result<ProgressHeader> {
        open(path).map(|(header, _)| header)
    }

    /// Reads a finished chunk of the run. `empty` is the plan's tally of no deals.
    ///
    /// # Errors
    /// Bad input if the line was cut or edited, or belongs to another run.
    pub fn read_chunk(&self, line: &ChecksummedLine<'_>, empty: &Tally) -> Result<(u64, Tally)> {
        let ChunkLine { chunk, deals, sums } = line.parse()?;
        let is_expected = || deals == self.resolved.deals_in(chunk, self.shard).count() as u64;
        ensure(chunk < self.resolved.chunks() && is_expected(), || {
            line.error("the chunk does not belong to this experiment")
        })?;
        let tally = sums.decode(deals, empty).map_err(|what| line.error(what))?;
        Ok((chunk, tally))
    }

    fn parse(line: &ChecksummedLine<'_>) -> Result<ProgressHeader> {
        let peek: Value = serde_json::from_str(line.text).unwrap_or_default();
        if let Some(format) = peek["body"]["format"].as_u64().filter(|format| *format != FORMAT) {
            let program = peek["body"]["program"].as_str().unwrap_or("(unknown)");
            return Err(line.error(format!(
                "format {format} of parlour {program} is not supported (this program reads {FORMAT}); {}",
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

    /// Updates the header to resume the run as `new` requests, with as many deals or more.
    ///
    /// # Errors
    /// The first difference, as a sentence that follows the file's name.
    pub fn resume_with(
        &mut self,
        new: &ProgressHeader,
        allow_other_build: bool,
    ) -> std::result::Result<(), String> {
        let [had, wanted] = [&*self, new].map(|header| header.resolved.experiment.deals);
        // If more than the number of deals differs, the message names the other difference.
        let mut as_before = new.clone();
        as_before.resolved.experiment.deals = had;
        as_before.digest = as_before.resolved.digest();
        self.merge(&as_before, allow_other_build)?;
        ensure(self.shard == new.shard, || "it holds another shard of the run".to_owned())?;
        ensure(wanted >= had, || {
            format!("the run has {had} deals; `--deals` must be at least {had}")
        })?;
        ensure(wanted == had || !(self.hands || self.records), || {
            format!(
                "the run has lists of hands (`--hands`, `--records`) and cannot be extended; use `--out` \
                 or `--replace` to play {wanted} deals"
            )
        })?;
        if wanted > had {
            self.resolved = new.resolved.clone();
            self.digest.clone_from(&new.digest);
        }
        Ok(())
    }

    /// Adds the programs of another header of the same run, whose chunks are to be merged.
    ///
    /// # Errors
    /// The first difference, as a sentence that follows the file's name. Another program is an error
    /// unless `allow_other_build` is set.
    pub fn merge(
        &mut self,
        other: &ProgressHeader,
        allow_other_build: bool,
    ) -> std::result::Result<(), String> {
        let (old, new) = (&self.resolved, &other.resolved);
        ensure(old.name == new.name, || {
            format!("it belongs to the experiment `{}`, not to `{}`", old.name, new.name)
        })?;
        if self.digest != other.digest {
            return Err(format!("the experiment has changed: {}", first_difference(old, new)));
        }
        let lists = |header: &ProgressHeader| (header.hands, header.records, header.parquet);
        if lists(self) != lists(other) {
            let fault =
                "it was started with other `--hands`, `--records` or `--format`; use the same";
            return Err(fault.into());
        }
        let known: Vec<String> = self.programs().collect();
        for program in other.programs().filter(|program| !known.contains(program)) {
            ensure(allow_other_build, || {
                let written = match other.program == program {
                    true => format!("it was written by {}", self.program),
                    false => "a player's program has changed".to_owned(),
                };
                format!(
                    "{written}, this is {program}; start again with `--replace` or another `--out`, or, if \
                     both give identical results, continue with `--allow-other-build`"
                )
            })?;
            self.accepted_programs.push(program);
        }
        Ok(())
    }

    /// Lists all programs that play: this one, others that continued the run, and those of external
    /// players, with the digests of their files.
    fn programs(&self) -> impl Iterator<Item = String> {
        let own = std::iter::once(&self.program).chain(&self.accepted_programs).cloned();
        own.chain(self.inputs.strategies.iter().flat_map(
            |Input { name, files, version, .. }| {
                let file = move |(file, sha256)| format!("`{file}` of `{name}` (SHA-256 {sha256})");
                let version =
                    version.iter().map(move |version| format!("version {version} of `{name}`"));
                files.iter().map(file).chain(version)
            },
        ))
    }
}

/// Describes the first difference of two resolved experiments.
fn first_difference(old: &Resolved, new: &Resolved) -> String {
    let [old, new] = [old, new].map(|resolved| {
        let mut fields = json!(resolved);
        for other in ["about", "question"] {
            fields[other].take();
        }
        fields
    });
    let text = difference(&old, &new).unwrap_or_default();
    let hint = "; restore the judge file that `luck_adjusted` names, or start again with `--out` or `--replace`";
    if text.starts_with("`judge`") { text + hint } else { text }
}

/// A finished chunk, as a line of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChunkLine {
    chunk: u64,
    deals: u64,
    sums: EncodedTally,
}

/// Returns a finished chunk as a line of a progress file.
pub fn chunk_line(chunk: u64, tally: &Tally) -> String {
    let sums = EncodedTally::encode(tally);
    checksummed_line(&ChunkLine { chunk, deals: tally.deals, sums })
}

/// Opens a progress file and reads its header.
fn open(path: &Path) -> Result<(ProgressHeader, Lines)> {
    let file = path.display().to_string();
    ensure(!is_special(path), || Error::input("it is not a regular file").in_file(&file))?;
    let mut lines = Lines::open(path, MAX_LINE_MB, "line of a progress file")?;
    let Some(line) = lines.next().transpose()?.filter(|line| line.ended) else {
        let what = "the header is incomplete; start the run again";
        return Err(Error::input(what).on_line(&file, 1));
    };
    let header =
        ProgressHeader::parse(&ChecksummedLine { file: &file, number: 1, text: &line.text })?;
    Ok((header, lines))
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
    /// The time that earlier parts of the run took.
    earlier: Duration,
    start: Instant,
}

impl Progress {
    /// The file's name in a result folder.
    pub const FILE: &'static str = "progress.jsonl";

    /// Creates the progress of a run without a file.
    pub fn in_memory(header: ProgressHeader) -> Progress {
        let (chunks, partial) = (BTreeMap::new(), BTreeMap::new());
        let (earlier, start) = (Duration::ZERO, Instant::now());
        Progress { header, chunks, partial, is_cut: false, path: None, earlier, start }
    }

    /// Moves the progress to a file, which is not yet written.
    #[must_use]
    pub fn at(self, path: &Path) -> Progress {
        Progress { path: Some(path.to_owned()), earlier: read_time(path), ..self }
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
        let (header, lines) = open(path)?;
        let (file, mut progress) = (path.display().to_string(), Progress::in_memory(header));
        for line in lines {
            let TextLine { number, text, ended } = line?;
            progress.is_cut = !ended;
            if progress.is_cut {
                break;
            }
            let line = ChecksummedLine { file: &file, number, text: &text };
            let (chunk, tally) = progress.header.read_chunk(&line, empty)?;
            let repeated = progress.chunks.insert(chunk, tally);
            ensure(repeated.is_none(), || line.error(format!("chunk {chunk} is duplicated")))?;
        }
        Ok(progress.at(path))
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
        let old = ProgressHeader::read(path)?;
        let mut new = old.clone();
        new.resume_with(&header, allow_other_build)
            .map_err(|why| Error::input(format!("cannot resume from {}: {why}", path.display())))?;
        let mut progress = Progress { header: new, ..Progress::read(path, &plan.empty)? };
        if old.digest == progress.header.digest {
            for chunk in 0..plan.resolved.chunks() {
                let file = progress.checkpoint_file(chunk).filter(|file| file.exists());
                if let Some(file) = file.filter(|_| !progress.chunks.contains_key(&chunk)) {
                    let deals = plan.resolved.deals_in(chunk, progress.header.shard);
                    let partial = load_checkpoint(&file, plan, &old.digest, chunk, &deals)?;
                    progress.partial.extend(partial.map(|partial| (chunk, partial)));
                }
            }
        } else {
            progress.divide_again(&old.resolved, plan);
            // Checkpoints first: until the header names the new experiment, they are ignored.
            let mut partial = progress.partial.iter();
            partial.try_for_each(|(&chunk, it)| progress.save_checkpoint(chunk, it))?;
        }
        // The rewritten file has no cut line.
        progress.save()?;
        Ok(progress)
    }

    /// Divides the deals of a shorter run into the chunks of this one. Old chunks that cross a new
    /// border, or that follow a missing one, are lost.
    fn divide_again(&mut self, old: &Resolved, plan: &PlanInfo) {
        let shard = self.header.shard;
        let chunks = std::mem::take(&mut self.chunks).into_iter();
        let mut pieces = chunks.map(|(chunk, sums)| (old.deals_in(chunk, shard), sums)).peekable();
        for chunk in 0..plan.resolved.chunks() {
            let deals = plan.resolved.deals_in(chunk, shard);
            if deals.is_empty() {
                continue;
            }
            let mut partial = PartialChunk::new(&plan.empty);
            while let Some((piece, tally)) = pieces.next_if(|(piece, _)| piece.end <= deals.end) {
                if piece.start >= deals.start && partial.mark_completed(piece) {
                    partial.tally.merge(&tally);
                }
            }
            if partial.next_deal(&deals).is_none() {
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
        // A chunk with a checkpoint took long: its line is synced before the checkpoint is removed.
        let checkpoint = self.checkpoint_file(chunk).filter(|file| file.exists());
        if let Some(path) = &self.path {
            let line = chunk_line(chunk, &tally);
            append(path, &line, checkpoint.is_some()).map_err(|e| cannot_write(path, &e))?;
        }
        self.chunks.insert(chunk, tally);
        _ = checkpoint.map(std::fs::remove_file);
        self.save_time()
    }

    fn checkpoint_file(&self, chunk: u64) -> Option<PathBuf> {
        let path = self.path.as_ref()?;
        Some(path.with_file_name(CHECKPOINT_DIR).join(format!("{chunk:06}")))
    }

    fn save_time(&self) -> Result<()> {
        let folder = self.path.as_ref().map(|path| path.parent().unwrap_or(Path::new(".")));
        folder.map_or(Ok(()), |folder| save_time(folder, self.time().as_secs_f64()))
    }

    /// Saves a partial chunk and the time taken. Does nothing if the run has no folder.
    pub(super) fn save_checkpoint(&self, chunk: u64, partial: &PartialChunk) -> Result<()> {
        let Some(file) = self.checkpoint_file(chunk) else { return Ok(()) };
        self.save_time()?;
        save_checkpoint(&file, chunk, &self.header.digest, partial)
    }

    /// Removes the checkpoints of a finished run, unless their folder holds more than the time.
    pub fn remove_checkpoints(&self) {
        let Some(path) = &self.path else { return };
        let dir = path.with_file_name(CHECKPOINT_DIR);
        let mut entries = std::fs::read_dir(&dir).into_iter().flatten().flatten();
        if entries.all(|entry| entry.file_name() == TIME_FILE) {
            remove_dir(&dir);
        }
    }

    /// Returns the lines of the file.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let chunks = self.chunks.iter().map(|(&chunk, tally)| chunk_line(chunk, tally));
        std::iter::once(checksummed_line(&self.header)).chain(chunks)
    }

    /// Rewrites the file with its chunks in order, so that its bytes do not depend on the order in
    /// which they were finished.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self) -> Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        let mut file = AtomicFile::create(path)?;
        for line in self.lines() {
            file.write_all(line.as_bytes()).map_err(|error| cannot_write(path, &error))?;
        }
        file.finish().map(drop)
    }

    /// Adds to a failure of the run from where it can be resumed.
    #[must_use]
    pub fn explain(&self, error: Error) -> Error {
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

    /// Returns the tallies in chunk order, without the results of single deals.
    pub fn tallies(&self) -> Vec<Tally> {
        self.chunks.values().map(|tally| Tally { results: None, ..tally.clone() }).collect()
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
        self.earlier + self.start.elapsed()
    }
}

fn append(path: &Path, line: &str, must_sync: bool) -> std::io::Result<()> {
    let mut file = open_own(path, File::options().append(true))?;
    let end = file.seek(SeekFrom::End(0))?;
    let written = file.write_all(line.as_bytes());
    written.and_then(|()| if must_sync { sync(&file) } else { Ok(()) }).inspect_err(|_| {
        // A cut line would be dropped on reading; this only tidies up.
        let _ = file.set_len(end);
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Experiment, TableTally};
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
            parquet: false,
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
