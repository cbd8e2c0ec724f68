//! Estimates one below the other, each a dot with its interval.

use maud::{Markup, html};

use super::WIDE;
use super::frame::{axis, frame, px, show};
use super::scale::Scale;
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
        frame(WIDE, bottom + 34.0, &text, &body)
    }
}
