//! The numbering of the rules that may be stated in a hand.

use std::borrow::Cow;
use std::sync::{PoisonError, RwLock};

use rustc_hash::FxHashMap;
use strum::IntoEnumIterator;

use super::{Combination, Join, Vocabulary};
use crate::rule::Rule;
use parlour_base::chance::Seed;

/// A numbering of rules: first the rules that the game lists among its moves, then every
/// combination of the [vocabulary](Vocabulary), then the hashes of all other texts. The digits of a
/// combination are its join and up to three tests. The meaning of a number does not depend on hidden
/// information.
#[derive(Debug)]
pub struct Statements {
    /// Rules that the game lists among its moves.
    pub listed: Vec<Rule>,
    /// The texts of stated rules that have the number of their hash, by it: those stated last, and
    /// those before. A hand is over long before as many others are stated.
    texts: RwLock<[FxHashMap<u32, Box<str>>; 2]>,
}

/// The maximum number of texts in each half of `texts`.
const MAX_TEXTS: usize = 50_000;

/// Returns the tests that a join may have at each place. An *if* has only conditions and sides.
fn digits(join: Join) -> Vec<&'static [u16]> {
    let Vocabulary { all, conditions, sides, .. } = Vocabulary::shared();
    match join {
        Join::If => vec![conditions, sides, sides],
        _ => vec![all; join.places().len()],
    }
}

/// Returns the number of rules with a join.
fn size(join: Join) -> u64 {
    digits(join).iter().map(|tests| tests.len() as u64).product()
}

impl Statements {
    /// Creates a numbering of which the first rules are listed.
    pub fn new(listed: Vec<Rule>) -> Statements {
        Statements { listed, texts: RwLock::default() }
    }

    /// Returns the rule with a number.
    pub fn rule(&self, number: u32) -> Option<Cow<'_, Rule>> {
        if let Some(rule) = self.listed.get(number as usize) {
            return Some(Cow::Borrowed(rule));
        }
        if number >= self.count() {
            let texts = self.texts.read().unwrap_or_else(PoisonError::into_inner);
            let text = texts.iter().find_map(|half| half.get(&number))?;
            return text.parse().ok().map(Cow::Owned);
        }
        let mut left = u64::from(number) - self.listed.len() as u64;
        for join in Join::iter() {
            if left >= size(join) {
                left -= size(join);
                continue;
            }
            let mut tests = vec![0; join.places().len()];
            for (test, known) in tests.iter_mut().zip(digits(join)).rev() {
                *test = known[(left % known.len() as u64) as usize];
                left /= known.len() as u64;
            }
            return Combination::of(join, &tests).rule().ok().map(Cow::Owned);
        }
        None
    }

    /// Returns the number of rules that are listed or combinations.
    pub fn count(&self) -> u32 {
        let all = Join::iter().map(size).sum::<u64>() + self.listed.len() as u64;
        u32::try_from(all).unwrap_or(u32::MAX)
    }

    /// Returns the number of a combination, or `None` if a test is not allowed at its place.
    pub fn of_combination(&self, combination: Combination) -> Option<u32> {
        let join = combination.join;
        let mut number = 0;
        for (test, known) in combination.tests().iter().zip(digits(join)) {
            number = number * known.len() as u64 + known.binary_search(test).ok()? as u64;
        }
        let before: u64 = Join::iter().take_while(|other| *other != join).map(size).sum();
        u32::try_from(self.listed.len() as u64 + before + number).ok()
    }

    /// Returns the lowest number of a rule with this tree. A rule that is neither listed nor a
    /// combination gets the number of its hash, the same in every run.
    pub fn of_rule(&self, rule: &Rule) -> Option<u32> {
        if let Some(place) = self.listed.iter().position(|known| known == rule) {
            return u32::try_from(place).ok();
        }
        let combination = Vocabulary::shared().find(rule.expr());
        combination
            .and_then(|it| self.of_combination(it))
            .or_else(|| self.of_text(rule.to_string()))
    }

    /// Returns the number of the hash of a text, or the next that no other text has.
    fn of_text(&self, text: String) -> Option<u32> {
        let first = self.count();
        let space = u32::MAX.checked_sub(first).filter(|space| *space > 0)?;
        let hash = (Seed::new(0).named(&text).number() % u64::from(space)) as u32;
        let mut halves = self.texts.write().unwrap_or_else(PoisonError::into_inner);
        let number = (0..space).map(|step| first + (hash + step) % space).find(|number| {
            let known = halves.iter().find_map(|half| half.get(number));
            known.is_none_or(|known| **known == *text)
        })?;
        if halves[0].len() >= MAX_TEXTS {
            halves.swap(0, 1);
            halves[0].clear();
        }
        halves[0].insert(number, text.into());
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_rules_round_trip() {
        let rules = ["red", "rank mod 11 == 3"].map(|text| text.parse().unwrap());
        let statements = Statements::new(rules.to_vec());
        assert_eq!(statements.of_rule(&rules[1]), Some(1));
        for text in ["if last.red then even else heart", "red and even", "black", "even or face"] {
            let unlisted: Rule = text.parse().unwrap();
            let number = statements.of_rule(&unlisted).unwrap();
            assert_eq!(*statements.rule(number).unwrap(), unlisted);
        }
        let all = statements.count();
        assert!(statements.rule(all - 1).is_some() && statements.rule(u32::MAX).is_none());
    }

    #[test]
    fn every_rule_has_a_number_that_does_not_change() {
        let statements = Statements::new(vec!["red".parse().unwrap()]);
        for text in ["not any(rank + this.rank == 14, 3)", "rank mod 11 == 4", "not black"] {
            let rule: Rule = text.parse().unwrap();
            let number = statements.of_rule(&rule).unwrap();
            assert_eq!(*statements.rule(number).unwrap(), rule, "{text}");
            assert_eq!(statements.of_rule(&rule), Some(number), "{text}");
        }
        let number = statements.of_rule(&"rank mod 11 == 4".parse().unwrap()).unwrap();
        for step in 0..2 * MAX_TEXTS as u64 + 5 {
            statements.of_text(format!("text {step}")).unwrap();
        }
        let texts = statements.texts.read().unwrap();
        assert!(texts.iter().all(|half| half.len() <= MAX_TEXTS), "memory is bounded");
        drop(texts);
        assert_eq!(statements.of_rule(&"rank mod 11 == 4".parse().unwrap()), Some(number));
    }
}
