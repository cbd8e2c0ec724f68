//! Leap Frog: two to four seats capture common pieces of a full board by chains of leaps.
//!
//! [`Leapfrog`] is the game under some [`Rules`]. [`State`] is a hand, which every seat sees, and
//! [`Board`] its pieces. [`Move`] is a first capture, one leap of a chain or the stop that ends it.
//! [`Chain`] is a whole turn of leaps.

#![forbid(unsafe_code)]

mod board;
pub mod bots;
pub mod certificate;
mod encoded;
mod figures;
mod leapfrog;
mod leaps;
mod moves;
pub mod picture;
mod record;
mod rules;
pub mod solve;
mod state;
mod view;

pub use board::{Board, Cell, Rows};
pub use figures::{HandCounts, HandStats};
pub use leapfrog::Chain;
pub use moves::Move;
pub use record::Record;
pub use rules::{Chains, Colors, FirstCaptures, FirstToLeap, Patch, Pieces, Rules, SEATS, SIDE};
pub use state::{Phase, State};
pub use view::View;

/// Leap Frog under some rules.
///
/// A turn is one whole chain, played leap by leap and closed by [`Move::Stop`] if another leap is
/// possible. Otherwise the turn ends by itself. Chains with the same start, end and captured pieces
/// are the same turn, so only one of their spellings is legal (see `leaps.rs`).
///
/// [`sample`](parlour_game::Game::sample) and all playouts draw the first leap of a turn uniformly
/// from all leaps on the board. After each leap they draw uniformly from the stop and the legal next
/// leaps. This is uniform over the moves at each choice, but not over whole chains: short chains are
/// more likely than long ones. Use [`chains`](Leapfrog::chains) for other distributions.
#[derive(Clone, Debug)]
pub struct Leapfrog {
    rules: Rules,
}
