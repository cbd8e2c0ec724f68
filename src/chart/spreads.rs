//! How hands are spread: histograms over bins, and bands of a number over the course of the hands.

use maud::{Markup, html};

use super::WIDE;
use super::frame::{Scale, Tips, axis, frame, px, shares};
use crate::stats::Bins;

/// How a line is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// Its class in the page's style sheet.
    pub class: &'static str,
    /// The class of a patch in its colour.
    pub chip: &'static str,
    /// What it looks like.
    pub looks: &'static str,
}

/// The lines of a histogram, one for each set of counts: four colours, then the same with other
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

/// One set of counts.
#[derive(Clone, Debug)]
pub struct Series<'a> {
    /// Whose they are; empty where there is only one.
    pub name: String,
    /// Hands by bin.
    pub counts: &'a [i64],
}

/// Histograms over the same bins, drawn as steps; the first is filled.
#[derive(Clone, Debug)]
pub struct Histogram<'a> {
    /// What is counted, for the axis.
    pub axis: &'a str,
    /// What the chart shows, for those who cannot see it.
    pub text: &'a str,
    /// The bins of all.
    pub bins: Bins,
    /// The counts; as many as there are [`LINES`], at most.
    pub series: Vec<Series<'a>>,
}

/// The middle of the bin in which the hand of this rank share lies; none without hands.
pub(super) fn quantile(bins: Bins, counts: &[i64], share: f64) -> Option<f64> {
    let total: i64 = counts.iter().sum();
    let mut seen = 0;
    let bin = counts.iter().position(|count| {
        seen += count;
        seen as f64 >= share * total as f64
    });
    bin.filter(|_| total > 0).map(|bin| bins.middle(bin))
}

impl Histogram<'_> {
    /// The chart.
    pub fn draw(&self) -> Markup {
        let (left, right, top, bottom) = (34.0, WIDE - 6.0, 8.0, 140.0);
        let share = |series: &Series<'_>| -> Vec<f64> {
            let total = series.counts.iter().sum::<i64>().max(1) as f64;
            series.counts.iter().map(|&count| count as f64 / total).collect()
        };
        let all: Vec<Vec<f64>> = self.series.iter().map(share).collect();
        // Bins at the ends that nobody reached only take room.
        let seen = |bin: &usize| all.iter().any(|s| s[*bin] > 0.0);
        let first = (0..self.bins.count).find(seen).unwrap_or(0);
        let last = (0..self.bins.count).rev().find(seen).unwrap_or(self.bins.count - 1);
        let edge = |bin: usize| self.bins.middle(bin) - f64::from(self.bins.width) / 2.0;
        let across = Scale { low: edge(first), high: edge(last + 1), from: left, to: right };
        let most = all.iter().flatten().copied().fold(0.0, f64::max).max(1e-9);
        let up = Scale { low: 0.0, high: most * 1.05, from: bottom, to: top };
        let steps = |shares: &[f64], closed: bool| {
            let mut path = format!("M{} {}", px(left), px(bottom));
            for (bin, &share) in shares.iter().enumerate().take(last + 1).skip(first) {
                let y = px(up.at(share));
                path += &format!("V{y}H{}", px(across.at(edge(bin + 1))));
            }
            path += &format!("V{}", px(bottom));
            if closed {
                path += "Z";
            }
            path
        };
        let body = html! {
            (shares(&up, left, right))
            @for (index, shares) in all.iter().enumerate() {
                @let class = LINES[index % LINES.len()].class;
                path class=(class) d=(steps(shares, index == 0)) {}
            }
            (axis(&across, bottom, bottom, self.axis))
        };
        let tip = |bin: usize| {
            let shares: Vec<String> =
                all.iter().map(|shares| format!("{:.1} %", 100.0 * shares[bin])).collect();
            format!("{}: {}", self.bin_name(bin), shares.join(", "))
        };
        let tips = Tips {
            place: [left, top, right - left, bottom - top],
            columns: last + 1 - first,
            texts: (first..=last).map(tip).collect(),
        };
        let read = |series: &Series<'_>| {
            let at = |q| quantile(self.bins, series.counts, q);
            let said = at(0.5).zip(at(0.05)).zip(at(0.95)).map(|((middle, low), high)| {
                format!("median {middle:.0}, nine in ten from {low:.0} to {high:.0}")
            });
            let said = said.unwrap_or_else(|| "no hands".to_owned());
            if series.name.is_empty() { said } else { format!("{}: {said}", series.name) }
        };
        let read: Vec<String> = self.series.iter().map(read).collect();
        let text = format!("{}: {}.", self.text, read.join("; "));
        frame(WIDE, bottom + 32.0, &text, Some(&tips), &body)
    }

    fn bin_name(&self, bin: usize) -> String {
        let from = self.bins.low + self.bins.width * bin as i32;
        let to = from + self.bins.width - 1;
        let name = if from == to { from.to_string() } else { format!("{from} to {to}") };
        match bin {
            0 if self.bins.count > 1 => format!("{to} or less"),
            _ if bin + 1 == self.bins.count => format!("{from} or more"),
            _ => name,
        }
    }
}

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
        frame(WIDE, bottom + 32.0, &text, Some(&tips), &body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_read_off_the_counts() {
        let bins = Bins { low: 0, width: 1, count: 4 };
        assert_eq!(quantile(bins, &[1, 1, 1, 1], 0.5), Some(1.0));
        assert_eq!(quantile(bins, &[0, 0, 9, 1], 0.95), Some(3.0));
        assert_eq!(quantile(bins, &[0; 4], 0.5), None);
    }

    #[test]
    fn a_histogram_without_hands_is_drawn() {
        let bins = Bins { low: 0, width: 2, count: 3 };
        let series = vec![Series { name: String::new(), counts: &[0, 0, 0] }];
        let chart = Histogram { axis: "turns", text: "Length", bins, series }.draw().into_string();
        assert!(chart.contains("no hands") && !chart.contains("NaN"), "{chart}");
    }
}
