//! A strategy's choice of the secret rule.

use std::str::FromStr;

use strum::Display;

use crate::rule::compare;
use crate::{CorpusRule, Eleusis, corpus, corpus_rule, read_rule};
use parlour_base::chance::Stream;
use parlour_base::error::Error;
use parlour_base::files::unknown;

/// The dealer's choice of the secret rule: `random-rule`, `scheming`, or `fixed:` with the name or text
/// of a corpus rule.
#[derive(Clone, Copy, PartialEq, Eq, Default, Display)]
#[strum(serialize_all = "kebab-case")]
pub enum Dealer {
    /// A random rule of the variant.
    #[default]
    RandomRule,
    /// Always this corpus rule.
    #[strum(to_string = "fixed:{0}")]
    Fixed(&'static str),
    /// A random one of the rules that earned a dealer most in simulated hands ([`best_rules`]).
    /// Players would soon recognize a single rule.
    Scheming,
}

impl FromStr for Dealer {
    type Err = Error;

    fn from_str(text: &str) -> Result<Dealer, Error> {
        let rule = match (text, text.strip_prefix("fixed:")) {
            ("random-rule", _) => return Ok(Dealer::RandomRule),
            ("scheming", _) => return Ok(Dealer::Scheming),
            (_, Some(rule)) => rule.trim(),
            _ => {
                let known = ["random-rule", "fixed:<rule>", "scheming"];
                return Err(Error::input(unknown("dealer", text, known)));
            }
        };
        let parsed = read_rule(rule)?;
        let is_same =
            |entry: &&CorpusRule| entry.rule == parsed || compare(&entry.rule, &parsed).is_empty();
        match corpus_rule(rule).or_else(|| corpus().iter().find(is_same)) {
            Some(entry) if entry.playable => Ok(Dealer::Fixed(&entry.name)),
            Some(_) => Err(Error::input(format!("the rule `{rule}` cannot be played"))),
            None => Err(Error::input(format!(
                "no corpus rule is equivalent to `{rule}`; use it as the `secret` of a variant instead"
            ))),
        }
    }
}

impl Dealer {
    pub(super) fn choose_rule(&self, game: &Eleusis, chance: &mut Stream) -> Option<u32> {
        let name = match self {
            Dealer::RandomRule => return None,
            Dealer::Fixed(name) => name,
            Dealer::Scheming => {
                let best = best_rules();
                *best.get(chance.below(best.len().max(1) as u32) as usize)?
            }
        };
        game.statements.of_rule(&corpus_rule(name)?.rule)
    }
}

/// The mean points that each rule earned a dealer, written by `lab/src/eleusis_difficulty.rs`.
const EARNINGS: &str = include_str!("../../../../strategies/eleusis/rules/earnings.csv");

/// The number of rules that a scheming dealer chooses from.
const BEST: usize = 10;

/// Returns the rules that earned a dealer most, best first: the first ten of
/// `strategies/eleusis/rules/earnings.csv`.
pub fn best_rules() -> Vec<&'static str> {
    let names = EARNINGS.lines().skip(1).filter_map(|line| line.split(',').next());
    names.take(BEST).collect()
}

parlour_base::files::text::as_text!(Dealer, "^(random-rule|scheming|fixed:.+)$");
