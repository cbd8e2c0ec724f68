//! The vocabulary of players: some two thousand short tests of the rule language, and the rules
//! that they combine to.

use std::sync::OnceLock;

use super::rule::{Binary, Expr, Rule, RuleError};

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

/// A rule made of up to three tests, by their places in the vocabulary.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Combination {
    /// A test alone.
    One(u16),
    /// Both.
    And(u16, u16),
    /// Either.
    Or(u16, u16),
    /// Exactly one.
    Xor(u16, u16),
    /// If the first (it looks back only), then the second, else the third.
    If(u16, u16, u16),
}

impl Combination {
    /// The tests that it is made of.
    pub fn tests(self) -> impl Iterator<Item = u16> {
        let (tests, count) = match self {
            Combination::One(a) => ([a; 3], 1),
            Combination::And(a, b) | Combination::Or(a, b) | Combination::Xor(a, b) => {
                ([a, b, b], 2)
            }
            Combination::If(c, a, b) => ([c, a, b], 3),
        };
        tests.into_iter().take(count)
    }

    /// The same combination of tests with other numbers.
    #[must_use]
    pub fn renumbered(self, number: impl Fn(u16) -> u16) -> Combination {
        match self {
            Combination::One(a) => Combination::One(number(a)),
            Combination::And(a, b) => Combination::And(number(a), number(b)),
            Combination::Or(a, b) => Combination::Or(number(a), number(b)),
            Combination::Xor(a, b) => Combination::Xor(number(a), number(b)),
            Combination::If(c, a, b) => Combination::If(number(c), number(a), number(b)),
        }
    }
}

/// The tests and all their combinations.
#[derive(Debug)]
pub struct Vocabulary {
    tests: Vec<Test>,
    combinations: Vec<Combination>,
}

impl Vocabulary {
    /// The vocabulary, made when it is first asked for.
    ///
    /// # Panics
    /// Never: a test reads the embedded file.
    pub fn shared() -> &'static Vocabulary {
        static VOCABULARY: OnceLock<Vocabulary> = OnceLock::new();
        VOCABULARY.get_or_init(|| {
            let lines = TEXT.lines().filter(|line| !line.starts_with('#'));
            let tests: Vec<Test> = lines.map(read).collect();
            Vocabulary { combinations: combine(&tests), tests }
        })
    }

    /// The tests.
    pub fn tests(&self) -> &[Test] {
        &self.tests
    }

    /// All combinations of the tests that are made.
    pub fn combinations(&self) -> &[Combination] {
        &self.combinations
    }

    /// A combination as a rule.
    ///
    /// # Errors
    /// When it must remember too much.
    pub fn rule(&self, combination: Combination) -> Result<Rule, RuleError> {
        let at = |index: u16| self.tests[usize::from(index)].rule.expr().clone();
        Rule::new(match combination {
            Combination::One(a) => at(a),
            Combination::And(a, b) => Expr::All(vec![at(a), at(b)]),
            Combination::Or(a, b) => Expr::Any(vec![at(a), at(b)]),
            Combination::Xor(a, b) => Expr::Binary(Binary::Xor, at(a).into(), at(b).into()),
            Combination::If(c, a, b) => Expr::If(at(c).into(), at(a).into(), at(b).into()),
        })
    }

    /// The combination that is written as this rule is.
    pub fn find(&self, rule: &Rule) -> Option<Combination> {
        let test = |expr: &Expr, condition: bool| {
            let fits = |test: &Test| {
                (test.role == Role::Condition) == condition && test.rule.expr() == expr
            };
            self.tests.iter().position(fits).map(|place| place as u16)
        };
        let simple = |expr: &Expr| test(expr, false);
        let parts = match rule.expr() {
            Expr::All(items) if items.len() == 2 => {
                simple(&items[0]).zip(simple(&items[1])).map(|(a, b)| Combination::And(a, b))
            }
            Expr::Any(items) if items.len() == 2 => {
                simple(&items[0]).zip(simple(&items[1])).map(|(a, b)| Combination::Or(a, b))
            }
            Expr::Binary(Binary::Xor, a, b) => {
                simple(a).zip(simple(b)).map(|(a, b)| Combination::Xor(a, b))
            }
            Expr::If(c, a, b) => test(c, true)
                .zip(simple(a).zip(simple(b)))
                .map(|(c, (a, b))| Combination::If(c, a, b)),
            _ => None,
        };
        simple(rule.expr()).map(Combination::One).or(parts)
    }
}

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
    let with = |role: Role| {
        let all = (0u16..).zip(tests).filter(move |(_, test)| test.role == role);
        all.map(|(index, _)| index).collect::<Vec<u16>>()
    };
    let (conditions, simple) = (with(Role::Condition), with(Role::Simple));
    let ones = (0u16..).zip(tests).filter(|(_, test)| test.role != Role::Condition);
    let mut all: Vec<Combination> = ones.map(|(index, _)| Combination::One(index)).collect();
    for (at, &a) in simple.iter().enumerate() {
        for &b in &simple[at + 1..] {
            all.extend([Combination::And(a, b), Combination::Or(a, b), Combination::Xor(a, b)]);
        }
    }
    for &c in &conditions {
        for &a in &simple {
            let others = simple.iter().filter(|&&b| b != a);
            all.extend(others.map(|&b| Combination::If(c, a, b)));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::eleusis::rule::parse;

    #[test]
    fn a_combination_is_found_again_by_its_text() {
        let vocabulary = Vocabulary::shared();
        for &combination in vocabulary.combinations().iter().step_by(997) {
            let text = vocabulary.rule(combination).unwrap().to_string();
            let read: Rule = text.parse().unwrap();
            let found = vocabulary.find(&read).unwrap_or_else(|| panic!("{text} is not found"));
            assert_eq!(vocabulary.rule(found).unwrap(), read, "{text}");
        }
        assert_eq!(vocabulary.find(&"rank > 3 and rank > 3 and red".parse().unwrap()), None);
        assert!(parse("rank > 3").is_ok_and(|expr| vocabulary.tests().iter().any(|t| *t.rule.expr() == expr)));
    }
}
