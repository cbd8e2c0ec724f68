//! Ways to choose in Leap Frog.
//!
//! [`Greedy`] takes the most points now, [`LookaheadBot`] searches whole chains to a [`Horizon`]
//! with alpha-beta; `careful` is its shallowest form. Budgets are positions, never time.

mod desk;
mod greedy;
mod keys;
mod kind;
mod lookahead;

pub use greedy::Greedy;
pub use kind::Kind;
pub use lookahead::{Horizon, LookaheadBot};
