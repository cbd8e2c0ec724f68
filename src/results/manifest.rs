//! What was run, by which program, and what came of it.

use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::arena::{Bots, Plan, Progress};
use crate::error::Result;
use crate::files::write_whole;
use crate::strategy::Strategic;

/// How long a run took, and where: the only part of the results that is not a function of the
/// experiment and the program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timing {
    pub started: SystemTime,
    pub took: Duration,
    pub threads: usize,
    pub resumed_chunks: usize,
}

/// The program that this is.
pub(super) fn program() -> Value {
    json!({
        "name": "parlour",
        "version": env!("CARGO_PKG_VERSION"),
        "source": env!("PARLOUR_SOURCE"),
        "revision": crate::REVISION,
    })
}

/// Where it runs.
pub(super) fn machine() -> Value {
    json!({
        "os": std::env::consts::OS,
        "architecture": std::env::consts::ARCH,
        "cores": std::thread::available_parallelism().map_or(0, usize::from),
    })
}

/// Writes `manifest.json`, last of all: a folder that has one is finished.
pub(super) fn write<G: Strategic>(
    folder: &Path,
    plan: &Plan<G>,
    progress: &Progress,
    files: &[&str],
    timing: Timing,
) -> Result<()> {
    let mut digests = serde_json::Map::new();
    for name in files {
        if let Ok(file) = std::fs::File::open(folder.join(name)) {
            digests.insert((*name).to_owned(), Value::String(digest_file(file)));
        }
    }
    let source = plan.inputs.experiment.as_ref();
    let strategies = plan.inputs.strategies.iter();
    let strategies: Vec<Value> =
        strategies.map(|s| json!({ "name": s.name, "from": s.from, "sha256": s.sha256 })).collect();
    let specs = plan.bots.iter().filter_map(Bots::spec);
    let kinds: Vec<&G::Kind> = specs.map(|spec| &spec.kind).collect();
    let knowledge: serde_json::Map<String, Value> =
        G::knowledge(&kinds).into_iter().map(|(name, sha)| (name.to_owned(), sha.into())).collect();
    let deals: u64 = progress.chunks.values().map(|t| t.deals).sum();
    let matches: u64 = plan.tables.iter().map(|t| t.line_up.len() as u64).sum();
    let seconds = |d: Duration| (d.as_secs_f64() * 1000.0).round() / 1000.0;
    let since_1970 = timing.started.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    // This program stands apart; those that played another part of the chunks are named too.
    let all = std::iter::once(&progress.header.program).chain(&progress.header.vouched);
    let others: Vec<&String> = all.filter(|p| **p != crate::program()).collect();
    let manifest = json!({
        "format": 1,
        "program": program(),
        "other_programs": others,
        "experiment": plan.resolved,
        "experiment_digest": progress.header.digest,
        "inputs": {
            "experiment": source.map(|s| json!({ "from": s.from, "sha256": s.sha256 })),
            "strategies": strategies,
            "knowledge": knowledge,
        },
        "counts": {
            "deals": deals,
            "chunks": progress.chunks.len(),
            "tables": plan.tables.len(),
            "matches": deals * matches,
            "hands": deals * plan.hands_per_deal(),
        },
        "files": digests,
        "timing": {
            "started_unix": since_1970.as_secs(),
            "seconds": seconds(timing.took),
            "threads": timing.threads,
            "resumed_chunks": timing.resumed_chunks,
            "machine": machine(),
        },
    });
    let text = serde_json::to_string_pretty(&manifest).expect("plain data") + "\n";
    write_whole(&folder.join("manifest.json"), text)
}

/// The digest of a file of any size.
pub(super) fn digest_file(file: std::fs::File) -> String {
    use sha2::{Digest, Sha256};
    let mut hash = Sha256::new();
    let mut reader = std::io::BufReader::new(file);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match std::io::Read::read(&mut reader, &mut buffer) {
            Ok(0) | Err(_) => break,
            Ok(n) => hash.update(&buffer[..n]),
        }
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_file_has_the_digest_of_its_bytes() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let bytes = vec![7; 100_000];
        std::fs::write(file.path(), &bytes).unwrap();
        let read = std::fs::File::open(file.path()).unwrap();
        assert_eq!(super::digest_file(read), crate::files::digest(bytes));
    }
}
