//! The course of the hands: every chart, variant by variant.

use maud::{Markup, html};

use crate::chart::{Extent, LINES, bands, board, histogram};
use crate::distribution::ChartData;
use crate::html::{figure, heading};
use crate::summary::{Summary, VariantSummary};
use parlour_stats::Bins;

pub(super) fn section(summary: &Summary) -> Markup {
    let charts = summary.variants[0].distributions.iter().enumerate();
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
                (seat_key(summary, index))
            }
        }
    }
}

/// The rows of a variant's histogram over some bins: of all seats, or of each seat.
fn rows(variant: &VariantSummary, index: usize, over: Option<Bins>) -> &[Vec<i64>] {
    match &variant.distributions[index].data {
        Some(ChartData::Histogram { bins, rows, .. }) if over.is_none_or(|o| o == *bins) => rows,
        _ => &[],
    }
}

/// The legend of a chart with a line per seat.
fn seat_key(summary: &Summary, index: usize) -> Markup {
    let seats = summary.variants.iter().map(|row| rows(row, index, None).len()).max().unwrap_or(0);
    html! {
        @if seats > 1 { ul.key { @for (seat, line) in (1..).zip(&LINES[..seats.min(LINES.len())]) {
            li { span class=(format!("chip {}", line.chip)) {} "seat " (seat) " (" (line.looks) ")" }
        } } }
    }
}

fn chart(summary: &Summary, row: &VariantSummary, index: usize) -> Markup {
    let about = &row.distributions[index];
    let text = format!("{} under {}", heading(about.head.name), row.variant);
    let share = |count: i64| count as f64 / row.hands.max(1) as f64;
    let mut caption = String::new();
    let chart = match &about.data {
        Some(ChartData::Histogram { bins, rows: own, is_complete }) => {
            if !is_complete {
                let counted = own.first().map_or(0, |row| row.iter().sum());
                let percent = 100.0 * share(counted);
                caption = format!("Shares of the {percent:.0} % of hands with such a number.");
            }
            // All variants with the same bins share their axes.
            let all = summary.variants.iter().flat_map(|v| rows(v, index, Some(*bins)));
            histogram(about.head.unit, &text, *bins, own, Extent::over(*bins, all))
        }
        Some(ChartData::Curve { clock, bins, steps }) => bands(&text, clock, *bins, steps),
        Some(ChartData::Map { columns, cells }) => {
            "The stronger the colour, the more often.".clone_into(&mut caption);
            board(&text, *columns, &cells.iter().map(|count| share(*count)).collect::<Vec<_>>())
        }
        Some(ChartData::Parts(_)) | None => return html! {},
    };
    figure(&row.variant, &chart, &caption)
}
