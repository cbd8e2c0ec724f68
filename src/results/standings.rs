//! How a strategy stands under a variant.

use crate::stats::Estimate;

/// A strategy under a variant, against all others it met.
#[derive(Clone, Debug)]
pub struct Standing {
    /// The variant's name.
    pub variant: String,
    /// The strategy's name.
    pub strategy: String,
    /// Matches against others.
    pub matches: u64,
    /// Hands in them.
    pub hands: u64,
    /// Mean result of a match: 1 for a win, a share for a shared one.
    pub score: Option<Estimate>,
    /// On the Elo scale, the mean of the strategies being 0.
    pub rating: Option<Estimate>,
    /// From 1, the best.
    pub rank: usize,
}
