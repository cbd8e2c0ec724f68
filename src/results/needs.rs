//! How many deals a question needs, judged by a run.

use super::Summary;
use crate::stats::{Estimate, deals_for_difference, spread_of};

/// What one comparison needs.
#[derive(Clone, Debug)]
pub struct Need {
    /// The comparison.
    pub what: String,
    /// The standard deviation of a deal.
    pub deviation: f64,
    /// How many deals; none where no number of deals that can be played would do.
    pub deals: Option<u64>,
}

/// The deals that find a difference with this probability: in the score of each pairing, in each
/// variant's first-seat score, and between two variants' first-seat scores on the same deals.
/// `None` where the run has fewer than two deals.
pub fn needs(summary: &Summary, difference: f64, power: f64) -> Option<Vec<Need>> {
    let deals = summary.variants.first().map(|v| v.deals).filter(|deals| *deals > 1)?;
    let need = |what: String, estimate: Option<Estimate>| {
        let deviation = spread_of(estimate?, deals)?;
        Some(Need { what, deviation, deals: deals_for_difference(deviation, difference, power) })
    };
    let pairings = summary.matchups.iter().filter(|m| m.p.is_some()).map(|m| {
        need(format!("{} against {} under {}", m.strategy, m.opponent, m.variant), m.score)
    });
    let seats = summary
        .variants
        .iter()
        .map(|v| need(format!("the first seat under {}", v.variant), v.figure("first_seat_score")));
    let changes = summary.differences.iter().filter(|d| d.figure == "first_seat_score").map(|d| {
        need(format!("the first seat, {} against {}, same deals", d.to, d.from), Some(d.change))
    });
    Some(pairings.chain(seats).chain(changes).flatten().collect())
}
