//! Priors for the root moves.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Game, Observation, Policy};

/// A policy whose scores act as a prior with virtual visits.
///
/// Each candidate starts with `visits` playouts of the root's mean reward, minus `reward` for each
/// point below the best score. Playouts outweigh this prior in the end (after Gelly and Silver
/// 2007, *Combining online and offline knowledge in UCT*).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GuideOptions {
    /// Strategy that scores the moves; it must be memoryless.
    pub by: String,
    /// Number of virtual playouts per candidate.
    #[schemars(range(min = 1e-6, max = 1e6))]
    pub visits: f64,
    /// Reward per point of the score.
    #[schemars(range(min = 1e-6, max = 1e6))]
    pub reward: f64,
    /// Number of best-scored candidates to search. By default all are searched.
    #[schemars(range(min = 1, max = 1000))]
    pub keep: Option<u32>,
}

/// A guide with its policy.
pub struct Guide<G: Game> {
    /// The scoring policy. One [without scores](Policy::score_moves) has no effect.
    pub policy: Arc<dyn Policy<G>>,
    /// The options.
    pub options: GuideOptions,
}

impl<G: Game> Guide<G> {
    /// Returns the candidates, each with its distance from the best one, in reward; `None` if the
    /// policy has no scores.
    pub(super) fn priors(
        &self,
        game: &G,
        observation: Observation<'_, G>,
        legal: &[G::Move],
    ) -> Option<Vec<(G::Move, f32)>> {
        let GuideOptions { reward, keep, .. } = self.options;
        let mut worth = Vec::with_capacity(legal.len());
        if !self.policy.score_moves(game, observation.view, legal, &mut worth) {
            return None;
        }
        let top = worth.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let priors = legal.iter().zip(&worth);
        let mut priors: Vec<_> =
            priors.map(|(&mv, &worth)| (mv, (worth - top) * reward as f32)).collect();
        // Ties keep the lower move; then the order of moves is restored.
        priors.sort_by(|a, b| b.1.total_cmp(&a.1));
        priors.truncate(keep.map_or(usize::MAX, |keep| keep as usize));
        priors.sort_by_key(|&(mv, _)| mv);
        Some(priors)
    }
}
