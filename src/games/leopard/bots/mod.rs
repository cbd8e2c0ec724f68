//! Ways to choose in Leopard, none of which searches: each is a function of the view, allocates
//! nothing, and is cheap enough for playouts.
//!
//! [`Greedy`] takes the best change of the two values, [`RandomKnocker`] moves at random but
//! knocks, [`Steady`] is a heuristic whose [`Weights`] stand in its file, [`Brisk`] one for playouts,
//! [`Learnt`] goes by a network that learnt what positions are worth.

mod brisk;
mod brisk_weights;
mod change;
mod cheap;
mod greedy;
mod hopes;
mod lanes;
mod learnt;
mod potential;
mod race;
mod random_knocker;
mod spec;
mod spec_files;
mod steady;
mod weights;

pub use brisk::Brisk;
pub use brisk_weights::BriskWeights;
pub use greedy::Greedy;
pub use learnt::{HIDDEN, Learnt, LearntFile, Net, PARTS, ROWS, Sink};
pub use random_knocker::RandomKnocker;
pub use spec::{Spec, SpecFile};
pub use spec_files::{BriskFile, Plain, SteadyFile};
pub use steady::Steady;
pub use weights::Weights;
