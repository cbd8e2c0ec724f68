//! SVG charts. A chart is a function of its numbers and names, without knowledge of games or runs.
//! The `text` of each is the description for people who cannot see it.
//!
//! Every chart is [`WIDE`] units wide, so that its letters are legible on a phone at one pixel per
//! unit. Colours are classes of the style sheet, which has a light and a dark theme. Coordinates
//! have one decimal, so that equal numbers give equal bytes.

mod distributions;
mod forest;
mod frame;
mod heat;
mod lines;

pub use distributions::{Bar, Extent, LINES, Line, bands, board, histogram, stack};
pub use forest::{Axis, Dot, Mark, forest, sliver, span};
pub use frame::show;
pub use heat::HeatMap;
pub use lines::{in_ratios, lines};

/// The width of a chart in its own units.
pub const WIDE: f64 = 340.0;
