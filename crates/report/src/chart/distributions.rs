//! Charts of distributions: histograms, bands of a number during the hands, stacked bars of shares, and
//! a board shaded by a share per cell.

use itertools::Itertools;
use maud::{Markup, Render, html};

use super::{LINE, Scale, Tips, WIDE, axis, frame, px, shares as share_axis, wrapped};
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

/// The line styles, one for each row of a histogram: four colours, then the same colours with other
/// dashes.
pub const LINES: [Line; 8] = [
    Line { class: "line-a", chip: "fill-a", looks: "full, filled" },
    Line { class: "line-b", chip: "fill-b", looks: "dashed" },
    Line { class: "line-c", chip: "fill-c", looks: "dotted" },
    Line { class: "line-d", chip: "fill-d", looks: "dash and dot" },
    Line { class: "line-e", chip: "fill-a", looks: "long dashes" },
    Line { class: "line-f", chip: "fill-b", looks: "sparse dots" },
    Line { class: "line-g", chip: "fill-c", looks: "sparse dashes" },
    Line { class: "line-h", chip: "fill-d", looks: "dash and two dots" },
];

/// The legend of a chart: a name next to a patch of the colour of each line.
pub fn key<T: Render>(names: impl IntoIterator<Item = T>) -> Markup {
    html! { ul.key { @for (name, line) in names.into_iter().zip(LINES.iter().cycle()) {
        li { span class=(format!("chip {}", line.chip)) {} (name) }
    } } }
}

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

/// Returns the hands by bin as shares of all.
fn shares_of(counts: &[i64]) -> Vec<f64> {
    let total = counts.iter().sum::<i64>().max(1) as f64;
    counts.iter().map(|&count| count as f64 / total).collect()
}

/// Draws histograms over the same bins as steps, the first of them filled; `unit` is the title of
/// the axis. Each row has the hands by bin: of all seats, or of each seat. The axes extend over the bins
/// in use, and up to the largest share, of the rows `among` which the rows are.
pub fn histogram<'a>(
    unit: &str,
    text: &str,
    bins: Bins,
    rows: &[Vec<i64>],
    among: impl Iterator<Item = &'a Vec<i64>>,
) -> Markup {
    let (left, right, top, bottom) = (34.0, WIDE - 6.0, 18.0, 150.0);
    let all: Vec<Vec<f64>> = rows.iter().map(|row| shares_of(row)).collect();
    let among: Vec<Vec<f64>> = among.map(|row| shares_of(row)).collect();
    let is_used = |bin: &usize| among.iter().any(|row| row[*bin] > 0.0);
    let used = (0..bins.count).filter(is_used).minmax().into_option();
    let (first, last) = used.unwrap_or((0, bins.count - 1));
    let most = among.iter().flatten().copied().fold(1e-9, f64::max);
    let edge = |bin: usize| bins.middle(bin) - f64::from(bins.width) / 2.0;
    let across = Scale { low: edge(first), high: edge(last + 1), from: left, to: right };
    let up = Scale { low: 0.0, high: most * 1.05, from: bottom, to: top };
    let steps = |shares: &[f64], closed: bool| {
        let step = |bin| format!("V{}H{}", px(up.at(shares[bin])), px(across.at(edge(bin + 1))));
        let (start, end) = (px(bottom), if closed { "Z" } else { "" });
        format!("M{} {start}{}V{start}{end}", px(left), (first..=last).map(step).format(""))
    };
    let body = html! {
        text.name x="0.0" y="9.0" { "share of hands" }
        (share_axis(&up, left, right))
        @for (index, shares) in all.iter().enumerate() {
            @let class = if index == 0 { "area-a" } else { LINES[index % LINES.len()].class };
            path class=(class) d=(steps(shares, index == 0)) {}
        }
        (axis(&across, bottom, bottom, unit))
    };
    let tip = |bin: usize| {
        let shares = all.iter().map(|shares| format!("{:.1} %", 100.0 * shares[bin]));
        format!("{}: {}", name(bins, bin), shares.format(", "))
    };
    let tips = Tips {
        place: [left, top, right - left, bottom - top],
        columns: last + 1 - first,
        texts: (first..=last).map(tip).collect(),
    };
    let read = |(seat, counts): (usize, &Vec<i64>)| {
        let text = match [0.5, 0.05, 0.95].map(|share| quantile(bins, counts, share)) {
            [Some(middle), Some(low), Some(high)] => {
                format!("median {middle:.0}, nine in ten from {low:.0} to {high:.0}")
            }
            _ => "no hands".to_owned(),
        };
        if rows.len() > 1 { format!("seat {seat}: {text}") } else { text }
    };
    let read: Vec<String> = (0..).zip(rows).map(read).collect();
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
    let across = Scale { low: 0.0, high: count, from: left, to: right };
    let up = Scale::over(course.iter().flatten().copied(), bottom, top);
    let line = |rank: usize| {
        let spot = |(step, ranks): (usize, &[f64; 5])| {
            format!("{} {}", px(across.at(step as f64)), px(up.at(ranks[rank])))
        };
        course.iter().enumerate().map(spot).collect::<Vec<_>>()
    };
    let band = |a, b| format!("M{}Z", line(a).iter().chain(line(b).iter().rev()).format("L"));
    let percent = Scale { low: 0.0, high: 100.0, ..across };
    let body = html! {
        (share_axis(&up, left, right))
        path.band-wide d=(band(0, 4)) {}
        path.band d=(band(1, 3)) {}
        line.reference x1=(px(left)) x2=(px(right)) y1=(px(up.at(0.0))) y2=(px(up.at(0.0))) {}
        path.line-a d=(format!("M{}", line(2).join("L"))) {}
        (axis(&percent, bottom, bottom, &format!("% of the {clock}")))
    };
    let tip = |(step, [low, quarter, middle, three, high]): (usize, &[f64; 5])| {
        let after = 100.0 * step as f64 / count;
        format!(
            "after {after:.0} %: median {middle:.0}, half {quarter:.0} to {three:.0}, nine in ten {low:.0} to {high:.0}"
        )
    };
    let texts: Vec<String> = course.iter().enumerate().map(tip).collect();
    let read = [texts.len() / 2, texts.len() - 1].map(|step| texts[step].clone());
    // The cell of a step ends halfway to the next.
    let step = (right - left) / count;
    let place = [left - step / 2.0, top, right - left + step, bottom - top];
    let tips = Tips { place, columns: course.len(), texts };
    frame([WIDE, bottom + 32.0], text, &read, Some(&tips), &body)
}

/// The height of a stacked bar with its label.
const ROW: f64 = 42.0;
fn percent(share: f64) -> String {
    let share = 100.0 * share;
    if share >= 9.95 || share == 0.0 { format!("{share:.0} %") } else { format!("{share:.1} %") }
}

/// Draws stacked bars from the top, with the names of at most four parts below. Each bar has a name and the
/// share of each part; the shares sum to 1, or the list is empty.
pub fn stack(text: &str, parts: &[&str], bars: &[(String, Vec<f64>)]) -> Markup {
    // Long names need more lines.
    let most = bars.iter().map(|(label, _)| wrapped(label).len()).max().unwrap_or(1);
    let high = ROW + LINE * (most - 1) as f64;
    let body = html! {
        @for (index, (label, shares)) in bars.iter().enumerate() {
            @let top = high * index as f64;
            @for (number, line) in wrapped(label).iter().enumerate() {
                text.label x="2.0" y=(px(top + 13.0 + LINE * number as f64)) { (line) }
            }
            @let top = top + high - ROW;
            @for (part, share) in shares.iter().enumerate() {
                @let before: f64 = shares[..part].iter().sum();
                @let (x, wide) = (before * WIDE, share * WIDE);
                @if wide > 0.05 {
                    g {
                        title { (parts[part]) ": " (percent(*share)) }
                        rect class=(LINES[part.min(3)].chip) x=(px(x)) y=(px(top + 18.0))
                            width=(px((wide - 1.0).max(0.3))) height="20.0" {}
                        @if wide > 34.0 {
                            text.inside x=(px(x + wide / 2.0)) y=(px(top + 32.0)) text-anchor="middle" {
                                (percent(*share))
                            }
                        }
                    }
                }
            }
        }
    };
    let read = |(label, shares): &(String, Vec<f64>)| {
        let shares = parts.iter().zip(shares);
        let shares: Vec<_> = shares.map(|(name, x)| format!("{name} {}", percent(*x))).collect();
        let text = if shares.is_empty() { "nothing".to_owned() } else { shares.join(", ") };
        format!("{label}: {text}")
    };
    let read: Vec<String> = bars.iter().map(read).collect();
    html! {
        (frame([WIDE, high * bars.len() as f64 + 4.0], text, &read, None, &body))
        (key(parts))
    }
}

/// The number of shades between the lightest and the darkest cell.
const SHADES: u32 = 16;

/// Draws a board with a share in `[0, 1]` per cell, row by row, shaded from the smallest to the
/// largest share.
pub fn board(text: &str, columns: usize, shares: &[f64]) -> Markup {
    let columns = columns.max(1);
    let rows = shares.len() / columns;
    let side = (WIDE - 18.0) / columns as f64;
    let most = shares.iter().copied().fold(0.0, f64::max);
    let least = shares.iter().copied().fold(most, f64::min);
    let dark = |share: f64| if most > least { (share - least) / (most - least) } else { 0.5 };
    let shade_of = |index: usize| (dark(shares[index]) * f64::from(SHADES)).round() as u32;
    let letter = |column: usize| char::from(b'a' + column.min(25) as u8);
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let cell = |index: usize| format!("{}{}", letter(index % columns), index / columns + 1);
    let square = |index: usize| {
        let (x, y) = (side * (index % columns) as f64, side * (index / columns) as f64);
        let wide = px(side - 1.0);
        format!("M{} {}h{wide}v{wide}h-{wide}z", px(18.0 + x), px(15.0 + y))
    };
    let body = html! {
        @for column in 0..columns {
            text.tick x=(px(18.0 + side * (column as f64 + 0.5))) y="11.0" text-anchor="middle" {
                (letter(column))
            }
        }
        @for row in 0..rows {
            text.tick x="14.0" y=(px(19.0 + side * (row as f64 + 0.5))) text-anchor="end" { (row + 1) }
        }
        rect.empty x="18.0" y="15.0" width=(px(side * columns as f64 - 1.0))
            height=(px(side * rows as f64 - 1.0)) {}
        // One node per shade, not per cell.
        @for shade in 1..=SHADES {
            @let cells: String = (0..shares.len()).filter(|&i| shade_of(i) == shade).map(square).collect();
            @if !cells.is_empty() {
                path.fill-a fill-opacity=(format!("{:.2}", f64::from(shade) / f64::from(SHADES))) d=(cells) {}
            }
        }
    };
    let tip = |(index, share): (usize, &f64)| format!("{}: {}", cell(index), percent(*share));
    let tips = Tips {
        place: [18.0, 15.0, side * columns as f64, side * rows as f64],
        columns,
        texts: shares.iter().enumerate().map(tip).collect(),
    };
    let mean = percent(shares.iter().sum::<f64>() / shares.len().max(1) as f64);
    let top = shares.iter().position(|share| *share == most);
    let top =
        top.map_or(String::new(), |i| format!(", most on {} with {}", cell(i), percent(most)));
    let read = format!("{mean} on the mean cell{top}");
    frame([WIDE, 18.0 + side * rows as f64], text, &[read], Some(&tips), &body)
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
        let chart = histogram("turns", "Length", bins, &rows, rows.iter()).into_string();
        assert!(chart.contains("no hands") && !chart.contains("NaN"), "{chart}");
    }
}
