//! How many deals a question needs, judged by a run.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Comparison, Summary};
use crate::arena::Playable;
use crate::stats::{deals_for_difference, spread_of};
use crate::{Estimate, Result, Seed};

/// What one comparison needs.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Need {
    /// The comparison, in words.
    pub comparison: String,
    /// The standard deviation of a deal. Unit: share of the win.
    pub deviation: f64,
    /// How many deals; none where no number of deals that can be played would do. Unit: deals.
    pub deals: Option<u64>,
}

/// A pilot of a plan: so many deals, and not those of the run, which must not be planned by its own
/// answer.
///
/// # Errors
/// Bad input when so many deals cannot be played.
pub fn pilot(plan: &dyn Playable, deals: u64) -> Result<Box<dyn Playable>> {
    plan.with(&mut |resolved| {
        let experiment = &mut resolved.experiment;
        experiment.deals = deals;
        experiment.seed = Seed::new(experiment.seed).named("pilot").stream().bits();
        experiment.until = None;
        experiment.confirm = false;
    })
}

/// The deals that find a difference with this probability: in the score of each pairing, in each
/// variant's first-seat score, and between two variants' first-seat scores on the same deals.
/// `None` where the run has fewer than two deals.
pub fn needs(summary: &Summary, difference: f64, power: f64) -> Option<Vec<Need>> {
    let deals = Some(summary.deals).filter(|deals| *deals > 1)?;
    let need = |comparison: String, estimate: Option<Estimate>| {
        let deviation = spread_of(estimate?, deals)?;
        let deals = deals_for_difference(deviation, difference, power);
        Some(Need { comparison, deviation, deals })
    };
    let pairings = summary.matchups().filter(|m| m.p.is_some()).map(|m| {
        need(format!("{} against {} under {}", m.strategy, m.opponent, m.variant), m.score)
    });
    let seats = summary.variants.iter();
    let seats = seats.map(|v| need(format!("first seat under {}", v.variant), v.first_seat()));
    let changes = summary.comparisons.iter().filter_map(Comparison::first_seat).map(|d| {
        let (a, b) = (&d.variant_a, &d.variant_b);
        need(format!("first seat, {b} against {a}"), Some(d.difference))
    });
    Some(pairings.chain(seats).chain(changes).flatten().collect())
}
