//! The strategies: ratings, scores against one another, rings.

use maud::{Markup, html};

use super::super::Summary;
use super::{Story, figure};
use crate::chart::{Dot, Dots, Heat, show};
use crate::stats::survives;

pub(super) fn section(story: &Story, summary: &Summary) -> Option<Markup> {
    (!summary.standings.is_empty()).then(|| {
        html! {
            p { "Ratings are on the Elo scale, their mean being 0 under each variant; a difference of "
                "100 is an expected score of 0.64. The heat maps show what the row scores against the column." }
            h3 { "Ratings" }
            div.grid { @for variant in &story.variants { (ratings(summary, &variant.name)) } }
            @if story.variants.iter().any(|v| v.seats == 2) && story.strategies.len() > 2 {
                h3 style="margin-top:1.4rem" { "Scores" }
                div.grid {
                    @for variant in story.variants.iter().filter(|v| v.seats == 2) {
                        (matrix(summary, &variant.name))
                    }
                }
            }
            (populations(summary))
            (pairings(summary))
        }
    })
}

fn ratings(summary: &Summary, variant: &str) -> Markup {
    let rows = summary.standings.iter().filter(|s| s.variant == variant);
    let rows: Vec<Dot> = rows
        .map(|s| Dot { label: s.strategy.clone(), estimate: s.rating, strong: s.rank == 1 })
        .collect();
    let text = format!("Ratings under {variant} in Elo with 95 % intervals");
    let chart = Dots { axis: "Elo", text: &text, reference: None, rows }.draw();
    figure(variant, &chart, "")
}

fn matrix(summary: &Summary, variant: &str) -> Markup {
    let names: Vec<String> = summary
        .standings
        .iter()
        .filter(|s| s.variant == variant)
        .map(|s| s.strategy.clone())
        .collect();
    let cells = names
        .iter()
        .map(|a| names.iter().map(|b| summary.score(variant, a, b)).collect())
        .collect();
    let text = format!("Scores under {variant}");
    figure(variant, &Heat { text: &text, names, cells }.draw(), "")
}

/// Nash averages and α-rank, where a ring is proven.
fn populations(summary: &Summary) -> Markup {
    html! {
        @for population in &summary.populations {
            h3 style="margin-top:1.4rem" { "Not a ladder: " (population.variant) }
            p {
                "These strategies beat one another in a ring, each difference proven: "
                @for (index, ring) in population.rings.iter().enumerate() {
                    @if index > 0 { "; " } (ring.join(", "))
                }
                ". A rating cannot order them. The Nash share is the part a strategy has in the mixture "
                "that none beats (of greatest entropy), the Nash score what it scores against that mixture, "
                "and α-rank the share of time that evolution spends with it."
            }
            div.scroll { table.sort {
                thead { tr { th.text { "strategy" } th { "Nash share" } th { "Nash score" } th { "α-rank" } } }
                tbody { @for row in &population.rows { tr {
                    td.text { (row.strategy) }
                    td { (show(Some(row.nash_share))) }
                    td { (show(Some(row.nash_score))) }
                    td { (show(Some(row.alpha_rank))) }
                } } }
            } }
        }
    }
}

fn pairings(summary: &Summary) -> Markup {
    let p = |p: Option<f64>| match p {
        None => "–".to_owned(),
        Some(p) if p < 0.0001 => "< 0.0001".to_owned(),
        Some(p) => format!("{p:.4}"),
    };
    html! {
        details {
            summary { "All pairings (" (summary.matchups.len()) ")" }
            p.dim {
                "p is for a score of equal strength, then corrected by Holm over all pairings; “told” says "
                "whether the difference survives at 5 %. “Paired” is the variance of a deal's score as a "
                "part of what it would be, were the two seatings independent: below 1 the shared cards helped."
            }
            div.scroll { table.sort {
                thead { tr {
                    th.text { "variant" } th.text { "strategy" } th.text { "opponent" }
                    th { "score" } th { "margin" } th { "won" } th { "drawn" } th { "lost" }
                    th { "p" } th { "p, Holm" } th.text { "told" } th { "paired" }
                } }
                tbody { @for row in &summary.matchups { tr {
                    td.text { (row.variant) } td.text { (row.strategy) } td.text { (row.opponent) }
                    td { (show(row.score)) } td { (show(row.margin)) }
                    td { (row.wins) } td { (row.draws) } td { (row.losses) }
                    td { (p(row.p)) } td { (p(row.p_holm)) }
                    td.text { @if survives(row.p_holm) { "yes" } @else { "no" } }
                    td { (row.variance_ratio.map_or("–".to_owned(), |r| format!("{r:.2}"))) }
                } } }
            } }
        }
    }
}
