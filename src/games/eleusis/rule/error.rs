//! What can be wrong with a rule.

/// Why a text is not a rule, or a rule cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RuleError {
    /// The text is not in the language.
    #[error("line {line}, column {column}: {what}")]
    Text {
        /// Counted from 1.
        line: usize,
        /// Counted from 1, in characters.
        column: usize,
        /// What was found and what was expected.
        what: String,
    },
    /// The text or the tree is too large.
    #[error("{0}")]
    Large(String),
    /// The parts do not fit together.
    #[error("{0}")]
    Kind(String),
    /// The rule can be read but not played.
    #[error("{0}")]
    Unusable(String),
}
