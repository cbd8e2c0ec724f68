//! Folders that other programs have written: those of the repository, and those that lack a figure
//! or have one more.

use std::path::Path;

use parlour::files::digest;
use parlour::games::Games;
use parlour::results::Folder;

use super::common::{experiment, fail, succeed};

/// The tables of a finished run, made again from its tallies, are those that stand beside them.
fn check_tables(folder: &Path) {
    let summary = Folder::new(folder).read(&Games(parlour::PROGRAM), true).unwrap().1;
    let again = tempfile::tempdir().unwrap();
    // A table that the program had not yet is written now.
    for table in summary.tables().iter().filter(|table| folder.join(table.file()).exists()) {
        table.write(again.path()).unwrap();
        let read = |folder: &Path| std::fs::read_to_string(folder.join(table.file())).unwrap();
        let (was, is) = (read(folder), read(again.path()));
        // A column that the program had not yet, it writes now; the others are the same.
        let heads = |text: &str| -> Vec<String> {
            text.lines().next().unwrap().split(',').map(str::to_owned).collect()
        };
        let (old, new) = (heads(&was), heads(&is));
        let kept: Vec<usize> =
            old.iter().map(|head| new.iter().position(|h| h == head).unwrap()).collect();
        let only = |line: &str| {
            let cells: Vec<&str> = line.split(',').collect();
            kept.iter().map(|&at| cells[at]).collect::<Vec<_>>().join(",")
        };
        let is: String = is.lines().map(|line| only(line) + "\n").collect();
        assert!(was == is, "{} of {}", table.file(), folder.display());
    }
}

#[test]
fn committed_runs_reproduce_their_tables() {
    let mut runs = 0;
    for entry in std::fs::read_dir("results").unwrap() {
        let folder = entry.unwrap().path();
        if !folder.join("progress.jsonl").exists() {
            continue;
        }
        runs += 1;
        check_tables(&folder);
    }
    assert!(runs > 15, "{runs}");
}

/// Changes every line of chunks of the run in `r`, as if another program had counted.
fn recount(here: &Path, change: impl Fn(&str) -> String) {
    let path = here.join("r/progress.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let line = |line: &str| {
        let body = line.strip_prefix("{\"body\":").unwrap().rsplit_once(",\"check\"").unwrap().0;
        let body = change(body);
        format!("{{\"body\":{body},\"check\":\"{}\"}}\n", &digest(&body)[..16])
    };
    let other: String = text.lines().map(line).collect();
    assert!(other != text, "something was changed");
    std::fs::write(&path, &other).unwrap();
    let manifest = here.join("r/manifest.json");
    let said = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(manifest, said.replace(&digest(&text), &digest(&other))).unwrap();
}

/// A body without the row of this name.
fn without(body: &str, name: &str) -> String {
    let Some((before, row)) = body.split_once(&format!("\"{name}\":[")) else {
        return body.to_owned();
    };
    // Zeros in a row are a list within the row.
    let mut depth = 1;
    let end = row.find(|c| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        depth == 0
    });
    let after = &row[end.unwrap() + 1..];
    match after.strip_prefix(',') {
        Some(after) => format!("{before}{after}"),
        None => format!("{}{after}", before.trim_end_matches(',')),
    }
}

fn finished() -> tempfile::TempDir {
    let here = tempfile::tempdir().unwrap();
    std::fs::write(here.path().join("e.json"), experiment(6)).unwrap();
    succeed(here.path(), &["run", "./e.json", "--quiet", "--out", "r"]);
    here
}

#[test]
fn a_missing_figure_is_not_measured() {
    let here = finished();
    let page = || std::fs::read_to_string(here.path().join("r/report.html")).unwrap();
    assert!(!page().to_lowercase().contains("not measured"));
    recount(here.path(), |body| without(&without(body, "lead_changes"), "lead_over_time"));
    succeed(here.path(), &["report", "r"]);
    assert!(page().contains(">not measured</td>"), "a number");
    assert!(page().contains("Not measured: "), "a chart");
    let summary =
        Folder::new(&here.path().join("r")).read(&Games(parlour::PROGRAM), true).unwrap().1;
    let figure = |name: &str| {
        let at = summary.figures.iter().position(|figure| figure.name == name).unwrap();
        (
            !summary.missing.contains(&summary.figures[at].name),
            summary.variants[0].figures[at].is_some(),
        )
    };
    assert_eq!(figure("lead_changes"), (false, false));
    assert_eq!(figure("turns"), (true, true));
    // Its cells are empty, and every other number is what it was.
    let table = summary.tables().into_iter().find(|table| table.name == "variants").unwrap();
    table.write(here.path()).unwrap();
    let rows = |path: &Path| {
        let mut reader = csv::Reader::from_path(path).unwrap();
        let heads = reader.headers().unwrap().clone();
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        (heads, rows)
    };
    let (heads, now) = rows(&here.path().join("variants.csv"));
    let (_, before) = rows(&here.path().join("r/variants.csv"));
    for (now, before) in now.iter().zip(&before) {
        for (head, (now, before)) in heads.iter().zip(now.iter().zip(before)) {
            let lacks = head.starts_with("lead_changes");
            assert_eq!(now, if lacks { "" } else { before }, "{head}");
        }
    }
}

#[test]
fn an_unknown_figure_is_named() {
    let here = finished();
    recount(here.path(), |body| body.replace("\"lead_over_time\":", "\"unheard_of\":"));
    let words = ["progress.jsonl", "line 2", "`unheard_of`", "use the program that wrote the file"];
    fail(here.path(), &["report", "r"], 2, &words);
}

#[test]
fn required_figures_must_exist() {
    let here = finished();
    recount(here.path(), |body| without(body, "drawn_hands"));
    let words = ["line 2", "does not belong to this experiment", "`tables`", "`drawn_hands`"];
    fail(here.path(), &["report", "r"], 2, &words);
}
