//! Pruning of root moves that are clearly worse than the best one (racing, after Maron and Moore
//! 1997, *The racing algorithm*).

use super::result::{MoveEstimate, SearchResult};

/// Number of playouts between two checks.
pub(super) const CHECK_EVERY: u64 = 32;

/// Minimum number of playouts of a move before it can be pruned.
const MIN_PLAYOUTS: usize = 8;

/// Prior variance of a difference of rewards, with the weight of one observation.
const PRIOR_VARIANCE: f64 = 0.1;

/// The rewards of each root move in the order of its playouts.
pub(super) struct RewardLog<M> {
    moves: Vec<(M, Vec<f32>)>,
    count: usize,
}

impl<M: Copy + PartialEq> RewardLog<M> {
    pub fn new() -> RewardLog<M> {
        RewardLog { moves: Vec::new(), count: 0 }
    }

    /// Removes all rewards but keeps the memory.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a reward of a move.
    pub fn add(&mut self, mv: M, reward: f32) {
        if let Some((_, rewards)) = self.moves[..self.count].iter_mut().find(|(own, _)| *own == mv)
        {
            rewards.push(reward);
            return;
        }
        if self.count == self.moves.len() {
            self.moves.push((mv, Vec::new()));
        }
        let place = &mut self.moves[self.count];
        place.0 = mv;
        place.1.clear();
        place.1.push(reward);
        self.count += 1;
    }

    /// The number of playouts of a move.
    pub fn tried(&self, mv: M) -> u64 {
        self.of(mv).len() as u64
    }

    fn of(&self, mv: M) -> &[f32] {
        let known = self.moves[..self.count].iter().find(|(own, _)| *own == mv);
        known.map_or(&[], |(_, rewards)| rewards)
    }

    /// Returns the moves that the best one leads by at least `errors` standard errors of the
    /// difference of their rewards. `paired` means that their playouts used the same worlds in the
    /// same order. The moves must be ranked.
    pub fn dominated(&self, findings: &SearchResult<M>, errors: f64, paired: bool) -> Vec<M> {
        let Some((best, rivals)) = findings.moves.split_first() else { return Vec::new() };
        let ours = self.of(best.mv);
        if ours.len() < MIN_PLAYOUTS {
            return Vec::new();
        }
        let is_dominated = |rival: &&MoveEstimate<M>| {
            let theirs = self.of(rival.mv);
            let error = match paired {
                true => squared_error(ours.iter().zip(theirs).map(|(a, b)| f64::from(a - b))),
                false => {
                    squared_error(ours.iter().map(|reward| f64::from(*reward)))
                        + squared_error(theirs.iter().map(|reward| f64::from(*reward)))
                }
            };
            let lead = best.value_with_prior() - rival.value_with_prior();
            theirs.len() >= MIN_PLAYOUTS && lead > 0.0 && lead * lead >= errors * errors * error
        };
        rivals.iter().filter(is_dominated).map(|rival| rival.mv).collect()
    }
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

    /// A search result of moves with these rewards.
    fn found(rewards: &[&[f32]]) -> (RewardLog<usize>, SearchResult<usize>) {
        let (mut seen, mut findings) = (RewardLog::new(), SearchResult::default());
        for (mv, rewards) in rewards.iter().enumerate() {
            for reward in *rewards {
                seen.add(mv, *reward);
            }
            let total = rewards.iter().map(|reward| f64::from(*reward)).sum();
            let visits = rewards.len() as u64;
            findings.moves.push(MoveEstimate { visits, total, ..MoveEstimate::fresh(mv) });
        }
        (seen, findings)
    }

    #[test]
    fn luck_that_both_have_does_not_hide_a_lead() {
        let lucky = [1.0f32, 0.0].repeat(20);
        let behind: Vec<f32> = lucky.iter().map(|reward| reward * 0.8).collect();
        let (seen, findings) = found(&[&lucky, &behind]);
        assert_eq!(seen.dominated(&findings, 3.0, true), [1]);
        assert!(seen.dominated(&findings, 3.0, false).is_empty());
        assert!(seen.dominated(&findings, 30.0, true).is_empty());
    }

    #[test]
    fn a_move_that_was_hardly_tried_is_not_behind() {
        let (seen, findings) = found(&[&[1.0; 40], &[0.0; 7], &[0.0; 8]]);
        assert_eq!(seen.dominated(&findings, 0.1, true), [2]);
        let (seen, findings) = found(&[&[0.5; 40], &[0.5; 40]]);
        assert!(seen.dominated(&findings, 0.1, true).is_empty(), "equal moves");
    }

    #[test]
    fn what_was_forgotten_does_not_count() {
        let (mut seen, findings) = found(&[&[1.0; 40], &[0.0; 40]]);
        seen.clear();
        assert!(seen.dominated(&findings, 0.1, true).is_empty());
        seen.add(0, 1.0);
        assert_eq!(seen.of(0).len(), 1);
    }
}
