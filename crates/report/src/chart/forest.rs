//! Forest plots: one row per number, with label, interval and value. Several plots can share an
//! axis.

use itertools::Itertools;
use maud::{Markup, html};

use super::WIDE;
use super::frame::{Scale, axis, frame, px, show};
use parlour_stats::Estimate;

/// The emphasis of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// Significant: in colour.
    Strong,
    /// Significant only without the correction for multiple tests: an open circle in colour.
    Open,
    /// Not significant: grey.
    Faint,
}

impl Mark {
    fn class(self) -> &'static str {
        match self {
            Mark::Strong => "mark",
            Mark::Open => "mark open",
            Mark::Faint => "mark faint",
        }
    }
}

/// A row of a forest plot.
#[derive(Clone, Debug)]
pub struct Dot {
    /// The label.
    pub label: String,
    /// The number; `None` if it is unknown.
    pub estimate: Option<Estimate>,
    /// The emphasis.
    pub mark: Mark,
}

impl Dot {
    /// Creates a row.
    pub fn new(label: &str, estimate: Option<Estimate>, mark: Mark) -> Dot {
        Dot { label: label.to_owned(), estimate, mark }
    }
}

/// The axis of a forest plot.
#[derive(Clone, Copy, Debug)]
pub struct Axis<'a> {
    /// The unit, written at the axis.
    pub unit: &'a str,
    /// A reference number and its name.
    pub reference: Option<(f64, &'a str)>,
    /// The range that the axis covers at least, shared by several charts.
    pub span: Option<(f64, f64)>,
}

const ROW: f64 = 22.0;
/// The approximate width of a letter.
const LETTER: f64 = 6.4;

/// Returns the smallest and the largest end of all intervals.
pub fn span<'a>(rows: impl IntoIterator<Item = &'a Dot>) -> Option<(f64, f64)> {
    let numbers = rows.into_iter().filter_map(|row| row.estimate).flat_map(|e| {
        let (low, high) = e.interval.unwrap_or((e.value, e.value));
        [low, e.value, high]
    });
    numbers.minmax_by(f64::total_cmp).into_option()
}

/// Draws a forest plot, with rows from the top.
pub fn forest(text: &str, on: Axis<'_>, rows: &[Dot]) -> Markup {
    let width = |texts: &dyn Fn(&Dot) -> String| {
        rows.iter().map(|row| texts(row).chars().count()).max().unwrap_or(0) as f64 * LETTER
    };
    let right = WIDE - (width(&|row| show(row.estimate)) + 8.0).min(120.0);
    let left = (width(&|row| row.label.clone()) + 10.0).min(right - 80.0).max(10.0);
    let spans = on.span.into_iter().chain(span(rows)).flat_map(|(low, high)| [low, high]);
    let scale = Scale::over(spans.chain(on.reference.map(|(at, _)| at)), left, right - 6.0);
    let top = if on.reference.is_some() { 16.0 } else { 4.0 };
    let bottom = top + ROW * rows.len() as f64;
    // A label that does not fit is cut; the title has it in full.
    let fitting = ((left - 6.0) / LETTER) as usize;
    let label = |name: &str| match name.chars().count() {
        count if count <= fitting + 1 => name.to_owned(),
        _ => name.chars().take(fitting.max(1)).chain(['…']).collect(),
    };
    let read = |row: &Dot| format!("{}: {}", row.label, show(row.estimate));
    let body = html! {
        (axis(&scale, bottom, top, on.unit))
        @if let Some((at, name)) = on.reference {
            @let x = px(scale.at(at));
            line.reference x1=(x) x2=(x) y1=(px(top - 2.0)) y2=(px(bottom)) {}
            text.tick x=(x) y="10.0" text-anchor="middle" { (name) }
        }
        @for (index, row) in rows.iter().enumerate() {
            @let y = top + ROW * (index as f64 + 0.5);
            text.label x="0.0" y=(px(y + 4.0)) { (label(&row.label)) }
            text.value x=(px(WIDE)) y=(px(y + 4.0)) text-anchor="end" { (show(row.estimate)) }
            @if let Some(estimate) = row.estimate {
                g class=(row.mark.class()) {
                    title { (read(row)) }
                    @if let Some((low, high)) = estimate.interval {
                        line.whisker x1=(px(scale.at(low))) x2=(px(scale.at(high))) y1=(px(y)) y2=(px(y)) {}
                    }
                    circle cx=(px(scale.at(estimate.value))) cy=(px(y)) r="4" {}
                }
            }
        }
    };
    let read: Vec<String> = rows.iter().map(read).collect();
    frame([WIDE, bottom + 34.0], text, &read, None, &body)
}

/// Draws the interval of a difference and its zero line in a table cell. The scale is the half
/// width, so that rows of any unit can stand below each other.
pub fn sliver(estimate: Estimate, mark: Mark) -> Markup {
    const FAR: f64 = 6.0;
    let half = estimate.half_width().filter(|half| *half > 0.0);
    let Some(half) = half else { return html! {} };
    let scale = Scale { low: -FAR, high: FAR, from: 4.0, to: 116.0 };
    let at = |x: f64| px(scale.at((x / half).clamp(-FAR, FAR)));
    let (low, high) = estimate.interval.unwrap_or((estimate.value, estimate.value));
    html! {
        svg.sliver viewBox="0 0 120 16" aria-hidden="true" {
            line.reference x1="60" x2="60" y1="1" y2="15" {}
            g class=(mark.class()) {
                line.whisker x1=(at(low)) x2=(at(high)) y1="8" y2="8" {}
                circle cx=(at(estimate.value)) cy="8" r="3.5" {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(label: &str, value: f64) -> Dot {
        Dot::new(label, Some(Estimate::symmetric(value, 0.1)), Mark::Strong)
    }

    #[test]
    fn label_and_value_stand_on_one_line() {
        let on = Axis { unit: "Elo", reference: Some((0.0, "none")), span: None };
        let chart = forest("Ratings", on, &[row("a", 1.0), row("b", 2.0)]).into_string();
        assert!(chart.contains(">none<"), "{chart}");
        assert_eq!(chart.matches(r#"y="31.0""#).count(), 2, "label and value: {chart}");
        assert!(chart.contains(r#"cy="27.0""#), "{chart}");
    }

    #[test]
    fn charts_with_one_span_have_one_axis() {
        let rows = [row("a", 1.0), row("b", 9.0)];
        let whole = span(&rows);
        let on = Axis { unit: "Elo", reference: None, span: whole };
        let ticks = |chart: &str| chart.matches("class=\"grid\"").count();
        let [one, two] = [0, 1].map(|i| forest("x", on, &rows[i..=i]).into_string());
        assert_eq!(ticks(&one), ticks(&two));
        assert_eq!(whole, Some((0.9, 9.1)));
    }
}
