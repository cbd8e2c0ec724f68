//! 200 secret rules in plain text, each with its form in the rule language. They were written without
//! looking at the language, to measure how much it can express.

use std::sync::LazyLock;

use serde::Deserialize;

use super::Rule;

/// The file in `strategies/eleusis/rules/`.
const TEXT: &str = include_str!("../../../strategies/eleusis/rules/plain-text.csv");

/// A rule in plain text.
#[derive(Clone, Debug, Deserialize)]
pub struct PlainTextRule {
    /// Its number, from 1.
    pub number: u16,
    /// The kind of author: `family`, `child`, `card player` or `mathematician`.
    pub who: String,
    /// The plain text.
    pub words: String,
    /// The rule; `None` if the language cannot express it.
    pub rule: Option<Rule>,
    /// The reason why the rule cannot be expressed or played; `None` if it can.
    pub why_not: Option<String>,
}

/// All rules, in the order of the file.
///
/// # Panics
/// Never: a test reads the embedded file.
#[expect(clippy::panic, reason = "the text stands in this program")]
pub fn plain_text_rules() -> &'static [PlainTextRule] {
    static RULES: LazyLock<Vec<PlainTextRule>> = LazyLock::new(|| {
        PlainTextRule::list(TEXT).unwrap_or_else(|fault| panic!("plain-text.csv: {fault}"))
    });
    &RULES
}

impl PlainTextRule {
    /// Reads the rules of a table with the columns of the embedded file.
    ///
    /// # Errors
    /// The first invalid row, with its line.
    pub fn list(table: &str) -> Result<Vec<PlainTextRule>, csv::Error> {
        csv::Reader::from_reader(table.as_bytes()).into_deserialize().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::validate;

    #[test]
    fn nearly_all_allowed_rules_can_be_expressed_and_played() {
        let of_the_game = |one: &&PlainTextRule| {
            !one.why_not.as_ref().is_some_and(|why| why.starts_with("not allowed by the game"))
        };
        let allowed: Vec<&PlainTextRule> = plain_text_rules().iter().filter(of_the_game).collect();
        let said = allowed.iter().filter(|one| one.rule.is_some()).count();
        let played = allowed.iter().filter(|one| one.why_not.is_none()).count();
        assert_eq!((plain_text_rules().len(), allowed.len(), said, played), (200, 195, 194, 189));
    }

    #[test]
    fn each_rule_is_playable_or_has_a_reason() {
        for one in plain_text_rules() {
            let Some(rule) = &one.rule else {
                assert!(one.why_not.is_some(), "{}", one.number);
                continue;
            };
            let found = validate(rule);
            assert_eq!(found.is_ok(), one.why_not.is_none(), "{}: {found:?}", one.number);
        }
    }
}
