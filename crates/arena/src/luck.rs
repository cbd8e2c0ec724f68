//! Taking luck out of results: who judges it, and how it is summed.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tally::{Place, Sums, Visit};
use super::{Open, Outline, Table, Tally, UNIT, Variant};
use crate::error::{Error, Result};
use crate::files::{cannot_read, digest};
use crate::game::LuckEvaluator;
use crate::stats::ControlSums;
use crate::strategy::Strategic;

/// Whether luck is taken out of results.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "true, false or the path of a judge file")]
pub enum LuckAdjusted {
    /// By the judge that comes with the game, or not.
    Switch(bool),
    /// By the judge in this file.
    Judge(String),
}

/// A judge with the digest of its file.
pub(super) struct Judging<G: Strategic> {
    pub judge: Arc<dyn LuckEvaluator<G>>,
    pub digest: String,
}

impl<G: Strategic> Clone for Judging<G> {
    fn clone(&self) -> Self {
        Judging { judge: Arc::clone(&self.judge), digest: self.digest.clone() }
    }
}

impl<G: Strategic> Judging<G> {
    /// Who judges the luck of an experiment; where it does not say, the game's own judge where
    /// one of its strategies searches, since its hands cost more than their judging.
    ///
    /// # Errors
    /// Bad input when there is no such judge, or it is one of other rules.
    pub fn of(
        said: Option<&LuckAdjusted>,
        searches: bool,
        variants: &[Variant<G>],
    ) -> Result<Option<Judging<G>>> {
        let (place, bytes) = match (said, G::LUCK_EVALUATOR) {
            (Some(LuckAdjusted::Switch(false)), _) | (None, None) => return Ok(None),
            (None, Some(_)) if !searches => return Ok(None),
            (Some(LuckAdjusted::Switch(true)), None) => {
                return Err(Error::input(format!(
                    "`luck_adjusted`: {} has no judge of luck, as leopard has; leave it out",
                    G::NAME
                )));
            }
            (Some(LuckAdjusted::Judge(path)), _) => {
                let read = std::fs::read(path).map_err(|error| {
                    let why = cannot_read(path.as_ref(), &error);
                    Error::input(format!(
                        "`luck_adjusted`: {why}; the path of a judge file starts at the folder where \
                         parlour was called"
                    ))
                });
                (path.as_str(), read?)
            }
            (_, Some(bytes)) => ("the judge of the program", bytes.to_vec()),
        };
        let fault = |what: String| Error::input(format!("`luck_adjusted`: {place}: {what}"));
        let judge = G::luck_evaluator(&bytes).map_err(fault)?;
        variants.iter().try_for_each(|variant| {
            judge
                .check_game(&variant.game)
                .map_err(|what| fault(format!("{what}, and so not of variant `{}`", variant.name)))
        })?;
        Ok(Some(Judging { judge: judge.into(), digest: digest(bytes) }))
    }

    /// The same for an experiment that was resolved before.
    ///
    /// # Errors
    /// As [`of`](Judging::of), and when it was another judge then.
    pub fn again(
        said: Option<&LuckAdjusted>,
        was: Option<&str>,
        variants: &[Variant<G>],
    ) -> Result<Option<Judging<G>>> {
        let Some(was) = was else { return Ok(None) };
        match Judging::of(said, true, variants)? {
            Some(judging) if judging.digest == was => Ok(Some(judging)),
            other => Err(Error::input(format!(
                "the judge of luck was another: its digest was {was}, it is {} now; use the program or \
                 the file of then",
                other.map_or_else(|| "none".to_owned(), |judging| judging.digest)
            ))),
        }
    }
}

/// What the luck of deals came to, beside their results; nothing where it is not judged.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LuckSums {
    /// By table: Σ of the first place's luck, of its square, of its product with the units that the
    /// place won, and with its margin.
    pub tables: Vec<[i64; 4]>,
    /// By variant: Σ of the luck of the first seats, of its square, of its product with the units
    /// that they won.
    pub variants: Vec<[i64; 3]>,
}

impl Sums for LuckSums {
    fn walk(&mut self, _: Place, visit: Visit<'_>) {
        self.tables.iter_mut().for_each(|sums| visit(("luck", "tables"), sums));
        self.variants.iter_mut().for_each(|sums| visit(("luck", "variants"), sums));
    }
}

impl LuckSums {
    /// Of no deals; none of it where luck is not judged.
    pub(super) fn empty(judged: bool, tables: usize, variants: usize) -> LuckSums {
        if !judged {
            return LuckSums::default();
        }
        LuckSums { tables: vec![[0; 4]; tables], variants: vec![[0; 3]; variants] }
    }

    /// How many numbers a deal has while it is played: the luck of the first place of each table,
    /// and of the first seats of each variant.
    pub(super) fn wide(&self) -> usize {
        self.tables.len() + self.variants.len()
    }
}

fn add<const N: usize>(sums: &mut [i64; N], of: [i64; N]) {
    sums.iter_mut().zip(of).for_each(|(sum, x)| *sum = sum.saturating_add(x));
}

/// A result whose luck can be taken out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lucky {
    /// What the first place at a table won.
    Score(usize),
    /// Its margin there.
    Margin(usize),
    /// What the first seats of a variant won.
    FirstSeat(usize),
}

impl Tally {
    /// Counts the luck of a deal beside its results. Kept out of what every deal passes through.
    #[cold]
    pub(super) fn add_luck(&mut self, tables: &[Table], open: &Open) {
        let (own, first) = open.luck.split_at(self.luck.tables.len());
        let mut points = open.points.as_slice();
        for ((table, sums), &luck) in tables.iter().zip(&mut self.luck.tables).zip(own) {
            let (matches, rest) = points.split_at(table.line_up.len().pow(2));
            points = rest;
            let leads = matches.chunks_exact(2).map(|points| points[0] - points[1]);
            let margin: i64 = leads.clone().sum();
            let units: i64 = leads.map(|lead| UNIT / 2 * (1 + lead.signum())).sum();
            add(sums, [luck, luck.saturating_mul(luck), units * luck, margin * luck]);
        }
        for ((sums, &luck), &units) in self.luck.variants.iter_mut().zip(first).zip(&open.first) {
            add(sums, [luck, luck.saturating_mul(luck), units * luck]);
        }
    }

    /// A result beside its luck; none where luck was not judged.
    pub fn luck_of(&self, what: Lucky) -> Option<ControlSums> {
        let (first, [luck, squares, crossed]) = match what {
            Lucky::Score(table) => {
                let [luck, squares, crossed, _] = *self.luck.tables.get(table)?;
                (self.tables[table].slots.first()?.score, [luck, squares, crossed])
            }
            Lucky::Margin(table) => {
                let [luck, squares, _, crossed] = *self.luck.tables.get(table)?;
                (self.tables[table].slots.first()?.margin, [luck, squares, crossed])
            }
            Lucky::FirstSeat(variant) => {
                (self.variants[variant].first, *self.luck.variants.get(variant)?)
            }
        };
        Some(ControlSums { first, covariates: 1, sums: vec![luck, crossed, squares] })
    }
}

impl Outline {
    /// Whether luck is taken out of the results.
    pub fn is_luck_adjusted(&self) -> bool {
        self.resolved.judge.is_some()
    }
}
