//! The description of a bundle for people and programs: `README.md`, `CITATION.cff` and RO-Crate.

use serde_json::{Value, json};

use crate::summary::Summary;
use parlour_arena::ProgressHeader;
use parlour_base::files::{compact, pretty};

/// Name of the metadata of RO-Crate.
pub(super) const CRATE: &str = "ro-crate-metadata.json";

/// The description of a bundle.
pub(super) struct Contents {
    pub name: String,
    pub question: String,
    pub answer: String,
    /// The command that repeats the run.
    pub command: String,
    /// The program that played, with version and revision.
    pub program: String,
    pub version: String,
    /// The day on which the run ended.
    pub date: String,
}

impl Contents {
    pub fn of(header: &ProgressHeader, summary: &Summary, manifest: &Value) -> Contents {
        let lists = [
            (header.hands, " --hands"),
            (header.records, " --records"),
            (header.parquet, " --format parquet"),
        ];
        let lists: String = lists.iter().filter(|list| list.0).map(|list| list.1).collect();
        let of_program = |field: &str| manifest["program"][field].as_str().unwrap_or("unknown");
        let [version, source, revision] = ["version", "source", "revision"].map(of_program);
        Contents {
            name: header.resolved.name.clone(),
            question: summary.answer.question.clone(),
            answer: summary.answer.text(),
            command: format!("parlour run BUNDLE --out FOLDER{lists}"),
            program: format!("parlour {version} (source {source}, revision {revision})"),
            version: version.to_owned(),
            date: day(manifest["timing"]["finished_unix"].as_u64().unwrap_or(0)),
        }
    }
}

/// Returns the page for people: the answer, the command that repeats the run, and the files.
pub(super) fn readme(contents: &Contents) -> String {
    let Contents { name, question, answer, command, program, .. } = contents;
    format!(
        "# {name}\n\n{question}\n\n**{answer}**\n\n## Repeat the run\n\n```\n{command}\n```\n\nBUNDLE is this folder. The run was made by {program}. The command first checks all files against SHA256SUMS, as `sha256sum --check SHA256SUMS` does.\n\n{}",
        include_str!("readme.md")
    )
}

/// Returns `CITATION.cff` 1.2.
pub(super) fn citation(contents: &Contents) -> String {
    let Contents { name, answer, date, version, .. } = contents;
    let [title, abstract_text] = [format!("Run of the experiment {name}"), answer.clone()]
        .map(|text| compact(&Value::String(text)));
    format!(
        "cff-version: 1.2.0\nmessage: \"If you use these results, please cite them and parlour. Replace the authors by your own names.\"\ntype: dataset\ntitle: {title}\nabstract: {abstract_text}\ndate-released: {date}\nauthors:\n  - name: \"The authors of this run\"\nreferences:\n  - type: software\n    title: \"parlour: a self-play laboratory for parlour games with chance and hidden information\"\n    version: \"{version}\"\n    authors:\n      - name: \"The parlour maintainers\"\n"
    )
}

/// Returns the metadata of RO-Crate 1.1 for these files with their sizes. The run is a `CreateAction`.
pub(super) fn crate_metadata(contents: &Contents, files: &[(String, u64)]) -> String {
    let Contents { name, question, answer, command, date, version, .. } = contents;
    let ids = |is_wanted: fn(&str) -> bool| {
        let names = files.iter().map(|(name, _)| name).filter(|name| is_wanted(name));
        names.map(|name| json!({ "@id": name })).collect::<Vec<_>>()
    };
    let mut graph = vec![
        json!({
            "@id": CRATE,
            "@type": "CreativeWork",
            "conformsTo": { "@id": "https://w3id.org/ro/crate/1.1" },
            "about": { "@id": "./" },
        }),
        json!({
            "@id": "./",
            "@type": "Dataset",
            "name": format!("Run of the experiment {name}"),
            "description": format!("{question} {answer}"),
            "datePublished": date,
            "license": "The authors of the run choose the licence of its results.",
            "hasPart": ids(|_| true),
            "mentions": { "@id": "#run" },
        }),
        json!({
            "@id": "#run",
            "@type": "CreateAction",
            "name": format!("Run of {name}"),
            "description": format!("Repeated by `{command}`, where BUNDLE is this folder."),
            "endTime": date,
            "instrument": { "@id": "#parlour" },
            "object": ids(|name| name == "manifest.json" || name.starts_with("inputs/")),
            "result": ids(|name| name == "progress.jsonl" || name.starts_with("tables/")),
        }),
        json!({
            "@id": "#parlour",
            "@type": "SoftwareApplication",
            "name": "parlour",
            "version": version,
            "softwareVersion": contents.program,
        }),
    ];
    graph.extend(files.iter().map(|(name, size)| {
        json!({
            "@id": name,
            "@type": "File",
            "name": name,
            "contentSize": size.to_string(),
            "encodingFormat": media_type(name),
        })
    }));
    pretty(&json!({ "@context": "https://w3id.org/ro/crate/1.1/context", "@graph": graph })) + "\n"
}

/// Returns the media type of a file by its ending.
fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "csv" => "text/csv",
        "json" => "application/json",
        "jsonl" => "application/jsonl",
        "html" => "text/html",
        "md" => "text/markdown",
        "parquet" => "application/vnd.apache.parquet",
        "pdf" => "application/pdf",
        "svg" => "image/svg+xml",
        "tex" => "application/x-tex",
        "cff" => "application/yaml",
        _ => "application/octet-stream",
    }
}

/// Returns the day of a Unix time as `YYYY-MM-DD` (Hinnant, "chrono-compatible low-level date
/// algorithms").
fn day(unix_seconds: u64) -> String {
    let days = unix_seconds / 86_400 + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    format!("{:04}-{month:02}-{day:02}", year + 400 * era + u64::from(month <= 2))
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn days_are_those_of_the_calendar() {
        let of = [0, 951_782_400, 1_709_164_800, 1_735_689_599];
        assert_eq!(of.map(day), ["1970-01-01", "2000-02-29", "2024-02-29", "2024-12-31"]);
    }
}
