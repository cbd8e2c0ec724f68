//! The strategies: ratings, scores against one another, rings.

use maud::{Markup, html};

use super::super::{Placed, Standing, Summary, VariantSummary};
use super::figure;
use crate::chart::{Axis, Dot, Mark, forest, heat, show, span};
use crate::stats::is_significant;

pub(super) fn section(summary: &Summary) -> Markup {
    let variants = &summary.variants;
    if variants.iter().all(|v| v.standings.is_empty()) {
        return html! {};
    }
    // With two strategies a heat map would have one number.
    let matrices = || variants.iter().filter(|v| v.scores.len() > 2 && is_filled(v));
    let rows: Vec<Vec<Dot>> = variants.iter().map(ratings).collect();
    let shared = Axis { unit: "Elo", reference: None, span: span(rows.iter().flatten()) };
    html! {
        p { "Ratings are on the Elo scale; their mean is 0 under each variant. A difference of 100 means an "
            "expected score of 0.64. The heat maps show what the row's strategy scores against the column's." }
        h3 { "Ratings" }
        div.grid { @for (variant, rows) in variants.iter().zip(&rows) {
            @let text = format!("Ratings under {} in Elo with 95 % intervals", variant.variant);
            (figure(&variant.variant, &forest(&text, shared, rows), ""))
        } }
        @if matrices().next().is_some() {
            h3 style="margin-top:1.4rem" { "Scores" }
            div.grid { @for variant in matrices() { (matrix(variant)) } }
        }
        @for variant in variants.iter().filter(|v| !v.population.is_empty()) {
            (population(&variant.variant, &variant.population))
        }
        (pairings(summary))
    }
}

/// Whether most strategies met most others: of a gauntlet a heat map would have one row.
fn is_filled(variant: &VariantSummary) -> bool {
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
    let of = |a: &Standing| rows().map(|b| variant.scores[a.number][b.number]).collect();
    let cells: Vec<Vec<_>> = rows().map(of).collect();
    let text = format!("Scores under {}", variant.variant);
    figure(&variant.variant, &heat(&text, &names, &cells), "")
}

/// Nash averages and α-rank, where a ring is proven.
fn population(variant: &str, population: &[Placed]) -> Markup {
    let members = |ring| population.iter().filter(move |row| row.ring == Some(ring));
    let names =
        |ring| members(ring).map(|row| row.strategy.as_str()).collect::<Vec<_>>().join(", ");
    let rings: Vec<String> = (1..).map(names).take_while(|names| !names.is_empty()).collect();
    html! {
        h3 style="margin-top:1.4rem" { "Not a ladder: " (variant) }
        p {
            "These strategies beat one another in a ring, and each win is significant: "
            (rings.join("; ")) ". A rating cannot order them. The Nash share is a strategy's part in the mixture that no "
            "strategy beats (the one of greatest entropy). The Nash score is what a strategy scores "
            "against that mixture. α-rank is the share of time that evolution spends with a strategy."
        }
        div.scroll { table.sort {
            thead { tr { th.text { "strategy" } th { "Nash share" } th { "Nash score" } th { "α-rank" } } }
            tbody { @for row in population { tr {
                td.text { (row.strategy) }
                td { (show(Some(row.nash_share))) }
                td { (show(Some(row.nash_score))) }
                td { (show(Some(row.alpha_rank))) }
            } } }
        } }
    }
}

fn pairings(summary: &Summary) -> Markup {
    let p = |p: Option<f64>| match p {
        None => "–".to_owned(),
        Some(p) if p < 0.0001 => "< 0.0001".to_owned(),
        Some(p) => format!("{p:.4}"),
    };
    let rows = || summary.matchups();
    html! {
        details {
            summary { "All pairings (" (rows().count()) ")" }
            p.dim {
                "“p” is the p-value of equal strength; “p, corrected” allows for the number of pairings: what the question asks for, and all others. A "
                "difference is significant where it is below 5 %. “Paired” is the variance of a deal's "
                "score divided by its variance with independent seatings: below 1 the shared cards helped."
            }
            div.scroll { table.sort {
                thead { tr {
                    th.text { "variant" } th.text { "strategy" } th.text { "opponent" }
                    th { "score" } th { "margin" } th { "won" } th { "drawn" } th { "lost" }
                    th { "p" } th { "p, corrected" } th.text { "significant" } th { "paired" }
                } }
                tbody { @for row in rows() { tr {
                    td.text { (row.variant) } td.text { (row.strategy) } td.text { (row.opponent) }
                    td { (show(row.score)) } td { (show(row.margin)) }
                    td { (row.wins) } td { (row.draws) } td { (row.losses) }
                    td { (p(row.p)) } td { (p(row.p_family)) }
                    td.text { @if is_significant(row.p_family) { "yes" } @else { "no" } }
                    td { (row.variance_ratio.map_or("–".to_owned(), |r| format!("{r:.2}"))) }
                } } }
            } }
        }
    }
}
