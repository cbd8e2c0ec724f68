//! The frame of every page: question, answer, sections and files; and `index.html` of a folder of
//! results, which lists every run with its question and answer, read from its page.

use std::path::{Path, PathBuf};

use itertools::Itertools;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::html::{heading, marked};
use crate::run_dir::REPORT_PAGE;
use crate::units::count;
use parlour_base::error::Result;
use parlour_base::files::{is_special, read_text, write_atomic};

/// Renders a page with the common style sheet.
fn document(title: &str, meta: &Markup, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                (meta)
                link rel="icon" href="data:,";
                title { (title) }
                style { (PreEscaped(include_str!("page.css"))) }
            }
            body { (body) }
        }
    };
    page.into_string() + "\n"
}

/// A section of a page.
pub struct Section {
    /// Anchor in links.
    pub id: &'static str,
    /// Title.
    pub title: &'static str,
    /// Content; a section without content is omitted.
    pub body: Markup,
}

/// A self-contained page.
pub struct Page<'a> {
    /// The game, above the title.
    pub game: &'a str,
    /// Name above the title and at the end of the window title.
    pub name: &'a str,
    /// The question, which is the title.
    pub question: &'a str,
    /// The answer in sentences, the short answer first.
    pub answer: &'a [String],
    /// `true` if a comparison of the question is significant; `None` if nothing was compared.
    pub is_different: Option<bool>,
    /// Size of the run.
    pub size: String,
    /// Chart and notes below the answer.
    pub first_screen: Markup,
    /// The section that is always open.
    pub open: Section,
    /// The folded sections.
    pub folded: Vec<Section>,
    /// The files next to the page.
    pub files: Markup,
}

impl Page<'_> {
    /// Renders the page. A pure function of its parts.
    pub fn render(&self) -> String {
        let folded = || self.folded.iter().filter(|section| !section.body.0.is_empty());
        let meta = html! {
            meta name="generator" content=(concat!("parlour ", env!("CARGO_PKG_VERSION")));
            meta name="game" content=(self.game);
            @if let Some(is) = self.is_different {
                meta name="conclusion" content=(if is { "difference" } else { "no clear difference" });
            }
            meta name="question" content=(self.question);
            meta name="answer" content=(self.answer.first().map_or("", |answer| answer));
            meta name="description" content=(self.size);
        };
        let body = html! {
            header {
                div.dim { (self.game) " · " (self.name) }
                h1 { (marked(self.question)) }
                p.dim { (self.size) }
            }
            main {
                section id="answer" {
                    @for (index, sentence) in self.answer.iter().enumerate() {
                        // The chart is on the first screen: long answers go on below it.
                        @if index == 2 { (self.first_screen) }
                        p class=(if index == 0 { "answer" } else { "answer more" }) { (marked(sentence)) }
                    }
                    @if self.answer.len() <= 2 { (self.first_screen) }
                }
                nav aria-label="Sections" {
                    @for Section { id, title, .. } in std::iter::once(&self.open).chain(folded()) {
                        a href=(format!("#{id}")) { (title) }
                    }
                    a href="#files" { "Files" }
                }
                section id=(self.open.id) { h2 { (self.open.title) } (self.open.body) }
                @for Section { id, title, body } in folded() {
                    details.part id=(id) { summary { h2 { (title) } } (body) }
                }
                section id="files" { h2 { "Files" } (self.files) }
            }
            script { (PreEscaped(include_str!("page.js"))) }
        };
        document(&format!("{} – {}", self.question, self.name), &meta, &body)
    }
}

/// Name of the index in a folder of results.
pub const INDEX: &str = "index.html";

/// Name of a folder that has an index.
const RESULTS: &str = "results";

/// Writes the index of all runs next to this one, if they are in a folder named `results`. `program` is
/// the program that writes it. Returns its path.
///
/// # Errors
/// If it cannot be written.
pub fn write_index(run: &Path, program: &str) -> Result<Option<PathBuf>> {
    let Some(results) = run.parent().filter(|p| p.file_name().is_some_and(|n| n == RESULTS)) else {
        return Ok(None);
    };
    let folders = std::fs::read_dir(results).into_iter().flatten().flatten();
    let names = folders.filter_map(|entry| entry.file_name().into_string().ok()).sorted();
    let runs =
        names.filter_map(|name| entry(results, &name)).sorted_by_key(|(game, _)| game.clone());
    let place = results.join(INDEX);
    write_atomic(&place, index_page(&runs.collect::<Vec<_>>(), program))?;
    Ok(Some(place))
}

/// The game of a run, and its section, from the meta tags of its page.
fn entry(results: &Path, folder: &str) -> Option<(String, Markup)> {
    let escapes = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")];
    let page = results.join(folder).join(REPORT_PAGE);
    let text = if is_special(&page) { None } else { read_text(&page).ok() }?;
    let content = |name: &str| {
        let from = text.split_once(&format!("<meta name=\"{name}\" content=\""))?.1;
        let text = from.split_once('"')?.0.to_owned();
        Some(escapes.iter().fold(text, |text, (escape, plain)| text.replace(escape, plain)))
    };
    let question = content("question").unwrap_or_else(|| folder.to_owned());
    let game = content("game").unwrap_or_else(|| "other".to_owned());
    let [conclusion, answer, size] =
        ["conclusion", "answer", "description"].map(|name| content(name).unwrap_or_default());
    // Seed and program are on the page.
    let size = size.split(';').next().unwrap_or_default();
    let section = html! {
        section.run data-conclusion=(conclusion) {
            h3 { a href=(format!("{folder}/{REPORT_PAGE}")) { (marked(&question)) } }
            @if !answer.is_empty() { p { (marked(&answer)) } }
            p.dim {
                (folder) @if !size.is_empty() { " · " (size) }
                @if !conclusion.is_empty() { " · " (conclusion) }
            }
        }
    };
    Some((game, section))
}

/// The index of runs, which are sorted by their games.
fn index_page(runs: &[(String, Markup)], program: &str) -> String {
    let body = html! {
        header { h1 { "Results" } p.dim { (count(runs.len() as u64, "run")) ", each with its question and answer; written by " (program) "." } }
        main {
            @for runs in runs.chunk_by(|a, b| a.0 == b.0) {
                section.game { h2 { (heading(&runs[0].0)) } @for (_, run) in runs { (run) } }
            }
        }
        script { (PreEscaped(include_str!("index.js"))) }
    };
    document("Results", &html! {}, &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_folder_named_results_has_an_index() {
        let here = tempfile::tempdir().unwrap();
        let write = |run: &str, page: &str| {
            let run = here.path().join("results").join(run);
            std::fs::create_dir_all(&run).unwrap();
            std::fs::write(run.join(REPORT_PAGE), page).unwrap();
            run
        };
        let run = write(
            "one",
            "<meta name=\"game\" content=\"leopard\"><meta name=\"conclusion\" content=\"difference\">\
             <meta name=\"question\" content=\"Is a &lt; b?\"><meta name=\"answer\" content=\"`a` is lower.\">\
             <meta name=\"description\" content=\"20 deals; seed 1; program 0\">",
        );
        write("two", "<meta name=\"game\" content=\"eleusis\">");
        write("other", "");
        let place = write_index(&run, "parlour 1 of 2026-01-02").unwrap().unwrap();
        let text = std::fs::read_to_string(place).unwrap();
        assert!(text.contains("<a href=\"one/report.html\">Is a &lt; b?</a>"), "{text}");
        assert!(text.contains("<code>a</code> is lower."), "{text}");
        assert!(text.contains("one · 20 deals · difference"), "{text}");
        assert!(text.contains("3 runs") && text.contains("parlour 1 of 2026-01-02"), "{text}");
        let games =
            ["Eleusis", "Leopard", "Other"].map(|game| text.find(&format!("<h2>{game}</h2>")));
        assert!(games.is_sorted() && games[0].is_some(), "{games:?}");
        assert_eq!(write_index(here.path(), "").unwrap(), None, "no folder of results");
    }
}
