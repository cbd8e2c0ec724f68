//! The result of a search.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The rule that selects the final move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Decide {
    /// The most visited move; ties go to the higher value ("robust child", Chaslot et al. 2008).
    #[default]
    Visits,
    /// The move with the highest value, including its prior.
    Value,
}

/// The estimate of one move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveEstimate<M> {
    /// The move.
    pub mv: M,
    /// Number of playouts.
    pub visits: u64,
    /// Sum of the rewards, each from 0 to 1.
    pub total: f64,
    /// Sum of the squared rewards.
    pub squares: f64,
    /// Number of worlds in which the move was tried or came out best.
    pub worlds: u64,
    /// The prior of a [guide](super::Guide).
    pub prior: Prior,
}

/// Virtual playouts: a guide's prior of a move.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Prior {
    /// Number of virtual playouts.
    pub visits: f64,
    /// Sum of their rewards.
    pub total: f64,
}

impl<M> MoveEstimate<M> {
    /// A move without playouts.
    pub fn fresh(mv: M) -> MoveEstimate<M> {
        MoveEstimate { mv, visits: 0, total: 0.0, squares: 0.0, worlds: 0, prior: Prior::default() }
    }

    /// Adds the reward of a playout in a new world.
    pub(super) fn add(&mut self, reward: f64) {
        self.visits += 1;
        self.total += reward;
        self.squares += reward * reward;
        self.worlds += 1;
    }

    /// The mean reward including the prior; ½ without any visit.
    pub fn value_with_prior(&self) -> f64 {
        let visits = self.visits as f64 + self.prior.visits;
        if visits == 0.0 { 0.5 } else { (self.total + self.prior.total) / visits }
    }

    /// The mean reward; ½ for an untried move.
    pub fn value(&self) -> f64 {
        if self.visits == 0 { 0.5 } else { self.total / self.visits as f64 }
    }

    /// Half the width of the 95 % interval of the value by the normal approximation; 1 with fewer
    /// than 2 playouts.
    pub fn half_width(&self) -> f64 {
        if self.visits < 2 {
            return 1.0;
        }
        let n = self.visits as f64;
        let variance = ((self.squares - self.total * self.total / n) / (n - 1.0)).max(0.0);
        1.96 * (variance / n).sqrt()
    }
}

/// The result of a search of one position.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchResult<M> {
    /// The moves, best first after [ranking](SearchResult::rank).
    pub moves: Vec<MoveEstimate<M>>,
    /// Number of playouts.
    pub iterations: u64,
    /// Number of determinizations.
    pub worlds: u64,
    /// Number of tree nodes.
    pub nodes: usize,
}

impl<M> Default for SearchResult<M> {
    fn default() -> Self {
        SearchResult { moves: Vec::new(), iterations: 0, worlds: 0, nodes: 0 }
    }
}

/// Upper bound of rounding errors in a mean reward.
const ROUNDING: f64 = 1e-5;

impl<M: Copy + Ord> SearchResult<M> {
    /// A result without playouts, for example for a single legal move.
    pub fn untried(moves: &[M]) -> SearchResult<M> {
        let moves = moves.iter().map(|&mv| MoveEstimate::fresh(mv)).collect();
        SearchResult { moves, ..SearchResult::default() }
    }

    /// Puts the best move first; ties follow the order of moves.
    pub fn rank(&mut self, decide: Decide) {
        self.moves.sort_by(|a, b| {
            let by_visits = b.visits.cmp(&a.visits);
            let is_tried = (b.visits > 0).cmp(&(a.visits > 0));
            let by_value = is_tried.then(b.value_with_prior().total_cmp(&a.value_with_prior()));
            let order = match decide {
                Decide::Visits => by_visits.then(by_value),
                Decide::Value => by_value.then(by_visits),
            };
            order.then(a.mv.cmp(&b.mv))
        });
    }

    /// Puts the move that is best in most worlds first; ties go to the higher value.
    pub fn rank_by_votes(&mut self) {
        self.rank(Decide::Value);
        self.moves.sort_by_key(|finding| std::cmp::Reverse(finding.worlds));
    }

    /// The best move.
    pub fn best(&self) -> Option<M> {
        self.moves.first().map(|finding| finding.mv)
    }

    /// Returns `true` if no `left` further rewards from 0 to 1 can replace the first move. The
    /// moves must be [ranked](SearchResult::rank).
    pub(super) fn is_settled(&self, decide: Decide, left: u64) -> bool {
        let Some((best, rivals)) = self.moves.split_first() else { return false };
        let visits: u64 = self.moves.iter().map(|finding| finding.visits).sum();
        let total: f64 = self.moves.iter().map(|finding| finding.total).sum();
        let (visits, left_over) = (visits.max(1) as f64, left as f64);
        let usual = total / visits;
        // Priors use the mean of all rewards, which will lie between these ends.
        let ends = [total, total + left_over].map(|total| total / (visits + left_over) - usual);
        // The value after `more` rewards of this size.
        let after = |finding: &MoveEstimate<M>, more: f64, reward: f64, usual: f64| {
            let lent = finding.prior.total + finding.prior.visits * usual;
            let visits = finding.visits as f64 + finding.prior.visits + more;
            (finding.total + lent + more * reward) / visits
        };
        rivals.iter().all(|rival| match decide {
            Decide::Visits => rival.visits + left < best.visits,
            // The worst case: all remaining playouts go to these two moves.
            Decide::Value => (0..=left).rev().all(|theirs| {
                let (theirs, ours) = (theirs as f64, (left - theirs) as f64);
                ends.iter().all(|&usual| {
                    let worst = after(best, ours, 0.0, usual).min(after(best, 0.0, 0.0, usual));
                    worst > after(rival, theirs, 1.0, usual) + ROUNDING
                })
            }),
        })
    }

    /// Adds the result of another search of the same position. Priors count once. Rank afterwards.
    pub fn merge(&mut self, other: &SearchResult<M>) {
        for theirs in &other.moves {
            match self.moves.iter_mut().find(|ours| ours.mv == theirs.mv) {
                Some(ours) => {
                    ours.visits += theirs.visits;
                    ours.total += theirs.total;
                    ours.squares += theirs.squares;
                    ours.worlds += theirs.worlds;
                }
                None => self.moves.push(*theirs),
            }
        }
        self.iterations += other.iterations;
        self.worlds += other.worlds;
        self.nodes += other.nodes;
    }
}
