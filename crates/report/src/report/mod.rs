//! `report.html`: one page for people, which needs nothing but itself. The first screen has the
//! question, the answer and one chart; all else is folded below it.

mod evidence;
mod first;
mod hands;
mod index;
mod luck;
mod method;
mod shell;
mod spreads;
mod strength;
mod variants;
mod words;

use maud::{Markup, html};

pub use hands::{HANDS, write_hands};
pub use index::{INDEX, write_index};
pub use shell::{Page, Part};

use super::Summary;
use super::answer::is_rate;
use crate::arena::ProgressHeader;
use crate::stats::Estimate;

/// The file's name in a result folder.
pub const FILE: &str = "report.html";

/// The page about what was played, its numbers, and the titles of hands to look at. It is a pure
/// function of its arguments.
pub fn page(header: &ProgressHeader, summary: &Summary, hands: &[String]) -> String {
    let (name, experiment) = (&header.resolved.name, &header.resolved.experiment);
    let question = &summary.answer.question;
    let several = summary.variants.len() > 1;
    let words =
        html! { ul.said { @for said in words::sentences(header, summary) { li { (said) } } } };
    let sections = [
        ("words", "In words", words),
        ("strength", "How strong the strategies are", strength::section(summary)),
        (
            "variants",
            if several { "What the rules do" } else { "The figures" },
            variants::section(summary),
        ),
        ("luck", "With the luck taken out", luck::section(summary)),
        ("spreads", "How hands run", spreads::section(summary)),
        ("hands", "Hands to look at", hands::section(hands)),
        ("method", "How this was measured", method::section(header, summary)),
    ];
    let folded = sections.into_iter().map(|(id, title, body)| Part { id, title, body });
    let page = Page {
        above: format!("{} · {name}", experiment.game),
        name,
        question,
        answer: &summary.answer.sentences,
        size: words::size(header, summary),
        shown: first::shown(summary),
        open: Part { id: "evidence", title: "The evidence", body: evidence::section(summary) },
        folded: folded.collect(),
        files: files(summary),
    };
    page.written()
}

/// The files beside the page.
fn files(summary: &Summary) -> Markup {
    let tables: Vec<String> = summary.tables().iter().map(super::Table::file).collect();
    html! {
        p { "Tables: " @for (index, table) in tables.iter().enumerate() {
            @if index > 0 { ", " } a href=(table) { (table) }
        } ". The whole run is in " a href="manifest.json" { "manifest.json" } ", its exact tallies in "
        a href="progress.jsonl" { "progress.jsonl" } "." }
    }
}

/// An estimate as it is printed: shares in percent.
fn in_print(estimate: Option<Estimate>, unit: &str) -> Option<Estimate> {
    if unit.starts_with("share") { estimate.map(|e| e.scaled(100.0)) } else { estimate }
}

/// The unit of a number as it is printed.
fn unit_of(unit: &str) -> String {
    match unit.strip_prefix("share") {
        Some(rest) => format!("%{rest}"),
        None => unit.to_owned(),
    }
}

/// The unit of a difference as it is printed.
fn unit_of_change(unit: &str) -> String {
    match unit.strip_prefix("share") {
        Some(rest) if is_rate(rest) => format!("points{rest}"),
        Some(_) => "points".to_owned(),
        None => unit.to_owned(),
    }
}

/// A chart with its heading and, below, what it shows.
pub fn figure(title: &str, chart: &Markup, below: &str) -> Markup {
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
