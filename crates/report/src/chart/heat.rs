//! A heat map of the scores of all pairs.

use maud::{Markup, html};

use super::WIDE;
use super::frame::{frame, px, show};
use parlour_stats::Estimate;

/// Draws the score of each strategy against each other, if they met; ½ has no colour. With many
/// names the chart is wider than the others.
pub fn heat(text: &str, names: &[&str], cells: &[Vec<Option<Estimate>>]) -> Markup {
    let count = names.len();
    let longest = names.iter().map(|n| n.chars().count()).max().unwrap_or(0) as f64;
    // The approximate width of a letter at this size.
    let left = (longest * 7.0 + 10.0).min(150.0);
    let right = longest.min(22.0) * 5.0;
    // The last name extends to the right.
    let cell = ((WIDE - left - right) / (count.max(1) as f64 - 0.5)).clamp(36.0, 60.0);
    let side = 30.0;
    let top = right + 18.0;
    let width = (left + cell * count as f64 + right - cell / 2.0).max(WIDE);
    let score = |estimate: Estimate| format!("{:.2}", estimate.value);
    let body = html! {
        @for (index, name) in names.iter().enumerate() {
            @let (x, y) = (px(left + cell * (index as f64 + 0.5)), px(top - 5.0));
            @let middle = top + side * (index as f64 + 0.5);
            text.label x=(px(left - 5.0)) y=(px(middle + 4.0)) text-anchor="end" { (name) }
            text.label x=(x) y=(y) transform=(format!("rotate(-45 {x} {y})")) { (name) }
        }
        @for (i, row) in cells.iter().enumerate() {
            @for (j, found) in row.iter().enumerate() {
                @let (x, y) = (left + cell * j as f64, top + side * i as f64);
                @let (wide, high) = (px(cell - 2.0), px(side - 2.0));
                @if let Some(estimate) = *found {
                    g {
                        title { (names[i]) " against " (names[j]) ": " (show(*found)) }
                        rect class=(if estimate.value >= 0.5 { "fill-a" } else { "fill-b" })
                            fill-opacity=(format!("{:.2}", (estimate.value - 0.5).abs() * 1.3))
                            x=(px(x + 1.0)) y=(px(y + 1.0)) width=(wide) height=(high) rx="3" {}
                        text.cell x=(px(x + cell / 2.0)) y=(px(y + side / 2.0 + 4.0)) text-anchor="middle" {
                            (score(estimate))
                        }
                    }
                } @else {
                    rect.empty x=(px(x + 1.0)) y=(px(y + 1.0)) width=(wide) height=(high) rx="3" {}
                }
            }
        }
    };
    let read = |(i, j): (usize, usize)| {
        Some(format!("{} against {} {}", names[i], names[j], score(cells[i][j]?)))
    };
    let pairs = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j)));
    let read: Vec<String> = pairs.filter_map(read).collect();
    html! {
        div.wide style=(format!("--least:{}px", px(0.88 * width))) {
            (frame([width, top + side * count as f64 + 4.0], text, &read, None, &body))
        }
    }
}
