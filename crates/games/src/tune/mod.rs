//! Tuning by self-play: better options of a strategy, or better rules of a game.
//!
//! Real-valued options are tuned together by SPSA; other options by successive halving. Rules are
//! searched for a Pareto front. All methods use paired deals and confirm the result on fresh deals.
//! Results depend only on the seed, not on threads or interruptions.

mod checkpoint;
mod fields;
mod halving;
mod paired_match;
mod pareto;
mod spsa;
mod strategy_tuner;

pub use checkpoint::Checkpoint;
pub use pareto::{Objective, ParetoFront, ParetoSearch, Play, Step};
pub(crate) use strategy_tuner::prepare;
pub use strategy_tuner::{SearchSpace, TuneJob, TuneOutcome, TuneRequest};
