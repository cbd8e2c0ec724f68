//! Heat maps: the scores of all pairs, and a figure over two swept values with its fair contour.

use maud::{Markup, html};

use super::WIDE;
use super::frame::{Tips, frame, px, show};
use parlour_stats::Estimate;

/// A number for each pair of a row and a column.
#[derive(Clone, Copy, Debug)]
pub struct HeatMap<'a> {
    /// The title of the rows, then that of the columns.
    pub titles: [&'a str; 2],
    /// The names of the rows from the top, then those of the columns.
    pub names: [&'a [String]; 2],
    /// The numbers by row and column.
    pub cells: &'a [Vec<Option<Estimate>>],
    /// The number without colour. Cells above it have one colour, cells below it the other.
    pub middle: Option<f64>,
    /// `true` for a line along which the interpolated number is the middle.
    pub has_contour: bool,
}

/// The height of a cell.
const HIGH: f64 = 30.0;

/// The approximate width of a letter.
const LETTER: f64 = 7.0;

impl HeatMap<'_> {
    /// Draws the map; `name` describes a cell. With many columns it is wider than the other charts.
    pub fn draw(&self, text: &str, name: impl Fn(&str, &str) -> String) -> Markup {
        let HeatMap { titles, names: [rows, columns], cells, .. } = *self;
        let longest = |names: &[String]| {
            names.iter().map(|name| name.chars().count()).max().unwrap_or(1) as f64 * LETTER
        };
        let left = (longest(rows) + 10.0).min(150.0);
        // Long names of columns are turned; the last one extends to the right.
        let turned = longest(columns).min(22.0 * LETTER) * 0.7;
        let is_turned = longest(columns) > 50.0;
        let right = if is_turned { turned } else { 0.0 };
        let cell = ((WIDE - left - right) / columns.len().max(1) as f64).max(38.0);
        let top = right + 34.0;
        let [wide, high] = [cell * columns.len() as f64, HIGH * rows.len() as f64];
        let centre = |row: usize, column: usize| {
            (left + cell * (column as f64 + 0.5), top + HIGH * (row as f64 + 0.5))
        };
        let numbers = || cells.iter().flatten().flatten().map(|found| found.value);
        let middle = self.middle.unwrap_or_else(|| numbers().fold(f64::MAX, f64::min));
        let reach = numbers().map(|x| (x - middle).abs()).fold(1e-12, f64::max);
        let digits =
            [(0.1, 3), (10.0, 2)].iter().find(|(most, _)| reach < *most).map_or(0, |d| d.1);
        let line =
            |[a, b]: [(f64, f64); 2]| format!("M{} {}L{} {}", px(a.0), px(a.1), px(b.0), px(b.1));
        let contour = if self.has_contour { contour(cells, middle, centre) } else { Vec::new() };
        let body = html! {
            text.name x=(px(left + wide / 2.0)) y="11" text-anchor="middle" { (titles[1]) }
            text.name x="0" y=(px(top - 6.0)) { (titles[0]) }
            @for (column, name) in columns.iter().enumerate() {
                @let (x, y) = (px(centre(0, column).0), px(top - 6.0));
                @if is_turned { text.label x=(x) y=(y) transform=(format!("rotate(-45 {x} {y})")) { (name) } }
                @else { text.tick x=(x) y=(y) text-anchor="middle" { (name) } }
            }
            @for (row, name) in rows.iter().enumerate() {
                text.label x=(px(left - 5.0)) y=(px(centre(row, 0).1 + 4.0)) text-anchor="end" { (name) }
                @for (column, found) in cells[row].iter().enumerate() {
                    @let (x, y) = centre(row, column);
                    @let deviation = found.map_or(0.0, |found| found.value - middle);
                    @let class = match found { None => "empty", Some(_) if deviation >= 0.0 => "fill-a", _ => "fill-b" };
                    @let opacity = found.map(|_| format!("{:.2}", deviation.abs() / reach * 0.6));
                    rect class=(class) fill-opacity=[opacity] x=(px(x - cell / 2.0 + 1.0)) y=(px(y - HIGH / 2.0 + 1.0))
                        width=(px(cell - 2.0)) height=(px(HIGH - 2.0)) rx="3" {}
                    @if let Some(found) = found {
                        text.cell x=(px(x)) y=(px(y + 4.0)) text-anchor="middle" { (format!("{:.digits$}", found.value)) }
                    }
                }
            }
            @if !contour.is_empty() { path.line-c d=(contour.into_iter().map(line).collect::<String>()) {} }
        };
        let pairs = rows.iter().zip(cells).flat_map(|(row, cells)| {
            columns.iter().zip(cells).map(move |(column, found)| (row, column, *found))
        });
        let tips: Vec<(String, Option<Estimate>)> =
            pairs.map(|(row, column, found)| (name(row, column), found)).collect();
        let read =
            tips.iter().filter_map(|(name, e)| Some(format!("{name}: {:.digits$}", (*e)?.value)));
        let read: Vec<String> = read.collect();
        let texts = tips.iter().map(|(name, found)| format!("{name}: {}", show(*found))).collect();
        let tips = Tips { place: [left, top, wide, high], columns: columns.len(), texts };
        let size = [(left + wide + right).max(WIDE), top + high + 4.0];
        html! {
            div.wide style=(format!("--least:{}px", px(0.88 * size[0]))) {
                (frame(size, text, &read, Some(&tips), &body))
            }
        }
    }
}

/// Returns the segments of the contour at `level`: at most one in each triangle of neighbouring
/// centres, between the two sides that it crosses.
fn contour(
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
    let mut all = Vec::new();
    for (row, column) in (0..cells.len()).flat_map(|r| (0..cells[r].len()).map(move |c| (r, c))) {
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
        let upright = contour(&cells(&[&[0.0, 1.0], &[0.0, 1.0]]), 0.25, at);
        assert!(upright.iter().flatten().all(|(x, _)| (x - 0.25).abs() < 1e-9), "{upright:?}");
        assert_eq!(upright.len(), 2);
        assert!(contour(&cells(&[&[0.3, 1.0], &[0.4, 1.0]]), 0.25, at).is_empty());
        let mut gap = cells(&[&[0.0, 1.0], &[0.0, 1.0]]);
        gap[0][0] = None;
        assert_eq!(contour(&gap, 0.25, at).len(), 1, "around a gap");
    }

    #[test]
    fn a_map_describes_its_numbers() {
        let values = ["4", "5"].map(str::to_owned);
        let map = HeatMap {
            titles: ["suit_line", "knock_at"],
            names: [&values, &values],
            cells: &cells(&[&[0.51, 0.49], &[0.5, 0.53]]),
            middle: Some(0.5),
            has_contour: true,
        };
        let text = map.draw("t", |a, b| format!("knock_at {b}, suit_line {a}")).into_string();
        assert!(
            text.contains("knock_at 4, suit_line 5: 0.500") && text.contains("fill-b"),
            "{text}"
        );
        assert!(text.contains("line-c"), "the fair line is drawn");
    }
}
