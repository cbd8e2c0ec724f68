//! What every page has: its head with the question, the answer on the first screen, what is folded
//! below it, its files.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::first::marked;

/// A part of a page: its name in links, its title and what it says.
pub struct Part {
    /// Its name in links.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What it says; a part that says nothing is left out.
    pub body: Markup,
}

/// A page that needs nothing but itself.
pub struct Page<'a> {
    /// What was played, above the title.
    pub above: String,
    /// The name that ends the window's title.
    pub name: &'a str,
    /// The question, which is the title.
    pub question: &'a str,
    /// The answer, a sentence each, the first being the answer proper.
    pub answer: &'a [String],
    /// How large the run was.
    pub size: String,
    /// What shows the answer: a chart and its notes.
    pub shown: Markup,
    /// The part that stands open.
    pub open: Part,
    /// The parts that are folded.
    pub folded: Vec<Part>,
    /// The files beside the page.
    pub files: Markup,
}

impl Page<'_> {
    /// The page as it is written, a pure function of what it is made of.
    pub fn written(&self) -> String {
        let folded = || self.folded.iter().filter(|part| !part.body.0.is_empty());
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="generator" content=(concat!("parlour ", env!("CARGO_PKG_VERSION")));
                    meta name="question" content=(self.question);
                    meta name="answer" content=(self.answer.join(" "));
                    meta name="description" content=(self.size);
                    link rel="icon" href="data:,";
                    title { (self.question) " – " (self.name) }
                    style { (PreEscaped(include_str!("page.css"))) }
                }
                body {
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
                            (self.shown)
                        }
                        nav aria-label="Sections" {
                            @for Part { id, title, .. } in std::iter::once(&self.open).chain(folded()) {
                                a href=(format!("#{id}")) { (title) }
                            }
                            a href="#files" { "Files" }
                        }
                        section id=(self.open.id) { h2 { (self.open.title) } (self.open.body) }
                        @for Part { id, title, body } in folded() {
                            details.part id=(id) { summary { h2 { (title) } } (body) }
                        }
                        section id="files" { h2 { "Files" } (self.files) }
                    }
                    script { (PreEscaped(include_str!("page.js"))) }
                }
            }
        };
        page.into_string() + "\n"
    }
}
