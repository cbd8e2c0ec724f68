//! Inference: belief about the secret rule, from everything that was judged.
//!
//! [`atoms`] are some hundred tests and conditions of the language; a [`Grammar`] combines them to
//! some hundred thousand rules, joins those that behave alike, and gives each a prior learnt from
//! the training half of the rule bank; a [`Learner`] holds the rules that still agree with what was
//! judged, with their weights, and a share of belief for *none of these*, which predicts too. A
//! [`Panel`] is a small picture of a learner's belief, for looking ahead.

pub mod atoms;
mod build;
mod denied;
mod draw;
mod grammar;
mod learner;
mod outside;
mod panel;
mod prior;
mod signature;
mod stuck;
mod sums;
#[cfg(test)]
mod tests;

pub use grammar::{Combo, Grammar, LIKELY, Masks};
pub use learner::{Learner, Stated};
pub use panel::Panel;
pub use prior::Learning;
