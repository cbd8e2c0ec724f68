//! Bundles: a folder with everything that a paper needs from a finished run, and with the digests of
//! all its files.

mod latex;
mod picture;

use std::fs;
use std::path::Path;

use chrono::DateTime;
use itertools::Itertools;
use serde_json::{Map, Value, json};

use crate::folder::Folder;
use crate::manifest::{self, MANIFEST, OF_SEARCH, existing};
use crate::report;
use crate::run_dir::RESULT_FILES;
use crate::summary::Summary;
use crate::text_report::run_report;
use latex::{escaped, latex};
use parlour_arena::{
    Catalogue, LuckAdjusted, Progress, ProgressHeader, ResolvedStrategy, write_parquet,
};
use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::{
    cannot_read, compact, copy_atomic, create_dir, digest, digest_file, named_in, parse_json,
    pretty, read_text, rename, write_atomic,
};
use parlour_game::network::{network_copy, read_network};

/// Name of the file with the digests, which `sha256sum --check` reads.
const DIGESTS: &str = "SHA256SUMS";

/// Name of the metadata of RO-Crate, which list all files but the digests.
const CRATE: &str = "ro-crate-metadata.json";

/// The description of a run: names and texts.
type Description = [(&'static str, String); 7];

fn description(header: &ProgressHeader, summary: &Summary, manifest: &Value) -> Description {
    let lists = [
        (header.hands, " --hands"),
        (header.records, " --records"),
        (header.parquet, " --format parquet"),
    ];
    let lists: String = lists.iter().filter(|list| list.0).map(|list| list.1).collect();
    let of_program = |field: &str| manifest["program"][field].as_str().unwrap_or("unknown");
    let [version, source, revision] = ["version", "source", "revision"].map(of_program);
    let finished = manifest["timing"]["finished_unix"].as_i64().unwrap_or(0);
    let finished = DateTime::from_timestamp(finished, 0).unwrap_or_default();
    [
        ("name", header.resolved.name.clone()),
        ("question", summary.answer.question.clone()),
        ("answer", summary.answer.text()),
        ("command", format!("parlour run BUNDLE --out FOLDER{lists}")),
        ("program", format!("parlour {version} (source {source}, revision {revision})")),
        ("version", version.to_owned()),
        ("date", finished.date_naive().to_string()),
    ]
}

/// Fills a template with the texts of a description.
fn filled(template: &str, run: &Description, escape: fn(&str) -> String) -> String {
    run.iter().fold(template.to_owned(), |filled, (name, text)| {
        filled.replace(&format!("@{name}@"), &escape(text))
    })
}

/// Escapes a text between the quotation marks of JSON or YAML.
fn quoted(text: &str) -> String {
    let quoted = compact(&text.replace('`', ""));
    quoted[1..quoted.len() - 1].to_owned()
}

/// Returns `true` if a folder is a bundle, perhaps a damaged one.
pub fn is_bundle(folder: &Path) -> bool {
    [DIGESTS, CRATE].iter().any(|name| folder.join(name).is_file())
}

/// Checks all files of a bundle against their digests.
///
/// # Errors
/// Bad input that names the first file that is missing or differs.
pub fn check_bundle(bundle: &Path) -> Result<()> {
    let digests = read_text(&bundle.join(DIGESTS))?;
    let check = |name: &str| {
        let file = bundle.join(name);
        let line = format!("{}  {name}", digest_file(&file)?);
        ensure(digests.lines().any(|listed| listed == line), || {
            Error::input(format!(
                "{}: the file has changed since the bundle was made, or its line in {DIGESTS}; use an unchanged copy of the bundle",
                file.display()
            ))
        })
    };
    check(CRATE)?;
    let metadata: Value = parse_json(CRATE, &read_text(&bundle.join(CRATE))?)?;
    let parts = metadata["@graph"][1]["hasPart"].as_array().into_iter().flatten();
    parts.filter_map(|part| part["@id"].as_str()).try_for_each(check)
}

/// Returns the first table in which two runs differ, lists of hands aside.
pub fn differing_table(run: &Path, other: &Path) -> Option<&'static str> {
    let digest = |folder: &Path, name: &str| digest_file(&folder.join(name)).ok();
    let mut tables =
        RESULT_FILES.into_iter().filter(|it| it.ends_with(".csv") && *it != "hands.csv");
    tables.find(|name| digest(run, name) != digest(other, name))
}

/// Writes the bundle of a finished run into a new folder. Returns the summary of the run.
///
/// # Errors
/// Bad input if there is no finished run, or the folder exists; a failure if it cannot be written.
pub fn write_bundle(run: &Path, out: &Path, games: &dyn Catalogue) -> Result<Summary> {
    ensure(!is_bundle(run), || {
        let run = run.display();
        Error::input(format!("{run} is a bundle already; name the folder of a finished run"))
    })?;
    let (header, summary) = Folder::new(run).read(games, true)?;
    ensure(!out.exists(), || {
        let out = out.display();
        Error::input(format!("{out} exists already; choose another folder with `--out`"))
    })?;
    let folder = out.parent().unwrap_or(out);
    create_dir(folder)?;
    // Removed with everything in it if the bundle cannot be completed.
    let temporary = tempfile::Builder::new().prefix(".writing-").tempdir_in(folder);
    let temporary = temporary.map_err(|error| {
        Error::failed(format!("cannot create the folder {}: {error}", out.display()))
    })?;
    let new = temporary.path().join("new");
    let written = fill(&new, run, &header, &summary).and_then(|()| rename(&new, out));
    written.map_err(|error| {
        let [unfinished, out] = [&new, out].map(|path| path.display().to_string());
        Error::new(error.kind(), error.to_string().replace(&unfinished, &out))
    })?;
    Ok(summary)
}

/// Writes all files.
fn fill(out: &Path, run: &Path, header: &ProgressHeader, summary: &Summary) -> Result<()> {
    create_dir(out)?;
    for name in RESULT_FILES.into_iter().filter(|name| run.join(name).exists()) {
        create_dir(out.join(name).parent().unwrap_or(out))?;
        copy_atomic(&run.join(name), &out.join(name))?;
    }
    copy_networks(out, header)?;
    let run = description(header, summary, &manifest::read(run).unwrap_or_default());
    let paper = filled(include_str!("paper.tex"), &run, escaped);
    let floats = write_tables(out, summary)? + &write_figures(out, header, summary)?;
    write_atomic(&out.join("paper.tex"), paper + &floats + "\\end{document}\n")?;
    let readme = filled(include_str!("README.md"), &run, str::to_owned);
    write_atomic(&out.join("README.md"), readme)?;
    let citation = filled(include_str!("CITATION.cff"), &run, quoted);
    write_atomic(&out.join("CITATION.cff"), citation)?;
    let entries = fs::read_dir(out).map_err(|error| cannot_read(out, &error))?.flatten();
    let entries = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).sorted();
    let files: Vec<String> = entries.flat_map(|name| existing(out, name)).collect();
    write_atomic(&out.join(CRATE), crate_metadata(&run, &files)?)?;
    let names = files.iter().map(String::as_str).chain([CRATE]);
    let line = |name: &str| Ok(format!("{}  {name}\n", digest_file(&out.join(name))?));
    let lines: Vec<String> = names.map(line).collect::<Result<_>>()?;
    write_atomic(&out.join(DIGESTS), lines.concat())
}

/// Returns the metadata of RO-Crate, which list these files.
fn crate_metadata(run: &Description, files: &[String]) -> Result<String> {
    let metadata = filled(include_str!("ro-crate.json"), run, quoted);
    let mut metadata: Value = parse_json(CRATE, &metadata)?;
    let ids = |is_wanted: fn(&str) -> bool| -> Value {
        let files = files.iter().filter(|name| is_wanted(name));
        files.map(|name| json!({ "@id": name })).collect()
    };
    let graph = &mut metadata["@graph"];
    graph[1]["hasPart"] = ids(|_| true);
    graph[2]["object"] = ids(|name| name == MANIFEST || name.starts_with("inputs/"));
    graph[2]["result"] = ids(|name| name == Progress::FILE || name.starts_with("tables/"));
    let file = |name: &String| json!({ "@id": name, "@type": "File", "name": name });
    graph.as_array_mut().into_iter().for_each(|graph| graph.extend(files.iter().map(file)));
    Ok(pretty(&metadata) + "\n")
}

/// Copies the networks of all strategies, of those that they name, and of the judge of luck.
fn copy_networks(out: &Path, header: &ProgressHeader) -> Result<()> {
    let experiment = &header.resolved.experiment;
    let copy = |file: &str, sha256: &str| {
        let bytes = read_network(file)?;
        ensure(digest(&bytes) == sha256, || {
            let what = "has changed since the run: its SHA-256 was";
            Error::input(format!("{file} {what} {sha256}; restore it"))
        })?;
        let place = out.join(network_copy(file, sha256));
        create_dir(place.parent().unwrap_or(out))?;
        write_atomic(&place, bytes)
    };
    for ResolvedStrategy { strategy, .. } in &experiment.strategies {
        let named = strategy["named"].as_object().into_iter().flatten().map(|(_, named)| named);
        for options in [strategy].into_iter().chain(named) {
            if let (Some(file), Some(sha)) = (options["file"].as_str(), options["sha256"].as_str())
            {
                copy(file, sha)?;
            }
        }
    }
    if let (Some(LuckAdjusted::Judge(name)), Some(sha256)) =
        (&experiment.luck_adjusted, &header.resolved.judge)
    {
        // The name of a network, or of the strategy file of one.
        let text = read_text(name.as_ref()).unwrap_or_default();
        let file: Value = serde_json::from_str(&text).unwrap_or_default();
        let file = file["file"].as_str().map(|file| named_in(name.as_ref(), file));
        let file = file.as_ref().unwrap_or(name);
        if [".safetensors", ".onnx"].iter().any(|ending| file.ends_with(ending)) {
            copy(file, sha256)?;
        }
    }
    Ok(())
}

/// Writes all rows as Parquet, and the tables of the report as LaTeX. Returns what includes the latter.
fn write_tables(out: &Path, summary: &Summary) -> Result<String> {
    create_dir(&out.join("tables"))?;
    for table in summary.tables() {
        let place = out.join(format!("tables/{}.parquet", table.name));
        let rows = table.objects().into_iter().map(Value::Object);
        write_parquet(&place, &table.schema()["items"], rows)?;
    }
    for name in OF_SEARCH.iter().filter(|name| out.join(name).exists()) {
        let place = out.join("tables").join(name).with_extension("parquet");
        write_table_of_search(&out.join(name), &place)?;
    }
    let mut included = String::new();
    for (number, table) in (1..).zip(run_report(summary, true).tables()) {
        let name = format!("{number:02}-{}", slug(&table.title));
        write_atomic(&out.join(format!("tables/{name}.tex")), latex(table, &name))?;
        included += &format!("\\input{{tables/{name}}}\n\\clearpage\n");
    }
    Ok(included)
}

/// Writes a CSV file as Parquet. A column of numbers alone has their type; every other one is text.
fn write_table_of_search(csv: &Path, place: &Path) -> Result<()> {
    let fault = |error: csv::Error| cannot_read(csv, &error);
    let mut reader = csv::Reader::from_path(csv).map_err(fault)?;
    let heads = reader.headers().map_err(fault)?.clone();
    let rows: csv::Result<Vec<Map<String, Value>>> = reader.deserialize().collect();
    let mut rows = rows.map_err(fault)?;
    rows.iter_mut().for_each(|row| row.retain(|_, cell| *cell != ""));
    let property = |head: &str| {
        let are = |test: fn(&Value) -> bool| rows.iter().filter_map(|row| row.get(head)).all(test);
        let kind = match (are(|cell| cell.is_i64()), are(Value::is_number)) {
            (true, _) => "integer",
            (false, true) => "number",
            _ => "string",
        };
        (head.to_owned(), json!({ "type": kind }))
    };
    let properties: Map<String, Value> = heads.iter().map(property).collect();
    write_parquet(place, &json!({ "properties": properties }), rows.into_iter().map(Value::Object))
}

/// Writes the charts of the page. Returns what includes them.
fn write_figures(out: &Path, header: &ProgressHeader, summary: &Summary) -> Result<String> {
    create_dir(&out.join("figures"))?;
    let mut included = String::new();
    let page = report::page(header, summary, &[]);
    for (number, picture) in (1..).zip(picture::pictures(&page)) {
        let name = format!("figures/{number:02}-{}", slug(&picture.title));
        write_atomic(&out.join(format!("{name}.svg")), picture.svg)?;
        write_atomic(&out.join(format!("{name}.pdf")), picture.pdf)?;
        let caption = escaped(format!("{}. {}", picture.title, picture.caption).trim());
        included += &format!(
            "\\begin{{figure}}[htbp]\\centering\\includegraphics{{{name}.pdf}}\\caption{{{caption}}}\\end{{figure}}\n\\clearpage\n"
        );
    }
    Ok(included)
}

/// Returns a text as a part of a file name: ASCII letters and digits, joined by hyphens.
fn slug(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let mut slug = words.filter(|word| !word.is_empty()).join("-").to_ascii_lowercase();
    slug.truncate(48);
    slug.trim_end_matches('-').to_owned()
}
