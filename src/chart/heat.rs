//! A table of scores as a heat map.

use maud::{Markup, html};

use super::WIDE;
use super::frame::{frame, px, show};
use crate::stats::Estimate;

/// What each row scores against each column; ½ has no colour.
#[derive(Clone, Debug)]
pub struct Heat<'a> {
    /// What the chart shows, for those who cannot see it.
    pub text: &'a str,
    /// The rows' and columns' names.
    pub names: Vec<String>,
    /// The cells row by row, where they met.
    pub cells: Vec<Vec<Option<Estimate>>>,
}

impl Heat<'_> {
    /// The chart; with many names it is wider than the others.
    pub fn draw(&self) -> Markup {
        let count = self.names.len();
        let longest = self.names.iter().map(|n| n.chars().count()).max().unwrap_or(0) as f64;
        // About the width of a letter at this size.
        let left = (longest * 7.0 + 10.0).min(150.0);
        let right = longest.min(22.0) * 5.0;
        // The last name leans out to the right.
        let cell = ((WIDE - left - right) / (count.max(1) as f64 - 0.5)).clamp(36.0, 60.0);
        let side = 30.0;
        let top = longest.min(22.0) * 5.0 + 18.0;
        let width = (left + cell * count as f64 + right - cell / 2.0).max(WIDE);
        let body = html! {
            @for (index, name) in self.names.iter().enumerate() {
                @let x = left + cell * (index as f64 + 0.5);
                @let y = top - 5.0;
                text.label x=(px(left - 5.0)) y=(px(top + side * (index as f64 + 0.5) + 4.0))
                    text-anchor="end" { (name) }
                text.label x=(px(x)) y=(px(y))
                    transform=(format!("rotate(-45 {} {})", px(x), px(y))) { (name) }
            }
            @for (i, row) in self.cells.iter().enumerate() {
                @for (j, found) in row.iter().enumerate() {
                    @let (x, y) = (left + cell * j as f64, top + side * i as f64);
                    @if let Some(estimate) = found {
                        g {
                            title { (self.names[i]) " against " (self.names[j]) ": " (show(*found)) }
                            rect class=(if estimate.value >= 0.5 { "fill-a" } else { "fill-b" })
                                fill-opacity=(format!("{:.2}", (estimate.value - 0.5).abs() * 1.3))
                                x=(px(x + 1.0)) y=(px(y + 1.0))
                                width=(px(cell - 2.0)) height=(px(side - 2.0)) rx="3" {}
                            text.cell x=(px(x + cell / 2.0)) y=(px(y + side / 2.0 + 4.0))
                                text-anchor="middle" { (format!("{:.2}", estimate.value)) }
                        }
                    } @else {
                        rect.empty x=(px(x + 1.0)) y=(px(y + 1.0))
                            width=(px(cell - 2.0)) height=(px(side - 2.0)) rx="3" {}
                    }
                }
            }
        };
        let read = |i: usize, j: usize| {
            let estimate = self.cells[i][j]?;
            let (a, b) = (&self.names[i], &self.names[j]);
            Some(format!("{a} against {b} {:.2}", estimate.value))
        };
        let pairs = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j)));
        let read: Vec<String> = pairs.filter_map(|(i, j)| read(i, j)).collect();
        let text = format!("{}: {}.", self.text, read.join("; "));
        let height = top + side * count as f64 + 4.0;
        html! {
            div.wide style=(format!("--least:{}px", px(0.88 * width))) {
                (frame(width, height, &text, &body))
            }
        }
    }
}
