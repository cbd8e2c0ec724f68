//! Learning by self-play: a network plays a game against itself and is trained on the results.
//!
//! The method is a policy gradient with a clipped step (PPO: Schulman et al. 2017) for games with
//! hidden information (Rudolph et al. 2025). Only the critic sees all hands. It is
//! used in training, to judge luck, and on the states that searches sample.

mod gradient;
mod group;
mod hand;
mod learner;
mod network;
mod variant;
mod weights;

pub use learner::{Learner, LearnerOptions, LearnerState, ROUND, RoundReport, UNITS};
