//! The tallies that a summary is computed from, and estimates by the jackknife over their chunks.

use parlour_arena::{PlanInfo, Tally};
use parlour_stats::{Estimate, holm, jackknife_all, jackknife_p};

/// The tallies of a run: one per chunk of deals, and their total. A chunk is a jackknife group.
pub(super) struct Sample<'a> {
    pub plan: &'a PlanInfo,
    pub total: Tally,
    pub chunks: &'a [Tally],
    weights: Vec<u64>,
}

impl<'a> Sample<'a> {
    /// Adds up the chunks.
    pub fn new(plan: &'a PlanInfo, chunks: &'a [Tally]) -> Sample<'a> {
        let mut total = plan.empty.clone();
        chunks.iter().for_each(|tally| total.merge(tally));
        Sample { plan, total, chunks, weights: chunks.iter().map(|tally| tally.deals).collect() }
    }

    /// Number of deals.
    pub fn deals(&self) -> u64 {
        self.total.deals
    }

    /// Estimates several statistics, each a function of a tally.
    pub fn jackknife(&self, compute: impl Fn(&Tally) -> Vec<Option<f64>>) -> Vec<Option<Estimate>> {
        jackknife_all(&self.weights, |left_out| match left_out {
            None => compute(&self.total),
            Some(chunk) => compute(&self.total.without(&self.chunks[chunk])),
        })
    }

    /// The two-sided p-value of a jackknifed number being 0.
    pub fn p_value(&self, estimate: Option<Estimate>) -> Option<f64> {
        jackknife_p(estimate?, self.chunks.len())
    }
}

/// Writes Holm's correction over all p-values into the second place of each pair.
pub(super) fn adjust_p_values<'a>(rows: impl Iterator<Item = (Option<f64>, &'a mut Option<f64>)>) {
    let (plain, places): (Vec<_>, Vec<_>) = rows.unzip();
    places.into_iter().zip(holm(&plain)).for_each(|(place, p)| *place = p);
}
