//! The vocabulary of players: some two thousand short tests of the rule language, and the rules
//! that they combine to; the rules that may be stated in a hand, by number.

use std::borrow::Cow;
use std::fmt;
use std::sync::LazyLock;

use super::{Expr, Op, Rule, RuleError};

/// The tests, a line each with its role, as they stand in `strategies/eleusis/rules/`. The order
/// counts: tests and combinations are spoken of by their places.
const TEXT: &str = include_str!("../../../strategies/eleusis/rules/vocabulary.txt");

/// The version of the file and of the combinations; any change of them changes it.
pub const VERSION: u32 = 2;

/// What a test is used for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Role {
    /// A condition that looks back only: it chooses between two tests.
    Condition,
    /// A short test: a rule of its own, and a part of others.
    Simple,
    /// A rule of its own only.
    Alone,
}

/// One test.
#[derive(Debug)]
pub struct Test {
    /// What it is used for.
    pub role: Role,
    /// Its text as the file has it.
    pub text: &'static str,
    /// The test as a rule.
    pub rule: Rule,
}

/// How the tests of a rule are joined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Join {
    /// A test alone.
    One,
    /// Both.
    And,
    /// Either.
    Or,
    /// Exactly one.
    Xor,
    /// If the first (it looks back only), then the second, else the third.
    If,
}

/// A rule made of up to three tests.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Combination {
    /// How they are joined.
    pub join: Join,
    /// Their places in the vocabulary; the last one fills up what the join does not use.
    pub(super) tests: [u16; 3],
}

impl Combination {
    /// Tests joined; a join has as many as it needs.
    pub fn of(join: Join, tests: &[u16]) -> Combination {
        Combination { join, tests: std::array::from_fn(|at| tests[at.min(tests.len() - 1)]) }
    }

    /// The tests that it is made of.
    pub fn tests(&self) -> &[u16] {
        match self.join {
            Join::One => &self.tests[..1],
            Join::And | Join::Or | Join::Xor => &self.tests[..2],
            Join::If => &self.tests,
        }
    }

    /// It as a rule.
    ///
    /// # Errors
    /// When the rule must remember too much.
    pub fn rule(self) -> Result<Rule, RuleError> {
        let tests = &Vocabulary::shared().tests;
        let expr = |&test: &u16| tests[usize::from(test)].rule.expr().clone();
        let mut parts: Vec<Expr> = self.tests().iter().map(expr).collect();
        let op = match self.join {
            Join::One => return Rule::new(parts.swap_remove(0)),
            Join::And => Op::And,
            Join::Or => Op::Or,
            Join::Xor => Op::Xor,
            Join::If => Op::If,
        };
        Rule::new(Expr::Op(op, parts))
    }

    /// The same combination of tests with other numbers.
    #[must_use]
    pub fn renumbered(self, number: impl Fn(u16) -> u16) -> Combination {
        Combination { tests: self.tests.map(number), ..self }
    }
}

/// `And(3, 17)`: the digest of the grammar is of this form.
impl fmt::Debug for Combination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tuple = f.debug_tuple(&format!("{:?}", self.join));
        self.tests().iter().for_each(|test| {
            tuple.field(test);
        });
        tuple.finish()
    }
}

/// The tests and all their combinations.
#[derive(Debug)]
pub struct Vocabulary {
    /// The tests.
    pub tests: Vec<Test>,
    /// All combinations of the tests that are made.
    pub combinations: Vec<Combination>,
}

impl Vocabulary {
    /// The vocabulary, made when it is first asked for.
    ///
    /// # Panics
    /// Never: a test reads the embedded file.
    pub fn shared() -> &'static Vocabulary {
        static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
            let lines = TEXT.lines().filter(|line| !line.starts_with('#'));
            let tests: Vec<Test> = lines.map(read).collect();
            Vocabulary { combinations: combine(&tests), tests }
        });
        &VOCABULARY
    }

    /// The combination that is written as this rule is.
    pub fn find(&self, rule: &Rule) -> Option<Combination> {
        let place = |expr: &Expr, condition: bool| {
            let fits = |test: &Test| {
                (test.role == Role::Condition) == condition && test.rule.expr() == expr
            };
            self.tests.iter().position(fits).map(|place| place as u16)
        };
        if let Some(test) = place(rule.expr(), false) {
            return Some(Combination::of(Join::One, &[test]));
        }
        let Expr::Op(op, parts) = rule.expr() else { return None };
        let join = match (op, parts.len()) {
            (Op::And, 2) => Join::And,
            (Op::Or, 2) => Join::Or,
            (Op::Xor, _) => Join::Xor,
            (Op::If, _) => Join::If,
            _ => return None,
        };
        let parts = parts.iter().enumerate();
        let tests = parts.map(|(at, part)| place(part, join == Join::If && at == 0));
        Some(Combination::of(join, &tests.collect::<Option<Vec<u16>>>()?))
    }
}

#[expect(clippy::expect_used, clippy::panic, reason = "the lines stand in this program")]
fn read(line: &'static str) -> Test {
    let (role, text) = line.split_once(' ').expect("a line is a role and a test");
    let role = match role {
        "condition" => Role::Condition,
        "simple" => Role::Simple,
        "alone" => Role::Alone,
        other => panic!("`{other}` is no role of a test"),
    };
    Test { role, text, rule: text.parse().unwrap_or_else(|fault| panic!("{text}: {fault}")) }
}

/// All combinations of the tests that are made.
fn combine(tests: &[Test]) -> Vec<Combination> {
    let with = |fits: fn(Role) -> bool| {
        let all = (0u16..).zip(tests).filter(move |(_, test)| fits(test.role));
        all.map(|(index, _)| index).collect::<Vec<u16>>()
    };
    let simple = with(|role| role == Role::Simple);
    let ones = with(|role| role != Role::Condition);
    let mut all: Vec<Combination> =
        ones.iter().map(|&test| Combination::of(Join::One, &[test])).collect();
    for (at, &a) in simple.iter().enumerate() {
        for &b in &simple[at + 1..] {
            all.extend([Join::And, Join::Or, Join::Xor].map(|join| Combination::of(join, &[a, b])));
        }
    }
    for &c in &with(|role| role == Role::Condition) {
        for &a in &simple {
            let others = simple.iter().filter(|&&b| b != a);
            all.extend(others.map(|&b| Combination::of(Join::If, &[c, a, b])));
        }
    }
    all
}

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
    use crate::games::eleusis::rule::parse;

    #[test]
    fn a_combination_is_found_again_by_its_text() {
        let vocabulary = Vocabulary::shared();
        for &combination in vocabulary.combinations.iter().step_by(997) {
            let text = combination.rule().unwrap().to_string();
            let read: Rule = text.parse().unwrap();
            let found = vocabulary.find(&read).unwrap_or_else(|| panic!("{text} is not found"));
            assert_eq!(found.rule().unwrap(), read, "{text}");
        }
        assert_eq!(vocabulary.find(&"rank > 3 and rank > 3 and red".parse().unwrap()), None);
        assert!(
            parse("rank > 3")
                .is_ok_and(|expr| vocabulary.tests.iter().any(|t| *t.rule.expr() == expr))
        );
    }
}

#[cfg(test)]
mod statements_tests {
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
