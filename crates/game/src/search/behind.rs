//! Which moves are so far behind that a search tries them no more (racing, after Maron and Moore
//! 1997, *The racing algorithm*).

use super::findings::{MoveEstimate, SearchResult};

/// A search is looked at once in so many playouts.
pub(super) const EVERY: u64 = 32;

/// A move must have been tried so often before it is behind.
const TRIED: usize = 8;

/// The variance that a difference of rewards is thought to have before any is seen, as if it were
/// seen once.
const USUAL: f64 = 0.1;

/// The rewards of each move at the root, in the order of its playouts.
pub(super) struct Rewarded<M> {
    moves: Vec<(M, Vec<f32>)>,
    count: usize,
}

impl<M: Copy + PartialEq> Rewarded<M> {
    pub fn new() -> Rewarded<M> {
        Rewarded { moves: Vec::new(), count: 0 }
    }

    /// Forgets all but the memory.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Enters a reward of a move.
    pub fn enter(&mut self, mv: M, reward: f32) {
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

    /// How many playouts a move had.
    pub fn tried(&self, mv: M) -> u64 {
        self.of(mv).len() as u64
    }

    fn of(&self, mv: M) -> &[f32] {
        let known = self.moves[..self.count].iter().find(|(own, _)| *own == mv);
        known.map_or(&[], |(_, rewards)| rewards)
    }

    /// The moves that the best one of these is ahead of by so many standard errors of the
    /// difference of their rewards; `paired` if their playouts were made in the same worlds, in
    /// order. The moves are ranked.
    pub fn behind(&self, findings: &SearchResult<M>, errors: f64, paired: bool) -> Vec<M> {
        let Some((best, rivals)) = findings.moves.split_first() else { return Vec::new() };
        let ours = self.of(best.mv);
        if ours.len() < TRIED {
            return Vec::new();
        }
        let is_behind = |rival: &&MoveEstimate<M>| {
            let theirs = self.of(rival.mv);
            let error = match paired {
                true => squared_error(ours.iter().zip(theirs).map(|(a, b)| f64::from(a - b))),
                false => {
                    squared_error(ours.iter().map(|reward| f64::from(*reward)))
                        + squared_error(theirs.iter().map(|reward| f64::from(*reward)))
                }
            };
            let lead = best.standing() - rival.standing();
            theirs.len() >= TRIED && lead > 0.0 && lead * lead >= errors * errors * error
        };
        rivals.iter().filter(is_behind).map(|rival| rival.mv).collect()
    }
}

/// The square of the standard error of a mean.
fn squared_error(numbers: impl Iterator<Item = f64>) -> f64 {
    let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
    for number in numbers {
        count += 1.0;
        sum += number;
        squares += number * number;
    }
    let spread = (squares - sum * sum / f64::max(count, 1.0)).max(0.0) + USUAL;
    spread / (count * count)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Findings of moves whose playouts gave these rewards.
    fn found(rewards: &[&[f32]]) -> (Rewarded<usize>, SearchResult<usize>) {
        let (mut seen, mut findings) = (Rewarded::new(), SearchResult::default());
        for (mv, rewards) in rewards.iter().enumerate() {
            for reward in *rewards {
                seen.enter(mv, *reward);
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
        assert_eq!(seen.behind(&findings, 3.0, true), [1]);
        assert!(seen.behind(&findings, 3.0, false).is_empty());
        assert!(seen.behind(&findings, 30.0, true).is_empty());
    }

    #[test]
    fn a_move_that_was_hardly_tried_is_not_behind() {
        let (seen, findings) = found(&[&[1.0; 40], &[0.0; 7], &[0.0; 8]]);
        assert_eq!(seen.behind(&findings, 0.1, true), [2]);
        let (seen, findings) = found(&[&[0.5; 40], &[0.5; 40]]);
        assert!(seen.behind(&findings, 0.1, true).is_empty(), "equal moves");
    }

    #[test]
    fn what_was_forgotten_does_not_count() {
        let (mut seen, findings) = found(&[&[1.0; 40], &[0.0; 40]]);
        seen.clear();
        assert!(seen.behind(&findings, 0.1, true).is_empty());
        seen.enter(0, 1.0);
        assert_eq!(seen.of(0).len(), 1);
    }
}
