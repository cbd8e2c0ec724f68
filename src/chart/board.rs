//! A board by what happened on each cell.

use maud::{Markup, html};

use super::WIDE;
use super::frame::{frame, px};

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

impl Board<'_> {
    /// The chart: the more, the darker, from the least to the most of any cell.
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
        let body = html! {
            @for column in 0..columns {
                text.tick x=(px(18.0 + side * (column as f64 + 0.5))) y="11.0" text-anchor="middle" {
                    (char::from(b'a' + column.min(25) as u8))
                }
            }
            @for row in 0..rows {
                text.tick x="14.0" y=(px(19.0 + side * (row as f64 + 0.5))) text-anchor="end" { (row + 1) }
            }
            @for (index, share) in self.shares.iter().enumerate() {
                @let (x, y) = (18.0 + side * (index % columns) as f64, 15.0 + side * (index / columns) as f64);
                rect.empty x=(px(x)) y=(px(y)) width=(px(side - 1.0)) height=(px(side - 1.0)) {}
                rect.fill-a x=(px(x)) y=(px(y)) width=(px(side - 1.0)) height=(px(side - 1.0))
                    fill-opacity=(format!("{:.2}", dark(*share))) {
                    title { (cell(index)) ": " (format!("{:.1} %", 100.0 * share)) }
                }
            }
        };
        let mean = self.shares.iter().sum::<f64>() / self.shares.len().max(1) as f64;
        let top = (0..self.shares.len())
            .max_by(|&a, &b| self.shares[a].total_cmp(&self.shares[b]).then(b.cmp(&a)));
        let top = top.map_or(String::new(), |i| {
            format!(", most on {} with {:.1} %", cell(i), 100.0 * self.shares[i])
        });
        let text = format!("{}: {:.1} % on the mean cell{top}.", self.text, 100.0 * mean);
        frame(WIDE, 18.0 + side * rows as f64, &text, &body)
    }
}
