//! Wholes by their parts: one bar each.

use maud::{Markup, html};

use super::WIDE;
use super::frame::{frame, px};

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
            (frame(WIDE, height, &text, &body))
            ul.key {
                @for (part, name) in self.parts.iter().enumerate() {
                    li { span class=(format!("chip {}", CLASSES[part.min(3)])) {} (name) }
                }
            }
        }
    }
}
