//! How hands run: every figure that is drawn variant by variant.

use maud::{Markup, html};

use super::super::{Drawn, Shape, Summary, VariantSummary};
use super::{figure, heading};
use crate::chart::{Bands, Board, Histogram, LINES, Series};

pub(super) fn section(summary: &Summary) -> Option<Markup> {
    let first = summary.variants.first()?;
    let charts = first.drawn.iter().enumerate();
    let charts = charts.filter(|(_, drawn)| !matches!(drawn.shape, Some(Shape::Parts(_))));
    Some(html! {
        p { "All hands of a variant together, whoever played them; so these shapes depend on who was "
            "let in. The bars at the ends hold all that lies beyond. Point at a chart for its numbers." }
        @for (index, about) in charts {
            h3 style="margin-top:1.4rem" { (heading(about.name)) }
            p.dim { (about.meaning) @if matches!(about.shape, Some(Shape::Curve { .. })) {
                " The line is the median hand; half of the hands lie in the dark band, nine in ten in the light one."
            } }
            @if about.shape.is_none() { p { "Not measured: the program that played did not know this figure." } }
            @else {
                div.grid { @for row in &summary.variants { (chart(row, &row.drawn[index])) } }
                (seat_key(summary, index))
            }
        }
    })
}

/// How many rows a histogram has.
fn rows(drawn: &Drawn) -> usize {
    match &drawn.shape {
        Some(Shape::Histogram { rows, .. }) => rows.len(),
        _ => 0,
    }
}

/// Which line is which seat, where a figure has a line for each.
fn seat_key(summary: &Summary, index: usize) -> Markup {
    let seats = summary.variants.iter().map(|row| rows(&row.drawn[index])).max().unwrap_or(0);
    html! {
        @if seats > 1 { ul.key { @for (seat, line) in LINES.iter().enumerate().take(seats) {
            li { span class=(format!("chip {}", line.chip)) {} (seat_name(seat)) " (" (line.looks) ")" }
        } } }
    }
}

fn seat_name(seat: usize) -> String {
    format!("seat {}", seat + 1)
}

fn chart(row: &VariantSummary, drawn: &Drawn) -> Markup {
    let text = format!("{} under {}", heading(drawn.name), row.variant);
    let (chart, below) = match &drawn.shape {
        Some(Shape::Histogram { bins, rows, all }) => {
            let name = |seat| if rows.len() > 1 { seat_name(seat) } else { String::new() };
            let series = rows.iter().enumerate();
            let series = series.map(|(seat, counts)| Series { name: name(seat), counts }).collect();
            let chart = Histogram { axis: drawn.unit, text: &text, bins: *bins, series }.draw();
            let counted = rows.first().map_or(0, |row| row.iter().sum::<i64>());
            (chart, if *all { String::new() } else { part_of_hands(row, counted) })
        }
        Some(Shape::Curve { clock, bins, steps }) => {
            (Bands { text: &text, clock, bins: *bins, steps }.draw(), String::new())
        }
        Some(Shape::Map { columns, cells }) => {
            let share = |&count: &i64| count as f64 / row.hands.max(1) as f64;
            let shares = cells.iter().map(share).collect();
            let chart = Board { text: &text, columns: *columns, shares }.draw();
            (chart, "The stronger the colour, the more often.".to_owned())
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
