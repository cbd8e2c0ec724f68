//! Inference: belief about the secret rule, from everything that was judged.
//!
//! [`Atoms`](atoms) are some hundred tests and conditions of the language; a [`Grammar`] combines
//! them to some hundred thousand rules, joins those that behave alike, and gives each a prior; a
//! [`Learner`] holds the rules that still agree with what was judged, with their weights, and a
//! share of belief for *none of these*.

pub mod atoms;
mod grammar;
mod learner;
#[cfg(test)]
mod tests;

pub use grammar::{Combo, Grammar, Masks};
pub use learner::{Best, LOOKED_AT, Learner, NONE_SHARE};
