//! Charts as SVG. They know numbers and names, and nothing of games or runs.
//!
//! Every chart is drawn [`WIDE`] units wide, so that on a telephone, a unit a pixel, its letters
//! can still be read; colours are classes of the page's style sheet, which knows light and dark.
//! Coordinates have one decimal, so that the same numbers give the same bytes.

mod estimates;
mod frame;
mod shares;
mod spreads;

pub use estimates::{Dot, Dots, Heat};
pub use frame::show;
pub use shares::{Bar, Board, Stack};
pub use spreads::{Bands, Histogram, LINES, Line, Series};

/// The width of a chart in its own units.
pub const WIDE: f64 = 340.0;
