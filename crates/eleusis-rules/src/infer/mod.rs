//! Inference: the posterior over secret rules, given everything that was judged.
//!
//! The hypotheses are the rules that the [`Vocabulary`](super::Vocabulary) combines, thousands of
//! millions. A [`Grammar`] gives each a prior, which is a product. [`evidence`](self) keeps, for each
//! place of a rule, the tests that still agree with what was judged; the rules that agree are then
//! products of lists of tests (`cells.rs`, made by `maker.rs`), and a [`Posterior`] reads chances, the heaviest rules and
//! samples off them without going through the rules. What is in none of them is *none of these*, which
//! predicts too; near the rules that are least wrong some of what it stands for is grown (`growth.rs`,
//! `mending.rs`). A [`Shortlist`] is a small sample of a posterior, for looking ahead.

mod cells;
mod changes;
mod derivations;
mod estimates;
mod evidence;
mod grammar;
mod growth;
mod heads;
mod heaviest;
mod joined;
mod known;
mod left;
mod list;
mod maker;
mod mending;
mod posterior;
mod prior;
mod scene;
mod set;
mod shortlist;
#[cfg(test)]
mod tests;
mod verdicts;

pub use estimates::Stated;
pub use grammar::{FEW, Grammar};
pub use known::{Judged, Known};
pub use posterior::Posterior;
pub use prior::{Pairs, Prior};
pub use shortlist::Shortlist;
