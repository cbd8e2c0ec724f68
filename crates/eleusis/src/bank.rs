//! The rule bank: rules that Eleusis players have used.

use std::sync::LazyLock;

use serde::Deserialize;

use super::rule::{Rule, validate};
use crate::chance::Seed;
use crate::error::{Error, Result, unknown};

/// The file, as it stands in `strategies/eleusis/rules/`.
const TEXT: &str = include_str!("../../../strategies/eleusis/rules/bank.json");

/// Which half of the bank a rule belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Half {
    /// Priors may be learnt from it.
    Training,
    /// It is for tests only.
    Test,
}

impl Half {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Half::Training => "training",
            Half::Test => "test",
        }
    }
}

/// One rule of the bank.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its name, unique.
    pub name: String,
    /// The group, `A` to `F`: only the card counts; same or different; rank against the last
    /// card; the last card decides which test; position, cycles and runs; further back.
    pub group: char,
    /// The rule in words.
    pub words: String,
    /// The rule.
    pub rule: Rule,
    /// Whether it can be played: a few rules that people have used are right too often.
    #[serde(default = "yes")]
    pub playable: bool,
}

fn yes() -> bool {
    true
}

impl Entry {
    /// The lowest bit of the seed 1963 branched by the name: 0 is training.
    pub fn half(&self) -> Half {
        let seed = Seed::new(1963).named(&self.name);
        if seed.number() & 1 == 0 { Half::Training } else { Half::Test }
    }
}

/// All rules of the bank, in the order of the file.
///
/// # Panics
/// Never: a test reads the embedded file.
#[expect(clippy::panic, reason = "the text stands in this program")]
pub fn bank() -> &'static [Entry] {
    static BANK: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        serde_json::from_str(TEXT).unwrap_or_else(|fault| panic!("the rule bank: {fault}"))
    });
    &BANK
}

/// The rules of a half of the bank that can be played, or of all of it.
pub fn playable(half: Option<Half>) -> impl Iterator<Item = &'static Entry> {
    bank()
        .iter()
        .filter(move |entry| entry.playable && half.is_none_or(|half| entry.half() == half))
}

/// The rule of the bank with this name.
pub fn named(name: &str) -> Option<&'static Entry> {
    bank().iter().find(|entry| entry.name == name)
}

/// A rule of the bank by name, or a rule's text.
///
/// # Errors
/// What would be right.
pub fn read_rule(text: &str) -> Result<Rule> {
    // A name has no blank, and the bank takes time to be read.
    let entry = if text.trim().contains(' ') { None } else { named(text.trim()) };
    if let Some(entry) = entry {
        return Ok(entry.rule.clone());
    }
    text.parse().map_err(|fault| match text.trim() {
        // A word or two with dashes is meant for a name.
        name if name.chars().all(|c| c.is_ascii_lowercase() || c == '-') => {
            let known = bank().iter().map(|entry| entry.name.as_str());
            let unknown = Error::input(unknown("rule of the bank", name, known));
            unknown.with_note("; `parlour list rules` tells them in words")
        }
        _ => Error::input(format!("not a rule: {fault}")),
    })
}

/// A rule that can be played, likewise.
///
/// # Errors
/// What is wrong with it.
pub fn read_playable(text: &str) -> Result<Rule> {
    let rule = read_rule(text)?;
    let fault = |fault| Error::input(format!("it cannot be played: {fault}"));
    validate(&rule).map_err(fault)?;
    Ok(rule)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Vocabulary;
    use crate::infer::Prior;
    use crate::rule::{parse, validate};

    #[test]
    fn every_rule_of_the_bank_can_be_played_or_says_that_it_cannot() {
        let mut faults = Vec::new();
        for entry in bank() {
            let found = validate(&entry.rule);
            if found.is_ok() != entry.playable {
                faults.push(format!("{}: {found:?}", entry.name));
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }

    #[test]
    fn every_rule_of_the_bank_reads_back() {
        for entry in bank() {
            let text = entry.rule.to_string();
            assert_eq!(parse(&text).as_ref(), Ok(entry.rule.expr()), "{text}");
        }
    }

    #[test]
    fn a_rule_is_meant_by_its_name_or_its_text() {
        let read = |text| read_rule(text).map(|rule| rule.to_string()).map_err(|e| e.to_string());
        assert_eq!(read("black-only"), Ok("black".to_owned()));
        assert_eq!(read("red or face"), Ok("red or face".to_owned()));
        let fault = read("blck-only").unwrap_err();
        assert!(fault.contains("rule of the bank") && fault.contains("black-only"), "{fault}");
        let fault = read("blck or face").unwrap_err();
        assert!(!fault.contains("bank"), "{fault}");
    }

    #[test]
    fn names_are_unique_and_the_halves_are_halves() {
        let mut names: Vec<&str> = bank().iter().map(|e| e.name.as_str()).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]));
        let training = bank().iter().filter(|e| e.half() == Half::Training).count();
        assert!((0.4..0.6).contains(&(training as f64 / names.len() as f64)), "{training}");
    }

    /// Where it fails: `cargo run --release -p parlour-lab -- eleusis-prior`.
    #[test]
    fn the_prior_is_that_of_the_training_half() {
        let prior = Prior::learned();
        let training: Vec<String> =
            playable(Some(Half::Training)).map(|entry| entry.rule.to_string()).collect();
        assert_eq!(prior.trained_on, training);
        let known = prior.ideas.iter().map(|(pattern, _)| pattern);
        assert!(known.eq(Vocabulary::shared().ideas.iter().map(|idea| &idea.pattern)));
    }
}
