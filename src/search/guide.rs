//! An opinion about the candidates before any playout.

use std::sync::Arc;

use super::maths::exp;
use crate::game::{Game, Policy, Sight};

/// A strategy whose opinion of the candidates says which of them are looked at more.
pub struct Guide<G: Game> {
    /// Whose opinion; one that [has none](Policy::weigh) changes nothing.
    pub policy: Arc<dyn Policy<G>>,
    /// How much it counts: the factor c of the term c · P · √N / (1 + n), with which a candidate
    /// of prior chance P that was tried n times of N stands in for the exploration term (PUCT:
    /// Rosin 2011, *Multi-armed bandits with episode context*; Silver et al. 2017).
    pub weight: f64,
    /// The difference of worth that makes a candidate e times as likely.
    pub temperature: f64,
}

impl<G: Game> Clone for Guide<G> {
    fn clone(&self) -> Self {
        Guide { policy: Arc::clone(&self.policy), ..*self }
    }
}

impl<G: Game> Guide<G> {
    /// Replaces `priors` by the prior chances of these candidates; none when it has no opinion.
    pub(super) fn priors(
        &self,
        game: &G,
        sight: Sight<'_, G>,
        legal: &[G::Move],
        priors: &mut Vec<(G::Move, f32)>,
    ) {
        priors.clear();
        let mut worth = Vec::with_capacity(legal.len());
        if !self.policy.weigh(game, sight.view, legal, &mut worth) {
            return;
        }
        let top = worth.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let share = |worth: f32| exp(f64::from(worth - top) / self.temperature);
        let sum: f64 = worth.iter().map(|&w| share(w)).sum();
        if sum.is_finite() && sum > 0.0 {
            let each = legal.iter().zip(&worth);
            priors.extend(each.map(|(&mv, &worth)| (mv, (share(worth) / sum) as f32)));
        }
    }
}
