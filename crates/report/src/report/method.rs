//! The method of the run, its limits, and how to repeat it.

use itertools::Itertools;
use maud::{Markup, html};

use crate::html::marked;
use crate::summary::Summary;
use crate::units::thousands;
use parlour_arena::{ProgressHeader, Resolved, StopCondition};
use parlour_base::files::{Origin, pretty};
use parlour_game::sweep::word;

pub(super) fn section(header: &ProgressHeader, summary: &Summary) -> Markup {
    let experiment = &header.resolved.experiment;
    let is_controlled = summary.variants.iter().any(|v| v.controlled.is_some());
    let methods = include_str!("methods.txt").lines().filter_map(|line| line.split_once(": "));
    let methods = methods.filter(|(name, _)| *name != "Control variate" || is_controlled);
    html! {
        p { "Each of the " (thousands(summary.deals)) " deals was played under every variant by every pairing, once per rotation of the "
            "strategies over the seats. The cards were always the same, so luck cancels within "
            "a deal. The tallies are whole numbers; the numbers on this page are computed from them." }
        @if let Some(deals) = summary.analyzed_deals() {
            p { "The figures of decisions come from " (thousands(deals)) " of these deals." }
        }
        @for note in notes(header, summary) { p { (note) } }
        ul.list {
            @for (name, method) in methods { li { b { (name) } ": " (method) } }
        }
        h3 { "Repeat this run" }
        pre { (command(header)) }
        p.dim { "The same program gives the same bytes with any number of threads. Program "
            (header.program) ", experiment " code { (&header.digest[..16.min(header.digest.len())]) } "." }
        @for name in header.resolved.unrepeatable() {
            p.dim { code { (name) } " is an external program or has a time budget: the run repeats only as far as its "
                "moves do." }
        }
        details {
            summary { "Rules of the variants" }
            @for variant in experiment.variants.iter().flatten() { h3 { (variant.name) } pre { (pretty(&variant.rules)) } }
        }
        details {
            summary { "Strategies" }
            @for (strategy, input) in experiment.strategies.iter().zip(&header.inputs.strategies) {
                h3 { (strategy.name) } @if !input.about.is_empty() { p { (input.about) } }
                pre { (pretty(&strategy.strategy)) }
            }
        }
        p.dim { "Next to this page: CSV tables for your own analysis, " code { "manifest.json" } " with the complete "
            "run, and " code { "progress.jsonl" } " with the exact tallies." }
    }
}

/// Limits of the results.
fn notes(header: &ProgressHeader, summary: &Summary) -> Vec<Markup> {
    let mut notes = Vec::new();
    if summary.deals < 2 {
        notes.push(html! { "With one deal no number has an interval." });
    }
    if header.resolved.experiment.strategies.len() < 2 {
        notes.push(html! { "With one strategy there are no ratings and no share of skill." });
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
        StopCondition::HalfWidth(half) => format!("every score was known to ± {half}"),
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

/// The command that repeats a run.
fn command(header: &ProgressHeader) -> String {
    let Resolved { name, experiment, tables, swept, .. } = &header.resolved;
    let (game, deals, seed) = (&experiment.game, experiment.deals, experiment.seed);
    let variants = || experiment.variants.iter().flatten();
    let strategies = || experiment.strategies.iter().map(|s| s.name.as_str()).join(",");
    let start = match header.inputs.experiment.as_ref().and_then(|input| input.from.as_ref()) {
        Some(Origin::File(path)) => format!("run {}", path.display()),
        Some(Origin::Embedded) => format!("run {name}"),
        // No file contains the experiment, except the run's own manifest.
        Some(Origin::Given) => "run manifest.json".to_owned(),
        None if name == "exploit" => "run manifest.json".to_owned(),
        None if name == "match" => {
            let seats = tables.iter().flat_map(|table| &table.line_up).join(" ");
            format!("match {game} {seats} --variant {}", tables[0].variant)
        }
        None if !swept.is_empty() => {
            let values =
                |field: &String| variants().map(|v| word(&v.rules[field])).unique().join(",");
            let rules =
                swept.rules.iter().map(|field| format!("{field}={}", values(field))).join(" ");
            let bases = swept.bases.join(" ");
            format!("sweep {game} {bases} {rules} --strategies {}", strategies())
        }
        None => {
            let variants = variants().map(|v| v.name.as_str()).join(" ");
            format!("compare {game} {variants} --strategies {}", strategies())
        }
    };
    format!("parlour {start} --deals {deals} --seed {seed}")
}
