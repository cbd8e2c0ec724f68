//! How hands run: every figure that is drawn variant by variant.

use maud::{Markup, html};

use super::super::{Drawn, Shape, Summary, VariantSummary};
use super::{figure, heading};
use crate::chart::{Extent, LINES, bands, board, histogram};
use crate::stats::Bins;

pub(super) fn section(summary: &Summary) -> Markup {
    let Some(first) = summary.variants.first() else { return html! {} };
    let charts = first.drawn.iter().enumerate();
    let charts = charts.filter(|(_, drawn)| !matches!(drawn.shape, Some(Shape::Parts(_))));
    html! {
        p { "All hands of a variant together, whoever played them; so these shapes depend on who was "
            "let in. Variants of a row share their axes. The bars at the ends hold all that lies beyond. Point at a chart for its numbers." }
        @for (index, about) in charts {
            h3 style="margin-top:1.4rem" { (heading(about.head.name)) }
            p.dim { (about.head.meaning) @if matches!(about.shape, Some(Shape::Curve { .. })) {
                " The line is the median hand; half of the hands lie in the dark band, nine in ten in the light one."
            } }
            @if about.shape.is_none() { p { "Not measured: the program that played did not know this figure." } }
            @else {
                div.grid { @for row in &summary.variants { (chart(summary, row, index)) } }
                (seat_key(summary.variants.iter().map(|row| seats(&row.drawn[index]).len()).max()))
            }
        }
    }
}

/// The names of a histogram's rows, where it has one for each seat.
fn seats(drawn: &Drawn) -> Vec<String> {
    match &drawn.shape {
        Some(Shape::Histogram { rows, .. }) if rows.len() > 1 => {
            (1..=rows.len()).map(|seat| format!("seat {seat}")).collect()
        }
        _ => Vec::new(),
    }
}

/// Which line is which seat, where a figure has a line for each.
fn seat_key(seats: Option<usize>) -> Markup {
    let seats = seats.unwrap_or(0);
    html! {
        @if seats > 1 { ul.key { @for (seat, line) in (1..).zip(&LINES[..seats.min(LINES.len())]) {
            li { span class=(format!("chip {}", line.chip)) {} "seat " (seat) " (" (line.looks) ")" }
        } } }
    }
}

/// The axes of a histogram, shared by all variants that have the same bins.
fn extent(summary: &Summary, index: usize, bins: Bins) -> Extent {
    let rows = summary.variants.iter().filter_map(|row| match &row.drawn[index].shape {
        Some(Shape::Histogram { bins: own, rows, .. }) if *own == bins => Some(rows),
        _ => None,
    });
    Extent::over(bins, rows.flatten())
}

fn chart(summary: &Summary, row: &VariantSummary, index: usize) -> Markup {
    let drawn = &row.drawn[index];
    let text = format!("{} under {}", heading(drawn.head.name), row.variant);
    let (chart, below) = match &drawn.shape {
        Some(Shape::Histogram { bins, rows, all }) => {
            let chart = histogram(
                drawn.head.unit,
                &text,
                *bins,
                &seats(drawn),
                rows,
                extent(summary, index, *bins),
            );
            let counted = rows.first().map_or(0, |row| row.iter().sum::<i64>());
            (chart, if *all { String::new() } else { part_of_hands(row, counted) })
        }
        Some(Shape::Curve { clock, bins, steps }) => {
            (bands(&text, clock, *bins, steps), String::new())
        }
        Some(Shape::Map { columns, cells }) => {
            let share = |&count: &i64| count as f64 / row.hands.max(1) as f64;
            let shares: Vec<f64> = cells.iter().map(share).collect();
            let below = "The stronger the colour, the more often.".to_owned();
            (board(&text, *columns, &shares), below)
        }
        Some(Shape::Parts(_)) | None => return html! {},
    };
    figure(&row.variant, &chart, &below)
}

/// Of how many hands the shares are, where some have no number.
fn part_of_hands(row: &VariantSummary, counted: i64) -> String {
    let share = counted as f64 / row.hands.max(1) as f64;
    format!("Shares of the {:.0} % of hands that have such a number.", 100.0 * share)
}
