//! Estimates with their doubt: one below the other as dots, or a table of scores as a heat map.

use maud::{Markup, html};

use super::WIDE;
use super::frame::{Scale, axis, frame, px, show};
use crate::stats::Estimate;

/// A row of the chart.
#[derive(Clone, Debug)]
pub struct Dot {
    /// Whose number it is.
    pub label: String,
    /// The number; a row without one says so.
    pub estimate: Option<Estimate>,
    /// Whether it stands out.
    pub strong: bool,
}

/// A chart of estimates: with a line at a reference it is a forest plot.
#[derive(Clone, Debug)]
pub struct Dots<'a> {
    /// What the numbers are, for the axis.
    pub axis: &'a str,
    /// What the chart shows, for those who cannot see it; the rows are read out after it.
    pub text: &'a str,
    /// A number to compare with: no difference, a fair score.
    pub reference: Option<f64>,
    /// The rows, from the top.
    pub rows: Vec<Dot>,
}

/// A name and a number above, the interval below.
const ROW: f64 = 34.0;

impl Dots<'_> {
    /// The chart.
    pub fn draw(&self) -> Markup {
        let shown = || self.rows.iter().filter_map(|row| row.estimate);
        let ends = shown().flat_map(|e| {
            let (low, high) = e.interval.unwrap_or((e.value, e.value));
            [low, e.value, high]
        });
        let scale = Scale::over(ends.chain(self.reference), 14.0, WIDE - 14.0);
        let bottom = 4.0 + ROW * self.rows.len() as f64;
        let said = |e: Option<Estimate>| if e.is_some() { show(e) } else { "not known".to_owned() };
        let read: Vec<String> =
            self.rows.iter().map(|row| format!("{}: {}", row.label, said(row.estimate))).collect();
        let body = html! {
            (axis(&scale, bottom, 4.0, self.axis))
            @if let Some(reference) = self.reference {
                @let x = px(scale.at(reference));
                line.reference x1=(x) x2=(x) y1="4.0" y2=(px(bottom)) {}
            }
            @for (index, row) in self.rows.iter().enumerate() {
                @let top = 4.0 + ROW * index as f64;
                @let y = px(top + 23.0);
                text.label.halo x="2.0" y=(px(top + 13.0)) { (row.label) }
                text.value.halo x=(px(WIDE - 2.0)) y=(px(top + 13.0)) text-anchor="end" {
                    (show(row.estimate))
                }
                @if let Some(estimate) = row.estimate {
                    g class=(if row.strong { "mark" } else { "mark faint" }) {
                        title { (row.label) ": " (show(row.estimate)) }
                        @if let Some((low, high)) = estimate.interval {
                            line.whisker x1=(px(scale.at(low))) x2=(px(scale.at(high))) y1=(y) y2=(y) {}
                        }
                        circle cx=(px(scale.at(estimate.value))) cy=(y) r="4" {}
                    }
                }
            }
        };
        let text = format!("{}: {}.", self.text, read.join("; "));
        frame(WIDE, bottom + 34.0, &text, None, &body)
    }
}

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
                (frame(width, height, &text, None, &body))
            }
        }
    }
}
