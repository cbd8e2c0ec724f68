//! Charts of estimates: forest plots, with one row per number; and lines over a value, with intervals as
//! bands.

use itertools::Itertools;
use maud::{Markup, html};

use super::distributions::{LINES, key};
use super::{LETTER, LINE, Scale, WIDE, are_apart, axis, frame, px, shares, wrapped};
use crate::units::show;
use parlour_base::maths::exact::{ln, pow};
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
/// The width that labels leave to the axis of a forest plot.
const PLOT: f64 = 100.0;

/// Returns the smallest and the largest end of all intervals.
pub fn span<'a>(rows: impl IntoIterator<Item = &'a Dot>) -> Option<(f64, f64)> {
    let numbers = rows.into_iter().filter_map(|row| row.estimate).flat_map(|e| {
        let (low, high) = e.interval.unwrap_or((e.value, e.value));
        [low, e.value, high]
    });
    numbers.minmax_by(f64::total_cmp).into_option()
}

/// Draws a forest plot, with rows from the top. If a label is long, all stand above their rows, in as many
/// lines as they need: names often differ at their ends only.
pub fn forest(text: &str, on: Axis<'_>, rows: &[Dot]) -> Markup {
    let longest = |texts: &dyn Fn(&Dot) -> String| {
        rows.iter().map(|row| texts(row).chars().count()).max().unwrap_or(0)
    };
    let right = WIDE - (longest(&|row| show(row.estimate)) as f64 * LETTER + 8.0);
    let letters = longest(&|row| row.label.clone());
    let beside = letters as f64 * LETTER + 10.0;
    let most = rows.iter().map(|row| wrapped(&row.label).len()).max().unwrap_or(0);
    let (left, above) = match beside > right - PLOT {
        true => (10.0, LINE * most as f64),
        false => (beside, 0.0),
    };
    let high = ROW + above;
    let spans = on.span.into_iter().chain(span(rows)).flat_map(|(low, high)| [low, high]);
    let scale = Scale::over(spans.chain(on.reference.map(|(at, _)| at)), left, right - 6.0);
    let top = if on.reference.is_some() { 16.0 } else { 4.0 };
    let bottom = top + high * rows.len() as f64;
    let read = |row: &Dot| format!("{}: {}", row.label, show(row.estimate));
    let body = html! {
        (axis(&scale, bottom, top, on.unit))
        @if let Some((at, name)) = on.reference {
            @let x = px(scale.at(at));
            line.reference x1=(x) x2=(x) y1=(px(top - 2.0)) y2=(px(bottom)) {}
            text.tick x=(x) y="10.0" text-anchor="middle" { (name) }
        }
        @for (index, row) in rows.iter().enumerate() {
            @let y = top + high * index as f64 + above + ROW / 2.0;
            @for (number, line) in wrapped(&row.label).iter().enumerate() {
                @let y = y + 4.0 - above + LINE * number as f64;
                // The lines of the axis do not strike a label through.
                @if above > 0.0 {
                    rect.card x="0.0" y=(px(y - 11.0)) width=(px(LETTER * line.chars().count() as f64)) height="15.0" {}
                }
                text.label x="0.0" y=(px(y)) { (line) }
            }
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

/// The ratio of values from which the scale is logarithmic.
const SPAN: f64 = 8.0;

/// Returns `true` if values from `first` to `last` need a logarithmic scale.
pub fn in_ratios(first: f64, last: f64) -> bool {
    first > 0.0 && last >= SPAN * first
}

/// Draws numbers over a value, with their intervals as bands, and a reference line at the fair
/// number. Each series has a name and points by value.
pub fn lines(
    unit: &str,
    text: &str,
    x_title: &str,
    fair: Option<f64>,
    series: &[(String, Vec<(f64, Estimate)>)],
) -> Markup {
    let margin = if fair.is_some() { 28.0 } else { 12.0 };
    let (left, right, top, bottom) = (44.0, WIDE - margin, 18.0, 190.0);
    let all = || series.iter().flat_map(|(_, points)| points);
    let ends = |e: &Estimate| e.interval.unwrap_or((e.value, e.value));
    let heights = all().flat_map(|(_, e)| [ends(e).0, e.value, ends(e).1]);
    let up = Scale::over(heights.chain(fair), bottom, top);
    let values: Vec<f64> = all().map(|(x, _)| *x).sorted_by(f64::total_cmp).dedup().collect();
    let wide = values.first().zip(values.last()).is_some_and(|(a, b)| in_ratios(*a, *b));
    let place = |x: f64| if wide { ln(x) } else { x };
    let across = Scale::over(values.iter().map(|x| place(*x)), left + 4.0, right);
    let spot = |x: f64, y: f64| format!("{} {}", px(across.at(place(x))), px(up.at(y)));
    let number = |x: f64| if x.abs() < pow(10.0, 6.0) { format!("{x}") } else { format!("{x:e}") };
    let labels: Vec<_> = values.iter().map(|x| (across.at(place(*x)), number(*x))).collect();
    let thinned = |every: usize| labels.iter().step_by(every).cloned().collect::<Vec<_>>();
    let shown = (1..).map(thinned).find(|shown| are_apart(shown)).unwrap_or_default();
    let body = html! {
        (shares(&up, left, right))
        text.name x="0.0" y="10.0" { (unit) }
        @if let Some(fair) = fair {
            @let y = px(up.at(fair));
            line.reference x1=(px(left)) x2=(px(right)) y1=(y) y2=(y) {}
            text.tick x=(px(right + 4.0)) y=(px(up.at(fair) + 4.0)) { "fair" }
        }
        @for (index, (name, points)) in series.iter().enumerate() {
            @let line = LINES[index % LINES.len()];
            @let low = points.iter().map(|(x, e)| spot(*x, ends(e).0));
            @let high = points.iter().rev().map(|(x, e)| spot(*x, ends(e).1));
            path class=(format!("tint {}", line.chip)) d=(format!("M{}Z", low.chain(high).join("L"))) {}
            path class=(line.class) d=(format!("M{}", points.iter().map(|(x, e)| spot(*x, e.value)).join("L"))) {}
            @for (x, e) in points {
                circle class=(line.chip) cx=(px(across.at(place(*x)))) cy=(px(up.at(e.value))) r="3.5" {
                    title { (name) ", " (x_title) " " (number(*x)) ": " (show(Some(*e))) }
                }
            }
        }
        line.axis x1=(px(left)) x2=(px(right)) y1=(px(bottom)) y2=(px(bottom)) {}
        @for (x, label) in shown {
            text.tick x=(px(x)) y=(px(bottom + 14.0)) text-anchor="middle" { (label) }
        }
        text.name x=(px(f64::midpoint(left, right))) y=(px(bottom + 29.0)) text-anchor="middle" { (x_title) }
    };
    let read = |(name, points): &(String, Vec<(f64, Estimate)>)| {
        let values = points.iter().map(|(x, e)| format!("{} at {}", show(Some(*e)), number(*x)));
        format!("{name}: {}", values.format(", "))
    };
    let read: Vec<String> = series.iter().map(read).collect();
    html! {
        (frame([WIDE, bottom + 34.0], text, &read, None, &body))
        @if series.len() > 1 { (key(series.iter().map(|(name, _)| name))) }
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
    fn long_labels_stand_above_their_rows_in_full() {
        let on = Axis { unit: "Elo", reference: None, span: None };
        let names = [7, 9].map(|bonus| format!("mine-knock_at-10-suit_line-3-bonus_over-{bonus}"));
        let rows = [row(&names[0], 1.0), row(&names[1], 2.0)];
        let chart = forest("x", on, &rows).into_string();
        assert!(names.iter().all(|name| chart.contains(&format!(">{name}</text>"))), "{chart}");
        assert!(chart.contains(r#"y="19.0">mine"#) && chart.contains(r#"cy="29.0""#), "{chart}");
        // Two lines, the axis below all rows.
        let longest = "n".repeat(60);
        let chart = forest("x", on, &[row(&longest, 1.0), row("b", 2.0)]).into_string();
        assert!(chart.contains(&format!(">{}<", "n".repeat(53))), "{chart}");
        assert!(chart.contains(&format!(">{}<", "n".repeat(7))), "{chart}");
        let without = [Estimate::bare(-1581.4)].map(|e| Dot::new("b", Some(e), Mark::Faint));
        let chart = forest("x", on, &without).into_string();
        let axis = chart.split("class=\"axis\"").nth(1).unwrap();
        let end: f64 = axis.split('"').nth(3).unwrap().parse().unwrap();
        let value = "−1581 (no interval)".chars().count() as f64 * LETTER;
        assert!(end < WIDE - value, "the number runs into the axis at {end}: {chart}");
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

    #[test]
    fn lines_have_a_point_for_each_value() {
        let points = [250.0, 500.0, 4000.0].map(|x| (x, Estimate::symmetric(x / 100.0, 1.0)));
        let series = [("search".to_owned(), points.to_vec())];
        let chart = lines("Elo", "Ratings", "playouts", None, &series).into_string();
        assert_eq!(chart.matches("<circle").count(), 3);
        // Equal ratios have equal distances.
        let at: Vec<f64> = chart
            .split("cx=\"")
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap().parse().unwrap())
            .collect();
        assert!(((at[2] - at[0]) / (at[1] - at[0]) - 4.0).abs() < 0.05, "{at:?}");
        assert!(!chart.contains("NaN"));
    }

    #[test]
    fn a_chart_without_series_is_drawn() {
        assert!(!lines("Elo", "Ratings", "x", None, &[]).into_string().contains("NaN"));
    }
}
