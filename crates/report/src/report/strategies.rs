//! The strategies: ratings, scores against one another, cycles, confirmations.

use maud::{Markup, html};

use super::super::html::{figure, forest_figure, sortable};
use super::super::rows::{Confirmation, Matchup, PopulationRow, Standing};
use super::super::summary::{Summary, VariantSummary};
use super::super::text_report::TextTable;
use super::super::text_tables::level_sentences;
use crate::chart::{Axis, Dot, Mark, heat, show, span};
use parlour_stats::{Verdict, is_significant};

pub(super) fn section(summary: &Summary) -> Markup {
    let variants = &summary.variants;
    if variants.iter().all(|v| v.standings.is_empty()) {
        return html! {};
    }
    // With two strategies a heat map would have one number.
    let matrices = || variants.iter().filter(|v| v.scores.len() > 2 && is_mostly_filled(v));
    let rows: Vec<Vec<Dot>> = variants.iter().map(ratings).collect();
    let axis = Axis { unit: "Elo", reference: None, span: span(rows.iter().flatten()) };
    let confirmed: Vec<&Confirmation> = variants.iter().flat_map(|v| &v.confirmed).collect();
    html! {
        p { "Ratings are on the Elo scale, with a mean of 0 under each variant. A difference of 100 means an "
            "expected score of 0.64. The heat maps show the score of the row's strategy against the column's." }
        @for sentence in level_sentences(summary) { p { (sentence) } }
        h3 { "Ratings" }
        div.grid { @for (variant, rows) in variants.iter().zip(&rows) {
            (forest_figure(&variant.variant, axis, rows, ""))
        } }
        @if matrices().next().is_some() {
            h3 style="margin-top:1.4rem" { "Scores" }
            div.grid { @for variant in matrices() { (matrix(variant)) } }
        }
        @for variant in variants.iter().filter(|v| !v.population.is_empty()) {
            (population(&variant.variant, &variant.population))
        }
        @if !confirmed.is_empty() { (confirmations(&confirmed)) }
        (pairings(summary))
    }
}

/// Returns `true` if most strategies met most others; the heat map of a gauntlet would have one row.
fn is_mostly_filled(variant: &VariantSummary) -> bool {
    let met = variant.scores.iter().flatten().flatten().count();
    2 * met > variant.scores.len() * variant.scores.len()
}

fn ratings(variant: &VariantSummary) -> Vec<Dot> {
    let dot = |s: &Standing| Dot {
        label: s.strategy.clone(),
        estimate: s.rating,
        mark: if s.rank == 1 { Mark::Strong } else { Mark::Faint },
    };
    variant.standings.iter().map(dot).collect()
}

fn matrix(variant: &VariantSummary) -> Markup {
    let rows = || variant.standings.iter();
    let names: Vec<&str> = rows().map(|row| row.strategy.as_str()).collect();
    let scores = |a: &Standing| rows().map(|b| variant.scores[a.number][b.number]).collect();
    let cells: Vec<Vec<_>> = rows().map(scores).collect();
    let text = format!("Scores under {}", variant.variant);
    figure(&variant.variant, &heat(&text, &names, &cells), "")
}

/// Nash averages and α-rank of a variant with a significant cycle.
fn population(variant: &str, population: &[PopulationRow]) -> Markup {
    let members = |cycle| population.iter().filter(move |row| row.cycle == Some(cycle));
    let names =
        |cycle| members(cycle).map(|row| row.strategy.as_str()).collect::<Vec<_>>().join(", ");
    let cycles: Vec<String> = (1..).map(names).take_while(|names| !names.is_empty()).collect();
    let row = |row: &PopulationRow| {
        let numbers = [row.nash_share, row.nash_score, row.alpha_rank].map(|e| show(Some(e)));
        std::iter::once(row.strategy.clone()).chain(numbers)
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
        [
            row.variant.clone(),
            row.strategy.clone(),
            row.opponent.clone(),
            show(row.selection_score),
            show(row.score),
        ]
    };
    let heads = ["variant", "strategy", "opponent", "score when selected", "score on fresh deals"];
    html! {
        h3 style="margin-top:1.4rem" { "Confirmed on fresh deals" }
        p { "The best strategy of many owes part of its lead to luck. These deals had no part in the selection." }
        (sortable(&TextTable::of(3, heads, rows.iter().map(row))))
    }
}

fn pairings(summary: &Summary) -> Markup {
    let p = |p: Option<f64>| match p {
        None => "–".to_owned(),
        Some(p) if p < 0.0001 => "< 0.0001".to_owned(),
        Some(p) => format!("{p:.4}"),
    };
    let verdict = |row: &Matchup| match row.sprt_verdict {
        Some(Verdict::Upper) => "at least elo1",
        Some(Verdict::Lower) => "at most elo0",
        Some(Verdict::Undecided) => "undecided",
        None => "–",
    };
    let is_tested = summary.matchups().any(|row| row.sprt_verdict.is_some());
    let mut heads = vec![
        "variant",
        "strategy",
        "opponent",
        "score",
        "margin",
        "won",
        "drawn",
        "lost",
        "p",
        "p, corrected",
        "significant",
        "variance ratio",
    ];
    heads.extend(is_tested.then_some("sequential test"));
    let row = |row: &Matchup| {
        let mut cells = vec![row.variant.clone(), row.strategy.clone(), row.opponent.clone()];
        cells.extend([show(row.score), show(row.margin)]);
        cells.extend([row.wins, row.draws, row.losses].map(|n| n.to_string()));
        cells.extend([p(row.p_value), p(row.p_adjusted_family)]);
        let significant = if is_significant(row.p_adjusted_family) { "yes" } else { "no" };
        cells.push(significant.to_owned());
        cells.push(row.variance_ratio.map_or("–".to_owned(), |r| format!("{r:.2}")));
        cells.extend(is_tested.then(|| verdict(row).to_owned()));
        cells
    };
    let table = TextTable::of(3, heads, summary.matchups().map(row));
    html! {
        details {
            summary { "All pairings (" (table.rows.len()) ")" }
            p.dim {
                "“p” is the p-value of equal strength. “p, corrected” is corrected for the number of pairings, separately for those "
                "of the question and all others; a difference is significant below 5 %. “Variance ratio” is the variance of a "
                "deal's score divided by its variance with independent seatings: below 1, pairing helped."
            }
            (sortable(&table))
        }
    }
}
