//! Distributions over hands: histograms, and bands of a number during the hands.

use maud::{Markup, html};

use super::WIDE;
use super::frame::{Scale, Tips, axis, frame, px, shares as share_axis};
use parlour_stats::Bins;

/// The style of a line.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// The class in the page's style sheet.
    pub class: &'static str,
    /// The class of a patch of this colour.
    pub chip: &'static str,
    /// A description for people.
    pub looks: &'static str,
}

impl Line {
    /// Returns the class of the line without the area below.
    pub(super) fn stroke(&self) -> &'static str {
        if self.class == "area-a" { "line-a" } else { self.class }
    }
}

/// The line styles, one for each row of a histogram: four colours, then the same colours with other
/// dashes.
pub const LINES: [Line; 8] = [
    Line { class: "area-a", chip: "fill-a", looks: "full, filled" },
    Line { class: "line-b", chip: "fill-b", looks: "dashed" },
    Line { class: "line-c", chip: "fill-c", looks: "dotted" },
    Line { class: "line-d", chip: "fill-d", looks: "dash and dot" },
    Line { class: "line-e", chip: "fill-a", looks: "long dashes" },
    Line { class: "line-f", chip: "fill-b", looks: "sparse dots" },
    Line { class: "line-g", chip: "fill-c", looks: "sparse dashes" },
    Line { class: "line-h", chip: "fill-d", looks: "dash and two dots" },
];

/// Returns the middle of the bin that holds a quantile; `None` without hands.
fn quantile(bins: Bins, counts: &[i64], share: f64) -> Option<f64> {
    let total: i64 = counts.iter().sum();
    let mut seen = 0;
    let bin = counts.iter().position(|count| {
        seen += count;
        seen as f64 >= share * total as f64
    });
    bin.filter(|_| total > 0).map(|bin| bins.middle(bin))
}

/// Returns the numbers of a bin as text.
fn name(bins: Bins, bin: usize) -> String {
    let from = bins.low + bins.width * bin as i32;
    let to = from + bins.width - 1;
    match bin {
        0 if bins.count > 1 => format!("{to} or less"),
        _ if bin + 1 == bins.count => format!("{from} or more"),
        _ if from == to => from.to_string(),
        _ => format!("{from} to {to}"),
    }
}

/// The common extent of several histograms over the same bins: the bins in use, and the largest
/// share of any bin.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Extent {
    first: usize,
    last: usize,
    most: f64,
}

impl Extent {
    /// Computes the extent of rows of hands by bin.
    pub fn over<'a>(bins: Bins, rows: impl Iterator<Item = &'a Vec<i64>> + Clone) -> Extent {
        let all: Vec<Vec<f64>> = rows.map(|row| shares_of(row)).collect();
        // Empty bins at the ends only take space.
        let seen = |bin: &usize| all.iter().any(|s| s[*bin] > 0.0);
        let first = (0..bins.count).find(seen).unwrap_or(0);
        let last = (0..bins.count).rev().find(seen).unwrap_or(bins.count - 1);
        let most = all.iter().flatten().copied().fold(0.0, f64::max).max(1e-9);
        Extent { first, last, most }
    }
}

/// Returns the hands by bin as shares of all.
fn shares_of(counts: &[i64]) -> Vec<f64> {
    let total = counts.iter().sum::<i64>().max(1) as f64;
    counts.iter().map(|&count| count as f64 / total).collect()
}

/// Draws histograms over the same bins as steps, the first of them filled; `unit` is the title of
/// the axis. Each row has the hands by bin. There are at most as many rows as [`LINES`], with one
/// name each; a single row needs no name.
pub fn histogram(
    unit: &str,
    text: &str,
    bins: Bins,
    names: &[String],
    rows: &[Vec<i64>],
    extent: Extent,
) -> Markup {
    let (left, right, top, bottom) = (34.0, WIDE - 6.0, 18.0, 150.0);
    let all: Vec<Vec<f64>> = rows.iter().map(|row| shares_of(row)).collect();
    let Extent { first, last, most } = extent;
    let edge = |bin: usize| bins.middle(bin) - f64::from(bins.width) / 2.0;
    let across = Scale { low: edge(first), high: edge(last + 1), from: left, to: right };
    let up = Scale { low: 0.0, high: most * 1.05, from: bottom, to: top };
    let steps = |shares: &[f64], closed: bool| {
        let step = |bin| format!("V{}H{}", px(up.at(shares[bin])), px(across.at(edge(bin + 1))));
        let steps: String = (first..=last).map(step).collect();
        let end = if closed { "Z" } else { "" };
        format!("M{} {}{steps}V{}{end}", px(left), px(bottom), px(bottom))
    };
    let body = html! {
        text.name x="0.0" y="9.0" { "share of hands" }
        (share_axis(&up, left, right))
        @for (index, shares) in all.iter().enumerate() {
            path class=(LINES[index % LINES.len()].class) d=(steps(shares, index == 0)) {}
        }
        (axis(&across, bottom, bottom, unit))
    };
    let tip = |bin: usize| {
        let shares: Vec<_> = all.iter().map(|s| format!("{:.1} %", 100.0 * s[bin])).collect();
        format!("{}: {}", name(bins, bin), shares.join(", "))
    };
    let tips = Tips {
        place: [left, top, right - left, bottom - top],
        columns: last + 1 - first,
        texts: (first..=last).map(tip).collect(),
    };
    let read = |(row, counts): (usize, &Vec<i64>)| {
        let at = |share| quantile(bins, counts, share);
        let text = at(0.5).zip(at(0.05)).zip(at(0.95)).map(|((middle, low), high)| {
            format!("median {middle:.0}, nine in ten from {low:.0} to {high:.0}")
        });
        let text = text.unwrap_or_else(|| "no hands".to_owned());
        names.get(row).map_or(text.clone(), |name| format!("{name}: {text}"))
    };
    let read: Vec<String> = rows.iter().enumerate().map(read).collect();
    frame([WIDE, bottom + 32.0], text, &read, Some(&tips), &body)
}

/// Draws a lead during the hands, 0 at their start: hands by bin after each of equal steps of
/// `clock`.
pub fn bands(text: &str, clock: &str, bins: Bins, steps: &[Vec<i64>]) -> Markup {
    let (left, right, top, bottom) = (34.0, WIDE - 10.0, 8.0, 150.0);
    let count = steps.len().max(1) as f64;
    let ranks = |step: &Vec<i64>| {
        [0.05, 0.25, 0.5, 0.75, 0.95].map(|share| quantile(bins, step, share).unwrap_or(0.0))
    };
    let course: Vec<[f64; 5]> = std::iter::once([0.0; 5]).chain(steps.iter().map(ranks)).collect();
    let across = Scale { low: 0.0, high: 100.0, from: left, to: right };
    let up = Scale::over(course.iter().flatten().copied(), bottom, top);
    let after = |step: usize| 100.0 * step as f64 / count;
    let line = |rank: usize| -> Vec<String> {
        let place =
            |step| format!("{} {}", px(across.at(after(step))), px(up.at(course[step][rank])));
        (0..course.len()).map(place).collect()
    };
    let band = |low: usize, high: usize| {
        let round: Vec<_> = line(low).into_iter().chain(line(high).into_iter().rev()).collect();
        format!("M{}Z", round.join("L"))
    };
    let body = html! {
        (share_axis(&up, left, right))
        path.band-wide d=(band(0, 4)) {}
        path.band d=(band(1, 3)) {}
        line.reference x1=(px(left)) x2=(px(right)) y1=(px(up.at(0.0))) y2=(px(up.at(0.0))) {}
        path.line-a d=(format!("M{}", line(2).join("L"))) {}
        (axis(&across, bottom, bottom, &format!("% of the {clock}")))
    };
    let tip = |step: usize| {
        let [low, quarter, middle, three, high] = course[step];
        format!(
            "after {:.0} %: median {middle:.0}, half {quarter:.0} to {three:.0}, nine in ten {low:.0} to {high:.0}",
            after(step)
        )
    };
    // The cell of a step ends halfway to the next.
    let step = (right - left) / count;
    let tips = Tips {
        place: [left - step / 2.0, top, right - left + step, bottom - top],
        columns: course.len(),
        texts: (0..course.len()).map(tip).collect(),
    };
    let read = |step: usize| {
        let [low, _, middle, _, high] = course[step];
        format!(
            "after {:.0} % of the {clock} the median is {middle:.0}, nine in ten from {low:.0} to {high:.0}",
            after(step)
        )
    };
    let read = [course.len() / 2, course.len() - 1].map(read);
    frame([WIDE, bottom + 32.0], text, &read, Some(&tips), &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_come_from_the_counts() {
        let bins = Bins { low: 0, width: 1, count: 4 };
        assert_eq!(quantile(bins, &[1, 1, 1, 1], 0.5), Some(1.0));
        assert_eq!(quantile(bins, &[0, 0, 9, 1], 0.95), Some(3.0));
        assert_eq!(quantile(bins, &[0; 4], 0.5), None);
    }

    #[test]
    fn a_histogram_without_hands_is_drawn() {
        let bins = Bins { low: 0, width: 2, count: 3 };
        let rows = [vec![0; 3]];
        let extent = Extent::over(bins, rows.iter());
        let chart = histogram("turns", "Length", bins, &[], &rows, extent).into_string();
        assert!(chart.contains("no hands") && !chart.contains("NaN"), "{chart}");
    }
}
