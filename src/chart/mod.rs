//! Charts as SVG. They know numbers and names, and nothing of games or runs.
//!
//! Every chart is drawn [`WIDE`] units wide, so that on a telephone, a unit a pixel, its letters
//! can still be read; colours are classes of the page's style sheet, which knows light and dark.
//! Coordinates have one decimal, so that the same numbers give the same bytes.

mod bands;
mod board;
mod dots;
mod frame;
mod heat;
mod histogram;
mod scale;
mod stack;

pub use bands::Bands;
pub use board::Board;
pub use dots::{Dot, Dots};
pub use frame::show;
pub use heat::Heat;
pub use histogram::{Histogram, LINES, Line, Series};
pub use stack::{Bar, Stack};

/// The width of a chart in its own units.
pub const WIDE: f64 = 340.0;
