//! Judges of positions: they estimate the luck of each hand and the values of moves.

use std::sync::Arc;

use serde_json::json;

use super::{LuckAdjusted, Variant};
use parlour_base::error::{Error, Result};
use parlour_base::files::{compact, digest};
use parlour_game::Policy;
use parlour_game::strategy::{Player, Strategic, evaluator};

/// A strategy that judges positions, with the digest of its network or of its options.
pub(super) struct Judge<G: Strategic> {
    pub policy: Arc<dyn Policy<G>>,
    pub digest: String,
}

impl<G: Strategic> Judge<G> {
    fn load(name: &str) -> Result<Arc<Judge<G>>> {
        let kind = evaluator::<G>(name)?;
        let Ok(Player::Static(policy)) = G::player(&kind) else {
            return Err(Error::input(format!("`{name}` cannot judge positions")));
        };
        let kind = json!(kind);
        let of_network = kind["network"]["sha256"].as_str().map(str::to_owned);
        Ok(Arc::new(Judge { policy, digest: of_network.unwrap_or_else(|| digest(compact(&kind))) }))
    }

    fn check(&self, variants: &[Variant<G>]) -> Result<(), String> {
        let mut faults = variants.iter().filter_map(|Variant { name, game }| {
            let fault = self.policy.check(game).err()?;
            Some(format!("{fault}; it does not fit variant `{name}`"))
        });
        faults.next().map_or(Ok(()), Err)
    }

    /// Loads the game's own judge, if it has one that can judge hands under these rules.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn built_in(variants: &[Variant<G>]) -> Result<Option<Arc<Judge<G>>>> {
        let judge = G::JUDGE.map(Judge::load).transpose()?;
        Ok(judge.filter(|judge| judge.check(variants).is_ok()))
    }

    /// Loads the judge of luck of an experiment.
    ///
    /// Without a setting it is the game's own judge if a strategy searches, since a search costs
    /// more than judging its hands.
    ///
    /// # Errors
    /// Bad input if there is no such judge or it cannot judge hands under these rules.
    pub fn of_luck(
        setting: Option<&LuckAdjusted>,
        has_search: bool,
        variants: &[Variant<G>],
    ) -> Result<Option<Arc<Judge<G>>>> {
        let name = match (setting, G::JUDGE) {
            (Some(LuckAdjusted::Switch(false)), _) => return Ok(None),
            (None, _) if has_search => return Judge::built_in(variants),
            (None, _) => return Ok(None),
            (Some(LuckAdjusted::Judge(name)), _) => name,
            (_, Some(name)) => name,
            (_, None) => {
                return Err(Error::input(format!(
                    "{} has no judge of luck; name a network that `parlour learn` wrote, or \
                     remove the field",
                    G::NAME
                ))
                .in_field("luck_adjusted"));
            }
        };
        let judge = Judge::load(name).map_err(|error| error.in_field("luck_adjusted"))?;
        let fault = judge.check(variants).map_err(Error::input);
        fault.map_err(|error| error.in_field("luck_adjusted"))?;
        Ok(Some(judge))
    }
}
