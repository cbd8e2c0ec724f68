//! The course of the hands: every chart, variant by variant.

use maud::{Markup, html};

use super::super::distribution::{ChartData, Distribution};
use super::super::html::{figure, heading};
use super::super::summary::{Summary, VariantSummary};
use crate::chart::{Extent, LINES, bands, board, histogram};
use parlour_stats::Bins;

pub(super) fn section(summary: &Summary) -> Markup {
    let Some(first) = summary.variants.first() else { return html! {} };
    let charts = first.distributions.iter().enumerate();
    let charts = charts.filter(|(_, chart)| !matches!(chart.data, Some(ChartData::Parts(_))));
    html! {
        p { "All hands of a variant together, so the shapes depend on the participating strategies. Variants "
            "of a row share their axes. The outermost bars include everything beyond. Point at a chart for its numbers." }
        @for (index, about) in charts {
            h3 style="margin-top:1.4rem" { (heading(about.head.name)) }
            p.dim { (about.head.meaning) @if matches!(about.data, Some(ChartData::Curve { .. })) {
                " The line is the median; half of the hands lie in the dark band, 90 % in the light one."
            } }
            @if about.data.is_none() { p { "Not measured: the program that played did not know this figure." } }
            @else {
                div.grid { @for row in &summary.variants { (chart(summary, row, index)) } }
                (seat_key(summary.variants.iter().map(|row| seats(&row.distributions[index]).len()).max()))
            }
        }
    }
}

/// The names of a histogram's rows, if it has one per seat.
fn seats(chart: &Distribution) -> Vec<String> {
    match &chart.data {
        Some(ChartData::Histogram { rows, .. }) if rows.len() > 1 => {
            (1..=rows.len()).map(|seat| format!("seat {seat}")).collect()
        }
        _ => Vec::new(),
    }
}

/// The legend of a chart with a line per seat.
fn seat_key(seats: Option<usize>) -> Markup {
    let seats = seats.unwrap_or(0);
    html! {
        @if seats > 1 { ul.key { @for (seat, line) in (1..).zip(&LINES[..seats.min(LINES.len())]) {
            li { span class=(format!("chip {}", line.chip)) {} "seat " (seat) " (" (line.looks) ")" }
        } } }
    }
}

/// The axes of a histogram, shared by all variants with the same bins.
fn extent(summary: &Summary, index: usize, bins: Bins) -> Extent {
    let rows = summary.variants.iter().filter_map(|row| match &row.distributions[index].data {
        Some(ChartData::Histogram { bins: own, rows, .. }) if *own == bins => Some(rows),
        _ => None,
    });
    Extent::over(bins, rows.flatten())
}

fn chart(summary: &Summary, row: &VariantSummary, index: usize) -> Markup {
    let about = &row.distributions[index];
    let text = format!("{} under {}", heading(about.head.name), row.variant);
    let (chart, caption) = match &about.data {
        Some(ChartData::Histogram { bins, rows, is_complete }) => {
            let chart = histogram(
                about.head.unit,
                &text,
                *bins,
                &seats(about),
                rows,
                extent(summary, index, *bins),
            );
            let counted = rows.first().map_or(0, |row| row.iter().sum::<i64>());
            (chart, if *is_complete { String::new() } else { part_of_hands(row, counted) })
        }
        Some(ChartData::Curve { clock, bins, steps }) => {
            (bands(&text, clock, *bins, steps), String::new())
        }
        Some(ChartData::Map { columns, cells }) => {
            let share = |&count: &i64| count as f64 / row.hands.max(1) as f64;
            let shares: Vec<f64> = cells.iter().map(share).collect();
            let caption = "The stronger the colour, the more often.".to_owned();
            (board(&text, *columns, &shares), caption)
        }
        Some(ChartData::Parts(_)) | None => return html! {},
    };
    figure(&row.variant, &chart, &caption)
}

/// The share of hands that a chart counts, if some have no number.
fn part_of_hands(row: &VariantSummary, counted: i64) -> String {
    let share = counted as f64 / row.hands.max(1) as f64;
    format!("Shares of the {:.0} % of hands with such a number.", 100.0 * share)
}
