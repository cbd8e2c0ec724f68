//! `report.html`: a self-contained page with the question, the answer and one chart on the first
//! screen, and folded sections below; and `hands.html`, the most lopsided and the closest hands of a run
//! with records, as replays.

mod page;
mod sections;

use std::path::Path;

use itertools::{Itertools, process_results};
use maud::{Markup, html};
use serde::Deserialize;

use crate::html::marked;
use crate::run_dir::HANDS_PAGE;
use crate::summary::Summary;
use crate::table::Table;
use crate::text_report::verdict_table;
use crate::units::{count, thousands};
use parlour_arena::{ProgressHeader, StopCondition};
use parlour_base::error::Result;
use parlour_base::files::{Lines, pretty, write_atomic};
use parlour_board::Hand;
use parlour_game::ReplayFn;

pub use crate::html::{figure, sortable};
pub use crate::run_dir::{HANDS_PAGE as HANDS, REPORT_PAGE as FILE};
pub use page::{INDEX, Page, Section, write_index};

/// Renders the page of a run. `hands` are the titles of selected hands. A pure function of its
/// arguments.
pub fn page(header: &ProgressHeader, summary: &Summary, hands: &[String]) -> String {
    let (name, experiment) = (&header.resolved.name, &header.resolved.experiment);
    let rules = if summary.variants.len() > 1 { "Effects of the rules" } else { "Figures" };
    let sections = [
        ("strategies", "Strength of the strategies", sections::strategies(summary)),
        ("variants", rules, sections::variants(summary)),
        ("distributions", "Course of the hands", sections::distributions(summary)),
        ("hands", "Selected hands", hands_section(hands)),
        ("method", "Method", method(header, summary)),
    ];
    let folded = sections.into_iter().map(|(id, title, body)| Section { id, title, body });
    let findings = &summary.answer.findings;
    let page = Page {
        game: &experiment.game,
        name,
        question: &summary.answer.question,
        answer: &summary.answer.sentences,
        is_different: Some(findings.iter().any(|f| f.conclusion.is_clear()))
            .filter(|_| !findings.is_empty()),
        size: size(header, summary),
        first_screen: first_screen(summary),
        open: Section { id: "evidence", title: "Evidence", body: sections::evidence(summary) },
        folded: folded.collect(),
        files: files(header, summary),
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
        @if !summary.answer.table.is_empty() {
            @let table = verdict_table(summary);
            h3 { (table.title) }
            (sortable(&table))
        }
        p.dim { (include_str!("../notes/intervals.txt")) }
    }
}

/// The files next to the page.
fn files(header: &ProgressHeader, summary: &Summary) -> Markup {
    html! {
        // A confirmation that is repeated for lists of hands has no map.
        @if header.resolved.experiment.search.is_some() && !header.hands && !header.records {
            p { a href="map.html" { "map.html" } " shows all rule sets of the search and lists their tables." }
        }
        p { "Tables: " @for (index, table) in summary.tables().iter().map(Table::file).enumerate() {
            @if index > 0 { ", " } a href=(table) { (table) }
        } ". The complete run is in " a href="manifest.json" { "manifest.json" } ", its exact tallies are in "
        a href="progress.jsonl" { "progress.jsonl" } "." }
    }
}

/// The method of the run, its limits, and how to repeat it.
fn method(header: &ProgressHeader, summary: &Summary) -> Markup {
    let experiment = &header.resolved.experiment;
    let methods = include_str!("methods.txt").lines().filter_map(|line| line.split_once(": "));
    html! {
        p { "Each of the " (thousands(summary.deals)) " deals " (include_str!("../notes/method.txt")) }
        @if let Some(deals) = summary.analyzed_deals() {
            p { "The figures of decisions come from " (thousands(deals)) " of these deals." }
        }
        @for note in notes(header, summary) { p { (note) } }
        @for line in &experiment.plan { p { b { "Plan. " } (marked(line)) } }
        ul.list {
            @for (name, method) in methods { li { b { (name) } ": " (method) } }
        }
        h3 { "Repeat this run" }
        pre { "parlour run FOLDER/manifest.json" }
        p.dim { "FOLDER is the folder of this page. The same program gives the same bytes with any number of threads. Program "
            (header.program) ", experiment " code { (&header.digest[..16.min(header.digest.len())]) } "." }
        @for other in &header.accepted_programs {
            p.dim { "A part was played with another program, accepted as the same: " (other) "." }
        }
        @for name in header.resolved.unrepeatable() {
            p.dim { code { (name) } " is an external program or has a time budget: the run repeats only as far as its "
                "moves do." }
        }
        details {
            summary { "Rules of the variants" }
            @for (variant, row) in experiment.variants.iter().flatten().zip(&summary.variants) {
                h3 { (row.variant) } pre { (pretty(&variant.rules)) }
            }
        }
        details {
            summary { "Strategies" }
            @for (strategy, input) in experiment.strategies.iter().zip(&header.inputs.strategies) {
                h3 { (strategy.name) } @if !input.about.is_empty() { p { (input.about) } }
                pre { (pretty(&strategy.strategy)) }
            }
        }
    }
}

/// Limits of the results.
fn notes(header: &ProgressHeader, summary: &Summary) -> Vec<Markup> {
    let mut notes = Vec::new();
    if summary.deals < 2 {
        notes.push(html! { "With one deal no number has an interval." });
    }
    if header.resolved.experiment.strategies.len() < 2 {
        notes.push(html! { "With one strategy there are no ratings and no luck of the deal." });
    }
    notes.extend(end(header, summary));
    if let Some(warning) = &summary.tuning_warning {
        notes.push(html! { b { "Tuning. " } (marked(warning)) });
    }
    notes.push(html! {
        b { "Reach. " } "These findings hold for these strategies. Stronger strategies may lead to other results under the same rules."
    });
    notes
}

/// The condition for an early end, and whether it was met.
fn end(header: &ProgressHeader, summary: &Summary) -> Option<Markup> {
    let experiment = &header.resolved.experiment;
    let until = experiment.until?;
    let [deals, all] = [summary.deals, experiment.deals].map(thousands);
    let condition = match until {
        StopCondition::HalfWidth(half) => {
            format!("every score was known to ± {} percentage points", 100.0 * half)
        }
        StopCondition::Sprt(spec) => format!(
            "a sequential test of {} against {} Elo (error rates {} and {}) had decided every pairing",
            spec.elo0, spec.elo1, spec.alpha, spec.beta
        ),
    };
    Some(html! {
        b { "End. " }
        @if summary.early { "The run ended after " (deals) " of " (all) " deals because " (condition) "." }
        @else { "All " (deals) " deals were played. The run would have ended early once " (condition) "." }
        @if matches!(until, StopCondition::Sprt(_)) {
            " Scores after the test are corrected for early stopping; other figures are not and lean slightly towards the decision."
        }
    })
}

/// Number of hands of each kind.
const HANDS_PER_KIND: usize = 3;

/// The result of a hand in its record.
#[derive(Deserialize)]
struct HandResult {
    variant: String,
    deal: u64,
    hand: u32,
    seats: Vec<String>,
    scores: Vec<i64>,
}

impl HandResult {
    /// Lead of the best seat over the next.
    fn margin(&self) -> i64 {
        let mut scores = self.scores.clone();
        scores.sort_unstable_by(|a, b| b.cmp(a));
        scores.first().zip(scores.get(1)).map_or(0, |(best, next)| best.saturating_sub(*next))
    }

    fn title(&self, kind: &str) -> String {
        let points = self.seats.iter().zip(&self.scores);
        let points: Vec<String> = points.map(|(name, points)| format!("{name} {points}")).collect();
        let hand = if self.hand > 0 { format!(", hand {}", self.hand) } else { String::new() };
        let points = points.join(", ").replace('-', "−");
        format!("{kind}: {} deal {}{hand}: {points}", self.variant, self.deal)
    }
}

/// Writes the page if the folder has records. Returns the titles of its hands.
///
/// # Errors
/// If the records cannot be read, or the page cannot be written.
pub fn write_hands(folder: &Path, name: &str, replay_fn: ReplayFn) -> Result<Vec<String>> {
    let records = folder.join("records.jsonl");
    if !records.exists() {
        return Ok(Vec::new());
    }
    let hands = select(&records, replay_fn)?;
    if !hands.is_empty() {
        let title = format!("Hands of {name}");
        write_atomic(&folder.join(HANDS_PAGE), parlour_board::page(&title, &hands))?;
    }
    Ok(hands.into_iter().map(|hand| hand.title).collect())
}

/// Selects hands. Hands that cannot be replayed, because another program wrote them, are skipped.
fn select(records: &Path, replay_fn: ReplayFn) -> Result<Vec<Hand>> {
    // The hands with the smallest ranks, with their places; of equal hands the earlier ones.
    let smallest = |count: usize, rank: fn(&HandResult) -> i64| {
        process_results(Lines::open(records, 1, "record of a hand")?, |lines| {
            let results = lines.filter_map(|line| {
                let result = serde_json::from_str::<HandResult>(&line.text).ok()?;
                Some((rank(&result), line.number, result, line.text))
            });
            results.k_smallest_by_key(count, |(rank, place, ..)| (*rank, *place)).collect_vec()
        })
    };
    let lopsided = smallest(HANDS_PER_KIND, |result| -result.margin())?;
    let closest = smallest(2 * HANDS_PER_KIND, HandResult::margin)?;
    // With few hands some are both.
    let is_other = |one: &(i64, usize, _, _)| lopsided.iter().all(|other| other.1 != one.1);
    let closest: Vec<_> = closest.into_iter().filter(is_other).take(HANDS_PER_KIND).collect();
    let titled = |kind: &'static str| {
        move |(_, _, result, text): (_, _, HandResult, String)| {
            Some(Hand { title: result.title(kind), replay: replay_fn(&text).ok()?, adviser: None })
        }
    };
    let closest = closest.into_iter().filter_map(titled("closest"));
    Ok(lopsided.into_iter().filter_map(titled("most lopsided")).chain(closest).collect())
}

/// Links to the hands.
fn hands_section(titles: &[String]) -> Markup {
    html! {
        @if !titles.is_empty() {
            p { "Replays of the hands with the largest and the smallest margins. All hands are in " a href="records.jsonl" { "records.jsonl" } "." }
            ul.list { @for (number, title) in (1..).zip(titles) {
                li { a href=(format!("{HANDS_PAGE}#hand-{number}")) { (title) } }
            } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_game::ReplayView;

    #[test]
    fn largest_and_smallest_margins_are_selected_once_each() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let write = |margins: &[i64]| {
            let line = |(deal, margin): (usize, &i64)| {
                format!(
                    r#"{{"variant":"v","deal":{deal},"hand":0,"seats":["a","b"],"scores":[{margin},0]}}"#
                )
            };
            let lines: Vec<String> = margins.iter().enumerate().map(line).collect();
            std::fs::write(file.path(), lines.join("\n")).unwrap();
            let none: ReplayFn = |_| {
                let (moves, frames, points) = (Vec::new(), Vec::new(), Vec::new());
                Ok(ReplayView { head: serde_json::Map::new(), moves, frames, points })
            };
            let hands = select(file.path(), none).unwrap();
            hands.into_iter().map(|hand| hand.title.replace(" deal", "")).collect::<Vec<_>>()
        };
        assert_eq!(
            write(&[0, 3, 9, 1, 3, 9, 0, 1]),
            [
                "most lopsided: v 2: a 9, b 0",
                "most lopsided: v 5: a 9, b 0",
                "most lopsided: v 1: a 3, b 0",
                "closest: v 0: a 0, b 0",
                "closest: v 6: a 0, b 0",
                "closest: v 3: a 1, b 0",
            ]
        );
        assert_eq!(write(&[4]), ["most lopsided: v 0: a 4, b 0"]);
        assert!(write(&[]).is_empty());
    }
}
