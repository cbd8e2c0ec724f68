//! Tuning: better numbers for a strategy, found by self-play and confirmed on fresh deals.
//!
//! Decimals are moved all at once by simultaneous perturbation; whole numbers and words are chosen by
//! successive halving. Both go by paired deals and depend on the seed alone: neither threads nor a
//! stop in the middle change what comes out.

mod climb;
mod contest;
mod fields;
mod front;
mod halving;
mod job;
mod kept;
mod spsa;
mod stage;
mod task;
mod values;

pub use contest::Contest;
pub use fields::{Fields, Number};
pub use front::{Aim, Front, FrontTask, Play, Wish};
pub use halving::Halving;
pub(crate) use job::prepare;
pub use job::{TuneJob, TuneRequest};
pub use kept::Kept;
pub use spsa::{Climb, Gains};
pub use task::{Goal, Outcome, Task};
