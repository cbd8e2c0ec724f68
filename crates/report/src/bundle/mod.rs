//! Bundles: a folder with everything that a paper needs from a finished run, and with the digests of
//! all its files.

mod latex;
mod metadata;
mod picture;

use std::fs;
use std::path::{Path, PathBuf};

use itertools::Itertools;
use serde_json::Value;

use crate::folder::Folder;
use crate::manifest::{self, MANIFEST};
use crate::report;
use crate::run_dir::{HANDS_PAGE, REPORT_PAGE};
use crate::summary::Summary;
use crate::text_report::run_report;
use latex::{escaped, latex};
use metadata::{CRATE, Contents};
use parlour_arena::{Catalogue, LuckAdjusted, ProgressHeader, network_copy, write_parquet};
use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::{
    Library, Origin, cannot_read, copy_atomic, create_dir, digest, digest_file, pretty, read_text,
    rename, write_atomic,
};
use parlour_game::network::read_network;

/// Name of the file with the digests, which `sha256sum --check` reads.
const DIGESTS: &str = "SHA256SUMS";

/// Returns `true` if a folder is a bundle, perhaps a damaged one.
pub fn is_bundle(folder: &Path) -> bool {
    [DIGESTS, CRATE].iter().any(|name| folder.join(name).is_file())
}

/// Checks all files of a bundle against their digests.
///
/// # Errors
/// Bad input that names the first file that is missing or differs.
pub fn check_bundle(bundle: &Path) -> Result<()> {
    let place = bundle.join(DIGESTS);
    for (number, line) in (1..).zip(read_text(&place)?.lines()) {
        let fault = "not a digest and a name: the file was edited; use an unchanged copy";
        let (digest, name) = line
            .split_once("  ")
            .ok_or_else(|| Error::input(fault).on_line(&place.display().to_string(), number))?;
        let file = bundle.join(name);
        ensure(digest_file(&file)? == digest, || {
            Error::input(format!(
                "{}: the file has changed since the bundle was made: its SHA-256 is not that of {DIGESTS}, line {number}; use an unchanged copy of the bundle",
                file.display()
            ))
        })?;
    }
    Ok(())
}

/// Returns the names of tables of a bundle that differ from those of another run.
///
/// # Errors
/// If a table of the run cannot be read.
pub fn differing_tables(bundle: &Path, run: &Path) -> Result<Vec<String>> {
    let manifest = manifest::read(bundle).unwrap_or_default();
    let files = manifest["files"].as_object().into_iter().flatten();
    let tables = files.filter(|(name, _)| manifest::is_derived(name));
    let mut differing = Vec::new();
    for (name, digest) in tables {
        if *digest != digest_file(&run.join(name))? {
            differing.push(name.clone());
        }
    }
    Ok(differing)
}

/// Writes the bundle of a finished run into a folder, which appears when it is complete. Returns the
/// summary of the run, and the number of files.
///
/// # Errors
/// Bad input if there is no finished run or the folder must stay; a failure if it cannot be written.
pub fn write_bundle(
    run: &Path,
    out: &Path,
    replace: bool,
    games: &dyn Catalogue,
) -> Result<(Summary, usize)> {
    ensure(!is_bundle(run), || {
        let (name, run) = (run.display(), "name the folder of a finished run");
        Error::input(format!("{name} is a bundle already; {run}"))
    })?;
    let (header, summary) = Folder::new(run).read(games, true)?;
    let place = out.display();
    ensure(out.is_dir() || !out.exists(), || {
        Error::input(format!("{place} is a file; choose another name with `--out`"))
    })?;
    let has_entries = fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_some());
    let is_old = is_bundle(out);
    ensure(!has_entries || is_old, || {
        Error::input(format!("{place} contains no bundle; choose another folder with `--out`"))
    })?;
    ensure(!is_old || replace, || {
        Error::input(format!("{place} is a bundle; use `--replace` to write it again"))
    })?;
    let parent = out.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    create_dir(parent)?;
    // Removed with everything in it if the bundle cannot be completed.
    let temporary = tempfile::Builder::new().prefix(".writing-").tempdir_in(parent);
    let temporary = temporary
        .map_err(|error| Error::failed(format!("cannot create the folder {place}: {error}")))?;
    let [new, old] = ["new", "old"].map(|name| temporary.path().join(name));
    let in_place = |error: Error| {
        let [unfinished, place] = [&new, out].map(|path| path.display().to_string());
        Error::new(error.kind(), error.to_string().replace(&unfinished, &place))
    };
    let count = fill(&new, run, &header, &summary).map_err(in_place)?;
    if is_old {
        rename(out, &old)?;
    }
    if let Err(error) = rename(&new, out) {
        _ = fs::rename(&old, out);
        return Err(in_place(error));
    }
    Ok((summary, count))
}

/// Writes all files. Returns their number.
fn fill(new: &Path, run: &Path, header: &ProgressHeader, summary: &Summary) -> Result<usize> {
    let manifest = manifest::read(run).unwrap_or_default();
    let files = manifest["files"].as_object().into_iter().flatten().map(|(name, _)| name.as_str());
    for name in files.chain([HANDS_PAGE, REPORT_PAGE, MANIFEST]) {
        if run.join(name).exists() {
            create_dir(new.join(name).parent().unwrap_or(new))?;
            copy_atomic(&run.join(name), &new.join(name))?;
        }
    }
    write_inputs(&new.join("inputs"), header)?;
    let tables = write_tables(&new.join("tables"), summary)?;
    let figures = write_figures(&new.join("figures"), header, summary)?;
    let contents = Contents::of(header, summary, &manifest);
    write_atomic(&new.join("paper.tex"), paper(&contents, &tables, &figures))?;
    write_atomic(&new.join("README.md"), metadata::readme(&contents))?;
    write_atomic(&new.join("CITATION.cff"), metadata::citation(&contents))?;
    let mut files = Vec::new();
    for file in files_in(new)? {
        let size = fs::metadata(&file).map_err(|error| cannot_read(&file, &error))?.len();
        let name = file.strip_prefix(new).unwrap_or(&file).to_string_lossy().into_owned();
        files.push((name, size));
    }
    write_atomic(&new.join(CRATE), metadata::crate_metadata(&contents, &files))?;
    let names = files.iter().map(|(name, _)| name.as_str()).chain([CRATE]);
    let line = |name: &str| Ok(format!("{}  {name}\n", digest_file(&new.join(name))?));
    let lines: Vec<String> = names.map(line).collect::<Result<_>>()?;
    write_atomic(&new.join(DIGESTS), lines.concat())?;
    Ok(lines.len() + 1)
}

/// Returns all files below a folder, sorted.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| cannot_read(folder, &error))?;
    let mut files = Vec::new();
    for path in entries.flatten().map(|entry| entry.path()).sorted() {
        if path.is_dir() { files.extend(files_in(&path)?) } else { files.push(path) }
    }
    Ok(files)
}

/// Writes the experiment, the strategies, and the networks that they name.
fn write_inputs(folder: &Path, header: &ProgressHeader) -> Result<()> {
    create_dir(&folder.join("strategies"))?;
    let experiment = &header.resolved.experiment;
    if let Some(input) = &header.inputs.experiment {
        let text = match &input.from {
            Some(Origin::File(path)) => read_text(path).ok(),
            _ => None,
        };
        let embedded = || Library::experiments().embedded_only().find(&input.name).ok();
        let text = text.filter(|text| digest(text) == input.sha256);
        let text = text.or_else(|| embedded().map(|found| found.text));
        if let Some(text) = text.filter(|text| digest(text) == input.sha256) {
            write_atomic(&folder.join("experiment.json"), text)?;
        }
    }
    for strategy in &experiment.strategies {
        let file = folder.join("strategies").join(format!("{}.json", slug(&strategy.name)));
        write_atomic(&file, pretty(&strategy.strategy) + "\n")?;
        copy_networks(folder, &strategy.strategy)?;
    }
    match (&experiment.luck_adjusted, &header.resolved.judge) {
        (Some(LuckAdjusted::Judge(file)), Some(sha256)) => copy_network(folder, file, sha256),
        _ => Ok(()),
    }
}

/// Copies the networks of a strategy.
fn copy_networks(folder: &Path, strategy: &Value) -> Result<()> {
    if let (Some(file), Some(sha256)) = (strategy["file"].as_str(), strategy["sha256"].as_str()) {
        copy_network(folder, file, sha256)?;
    }
    let fields = strategy.as_object().into_iter().flatten().map(|(_, field)| field);
    let items = strategy.as_array().into_iter().flatten();
    fields.chain(items).try_for_each(|part| copy_networks(folder, part))
}

fn copy_network(folder: &Path, file: &str, sha256: &str) -> Result<()> {
    // A built-in network is found from any folder.
    let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
    let built_in = Library::network(&name).filter(|bytes| digest(bytes) == sha256);
    let bytes = built_in.map_or_else(|| read_network(file), |bytes| Ok(bytes.to_vec()))?;
    ensure(digest(&bytes) == sha256, || {
        Error::input(format!(
            "{file} has changed since the run: its SHA-256 was {sha256}; restore it"
        ))
    })?;
    write_atomic(&folder.join(network_copy(file, sha256)), bytes)
}

/// Writes all rows as Parquet, and the tables of the report as LaTeX. Returns the names of the latter.
fn write_tables(folder: &Path, summary: &Summary) -> Result<Vec<String>> {
    create_dir(folder)?;
    for table in summary.tables() {
        let place = folder.join(format!("{}.parquet", table.name));
        let rows = table.objects().into_iter().map(Value::Object);
        write_parquet(&place, &table.schema()["items"], rows)?;
    }
    let mut names = Vec::new();
    for (number, table) in (1..).zip(run_report(summary, true).tables()) {
        let name = format!("{number:02}-{}", slug(&table.title));
        write_atomic(&folder.join(format!("{name}.tex")), latex(table, &name))?;
        names.push(name);
    }
    Ok(names)
}

/// Writes the charts of the page. Returns their names and captions.
fn write_figures(
    folder: &Path,
    header: &ProgressHeader,
    summary: &Summary,
) -> Result<Vec<(String, String)>> {
    create_dir(folder)?;
    let mut figures = Vec::new();
    let page = report::page(header, summary, &[]);
    for (number, mut picture) in (1..).zip(picture::pictures(&page)) {
        if summary.variants.iter().any(|variant| variant.variant == picture.title) {
            picture.title.insert_str(0, "Ratings under ");
        }
        let name = format!("{number:02}-{}", slug(&picture.title));
        write_atomic(&folder.join(format!("{name}.svg")), picture.svg())?;
        write_atomic(&folder.join(format!("{name}.pdf")), picture.pdf())?;
        figures.push((name, format!("{}. {}", picture.title, picture.caption)));
    }
    Ok(figures)
}

/// Returns a document with all tables and figures.
fn paper(contents: &Contents, tables: &[String], figures: &[(String, String)]) -> String {
    let tables =
        tables.iter().map(|name| format!("\\input{{tables/{name}}}\n")).join("\\clearpage\n");
    let figure = |(name, caption): &(String, String)| {
        let caption = escaped(caption.trim());
        format!(
            "\\begin{{figure}}[htbp]\\centering\\includegraphics{{figures/{name}.pdf}}\\caption{{{caption}}}\\end{{figure}}\n"
        )
    };
    let figures = figures.iter().map(figure).join("\\clearpage\n");
    let [name, question, answer, program] =
        [&contents.name, &contents.question, &contents.answer, &contents.program]
            .map(|text| escaped(text));
    format!(
        "\\documentclass{{article}}\n\\usepackage[a4paper,landscape,margin=15mm]{{geometry}}\n\\usepackage{{booktabs,longtable,graphicx}}\n\\begin{{document}}\n\\footnotesize\n\\section*{{{name}}}\n{question}\n\n\\textbf{{{answer}}}\n\n{program}\n\\clearpage\n{tables}\\clearpage\n{figures}\\end{{document}}\n"
    )
}

/// Returns a text as a part of a file name: ASCII letters and digits, joined by hyphens.
fn slug(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    let mut slug = words.filter(|word| !word.is_empty()).join("-").to_ascii_lowercase();
    slug.truncate(48);
    if slug.is_empty() { "table".to_owned() } else { slug }
}
