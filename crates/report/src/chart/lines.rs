//! Line charts: numbers over a value, with intervals as bands, one line per series.

use itertools::Itertools;
use maud::{Markup, html};

use super::WIDE;
use super::distributions::LINES;
use super::frame::{Scale, frame, px, shares, show};
use parlour_base::maths::exact::{ln, pow};
use parlour_stats::Estimate;

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
    let (left, right, top, bottom) = (44.0, WIDE - 12.0, 18.0, 190.0);
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
    let every = values.len().div_ceil(8).max(1);
    let body = html! {
        (shares(&up, left, right))
        text.name x="0.0" y="10.0" { (unit) }
        @if let Some(fair) = fair {
            @let y = px(up.at(fair));
            line.reference x1=(px(left)) x2=(px(right)) y1=(y) y2=(y) {}
            text.tick.halo x=(px(right)) y=(px(up.at(fair) - 4.0)) text-anchor="end" { "fair" }
        }
        @for (index, (name, points)) in series.iter().enumerate() {
            @let line = LINES[index % LINES.len()];
            @let low = points.iter().map(|(x, e)| spot(*x, ends(e).0));
            @let high = points.iter().rev().map(|(x, e)| spot(*x, ends(e).1));
            path class=(format!("tint {}", line.chip)) d=(format!("M{}Z", low.chain(high).join("L"))) {}
            path class=(line.stroke()) d=(format!("M{}", points.iter().map(|(x, e)| spot(*x, e.value)).join("L"))) {}
            @for (x, e) in points {
                circle class=(line.chip) cx=(px(across.at(place(*x)))) cy=(px(up.at(e.value))) r="3.5" {
                    title { (name) ", " (x_title) " " (number(*x)) ": " (show(Some(*e))) }
                }
            }
        }
        line.axis x1=(px(left)) x2=(px(right)) y1=(px(bottom)) y2=(px(bottom)) {}
        @for x in values.iter().step_by(every) {
            text.tick x=(px(across.at(place(*x)))) y=(px(bottom + 14.0)) text-anchor="middle" { (number(*x)) }
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
        @if series.len() > 1 {
            ul.key { @for ((name, _), line) in series.iter().zip(LINES.iter().cycle()) {
                li { span class=(format!("chip {}", line.chip)) {} (name) }
            } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
