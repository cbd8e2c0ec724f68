//! A board by what happened on each cell.

use maud::{Markup, html};

use super::WIDE;
use super::frame::{Tips, pointed, px};

/// A share for each cell.
#[derive(Clone, Debug)]
pub struct Board<'a> {
    /// What the chart shows, for those who cannot see it.
    pub text: &'a str,
    /// How many columns.
    pub columns: usize,
    /// The shares row by row, each in `[0, 1]`.
    pub shares: Vec<f64>,
}

/// How many shades the darkest cell is above the lightest.
const SHADES: u32 = 16;

impl Board<'_> {
    /// The chart: the more, the stronger the colour, from the least to the most of any cell.
    pub fn draw(&self) -> Markup {
        let columns = self.columns.max(1);
        let rows = self.shares.len() / columns;
        let side = (WIDE - 18.0) / columns as f64;
        let most = self.shares.iter().copied().fold(0.0, f64::max);
        let least = self.shares.iter().copied().fold(most, f64::min);
        let dark = |share: f64| if most > least { (share - least) / (most - least) } else { 0.5 };
        let cell = |index: usize| {
            let column = char::from(b'a' + (index % columns).min(25) as u8);
            format!("{column}{}", index / columns + 1)
        };
        let shade_of = |index: usize| (dark(self.shares[index]) * f64::from(SHADES)).round() as u32;
        let square = |index: usize| {
            let (x, y) = (side * (index % columns) as f64, side * (index / columns) as f64);
            let wide = px(side - 1.0);
            format!("M{} {}h{wide}v{wide}h-{wide}z", px(18.0 + x), px(15.0 + y))
        };
        let body = html! {
            @for column in 0..columns {
                text.tick x=(px(18.0 + side * (column as f64 + 0.5))) y="11.0" text-anchor="middle" {
                    (char::from(b'a' + column.min(25) as u8))
                }
            }
            @for row in 0..rows {
                text.tick x="14.0" y=(px(19.0 + side * (row as f64 + 0.5))) text-anchor="end" { (row + 1) }
            }
            rect.empty x="18.0" y="15.0" width=(px(side * columns as f64 - 1.0))
                height=(px(side * rows as f64 - 1.0)) {}
            // A node for each shade, not for each cell.
            @for shade in 1..=SHADES {
                @let cells: String = (0..self.shares.len()).filter(|&i| shade_of(i) == shade).map(square).collect();
                @if !cells.is_empty() {
                    path.fill-a fill-opacity=(format!("{:.2}", f64::from(shade) / f64::from(SHADES))) d=(cells) {}
                }
            }
        };
        let tip = |index: usize| format!("{}: {:.1} %", cell(index), 100.0 * self.shares[index]);
        let tips = Tips {
            place: [18.0, 15.0, side * columns as f64, side * rows as f64],
            columns,
            texts: (0..self.shares.len()).map(tip).collect(),
        };
        let mean = self.shares.iter().sum::<f64>() / self.shares.len().max(1) as f64;
        let top = (0..self.shares.len())
            .max_by(|&a, &b| self.shares[a].total_cmp(&self.shares[b]).then(b.cmp(&a)));
        let top = top.map_or(String::new(), |i| {
            format!(", most on {} with {:.1} %", cell(i), 100.0 * self.shares[i])
        });
        let text = format!("{}: {:.1} % on the mean cell{top}.", self.text, 100.0 * mean);
        pointed(WIDE, 18.0 + side * rows as f64, &text, &tips, &body)
    }
}
