//! A player that learnt what positions are worth: a small network, the rows by which a position is
//! told to it, and the choice of a move.

mod features;
mod net;
mod player;
mod rows;

pub use net::{HIDDEN, Net, Network, PARTS};
pub use player::Learnt;
pub use rows::ROWS;
