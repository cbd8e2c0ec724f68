//! The frame of every page: question, answer, sections and files.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::html::marked;

/// Renders a page with the common style sheet.
pub(super) fn document(title: &str, meta: &Markup, body: &Markup) -> String {
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
    /// Line above the title.
    pub above: String,
    /// Name at the end of the window title.
    pub name: &'a str,
    /// The question, which is the title.
    pub question: &'a str,
    /// The answer in sentences, the short answer first.
    pub answer: &'a [String],
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
            meta name="question" content=(self.question);
            meta name="answer" content=(self.answer.join(" "));
            meta name="description" content=(self.size);
        };
        let body = html! {
            header {
                div.dim { (self.above) }
                h1 { (marked(self.question)) }
                p.dim { (self.size) }
            }
            main {
                section id="answer" {
                    @for (index, sentence) in self.answer.iter().enumerate() {
                        p class=(if index == 0 { "answer" } else { "answer more" }) { (marked(sentence)) }
                    }
                    (self.first_screen)
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
