//! SVG charts. A chart is a function of its numbers and names, without knowledge of games or runs.
//! The `text` of each is the description for people who cannot see it.
//!
//! Every chart is [`WIDE`] units wide, so that its letters are legible on a phone at one pixel per
//! unit. Colours are classes of the style sheet, which has a light and a dark theme. Coordinates
//! have one decimal, so that equal numbers give equal bytes.

mod distributions;
mod estimates;

use itertools::Itertools;
use maud::{Markup, html};

use parlour_base::maths::exact::{log10, pow};
use parlour_stats::number;

pub use distributions::{LINES, Line, bands, board, histogram, key, stack};
pub use estimates::{Axis, Dot, Mark, forest, in_ratios, lines, sliver, span};

/// The width of a chart in its own units.
pub const WIDE: f64 = 340.0;

/// The approximate width of a letter of a label.
const LETTER: f64 = 6.4;

/// The height of a line of a label.
const LINE: f64 = 14.0;

/// Breaks a label into lines as wide as a chart, between words where possible.
fn wrapped(label: &str) -> Vec<String> {
    let most = (WIDE / LETTER) as usize;
    let mut all = vec![String::new()];
    for word in label.split_inclusive(' ') {
        for part in word.chars().chunks(most).into_iter().map(String::from_iter) {
            match all.last_mut() {
                Some(line) if line.chars().count() + part.trim_end().chars().count() <= most => {
                    line.push_str(&part)
                }
                _ => all.push(part),
            }
        }
    }
    all
}

/// Formats a coordinate with one decimal.
fn px(x: f64) -> String {
    number(x, 1)
}

/// Tooltips: a text for each of equal cells, row by row. They are one attribute that a script
/// reads; one node per cell would be most of the page.
struct Tips {
    /// The left edge, upper edge, width and height of all cells together.
    pub place: [f64; 4],
    pub columns: usize,
    pub texts: Vec<String>,
}

/// Draws a picture of this width and height, with its text alternative, the values read out of it,
/// and its tooltips.
fn frame(size: [f64; 2], alt: &str, read: &[String], tips: Option<&Tips>, body: &Markup) -> Markup {
    html! {
        svg viewBox=(format!("0 0 {}", size.map(px).join(" "))) role="img"
            aria-label=(format!("{alt}: {}.", read.join("; ")))
            data-place=[tips.map(|tips| tips.place.map(px).join(" "))]
            data-columns=[tips.map(|tips| tips.columns)]
            data-tips=[tips.map(|tips| tips.texts.join("|"))] {
            (body)
        }
    }
}

/// Draws a horizontal axis at height `y`, with ticks, grid lines up to `top`, and a title.
fn axis(scale: &Scale, y: f64, top: f64, title: &str) -> Markup {
    let middle = f64::midpoint(scale.from, scale.to);
    html! {
        @for (x, label) in scale.fitting_ticks() {
            line.grid x1=(px(x)) x2=(px(x)) y1=(px(top)) y2=(px(y)) {}
            // Keeps the label within the frame.
            @let room = 3.4 * label.chars().count() as f64;
            text.tick x=(px(x.clamp(room, WIDE - room))) y=(px(y + 13.0)) text-anchor="middle" { (label) }
        }
        line.axis x1=(px(scale.from)) x2=(px(scale.to)) y1=(px(y)) y2=(px(y)) {}
        text.name x=(px(middle)) y=(px(y + 28.0)) text-anchor="middle" { (title) }
    }
}

/// Draws a vertical axis of shares at the left, with grid lines up to `right`.
fn shares(scale: &Scale, x: f64, right: f64) -> Markup {
    html! {
        @for (y, label) in scale.ticks(5) {
            line.grid x1=(px(x)) x2=(px(right)) y1=(px(y)) y2=(px(y)) {}
            text.tick x=(px(x - 4.0)) y=(px(y + 4.0)) text-anchor="end" { (label) }
        }
    }
}

/// A linear scale from `low..=high` to `from..=to`.
#[derive(Clone, Copy, Debug)]
struct Scale {
    pub low: f64,
    pub high: f64,
    pub from: f64,
    pub to: f64,
}

impl Scale {
    /// Creates a scale over numbers with a margin at both ends, also if all numbers are equal.
    pub fn over(numbers: impl Iterator<Item = f64>, from: f64, to: f64) -> Scale {
        let ends = numbers.filter(|x| x.is_finite()).minmax_by(f64::total_cmp).into_option();
        let (low, high) = ends.unwrap_or((0.0, 1.0));
        let room = if high > low { (high - low) * 0.06 } else { low.abs().max(1.0) * 0.05 };
        Scale { low: low - room, high: high + room, from, to }
    }

    /// Returns the coordinate of a number.
    pub fn at(&self, x: f64) -> f64 {
        self.from + (x - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Returns the coordinates and labels of about `wanted` round numbers: steps of 1, 2 or 5 times
    /// a power of ten.
    pub fn ticks(&self, wanted: usize) -> Vec<(f64, String)> {
        let rough = (self.high - self.low) / wanted as f64;
        if !(rough > 0.0 && rough.is_finite()) {
            return Vec::new();
        }
        let power = pow(10.0, log10(rough).floor());
        // The nearest of them as ratios.
        let nearest = [(1.41, 1.0), (3.16, 2.0), (7.07, 5.0)];
        let digit = nearest.into_iter().find(|(most, _)| rough / power <= *most);
        let step = digit.map_or(10.0, |(_, digit)| digit) * power;
        let decimals = (-log10(step).floor()).max(0.0) as usize;
        let [first, last] = [(self.low / step).ceil(), (self.high / step).floor()];
        let numbers = (first as i64..=last as i64).map(|i| i as f64 * step);
        let label = |x: f64| format!("{x:.decimals$}").replace('-', "−");
        numbers.map(|x| (self.at(x), label(x))).collect()
    }

    /// Returns at most about 5 ticks with labels that stand apart.
    pub fn fitting_ticks(&self) -> Vec<(f64, String)> {
        (1..=5).rev().map(|wanted| self.ticks(wanted)).find(|t| are_apart(t)).unwrap_or_default()
    }
}

/// Returns `true` if labels in the middle of these places do not touch.
fn are_apart(ticks: &[(f64, String)]) -> bool {
    let width = |label: &str| 6.8 * label.chars().count() as f64;
    let mut pairs = ticks.iter().tuple_windows();
    pairs.all(|((a, one), (b, other))| b - a > f64::midpoint(width(one), width(other)) + 5.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let labels = |low, high| {
            let scale = Scale { low, high, from: 0.0, to: 100.0 };
            scale.ticks(5).into_iter().map(|(_, label)| label).collect::<Vec<_>>()
        };
        assert_eq!(labels(0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(-0.012, 0.013), ["−0.010", "−0.005", "0.000", "0.005", "0.010"]);
        let hundreds = ["−800", "−600", "−400", "−200", "0", "200", "400"];
        assert_eq!(labels(-900.0, 500.0), hundreds);
        assert_eq!(labels(0.0, 88.0), ["0", "20", "40", "60", "80"]);
        assert!(labels(1.0, 1.0).is_empty());
    }

    #[test]
    fn labels_of_a_narrow_axis_stand_apart() {
        let scale = |to| Scale { low: -1100.0, high: 1100.0, from: 0.0, to };
        assert_eq!(scale(300.0).fitting_ticks().len(), 5);
        let labels: Vec<_> = scale(90.0).fitting_ticks().into_iter().map(|t| t.1).collect();
        assert_eq!(labels, ["−1000", "0", "1000"]);
        assert!(scale(10.0).fitting_ticks().len() <= 1);
    }

    #[test]
    fn numbers_have_their_places() {
        let scale = Scale::over([0.0, 10.0].into_iter(), 100.0, 200.0);
        assert!((scale.at(5.0) - 150.0).abs() < 1e-9);
        assert!(scale.at(0.0) > 100.0 && scale.at(10.0) < 200.0);
        let alike = Scale::over([3.0; 4].into_iter(), 0.0, 1.0);
        assert!((alike.at(3.0) - 0.5).abs() < 1e-9);
        assert!(Scale::over(std::iter::empty(), 0.0, 1.0).at(0.5).is_finite());
    }
}
