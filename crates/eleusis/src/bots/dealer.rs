//! A strategy's choice of the secret rule.

use std::fmt;
use std::str::FromStr;

use crate::rule::compare;
use crate::{Eleusis, Rule, corpus_rule, playable_rules};
use parlour_base::chance::Stream;
use parlour_base::error::{Error, Fault};
use parlour_base::files::unknown;

/// The dealer's choice of the secret rule: `random-rule`, `scheming`, or `fixed:` with the name or text
/// of a corpus rule.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub enum Dealer {
    /// A random rule of the variant.
    #[default]
    RandomRule,
    /// Always this corpus rule.
    Fixed(&'static str),
    /// A random one of the rules that earned a dealer most in simulated hands ([`best_rules`]).
    /// Players would soon recognize a single rule.
    Scheming,
}

impl FromStr for Dealer {
    type Err = Error;

    fn from_str(text: &str) -> Result<Dealer, Error> {
        let Some(wanted) = text.strip_prefix("fixed:").map(str::trim) else {
            return match text {
                "random-rule" => Ok(Dealer::RandomRule),
                "scheming" => Ok(Dealer::Scheming),
                _ => {
                    let what = unknown("dealer", text, ["random-rule", "fixed:<rule>", "scheming"]);
                    Err(Error::input(what))
                }
            };
        };
        if let Some(entry) = corpus_rule(wanted) {
            if !entry.playable {
                return Err(Error::input(format!("the rule `{wanted}` cannot be played")));
            }
            return Ok(Dealer::Fixed(&entry.name));
        }
        let rule = wanted.parse::<Rule>().map_err(|fault| {
            // A name has no spaces.
            let names = playable_rules(None).map(|entry| entry.name.as_str());
            Error::input(match wanted.contains(' ') {
                true => {
                    Fault::from(format!("neither the name of a corpus rule nor a rule: {fault}"))
                }
                false => unknown("corpus rule", wanted, names).into(),
            })
        })?;
        match playable_rules(None)
            .find(|entry| entry.rule == rule || compare(&entry.rule, &rule).is_empty())
        {
            Some(entry) => Ok(Dealer::Fixed(&entry.name)),
            None => Err(Error::input(format!(
                "no corpus rule is equivalent to `{rule}`; use it as the `secret` of a \
                 variant instead"
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
        let rule = &corpus_rule(name)?.rule;
        let listed = &game.statements().listed;
        listed.iter().position(|known| known == rule).map(|number| number as u32)
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

impl fmt::Display for Dealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Dealer::RandomRule => f.write_str("random-rule"),
            Dealer::Scheming => f.write_str("scheming"),
            Dealer::Fixed(name) => write!(f, "fixed:{name}"),
        }
    }
}

parlour_base::files::text::as_text!(Dealer, "^(random-rule|scheming|fixed:.+)$");
