//! An opinion about the candidates before any playout.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Game, Observation, Policy};

/// A strategy whose opinion of the candidates counts like playouts that were made already: a prior
/// with virtual visits.
///
/// A candidate starts with `visits` playouts of the root's mean reward, less `reward` for each
/// point that the strategy thinks it worse than its best one: a prior that playouts outweigh in
/// the end (after Gelly and Silver 2007, *Combining online and offline knowledge in UCT*).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GuideOptions {
    /// Whose opinion: a strategy that does not search and weighs its moves.
    pub by: String,
    /// For how many playouts of each candidate it counts.
    #[schemars(range(min = 1e-6, max = 1e6))]
    pub visits: f64,
    /// What a point of its worth is in reward.
    #[schemars(range(min = 1e-6, max = 1e6))]
    pub reward: f64,
    /// How many candidates are searched: those that it likes best. Left out, all are.
    #[schemars(range(min = 1, max = 1000))]
    pub keep: Option<u32>,
}

/// A guide whose policy is known.
pub struct Guide<G: Game> {
    /// Whose opinion; one that [has none](Policy::score_moves) changes nothing.
    pub policy: Arc<dyn Policy<G>>,
    /// How much it counts.
    pub options: GuideOptions,
}

impl<G: Game> Guide<G> {
    /// Replaces `priors` by what each of these candidates is thought to fall short of the best, in
    /// reward; by nothing when there is no opinion.
    pub(super) fn priors(
        &self,
        game: &G,
        observation: Observation<'_, G>,
        legal: &[G::Move],
        priors: &mut Vec<(G::Move, f32)>,
    ) {
        priors.clear();
        let mut worth = Vec::with_capacity(legal.len());
        if !self.policy.score_moves(game, observation.view, legal, &mut worth) {
            return;
        }
        let top = worth.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let each = legal.iter().zip(&worth);
        priors.extend(each.map(|(&mv, &worth)| (mv, (worth - top) * self.options.reward as f32)));
        let keep = self.options.keep.map_or(usize::MAX, |keep| keep as usize);
        if keep < priors.len() {
            // Of equals the lower move; then back into the order of moves.
            priors.sort_by(|a, b| b.1.total_cmp(&a.1));
            priors.truncate(keep);
            priors.sort_by_key(|&(mv, _)| mv);
        }
    }
}
