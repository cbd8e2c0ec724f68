//! The rule-discovery protocol: one player alone with a secret rule.
//!
//! A [`Case`] is a rule and a deck. [`play_case`] lets a [`RuleLearner`] lay one card per turn from a
//! hand of 12, for at most 30 turns. Before the verdict, the learner states its best guess of the
//! rule, the probability that the guess is right, and whether it commits to the guess. Then the card
//! is judged and laid, and the guess is judged from the new situation on. A [`Study`] plays many
//! cases.

mod case;
mod external;
mod study;
#[cfg(test)]
mod tests;

pub use case::{Case, CaseResult, CaseView, Guess, RuleLearner, ScienceTurn, Statement, Verdict};
pub use case::{TABLES_TO_SOLVE, TURNS, corpus_cases, plain_text_cases, play_case, read_cases};
pub use external::{ExternalLearner, parse_statement};
pub use study::{CalibrationBin, CurvePoint, Means, ScienceCase, Study, means};
