//! The course of the hands: every chart, variant by variant.

use maud::{Markup, html};

use crate::chart::{Extent, LINES, bands, board, histogram};
use crate::html::{figure, heading};
use crate::summary::{Summary, VariantSummary};
use parlour_game::FigureKind;

pub(super) fn section(summary: &Summary) -> Markup {
    let charts = summary.variants[0].distributions.iter().enumerate();
    let charts = charts.filter(|(_, chart)| !matches!(chart.kind, FigureKind::Parts(_)));
    html! {
        p { "All hands of a variant together, so the shapes depend on the participating strategies. Variants "
            "of a row share their axes. The outermost bars include everything beyond. Point at a chart for its numbers." }
        @for (index, about) in charts {
            h3 style="margin-top:1.4rem" { (heading(about.head.name)) }
            p.dim { (about.head.meaning) @if matches!(about.kind, FigureKind::Curve(_)) {
                " The line is the median; half of the hands lie in the dark band, 90 % in the light one."
            } }
            @if about.rows.is_empty() { p { "Not measured: the program that played did not know this figure." } }
            @else {
                div.grid { @for row in &summary.variants { (chart(summary, row, index)) } }
                @if about.kind == FigureKind::Histogram { (seat_key(summary, index)) }
            }
        }
    }
}

/// The legend of a chart with a line per seat.
fn seat_key(summary: &Summary, index: usize) -> Markup {
    let seats = summary.variants.iter().map(|row| row.distributions[index].rows.len());
    let seats = seats.max().unwrap_or(0);
    html! {
        @if seats > 1 { ul.key { @for (seat, line) in (1..).zip(&LINES[..seats.min(LINES.len())]) {
            li { span class=(format!("chip {}", line.chip)) {} "seat " (seat) " (" (line.looks) ")" }
        } } }
    }
}

fn chart(summary: &Summary, variant: &VariantSummary, index: usize) -> Markup {
    let about = &variant.distributions[index];
    let (bins, rows) = (about.bins, &about.rows);
    let text = format!("{} under {}", heading(about.head.name), variant.variant);
    let share = |count: i64| count as f64 / variant.hands.max(1) as f64;
    let mut caption = String::new();
    let chart = match about.kind {
        FigureKind::Histogram => {
            let counted = rows.first().map_or(0, |row| row.iter().sum());
            if counted < variant.hands as i64 {
                let percent = 100.0 * share(counted);
                caption = format!("Shares of the {percent:.0} % of hands with such a number.");
            }
            // All variants with the same bins share their axes.
            let all = summary.variants.iter().map(|row| &row.distributions[index]);
            let all = all.filter(|chart| chart.bins == bins).flat_map(|chart| &chart.rows);
            histogram(about.head.unit, &text, bins, rows, Extent::over(bins, all))
        }
        FigureKind::Curve(clock) => bands(&text, clock, bins, rows),
        _ => {
            "The stronger the colour, the more often.".clone_into(&mut caption);
            let cells: Vec<f64> = rows.iter().flatten().map(|count| share(*count)).collect();
            board(&text, rows[0].len(), &cells)
        }
    };
    figure(&variant.variant, &chart, &caption)
}
