//! A heat map of a figure over two swept values, with the contour along which it is fair.

use maud::{Markup, html};

use super::WIDE;
use super::frame::{frame, px, show};
use parlour_stats::Estimate;

/// The values along one axis of the grid.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The swept field.
    pub name: &'a str,
    /// Its values.
    pub values: &'a [String],
}

/// The height of a cell.
const HIGH: f64 = 30.0;

/// Draws one number per pair of values: `cells[row][column]`, rows from the top. If a number is
/// fair, cells above it have one colour and cells below it the other. The contour of the fair
/// number is interpolated between the centres of the cells.
pub fn grid(
    text: &str,
    across: Side<'_>,
    down: Side<'_>,
    fair: Option<f64>,
    cells: &[Vec<Option<Estimate>>],
) -> Markup {
    let longest = down.values.iter().map(|v| v.chars().count()).max().unwrap_or(1) as f64;
    let (left, top) = ((longest * 7.0 + 10.0).min(110.0), 34.0);
    let cell = ((WIDE - left) / across.values.len().max(1) as f64).max(38.0);
    let wide = left + cell * across.values.len() as f64;
    let bottom = top + HIGH * down.values.len() as f64;
    let numbers = || cells.iter().flatten().flatten().map(|found| found.value);
    let (low, high) = numbers().fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
    let middle = fair.unwrap_or(low);
    let reach = (high - middle).max(middle - low).max(1e-12);
    let digits = if reach < 0.1 {
        3
    } else if reach < 10.0 {
        2
    } else {
        0
    };
    let centre = |row: usize, column: usize| {
        (left + cell * (column as f64 + 0.5), top + HIGH * (row as f64 + 0.5))
    };
    let contour: Vec<String> = fair.map_or(Vec::new(), |fair| {
        let line =
            |[a, b]: [(f64, f64); 2]| format!("M{} {}L{} {}", px(a.0), px(a.1), px(b.0), px(b.1));
        lines(cells, fair, centre).into_iter().map(line).collect()
    });
    let body = html! {
        text.name x=(px(f64::midpoint(left, wide))) y="11" text-anchor="middle" { (across.name) }
        text.name x="0" y=(px(top - 6.0)) { (down.name) }
        @for (column, value) in across.values.iter().enumerate() {
            text.tick x=(px(centre(0, column).0)) y=(px(top - 6.0)) text-anchor="middle" { (value) }
        }
        @for (row, value) in down.values.iter().enumerate() {
            text.label x=(px(left - 5.0)) y=(px(centre(row, 0).1 + 4.0)) text-anchor="end" { (value) }
        }
        @for (row, line) in cells.iter().enumerate() {
            @for (column, found) in line.iter().enumerate() {
                @let (x, y) = centre(row, column);
                @let place = (px(x - cell / 2.0 + 1.0), px(y - HIGH / 2.0 + 1.0));
                @let size = (px(cell - 2.0), px(HIGH - 2.0));
                @if let Some(estimate) = *found {
                    g {
                        title { (across.name) " " (across.values[column]) ", " (down.name) " "
                            (down.values[row]) ": " (show(*found)) }
                        rect class=(if estimate.value >= middle { "fill-a" } else { "fill-b" })
                            fill-opacity=(format!("{:.2}", (estimate.value - middle).abs() / reach * 0.6))
                            x=(place.0) y=(place.1) width=(size.0) height=(size.1) rx="3" {}
                        text.cell x=(px(x)) y=(px(y + 4.0)) text-anchor="middle" {
                            (format!("{:.digits$}", estimate.value))
                        }
                    }
                } @else {
                    rect.empty x=(place.0) y=(place.1) width=(size.0) height=(size.1) rx="3" {}
                }
            }
        }
        @if !contour.is_empty() { path.line-c d=(contour.concat()) {} }
    };
    let read = |(row, column): (usize, usize)| {
        let value = format!("{:.digits$}", cells.get(row)?.get(column)?.as_ref()?.value);
        Some(format!(
            "{} {}, {} {}: {value}",
            across.name, across.values[column], down.name, down.values[row]
        ))
    };
    let places =
        (0..down.values.len()).flat_map(|row| (0..across.values.len()).map(move |at| (row, at)));
    let read: Vec<String> = places.filter_map(read).collect();
    frame([wide.max(WIDE), bottom + 4.0], text, &read, None, &body)
}

/// Returns the segments of the contour at `level`: at most one in each triangle of neighbouring
/// centres, between the two sides that it crosses.
fn lines(
    cells: &[Vec<Option<Estimate>>],
    level: f64,
    centre: impl Fn(usize, usize) -> (f64, f64),
) -> Vec<[(f64, f64); 2]> {
    type Corner = ((f64, f64), f64);
    let corner = |row: usize, column: usize| -> Option<Corner> {
        let found = cells.get(row)?.get(column)?.as_ref()?;
        Some((centre(row, column), found.value - level))
    };
    let crossing = |(a, x): Corner, (b, y): Corner| {
        let share = x / (x - y);
        ((x < 0.0) != (y < 0.0)).then_some((a.0 + share * (b.0 - a.0), a.1 + share * (b.1 - a.1)))
    };
    let columns = cells.first().map_or(0, Vec::len);
    let mut all = Vec::new();
    for row in 0..cells.len() {
        for column in 0..columns {
            let [a, b] = [corner(row, column), corner(row, column + 1)];
            let [c, d] = [corner(row + 1, column), corner(row + 1, column + 1)];
            for triangle in [[a, b, c], [b, c, d]] {
                let [Some(p), Some(q), Some(r)] = triangle else { continue };
                let found = [crossing(p, q), crossing(q, r), crossing(p, r)];
                if let [one, two] = found.into_iter().flatten().collect::<Vec<_>>()[..] {
                    all.push([one, two]);
                }
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(rows: &[&[f64]]) -> Vec<Vec<Option<Estimate>>> {
        rows.iter().map(|row| row.iter().map(|x| Some(Estimate::bare(*x))).collect()).collect()
    }

    #[test]
    fn the_contour_follows_the_fair_number() {
        let at = |row: usize, column: usize| (column as f64, row as f64);
        let upright = lines(&cells(&[&[0.0, 1.0], &[0.0, 1.0]]), 0.25, at);
        assert!(upright.iter().flatten().all(|(x, _)| (x - 0.25).abs() < 1e-9), "{upright:?}");
        assert_eq!(upright.len(), 2);
        assert!(lines(&cells(&[&[0.3, 1.0], &[0.4, 1.0]]), 0.25, at).is_empty());
        let mut gap = cells(&[&[0.0, 1.0], &[0.0, 1.0]]);
        gap[0][0] = None;
        assert_eq!(lines(&gap, 0.25, at).len(), 1, "around a gap");
    }

    #[test]
    fn a_grid_describes_its_numbers() {
        let values = ["4", "5"].map(str::to_owned);
        let side = |name| Side { name, values: &values };
        let chart = grid(
            "t",
            side("knock_at"),
            side("suit_line"),
            Some(0.5),
            &cells(&[&[0.51, 0.49], &[0.5, 0.53]]),
        );
        let text = chart.into_string();
        assert!(
            text.contains("knock_at 4, suit_line 5: 0.500") && text.contains("fill-b"),
            "{text}"
        );
        assert!(text.contains("line-c"), "the fair line is drawn");
    }
}
