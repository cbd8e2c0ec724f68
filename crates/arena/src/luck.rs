//! Luck adjustment: a value function estimates the luck of each hand's cards, and the tally sums it.

use std::sync::Arc;

use super::checkpoint::DealInProgress;
use super::{LuckAdjusted, PlannedTable, Tally, UNIT, Variant};
use parlour_base::error::{Error, Result};
use parlour_base::files::{cannot_read, digest};
use parlour_game::LuckEvaluator;
use parlour_game::strategy::Strategic;
use parlour_stats::ControlSums;

/// A judge of luck with the digest of its file.
pub(super) struct LuckAdjuster<G: Strategic> {
    pub judge: Arc<dyn LuckEvaluator<G>>,
    pub digest: String,
}

impl<G: Strategic> Clone for LuckAdjuster<G> {
    fn clone(&self) -> Self {
        LuckAdjuster { judge: Arc::clone(&self.judge), digest: self.digest.clone() }
    }
}

impl<G: Strategic> LuckAdjuster<G> {
    /// Loads the judge of an experiment.
    ///
    /// Without a setting it is the game's own judge if a strategy searches, since a search costs
    /// more than judging its hands.
    ///
    /// # Errors
    /// Bad input if there is no such judge or it was made for other rules.
    pub fn load(
        setting: Option<&LuckAdjusted>,
        has_search: bool,
        variants: &[Variant<G>],
    ) -> Result<Option<LuckAdjuster<G>>> {
        let (source, bytes) = match (setting, G::LUCK_EVALUATOR) {
            (Some(LuckAdjusted::Switch(false)), _) | (None, None) => return Ok(None),
            (None, Some(_)) if !has_search => return Ok(None),
            (Some(LuckAdjusted::Switch(true)), None) => {
                return Err(Error::input(format!(
                    "`luck_adjusted`: {} has no judge of luck (leopard has one); remove the field",
                    G::NAME
                )));
            }
            (Some(LuckAdjusted::Judge(path)), _) => {
                let read = std::fs::read(path).map_err(|error| {
                    let why = cannot_read(path.as_ref(), &error);
                    Error::input(format!(
                        "`luck_adjusted`: {why}; the path is relative to the current directory"
                    ))
                });
                (path.as_str(), read?)
            }
            (_, Some(bytes)) => ("the built-in judge", bytes.to_vec()),
        };
        let fault = |what: String| Error::input(format!("`luck_adjusted`: {source}: {what}"));
        let judge = G::luck_evaluator(&bytes).map_err(fault)?;
        for variant in variants {
            judge.check_game(&variant.game).map_err(|what| {
                fault(format!("{what}; it does not fit variant `{}`", variant.name))
            })?;
        }
        Ok(Some(LuckAdjuster { judge: judge.into(), digest: digest(bytes) }))
    }

    /// Loads the judge of a run that was resolved before; `expected` is the digest of its file.
    ///
    /// # Errors
    /// As [`load`](LuckAdjuster::load), and if the judge has changed.
    pub fn reload(
        setting: Option<&LuckAdjusted>,
        expected: Option<&str>,
        variants: &[Variant<G>],
    ) -> Result<Option<LuckAdjuster<G>>> {
        let Some(expected) = expected else { return Ok(None) };
        match LuckAdjuster::load(setting, true, variants)? {
            Some(adjuster) if adjuster.digest == expected => Ok(Some(adjuster)),
            other => Err(Error::input(format!(
                "the judge of luck has changed: its digest was {expected}, it is {} now; use the \
                 original program or file",
                other.map_or_else(|| "none".to_owned(), |adjuster| adjuster.digest)
            ))),
        }
    }
}

fn add<const N: usize>(sums: &mut [i64; N], values: [i64; N]) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum = sum.saturating_add(value));
}

/// A result that can be adjusted for luck.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LuckTarget {
    /// The score of the first place at a table.
    Score(usize),
    /// The margin of the first place at a table.
    Margin(usize),
    /// The score of the first seats of a variant.
    FirstSeat(usize),
}

impl Tally {
    /// Counters the luck of a finished deal. Out of line, since most runs do not adjust for luck.
    #[cold]
    pub(super) fn add_luck(&mut self, tables: &[PlannedTable], deal: &DealInProgress) {
        let (by_table, by_variant) = deal.luck.split_at(self.luck.tables.len());
        let mut points = deal.points.as_slice();
        for ((table, sums), &luck) in tables.iter().zip(&mut self.luck.tables).zip(by_table) {
            let (matches, rest) = points.split_at(table.line_up.len().pow(2));
            points = rest;
            let leads = matches.chunks_exact(2).map(|points| points[0] - points[1]);
            let margin: i64 = leads.clone().sum();
            let units: i64 = leads.map(|lead| UNIT / 2 * (1 + lead.signum())).sum();
            add(sums, [luck, luck.saturating_mul(luck), units * luck, margin * luck]);
        }
        let variants = self.luck.variants.iter_mut().zip(by_variant);
        for ((sums, &luck), &units) in variants.zip(&deal.first_seat) {
            add(sums, [luck, luck.saturating_mul(luck), units * luck]);
        }
    }

    /// Returns a result with its luck as control variate. Returns `None` if luck was not judged.
    pub fn luck_of(&self, target: LuckTarget) -> Option<ControlSums> {
        let (first, [luck, squares, crossed]) = match target {
            LuckTarget::Score(table) => {
                let [luck, squares, crossed, _] = *self.luck.tables.get(table)?;
                (self.tables[table].slots.first()?.score, [luck, squares, crossed])
            }
            LuckTarget::Margin(table) => {
                let [luck, squares, _, crossed] = *self.luck.tables.get(table)?;
                (self.tables[table].slots.first()?.margin, [luck, squares, crossed])
            }
            LuckTarget::FirstSeat(variant) => {
                (self.variants[variant].first_seat, *self.luck.variants.get(variant)?)
            }
        };
        Some(ControlSums { first, covariates: 1, sums: vec![luck, crossed, squares] })
    }
}
