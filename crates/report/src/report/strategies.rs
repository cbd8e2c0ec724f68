//! The strategies: ratings, scores against one another, cycles, confirmations.

use itertools::Itertools;
use maud::{Markup, html};

use crate::chart::{HeatMap, show};
use crate::html::{figure, rating_charts, sortable};
use crate::rows::{Confirmation, PopulationRow, Standing};
use crate::summary::{Summary, VariantSummary};
use crate::text_report::{TextTable, level_sentences, pairing_table};

pub(super) fn section(summary: &Summary) -> Markup {
    let variants: Vec<&VariantSummary> = summary.variants.iter().collect();
    if variants.iter().all(|v| v.standings.is_empty()) {
        return html! {};
    }
    // With two strategies a heat map would have one number.
    let matrices = || variants.iter().filter(|v| v.scores.len() > 2 && is_mostly_filled(v));
    let confirmed: Vec<&Confirmation> = variants.iter().flat_map(|v| &v.confirmed).collect();
    let pairings = pairing_table(&summary.matchups().collect::<Vec<_>>(), true, true);
    html! {
        p { "Ratings are on the Elo scale, with a mean of 0 under each variant. A difference of 100 means an "
            "expected score of 0.64. The heat maps show the score of the row's strategy against the column's." }
        @for sentence in level_sentences(summary) { p { (sentence) } }
        h3 { "Ratings" }
        (rating_charts(&variants, str::to_owned))
        @if matrices().next().is_some() {
            h3 style="margin-top:1.4rem" { "Scores" }
            div.grid { @for variant in matrices() { (matrix(variant)) } }
        }
        @for variant in variants.iter().filter(|v| !v.population.is_empty()) {
            (population(&variant.variant, &variant.population))
        }
        @if !confirmed.is_empty() { (confirmations(&confirmed)) }
        details {
            summary { "All pairings (" (pairings.rows.len()) ")" }
            p.dim {
                "LOS is the likelihood of superiority. “p” is the p-value of equal strength. “p, corrected” is corrected for the "
                "number of pairings, separately for those of the question and all others; a difference is significant below 0.05. "
                "“Variance ratio” is the variance of a deal's score divided by its variance with independent seatings: below 1, "
                "pairing helped."
            }
            (sortable(&pairings))
        }
    }
}

/// Returns `true` if most strategies met most others; the heat map of a gauntlet would have one row.
fn is_mostly_filled(variant: &VariantSummary) -> bool {
    let met = variant.scores.iter().flatten().flatten().count();
    2 * met > variant.scores.len() * variant.scores.len()
}

fn matrix(variant: &VariantSummary) -> Markup {
    let rows = || variant.standings.iter();
    let names: Vec<String> = rows().map(|row| row.strategy.clone()).collect();
    let scores = |a: &Standing| rows().map(|b| variant.scores[a.number][b.number]).collect();
    let map = HeatMap {
        titles: ["", ""],
        names: [&names, &names],
        cells: &rows().map(scores).collect::<Vec<_>>(),
        middle: Some(0.5),
        has_contour: false,
    };
    let text = format!("Scores under {}", variant.variant);
    figure(&variant.variant, &map.draw(&text, |a, b| format!("{a} against {b}")), "")
}

/// Nash averages and α-rank of a variant with a significant cycle.
fn population(variant: &str, population: &[PopulationRow]) -> Markup {
    let members = |cycle| population.iter().filter(move |row| row.cycle == Some(cycle));
    let names = |cycle| members(cycle).map(|row| row.strategy.as_str()).join(", ");
    let cycles: Vec<String> = (1..).map(names).take_while(|names| !names.is_empty()).collect();
    let row = |row: &PopulationRow| {
        let [share, score, rank] =
            [row.nash_share, row.nash_score, row.alpha_rank].map(|e| show(Some(e)));
        [row.strategy.clone(), share, score, rank]
    };
    let heads = ["strategy", "Nash share", "Nash score", "α-rank"];
    html! {
        h3 style="margin-top:1.4rem" { "Not transitive: " (variant) }
        p {
            "These strategies beat one another in a cycle, and each win is significant: "
            (cycles.join("; ")) ". A rating cannot order them. The Nash share is a strategy's part in the mixture that no "
            "strategy beats (the one of greatest entropy). The Nash score is its score "
            "against that mixture. α-rank is the share of time that evolution spends with a strategy."
        }
        (sortable(&TextTable::of(1, heads, population.iter().map(row))))
    }
}

/// The best strategies on deals that did not select them.
fn confirmations(rows: &[&Confirmation]) -> Markup {
    let row = |row: &&Confirmation| {
        let Confirmation { variant, strategy, opponent, selection_score, score, .. } = *row;
        let [selected, fresh] = [selection_score, score].map(|score| show(*score));
        [variant.clone(), strategy.clone(), opponent.clone(), selected, fresh]
    };
    let heads = ["variant", "strategy", "opponent", "score when selected", "score on fresh deals"];
    html! {
        h3 style="margin-top:1.4rem" { "Confirmed on fresh deals" }
        p { "The best strategy of many owes part of its lead to luck. These deals had no part in the selection." }
        (sortable(&TextTable::of(3, heads, rows.iter().map(row))))
    }
}
