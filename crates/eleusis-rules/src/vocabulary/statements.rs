//! The rules that may be stated in a hand, by number.

use std::borrow::Cow;

use super::{Combination, Join, Vocabulary};
use crate::Rule;

/// A table of rules: first those that the game lists among its moves, then every combination of the
/// [vocabulary](Vocabulary) as digits: the join, then up to three tests. What a number means depends
/// on nothing that any player knows.
#[derive(Clone, Debug)]
pub struct Statements {
    /// The rules that the game lists among its moves.
    pub listed: Vec<Rule>,
}

/// The tests that a join may have first, and those that it may have after it: of an *if* only what is
/// a condition, and a side.
fn digits(join: Join) -> [&'static [u16]; 2] {
    let vocabulary = Vocabulary::shared();
    match join {
        Join::If => [&vocabulary.conditions, &vocabulary.sides],
        _ => [&vocabulary.all, &vocabulary.all],
    }
}

/// How many tests are joined.
const fn parts(join: Join) -> u32 {
    match join {
        Join::One => 1,
        Join::And | Join::Or | Join::Xor => 2,
        Join::If => 3,
    }
}

const JOINS: [Join; 5] = [Join::One, Join::And, Join::Or, Join::Xor, Join::If];

/// How many numbers a join has.
fn size(join: Join) -> u64 {
    let [first, rest] = digits(join);
    first.len() as u64 * (rest.len() as u64).pow(parts(join) - 1)
}

impl Statements {
    /// The rule with this number.
    pub fn rule(&self, number: u32) -> Option<Cow<'_, Rule>> {
        if let Some(rule) = self.listed.get(number as usize) {
            return Some(Cow::Borrowed(rule));
        }
        let mut left = u64::from(number) - self.listed.len() as u64;
        for join in JOINS {
            if left >= size(join) {
                left -= size(join);
                continue;
            }
            let [first, rest] = digits(join);
            let mut tests = [0; 3];
            let used = &mut tests[..parts(join) as usize];
            for place in (1..used.len()).rev() {
                used[place] = rest[(left % rest.len() as u64) as usize];
                left /= rest.len() as u64;
            }
            used[0] = first[left as usize];
            return Combination::of(join, used).rule().ok().map(Cow::Owned);
        }
        None
    }

    /// How many numbers there are.
    pub fn count(&self) -> u32 {
        let all = JOINS.into_iter().map(size).sum::<u64>() + self.listed.len() as u64;
        u32::try_from(all).unwrap_or(u32::MAX)
    }

    /// The number of a combination; none where a test stands where it never does.
    pub fn of_combination(&self, combination: Combination) -> Option<u32> {
        let join = combination.join;
        let [first, rest] = digits(join);
        let mut number = 0;
        for (place, test) in combination.tests().iter().enumerate() {
            let known = if place == 0 { first } else { rest };
            number = number * known.len() as u64 + known.binary_search(test).ok()? as u64;
        }
        let before: u64 = JOINS.into_iter().take_while(|other| *other != join).map(size).sum();
        u32::try_from(self.listed.len() as u64 + before + number).ok()
    }

    /// The number of the rule that is written as this one is: the lowest.
    pub fn of_rule(&self, rule: &Rule) -> Option<u32> {
        match self.listed.iter().position(|known| known == rule) {
            Some(place) => u32::try_from(place).ok(),
            None => self.of_combination(Vocabulary::shared().find(rule)?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_and_its_rule_name_one_another() {
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
