//! Two hundred secret rules in plain words, and what each is in the rule language. They were written
//! down before the language was looked at, to see how much of what a table says it can say.

use std::sync::LazyLock;

use serde::Deserialize;

use super::Rule;

/// The file, as it stands in `strategies/eleusis/rules/`.
const TEXT: &str = include_str!("../../../strategies/eleusis/rules/in-words.csv");

/// A rule as somebody would tell it.
#[derive(Clone, Debug, Deserialize)]
pub struct InWords {
    /// From 1.
    pub number: u16,
    /// Who would make it up: `family`, `child`, `card player` or `mathematician`.
    pub who: String,
    /// The rule in words.
    pub words: String,
    /// The rule; none where the language cannot say it.
    pub rule: Option<Rule>,
    /// Why it cannot be said or played; none where it can.
    pub why_not: Option<String>,
}

/// All of them, in the order of the file.
///
/// # Panics
/// Never: a test reads the embedded file.
#[expect(clippy::panic, reason = "the text stands in this program")]
pub fn in_words() -> &'static [InWords] {
    static RULES: LazyLock<Vec<InWords>> = LazyLock::new(|| {
        InWords::list(TEXT).unwrap_or_else(|fault| panic!("in-words.csv: {fault}"))
    });
    &RULES
}

impl InWords {
    /// The rules of a table with the columns of the one that comes with the program.
    ///
    /// # Errors
    /// What is wrong with the first row that is none, with its line.
    pub fn list(table: &str) -> Result<Vec<InWords>, csv::Error> {
        csv::Reader::from_reader(table.as_bytes()).into_deserialize().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::validate;

    #[test]
    fn all_that_the_game_allows_but_one_in_twenty_can_be_said_and_nearly_all_of_it_played() {
        let of_the_game = |one: &&InWords| {
            !one.why_not.as_ref().is_some_and(|why| why.starts_with("not allowed by the game"))
        };
        let allowed: Vec<&InWords> = in_words().iter().filter(of_the_game).collect();
        let said = allowed.iter().filter(|one| one.rule.is_some()).count();
        let played = allowed.iter().filter(|one| one.why_not.is_none()).count();
        assert_eq!((in_words().len(), allowed.len(), said, played), (200, 195, 194, 189));
    }

    #[test]
    fn each_can_be_played_or_says_why_not() {
        for one in in_words() {
            let Some(rule) = &one.rule else {
                assert!(one.why_not.is_some(), "{}", one.number);
                continue;
            };
            let found = validate(rule);
            assert_eq!(found.is_ok(), one.why_not.is_none(), "{}: {found:?}", one.number);
        }
    }
}
