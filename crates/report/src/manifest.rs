//! `manifest.json`: the experiment, the program, counts and digests of a finished run; and the check
//! that a folder still matches it.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::run_dir::{IfExists, MANIFEST, REPORT_PAGE, RunDir};
use super::table::Table;
use parlour_arena::{DynPlan, Progress};
use parlour_base::Program;
use parlour_base::error::Error;
use parlour_base::error::Result;
use parlour_base::files::{cannot_read, cannot_write, parse_json, pretty, read_text, write_atomic};

/// Time and place of a run: the only results that do not follow from experiment and program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timing {
    /// Start of the last session.
    pub started: SystemTime,
    /// Total time of all sessions.
    pub elapsed: Duration,
    pub threads: usize,
    pub resumed_chunks: usize,
}

fn unix_seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// Writes the manifest of a run. It is written last: a folder with a manifest is finished.
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
    // Other builds that played a part of the chunks.
    let all = std::iter::once(&progress.header.program).chain(&progress.header.accepted_programs);
    let others: Vec<&String> = all.filter(|p| **p != program.to_string()).collect();
    let mut contents = json!({
        "other_programs": others,
        "experiment": plan.resolved,
        "experiment_digest": progress.header.digest,
        "inputs": {
            "experiment": source.map(|s| json!({ "from": s.from, "sha256": s.sha256 })),
            "strategies": strategies,
            "knowledge": digest_map(playable.knowledge()),
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
        contents["not_reproducible"] = json!(unrepeatable);
    }
    let timing = json!({
        "started_unix": unix_seconds(timing.started),
        "finished_unix": unix_seconds(SystemTime::now()),
        "seconds": timing.elapsed.as_millis() as f64 / 1000.0,
        "threads": timing.threads,
        "resumed_chunks": timing.resumed_chunks,
    });
    write_manifest(folder, program, contents, files, timing)
}

/// The folder of a study, whose results are not those of a run.
#[derive(Debug)]
pub struct StudyDir(RunDir, Program);

impl StudyDir {
    /// Creates and locks a folder.
    ///
    /// # Errors
    /// Bad input if the folder holds results that must stay, or is in use.
    pub fn open(folder: &Path, if_exists: IfExists, program: Program) -> Result<StudyDir> {
        Ok(StudyDir(RunDir::open(folder, if_exists, None)?, program))
    }

    /// The folder to write to.
    pub fn path(&self) -> &Path {
        &self.0.work
    }

    /// Writes tables, page and manifest. `contents` and `timing` are objects of the manifest. Everything
    /// but timing, and times in tables, must be a function of `contents` and the program.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(
        self,
        contents: Value,
        tables: &[Table],
        page: String,
        timing: Value,
    ) -> Result<()> {
        let StudyDir(dir, program) = self;
        tables.iter().try_for_each(|table| table.write(&dir.work))?;
        write_atomic(&dir.work.join(REPORT_PAGE), page)?;
        let page = std::iter::once(REPORT_PAGE.to_owned());
        let files: Vec<String> = tables.iter().map(Table::file).chain(page).collect();
        write_manifest(&dir.work, program, contents, &files, timing)?;
        dir.finish()
    }
}

/// Returns the resources of strategies with their digests as an object.
pub fn digest_map(knowledge: Vec<(&'static str, String)>) -> Map<String, Value> {
    knowledge.into_iter().map(|(name, sha)| (name.to_owned(), sha.into())).collect()
}

/// Writes a manifest with program, machine, and digests of the existing files.
fn write_manifest(
    folder: &Path,
    program: Program,
    contents: Value,
    files: &[impl AsRef<str>],
    mut timing: Value,
) -> Result<()> {
    let mut manifest = json!({ "format": 1, "program": {
        "name": "parlour",
        "version": program.version,
        "source": program.source,
        "revision": program.revision,
    } });
    for (name, part) in contents.as_object().into_iter().flatten() {
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
    write_atomic(&folder.join(MANIFEST), pretty(&manifest) + "\n")
}

/// Rewrites the tables of a finished run and their digests. Meanwhile the folder has no manifest: an
/// interrupted rewrite leaves an unfinished run, which `--resume` completes.
pub(super) fn rewrite_tables(folder: &Path, program: Program, tables: &[Table]) -> Result<()> {
    let path = folder.join(MANIFEST);
    let mut manifest: Value = parse_json(&path.display().to_string(), &read_text(&path)?)?;
    std::fs::remove_file(&path).map_err(|error| cannot_write(&path, &error))?;
    for table in tables {
        table.write(folder)?;
        let file = folder.join(table.file());
        let digest = digest_file(&file).map_err(|error| cannot_read(&file, &error).as_failed())?;
        manifest["files"][table.file()] = digest.into();
    }
    manifest["tables_by"] = program.to_string().into();
    write_atomic(&path, pretty(&manifest) + "\n")
}

/// Checks that a finished folder holds every file of its manifest unchanged. Tables that follow from
/// the tallies are checked only with `with_tables`.
///
/// # Errors
/// Bad input that names the file and its fault.
pub(super) fn check_files(folder: &Path, with_tables: bool) -> Result<()> {
    let path = folder.join(MANIFEST);
    let fault = |what: String| Error::input(format!("{}: {what}", path.display()));
    if !path.exists() {
        let (place, folder) = (path.display(), folder.display());
        return Err(Error::input(format!("{place} is missing: {folder} has no finished run")));
    }
    let manifest: Value = serde_json::from_str(&read_text(&path)?)
        .map_err(|error| fault(format!("{error}; the file was cut or edited")))?;
    if manifest["format"] != 1 {
        let format = manifest["format"].as_u64().map_or("missing".to_owned(), |f| f.to_string());
        return Err(fault(format!("its format is {format}; this program reads format 1")));
    }
    let files = manifest["files"].as_object();
    for (name, digest) in files.ok_or_else(|| fault("field `files` is missing".to_owned()))? {
        let is_derived = name.ends_with(".csv") && name != "hands.csv";
        if is_derived && !with_tables {
            continue;
        }
        let file = folder.join(name);
        let found = digest_file(&file).map_err(|error| cannot_read(&file, &error))?;
        if digest.as_str() != Some(&found) {
            return Err(Error::input(format!(
                "{} was cut or edited since the run: its SHA-256 differs from manifest.json; {}",
                file.display(),
                match is_derived {
                    true => "`parlour report FOLDER --tables` writes the tables again",
                    false => "restore the file or repeat the run",
                }
            )));
        }
    }
    Ok(())
}

/// Checks that a CSV file has only known columns, in order. Columns may be missing: an older program
/// did not know the figure.
///
/// # Errors
/// Bad input that names the first unknown column.
pub(super) fn check_columns(folder: &Path, table: &Table) -> Result<()> {
    let path = folder.join(table.file());
    let fault = |what: String| Error::input(format!("{}: line 1: {what}", path.display()));
    let mut reader = csv::Reader::from_path(&path).map_err(|error| cannot_read(&path, &error))?;
    let found = reader.headers().map_err(|e| fault(e.to_string()))?;
    let mut known = table.heads().collect::<Vec<_>>().into_iter();
    for (index, head) in (1..).zip(found) {
        let next = known.as_slice().first().map(|name| format!("`{name}`"));
        if !known.any(|known| known == head) {
            let next = next.unwrap_or_else(|| "no column".to_owned());
            return Err(fault(format!(
                "column {index} is `{head}`, this version expects {next}; the file is from another version, so run the experiment again",
            )));
        }
    }
    Ok(())
}

/// Returns the SHA-256 of a file of any size.
fn digest_file(file: &Path) -> io::Result<String> {
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
    use super::*;
    use crate::table::Column;

    #[test]
    fn the_digest_of_a_file_is_that_of_its_bytes() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let bytes = vec![7; 100_000];
        std::fs::write(file.path(), &bytes).unwrap();
        assert_eq!(digest_file(file.path()).unwrap(), parlour_base::files::digest(bytes));
    }

    #[test]
    fn columns_may_be_missing_but_not_unknown() {
        let here = tempfile::tempdir().unwrap();
        let columns = ["a", "b", "c"].map(|name| Column {
            heads: vec![name.to_owned()],
            kind: "text",
            unit: String::new(),
            meaning: String::new(),
        });
        let table = Table { name: "t".to_owned(), columns: columns.to_vec(), ..Table::default() };
        let check = |heads: &str| {
            std::fs::write(here.path().join("t.csv"), format!("{heads}\n")).unwrap();
            check_columns(here.path(), &table).map_err(|error| {
                error.to_string().replace(&here.path().display().to_string(), "FOLDER")
            })
        };
        assert_eq!((check("a,b,c"), check("a,c")), (Ok(()), Ok(())));
        insta::assert_snapshot!(check("a,x,c").unwrap_err(), @"FOLDER/t.csv: line 1: column 2 is `x`, this version expects `b`; the file is from another version, so run the experiment again");
        insta::assert_snapshot!(check("b,a").unwrap_err(), @"FOLDER/t.csv: line 1: column 2 is `a`, this version expects `c`; the file is from another version, so run the experiment again");
        insta::assert_snapshot!(check("a,b,c,d").unwrap_err(), @"FOLDER/t.csv: line 1: column 4 is `d`, this version expects no column; the file is from another version, so run the experiment again");
    }
}
