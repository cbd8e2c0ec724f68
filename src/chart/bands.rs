//! A number over time: its median, and the bands in which half and nine tenths of the hands lie.

use maud::{Markup, html};

use super::WIDE;
use super::frame::{Tips, axis, pointed, px, shares};
use super::histogram::quantile;
use super::scale::Scale;
use crate::stats::Bins;

/// A lead over the course of the hands, 0 at their beginning.
#[derive(Clone, Debug)]
pub struct Bands<'a> {
    /// What the chart shows, for those who cannot see it.
    pub text: &'a str,
    /// What the time is a share of.
    pub clock: &'a str,
    /// The bins of the lead.
    pub bins: Bins,
    /// Hands by bin, after each of equal steps.
    pub steps: &'a [Vec<i64>],
}

impl Bands<'_> {
    /// The chart.
    pub fn draw(&self) -> Markup {
        let (left, right, top, bottom) = (34.0, WIDE - 10.0, 8.0, 150.0);
        let count = self.steps.len().max(1) as f64;
        let at = |share: f64| -> Vec<f64> {
            let steps = self.steps.iter().map(|s| quantile(self.bins, s, share).unwrap_or(0.0));
            std::iter::once(0.0).chain(steps).collect()
        };
        let [low, quarter, middle, three, high] = [0.05, 0.25, 0.5, 0.75, 0.95].map(at);
        let across = Scale { low: 0.0, high: 100.0, from: left, to: right };
        let up = Scale::over(low.iter().chain(&high).copied(), bottom, top);
        let place = |i: usize, y: f64| {
            format!("{} {}", px(across.at(100.0 * i as f64 / count)), px(up.at(y)))
        };
        let line = |ys: &[f64]| -> String {
            ys.iter().enumerate().map(|(i, &y)| place(i, y)).collect::<Vec<_>>().join("L")
        };
        let band = |below: &[f64], above: &[f64]| {
            let back: Vec<String> =
                above.iter().enumerate().rev().map(|(i, &y)| place(i, y)).collect();
            format!("M{}L{}Z", line(below), back.join("L"))
        };
        let body = html! {
            (shares(&up, left, right))
            path.band-wide d=(band(&low, &high)) {}
            path.band d=(band(&quarter, &three)) {}
            line.reference x1=(px(left)) x2=(px(right)) y1=(px(up.at(0.0))) y2=(px(up.at(0.0))) {}
            path.line-a d=(format!("M{}", line(&middle))) {}
            (axis(&across, bottom, bottom, &format!("% of the {}", self.clock)))
        };
        let tip = |i: usize| {
            format!(
                "after {:.0} %: median {:.0}, half {:.0} to {:.0}, nine in ten {:.0} to {:.0}",
                100.0 * i as f64 / count,
                middle[i],
                quarter[i],
                three[i],
                low[i],
                high[i]
            )
        };
        // Each step's field ends where the next is nearer.
        let step = (right - left) / count;
        let tips = Tips {
            place: [left - step / 2.0, top, right - left + step, bottom - top],
            columns: middle.len(),
            texts: (0..middle.len()).map(tip).collect(),
        };
        let read = |i: usize| {
            format!(
                "after {:.0} % of the {} the median is {:.0}, nine in ten from {:.0} to {:.0}",
                100.0 * i as f64 / count,
                self.clock,
                middle[i],
                low[i],
                high[i]
            )
        };
        let (half, end) = (middle.len() / 2, middle.len() - 1);
        let text = format!("{}: {}; {}.", self.text, read(half), read(end));
        pointed(WIDE, bottom + 32.0, &text, &tips, &body)
    }
}
