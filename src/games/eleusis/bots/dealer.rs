//! How a strategy deals.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::chance::Stream;
use crate::error::{Error, Result};
use crate::files::unknown;
use crate::game::{Bot, Game, Seat, Sight};
use crate::games::eleusis::rule::{Rule, compare};
use crate::games::eleusis::{Eleusis, Move, Stage, bank, named};

/// Which rule it plays with when it deals: `random-rule`, `fixed:` and a rule of the bank by name or
/// text, or `scheming`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, JsonSchema)]
#[schemars(with = "String")]
pub enum Dealer {
    /// Any rule that the variant has, at random.
    #[default]
    RandomRule,
    /// Always this rule of the bank.
    Fixed(&'static str),
    /// One of the rules that earned a dealer most in simulated hands ([`best_rules`]), at random:
    /// a dealer with one rule would be seen through.
    Scheming,
}

impl Dealer {
    /// Reads `random-rule` or `fixed:` and the name of a rule of the bank, or its text.
    ///
    /// # Errors
    /// What would be right.
    pub fn read(text: &str) -> Result<Dealer> {
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
        if let Some(entry) = named(wanted) {
            if !entry.playable {
                return Err(Error::input(format!("the rule `{wanted}` cannot be played")));
            }
            return Ok(Dealer::Fixed(&entry.name));
        }
        let playable = || bank().iter().filter(|entry| entry.playable);
        let Ok(rule) = wanted.parse::<Rule>() else {
            let names = playable().map(|entry| entry.name.as_str());
            return Err(Error::input(unknown("rule of the bank", wanted, names)));
        };
        match playable().find(|entry| entry.rule == rule || compare(&entry.rule, &rule).alike()) {
            Some(entry) => Ok(Dealer::Fixed(&entry.name)),
            None => Err(Error::input(format!(
                "no rule of the bank judges as `{rule}` does; a variant can have it as its \
                 `secret`"
            ))),
        }
    }

    fn wish(&self, game: &Eleusis, chance: &mut Stream) -> Option<u32> {
        let name = match self {
            Dealer::RandomRule => return None,
            Dealer::Fixed(name) => name,
            Dealer::Scheming => {
                let best = best_rules();
                *best.get(chance.below(best.len().max(1) as u32) as usize)?
            }
        };
        let rule = &named(name)?.rule;
        let listed = game.statements().listed();
        listed.iter().position(|known| known == rule).map(|number| number as u32)
    }
}

/// What each rule earned a dealer: written by `lab/src/eleusis_difficulty.rs`.
const EARNINGS: &str = include_str!("../../../../strategies/eleusis/rules/earnings.csv");

/// How many rules a scheming dealer chooses from.
const BEST: usize = 10;

/// The rules that earned a dealer most, best first: the first ten of
/// `strategies/eleusis/rules/earnings.csv`.
pub fn best_rules() -> Vec<&'static str> {
    let names = EARNINGS.lines().skip(1).filter_map(|line| line.split(',').next());
    names.take(BEST).collect()
}

impl<'de> Deserialize<'de> for Dealer {
    fn deserialize<D: Deserializer<'de>>(json: D) -> std::result::Result<Dealer, D::Error> {
        Dealer::read(&String::deserialize(json)?).map_err(serde::de::Error::custom)
    }
}

impl Serialize for Dealer {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Dealer::RandomRule => serializer.serialize_str("random-rule"),
            Dealer::Scheming => serializer.serialize_str("scheming"),
            Dealer::Fixed(name) => serializer.collect_str(&format_args!("fixed:{name}")),
        }
    }
}

/// A player that deals, too.
pub(super) struct Seated<B> {
    pub dealer: Dealer,
    pub player: B,
}

impl<B: Bot<Eleusis>> Bot<Eleusis> for Seated<B> {
    fn start(&mut self, seat: Seat) {
        self.player.start(seat);
    }

    fn wishes(&mut self, game: &Eleusis, chance: &mut Stream) -> Option<u32> {
        self.dealer.wish(game, chance)
    }

    fn choose(&mut self, game: &Eleusis, sight: Sight<'_, Eleusis>, chance: &mut Stream) -> Move {
        if sight.view.public.stage == Stage::Force {
            return game.sample_view(sight.view, chance);
        }
        self.player.choose(game, sight, chance)
    }
}
