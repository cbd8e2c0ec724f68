//! An opinion about the candidates before any playout.

use std::sync::Arc;

use crate::game::{Game, Policy, Sight};

/// A strategy whose opinion of the candidates counts like playouts that were made already.
///
/// A candidate starts with `visits` playouts of the root's mean reward, less `reward` for each
/// point that the strategy thinks it worse than its best one: a prior that playouts outweigh in
/// the end (after Gelly and Silver 2007, *Combining online and offline knowledge in UCT*).
pub struct Guide<G: Game> {
    /// Whose opinion; one that [has none](Policy::weigh) changes nothing.
    pub policy: Arc<dyn Policy<G>>,
    /// How many playouts it counts for.
    pub visits: f64,
    /// What a point of worth is in reward.
    pub reward: f64,
}

impl<G: Game> Clone for Guide<G> {
    fn clone(&self) -> Self {
        Guide { policy: Arc::clone(&self.policy), ..*self }
    }
}

impl<G: Game> Guide<G> {
    /// Replaces `priors` by what each of these candidates is thought to fall short of the best, in
    /// reward; by nothing when there is no opinion.
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
        let each = legal.iter().zip(&worth);
        priors.extend(each.map(|(&mv, &worth)| (mv, (worth - top) * self.reward as f32)));
    }
}
