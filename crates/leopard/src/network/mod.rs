//! Small networks that estimate the chance to win, and the features that they read.
//!
//! Two networks share the arithmetic and the file format: one reads a [`View`](super::View) and
//! plays (kind `value-network`), one reads the whole [`State`](super::State) and measures luck.

mod detailed_features;
mod line_codes;
mod net;
mod state_features;
mod view_features;

pub use detailed_features::{KNOWN_PLAYERS, SeatPlayers};
pub use net::{
    CLIP, Features, LUCK_HIDDEN, Net, NetworkFile, PARTS, STAGES, WIDEST, WIDTH_STEP, stage,
};
pub(super) use net::{Evaluator, ONE};
pub use view_features::view_features;

/// Width of the hidden layer of a network that plays.
pub const VIEW_HIDDEN: usize = 32;

/// The group of a lead, for a feature.
fn lead_group(own: i32, other: i32) -> usize {
    ((own - other).clamp(-12, 12) + 12) as usize
}

/// The group of a number of cards in the stock, for a feature.
fn stock_group(stock: u8) -> usize {
    let stock = usize::from(stock);
    if stock < 10 { stock } else { (10 + (stock - 10) / 4).min(31) }
}
