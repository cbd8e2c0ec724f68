//! The numbering of the rules that may be stated in a hand.

use std::borrow::Cow;

use strum::IntoEnumIterator;

use super::{Combination, Join, Vocabulary};
use crate::rule::Rule;

/// A numbering of rules: first the rules that the game lists among its moves, then every
/// combination of the [vocabulary](Vocabulary). The digits of a combination are its join and up to
/// three tests. The meaning of a number does not depend on hidden information.
#[derive(Clone, Debug)]
pub struct Statements {
    /// Rules that the game lists among its moves.
    pub listed: Vec<Rule>,
}

/// Returns the tests that a join may have first, and those that may follow. An *if* has only
/// conditions and sides.
fn digits(join: Join) -> [&'static [u16]; 2] {
    let vocabulary = Vocabulary::shared();
    match join {
        Join::If => [&vocabulary.conditions, &vocabulary.sides],
        _ => [&vocabulary.all, &vocabulary.all],
    }
}

/// Returns the number of rules with a join.
fn size(join: Join) -> u64 {
    let [first, rest] = digits(join);
    first.len() as u64 * (rest.len() as u64).pow(join.places().len() as u32 - 1)
}

impl Statements {
    /// Returns the rule with a number.
    pub fn rule(&self, number: u32) -> Option<Cow<'_, Rule>> {
        if let Some(rule) = self.listed.get(number as usize) {
            return Some(Cow::Borrowed(rule));
        }
        let mut left = u64::from(number) - self.listed.len() as u64;
        for join in Join::iter() {
            if left >= size(join) {
                left -= size(join);
                continue;
            }
            let [first, rest] = digits(join);
            let mut tests = [0; 3];
            let used = &mut tests[..join.places().len()];
            for place in (1..used.len()).rev() {
                used[place] = rest[(left % rest.len() as u64) as usize];
                left /= rest.len() as u64;
            }
            used[0] = first[left as usize];
            return Combination::of(join, used).rule().ok().map(Cow::Owned);
        }
        None
    }

    /// Returns the number of rules.
    pub fn count(&self) -> u32 {
        let all = Join::iter().map(size).sum::<u64>() + self.listed.len() as u64;
        u32::try_from(all).unwrap_or(u32::MAX)
    }

    /// Returns the number of a combination, or `None` if a test is not allowed at its place.
    pub fn of_combination(&self, combination: Combination) -> Option<u32> {
        let join = combination.join;
        let [first, rest] = digits(join);
        let mut number = 0;
        for (place, test) in combination.tests().iter().enumerate() {
            let known = if place == 0 { first } else { rest };
            number = number * known.len() as u64 + known.binary_search(test).ok()? as u64;
        }
        let before: u64 = Join::iter().take_while(|other| *other != join).map(size).sum();
        u32::try_from(self.listed.len() as u64 + before + number).ok()
    }

    /// Returns the lowest number of a rule with this tree.
    pub fn of_rule(&self, rule: &Rule) -> Option<u32> {
        match self.listed.iter().position(|known| known == rule) {
            Some(place) => u32::try_from(place).ok(),
            None => self.of_combination(Vocabulary::shared().find(rule.expr())?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_rules_round_trip() {
        let rules = ["red", "rank mod 11 == 3"].map(|text| text.parse().unwrap());
        let statements = Statements { listed: rules.to_vec() };
        assert_eq!(statements.of_rule(&rules[1]), Some(1));
        for text in ["if last.red then even else heart", "red and even", "black", "even or face"] {
            let unlisted: Rule = text.parse().unwrap();
            let number = statements.of_rule(&unlisted).unwrap();
            assert_eq!(*statements.rule(number).unwrap(), unlisted);
        }
        assert_eq!(statements.of_rule(&"rank mod 11 == 4".parse().unwrap()), None);
        let all = statements.count();
        assert!(statements.rule(all - 1).is_some() && statements.rule(all).is_none());
    }
}
