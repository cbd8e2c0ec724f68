//! `manifest.json`: the experiment, the program, counts and digests of a finished run; and the check
//! that a folder still matches it.

use std::path::Path;
use std::time::Duration;

use itertools::Itertools;
use serde_json::{Map, Value, json};

use crate::table::Table;
use crate::units::count;
use parlour_arena::{DynPlan, Input, Progress, ProgressHeader, Shard};
use parlour_base::Program;
use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::{
    cannot_read, cannot_write, digest, digest_file, pretty, read_text, write_atomic,
};
use parlour_base::time::SystemTime;

/// Name of the manifest, which only a finished run has.
pub(super) const MANIFEST: &str = "manifest.json";

/// The tables of the search that a run confirms.
pub(super) const OF_SEARCH: [&str; 2] = ["rule_sets.csv", "effects.csv"];

/// Describes the time that a run took: the only results that do not follow from experiment and
/// program. `started` is the start of the last session, `elapsed` the time of all sessions.
pub(super) fn timing(start: SystemTime, time: Duration, threads: usize, resumed: usize) -> Value {
    json!({
        "started_unix": unix_seconds(start),
        "finished_unix": unix_seconds(SystemTime::now()),
        "seconds": time.as_millis() as f64 / 1000.0,
        "threads": threads,
        "resumed_chunks": resumed,
    })
}

fn unix_seconds(time: SystemTime) -> u64 {
    time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs()
}

/// Reads the manifest of a folder; `None` if this program wrote none.
pub(super) fn read(folder: &Path) -> Option<Value> {
    let manifest: Value = serde_json::from_str(&read_text(&folder.join(MANIFEST)).ok()?).ok()?;
    let is_own = manifest["program"]["name"] == "parlour" && manifest["files"].is_object();
    is_own.then_some(manifest)
}

/// Describes finished results: name, size and age.
pub(super) fn description(manifest: &Value) -> String {
    let name = match (manifest["experiment"]["name"].as_str(), manifest["protocol"].as_str()) {
        (Some(name), _) => format!("a finished run of `{name}`"),
        (None, Some(protocol)) => format!("results of `{protocol}`"),
        (None, None) => "finished results".to_owned(),
    };
    let size = ["deal", "case"].into_iter().find_map(|noun| {
        let size = manifest["counts"][format!("{noun}s")].as_u64()?;
        Some(format!(", {}", count(size, noun)))
    });
    let seconds = |field: &str| manifest["timing"][field].as_f64();
    let ended = seconds("finished_unix")
        .or_else(|| Some(seconds("started_unix")? + seconds("seconds").unwrap_or(0.0)));
    let age = ended.map(|ended| unix_seconds(SystemTime::now()).saturating_sub(ended as u64));
    let age = age.map(|seconds| {
        let units = [(86_400, "day"), (3600, "hour"), (60, "minute")];
        let largest = units.into_iter().find(|(unit, _)| seconds >= *unit);
        let age = largest.map(|(unit, name)| count(seconds / unit, name));
        format!(", from {} ago", age.unwrap_or_else(|| "less than a minute".to_owned()))
    });
    name + &size.unwrap_or_default() + &age.unwrap_or_default()
}

/// Writes the manifest of a run. It is written last: a folder with a manifest is finished.
pub(super) fn write_of_run(
    folder: &Path,
    playable: &dyn DynPlan,
    program: Program,
    progress: &Progress,
    files: &[&str],
    timing: Value,
) -> Result<()> {
    let plan = playable.info();
    let strategies = plan.inputs.strategies.iter().zip(&progress.header.inputs.strategies);
    let strategy = |(now, begun): (&Input, &Input)| {
        let (files, version) = (begun.files.clone(), begun.version.clone());
        let (about, text, tuned_under) = Default::default();
        Input { about, files, version, text, tuned_under, ..now.clone() }
    };
    let strategies: Vec<Input> = strategies.map(strategy).collect();
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
    write(folder, program, contents, files.iter().map(ToString::to_string), timing)
}

/// Returns the resources of strategies with their digests as an object.
pub fn digest_map(knowledge: Vec<(&'static str, String)>) -> Map<String, Value> {
    knowledge.into_iter().map(|(name, sha)| (name.to_owned(), sha.into())).collect()
}

/// Writes a manifest with program, machine, and digests of the existing files.
pub(super) fn write(
    folder: &Path,
    program: Program,
    contents: Value,
    files: impl Iterator<Item = String>,
    mut timing: Value,
) -> Result<()> {
    let Program { version, source, revision } = program;
    let mut manifest = json!({
        "format": 1,
        "program": { "name": "parlour", "version": version, "source": source, "revision": revision },
    });
    for (name, part) in contents.as_object().into_iter().flatten() {
        manifest[name] = part.clone();
    }
    manifest["files"] = json!({});
    for name in files.flat_map(|name| existing(folder, name)) {
        let digest = digest_file(&folder.join(&name)).map_err(Error::as_failed)?;
        manifest["files"][name] = digest.into();
    }
    manifest["results_digest"] = results_digest(&manifest).into();
    timing["machine"] = json!({
        "os": std::env::consts::OS,
        "architecture": std::env::consts::ARCH,
        "cores": std::thread::available_parallelism().map_or(0, usize::from),
    });
    manifest["timing"] = timing;
    write_atomic(&folder.join(MANIFEST), pretty(&manifest) + "\n")
}

/// Returns a name if it is a file, or the names of the files in it if it is a folder.
pub(super) fn existing(folder: &Path, name: String) -> Vec<String> {
    let path = folder.join(&name);
    match std::fs::read_dir(&path) {
        Ok(entries) => {
            let files = entries.flatten().map(|entry| entry.file_name());
            files.map(|file| format!("{name}/{}", file.to_string_lossy())).sorted().collect()
        }
        Err(_) if path.exists() => vec![name],
        Err(_) => Vec::new(),
    }
}

/// Returns the digest of what was found: of the names and digests of the tables. It does not depend on
/// the origin of the experiment's file, on the time, or on lists of hands.
fn results_digest(manifest: &Value) -> String {
    let files = manifest["files"].as_object().into_iter().flatten();
    let tables = files.filter(|(name, _)| is_derived(name)).sorted_by_key(|(name, _)| *name);
    digest(tables.map(|(name, digest)| format!("{name} {digest}\n")).collect::<String>())
}

/// Rewrites the tables of a finished run and their digests. Meanwhile the folder has no manifest: an
/// interrupted rewrite leaves an unfinished run, which `--resume` completes.
pub(super) fn rewrite_tables(folder: &Path, program: Program, tables: &[Table]) -> Result<()> {
    let path = folder.join(MANIFEST);
    let mut manifest = checked(folder)?;
    std::fs::remove_file(&path).map_err(|error| cannot_write(&path, &error))?;
    for table in tables {
        table.write(folder)?;
        let digest = digest_file(&folder.join(table.file())).map_err(Error::as_failed)?;
        manifest["files"][table.file()] = digest.into();
    }
    manifest["results_digest"] = results_digest(&manifest).into();
    manifest["tables_by"] = program.to_string().into();
    write_atomic(&path, pretty(&manifest) + "\n")
}

/// Reads the manifest of a finished run.
fn checked(folder: &Path) -> Result<Value> {
    let path = folder.join(MANIFEST);
    let fault = |what: String| Error::input(format!("{}: {what}", path.display()));
    ensure(path.exists(), || {
        let (place, name) = (path.display(), folder.display());
        match ProgressHeader::read(&folder.join(Progress::FILE))
            .ok()
            .and_then(|header| header.shard)
        {
            Some(Shard { part, of }) => Error::input(format!(
                "{name} holds shard {part} of {of}; combine all shards with `parlour merge`"
            )),
            None => Error::input(format!("{place} is missing: {name} has no finished run")),
        }
    })?;
    let manifest: Value = serde_json::from_str(&read_text(&path)?)
        .map_err(|error| fault(format!("{error}; the file was cut or edited")))?;
    ensure(manifest["format"] == 1, || {
        let format = manifest["format"].as_u64().map_or("missing".to_owned(), |f| f.to_string());
        fault(format!("its format is {format}; this program reads format 1"))
    })?;
    ensure(manifest["files"].is_object(), || fault("field `files` is missing".to_owned()))?;
    Ok(manifest)
}

/// Returns `true` for a table that follows from the tallies.
pub(super) fn is_derived(name: &str) -> bool {
    name.ends_with(".csv") && name != "hands.csv" && !OF_SEARCH.contains(&name)
}

/// Checks that a finished folder holds the files of its manifest unchanged: those whose names are to
/// be checked.
///
/// # Errors
/// Bad input that names the file and its fault.
pub(super) fn check_files(folder: &Path, is_checked: impl Fn(&str) -> bool) -> Result<()> {
    let manifest = checked(folder)?;
    let files = manifest["files"].as_object().into_iter().flatten();
    for (name, digest) in files.filter(|(name, _)| is_checked(name)) {
        let file = folder.join(name);
        let is_unchanged = digest.as_str() == Some(&digest_file(&file)?);
        ensure(is_unchanged, || {
            Error::input(format!(
                "{} was cut or edited since the run: its SHA-256 differs from manifest.json; {}",
                file.display(),
                match is_derived(name) {
                    true => "`parlour report FOLDER --tables` writes the tables again",
                    false => "restore the file or repeat the run",
                }
            ))
        })?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Column;

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
