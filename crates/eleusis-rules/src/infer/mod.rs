//! Inference: the posterior over secret rules, given all verdicts.
//!
//! The hypotheses are the rules that the [`Vocabulary`](crate::Vocabulary) combines, about 10¹⁰. A
//! [`Grammar`] gives each a prior, which is a product. The evidence keeps, for each place of a
//! rule, the tests that still agree with the verdicts. The surviving rules are then products of
//! lists of tests, and a [`Posterior`] reads probabilities, the heaviest rules and samples from the
//! products without enumerating rules. The rest of the belief is *misspecification*, which
//! predicts, too. When it is large, rules outside the grammar are proposed near the rules that are
//! least wrong. A [`Shortlist`] is a small part of a posterior, for looking ahead.

mod equivalents;
mod evidence;
mod grammar;
mod posterior;
mod prior;
mod productions;
mod products;
mod proposals;
mod shortlist;
mod test_lists;
#[cfg(test)]
mod tests;
mod tracked_tests;
mod transcript;

pub use equivalents::Equivalents;
pub use grammar::Grammar;
pub use posterior::{Posterior, RuleGuess};
pub use prior::{COMMON, Pairs, Prior};
pub use shortlist::Shortlist;
