//! Ways to choose in Leap Frog.
//!
//! [`Greedy`] takes the most points now, [`LookaheadBot`] searches whole chains to a [`Horizon`]
//! with alpha-beta; `careful` is its shallowest form. Budgets are positions, never time.

mod desk;
mod greedy;
mod keys;
mod lookahead;
mod spec;

pub use greedy::Greedy;
pub use lookahead::{Horizon, LookaheadBot};
pub use spec::{LookaheadFile, Plain, Spec, SpecFile};
