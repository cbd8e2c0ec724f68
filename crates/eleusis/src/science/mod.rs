//! One player alone with a rule: the protocol that measures inference.
//!
//! A [`Case`] is a rule and a deck. [`play_case`] lets a [`Scientist`] lay one card a turn from a
//! hand of 12, at most 30 turns. Before it hears the verdict it states its best guess of the rule,
//! how likely that is right, and whether it commits to it. The card is judged and laid, then the
//! guess is judged from the new situation on. A [`Study`] plays many cases.

mod case;
mod curves;
mod outside;
mod play;
mod study;
#[cfg(test)]
mod tests;

pub use case::{Case, bank_cases, cases_in_words, read_cases};
pub use curves::{AfterCards, OfRule, StatedBetween};
pub use outside::{Outside, stated};
pub use play::{Guess, Played, Scientist, Statement, TABLES, TURNS, play_case};
pub use study::{Means, OneOrMean, ScienceCase, ScienceTurn, Study, means};
