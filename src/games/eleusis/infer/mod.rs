//! Inference: the posterior over secret rules, given everything that was judged.
//!
//! The hypotheses are the rules that the [`Vocabulary`](super::Vocabulary) combines. A [`Grammar`]
//! joins those that behave alike and gives each a prior learnt from the training half of the rule
//! bank. A [`Posterior`] holds those that still agree with what was judged, with their weights, and
//! a misspecification mass for *none of these*, which predicts too. A [`Shortlist`] is a small
//! sample of a posterior, for looking ahead.

mod build;
mod estimates;
mod grammar;
mod posterior;
mod prior;
mod shortlist;
#[cfg(test)]
mod tests;
mod verdicts;

pub use build::Classes;
pub use estimates::Stated;
pub use grammar::{Grammar, LIKELY};
pub use posterior::Posterior;
pub use prior::{KINDS, Member, PAIRINGS, PLACES, Prior};
pub use shortlist::Shortlist;
