//! Leap Frog: two to four seats, a full board of common pieces, and chains of captures.
//!
//! [`Leapfrog`] is the game under some [`Rules`]; [`State`] is the truth of a hand, which every
//! seat sees, [`Move`] a first capture, one leap of a chain or the stop that ends it, [`Board`]
//! what lies on the cells, [`Chain`] a whole turn of leaps.

#![forbid(unsafe_code)]

mod board;
pub mod bots;
pub mod certificate;
mod chains;
mod encoded;
mod figures;
mod leapfrog;
mod leaps;
mod moves;
pub mod picture;
mod record;
mod reverse_leaps;
mod rules;
pub mod solve;
mod state;
mod view;

pub use board::{Board, Cell, Rows};
pub use chains::Chain;
pub use figures::{HandCounts, HandStats};
pub use moves::Move;
use parlour_base::{cards, chance, error, files};
use parlour_game::{self as game, counts, external, figures, search, strategy};
use parlour_stats as stats;
pub use record::Record;
pub use rules::{Chains, Colors, FirstCaptures, FirstToLeap, Patch, Pieces, Rules, SIDE};
pub use state::{Phase, SEATS, State};
pub use view::View;

/// Leap Frog under some rules.
///
/// A turn is one whole chain, spelled leap by leap and closed by [`Move::Stop`] where it could go
/// on; where it cannot, the turn ends by itself. Each chain has one spelling, so chains that start
/// and end on the same cells and capture the same pieces are one way to play the turn: see
/// `reverse_leaps.rs` for the structure that sees to it, without any list or bound.
///
/// [`sample`](crate::game::Game::sample), and with it every playout, draws the first leap of a turn
/// uniformly from all leaps on the board and then, after each leap, uniformly from stopping and the
/// ways in which the spelling goes on. That is uniform over the moves at each choice; it is *not*
/// uniform over whole chains, of which short ones are the more likely, the more choices a long one
/// takes.
/// [`chains`](Leapfrog::chains) lists whole chains for those who want another distribution.
#[derive(Clone, Debug)]
pub struct Leapfrog {
    rules: Rules,
}
