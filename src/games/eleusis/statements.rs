//! The rules that may be stated in a hand, by number.

use std::borrow::Cow;

use super::{Combination, Rule, Vocabulary};

/// A table of rules: first those that the game lists among its moves, then every combination of the
/// [vocabulary](Vocabulary). What a number means depends on nothing that any player knows.
#[derive(Clone, Debug)]
pub struct Statements {
    /// The rules that the game lists among its moves.
    pub listed: Vec<Rule>,
}

impl Statements {
    /// The rule with this number.
    pub fn rule(&self, number: u32) -> Option<Cow<'_, Rule>> {
        let number = number as usize;
        if let Some(rule) = self.listed.get(number) {
            return Some(Cow::Borrowed(rule));
        }
        let combination = Vocabulary::shared().combinations.get(number - self.listed.len())?;
        combination.rule().ok().map(Cow::Owned)
    }

    /// The number of a combination.
    pub fn of_combination(&self, combination: Combination) -> Option<u32> {
        let all = &Vocabulary::shared().combinations;
        let place = all.iter().position(|known| *known == combination)?;
        u32::try_from(self.listed.len() + place).ok()
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
        let rules = ["red", "rank mod 7 == 3"].map(|text| text.parse().unwrap());
        let statements = Statements { listed: rules.to_vec() };
        assert_eq!(statements.of_rule(&rules[1]), Some(1));
        let unlisted: Rule = "if last.red then even else heart".parse().unwrap();
        let number = statements.of_rule(&unlisted).unwrap();
        assert_eq!(*statements.rule(number).unwrap(), unlisted);
        assert_eq!(statements.of_rule(&"rank mod 7 == 4".parse().unwrap()), None);
        let all = 2 + Vocabulary::shared().combinations.len() as u32;
        assert!(statements.rule(all - 1).is_some() && statements.rule(all).is_none());
    }
}
