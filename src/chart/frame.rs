//! What every chart has: its size, its text alternative, its axis.

use maud::{Markup, html};

use super::scale::Scale;
use crate::stats::Estimate;

/// An estimate for print: true minus signs, and no line broken within it.
pub fn show(estimate: Option<Estimate>) -> String {
    estimate
        .map_or_else(|| "–".to_owned(), |e| e.to_string().replace('-', "−").replace(' ', "\u{a0}"))
}

/// A coordinate with one decimal.
pub(super) fn px(x: f64) -> String {
    let text = format!("{x:.1}");
    if text == "-0.0" { "0.0".to_owned() } else { text }
}

/// The picture with its text alternative.
pub(super) fn frame(width: f64, height: f64, text: &str, body: &Markup) -> Markup {
    html! {
        svg viewBox=(format!("0 0 {} {}", px(width), px(height))) role="img" aria-label=(text) {
            (body)
        }
    }
}

/// What is shown under the pointer: a text for each of equal fields, row by row.
pub(super) struct Tips {
    /// The fields' left edge, upper edge, width and height, all together.
    pub place: [f64; 4],
    pub columns: usize,
    pub texts: Vec<String>,
}

/// The picture with its text alternative, and texts under the pointer. They are one attribute,
/// which a script reads: a node for each would be most of the page.
pub(super) fn pointed(width: f64, height: f64, text: &str, tips: &Tips, body: &Markup) -> Markup {
    let place = tips.place.map(px).join(" ");
    html! {
        svg viewBox=(format!("0 0 {} {}", px(width), px(height))) role="img" aria-label=(text)
            data-place=(place) data-columns=(tips.columns) data-tips=(tips.texts.join("|")) {
            (body)
        }
    }
}

/// A horizontal axis at a height, with its ticks, their lines up to `top`, and its title.
pub(super) fn axis(scale: &Scale, y: f64, top: f64, title: &str) -> Markup {
    let ticks = scale.ticks(5);
    let middle = f64::midpoint(scale.from, scale.to);
    html! {
        @for tick in &ticks {
            @let x = px(scale.at(tick.at));
            line.grid x1=(x) x2=(x) y1=(px(top)) y2=(px(y)) {}
            // Held within the frame.
            @let room = 3.4 * tick.label.chars().count() as f64;
            @let middle = scale.at(tick.at).clamp(room, super::WIDE - room);
            text.tick x=(px(middle)) y=(px(y + 13.0)) text-anchor="middle" { (tick.label) }
        }
        line.axis x1=(px(scale.from)) x2=(px(scale.to)) y1=(px(y)) y2=(px(y)) {}
        text.name x=(px(middle)) y=(px(y + 28.0)) text-anchor="middle" { (title) }
    }
}

/// A vertical axis of shares at the left, with lines across to `right`.
pub(super) fn shares(scale: &Scale, x: f64, right: f64) -> Markup {
    html! {
        @for tick in &scale.ticks(4) {
            @let y = scale.at(tick.at);
            line.grid x1=(px(x)) x2=(px(right)) y1=(px(y)) y2=(px(y)) {}
            text.tick x=(px(x - 4.0)) y=(px(y + 4.0)) text-anchor="end" { (tick.label) }
        }
    }
}
