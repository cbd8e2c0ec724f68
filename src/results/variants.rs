//! The figures of a variant, and how they change from one to another.

use crate::arena::SpreadTally;
use crate::game::Spread;
use crate::stats::{Controlled, Estimate};

/// One figure of a variant.
#[derive(Clone, Debug)]
pub struct VariantFigure {
    /// The column's name.
    pub name: &'static str,
    /// What one is.
    pub unit: &'static str,
    /// One sentence.
    pub meaning: &'static str,
    /// The figure; none where nothing of the kind happened.
    pub estimate: Option<Estimate>,
}

/// All figures of a variant, over all its tables.
#[derive(Clone, Debug)]
pub struct VariantFigures {
    /// The variant's name.
    pub variant: String,
    /// Deals.
    pub deals: u64,
    /// Hands.
    pub hands: u64,
    /// The figures, the same in every variant.
    pub figures: Vec<VariantFigure>,
    /// The first seat's score with what the deals' cards explain taken out; none where the
    /// experiment does not ask for it.
    pub controlled: Option<Controlled>,
    /// The game's own counters, summed over all hands.
    pub counters: Vec<i64>,
    /// The bins of the distributions.
    pub spread: Spread,
    /// How the hands spread over them.
    pub shape: SpreadTally,
}

impl VariantFigures {
    /// A figure by name.
    pub fn figure(&self, name: &str) -> Option<Estimate> {
        self.figures.iter().find(|f| f.name == name)?.estimate
    }
}

/// How a figure changes from one variant to another on the same deals.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The first variant.
    pub from: String,
    /// The second.
    pub to: String,
    /// The figure's name.
    pub figure: &'static str,
    /// What one is.
    pub unit: &'static str,
    /// The figure in the first.
    pub before: f64,
    /// The figure in the second.
    pub after: f64,
    /// The second less the first, its interval from the pairs of the same deal.
    pub change: Estimate,
    /// The two-sided p-value of no change; none where it cannot be computed.
    pub p: Option<f64>,
    /// The same after Holm's correction over all figures of all two variants of the run.
    pub p_holm: Option<f64>,
}
