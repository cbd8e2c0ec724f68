//! `report.html`: one page for people, which needs nothing but itself.

mod method;
mod spreads;
mod strength;
mod variants;
mod words;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::Summary;
use crate::arena::ProgressHeader;

/// The file's name in a result folder.
pub const FILE: &str = "report.html";

/// The page about what was played, and its numbers. It is a pure function of its arguments.
pub fn page(header: &ProgressHeader, summary: &Summary) -> String {
    let (name, experiment) = (&header.experiment.name, &header.experiment.experiment);
    let sections = [
        ("strength", "How strong the strategies are", strength::section(summary)),
        ("variants", "What the rules do", variants::section(summary)),
        ("spreads", "How hands run", spreads::section(summary)),
        ("method", "How this was measured", method::section(header, summary)),
    ];
    let sections = || sections.iter().filter(|(_, _, body)| !body.0.is_empty());
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content=(format!("parlour {}", crate::program()));
                link rel="icon" href="data:,";
                title { (name) " – " (experiment.game) }
                style { (PreEscaped(include_str!("page.css"))) }
            }
            body {
                header {
                    div.dim { (experiment.game) }
                    h1 { (name) }
                    @if !experiment.about.is_empty() { p.about { (experiment.about) } }
                    p.dim { (words::size(header, summary)) }
                    nav aria-label="Sections" {
                        a href="#summary" { "Summary" }
                        @for (id, title, _) in sections() { a href=(format!("#{id}")) { (title) } }
                    }
                }
                main {
                    section id="summary" {
                        h2 { "Summary" }
                        ul.said { @for said in words::sentences(header, summary) { li { (said) } } }
                        p.dim {
                            "± is half a 95 % interval; square brackets hold its ends. The unit of every interval "
                            "is the deal: the same cards for every pairing and every variant."
                        }
                    }
                    @for (id, title, body) in sections() {
                        section id=(id) { h2 { (title) } (body) }
                    }
                }
                script { (PreEscaped(include_str!("page.js"))) }
            }
        }
    };
    page.into_string() + "\n"
}

/// A chart with its heading and, below, what it shows.
fn figure(title: &str, chart: &Markup, below: &str) -> Markup {
    html! {
        figure {
            h3 { (title) }
            (chart)
            @if !below.is_empty() { figcaption { (below) } }
        }
    }
}

/// A column's name for people.
fn plain(name: &str) -> String {
    name.replace('_', " ")
}

/// A figure's name as a heading.
fn heading(name: &str) -> String {
    let mut name = plain(name);
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    name
}
