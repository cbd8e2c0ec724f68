//! Ways to choose in Leap Frog.
//!
//! [`Greedy`] takes the most points now, [`LookaheadBot`] searches whole chains to a [`Horizon`]
//! with alpha-beta; `careful` is its shallowest form. Budgets are positions, never time.

mod bots;
mod desk;
mod images;
mod lookahead;
mod spec;

pub use bots::{Greedy, LookaheadBot};
pub use lookahead::Horizon;
pub use spec::{LookaheadFile, Plain, Spec, SpecFile};
