//! Distributions: points, margins, length, the lead over time, the board.

use maud::{Markup, html};

use super::super::{Summary, VariantSummary};
use super::{Story, figure};
use crate::chart::{Bands, Board, Histogram, Series};

const SEATS: [&str; 4] = ["first seat", "second seat", "third seat", "fourth seat"];

pub(super) fn section(story: &Story, summary: &Summary) -> Option<Markup> {
    let rows = || summary.variants.iter();
    (!summary.variants.is_empty()).then(|| {
        html! {
            p { "All hands of a variant together, whoever played them; so these shapes depend on who was "
                "let in. The bars at the ends hold all that lies beyond. Point at a chart for its numbers." }
            h3 { "Points at the end" }
            div.grid { @for row in rows() { (points(row)) } }
            (seat_key(story))
            h3 style="margin-top:1.4rem" { "Margin: the first seat's points less the best other's" }
            div.grid { @for row in rows() { (margin(row)) } }
            h3 style="margin-top:1.4rem" { "Length of a hand" }
            div.grid { @for row in rows() { (length(row)) } }
            @if rows().any(|r| r.spread.lead.is_some()) {
                h3 style="margin-top:1.4rem" { "The lead over time: " (story.lead) }
                p.dim { "The line is the median hand; half of the hands lie in the dark band, nine in ten in the light one." }
                div.grid { @for row in rows() { (lead(story, row)) } }
            }
            @if rows().any(|r| r.spread.known.is_some()) {
                h3 style="margin-top:1.4rem" { "Cards until the rule is known" }
                p.dim { (story.known) }
                div.grid { @for row in rows() { (known(row)) } }
            }
            @if rows().any(|r| r.spread.board.is_some()) {
                h3 style="margin-top:1.4rem" { "The board: where captures happen" }
                div.grid { @for row in rows() { (board(story, row)) } }
            }
        }
    })
}

fn points(row: &VariantSummary) -> Markup {
    let series = row
        .shape
        .scores
        .iter()
        .take(SEATS.len())
        .zip(SEATS)
        .map(|(counts, name)| Series { name: name.to_owned(), counts })
        .collect();
    let text = format!("Points of each seat under {}", row.variant);
    let bins = row.spread.score;
    figure(&row.variant, &Histogram { axis: "points", text: &text, bins, series }.draw(), "")
}

/// Which line is which seat.
fn seat_key(story: &Story) -> Markup {
    let seats = story.variants.iter().map(|v| v.seats).max().unwrap_or(2).min(SEATS.len());
    let lines = ["full, filled", "dashed", "dotted", "dash and dot"];
    let chips = ["fill-a", "fill-b", "fill-c", "fill-d"];
    html! {
        ul.key { @for seat in 0..seats {
            li { span class=(format!("chip {}", chips[seat])) {} (SEATS[seat]) " (" (lines[seat]) ")" }
        } }
    }
}

fn single<'a>(counts: &'a [i64]) -> Vec<Series<'a>> {
    vec![Series { name: String::new(), counts }]
}

fn margin(row: &VariantSummary) -> Markup {
    let text = format!("Margin of the first seat under {}", row.variant);
    let series = single(&row.shape.margin);
    let bins = row.spread.margin;
    figure(&row.variant, &Histogram { axis: "points", text: &text, bins, series }.draw(), "")
}

fn length(row: &VariantSummary) -> Markup {
    let text = format!("Turns of a hand under {}", row.variant);
    let series = single(&row.shape.turns);
    let bins = row.spread.turns;
    figure(&row.variant, &Histogram { axis: "turns", text: &text, bins, series }.draw(), "")
}

fn lead(story: &Story, row: &VariantSummary) -> Markup {
    let Some(bins) = row.spread.lead else { return html! {} };
    let text = format!("Lead of the first seat over time under {}", row.variant);
    figure(
        &row.variant,
        &Bands { text: &text, clock: story.clock, bins, steps: &row.shape.leads }.draw(),
        "",
    )
}

fn known(row: &VariantSummary) -> Markup {
    let Some(bins) = row.spread.known else { return html! {} };
    let text = format!("Cards until the rule is known under {}", row.variant);
    let share = row.shape.known.iter().sum::<i64>() as f64 / row.hands.max(1) as f64;
    let below = format!("Shares of the {:.0} % of hands in which somebody knew.", 100.0 * share);
    let series = single(&row.shape.known);
    let chart = Histogram { axis: "cards played", text: &text, bins, series }.draw();
    figure(&row.variant, &chart, &below)
}

fn board(story: &Story, row: &VariantSummary) -> Markup {
    let Some((_, columns)) = row.spread.board else { return html! {} };
    let shares: Vec<f64> =
        row.shape.board.iter().map(|&count| count as f64 / row.hands.max(1) as f64).collect();
    let text = format!("Board under {}: how often {} on each cell", row.variant, story.mark);
    let below = format!("The stronger the colour, the more often {}.", story.mark);
    figure(&row.variant, &Board { text: &text, columns, shares }.draw(), &below)
}
