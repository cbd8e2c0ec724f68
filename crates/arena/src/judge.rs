//! Judges of positions: they estimate the luck of each hand's cards and the values of moves.

use std::sync::Arc;

use super::{LuckAdjusted, Variant};
use parlour_base::error::{Error, Result};
use parlour_base::files::{digest, read_bytes};
use parlour_game::LuckEvaluator;
use parlour_game::strategy::Strategic;

/// A judge of positions with the digest of its file.
pub(super) struct Judge<G: Strategic> {
    pub evaluator: Box<dyn LuckEvaluator<G>>,
    pub digest: String,
}

impl<G: Strategic> Judge<G> {
    fn read(file: &[u8]) -> Result<Arc<Judge<G>>, String> {
        Ok(Arc::new(Judge { evaluator: G::luck_evaluator(file)?, digest: digest(file) }))
    }

    /// Loads the game's own judge, if it has one.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn built_in() -> Result<Option<Arc<Judge<G>>>> {
        G::LUCK_EVALUATOR.map(Judge::read).transpose().map_err(Error::input)
    }

    /// Loads the judge of luck of an experiment.
    ///
    /// Without a setting it is the game's own judge if a strategy searches, since a search costs
    /// more than judging its hands.
    ///
    /// # Errors
    /// Bad input if there is no such judge or it was made for other rules.
    pub fn of_luck(
        setting: Option<&LuckAdjusted>,
        has_search: bool,
        variants: &[Variant<G>],
    ) -> Result<Option<Arc<Judge<G>>>> {
        let fault = |what: String| Error::input(format!("`luck_adjusted`: {what}"));
        let (source, judge) = match (setting, G::LUCK_EVALUATOR) {
            (Some(LuckAdjusted::Switch(false)), _) | (None, None) => return Ok(None),
            (None, Some(_)) if !has_search => return Ok(None),
            (Some(LuckAdjusted::Switch(true)), None) => {
                return Err(fault(format!(
                    "{} has no judge of luck (leopard has one); remove the field",
                    G::NAME
                )));
            }
            (Some(LuckAdjusted::Judge(path)), _) => {
                let bytes = read_bytes(path.as_ref()).map_err(|why| {
                    fault(format!("{why}; the path is relative to the current directory"))
                })?;
                (path.as_str(), Judge::read(&bytes))
            }
            (_, Some(bytes)) => ("the built-in judge", Judge::read(bytes)),
        };
        let judge = judge.map_err(|what| fault(format!("{source}: {what}")))?;
        for Variant { name, game } in variants {
            judge.evaluator.check_game(game).map_err(|what| {
                fault(format!("{source}: {what}; it does not fit variant `{name}`"))
            })?;
        }
        Ok(Some(judge))
    }
}
