//! `report.html`: a self-contained page with the question, the answer and one chart on the first
//! screen, and folded sections below.

mod evidence;
mod hands;
mod method;
mod page;
mod strategies;
mod variants;

use maud::{Markup, html};

pub use crate::html::{figure, sortable};
pub use crate::run_dir::{HANDS_PAGE as HANDS, REPORT_PAGE as FILE};
pub use hands::write_hands;
pub use page::{INDEX, Page, Section, write_index};

use crate::rows::Matchup;
use crate::summary::{Summary, VariantSummary};
use crate::table::Table;
use crate::text_report::{pairing_table, variant_table};
use crate::units::{count, thousands};
use parlour_arena::ProgressHeader;

/// Renders the page of a run. `hands` are the titles of selected hands. A pure function of its
/// arguments.
pub fn page(header: &ProgressHeader, summary: &Summary, hands: &[String]) -> String {
    let (name, experiment) = (&header.resolved.name, &header.resolved.experiment);
    let rules = if summary.variants.len() > 1 { "Effects of the rules" } else { "Figures" };
    let sections = [
        ("strategies", "Strength of the strategies", strategies::section(summary)),
        ("variants", rules, variants::section(summary)),
        ("luck", "Scores without luck", adjusted_scores(summary)),
        ("distributions", "Course of the hands", variants::distributions(summary)),
        ("hands", "Selected hands", hands::section(hands)),
        ("method", "Method", method::section(header, summary)),
    ];
    let folded = sections.into_iter().map(|(id, title, body)| Section { id, title, body });
    let page = Page {
        above: format!("{} · {name}", experiment.game),
        name,
        question: &summary.answer.question,
        answer: &summary.answer.sentences,
        size: size(header, summary),
        first_screen: first_screen(summary),
        open: Section { id: "evidence", title: "Evidence", body: evidence::section(summary) },
        folded: folded.collect(),
        files: files(summary),
    };
    page.render()
}

/// The size of the run.
fn size(header: &ProgressHeader, summary: &Summary) -> String {
    let experiment = &header.resolved.experiment;
    let strategies = experiment.strategies.len() as u64;
    let strategies = match strategies {
        1 => "1 strategy".to_owned(),
        n => format!("{} strategies", thousands(n)),
    };
    format!(
        "{}, {strategies}, {}, {} in total; seed {}; program {}",
        count(summary.variants.len() as u64, "variant"),
        count(summary.deals, "deal"),
        count(summary.variants.iter().map(|v| v.hands).sum(), "hand"),
        experiment.seed,
        header.program,
    )
}

/// The chart of the answer.
fn first_screen(summary: &Summary) -> Markup {
    html! {
        (summary.answer.chart)
        p.dim {
            "± is half a 95 % interval; square brackets contain its ends. The unit of every interval is the deal, with "
            "the same cards for every pairing and variant. Colour: significant at 5 % after Holm's correction."
        }
    }
}

/// Scores adjusted for luck or for the cards dealt; empty if there are none.
fn adjusted_scores(summary: &Summary) -> Markup {
    let is_adjusted = |v: &VariantSummary| v.luck_adjusted.is_some() || v.controlled.is_some();
    let has_luck = |row: &&Matchup| row.score_luck_adjusted.is_some();
    let pairings: Vec<&Matchup> = summary.matchups().filter(has_luck).collect();
    html! {
        @if !pairings.is_empty() || summary.variants.iter().any(is_adjusted) {
            p { "Luck: after each hand a judge that sees all cards values every card as it came. The expected value of luck "
                "is 0, so subtracting it does not bias the score. Cards dealt: the strength of the cards that the seats "
                "draw is a control variate. The remaining variance is that of the adjusted score divided by that of "
                "the plain one: with 0.5, half as many deals are enough." }
            (sortable(&variant_table(summary)))
            @if !pairings.is_empty() { (sortable(&pairing_table(&pairings, true, false))) }
        }
    }
}

/// The files next to the page.
fn files(summary: &Summary) -> Markup {
    html! {
        p { "Tables: " @for (index, table) in summary.tables().iter().map(Table::file).enumerate() {
            @if index > 0 { ", " } a href=(table) { (table) }
        } ". The complete run is in " a href="manifest.json" { "manifest.json" } ", its exact tallies are in "
        a href="progress.jsonl" { "progress.jsonl" } "." }
    }
}
