//! The rule language of Eleusis, the vocabulary of rules that players use, and inference over them.

#![forbid(unsafe_code)]

pub mod infer;
pub mod rule;
pub mod vocabulary;

pub use infer::{Grammar, Posterior, RuleGuess, Shortlist};
pub use rule::{Expr, Memory, Op, Rule, RuleError, Verdicts, are_equivalent_from};
pub use vocabulary::{
    Combination, GROUPS, Idea, Join, PLACE_LETTERS, PLACES, Statements, Test, Vocabulary,
};
