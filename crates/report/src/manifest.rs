//! What was run, by which program, and what came of it.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::site::{Existing, Site};
use super::{Table, report};
use crate::arena::{DynPlan, Progress};
use crate::files::{cannot_read, cannot_write, parse_json, read_text, write_atomic};
use crate::{Program, Result};

/// How long a run took, and where: the only part of the results that is not a function of the
/// experiment and the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timing {
    /// When its last leg began.
    pub started: SystemTime,
    /// How long it took, in all its legs.
    pub took: Duration,
    pub threads: usize,
    pub resumed_chunks: usize,
}

/// Writes the `manifest.json` of a run, last of all: a folder that has one is finished.
pub(super) fn write(
    folder: &Path,
    playable: &dyn DynPlan,
    program: Program,
    progress: &Progress,
    files: &[&str],
    timing: Timing,
) -> Result<()> {
    let plan = playable.info();
    let strategies = plan.inputs.strategies.iter();
    let strategies: Vec<Value> =
        strategies.map(|s| json!({ "name": s.name, "from": s.from, "sha256": s.sha256 })).collect();
    let source = plan.inputs.experiment.as_ref();
    let deals: u64 = progress.chunks.values().map(|t| t.deals).sum();
    let matches: u64 = plan.tables.iter().map(|t| t.line_up.len() as u64).sum();
    // This program stands apart; those that played another part of the chunks are named too.
    let all = std::iter::once(&progress.header.program).chain(&progress.header.accepted_programs);
    let others: Vec<&String> = all.filter(|p| **p != program.to_string()).collect();
    let since_1970 = timing.started.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let mut what = json!({
        "other_programs": others,
        "experiment": plan.resolved,
        "experiment_digest": progress.header.digest,
        "inputs": {
            "experiment": source.map(|s| json!({ "from": s.from, "sha256": s.sha256 })),
            "strategies": strategies,
            "knowledge": named(playable.knowledge()),
        },
        "counts": {
            "deals": deals,
            "chunks": progress.chunks.len(),
            "tables": plan.tables.len(),
            "matches": deals * matches,
            "hands": deals * plan.hands_per_deal(),
        },
    });
    let unrepeatable: Vec<&str> = plan.resolved.unrepeatable().collect();
    if !unrepeatable.is_empty() {
        what["repeats_only_as_far_as"] = json!(unrepeatable);
    }
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let timing = json!({
        "started_unix": since_1970.as_secs(),
        "finished_unix": now.as_secs(),
        "seconds": timing.took.as_millis() as f64 / 1000.0,
        "threads": timing.threads,
        "resumed_chunks": timing.resumed_chunks,
    });
    write_manifest(folder, program, what, files, timing)
}

/// The folder of something played that is no run.
#[derive(Debug)]
pub struct Protocol(Site, Program);

impl Protocol {
    /// Takes a folder for it. What the folder holds stays or is replaced.
    ///
    /// # Errors
    /// Bad input when the folder holds what must stay, or is in use.
    pub fn take(folder: &Path, existing: Existing, program: Program) -> Result<Protocol> {
        Ok(Protocol(Site::take(folder, existing, None)?, program))
    }

    /// Where it is written.
    pub fn path(&self) -> &Path {
        &self.0.work
    }

    /// Writes its tables, its page and its manifest: `what` it was, and its `timing`, are objects. All
    /// but the timing, and times in the tables, must be a function of `what` and the program.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write(self, what: Value, tables: &[Table], page: String, timing: Value) -> Result<()> {
        let Protocol(site, program) = self;
        tables.iter().try_for_each(|table| table.write(&site.work))?;
        write_atomic(&site.work.join(report::FILE), page)?;
        let page = std::iter::once(report::FILE.to_owned());
        let files: Vec<String> = tables.iter().map(Table::file).chain(page).collect();
        write_manifest(&site.work, program, what, &files, timing)?;
        site.finish()
    }
}

/// What strategies know beside their files, with digests, as a manifest shows it.
pub fn named(knowledge: Vec<(&'static str, String)>) -> Map<String, Value> {
    knowledge.into_iter().map(|(name, sha)| (name.to_owned(), sha.into())).collect()
}

/// Writes what was run, by which program and where, with digests of those of these files that there
/// are.
fn write_manifest(
    folder: &Path,
    program: Program,
    what: Value,
    files: &[impl AsRef<str>],
    mut timing: Value,
) -> Result<()> {
    let mut manifest = json!({ "format": 1, "program": {
        "name": "parlour",
        "version": program.version,
        "source": program.source,
        "revision": program.revision,
    } });
    for (name, part) in what.as_object().into_iter().flatten() {
        manifest[name] = part.clone();
    }
    manifest["files"] = json!({});
    for name in files {
        let file = folder.join(name.as_ref());
        match digest_file(&file) {
            Ok(digest) => manifest["files"][name.as_ref()] = digest.into(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(cannot_read(&file, &error).as_failed()),
        }
    }
    timing["machine"] = json!({
        "os": std::env::consts::OS,
        "architecture": std::env::consts::ARCH,
        "cores": std::thread::available_parallelism().map_or(0, usize::from),
    });
    manifest["timing"] = timing;
    let text = crate::files::pretty(&manifest) + "\n";
    write_atomic(&folder.join("manifest.json"), text)
}

/// Writes tables of a finished folder again, and the manifest with their digests. It stands aside
/// meanwhile: without one the folder is not finished, and `--resume` makes it whole.
pub(super) fn rewrite(folder: &Path, program: Program, tables: &[Table]) -> Result<()> {
    let path = folder.join("manifest.json");
    let mut manifest: Value = parse_json(&path.display().to_string(), &read_text(&path)?)?;
    std::fs::remove_file(&path).map_err(|error| cannot_write(&path, &error))?;
    for table in tables {
        table.write(folder)?;
        let file = folder.join(table.file());
        let digest = digest_file(&file).map_err(|error| cannot_read(&file, &error).as_failed())?;
        manifest["files"][table.file()] = digest.into();
    }
    manifest["tables_by"] = program.to_string().into();
    let text = crate::files::pretty(&manifest) + "\n";
    write_atomic(&path, text)
}

/// The digest of a file of any size.
pub(super) fn digest_file(file: &Path) -> io::Result<String> {
    let (mut hash, mut reader) = (Sha256::new(), BufReader::new(File::open(file)?));
    while let bytes @ [_, ..] = reader.fill_buf()? {
        hash.update(bytes);
        let read = bytes.len();
        reader.consume(read);
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_file_has_the_digest_of_its_bytes() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let bytes = vec![7; 100_000];
        std::fs::write(file.path(), &bytes).unwrap();
        assert_eq!(super::digest_file(file.path()).unwrap(), crate::files::digest(bytes));
    }
}
