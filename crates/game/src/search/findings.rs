//! What a search found out.

use std::cmp::Ordering;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which move is made in the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Decide {
    /// The one tried most often; of equals the one with the higher value ("robust child",
    /// Chaslot et al. 2008).
    #[default]
    Visits,
    /// The one with the highest value, a guide's opinion counted in.
    Value,
}

/// What was found out about one move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveEstimate<M> {
    /// The move.
    pub mv: M,
    /// How often it was tried.
    pub visits: u64,
    /// The sum of the rewards, each from 0 to 1.
    pub total: f64,
    /// The sum of their squares.
    pub squares: f64,
    /// In how many imagined worlds it came out best, or was chosen.
    pub worlds: u64,
    /// What a [guide](super::Guide) lent it.
    pub lent: Lent,
}

/// Playouts that were not made: a guide's opinion of a move.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Lent {
    /// How many they count for.
    pub visits: f64,
    /// The sum of their rewards.
    pub total: f64,
}

impl<M> MoveEstimate<M> {
    /// A move that was not tried.
    pub fn fresh(mv: M) -> MoveEstimate<M> {
        MoveEstimate { mv, visits: 0, total: 0.0, squares: 0.0, worlds: 0, lent: Lent::default() }
    }

    /// The mean reward with what was lent: what a decision by value goes by.
    pub fn standing(&self) -> f64 {
        let visits = self.visits as f64 + self.lent.visits;
        if visits == 0.0 { 0.5 } else { (self.total + self.lent.total) / visits }
    }

    /// The mean reward; ½ for a move never tried.
    pub fn value(&self) -> f64 {
        if self.visits == 0 { 0.5 } else { self.total / self.visits as f64 }
    }

    /// Half the width of the 95 % interval of the value, by the normal approximation; 1 for a move
    /// tried less than twice.
    pub fn half_width(&self) -> f64 {
        if self.visits < 2 {
            return 1.0;
        }
        let n = self.visits as f64;
        let variance = ((self.squares - self.total * self.total / n) / (n - 1.0)).max(0.0);
        1.96 * (variance / n).sqrt()
    }
}

/// What was found out about a position.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchResult<M> {
    /// The moves, best first once they are [ranked](SearchResult::rank).
    pub moves: Vec<MoveEstimate<M>>,
    /// How many playouts there were.
    pub iterations: u64,
    /// How many worlds were imagined.
    pub worlds: u64,
    /// How many nodes the trees had.
    pub nodes: usize,
}

impl<M> Default for SearchResult<M> {
    fn default() -> Self {
        SearchResult { moves: Vec::new(), iterations: 0, worlds: 0, nodes: 0 }
    }
}

/// More than rounding adds to a mean reward.
const ROUNDING: f64 = 1e-5;

impl<M: Copy + Ord> SearchResult<M> {
    /// These moves, of which nothing was found out: one alone needs no search.
    pub fn untried(moves: &[M]) -> SearchResult<M> {
        let moves = moves.iter().map(|&mv| MoveEstimate::fresh(mv)).collect();
        SearchResult { moves, ..SearchResult::default() }
    }

    /// Puts the best move first; equal ones in the order of moves.
    pub fn rank(&mut self, decide: Decide) {
        let by_visits = |a: &MoveEstimate<M>, b: &MoveEstimate<M>| b.visits.cmp(&a.visits);
        let by_value = |a: &MoveEstimate<M>, b: &MoveEstimate<M>| {
            (b.visits > 0).cmp(&(a.visits > 0)).then(b.standing().total_cmp(&a.standing()))
        };
        self.moves.sort_by(|a, b| {
            let order: Ordering = match decide {
                Decide::Visits => by_visits(a, b).then_with(|| by_value(a, b)),
                Decide::Value => by_value(a, b).then_with(|| by_visits(a, b)),
            };
            order.then_with(|| a.mv.cmp(&b.mv))
        });
    }

    /// Puts the move that is best in most worlds first; of equals the one with the higher value.
    pub fn rank_by_votes(&mut self) {
        self.rank(Decide::Value);
        self.moves.sort_by_key(|finding| std::cmp::Reverse(finding.worlds));
    }

    /// The move to make.
    pub fn best(&self) -> Option<M> {
        self.moves.first().map(|finding| finding.mv)
    }

    /// Whether the first move stays the first whatever so many more playouts of these moves bring,
    /// each a reward from 0 to 1. The moves are [ranked](SearchResult::rank).
    pub(super) fn is_settled(&self, decide: Decide, left: u64) -> bool {
        let Some((best, rivals)) = self.moves.split_first() else { return false };
        let visits: u64 = self.moves.iter().map(|finding| finding.visits).sum();
        let total: f64 = self.moves.iter().map(|finding| finding.total).sum();
        let (visits, left_over) = (visits.max(1) as f64, left as f64);
        let usual = total / visits;
        // What is lent goes by the mean of all rewards, which will lie between these.
        let ends = [total, total + left_over].map(|total| total / (visits + left_over) - usual);
        // The standing after so many more rewards of this size.
        let after = |finding: &MoveEstimate<M>, more: f64, reward: f64, usual: f64| {
            let lent = finding.lent.total + finding.lent.visits * usual;
            let visits = finding.visits as f64 + finding.lent.visits + more;
            (finding.total + lent + more * reward) / visits
        };
        rivals.iter().all(|rival| match decide {
            Decide::Visits => rival.visits + left < best.visits,
            // All that is left is shared between the two, as is worst for the best.
            Decide::Value => (0..=left).rev().all(|theirs| {
                let (theirs, ours) = (theirs as f64, (left - theirs) as f64);
                ends.iter().all(|&usual| {
                    let worst = after(best, ours, 0.0, usual).min(after(best, 0.0, 0.0, usual));
                    worst > after(rival, theirs, 1.0, usual) + ROUNDING
                })
            }),
        })
    }

    /// Adds what another search of the same position found out; what a guide lent counts once.
    /// Rank afterwards.
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
