//! Leap Frog: two to four seats, a full board of common pieces, and chains of captures.
//!
//! [`Leapfrog`] is the game under some [`Rules`]; [`State`] is the truth of a hand, which every
//! seat sees, [`Move`] a first capture, one leap of a chain or the stop that ends it, [`Board`]
//! what lies on the cells, [`Chain`] a whole turn of leaps.

pub mod bots;
mod board;
mod chains;
mod figures;
mod game;
mod leaps;
mod moves;
pub mod picture;
mod record;
mod replay;
mod rules;
mod show;
pub mod solve;
mod state;
mod trail;
mod view;

pub use board::{Board, Cell, Rows, SIDE};
pub use chains::Chain;
pub use figures::Watch;
pub use game::Leapfrog;
pub use leaps::starts;
pub use moves::{Act, Move};
pub use record::Record;
pub use rules::{Chains, Colors, FirstCaptures, Patch, Pieces, Rules};
pub use state::{Phase, SEATS, State};
pub use view::View;
