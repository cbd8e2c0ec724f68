//! Ways to choose in Leopard, none of which searches: each is a function of the view, allocates
//! nothing, and is cheap enough for playouts.
//!
//! [`Greedy`] takes the best change of the two values, [`RandomKnocker`] moves at random but
//! knocks, [`Steady`] is a heuristic whose [`Weights`] stand in its file, [`Brisk`] one for playouts.

mod brisk;
mod brisk_weights;
mod change;
mod cheap;
mod greedy;
mod lanes;
mod potential;
mod race;
mod random_knocker;
mod spec;
mod steady;
mod weights;

pub use brisk::Brisk;
pub use brisk_weights::BriskWeights;
pub use greedy::Greedy;
pub use random_knocker::RandomKnocker;
pub use spec::{BriskFile, Plain, Spec, SpecFile, SteadyFile};
pub use steady::Steady;
pub use weights::Weights;
