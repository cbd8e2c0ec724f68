//! The rule corpus: rules that Eleusis players have used, and rules in plain text.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rule::{Rule, validate};
use parlour_base::chance::Seed;
use parlour_base::error::{Error, Result, unknown};

/// The file in `strategies/eleusis/rules/`.
const TEXT: &str = include_str!("../../../strategies/eleusis/rules/corpus.json");

/// 200 secret rules in plain text, each with its form in the rule language. They were written without
/// looking at the language, to measure how much it can express.
const PLAIN_TEXT: &str = include_str!("../../../strategies/eleusis/rules/plain-text.csv");

/// A part of the corpus.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Split {
    /// All rules.
    #[serde(rename = "bank")]
    All,
    /// Rules from which priors may be trained.
    Training,
    /// Rules for tests only.
    Test,
}

/// A rule of the corpus.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorpusRule {
    /// Its name, unique.
    pub name: String,
    /// The group, `A` to `F`: only the card counts; same or different; rank against the last
    /// card; the last card decides which test; position, cycles and runs; further back.
    pub group: char,
    /// The rule in words.
    pub words: String,
    /// The rule.
    pub rule: Rule,
    /// `false` for the few rules that accept too many cards to be played.
    #[serde(default = "yes")]
    pub playable: bool,
}

fn yes() -> bool {
    true
}

impl CorpusRule {
    /// The split of the rule: the lowest bit of the seed 1963 with the rule's name, 0 for training.
    pub fn split(&self) -> Split {
        let seed = Seed::new(1963).named(&self.name);
        if seed.number() & 1 == 0 { Split::Training } else { Split::Test }
    }
}

/// All rules of the corpus, in the order of the file.
///
/// # Panics
/// Never: a test reads the embedded file.
#[expect(clippy::expect_used, reason = "the text stands in this program")]
pub fn corpus() -> &'static [CorpusRule] {
    static RULES: LazyLock<Vec<CorpusRule>> =
        LazyLock::new(|| serde_json::from_str(TEXT).expect("the rule corpus can be read"));
    &RULES
}

/// The playable rules of a split.
pub fn playable_rules(split: Split) -> impl Iterator<Item = &'static CorpusRule> {
    let is_in = move |entry: &CorpusRule| split == Split::All || entry.split() == split;
    corpus().iter().filter(move |entry| entry.playable && is_in(entry))
}

/// The rule of the corpus with this name.
pub fn corpus_rule(name: &str) -> Option<&'static CorpusRule> {
    corpus().iter().find(|entry| entry.name == name)
}

/// Reads the name of a corpus rule, or a rule's text.
///
/// # Errors
/// Bad input if the text is neither.
pub fn read_rule(text: &str) -> Result<Rule> {
    // A name has no space, and parsing the corpus takes time.
    let entry = if text.trim().contains(' ') { None } else { corpus_rule(text.trim()) };
    if let Some(entry) = entry {
        return Ok(entry.rule.clone());
    }
    text.parse().map_err(|fault| match text.trim() {
        // Words joined by dashes are meant as a name.
        name if name.chars().all(|c| c.is_ascii_lowercase() || c == '-') => {
            let known = corpus().iter().map(|entry| entry.name.as_str());
            let unknown = Error::input(unknown("corpus rule", name, known));
            unknown.with_note("; `parlour list rules` shows them in plain text")
        }
        _ => Error::input(format!("not a rule: {fault}")),
    })
}

/// Reads a playable rule, as [`read_rule`] does.
///
/// # Errors
/// Bad input if there is no such rule or it cannot be played.
pub fn read_playable(text: &str) -> Result<Rule> {
    let rule = read_rule(text)?;
    let fault = |fault| Error::input(format!("the rule cannot be played: {fault}"));
    validate(&rule).map_err(fault)?;
    Ok(rule)
}

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
#[expect(clippy::expect_used, reason = "the text stands in this program")]
pub fn plain_text_rules() -> &'static [PlainTextRule] {
    static RULES: LazyLock<Vec<PlainTextRule>> =
        LazyLock::new(|| PlainTextRule::list(PLAIN_TEXT).expect("plain-text.csv can be read"));
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
    use crate::Vocabulary;
    use crate::infer::Prior;
    use crate::rule::{parse, validate};

    #[test]
    fn playable_rules_are_marked() {
        let mut faults = Vec::new();
        for entry in corpus() {
            let found = validate(&entry.rule);
            if found.is_ok() != entry.playable {
                faults.push(format!("{}: {found:?}", entry.name));
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }

    #[test]
    fn every_corpus_rule_can_be_parsed_again() {
        for entry in corpus() {
            let text = entry.rule.to_string();
            assert_eq!(parse(&text).as_ref(), Ok(entry.rule.expr()), "{text}");
        }
    }

    #[test]
    fn a_rule_is_read_by_name_or_text() {
        let read = |text| read_rule(text).map(|rule| rule.to_string()).map_err(|e| e.to_string());
        assert_eq!(read("black-only"), Ok("black".to_owned()));
        assert_eq!(read("red or face"), Ok("red or face".to_owned()));
        let fault = read("blck-only").unwrap_err();
        assert!(fault.contains("corpus rule") && fault.contains("black-only"), "{fault}");
        let fault = read("blck or face").unwrap_err();
        assert!(!fault.contains("corpus"), "{fault}");
    }

    #[test]
    fn names_are_unique_and_both_splits_are_similar_in_size() {
        let mut names: Vec<&str> = corpus().iter().map(|e| e.name.as_str()).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
        let training = corpus().iter().filter(|e| e.split() == Split::Training).count();
        assert!((0.4..0.6).contains(&(training as f64 / names.len() as f64)), "{training}");
    }

    /// Where it fails: `cargo run --release -p parlour-lab -- eleusis-prior`.
    #[test]
    fn the_prior_was_trained_on_the_training_split() {
        let prior = Prior::learned();
        let training: Vec<String> =
            playable_rules(Split::Training).map(|entry| entry.rule.to_string()).collect();
        assert_eq!(prior.trained_on, training);
        let known = prior.ideas.iter().map(|(pattern, _)| pattern);
        assert!(known.eq(Vocabulary::shared().ideas.iter().map(|idea| &idea.pattern)));
    }

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
