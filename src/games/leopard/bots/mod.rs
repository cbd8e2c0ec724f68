//! Ways to choose in Leopard, none of which searches: each is a function of the view, allocates
//! nothing, and is cheap enough for playouts.
//!
//! [`Greedy`] takes the best change of the two values, [`RandomKnocker`] moves at random but
//! knocks, [`Steady`] is a heuristic whose [`Weights`] stand in its file, [`Brisk`] one for playouts,
//! [`Learnt`] goes by a network that learnt what positions are worth.

mod brisk;
mod brisk_lines;
mod gains;
mod greedy;
mod kind;
mod network;
mod steady;
mod steady_lines;
mod weights;

pub use brisk::Brisk;
pub use greedy::{BestOf, Greedy, RandomKnocker};
pub use kind::Kind;
pub use network::{HIDDEN, Learnt, Net, Network, PARTS, ROWS};
pub use steady::Steady;
pub use weights::{BriskWeights, Weights};
