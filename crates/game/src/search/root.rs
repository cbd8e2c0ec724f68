//! The candidates of a search, and the pruning of those that are clearly worse than the best one
//! (racing, after Maron and Moore 1997, *The racing algorithm*).

/// Number of playouts between two checks.
pub(super) const CHECK_EVERY: u64 = 32;

/// Minimum number of playouts of a move before it can be pruned.
const MIN_PLAYOUTS: usize = 8;

/// Prior variance of a difference of rewards, with the weight of one observation.
const PRIOR_VARIANCE: f64 = 0.1;

/// A candidate.
#[derive(Clone, Debug)]
pub(super) struct RootMove<M> {
    pub mv: M,
    /// The guide's prior: the distance from the best move, in reward.
    pub prior: f32,
    pub is_pruned: bool,
    /// The rewards in the order of the playouts, if moves are pruned.
    pub rewards: Vec<f32>,
}

impl<M> RootMove<M> {
    pub fn new(mv: M, prior: f32) -> RootMove<M> {
        RootMove { mv, prior, is_pruned: false, rewards: Vec::new() }
    }

    /// Returns `true` if the best move, with a value higher by `lead`, leads this one by at least
    /// `errors` standard errors of the difference of their rewards. `paired` means that their
    /// playouts used the same worlds in the same order.
    pub fn is_dominated(&self, best: &[f32], lead: f64, errors: f64, paired: bool) -> bool {
        let error = match paired {
            true => squared_error(best.iter().zip(&self.rewards).map(|(a, b)| f64::from(a - b))),
            false => [best, &self.rewards]
                .map(|rewards| squared_error(rewards.iter().map(|reward| f64::from(*reward))))
                .iter()
                .sum(),
        };
        best.len().min(self.rewards.len()) >= MIN_PLAYOUTS
            && lead > 0.0
            && lead * lead >= errors * errors * error
    }
}

/// Returns the index of a candidate in the list of all, which is in the order of moves.
pub(super) fn find<M: Ord>(root_moves: &[RootMove<M>], mv: &M) -> Option<usize> {
    root_moves.binary_search_by(|candidate| candidate.mv.cmp(mv)).ok()
}

/// Returns `true` if a move is a candidate that is pruned.
pub(super) fn is_pruned<M: Ord>(root_moves: &[RootMove<M>], mv: &M) -> bool {
    find(root_moves, mv).is_some_and(|at| root_moves[at].is_pruned)
}

/// The squared standard error of a mean.
fn squared_error(numbers: impl Iterator<Item = f64>) -> f64 {
    let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for number in numbers {
        count += 1.0;
        sum += number;
        squares += number * number;
    }
    let spread = (squares - sum * sum / f64::max(count, 1.0)).max(0.0) + PRIOR_VARIANCE;
    spread / (count * count)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns `true` if a move with the rewards `best` dominates one with these rewards.
    fn is_dominated(best: &[f32], rewards: &[f32], errors: f64, paired: bool) -> bool {
        let mean = |rewards: &[f32]| {
            rewards.iter().copied().map(f64::from).sum::<f64>() / rewards.len() as f64
        };
        let rival = RootMove { rewards: rewards.to_vec(), ..RootMove::new((), 0.0) };
        rival.is_dominated(best, mean(best) - mean(rewards), errors, paired)
    }

    #[test]
    fn luck_that_both_have_does_not_hide_a_lead() {
        let lucky = [1.0f32, 0.0].repeat(20);
        let behind: Vec<f32> = lucky.iter().map(|reward| reward * 0.8).collect();
        assert!(is_dominated(&lucky, &behind, 3.0, true));
        assert!(!is_dominated(&lucky, &behind, 3.0, false));
        assert!(!is_dominated(&lucky, &behind, 30.0, true));
    }

    #[test]
    fn a_move_that_was_hardly_tried_is_not_behind() {
        assert!(!is_dominated(&[1.0; 40], &[0.0; 7], 0.1, true));
        assert!(is_dominated(&[1.0; 40], &[0.0; 8], 0.1, true));
        assert!(!is_dominated(&[0.5; 40], &[0.5; 40], 0.1, true), "equal moves");
        assert!(!is_dominated(&[], &[0.0; 40], 0.1, true), "no playouts of the best");
    }
}
