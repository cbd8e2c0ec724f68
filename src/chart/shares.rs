//! Shares: wholes by their parts, one bar each, and a board by what happened on each cell.

use maud::{Markup, html};

use super::WIDE;
use super::frame::{Tips, frame, px};

/// A whole.
#[derive(Clone, Debug)]
pub struct Bar {
    /// Its name.
    pub label: String,
    /// The share of each part; together 1, or nothing at all.
    pub shares: Vec<f64>,
}

/// Bars of shares, and the names of the parts below.
#[derive(Clone, Debug)]
pub struct Stack<'a> {
    /// What the chart shows, for those who cannot see it.
    pub text: &'a str,
    /// The parts' names, at most four.
    pub parts: Vec<&'a str>,
    /// The bars, from the top.
    pub bars: Vec<Bar>,
}

const ROW: f64 = 42.0;
const CLASSES: [&str; 4] = ["fill-a", "fill-b", "fill-c", "fill-d"];

fn percent(share: f64) -> String {
    let share = 100.0 * share;
    if share >= 9.95 || share == 0.0 { format!("{share:.0} %") } else { format!("{share:.1} %") }
}

impl Stack<'_> {
    /// The chart.
    pub fn draw(&self) -> Markup {
        let height = ROW * self.bars.len() as f64 + 4.0;
        let body = html! {
            @for (index, bar) in self.bars.iter().enumerate() {
                @let top = ROW * index as f64;
                text.label x="2.0" y=(px(top + 13.0)) { (bar.label) }
                @for (part, share) in bar.shares.iter().enumerate() {
                    @let before: f64 = bar.shares[..part].iter().sum();
                    @let (x, wide) = (before * WIDE, share * WIDE);
                    @if wide > 0.05 {
                        g {
                            title { (self.parts[part]) ": " (percent(*share)) }
                            rect class=(CLASSES[part.min(3)]) x=(px(x)) y=(px(top + 18.0))
                                width=(px((wide - 1.0).max(0.3))) height="20.0" {}
                            @if wide > 34.0 {
                                text.inside x=(px(x + wide / 2.0)) y=(px(top + 32.0))
                                    text-anchor="middle" { (percent(*share)) }
                            }
                        }
                    }
                }
            }
        };
        let read = |bar: &Bar| {
            let parts: Vec<String> = self
                .parts
                .iter()
                .zip(&bar.shares)
                .map(|(name, share)| format!("{name} {}", percent(*share)))
                .collect();
            let parts = if parts.is_empty() { "nothing".to_owned() } else { parts.join(", ") };
            format!("{}: {parts}", bar.label)
        };
        let read: Vec<String> = self.bars.iter().map(read).collect();
        let text = format!("{}: {}.", self.text, read.join("; "));
        html! {
            (frame(WIDE, height, &text, None, &body))
            ul.key {
                @for (part, name) in self.parts.iter().enumerate() {
                    li { span class=(format!("chip {}", CLASSES[part.min(3)])) {} (name) }
                }
            }
        }
    }
}

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
        frame(WIDE, 18.0 + side * rows as f64, &text, Some(&tips), &body)
    }
}
