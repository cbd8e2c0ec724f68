//! How the numbers were made, and how to make them again.

use maud::{Markup, html};

use super::super::Summary;
use super::words::spaced;
use crate::arena::{ProgressHeader, Resolved};
use crate::files::Origin;

pub(super) fn section(header: &ProgressHeader, summary: &Summary) -> Markup {
    let experiment = &header.resolved.experiment;
    let controlled = summary.variants.iter().any(|v| v.controlled.is_some());
    let methods = include_str!("methods.txt").lines().filter_map(|line| line.split_once(": "));
    let methods = methods.filter(|(name, _)| *name != "Cards" || controlled);
    html! {
        p { "Deals: " (spaced(summary.deals)) ". Each deal was played once for every rotation of the strategies over the "
            "seats, by every pairing and under every variant. The cards were always the same, so luck cancels within "
            "a deal. The tallies are whole numbers, from which the numbers on this page are computed once." }
        @if let Some(looked_at) = summary.looked_at() {
            p { "The figures of decisions come from " (spaced(looked_at)) " of these deals." }
        }
        ul.said {
            @for (name, method) in methods { li { b { (name) } ": " (method) } }
        }
        h3 { "How to repeat this run" }
        pre { (command(header)) }
        p.dim { "The same program gives the same bytes with any number of threads. Program "
            (header.program) ", experiment " code { (&header.digest[..16.min(header.digest.len())]) } "." }
        @for name in header.resolved.unrepeatable() {
            p.dim { code { (name) } " is a program of its own or goes by the clock: the run repeats only as far as its "
                "moves do." }
        }
        details {
            summary { "The variants' rules" }
            @for variant in experiment.variants.iter().flatten() { h3 { (variant.name) } pre { (spelled(&variant.rules)) } }
        }
        details {
            summary { "The strategies" }
            @for (strategy, input) in experiment.strategies.iter().zip(&header.inputs.strategies) {
                h3 { (strategy.name) } @if !input.about.is_empty() { p { (input.about) } }
                pre { (spelled(&strategy.strategy)) }
            }
        }
        p.dim { "Beside this page: " code { "matchups.csv" } ", " code { "strategies.csv" } ", " code { "variants.csv" } ", "
            code { "differences.csv" } " and more for your own analysis, " code { "manifest.json" } " with the run "
            "in full, and " code { "progress.jsonl" } " with the exact tallies." }
    }
}

fn spelled(value: &serde_json::Value) -> String {
    crate::files::pretty(value)
}

/// The command that does a run again.
fn command(header: &ProgressHeader) -> String {
    let Resolved { name, experiment, tables, swept, .. } = &header.resolved;
    let (game, deals, seed) = (&experiment.game, experiment.deals, experiment.seed);
    let start = match header.inputs.experiment.as_ref().and_then(|input| input.from.as_ref()) {
        Some(Origin::File(path)) => format!("run {}", path.display()),
        Some(Origin::Embedded) => format!("run {name}"),
        // No file says it, but for the run's own.
        Some(Origin::Given) => "run manifest.json".to_owned(),
        // Whoever was made to beat a player stands in no file either.
        None if name == "exploit" => "run manifest.json".to_owned(),
        None if name == "match" => {
            let seats: Vec<String> = tables.iter().flat_map(|t| t.line_up.clone()).collect();
            format!("match {game} {} --variant {}", seats.join(" "), tables[0].variant)
        }
        None if !swept.is_empty() => swept_again(&header.resolved),
        None => {
            let variants = experiment.variants.iter().flatten().map(|v| v.name.as_str());
            let variants = variants.collect::<Vec<_>>().join(" ");
            let strategies = experiment.strategies.iter().map(|s| s.name.as_str());
            let strategies = strategies.collect::<Vec<_>>().join(",");
            format!("compare {game} {variants} --strategies {strategies}")
        }
    };
    format!("parlour {start} --deals {deals} --seed {seed}")
}

/// The command that sweeps again.
fn swept_again(run: &Resolved) -> String {
    let experiment = &run.experiment;
    let word =
        |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let variants = experiment.variants.iter().flatten();
    let rules = run.swept.rules.iter().map(|field| {
        let mut values: Vec<String> = Vec::new();
        for value in variants.clone().map(|variant| word(&variant.rules[field])) {
            if !values.contains(&value) {
                values.push(value);
            }
        }
        format!("{field}={}", values.join(","))
    });
    let (rules, bases) = (rules.collect::<Vec<_>>().join(" "), run.swept.bases.join(" "));
    let strategies = experiment.strategies.iter().map(|s| s.name.as_str());
    let strategies = strategies.collect::<Vec<_>>().join(",");
    format!("sweep {} {bases} {rules} --strategies {strategies}", experiment.game)
}
