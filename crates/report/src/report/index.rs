//! `index.html` over a folder of results: every run with its question and its answer, as the pages
//! themselves say them.

use std::path::Path;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::FILE;
use super::first::marked;
use crate::Result;
use crate::files::write_atomic;

/// The file's name in a folder of results.
pub const INDEX: &str = "index.html";

/// Where the runs lie that have a list: a folder of this name.
const RESULTS: &str = "results";

/// A run as its page tells it.
struct Listed {
    folder: String,
    question: String,
    answer: String,
    about: String,
}

/// Writes the list of the runs that lie beside this one, where they lie in a folder `results`; its
/// place, where there is one.
///
/// # Errors
/// When it cannot be written.
pub fn write_index(run: &Path) -> Result<Option<std::path::PathBuf>> {
    let Some(results) = run.parent().filter(|p| p.file_name().is_some_and(|n| n == RESULTS)) else {
        return Ok(None);
    };
    let folders = std::fs::read_dir(results).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        folders.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    let runs: Vec<Listed> = names.iter().filter_map(|name| listed(results, name)).collect();
    let place = results.join(INDEX);
    write_atomic(&place, page(&runs).into_string() + "\n")?;
    Ok(Some(place))
}

/// What the page of a run says of itself.
fn listed(results: &Path, folder: &str) -> Option<Listed> {
    let text = std::fs::read_to_string(results.join(folder).join(FILE)).ok()?;
    let said = |name: &str| {
        let from = text.split_once(&format!("<meta name=\"{name}\" content=\""))?.1;
        let said = from.split_once('"')?.0;
        Some(
            said.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&amp;", "&"),
        )
    };
    Some(Listed {
        folder: folder.to_owned(),
        question: said("question").unwrap_or_else(|| folder.to_owned()),
        answer: said("answer").unwrap_or_default(),
        about: said("description").unwrap_or_default(),
    })
}

fn page(runs: &[Listed]) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                link rel="icon" href="data:,";
                title { "Results" }
                style { (PreEscaped(include_str!("page.css"))) }
            }
            body {
                header { h1 { "Results" } p.dim { @if runs.len() == 1 { "One run, with its question and its answer." } @else { (runs.len()) " runs, each with its question and its answer." } } }
                main { @for run in runs {
                    section.run {
                        h2 { a href=(format!("{}/{FILE}", run.folder)) { (marked(&run.question)) } }
                        p { (marked(&run.answer)) }
                        p.dim { (run.folder) @if !run.about.is_empty() { " · " (run.about) } }
                    }
                } }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_in_a_folder_of_results_are_listed_and_no_others() {
        let here = tempfile::tempdir().unwrap();
        let run = here.path().join("results/one");
        std::fs::create_dir_all(&run).unwrap();
        let page = "<meta name=\"question\" content=\"Is a &lt; b?\"><meta name=\"answer\" content=\"`a` is lower.\">";
        std::fs::write(run.join(FILE), page).unwrap();
        let place = write_index(&run).unwrap().unwrap();
        let text = std::fs::read_to_string(place).unwrap();
        assert!(text.contains("<a href=\"one/report.html\">Is a &lt; b?</a>"), "{text}");
        assert!(text.contains("<code>a</code> is lower."), "{text}");
        assert_eq!(write_index(here.path()).unwrap(), None, "not among what is no result");
    }
}
