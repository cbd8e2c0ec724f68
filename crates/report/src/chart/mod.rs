//! Charts as SVG: a chart is a function of its numbers and names, and knows nothing of games or runs.
//! The `text` of each says what it shows, for those who cannot see it.
//!
//! Every chart is drawn [`WIDE`] units wide, so that on a telephone, a unit a pixel, its letters
//! can still be read; colours are classes of the page's style sheet, which knows light and dark.
//! Coordinates have one decimal, so that the same numbers give the same bytes.

mod forest;
mod frame;
mod grid;
mod heat;
mod lines;
mod shares;
mod spreads;

pub use forest::{Axis, Dot, Mark, forest, sliver, span};
pub use frame::show;
pub use grid::{Side, grid};
pub use heat::heat;
pub use lines::{in_ratios, lines};
pub use shares::{Bar, board, stack};
pub use spreads::{Extent, LINES, Line, bands, histogram};

/// The width of a chart in its own units.
pub const WIDE: f64 = 340.0;
