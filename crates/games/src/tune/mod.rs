//! Tuning of a strategy by self-play.
//!
//! Real-valued options are tuned together by SPSA; other options by successive halving. Both methods use
//! paired deals and confirm the result on fresh deals.
//! Results depend only on the seed, not on threads or interruptions.

mod checkpoint;
mod fields;
mod strategy_tuner;

pub use checkpoint::Checkpoint;
pub(crate) use strategy_tuner::tune;
pub use strategy_tuner::{ChangedField, SearchSpace, TuneOutcome, TuneRequest};
