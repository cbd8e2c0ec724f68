//! Shares: stacked bars, and a board shaded by a share per cell.

use maud::{Markup, html};

use super::WIDE;
use super::frame::{Tips, frame, px};

/// A stacked bar.
#[derive(Clone, Debug)]
pub struct Bar {
    /// The name.
    pub label: String,
    /// The share of each part. They sum to 1, or the list is empty.
    pub shares: Vec<f64>,
}

const ROW: f64 = 42.0;
const CLASSES: [&str; 4] = ["fill-a", "fill-b", "fill-c", "fill-d"];

fn percent(share: f64) -> String {
    let share = 100.0 * share;
    if share >= 9.95 || share == 0.0 { format!("{share:.0} %") } else { format!("{share:.1} %") }
}

/// Draws stacked bars from the top, with the names of at most four parts below.
pub fn stack(text: &str, parts: &[&str], bars: &[Bar]) -> Markup {
    let body = html! {
        @for (index, bar) in bars.iter().enumerate() {
            @let top = ROW * index as f64;
            text.label x="2.0" y=(px(top + 13.0)) { (bar.label) }
            @for (part, share) in bar.shares.iter().enumerate() {
                @let before: f64 = bar.shares[..part].iter().sum();
                @let (x, wide) = (before * WIDE, share * WIDE);
                @if wide > 0.05 {
                    g {
                        title { (parts[part]) ": " (percent(*share)) }
                        rect class=(CLASSES[part.min(3)]) x=(px(x)) y=(px(top + 18.0))
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
    let read = |bar: &Bar| {
        let shares = parts.iter().zip(&bar.shares);
        let shares: Vec<_> = shares.map(|(name, x)| format!("{name} {}", percent(*x))).collect();
        let text = if shares.is_empty() { "nothing".to_owned() } else { shares.join(", ") };
        format!("{}: {text}", bar.label)
    };
    let read: Vec<String> = bars.iter().map(read).collect();
    html! {
        (frame([WIDE, ROW * bars.len() as f64 + 4.0], text, &read, None, &body))
        ul.key {
            @for (part, name) in parts.iter().enumerate() {
                li { span class=(format!("chip {}", CLASSES[part.min(3)])) {} (name) }
            }
        }
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
